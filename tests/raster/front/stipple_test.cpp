// Stipple test: checks stipple, smooth points, surface formats and killed samples by hand.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

/// A 32x32 kit with one colour target.
struct Canvas {
    std::unique_ptr<Device> device;
    SceneKit kit;

    explicit Canvas(Format format = Format::R8G8B8A8_UNORM, const DeviceOptions& options = {})
        : device(must(gpu::create_device(options)))
        , kit(*device) {
        kit.size(32, 32);
        kit.add_color(format);
        kit.clear(0, 0, 0, 0);
        kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
    }
    /// Draws white vertices at window positions.
    void draw(const std::vector<std::array<float, 2>>& places, float red = 1) {
        std::vector<float> data;
        for (const auto& [x, y] : places)
            data.insert(data.end(), {x / 16 - 1, y / 16 - 1, 0, 1, red, 1, 1, 1});
        kit.vertices(data, {4, 4});
        kit.draw(static_cast<uint32_t>(places.size()));
    }
    /// Row y as text: 'x' where red is not 0.
    std::string row(size_t y) {
        const auto bytes = kit.shots()[0].bytes;
        std::string text;
        for (size_t x = 0; x < 32; ++x)
            text += bytes[(y * 32 + x) * 4] != 0 ? 'x' : '.';
        return text;
    }
};

void full_rectangle(Canvas& canvas, float red = 1) {
    canvas.kit.pipeline.primitive = Primitive::TriangleStrip;
    canvas.draw({{0, 0}, {32, 0}, {0, 32}, {32, 32}}, red);
}

}  // namespace

TEST_CASE("a line's pattern begins at its first pixel, with the lowest bit") {
    Canvas canvas;
    auto& raster = canvas.kit.pipeline.rasterizer;
    canvas.kit.pipeline.primitive = Primitive::Lines;
    raster.line_stipple = true;
    raster.line_stipple_pattern = 0b0111;
    raster.line_stipple_factor = 1;
    canvas.draw({{2.5F, 1.5F}, {28.5F, 1.5F}, {28.5F, 3.5F}, {2.5F, 3.5F}});
    CHECK(canvas.row(1) == "..xxx.............xxx...........");
    CHECK(canvas.row(3) == "..........xxx.............xxx...");
    raster.line_stipple_factor = 2;
    canvas.draw({{2.5F, 5.5F}, {28.5F, 5.5F}});
    CHECK(canvas.row(5) == "..xxxxxx........................");
}

TEST_CASE("the counter goes on along a strip and starts again with each independent line") {
    for (const bool strip : {true, false}) {
        Canvas canvas;
        canvas.kit.pipeline.primitive = strip ? Primitive::LineStrip : Primitive::Lines;
        canvas.kit.pipeline.rasterizer.line_stipple = true;
        canvas.kit.pipeline.rasterizer.line_stipple_pattern = 0x3333;
        if (strip)
            canvas.draw({{1.5F, 1.5F}, {6.5F, 1.5F}, {12.5F, 1.5F}});
        else
            canvas.draw({{1.5F, 1.5F}, {6.5F, 1.5F}, {6.5F, 1.5F}, {12.5F, 1.5F}});
        // Five pixels, then six more.
        CHECK(canvas.row(1).substr(0, 14) == (strip ? ".xx..xx..xx..." : ".xx..xxx..xx.."));
    }
}

TEST_CASE("polygon stipple: bit 31 is the first pixel, rows repeat after 32") {
    Canvas canvas;
    canvas.kit.pipeline.rasterizer.polygon_stipple = true;
    canvas.kit.state.polygon_stipple[0] = 0xF0000001;
    canvas.kit.state.polygon_stipple[31] = 0x0FF00000;
    full_rectangle(canvas);
    CHECK(canvas.row(0) == "xxxx...........................x");
    CHECK(canvas.row(1) == std::string(32, '.'));
    CHECK(canvas.row(31) == "....xxxxxxxx....................");
}

TEST_CASE("a stipple factor of 0 or more than 256 is refused") {
    Canvas canvas;
    for (const uint16_t factor : {uint16_t{0}, uint16_t{257}}) {
        PipelineDesc desc;
        desc.vertex = must(canvas.device->create_shader(scenes::kVertexColor, "vs"));
        desc.elements = {{0, 0, 0, Format::R32G32B32A32_FLOAT},
                         {0, 16, 0, Format::R32G32B32A32_FLOAT}};
        desc.strides = {32};
        desc.rasterizer.line_stipple_factor = factor;
        const auto made = canvas.device->create_pipeline(desc);
        REQUIRE(!made);
        CHECK(made.error().code == Errc::InvalidState);
    }
}

