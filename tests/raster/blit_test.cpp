// Blit tests: rows have the bits of blits a texel at a time, for any boxes, formats and filters.
// SPDX-License-Identifier: MIT
#include "raster/loops/level.hpp"
#include "raster/resource/blit.hpp"
#include "raster/resource/blit_bytes.hpp"
#include "tests/support/random.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

constexpr std::array kFormats{
    Format::R8G8B8A8_UNORM, Format::B8G8R8A8_UNORM, Format::B8G8R8X8_UNORM, Format::R8_UNORM,
    Format::R8G8_UNORM,     Format::R8G8B8_UNORM,   Format::A8_UNORM,       Format::L8_UNORM};

std::shared_ptr<TextureImpl>
texture(Format format, uint32_t width, uint32_t height, uint32_t samples = 1) {
    TextureDesc desc;
    desc.kind = samples > 1 ? TextureKind::Tex2DMsArray : TextureKind::Tex2DArray;
    desc.samples = samples;
    desc.format = format;
    desc.width = width;
    desc.height = height;
    desc.layers = 2;
    auto result = TextureImpl::create(nullptr, desc);
    REQUIRE(result.has_value());
    return *result;
}

size_t slice_bytes(TextureImpl& t) {
    const size_t rows = (t.level(0).height + 3) / 4;
    return rows * t.level(0).tiles_per_row * exec::kLanes * t.texel_bytes() * t.desc().samples;
}

void fill(Random& random, TextureImpl& t) {
    for (uint32_t z = 0; z < 2; ++z)
        for (size_t i = 0; i < slice_bytes(t); ++i)
            t.slice(0, z)[i] = static_cast<uint8_t>(random.next());
}

bool equal(TextureImpl& a, TextureImpl& b) {
    bool same = true;
    for (uint32_t z = 0; z < 2; ++z)
        same &= std::memcmp(a.slice(0, z), b.slice(0, z), slice_bytes(a)) == 0;
    return same;
}

BlitRegion region(Random& random, const TextureImpl& t) {
    const auto place = [&](uint32_t size) {
        return static_cast<int32_t>(random.below(size + 8)) - 4;
    };
    BlitRegion r;
    r.x = place(t.desc().width);
    r.y = place(t.desc().height);
    r.z = static_cast<int32_t>(random.below(2));
    r.width = static_cast<int32_t>(random.below(3 * t.desc().width)) - 20;
    r.height = static_cast<int32_t>(random.below(3 * t.desc().height)) - 20;
    return r;
}

/// Blits with every level's loops and without; false if it was refused.
bool same_bits(const BlitInfo& info, TextureImpl& from, TextureImpl& to) {
    const auto copy = [&] {
        auto t = texture(to.desc().format, to.desc().width, to.desc().height);
        for (uint32_t z = 0; z < 2; ++z)
            std::memcpy(t->slice(0, z), to.slice(0, z), slice_bytes(to));
        return t;
    };
    const auto expected = copy();
    if (!blit_texels(info, from, *expected, nullptr))
        return false;
    for (const Host host : {Host::Auto, Host::Avx2, Host::Neon}) {
        const auto result = copy();
        REQUIRE(blit_texels(info, from, *result, &level_ops(host)).has_value());
        CHECK(equal(*expected, *result));
    }
    return true;
}

TEST_CASE("a level of a 3D texture is the mean of eight texels of the one before it") {
    TextureDesc desc;
    desc.kind = TextureKind::Tex3D;
    desc.format = Format::R8_UNORM;
    desc.width = desc.height = desc.depth = 2;
    desc.levels = 2;
    auto made = TextureImpl::create(nullptr, desc);
    REQUIRE(made.has_value());
    TextureImpl& t = **made;
    // Two slices of four texels: 10 20 30 40, then 110 120 130 140. Their mean is 75.
    for (uint32_t z = 0; z < 2; ++z)
        for (uint32_t i = 0; i < 4; ++i)
            BlitTexels{t, 0, desc.format, exec::format_info(desc.format)}.at(
                i % 2, i / 2, z, 0)[0] = static_cast<uint8_t>(100 * z + 10 * (i + 1));
    BlitInfo info;
    info.filter = Filter::Linear;
    info.color_mask = 0xF;
    info.source.width = info.source.height = info.source.depth = 2;
    info.destination.level = 1;
    info.destination.width = info.destination.height = info.destination.depth = 1;
    for (const LevelOps* ops : {static_cast<const LevelOps*>(nullptr), &level_ops(Host::Auto)}) {
        t.slice(1, 0)[0] = 0;
        REQUIRE(blit_texels(info, t, t, ops).has_value());
        CHECK(t.slice(1, 0)[0] == 75);
    }
}

}  // namespace

