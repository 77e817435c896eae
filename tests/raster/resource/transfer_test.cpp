// Transfer test: checks copies, fills, blits, clears and indirect draws by hand.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/raster/resource/whole_blit.hpp"
#include "tests/support/scene_kit.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

template <typename T>
TextureRef image(Device& device,
                 Format format,
                 uint32_t width,
                 uint32_t height,
                 const std::vector<T>& texels,
                 uint32_t samples = 1) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMs : TextureKind::Tex2D;
    desc.format = format;
    desc.width = width;
    desc.height = height;
    desc.samples = samples;
    desc.render_target = true;
    const TextureRef texture = must(device.create_texture(desc));
    if (!texels.empty())
        must(device.write_texture(texture, 0, {0, 0, 0, width, height, 1},
                                  std::as_bytes(std::span(texels)), width * sizeof(T)));
    return texture;
}

template <typename T>
std::vector<T> texels(Device& device, const TextureRef& texture) {
    const TextureDesc& desc = texture->desc();
    std::vector<T> data(size_t{desc.width} * desc.height);
    must(device.read_texture(texture, 0, {0, 0, 0, desc.width, desc.height, 1},
                             std::as_writable_bytes(std::span(data)), desc.width * sizeof(T)));
    return data;
}

using Bytes = std::vector<uint8_t>;

}  // namespace

TEST_CASE("buffers: copies may overlap, patterns repeat, ranges are checked") {
    const auto device = must(gpu::create_device({}));
    Bytes data{1, 2, 3, 4, 5, 6, 7, 8};
    const BufferRef buffer = must(device->create_buffer(8, std::as_bytes(std::span(data))));
    const auto read = [&] {
        Bytes bytes(8);
        must(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(bytes))));
        return bytes;
    };
    must(device->copy_buffer(buffer, 2, buffer, 0, 5));
    CHECK(read() == Bytes{1, 2, 1, 2, 3, 4, 5, 8});
    const Bytes pattern{9, 8, 7};
    must(device->fill_buffer(buffer, 1, 5, std::as_bytes(std::span(pattern))));
    CHECK(read() == Bytes{1, 9, 8, 7, 9, 8, 5, 8});
    CHECK(!device->copy_buffer(buffer, 4, buffer, 0, 5).has_value());
    CHECK(!device->copy_buffer(buffer, 0, buffer, UINT64_MAX, 2).has_value());
    CHECK(!device->fill_buffer(buffer, 0, 4, {}).has_value());
    CHECK(!device->read_buffer(buffer, 8, std::as_writable_bytes(std::span(data))).has_value());
    CHECK(!device->read_buffer(nullptr, 0, {}).has_value());
}

TEST_CASE("texture copies move bits, inside one level too") {
    const auto device = must(gpu::create_device({}));
    std::vector<uint32_t> data(9 * 7);
    for (size_t i = 0; i < data.size(); ++i)
        data[i] = 0xFF800001U * static_cast<uint32_t>(i + 1);  // NaNs among them
    const TextureRef a = image(*device, Format::R32_FLOAT, 9, 7, data);
    const TextureRef b = image(*device, Format::R8G8B8A8_UNORM, 9, 7, std::vector<uint32_t>(63, 5));
    must(device->copy_texture(b, 0, 3, 1, 0, a, 0, {1, 2, 0, 5, 4, 1}));
    const auto copied = texels<uint32_t>(*device, b);
    size_t wrong = 0;
    for (uint32_t y = 0; y < 7; ++y)
        for (uint32_t x = 0; x < 9; ++x) {
            const bool inside = x >= 3 && x < 8 && y >= 1 && y < 5;
            wrong += copied[y * 9 + x] != (inside ? data[(y + 1) * 9 + x - 2] : 5) ? 1 : 0;
        }
    CHECK(wrong == 0);
    must(device->copy_texture(a, 0, 1, 1, 0, a, 0, {0, 0, 0, 8, 6, 1}));
    const auto moved = texels<uint32_t>(*device, a);
    CHECK(moved[6 * 9 + 8] == data[5 * 9 + 7]);
    CHECK(moved[1 * 9 + 1] == data[0]);
    CHECK(!device->copy_texture(a, 0, 2, 0, 0, b, 0, {0, 0, 0, 8, 1, 1}).has_value());
    CHECK(!device->copy_texture(a, 1, 0, 0, 0, b, 0, {0, 0, 0, 1, 1, 1}).has_value());
    const TextureRef half = image(*device, Format::R16_UINT, 9, 7, std::vector<uint16_t>());
    CHECK(!device->copy_texture(half, 0, 0, 0, 0, b, 0, {0, 0, 0, 1, 1, 1}).has_value());
}