TEST_CASE("a smooth point is whole inside, half on its circle, and nothing outside") {
    Canvas canvas(Format::R32G32B32A32_FLOAT);
    canvas.kit.pipeline.primitive = Primitive::Points;
    canvas.kit.pipeline.rasterizer.point_smooth = true;
    canvas.kit.pipeline.rasterizer.point_size = 8;
    canvas.draw({{16.5F, 16.5F}});
    const auto bytes = canvas.kit.shots()[0].bytes;
    const auto alpha = [&](size_t x, size_t y) {
        float value;
        std::memcpy(&value, bytes.data() + (y * 32 + x) * 16 + 12, 4);
        return value;
    };
    // Radius 4, R = 4.5: (1 - d^2 / R^2) R^2 / 8.
    CHECK(alpha(16, 16) == 1);
    CHECK(alpha(19, 16) == 1);
    CHECK(alpha(20, 16) == doctest::Approx((4.5 * 4.5 - 16) / 8).epsilon(1e-5));
    CHECK(alpha(19, 19) == doctest::Approx((4.5 * 4.5 - 18) / 8).epsilon(1e-5));
    CHECK(alpha(20, 19) == 0);
    CHECK(alpha(21, 16) == 0);
    CHECK(alpha(12, 16) == doctest::Approx(static_cast<double>(alpha(20, 16))).epsilon(1e-5));
}

TEST_CASE("a surface's format decides about blending and clears") {
    Canvas canvas;
    auto& surface = canvas.kit.state.framebuffer.color[0];
    surface.format = Format::R8G8B8A8_SRGB;
    full_rectangle(canvas, 0.5F);
    CHECK(canvas.kit.shots()[0].bytes[0] == 188);  // the sRGB code of one half
    surface.format = Format::None;
    full_rectangle(canvas, 0.5F);
    CHECK(canvas.kit.shots()[0].bytes[0] == 128);
    surface.format = Format::R32_UINT;
    canvas.kit.clear_words({0x04030201, 0, 0, 0});
    const auto bytes = canvas.kit.shots()[0].bytes;
    CHECK(bytes[0] == 1);
    CHECK(bytes[3] == 4);
}

TEST_CASE("surface formats of another size or sort are refused") {
    Canvas canvas;
    for (const Format format :
         {Format::R16_UNORM, Format::D32_FLOAT, Format::R32G32_UINT, Format::BC7_RGBA_UNORM}) {
        Framebuffer framebuffer = canvas.kit.state.framebuffer;
        framebuffer.color[0].format = format;
        const auto cleared = canvas.device->clear(framebuffer, {});
        REQUIRE(!cleared);
        CHECK(cleared.error().code == Errc::InvalidState);
    }
    TextureDesc desc;
    desc.format = Format::D32_FLOAT;
    desc.width = desc.height = 32;
    desc.render_target = true;
    Framebuffer framebuffer;
    framebuffer.depth_stencil.texture = must(canvas.device->create_texture(desc));
    framebuffer.depth_stencil.format = Format::D24_UNORM_S8_UINT;
    CHECK(!canvas.device->clear(framebuffer, {}));
}

TEST_CASE("samples killed before shading are counted if somebody asks") {
    for (const bool asked : {false, true})
        for (const Engine engine : {Engine::Valhall, Engine::Jit}) {
            DeviceOptions options;
            options.engine = engine;
            options.count_killed = asked;
            options.hierarchical_z = false;
            Canvas canvas(Format::R8G8B8A8_UNORM, options);
            canvas.kit.add_depth(Format::D32_FLOAT);
            canvas.kit.clear(0, 0, 0, 0, 0.25F);
            canvas.kit.pipeline.depth_stencil.depth_test = true;
            full_rectangle(canvas);  // at depth 0.5
            canvas.kit.pipeline.depth_stencil.depth_func = CompareFunc::Greater;
            full_rectangle(canvas);
            must(canvas.device->finish());
            const Statistics statistics = canvas.device->take_statistics();
            CHECK(statistics.pixels_covered == 2 * 32 * 32);
            CHECK(statistics.samples_killed == (asked ? 32 * 32 : 0));
        }
}

}  // namespace valkyr::raster::test