TEST_CASE("blits and resolves by rows agree with those by texels to the bit") {
    Random random(7);
    unsigned done = 0;
    for (unsigned i = 0; i < 400; ++i) {
        const uint32_t samples = random.below(3) == 0 ? 2U << random.below(4) : 1;
        const auto from = texture(kFormats[random.below(kFormats.size())], 1 + random.below(40),
                                  1 + random.below(20), samples);
        const auto to = texture(kFormats[random.below(kFormats.size())], 1 + random.below(40),
                                1 + random.below(20));
        fill(random, *from);
        fill(random, *to);
        BlitInfo info;
        info.source = region(random, *from);
        info.destination = region(random, *to);
        info.filter = random.below(3) == 0 ? Filter::Nearest : Filter::Linear;
        info.color_mask = random.below(3) == 0 ? static_cast<uint8_t>(random.below(16)) : 0xF;
        if (random.below(4) == 0)
            info.scissor = Rect{
                static_cast<int32_t>(random.below(10)), static_cast<int32_t>(random.below(10)),
                static_cast<int32_t>(random.below(40)), static_cast<int32_t>(random.below(40))};
        done += same_bits(info, *from, *to) ? 1 : 0;
    }
    CHECK(done > 300);
}

TEST_CASE("every byte survives a nearest blit, and halving takes the rounded mean") {
    const auto from = texture(Format::R8_UNORM, 256, 4);
    const auto to = texture(Format::L8_UNORM, 256, 4);
    const BlitTexels source{*from, 0, Format::R8_UNORM, exec::format_info(Format::R8_UNORM)};
    const BlitTexels target{*to, 0, Format::L8_UNORM, exec::format_info(Format::L8_UNORM)};
    for (uint32_t x = 0; x < 256; ++x)
        for (uint32_t y = 0; y < 4; ++y)
            *source.at(x, y, 0, 0) = static_cast<uint8_t>(x);
    BlitInfo info;
    info.source.width = info.destination.width = 256;
    info.source.height = info.destination.height = 4;
    REQUIRE(blit_texels(info, *from, *to, &level_ops(Host::Auto)).has_value());
    for (uint32_t x = 0; x < 256; ++x)
        CHECK(*target.at(x, 3, 0, 0) == x);
    // Columns 2k and 2k + 1 have 2k and 2k + 2.
    for (uint32_t x = 0; x < 256; ++x)
        for (uint32_t y = 0; y < 4; ++y)
            *source.at(x, y, 0, 0) = static_cast<uint8_t>(x % 2 == 0     ? x
                                                          : x + 1 == 256 ? 255
                                                                         : x + 1);
    info.destination.width = 128;
    info.destination.height = 2;
    info.filter = Filter::Linear;
    REQUIRE(blit_texels(info, *from, *to, &level_ops(Host::Auto)).has_value());
    for (uint32_t x = 0; x < 127; ++x)
        CHECK(*target.at(x, 1, 0, 0) == 2 * x + 1);
}

TEST_CASE("only arrays of linear unorm bytes go by rows") {
    const auto goes = [](Format from, Format to) {
        return byte_map(exec::format_info(from), exec::format_info(to), 0xF).has_value();
    };
    CHECK(goes(Format::R8G8B8A8_UNORM, Format::B8G8R8X8_UNORM));
    CHECK(!goes(Format::R8G8B8A8_SRGB, Format::R8G8B8A8_UNORM));
    CHECK(!goes(Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SNORM));
    CHECK(!goes(Format::B5G6R5_UNORM, Format::R8G8B8A8_UNORM));
    CHECK(!goes(Format::R16G16B16A16_UNORM, Format::R8G8B8A8_UNORM));
}

}  // namespace valkyr::raster::test
