// Format convert test: checks round trips of all codes, and values against exact arithmetic.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "raster/formats/format_channel.hpp"
#include "raster/formats/format_convert.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <random>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;
using exec::ChannelType;
using exec::Format;
using exec::FormatLayout;

namespace {

std::vector<const FormatInfo*> plain_formats() {
    std::vector<const FormatInfo*> formats;
    for (unsigned i = 1; i < exec::kFormatCount; ++i)
        if (const FormatInfo& info = exec::format_info(static_cast<Format>(i)); is_plain(info))
            formats.push_back(&info);
    return formats;
}

/// Every code of a narrow channel, a dense sample of a wide one, and always the ends.
std::vector<uint32_t> codes_of(unsigned bits) {
    std::vector<uint32_t> codes;
    if (bits <= 16) {
        for (uint32_t code = 0; code < 1U << bits; ++code)
            codes.push_back(code);
        return codes;
    }
    const uint64_t last = bit_mask(0, bits);
    for (uint64_t code = 0; code <= last; code += last / 4999)
        codes.push_back(static_cast<uint32_t>(code));
    for (uint32_t i = 0; i < 100; ++i) {
        codes.push_back(i);
        codes.push_back(static_cast<uint32_t>(last - i));
        codes.push_back(static_cast<uint32_t>(last / 2 + i));
    }
    return codes;
}

int64_t as_signed(uint32_t code, unsigned bits) {
    int64_t value = code;
    if (code >> (bits - 1) & 1)
        value -= int64_t{1} << bits;
    return value;
}

/// RN(t * RN(1/M)) for up to 16 bits, RN(t / M) above. The product of a 24-bit and a 16-bit number
/// is exact in 64 bits, so each conversion below rounds once.
float expected_normalized(int64_t t, uint32_t m, unsigned bits) {
    if (bits <= 16) {
        const auto inverse = static_cast<float>(1.0L / m);
        return static_cast<float>(static_cast<long double>(t) * inverse);
    }
    if (bits <= 24)
        return static_cast<float>(static_cast<long double>(t) / m);
    return static_cast<float>(static_cast<double>(static_cast<long double>(t) / m));
}

}  // namespace

TEST_CASE("unorm and snorm codes decode to the rounded quotient and survive a round trip") {
    for (const FormatInfo* info : plain_formats()) {
        if (!is_normalized(*info) || info->srgb)
            continue;
        for (unsigned channel = 0; channel < info->channel_count; ++channel) {
            const unsigned bits = info->bits[channel];
            if (info->layout == FormatLayout::DepthStencil && bits == 8)
                continue;
            const bool is_snorm = info->type == ChannelType::Snorm;
            const auto m = static_cast<uint32_t>(bit_mask(0, is_snorm ? bits - 1 : bits));
            unsigned wrong = 0;
            for (const uint32_t code : codes_of(bits)) {
                int64_t t = is_snorm ? as_signed(code, bits) : int64_t{code};
                const bool lowest = t < -int64_t{m};
                t = std::max(t, -int64_t{m});
                const uint32_t value = decode_channel(*info, channel, code);
                wrong += as_float(value) != expected_normalized(t, m, is_snorm ? bits - 1 : bits);
                const uint32_t back = encode_channel(*info, channel, value, IntegerKind::Signed);
                // binary32 cannot represent all 32-bit codes.
                if (bits <= 24 && !lowest)
                    wrong += back != code;
            }
            CHECK_MESSAGE(wrong == 0, info->name);
        }
    }
}