TEST_CASE("blits scale by whole factors to the texel, mirror and clip") {
    const auto device = must(gpu::create_device({}));
    const TextureRef small = image(*device, Format::R8_UNORM, 2, 2, Bytes{10, 20, 30, 40});
    const TextureRef large = image(*device, Format::R8_UNORM, 4, 4, Bytes(16, 1));
    BlitInfo info = whole(small, large);
    must(device->blit(info));
    CHECK(texels<uint8_t>(*device, large) ==
          Bytes{10, 10, 20, 20, 10, 10, 20, 20, 30, 30, 40, 40, 30, 30, 40, 40});
    // The source box mirrors x, the destination box mirrors y; the scissor keeps two columns.
    info.source.x = 2;
    info.source.width = -2;
    info.destination.y = 4;
    info.destination.height = -4;
    info.scissor = Rect{1, 0, 3, 4};
    must(device->clear_texture(large, 0, {0, 0, 0, 4, 4, 1}, {}));
    must(device->blit(info));
    CHECK(texels<uint8_t>(*device, large) ==
          Bytes{0, 40, 30, 0, 0, 40, 30, 0, 0, 20, 10, 0, 0, 20, 10, 0});
    // The box lies partly outside of the destination.
    info = whole(small, large);
    info.destination.x = -2;
    info.destination.y = 2;
    must(device->clear_texture(large, 0, {0, 0, 0, 4, 4, 1}, {}));
    must(device->blit(info));
    CHECK(texels<uint8_t>(*device, large) ==
          Bytes{0, 0, 0, 0, 0, 0, 0, 0, 20, 20, 0, 0, 20, 20, 0, 0});
}

TEST_CASE("linear blits weigh texels by 256ths and clamp at the edge") {
    const auto device = must(gpu::create_device({}));
    const std::vector<float> two{0, 256};
    const TextureRef small = image(*device, Format::R32_FLOAT, 2, 1, two);
    const TextureRef large = image(*device, Format::R32_FLOAT, 8, 1, std::vector<float>(8));
    BlitInfo info = whole(small, large);
    info.filter = Filter::Linear;
    must(device->blit(info));
    // Centres lie at (2i + 1) / 8 - 1/2 texels.
    CHECK(texels<float>(*device, large) == std::vector<float>{0, 0, 32, 96, 160, 224, 256, 256});
}

TEST_CASE("blits convert between formats, keep masked components and refuse misfits") {
    const auto device = must(gpu::create_device({}));
    const TextureRef rgba = image(*device, Format::R8G8B8A8_UNORM, 1, 1, Bytes{255, 128, 0, 64});
    const TextureRef bgra = image(*device, Format::B8G8R8A8_UNORM, 1, 1, Bytes{1, 2, 3, 4});
    const TextureRef uints = image(*device, Format::R8G8B8A8_UINT, 1, 1, Bytes{1, 2, 3, 4});
    const TextureRef depth = image(*device, Format::D32_FLOAT, 1, 1, std::vector<float>{0.5F});
    BlitInfo info = whole(rgba, bgra);
    info.color_mask = 0x9;  // red and alpha
    must(device->blit(info));
    Bytes bytes(4);
    must(device->read_texture(bgra, 0, {0, 0, 0, 1, 1, 1}, std::as_writable_bytes(std::span(bytes)),
                              4));
    CHECK(bytes == Bytes{1, 2, 255, 64});
    CHECK(!device->blit(whole(rgba, uints)).has_value());
    CHECK(!device->blit(whole(rgba, depth)).has_value());
    info = whole(uints, uints);
    info.filter = Filter::Linear;
    CHECK(!device->blit(info).has_value());
    info = whole(rgba, bgra);
    info.source.z = 1;
    CHECK(!device->blit(info).has_value());
    info.source.z = 0;
    info.source.level = 1;
    CHECK(!device->blit(info).has_value());
    info.source.level = 0;
    info.source.width = INT32_MIN;
    CHECK(!device->blit(info).has_value());
    CHECK(!device->blit({}).has_value());
}

