// Blit test: fast blits give the bits of texel-by-texel blits, for any boxes, formats and filters.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/convert/convert.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/resource/blit.hpp"
#include "raster/resource/blit_axis.hpp"
#include "raster/resource/lane_format.hpp"
#include "tests/support/random.hpp"

#include <algorithm>
#include <array>
#include <cfenv>
#include <cstring>
#include <doctest/doctest.h>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::raster::test {
namespace {

using valkyr::test::Random;

/// All formats that are not compressed.
std::vector<Format> plain_formats() {
    std::vector<Format> formats;
    for (unsigned i = 1; i < exec::kFormatCount; ++i)
        if (is_plain(exec::format_info(static_cast<Format>(i))))
            formats.push_back(static_cast<Format>(i));
    return formats;
}

/// Whether blits between the two formats are defined.
bool fit(Format a, Format b) {
    return is_depth_stencil(a) == is_depth_stencil(b) &&
           is_integer(exec::format_info(a)) == is_integer(exec::format_info(b));
}

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
    r.depth = random.one_in(3) ? 2 : 1;
    r.z = r.depth == 2 ? 0 : static_cast<int32_t>(random.below(2));
    r.width = static_cast<int32_t>(random.below(3 * t.desc().width)) - 20;
    r.height = static_cast<int32_t>(random.below(3 * t.desc().height)) - 20;
    return r;
}

/// Blits with the conversion of every host level and texel by texel; false if the blit was refused.
bool same_bits(const BlitInfo& info, TextureImpl& from, TextureImpl& to) {
    const auto copy = [&] {
        auto t = texture(to.desc().format, to.desc().width, to.desc().height, to.desc().samples);
        for (uint32_t z = 0; z < 2; ++z)
            std::memcpy(t->slice(0, z), to.slice(0, z), slice_bytes(to));
        return t;
    };
    const auto name = [](const TextureImpl& t) {
        return std::string(exec::format_info(t.desc().format).name) + ", samples " +
               std::to_string(t.desc().samples);
    };
    CAPTURE(name(from));
    CAPTURE(name(to));
    CAPTURE(static_cast<int>(info.filter));
    CAPTURE(static_cast<int>(info.color_mask));
    const auto expected = copy();
    if (!blit_texels(info, from, *expected, nullptr))
        return false;
    for (const Host host : {Host::Auto, Host::Avx2, Host::Neon}) {
        const auto result = copy();
        REQUIRE(blit_texels(info, from, *result, convert_tiles_of(host)).has_value());
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
    for (const ConvertTiles convert :
         {static_cast<ConvertTiles>(nullptr), convert_tiles_of(Host::Auto)}) {
        t.slice(1, 0)[0] = 0;
        REQUIRE(blit_texels(info, t, t, convert).has_value());
        CHECK(t.slice(1, 0)[0] == 75);
    }
}

}  // namespace