TEST_CASE("encoding a normalised channel is the nearest code of the rounded product") {
    std::mt19937 random(7);
    std::uniform_real_distribution<float> any(-1.25F, 1.25F);
    for (const FormatInfo* info : plain_formats()) {
        if (!is_normalized(*info) || info->srgb || info->bits[0] > 24)
            continue;
        const bool is_snorm = info->type == ChannelType::Snorm;
        const auto m =
            static_cast<uint32_t>(bit_mask(0, is_snorm ? info->bits[0] - 1U : info->bits[0]));
        const bool stencil_first = info->layout == FormatLayout::DepthStencil && info->bits[0] == 8;
        unsigned wrong = 0;
        for (unsigned i = 0; i < 20000 && !stencil_first; ++i) {
            const float c = i & 1 ? any(random) : static_cast<float>(i) / 20000;
            const float limited = std::min(std::max(c, is_snorm ? -1.0F : 0.0F), 1.0F);
            const auto product = static_cast<float>(static_cast<long double>(limited) * m);
            const auto whole = static_cast<int64_t>(std::floor(product));
            const float rest = product - static_cast<float>(whole);
            const bool up = rest > 0.5F || (rest == 0.5F && (whole & 1));
            const auto expected = static_cast<uint32_t>(whole + up) &
                                  static_cast<uint32_t>(bit_mask(0, info->bits[0]));
            wrong += encode_channel(*info, 0, as_bits(c), IntegerKind::Unsigned) != expected;
        }
        CHECK_MESSAGE(wrong == 0, info->name);
    }
}

TEST_CASE("normalised channels take NaN as 0 and infinities as the ends of the range") {
    const FormatInfo& unorm = exec::format_info(Format::R16_UNORM);
    const FormatInfo& snorm = exec::format_info(Format::R8_SNORM);
    const auto encode = [](const FormatInfo& info, float value) {
        return encode_channel(info, 0, as_bits(value), IntegerKind::Unsigned);
    };
    CHECK(encode(unorm, std::nanf("")) == 0);
    CHECK(encode(unorm, INFINITY) == 0xFFFF);
    CHECK(encode(unorm, -INFINITY) == 0);
    CHECK(encode(snorm, std::nanf("")) == 0);
    CHECK(encode(snorm, INFINITY) == 127);
    CHECK(encode(snorm, -INFINITY) == 0x81);
}

TEST_CASE("integer channels clamp, by the signedness of what is written") {
    const FormatInfo& u8 = exec::format_info(Format::R8_UINT);
    const FormatInfo& s8 = exec::format_info(Format::R8_SINT);
    CHECK(encode_channel(u8, 0, 300, IntegerKind::Unsigned) == 255);
    CHECK(encode_channel(u8, 0, static_cast<uint32_t>(-5), IntegerKind::Signed) == 0);
    CHECK(encode_channel(u8, 0, static_cast<uint32_t>(-5), IntegerKind::Unsigned) == 255);
    CHECK(encode_channel(s8, 0, static_cast<uint32_t>(-500), IntegerKind::Signed) == 0x80);
    CHECK(encode_channel(s8, 0, 500, IntegerKind::Signed) == 127);
    CHECK(encode_channel(s8, 0, 0xFFFFFFFF, IntegerKind::Unsigned) == 127);
    CHECK(decode_channel(s8, 0, 0x80) == 0xFFFFFF80);
    const FormatInfo& u32 = exec::format_info(Format::R32_UINT);
    CHECK(encode_channel(u32, 0, 0xFFFFFFFF, IntegerKind::Unsigned) == 0xFFFFFFFF);
}

TEST_CASE("scaled channels are the integers as numbers") {
    const FormatInfo& s16 = exec::format_info(Format::R16_SSCALED);
    const FormatInfo& u32 = exec::format_info(Format::R32_USCALED);
    CHECK(as_float(decode_channel(s16, 0, 0x8000)) == -32768.0F);
    CHECK(as_float(decode_channel(u32, 0, 0xFFFFFFFF)) == 4294967296.0F);
    CHECK(encode_channel(s16, 0, as_bits(2.5F), IntegerKind::Signed) == 2);
    CHECK(encode_channel(s16, 0, as_bits(-1e9F), IntegerKind::Signed) == 0x8000);
    CHECK(encode_channel(u32, 0, as_bits(1e20F), IntegerKind::Signed) == 0xFFFFFFFF);
}

TEST_CASE("every plain format keeps its codes when texels are read and written back") {
    std::mt19937 random(11);
    for (const FormatInfo* info : plain_formats()) {
        if (info->bits[0] == 64)
            continue;
        unsigned wrong = 0;
        for (unsigned i = 0; i < 200; ++i) {
            std::array<uint8_t, 17> texel;
            std::generate(texel.begin(), texel.end(),
                          [&] { return static_cast<uint8_t>(random()); });
            std::array<uint8_t, 17> copy;
            copy.fill(0xA5);
            store_codes(*info, load_codes(*info, texel.data()), 0xF, copy.data());
            // Bits of no channel keep their content; only D32S8 has such bits (its X24).
            const size_t used = info->block_bytes == 8 && info->bits[0] == 32 && info->bits[1] == 8
                                    ? 5
                                    : info->block_bytes;
            wrong += std::memcmp(texel.data(), copy.data(), used) != 0;
            wrong += copy[info->block_bytes] != 0xA5;
        }
        CHECK_MESSAGE(wrong == 0, info->name);
    }
}