TEST_CASE("depth and stencil are blitted apart, samples are resolved and replicated") {
    const auto device = must(gpu::create_device({}));
    const TextureRef from =
        image(*device, Format::D24_UNORM_S8_UINT, 1, 1, std::vector<uint32_t>{0x12345678});
    const TextureRef to =
        image(*device, Format::D24_UNORM_S8_UINT, 1, 1, std::vector<uint32_t>{0xAABBCCDD});
    BlitInfo info = whole(from, to);
    info.depth = false;
    must(device->blit(info));
    CHECK(texels<uint32_t>(*device, to) == std::vector<uint32_t>{0x12BBCCDD});
    info.depth = true;
    info.stencil = false;
    must(device->clear_texture(from, 0, {0, 0, 0, 1, 1, 1}, {0x3F800000, 0x11, 0, 0}));
    must(device->blit(info));
    CHECK(texels<uint32_t>(*device, to) == std::vector<uint32_t>{0x12FFFFFF});

    const TextureRef plain = image(*device, Format::R8_UNORM, 2, 1, Bytes{7, 9});
    const TextureRef four = image(*device, Format::R8_UNORM, 2, 1, Bytes(), 4);
    const TextureRef back = image(*device, Format::R8_UNORM, 2, 1, Bytes{0, 0});
    must(device->blit(whole(plain, four)));
    must(device->blit(whole(four, back)));
    CHECK(texels<uint8_t>(*device, back) == Bytes{7, 9});
    const TextureRef eight = image(*device, Format::R8_UNORM, 2, 1, Bytes(), 8);
    CHECK(!device->blit(whole(four, eight)).has_value());
}

TEST_CASE("a clear with a rectangle leaves the other pixels alone, after a fast clear too") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    kit.size(70, 66);
    const TextureRef color = kit.add_color(Format::R8_UNORM);
    const TextureRef depth = kit.add_depth(Format::D32_FLOAT);
    kit.clear(1, 0, 0, 0, 0.5F);
    ClearInfo info;
    info.color_targets = 1;
    info.color[0] = {0, 0, 0, 0};
    info.depth = true;
    info.depth_value = 0.25F;
    info.rect = Rect{60, -5, 1000, 10};
    must(device->clear(kit.state.framebuffer, info));
    const auto bytes = texels<uint8_t>(*device, color);
    const auto depths = texels<float>(*device, depth);
    size_t wrong = 0;
    for (uint32_t y = 0; y < 66; ++y)
        for (uint32_t x = 0; x < 70; ++x) {
            const bool inside = x >= 60 && y < 10;
            wrong += bytes[y * 70 + x] != (inside ? 0 : 255) ? 1 : 0;
            wrong += depths[y * 70 + x] != (inside ? 0.25F : 0.5F) ? 1 : 0;
        }
    CHECK(wrong == 0);
    info.rect = Rect{10, 10, 5, 20};
    must(device->clear(kit.state.framebuffer, info));
    CHECK(texels<uint8_t>(*device, color) == bytes);
}

TEST_CASE("indirect draws take their numbers from a buffer") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    kit.size(32, 32);
    kit.add_color();
    kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
    const scenes::Mesh mesh = scenes::random_triangles(9, 30);
    kit.vertices(mesh.data(), {4, 4});
    const auto picture = [&](auto draw) {
        kit.clear(0, 0, 0, 1);
        draw();
        return kit.shots()[0].bytes;
    };
    const auto expected = picture([&] {
        kit.draw({.first = 3, .count = 12});
        kit.draw({.first = 30, .count = 9});
    });
    const std::vector<uint32_t> words{0, 12, 1, 3, 0, 77, 9, 1, 30, 0, 77, 90, 1, 0, 0};
    IndirectInfo info;
    info.buffer = kit.buffer(words);
    info.offset = 4;
    info.draw_count = 3;
    info.stride = 20;
    info.count_buffer = kit.buffer(std::vector<uint32_t>{9, 2});
    info.count_offset = 4;
    CHECK(picture([&] { must(device->draw_indirect(kit.state, info)); }) == expected);
    info.offset = 40;  // the third draw's parameters would lie outside
    info.draw_count = 2;
    CHECK(!device->draw_indirect(kit.state, info).has_value());
    info.offset = 2;
    CHECK(!device->draw_indirect(kit.state, info).has_value());
    info.buffer = nullptr;
    CHECK(!device->draw_indirect(kit.state, info).has_value());

    // Indexed: count, instances, first index, base vertex, first instance.
    kit.indices(std::vector<uint16_t>{9, 9, 9, 0, 1, 2, 3, 4, 5});
    const auto indexed = picture([&] {
        DrawInfo draw;
        draw.first = 3;
        draw.count = 6;
        draw.base_vertex = 6;
        kit.draw(draw);
    });
    IndirectInfo one;
    one.buffer = kit.buffer(std::vector<uint32_t>{6, 1, 3, 6, 0});
    CHECK(picture([&] { must(device->draw_indirect(kit.state, one)); }) == indexed);
}

