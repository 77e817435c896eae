// Demo scenes test: all engines draw equal bytes, which agree with the reference renderer.
// SPDX-License-Identifier: MIT
#include "app/image/image_diff.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"
#include "gpu/create_device.hpp"
#include "tests/oracle/reference_device.hpp"

#include <doctest/doctest.h>
#include <string>

namespace valkyr::demos {
namespace {

using examples::Image;
using raster::Engine;
using raster::Host;

constexpr uint32_t kWidth = 64;
constexpr uint32_t kHeight = 48;

/// Draws one frame of the scene on its recommended targets.
Image draw(const examples::SceneInfo& info, raster::Device& device) {
    const auto target =
        examples::PictureTarget::create(device, kWidth, kHeight, info.samples, info.depth);
    REQUIRE_MESSAGE(target.has_value(), target.error().text);
    const auto scene = info.create(device);
    REQUIRE_MESSAGE(scene.has_value(), scene.error().text);
    const auto drawn = (*scene)->draw(target->framebuffer(), kWidth, kHeight, 0.5);
    REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
    Image image;
    REQUIRE(target->read(device, image).has_value());
    return image;
}

std::unique_ptr<raster::Device> open(Engine engine, Host host, unsigned threads) {
    raster::DeviceOptions options;
    options.engine = engine;
    options.host = host;
    options.threads = threads;
    auto device = gpu::create_device(options);
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
        // RSQ, POW and SQRT may differ by one step. A changed depth may then reveal the surface
        // behind.
        const auto difference = app::compare_images(draw(info, *reference), expected, 1);
        REQUIRE(difference.has_value());
        CHECK_MESSAGE(difference->differing <= 2, app::describe(*difference, expected));
    }
}

}  // namespace
}  // namespace valkyr::demos
