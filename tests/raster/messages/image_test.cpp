// Image test: checks addressing, conversions and bounds of LD_TEX, LEA_TEX and ST_CVT.
// SPDX-License-Identifier: MIT
#include "tests/raster/messages/fixture.hpp"

#include <bit>
#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::test;
using exec::Format;
using exec::RegisterFormat;
using exec::TextureKind;

namespace {

/// An image with slices of 6 x 5 texels; each 32-bit texel is its element number in memory.
struct ImageFixture {
    exec::DrawContext draw;
    exec::Warp warp;
    exec::ImageDescriptor image;
    std::vector<uint32_t> texels;

    explicit ImageFixture(TextureKind kind, uint32_t slices = 1, unsigned samples = 1) {
        image.kind = kind;
        image.format = Format::R32_UINT;
        image.samples = static_cast<uint8_t>(samples);
        image.width = 6;
        image.height = 5;
        image.depth = slices;
        image.tiles_per_row = 2;
        image.slice_bytes = uint64_t{4} * 16 * 4 * samples;
        texels.resize(image.slice_bytes / 4 * slices);
        for (uint32_t i = 0; i < texels.size(); ++i)
            texels[i] = i;
        image.data = reinterpret_cast<uint8_t*>(texels.data());
        draw.tables.images = &image;
        draw.tables.image_count = 1;
        warp.draw = &draw;
        warp.running = 0xFFFF;
    }
    std::array<uint32_t, 4> load(uint32_t xy, uint32_t zw, uint32_t handle = 5U << 24) {
        std::array<Lanes, 4> out{};
        raster::raster_environment().image_load(warp, {handle, RegisterFormat::Auto, 4}, splat(xy),
                                                splat(zw), out.data());
        return {out[0].v[0], out[1].v[0], out[2].v[0], out[3].v[0]};
    }
    std::array<uint32_t, 3>
    address(uint32_t xy, uint32_t zw, RegisterFormat format = RegisterFormat::Auto) {
        std::array<Lanes, 3> out{};
        raster::raster_environment().image_address(warp, {5U << 24, format, 4}, splat(xy),
                                                   splat(zw), out.data());
        return {out[0].v[0], out[1].v[0], out[2].v[0]};
    }
    void store(const std::array<uint32_t, 3>& to,
               const std::array<uint32_t, 4>& data,
               RegisterFormat format,
               uint32_t offset = 0) {
        const std::array<Lanes, 4> in{splat(data[0]), splat(data[1]), splat(data[2]),
                                      splat(data[3])};
        raster::raster_environment().convert_store(warp, format, 4, splat(to[0]), splat(to[1]),
                                                   offset, splat(to[2]), in.data());
    }
};

constexpr uint32_t xy(uint32_t x, uint32_t y) {
    return x | y << 16;
}

}  // namespace

TEST_CASE("2D images: tiles of 4x4 texels in lane order; outside reads 0") {
    ImageFixture f(TextureKind::Tex2D);
    CHECK(f.load(xy(0, 0), 0) == std::array<uint32_t, 4>{0, 0, 0, 1});
    CHECK(f.load(xy(1, 0), 0)[0] == 1);
    CHECK(f.load(xy(0, 1), 0)[0] == 2);
    CHECK(f.load(xy(2, 0), 0)[0] == 4);
    CHECK(f.load(xy(0, 2), 0)[0] == 8);
    CHECK(f.load(xy(3, 3), 0)[0] == 15);
    CHECK(f.load(xy(5, 0), 0)[0] == 17);
    CHECK(f.load(xy(5, 4), 0)[0] == 49);
    CHECK(f.load(xy(6, 0), 0)[0] == 0);
    CHECK(f.load(xy(1, 5), 0)[0] == 0);
    CHECK(f.load(xy(0xFFFF, 0xFFFF), 0xFFFFFFFF)[0] == 0);
}