TEST_CASE("indirect draws are drawn up to the first one outside the buffer, at any stride") {
    constexpr uint32_t kDraws = 150;  // more than are read at a time
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    kit.size(32, 32);
    kit.add_color();
    kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
    const scenes::Mesh mesh = scenes::random_triangles(kDraws, 30);
    kit.vertices(mesh.data(), {4, 4});
    // Every third draw is left out, so that some draws follow the one before and others do not.
    const auto count_of = [](uint32_t i) { return i % 3 == 2 ? 0U : 3U; };
    const auto picture = [&](auto draw) {
        kit.clear(0, 0, 0, 1);
        draw();
        return kit.shots()[0].bytes;
    };
    const auto expected = picture([&] {
        for (uint32_t i = 0; i < kDraws; ++i)
            kit.draw({.first = 3 * i, .count = count_of(i)});
    });
    for (const uint32_t stride : {4U, 5U, 37U, 600U}) {
        CAPTURE(stride);
        std::vector<uint32_t> words(size_t{stride} * (kDraws - 1) + 4, 0xFFFF);
        for (uint32_t i = 0; i < kDraws; ++i) {
            const std::array<uint32_t, 4> draw{count_of(i), 1, 3 * i, 0};
            std::copy(draw.begin(), draw.end(), words.begin() + ptrdiff_t{stride} * i);
        }
        IndirectInfo info;
        info.buffer = kit.buffer(words);
        info.stride = 4 * stride;
        info.draw_count = kDraws;
        CHECK(picture([&] { must(device->draw_indirect(kit.state, info)); }) == expected);
        info.draw_count = kDraws + 7;
        CHECK(picture([&] {
                  const auto drawn = device->draw_indirect(kit.state, info);
                  CHECK(!drawn);
              }) == expected);
    }
}

TEST_CASE("compressed textures give back and copy the blocks that were written") {
    const auto device = must(gpu::create_device({}));
    TextureDesc desc;
    desc.kind = TextureKind::Tex2DArray;
    desc.format = Format::BC1_RGBA_UNORM;
    desc.width = 10;  // 3 blocks of 8 bytes a row
    desc.height = 7;  // 2 rows
    desc.layers = 2;
    const TextureRef first = must(device->create_texture(desc));
    const TextureRef second = must(device->create_texture(desc));
    std::vector<uint8_t> blocks(size_t{2} * 2 * 24);
    for (size_t i = 0; i < blocks.size(); ++i)
        blocks[i] = static_cast<uint8_t>(37 * i + 5);
    must(device->write_texture(first, 0, {0, 0, 0, 10, 7, 2}, std::as_bytes(std::span(blocks)), 24,
                               48));
    const auto read = [&](const TextureRef& texture, const Box& box, size_t stride) {
        std::vector<uint8_t> bytes(stride * ((box.height + 3) / 4) * box.depth);
        must(device->read_texture(texture, 0, box, std::as_writable_bytes(std::span(bytes)), stride,
                                  bytes.size() / box.depth));
        return bytes;
    };
    CHECK(read(first, {0, 0, 0, 10, 7, 2}, 24) == blocks);
    CHECK(read(first, {4, 4, 1, 4, 3, 1}, 8) ==
          std::vector<uint8_t>(blocks.begin() + 80, blocks.begin() + 88));
    // A box must not begin inside of a block.
    std::array<std::byte, 64> room{};
    CHECK(device->read_texture(first, 0, {2, 0, 0, 4, 4, 1}, room, 8).error().code ==
          Errc::OutOfRange);
    must(device->copy_texture(second, 0, 0, 0, 1, first, 0, {4, 0, 0, 4, 4, 1}));
    CHECK(read(second, {0, 0, 1, 4, 4, 1}, 8) ==
          std::vector<uint8_t>(blocks.begin() + 8, blocks.begin() + 16));
    CHECK(device->copy_texture(second, 0, 1, 0, 0, first, 0, {0, 0, 0, 4, 4, 1}).error().code ==
          Errc::OutOfRange);
}