TEST_CASE("blits and resolves by tiles agree with those by texels to the bit") {
    const std::vector<Format> formats = plain_formats();
    const auto any = [&](Random& random) { return formats[random.below(formats.size())]; };
    Random random(7);
    unsigned done = 0;
    for (unsigned i = 0; i < 1500; ++i) {
        const uint32_t samples = random.below(3) == 0 ? 2U << random.below(4) : 1;
        const Format from_format = any(random);
        Format to_format = random.below(4) == 0 ? from_format : any(random);
        while (!fit(from_format, to_format))
            to_format = any(random);
        const auto from = texture(from_format, 1 + random.below(40), 1 + random.below(20), samples);
        const auto to = texture(to_format, 1 + random.below(40), 1 + random.below(20),
                                random.below(6) == 0 ? samples : 1);
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
    CHECK(done > 1000);
}

TEST_CASE("halving of any format agrees with a texel at a time") {
    Random random(11);
    for (const Format format : plain_formats()) {
        if (is_integer(exec::format_info(format)))
            continue;
        const uint32_t width = 1 + random.below(50);
        const uint32_t height = 1 + random.below(30);
        const auto from = texture(format, 2 * width + random.below(2), 2 * height);
        const auto to = texture(format, width + 4, height + 4);
        fill(random, *from);
        fill(random, *to);
        BlitInfo info;
        info.filter = Filter::Linear;
        info.color_mask = 0xF;
        info.depth = true;
        info.stencil = random.one_in(2);
        // Some boxes start inside a tile, so that half tiles do not fit.
        info.destination.x = static_cast<int32_t>(random.below(3)) * 2;
        info.destination.y = random.one_in(2) ? 0 : 4;
        info.source.width = 2 * static_cast<int32_t>(width);
        info.source.height = 2 * static_cast<int32_t>(height);
        info.destination.width = static_cast<int32_t>(width);
        info.destination.height = static_cast<int32_t>(height);
        CHECK(same_bits(info, *from, *to));
    }
}

TEST_CASE("linear filters of wide boxes agree with a texel at a time") {
    constexpr std::array kFormats{
        Format::R8G8B8A8_UNORM,     Format::R8G8B8A8_SRGB,    Format::B8G8R8X8_SRGB,
        Format::R8_UNORM,           Format::R8G8_SNORM,       Format::R16G16B16A16_FLOAT,
        Format::R32G32B32A32_FLOAT, Format::R11G11B10_FLOAT,  Format::R9G9B9E5_FLOAT,
        Format::R5G6B5_UNORM,       Format::R32G32B32_FLOAT,  Format::R16G16B16A16_UNORM,
        Format::D32_FLOAT,          Format::D24_UNORM_S8_UINT};
    Random random(12);
    const auto side = [&](uint32_t most) { return static_cast<int32_t>(1 + random.below(most)); };
    for (unsigned i = 0; i < 10 * kFormats.size(); ++i) {
        const Format from_format = kFormats[i % kFormats.size()];
        Format to_format = kFormats[random.below(kFormats.size())];
        while (!fit(from_format, to_format))
            to_format = kFormats[random.below(kFormats.size())];
        const auto from = texture(from_format, 450, 90);
        const auto to = texture(to_format, 330, 70);
        fill(random, *from);
        fill(random, *to);
        BlitInfo info;
        info.filter = Filter::Linear;
        info.color_mask = random.one_in(3) ? 0x5 : 0xF;
        info.depth = info.stencil = true;
        info.source.depth = info.destination.depth = 2;
        // The source is up to twice as large as the destination, which rows of any width support,
        // or larger.
        info.destination.width = side(330);
        info.destination.height = side(70);
        info.source.width = std::min(side(2 * static_cast<uint32_t>(info.destination.width)), 450);
        info.source.height = std::min(side(2 * static_cast<uint32_t>(info.destination.height)), 90);
        info.source.x = static_cast<int32_t>(random.below(12)) - 2;
        info.source.y = static_cast<int32_t>(random.below(12)) - 2;
        info.destination.x = static_cast<int32_t>(random.below(9)) - 2;
        info.destination.y = static_cast<int32_t>(random.below(9)) - 2;
        if (random.one_in(3)) {
            info.source.x += info.source.width;
            info.source.width = -info.source.width;
        }
        if (random.one_in(3)) {
            info.destination.y += info.destination.height;
            info.destination.height = -info.destination.height;
        }
        CHECK(same_bits(info, *from, *to));
    }
}

TEST_CASE("depth and stencil go over between all formats, filtered or not, whole or in part") {
    Random random(13);
    for (const Format from_format : plain_formats())
        for (const Format to_format : plain_formats()) {
            if (!is_depth_stencil(from_format) || !is_depth_stencil(to_format))
                continue;
            for (unsigned k = 0; k < 8; ++k) {
                const uint32_t samples = k == 7 ? 4 : 1;
                const auto from = texture(from_format, 37, 21, samples);
                const auto to = texture(to_format, 37, 21);
                fill(random, *from);
                fill(random, *to);
                BlitInfo info;
                info.depth = (k & 1) != 0;
                info.stencil = (k & 2) != 0;
                info.filter = (k & 4) != 0 ? Filter::Linear : Filter::Nearest;
                info.source.width = info.source.height = 20;
                info.destination.width = (k & 4) != 0 ? 30 : 20;
                info.destination.height = 20;
                if (!same_bits(info, *from, *to))
                    CHECK((from_format == Format::S8_UINT || to_format == Format::S8_UINT));
            }
        }
}

TEST_CASE("blits to shared exponents write the exponent") {
    const auto from = texture(Format::R32G32B32A32_FLOAT, 4, 4);
    const BlitTexels source{*from, 0, from->desc().format, exec::format_info(from->desc().format)};
    const std::array<float, 4> color{0.5F, 3, 100, 1};
    for (uint32_t i = 0; i < 16; ++i)
        std::memcpy(source.at(i % 4, i / 4, 0, 0), color.data(), sizeof(color));
    BlitInfo info;
    info.color_mask = 0xF;
    info.source.width = info.source.height = 4;
    info.destination.width = info.destination.height = 4;
    for (const ConvertTiles convert :
         {static_cast<ConvertTiles>(nullptr), convert_tiles_of(Host::Auto)}) {
        const auto to = texture(Format::R9G9B9E5_FLOAT, 4, 4);
        REQUIRE(blit_texels(info, *from, *to, convert).has_value());
        const Values value =
            decode_texel(exec::format_info(Format::R9G9B9E5_FLOAT), to->slice(0, 0));
        CHECK(as_float(value[0]) == 0.5F);
        CHECK(as_float(value[1]) == 3);
        CHECK(as_float(value[2]) == 100);
    }
}

TEST_CASE("every code of a shared exponent goes over as the numbers that it stands for") {
    const auto codes = texture(Format::R9G9B9E5_FLOAT, 1024, 512);
    for (uint32_t i = 0; i < 1024 * 512; ++i) {
        const uint32_t word =
            (i & 0x1FF) | (i * 7 & 0x1FF) << 9 | (i * 31 & 0x1FF) << 18 | (i >> 9 & 31) << 27;
        std::memcpy(codes->slice(0, 0) + size_t{4} * i, &word, sizeof(word));
    }
    BlitInfo info;
    info.color_mask = 0xF;
    info.source.width = info.destination.width = 1024;
    info.source.height = info.destination.height = 512;
    const auto numbers = texture(Format::R32G32B32A32_FLOAT, 1024, 512);
    CHECK(same_bits(info, *codes, *numbers));
    // Converts back, also from numbers between the codes.
    Random random(5);
    for (size_t i = 0; i < slice_bytes(*numbers); i += 4)
        if (random.one_in(2))
            numbers->slice(0, 0)[i] = static_cast<uint8_t>(random.next());
    CHECK(same_bits(info, *numbers, *codes));
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
    REQUIRE(blit_texels(info, *from, *to, convert_tiles_of(Host::Auto)).has_value());
    for (uint32_t x = 0; x < 256; ++x)
        CHECK(*target.at(x, 3, 0, 0) == x);
    // Columns 2k and 2k + 1 have the values 2k and 2k + 2.
    for (uint32_t x = 0; x < 256; ++x)
        for (uint32_t y = 0; y < 4; ++y)
            *source.at(x, y, 0, 0) = static_cast<uint8_t>(x % 2 == 0     ? x
                                                          : x + 1 == 256 ? 255
                                                                         : x + 1);
    info.destination.width = 128;
    info.destination.height = 2;
    info.filter = Filter::Linear;
    REQUIRE(blit_texels(info, *from, *to, convert_tiles_of(Host::Auto)).has_value());
    for (uint32_t x = 0; x < 127; ++x)
        CHECK(*target.at(x, 1, 0, 0) == 2 * x + 1);
}

TEST_CASE("blits round to nearest even, however the application rounds") {
    Random random(3);
    const auto from = texture(Format::R16G16B16A16_UNORM, 16, 16);
    fill(random, *from);
    const auto picture = [&](ConvertTiles convert, int rounding) {
        const auto to = texture(Format::R8G8B8A8_UNORM, 16, 16);
        BlitInfo info;
        info.color_mask = 0xF;
        info.source.width = info.destination.width = 16;
        info.source.height = info.destination.height = 16;
        std::fesetround(rounding);
        const bool done = blit_texels(info, *from, *to, convert).has_value();
        CHECK(std::fegetround() == rounding);
        std::fesetround(FE_TONEAREST);
        REQUIRE(done);
        return to;
    };
    const auto expected = picture(nullptr, FE_TONEAREST);
    for (const ConvertTiles convert :
         {static_cast<ConvertTiles>(nullptr), convert_tiles_of(Host::Auto)})
        for (const int rounding : {FE_UPWARD, FE_DOWNWARD, FE_TOWARDZERO})
            CHECK(equal(*expected, *picture(convert, rounding)));
}

TEST_CASE("conversions know all formats that OpenGL renders to") {
    const auto knows = [](Format format) {
        return lane_format(exec::format_info(format)).has_value();
    };
    for (const Format format :
         {Format::R8G8B8A8_UNORM, Format::R8G8B8A8_SRGB, Format::R8G8B8A8_SNORM,
          Format::B5G6R5_UNORM, Format::B5G5R5A1_UNORM, Format::B4G4R4A4_UNORM,
          Format::R10G10B10A2_UNORM, Format::R10G10B10A2_UINT, Format::R11G11B10_FLOAT,
          Format::R16G16B16A16_FLOAT, Format::R16G16B16A16_UNORM, Format::R16G16B16A16_SINT,
          Format::R32G32B32A32_FLOAT, Format::R32G32B32A32_UINT, Format::R32G32B32_FLOAT,
          Format::R8_UINT, Format::R16_FLOAT, Format::R9G9B9E5_FLOAT})
        CHECK(knows(format));
    CHECK(!knows(Format::D24_UNORM_S8_UINT));
}

}  // namespace valkyr::raster::test
