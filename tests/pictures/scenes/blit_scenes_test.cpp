// Blit scenes: draw scaled, mirrored, filtered, converting and resolving blits.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;
using raster::BlitInfo;
using raster::TextureRef;

/// Draws some triangles, replaces the attachment by a destination and blits.
void blit_scene(SceneKit& kit,
                Format from,
                Format to,
                uint32_t samples,
                uint32_t to_samples,
                const std::function<void(BlitInfo&)>& change) {
    BlitInfo info;
    kit.size(45, 37, samples);
    info.source.texture = kit.add_color(from);
    kit.clear(0.2F, 0.4F, 0.1F, 0.5F);
    kit.pipeline.rasterizer.multisample = true;
    kit.shaders(kVertexColor, kFragmentColor);
    const Mesh mesh = random_triangles(201, 14);
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
    kit.state.framebuffer.color.clear();
    kit.size(64, 50, to_samples);
    info.destination.texture = kit.add_color(to);
    kit.clear(0.9F, 0.8F, 0.7F, 0.6F);
    info.source.width = 45;
    info.source.height = 37;
    info.destination.width = 64;
    info.destination.height = 50;
    change(info);
    const auto done = kit.device().blit(info);
    REQUIRE(done.has_value());
}

}  // namespace

TEST_CASE("blits scale up and down, mirror and clip, nearest and linear") {
    const auto with = [](const char* name, const std::function<void(BlitInfo&)>& change) {
        for (const exec::Filter filter : {exec::Filter::Nearest, exec::Filter::Linear})
            check_scene(std::string("blit-") + name +
                            (filter == exec::Filter::Linear ? "-linear" : "-nearest"),
                        [&](SceneKit& kit) {
                            blit_scene(kit, Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM, 1, 1,
                                       [&](BlitInfo& info) {
                                           info.filter = filter;
                                           change(info);
                                       });
                        });
    };
    with("up", [](BlitInfo&) {});
    with("down", [](BlitInfo& info) { info.destination.width = info.destination.height = 17; });
    with("mirrored", [](BlitInfo& info) {
        info.source.x = 45;
        info.source.width = -45;
        info.destination.y = 50;
        info.destination.height = -50;
    });
    with("same-size", [](BlitInfo& info) {
        info.destination.x = -7;
        info.destination.y = 20;
        info.destination.width = 45;
        info.destination.height = 37;
    });
    with("scissor", [](BlitInfo& info) { info.scissor = raster::Rect{5, 9, 40, 33}; });
    with("beyond-the-source", [](BlitInfo& info) {
        info.source.x = -9;
        info.source.width = 70;
        info.source.y = 20;
    });
    with("masked", [](BlitInfo& info) { info.color_mask = 0x6; });
}

TEST_CASE("blits convert between formats") {
    constexpr Format kFormats[] = {Format::R8G8B8A8_UNORM,     Format::B8G8R8A8_SRGB,
                                   Format::R16G16B16A16_FLOAT, Format::B5G6R5_UNORM,
                                   Format::R10G10B10A2_UNORM,  Format::R8_UNORM};
    for (const Format from : kFormats)
        for (const Format to : kFormats)
            check_scene(std::string("blit-") + std::string(exec::format_info(from).name) + "-" +
                            std::string(exec::format_info(to).name),
                        [&](SceneKit& kit) {
                            blit_scene(kit, from, to, 1, 1, [&](BlitInfo& info) {
                                info.filter =
                                    from == to ? exec::Filter::Linear : exec::Filter::Nearest;
                            });
                        });
}

TEST_CASE("blits resolve samples, replicate one, and copy equal counts") {
    for (const uint32_t samples : {1U, 4U, 8U})
        for (const uint32_t to_samples : {1U, 4U}) {
            if (samples == 8 && to_samples == 4)
                continue;
            check_scene("blit-samples-" + std::to_string(samples) + "-" +
                            std::to_string(to_samples),
                        [&](SceneKit& kit) {
                            blit_scene(kit, Format::R8G8B8A8_UNORM, Format::R8G8B8A8_UNORM, samples,
                                       to_samples, [](BlitInfo&) {});
                        });
        }
}

}  // namespace valkyr::scenes