TEST_CASE("blocks are copied to texels of as many bytes, and back") {
    const auto device = must(gpu::create_device({}));
    TextureDesc desc;
    desc.format = Format::BC1_RGBA_UNORM;
    desc.width = 10;  // 3 blocks of 8 bytes a row, of which the last has two columns
    desc.height = 7;  // 2 rows
    const TextureRef first = must(device->create_texture(desc));
    const TextureRef second = must(device->create_texture(desc));
    desc.format = Format::R32G32_UINT;
    const TextureRef plain = must(device->create_texture(desc));
    std::array<uint32_t, 12> blocks;
    for (uint32_t i = 0; i < blocks.size(); ++i)
        blocks[i] = 0x9E3779B9 * (i + 1);
    must(
        device->write_texture(first, 0, {0, 0, 0, 10, 7, 1}, std::as_bytes(std::span(blocks)), 24));
    must(device->copy_texture(plain, 0, 5, 2, 0, first, 0, {0, 0, 0, 10, 7, 1}));
    std::array<uint32_t, 12> words{};
    const auto read = [&](const TextureRef& texture, const Box& box) {
        must(device->read_texture(texture, 0, box, std::as_writable_bytes(std::span(words)), 24));
        return words;
    };
    CHECK(read(plain, {5, 2, 0, 3, 2, 1}) == blocks);
    must(device->copy_texture(second, 0, 0, 0, 0, plain, 0, {5, 2, 0, 3, 2, 1}));
    CHECK(read(second, {0, 0, 0, 10, 7, 1}) == blocks);
    const auto refusal = [&](uint32_t x, const Box& box) {
        return device->copy_texture(second, 0, x, 0, 0, plain, 0, box).error().code;
    };
    CHECK(refusal(2, {0, 0, 0, 1, 1, 1}) == Errc::OutOfRange);   // inside of a block
    CHECK(refusal(12, {0, 0, 0, 1, 1, 1}) == Errc::OutOfRange);  // behind the level
    desc.format = Format::R32_UINT;
    const TextureRef narrow = must(device->create_texture(desc));
    CHECK(device->copy_texture(narrow, 0, 0, 0, 0, first, 0, {0, 0, 0, 4, 4, 1}).error().code ==
          Errc::InvalidState);
}

TEST_CASE("boxes that all threads transfer have the texels of small ones, wherever they begin") {
    constexpr uint32_t kWidth = 611;
    constexpr uint32_t kHeight = 533;
    DeviceOptions options;
    options.threads = 3;
    const auto device = must(gpu::create_device(options));
    std::vector<uint32_t> given(size_t{kWidth} * kHeight);
    for (size_t i = 0; i < given.size(); ++i)
        given[i] = static_cast<uint32_t>(i * 2654435761U);
    const TextureRef texture =
        image<uint32_t>(*device, Format::R8G8B8A8_UNORM, kWidth, kHeight, given);
    CHECK(texels<uint32_t>(*device, texture) == given);
    // A box that begins and ends inside of tiles, read row by row.
    const Box part{3, 5, 0, 601, 521, 1};
    const size_t stride = part.width * sizeof(uint32_t);
    std::vector<uint32_t> other(size_t{part.width} * part.height, 0x01020304);
    must(device->write_texture(texture, 0, part, std::as_bytes(std::span(other)), stride));
    size_t wrong = 0;
    for (uint32_t y = 0; y < kHeight; ++y) {
        std::vector<uint32_t> row(kWidth);
        must(device->read_texture(texture, 0, {0, y, 0, kWidth, 1, 1},
                                  std::as_writable_bytes(std::span(row)), kWidth * 4));
        for (uint32_t x = 0; x < kWidth; ++x) {
            const bool inside =
                x >= part.x && x < part.x + part.width && y >= part.y && y < part.y + part.height;
            wrong += row[x] != (inside ? 0x01020304 : given[size_t{y} * kWidth + x]) ? 1 : 0;
        }
    }
    CHECK(wrong == 0);
    must(device->read_texture(texture, 0, part, std::as_writable_bytes(std::span(other)), stride));
    CHECK(other == std::vector<uint32_t>(other.size(), 0x01020304));
}