TEST_CASE("channels outside the mask keep their bits") {
    const FormatInfo& info = exec::format_info(Format::B5G6R5_UNORM);
    std::array<uint8_t, 2> texel{0xFF, 0xFF};
    store_codes(info, {0, 0, 0, 0}, 0b010, texel.data());
    CHECK(texel[0] == 0x1F);
    CHECK(texel[1] == 0xF8);
}

TEST_CASE("known texels: byte order, packed order, missing and unused channels") {
    const auto decode = [](Format format, std::array<uint8_t, 16> bytes) {
        const Values v = decode_texel(exec::format_info(format), bytes.data());
        return std::array<float, 4>{as_float(v[0]), as_float(v[1]), as_float(v[2]), as_float(v[3])};
    };
    using Four = std::array<float, 4>;
    CHECK(decode(Format::R8G8B8A8_UNORM, {255, 0, 0, 0}) == Four{1, 0, 0, 0});
    CHECK(decode(Format::B8G8R8A8_UNORM, {255, 0, 0, 255}) == Four{0, 0, 1, 1});
    CHECK(decode(Format::A8R8G8B8_UNORM, {0, 255, 0, 0}) == Four{1, 0, 0, 0});
    CHECK(decode(Format::R8G8B8X8_UNORM, {0, 0, 0, 0}) == Four{0, 0, 0, 1});
    CHECK(decode(Format::R8_UNORM, {255}) == Four{1, 0, 0, 1});
    CHECK(decode(Format::L8A8_UNORM, {255, 0}) == Four{1, 1, 1, 0});
    CHECK(decode(Format::A8_UNORM, {255}) == Four{0, 0, 0, 1});
    CHECK(decode(Format::I8_UNORM, {255}) == Four{1, 1, 1, 1});
    CHECK(decode(Format::B5G6R5_UNORM, {0x1F, 0x00}) == Four{0, 0, 1, 1});
    CHECK(decode(Format::B5G5R5A1_UNORM, {0x00, 0x80}) == Four{0, 0, 0, 1});
    CHECK(decode(Format::R10G10B10A2_UNORM, {0xFF, 0x03, 0, 0xC0}) == Four{1, 0, 0, 1});
    CHECK(decode(Format::R11G11B10_FLOAT, {0xC0, 0x03, 0, 0}) == Four{1, 0, 0, 1});
    CHECK(decode(Format::D24_UNORM_S8_UINT, {0xFF, 0xFF, 0xFF, 0x12}) == Four{1, 0, 0, 1});
    CHECK(decode(Format::S8_UINT_D24_UNORM, {0x12, 0xFF, 0xFF, 0xFF}) == Four{1, 0, 0, 1});
    CHECK(decode_texel(exec::format_info(Format::X24S8_UINT),
                       std::array<uint8_t, 4>{1, 2, 3, 0x99}.data())[0] == 0x99);
    const double three = 3;
    std::array<uint8_t, 16> bytes{};
    std::memcpy(bytes.data(), &three, 8);
    CHECK(decode(Format::R64_FLOAT, bytes) == Four{3, 0, 0, 1});
}

TEST_CASE("components that two channels or none name are written as documented") {
    std::array<uint8_t, 4> texel{};
    const Values components{as_bits(1.0F), as_bits(0.0F), as_bits(0.0F), as_bits(0.2F)};
    encode_texel(exec::format_info(Format::L8A8_UNORM), components, IntegerKind::Unsigned,
                 texel.data());
    CHECK(texel[0] == 255);  // luminance is red
    CHECK(texel[1] == 51);
    encode_texel(exec::format_info(Format::R8G8B8X8_UNORM), components, IntegerKind::Unsigned,
                 texel.data());
    CHECK(texel[3] == 51);  // the unused channel is written as alpha
}
