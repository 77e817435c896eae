// Smooth line test: compares the coverage of pixels with hand computation.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <cmath>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

/// The alpha of a 32x32 picture with one white smooth line from (x0, y0) to (x1, y1) in pixels.
std::vector<float> alphas(float width, float x0, float y0, float x1, float y1) {
    const auto device = must(gpu::create_device({}));
    scenes::SceneKit kit(*device);
    kit.size(32, 32);
    kit.add_color(Format::R32G32B32A32_FLOAT);
    kit.clear(0, 0, 0, 0);
    kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
    kit.pipeline.primitive = Primitive::Lines;
    kit.pipeline.rasterizer.line_smooth = true;
    kit.pipeline.rasterizer.line_width = width;
    const auto clip = [](float window) { return window / 16 - 1; };
    kit.vertices({clip(x0), clip(y0), 0, 1, 1, 1, 1, 1, clip(x1), clip(y1), 0, 1, 1, 1, 1, 1},
                 {4, 4});
    kit.draw(2);
    const auto bytes = kit.shots()[0].bytes;
    std::vector<float> result(32 * 32);
    for (size_t i = 0; i < result.size(); ++i)
        std::memcpy(&result[i], bytes.data() + 16 * i + 12, 4);
    return result;
}

/// Planes are rounded: 1/area is not exact.
doctest::Approx near(float value) {
    return doctest::Approx(static_cast<double>(value)).epsilon(1e-5);
}

}  // namespace

TEST_CASE("a line along pixel centres fades over half a pixel at its ends") {
    const auto alpha = alphas(1, 8.5F, 10.5F, 24.5F, 10.5F);
    for (size_t y = 0; y < 32; ++y)
        for (size_t x = 0; x < 32; ++x) {
            CAPTURE(x);
            CAPTURE(y);
            const float expected = y != 10 || x < 8 || x > 24 ? 0.0F
                                   : x == 8 || x == 24        ? 0.5F
                                                              : 1.0F;
            CHECK(alpha[y * 32 + x] == near(expected));
        }
}

TEST_CASE("a line between pixel centres covers both rows in parts") {
    // A line of width 2 around y = 10.75 covers 9.75 to 11.75 in rows 9 to 11.
    const auto alpha = alphas(2, 4, 10.75F, 28, 10.75F);
    CHECK(alpha[8 * 32 + 16] == near(0));
    CHECK(alpha[9 * 32 + 16] == near(0.25F));
    CHECK(alpha[10 * 32 + 16] == near(1));
    CHECK(alpha[11 * 32 + 16] == near(0.75F));
    CHECK(alpha[12 * 32 + 16] == near(0));
    // The ends lie on pixel borders.
    CHECK(alpha[10 * 32 + 3] == near(0));
    CHECK(alpha[10 * 32 + 4] == near(1));
    CHECK(alpha[10 * 32 + 27] == near(1));
    CHECK(alpha[10 * 32 + 28] == near(0));
}

TEST_CASE("the coverage of a slanted line adds up to its area") {
    double sum = 0;
    for (const float a : alphas(3, 6.2F, 7.9F, 25.1F, 20.3F))
        sum += static_cast<double>(a);
    const double length = std::hypot(25.1 - 6.2, 20.3 - 7.9);
    CHECK(sum == doctest::Approx(3 * length).epsilon(0.02));
}

TEST_CASE("a line without length has no pixels") {
    for (const float a : alphas(5, 16, 16, 16, 16))
        CHECK(a == 0);
}

}  // namespace valkyr::raster::test