TEST_CASE("clear values that all threads write have the texels of those that one thread writes") {
    constexpr uint32_t kWidth = 611;
    constexpr uint32_t kHeight = 533;
    const Box part{70, 67, 0, 433, 401, 1};
    for (const unsigned threads : {1U, 3U})
        for (const uint32_t samples : {1U, 4U}) {
            DeviceOptions options;
            options.threads = threads;
            const auto device = must(gpu::create_device(options));
            SceneKit kit(*device);
            kit.size(kWidth, kHeight, samples);
            const TextureRef color = kit.add_color(Format::R8G8B8A8_UNORM);
            kit.clear(1, 0, 1, 0);
            CAPTURE(threads);
            CAPTURE(samples);
            if (samples > 1) {  // a read settles the box
                std::vector<uint32_t> read(size_t{part.width} * part.height);
                must(device->read_texture(color, 0, part, std::as_writable_bytes(std::span(read)),
                                          size_t{4} * part.width));
                CHECK(read == std::vector<uint32_t>(read.size(), 0x00FF00FF));
            } else {  // a fill and a copy do
                must(device->clear_texture(color, 0, part, {0x3F800000, 0x3F800000, 0, 0}));
                must(device->copy_texture(color, 0, 1, 2, 0, color, 0, {530, 400, 0, 70, 90, 1}));
            }
            const std::vector<uint32_t> all = texels<uint32_t>(*device, color);
            size_t wrong = 0;
            for (uint32_t y = 0; y < kHeight; ++y)
                for (uint32_t x = 0; x < kWidth; ++x) {
                    const bool inside = x >= part.x && x < part.x + part.width && y >= part.y &&
                                        y < part.y + part.height;
                    const bool copied = x >= 1 && x < 71 && y >= 2 && y < 92;
                    const bool filled = samples == 1 && inside && !copied;
                    wrong += all[size_t{y} * kWidth + x] != (filled ? 0x0000FFFF : 0x00FF00FF);
                }
            CHECK(wrong == 0);
        }
}

TEST_CASE("any box of a multisampled target is a part of the whole, averaged to the nearest") {
    for (const Format format : {Format::R8G8B8A8_UNORM, Format::R8G8_UNORM, Format::R8_UNORM})
        for (const uint32_t samples : {2U, 16U}) {
            const auto device = must(gpu::create_device({}));
            SceneKit kit(*device);
            kit.size(21, 18, samples);
            const TextureRef color = kit.add_color(format);
            kit.clear(0.3F, 0.6F, 0.9F, 0.2F);  // red: 76.5 becomes 76
            kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
            kit.pipeline.rasterizer.multisample = true;
            kit.vertices(scenes::random_triangles(31, 6).data(), {4, 4});
            const size_t bytes = exec::format_info(format).block_bytes;
            const auto read = [&](const Box& box) {
                std::vector<uint8_t> data(bytes * box.width * box.height);
                must(device->read_texture(color, 0, box, std::as_writable_bytes(std::span(data)),
                                          bytes * box.width));
                return data;
            };
            CHECK(read({0, 0, 0, 1, 1, 1})[0] == 76);
            kit.draw(18);
            const auto whole = read({0, 0, 0, 21, 18, 1});
            for (const Box& box :
                 {Box{3, 2, 0, 7, 5, 1}, Box{0, 0, 0, 4, 4, 1}, Box{20, 17, 0, 1, 1, 1}}) {
                const auto part = read(box);
                size_t wrong = 0;
                for (uint32_t y = 0; y < box.height; ++y)
                    wrong += std::memcmp(part.data() + y * box.width * bytes,
                                         whole.data() + ((box.y + y) * 21 + box.x) * bytes,
                                         box.width * bytes) != 0
                                 ? 1
                                 : 0;
                CHECK(wrong == 0);
            }
        }
}

}  // namespace valkyr::raster::test
