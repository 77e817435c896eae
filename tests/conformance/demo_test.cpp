// Every demo scene: all engines draw the same bytes, and what the reference renderer draws.
// SPDX-License-Identifier: MIT
#include "image_diff.hpp"
#include "reference/reference_device.hpp"
#include "scene.hpp"

#include <doctest/doctest.h>
#include <string>

namespace valkyr::conform {
namespace {

using examples::Image;
using raster::Engine;
using raster::Host;

constexpr uint32_t kWidth = 64;
constexpr uint32_t kHeight = 48;

/// The scene at one moment.
Image draw(const examples::SceneInfo& info, raster::Device& device) {
    raster::TextureDesc desc;
    desc.width = kWidth;
    desc.height = kHeight;
    desc.render_target = true;
    desc.format = raster::Format::R8G8B8A8_UNORM;
    raster::Framebuffer framebuffer;
    framebuffer.color = {{*device.create_texture(desc)}};
    desc.format = raster::Format::D32_FLOAT;
    framebuffer.depth_stencil = {*device.create_texture(desc)};
    const auto scene = info.create(device);
    REQUIRE_MESSAGE(scene.has_value(), scene.error().text);
    const auto drawn = (*scene)->draw(framebuffer, kWidth, kHeight, 0.5);
    REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
    Image image{kWidth, kHeight, std::vector<uint8_t>(size_t{kWidth} * kHeight * 4)};
    raster::Box box;
    box.width = kWidth;
    box.height = kHeight;
    REQUIRE(device
                .read_texture(framebuffer.color[0].texture, 0, box,
                              std::as_writable_bytes(std::span(image.rgba)), size_t{kWidth} * 4)
                .has_value());
    return image;
}

std::unique_ptr<raster::Device> open(Engine engine, Host host, unsigned threads) {
    raster::DeviceOptions options;
    options.engine = engine;
    options.host = host;
    options.threads = threads;
    auto device = raster::Device::create(options);
    return device ? std::move(*device) : nullptr;
}

TEST_CASE("demo scenes: engines agree to the byte, the reference within the bounded operations") {
    for (const examples::SceneInfo& info : examples::scenes()) {
        const std::string name(info.name);
        CAPTURE(name);
        const Image expected = draw(info, *open(Engine::Valhall, Host::Auto, 1));
        for (const Host host : {Host::Avx2, Host::Avx512, Host::Neon, Host::Auto}) {
            const auto device = open(Engine::Jit, host, host == Host::Auto ? 2 : 1);
            if (device != nullptr)
                CHECK(draw(info, *device) == expected);
        }
        const auto reference = reference::create_reference_device();
        // One step for RSQ, POW and SQRT; a pixel of depth that they move may show what is behind.
        const auto difference = tools::compare_images(draw(info, *reference), expected, 1);
        REQUIRE(difference.has_value());
        CHECK_MESSAGE(difference->differing <= 2, tools::describe(*difference, expected));
    }
}

}  // namespace
}  // namespace valkyr::conform
