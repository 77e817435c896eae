// Stencil state test: passes that draw only depth keep the stencil, as a clear state or in memory.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

constexpr uint32_t kSize = 80;  // two tiles across

struct Window {
    std::unique_ptr<Device> device = must(gpu::create_device({}));
    scenes::SceneKit kit{*device};
    TextureRef target;

    Window() {
        kit.size(kSize, kSize);
        kit.add_color();
        target = kit.add_depth(Format::D24_UNORM_S8_UINT);
        kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
        kit.vertices({-1, -1, 0, 1, 1, 1, 1, 1, 3, -1, 0, 1, 1, 1, 1, 1, -1, 3, 0, 1, 1, 1, 1, 1},
                     {4, 4});
    }
    void clear_depth() {
        ClearInfo info;
        info.depth = true;
        must(device->clear(kit.state.framebuffer, info));
    }
    void draw_depth() {
        kit.pipeline.depth_stencil = {};
        kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        kit.draw(3);
    }
    void draw_stencil(uint8_t value) {
        StencilFace face;
        face.enable = true;
        face.func = CompareFunc::Always;
        face.fail = face.depth_fail = face.pass = StencilOp::Replace;
        face.read_mask = face.write_mask = 0xFF;
        kit.pipeline.depth_stencil = {};
        kit.pipeline.depth_stencil.stencil = {face, {}};
        kit.state.stencil_reference = {value, value};
        kit.draw(3);
    }
    std::vector<uint32_t> words() {
        std::vector<uint32_t> texels(size_t{kSize} * kSize);
        must(device->read_texture(target, 0, {0, 0, 0, kSize, kSize, 1},
                                  std::as_writable_bytes(std::span(texels)), size_t{kSize} * 4));
        return texels;
    }
    void check(uint32_t stencil, uint32_t depth) {
        const auto texels = words();
        CHECK(std::ranges::all_of(texels, [&](uint32_t t) { return t >> 24 == stencil; }));
        CHECK(std::ranges::all_of(
            texels, [&](uint32_t t) { return ((t & 0xFFFFFF) + 1) / 2 == (depth + 1) / 2; }));
    }
};

constexpr uint32_t kHalf = 0x800000;

}  // namespace

TEST_CASE("the stencil of a new target is 0 in every pass that draws depth alone") {
    Window window;
    for (int frame = 0; frame < 3; ++frame) {
        window.clear_depth();
        window.draw_depth();
        must(window.device->finish());
    }
    window.check(0, kHalf);
}

TEST_CASE("a stencil that was written before the target is drawn to stays") {
    Window window;
    const std::vector<uint32_t> texels(size_t{kSize} * kSize, 7U << 24 | 0xFFFFFF);
    must(window.device->write_texture(window.target, 0, {0, 0, 0, kSize, kSize, 1},
                                      std::as_bytes(std::span(texels)), size_t{kSize} * 4));
    window.draw_depth();
    must(window.device->finish());
    window.clear_depth();
    window.draw_depth();
    window.check(7, kHalf);
}

TEST_CASE("a stencil that is drawn stays in passes that draw depth alone, and can be drawn again") {
    Window window;
    window.clear_depth();
    window.draw_depth();
    must(window.device->finish());
    window.draw_stencil(5);
    must(window.device->finish());
    window.clear_depth();
    window.draw_depth();
    window.check(5, kHalf);
    window.draw_stencil(9);
    window.check(9, kHalf);
}

TEST_CASE("a cleared stencil stays in passes that draw depth alone") {
    Window window;
    window.kit.clear(0, 0, 0, 1, 1, 3);
    window.draw_depth();
    must(window.device->finish());
    window.clear_depth();
    window.draw_depth();
    window.check(3, kHalf);
}

}  // namespace valkyr::raster::test
