// Late attributes test: attributes of a draw lie in several late writes, with the check of records.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

/// Draws a triangle three times, and changes its first position before each but the first time.
/// finishes  whether each draw is rendered before the next write
std::vector<uint8_t> picture(bool finishes) {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    kit.size(64, 64);
    kit.add_color();
    kit.clear(0, 0, 0, 1);
    kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
    kit.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1},
                 {4, 4});
    kit.draw(3);  // makes the pipeline of the next draws, too
    for (const float x : {-0.5F, 0.0F}) {
        if (finishes)
            must(device->finish());
        const float position[] = {x, -0.5F, 0, 1};
        must(device->write_buffer(kit.state.vertex_buffers[0].buffer, 0,
                                  std::as_bytes(std::span(position))));
        must(device->draw(kit.state, {.first = 0, .count = 3}));
    }
    return kit.shots()[0].bytes;
}

}  // namespace

TEST_CASE("draws read attributes from several late writes as if each write had landed") {
    CHECK(picture(false) == picture(true));
}

}  // namespace valkyr::raster::test
