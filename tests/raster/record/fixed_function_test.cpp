// Fixed function test: compares numbers of a draw with what the C library's functions give.
// SPDX-License-Identifier: MIT
#include "exec/float_environment.hpp"
#include "raster/record/fixed_function.hpp"

#include <algorithm>
#include <cmath>
#include <doctest/doctest.h>
#include <limits>

namespace valkyr::raster::test {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

PassTargets targets_of(uint32_t width, uint32_t height) {
    PassTargets targets;
    targets.width = width;
    targets.height = height;
    return targets;
}

uint8_t constant_code(float value) {
    DrawState state;
    state.blend_color = {value, 0, 0, 0};
    exec::DrawContext context;
    set_specials(context, PipelineDesc(), state, targets_of(1, 1));
    return context.blend_constant_unorm8[0];
}

/// Returns the first column of a viewport that begins at `edge` and ends right of the attachments.
int32_t first_column(float edge) {
    DrawState state;
    state.viewport = Viewport::over(edge, 0, 2048, 2048);
    ShapeState shape;
    set_viewport(shape, PipelineDesc(), state, targets_of(512, 512), exec::ProgramInfo(), 0);
    return shape.rect.x0;
}

}  // namespace

TEST_CASE("blend constants are rounded to the nearest code, and ties to even codes") {
    const exec::FloatEnvironment environment;
    for (int i = -64; i <= 64 + 2 * 255 * 16; ++i) {
        const float value = static_cast<float>(i) / (2 * 255 * 16);
        const float clamped = std::fmin(std::fmax(value, 0.0F), 1.0F);
        CHECK(constant_code(value) == static_cast<uint8_t>(std::rint(clamped * 255.0F)));
    }
    CHECK(constant_code(0.5F) == 128);  // 127.5
    CHECK(constant_code(kInfinity) == 255);
    CHECK(constant_code(-kInfinity) == 0);
    CHECK(constant_code(kNan) == 0);
}

TEST_CASE("a viewport begins with the first pixel whose centre is not left of it") {
    for (int i = -8; i <= 4096; ++i) {
        const float edge = static_cast<float>(i) / 8;
        CAPTURE(edge);
        CHECK(first_column(edge) == std::max(0, static_cast<int32_t>(std::ceil(edge - 0.5F))));
    }
    CHECK(first_column(-1e30F) == 0);
    CHECK(first_column(-kInfinity) == 0);
    CHECK(first_column(kNan) == 0);
}

}  // namespace valkyr::raster::test
