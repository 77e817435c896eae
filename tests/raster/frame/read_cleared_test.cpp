// Read cleared test: reads, writes and copies boxes of targets that are partly cleared.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <random>
#include <span>

namespace valkyr::raster::test {
namespace {

constexpr uint32_t kWidth = 200;
constexpr uint32_t kHeight = 150;

/// A target with a small triangle; its other tiles keep the state that clears left.
struct Cleared {
    std::unique_ptr<Device> device;
    TextureRef texture;

    Cleared(Format format, bool is_depth, bool fast_clear) {
        DeviceOptions options;
        options.fast_clear = fast_clear;
        options.threads = 2;
        device = must(gpu::create_device(options));
        scenes::SceneKit kit(*device);
        kit.size(kWidth, kHeight);
        texture = is_depth ? kit.add_depth(format) : kit.add_color(format);
        kit.clear(0.25F, 0.5F, 0.75F, 1, 0.5F, 0x12);
        kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
        kit.vertices({-0.2F, -0.9F, 0, 1, 1,     0,     1, 1, 0.1F, -0.9F, 0, 1,
                      0,     1,     0, 1, -0.2F, -0.7F, 0, 1, 1,    1,     0, 0},
                     {4, 4});
        if (is_depth)
            kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        kit.draw(3);
        must(device->finish());
        if (!is_depth)
            return;
        // Clears only depth: untouched tiles keep both parts as clear states, drawn tiles keep one.
        ClearInfo info;
        info.depth = true;
        info.depth_value = 0.75F;
        must(device->clear(kit.state.framebuffer, info));
    }
    std::vector<std::byte> read(const Box& box, size_t stride, size_t bytes) {
        std::vector<std::byte> data(bytes, std::byte{0xA5});
        must(device->read_texture(texture, 0, box, data, stride));
        return data;
    }
    /// Writes a small box and copies it to another place; both lie at `box`'s corner.
    void change(const Box& box, size_t texel) {
        Box small = box;
        small.width = std::min(box.width, 7U);
        small.height = std::min(box.height, 5U);
        const std::vector<std::byte> data(size_t{35} * texel, std::byte{0x3C});
        must(device->write_texture(texture, 0, small, data, 7 * texel));
        must(device->copy_texture(texture, 0, kWidth - small.x - small.width, small.y, 0, texture,
                                  0, small));
    }
};

void check_boxes(Format format, bool is_depth) {
    Cleared fast(format, is_depth, true);
    Cleared plain(format, is_depth, false);
    std::mt19937 random(7);
    const size_t texel = exec::format_info(format).block_bytes;
    for (int i = 0; i < 40; ++i) {
        Box box;
        box.x = static_cast<uint32_t>(random() % kWidth);
        box.y = static_cast<uint32_t>(random() % kHeight);
        box.width =
            i == 0 ? kWidth - box.x : 1 + static_cast<uint32_t>(random() % (kWidth - box.x));
        box.height = 1 + static_cast<uint32_t>(random() % (kHeight - box.y));
        const size_t stride = box.width * texel + random() % 9;
        const size_t bytes = stride * box.height;
        // Bytes between rows stay unchanged.
        CHECK(fast.read(box, stride, bytes) == plain.read(box, stride, bytes));
        if (i % 4 == 3) {
            fast.change(box, texel);
            plain.change(box, texel);
        }
    }
}

std::span<const uint8_t> memory_of(const TextureRef& texture) {
    auto& own = static_cast<TextureImpl&>(*texture);
    return {own.slice(0, 0), own.level(0).slice_bytes};
}

}  // namespace

TEST_CASE("eliminated fast clears have written all texels") {
    for (const bool is_depth : {false, true}) {
        CAPTURE(is_depth);
        const Format format = is_depth ? Format::D24_UNORM_S8_UINT : Format::R8G8B8A8_UNORM;
        Cleared fast(format, is_depth, true);
        Cleared plain(format, is_depth, false);
        const auto equal = [&] {
            return std::ranges::equal(memory_of(fast.texture), memory_of(plain.texture));
        };
        CHECK_FALSE(equal());
        must(fast.device->eliminate_fast_clears(fast.texture));
        CHECK(equal());
        const auto foreign = fast.device->eliminate_fast_clears(plain.texture);
        REQUIRE_FALSE(foreign.has_value());
        CHECK(foreign.error().code == Errc::InvalidState);
    }
}

TEST_CASE("boxes of cleared colour targets have the clear's texels") {
    for (const Format format : {Format::R8_UNORM, Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM,
                                Format::R16G16B16A16_FLOAT, Format::R32G32B32A32_FLOAT}) {
        CAPTURE(exec::format_info(format).name);
        check_boxes(format, false);
    }
}

TEST_CASE("boxes of cleared depth targets have depth and stencil of their clears") {
    for (const Format format :
         {Format::D24_UNORM_S8_UINT, Format::D32_FLOAT, Format::D32_FLOAT_S8X24_UINT}) {
        CAPTURE(exec::format_info(format).name);
        check_boxes(format, true);
    }
}

}  // namespace valkyr::raster::test