TEST_CASE("the second operand holds z, layer and sample as the kind needs them") {
    CHECK(ImageFixture(TextureKind::Tex3D, 3).load(xy(1, 0), 2)[0] == 129);
    CHECK(ImageFixture(TextureKind::Tex3D, 3).load(xy(1, 0), 3)[0] == 0);
    CHECK(ImageFixture(TextureKind::Tex2DArray, 3).load(xy(1, 0), 2U << 16)[0] == 129);
    CHECK(ImageFixture(TextureKind::Cube, 6).load(xy(1, 0), 5U << 16)[0] == 5 * 64 + 1);
    CHECK(ImageFixture(TextureKind::Tex1DArray, 3).load(xy(1, 9), 2U << 16)[0] == 129);
    CHECK(ImageFixture(TextureKind::Tex1D).load(xy(5, 9), 0)[0] == 17);
    CHECK(ImageFixture(TextureKind::Tex2DMs, 1, 4).load(xy(5, 1), 2)[0] == (1 * 4 + 2) * 16 + 3);
    CHECK(ImageFixture(TextureKind::Tex2DMs, 1, 4).load(xy(5, 1), 4)[0] == 0);
    CHECK(ImageFixture(TextureKind::Tex2DMsArray, 2, 2).load(xy(0, 0), 1U << 16 | 1)[0] ==
          128 + 16);
}

TEST_CASE("LEA_TEX gives the address and a conversion that ST_CVT understands") {
    ImageFixture f(TextureKind::Tex2D);
    f.image.format = Format::R8G8B8A8_UNORM;
    const auto at = f.address(xy(3, 3), 0);
    const auto expected = std::bit_cast<uintptr_t>(f.image.data + 60);
    CHECK((at[0] | uint64_t{at[1]} << 32) == expected);
    CHECK(at[2] == (static_cast<uint32_t>(Format::R8G8B8A8_UNORM) | 1U << 24));
    f.store(at, {as_bits(1.0F), 0, as_bits(0.2F), as_bits(2.0F)}, RegisterFormat::F32);
    const uint8_t bytes[4] = {255, 0, 51, 255};
    CHECK(std::memcmp(f.image.data + 60, bytes, 4) == 0);
    f.store(at, {0x00003C00, 0, 0, 0}, RegisterFormat::F16, 4);
    const uint8_t half[4] = {255, 0, 0, 0};
    CHECK(std::memcmp(f.image.data + 64, half, 4) == 0);
    CHECK((f.address(xy(0, 0), 0, RegisterFormat::S16)[2] >> 24) == 4);
}

TEST_CASE("ST_CVT clamps integers by the register format and fills missing components") {
    ImageFixture f(TextureKind::Tex2D);
    f.image.format = Format::R8G8B8A8_UINT;
    const auto at = f.address(xy(0, 0), 0);
    f.store(at, {300, 0xFFFFFFFF, 7, 8}, RegisterFormat::S32);
    const uint8_t bytes[4] = {255, 0, 7, 8};
    CHECK(std::memcmp(f.image.data, bytes, 4) == 0);
    const std::array<Lanes, 1> in{splat(9U)};
    raster::raster_environment().convert_store(f.warp, RegisterFormat::U32, 1, splat(at[0]),
                                               splat(at[1]), 0, splat(at[2]), in.data());
    const uint8_t one[4] = {9, 0, 0, 1};
    CHECK(std::memcmp(f.image.data, one, 4) == 0);
}

TEST_CASE("outside the image LEA_TEX gives address 0, and ST_CVT ignores it") {
    ImageFixture f(TextureKind::Tex2D);
    const auto at = f.address(xy(6, 0), 0);
    CHECK(at[0] == 0);
    CHECK(at[1] == 0);
    f.store(at, {1, 2, 3, 4}, RegisterFormat::U32);
    f.store(at, {1, 2, 3, 4}, RegisterFormat::U32, 16);
    auto inside = f.address(xy(0, 0), 0);
    inside[2] = 0x3FFFFF;  // no such format
    f.store(inside, {7, 7, 7, 7}, RegisterFormat::U32);
    CHECK(f.texels[0] == 0);
}

TEST_CASE("helper lanes store nothing") {
    FragmentFixture fragment;
    ImageFixture f(TextureKind::Tex2D);
    f.warp.fragment = &fragment.call;
    f.warp.live = 0;
    f.store(f.address(xy(0, 0), 0), {7, 7, 7, 7}, RegisterFormat::U32);
    CHECK(f.texels[0] == 0);
    f.warp.live = 1;
    f.store(f.address(xy(0, 0), 0), {7, 7, 7, 7}, RegisterFormat::U32);
    CHECK(f.texels[0] == 7);
}
