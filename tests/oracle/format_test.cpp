// Format test: compares the reference renderer's conversions with hand computation.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/oracle/format.hpp"

#include <cmath>
#include <doctest/doctest.h>
#include <limits>
#include <vector>

namespace valkyr::reference {
namespace {

using exec::Format;

Vec4 floats(float r, float g, float b, float a) {
    return {as_bits(r), as_bits(g), as_bits(b), as_bits(a)};
}

std::vector<uint8_t> encoded(Format format, const Vec4& rgba, uint8_t mask = 0xF) {
    std::vector<uint8_t> texel(row(format).block_bytes, 0);
    encode_texel(format, rgba, mask, texel.data());
    return texel;
}

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

TEST_CASE("rgba8 stores red first and rounds to the nearest code") {
    CHECK(encoded(Format::R8G8B8A8_UNORM, floats(1, 0, 0.5F, 0.2F)) ==
          std::vector<uint8_t>{255, 0, 128, 51});
    CHECK(encoded(Format::B8G8R8A8_UNORM, floats(1, 0, 0.5F, 0.2F)) ==
          std::vector<uint8_t>{128, 0, 255, 51});
    CHECK(encoded(Format::R8G8B8A8_UNORM, floats(-1, 2, kNan, 0.001F)) ==
          std::vector<uint8_t>{0, 255, 0, 0});
}

TEST_CASE("the write mask keeps the other channels") {
    uint8_t texel[4] = {1, 2, 3, 4};
    encode_texel(Format::B8G8R8A8_UNORM, floats(1, 1, 1, 1), 0b0001, texel);
    CHECK(std::vector<uint8_t>(texel, texel + 4) == std::vector<uint8_t>{1, 2, 255, 4});
}

TEST_CASE("packed 565 puts blue in the low bits") {
    CHECK(encoded(Format::B5G6R5_UNORM, floats(1, 0, 0, 1)) == std::vector<uint8_t>{0x00, 0xF8});
    CHECK(encoded(Format::B5G6R5_UNORM, floats(0, 1, 0, 1)) == std::vector<uint8_t>{0xE0, 0x07});
    CHECK(encoded(Format::B5G6R5_UNORM, floats(0, 0, 1, 1)) == std::vector<uint8_t>{0x1F, 0x00});
}

TEST_CASE("every unorm and snorm code survives decode and encode") {
    for (const Format format : {Format::R8_UNORM, Format::R16_UNORM, Format::R16G16_SNORM,
                                Format::R8G8B8A8_SNORM, Format::D16_UNORM}) {
        const unsigned bits = row(format).bits[0];
        for (uint32_t code = 0; code < 1U << bits; code++) {
            const uint32_t again = encode_channel(format, 0, decode_channel(format, 0, code));
            const bool lowest_snorm =
                row(format).type == exec::ChannelType::Snorm && code == 1U << (bits - 1);
            const uint32_t same = static_cast<uint32_t>(bit_mask(0, bits)) & again;
            REQUIRE(same == (lowest_snorm ? code + 1 : code));
        }
    }
}

TEST_CASE("half floats: known codes") {
    CHECK(encode_small_float(1.0F, 10, true) == 0x3C00);
    CHECK(encode_small_float(-2.0F, 10, true) == 0xC000);
    CHECK(encode_small_float(65504.0F, 10, true) == 0x7BFF);
    CHECK(encode_small_float(65519.0F, 10, true) == 0x7BFF);
    CHECK(encode_small_float(65520.0F, 10, true) == 0x7C00);
    CHECK(encode_small_float(0x1p-24F, 10, true) == 0x0001);
    CHECK(encode_small_float(0x1p-25F, 10, true) == 0x0000);  // tie to even
    CHECK(encode_small_float(0x1.8p-24F, 10, true) == 0x0002);
    CHECK(encode_small_float(0x1p-14F, 10, true) == 0x0400);
    CHECK(encode_small_float(kNan, 10, true) == 0x7E00);
    CHECK(encode_small_float(-0.0F, 10, true) == 0x8000);
    CHECK(encode_small_float(-1.0F, 6, false) == 0);
    CHECK(encode_small_float(1.0F, 6, false) == 0x3C0);
    CHECK(encode_small_float(1.0F, 5, false) == 0x1E0);
}

TEST_CASE("every finite half survives decode and encode") {
    for (uint32_t code = 0; code < 0x10000; code++)
        if ((code & 0x7C00) != 0x7C00)
            REQUIRE(encode_small_float(decode_small_float(code, 10, true), 10, true) == code);
}

TEST_CASE("shared exponent texels") {
    // mantissas 256, 128, 0 with exponent 16: 256 * 2^(16-24) = 1, then 1/2, 0.
    const uint32_t word = 256U | 128U << 9 | 16U << 27;
    uint8_t texel[4];
    for (unsigned i = 0; i < 4; i++)
        texel[i] = static_cast<uint8_t>(word >> (8 * i));
    CHECK(decode_texel(Format::R9G9B9E5_FLOAT, texel) == floats(1, 0.5F, 0, 1));
}

TEST_CASE("sRGB: ends, the linear part, and all codes survive") {
    CHECK(srgb_to_linear(0) == 0.0F);
    CHECK(srgb_to_linear(255) == 1.0F);
    CHECK(srgb_to_linear(10) == static_cast<float>(10.0 / 255 / 12.92));
    CHECK(srgb_to_linear(188) == doctest::Approx(0.502886).epsilon(1e-5));
    for (uint32_t code = 0; code < 256; code++)
        CHECK(linear_to_srgb(srgb_to_linear(code)) == code);
}

TEST_CASE("integers clamp to the range of their channel") {
    CHECK(encoded(Format::R8G8B8A8_UINT, {300, 5, 0, 255}) == std::vector<uint8_t>{255, 5, 0, 255});
    CHECK(encoded(Format::R8G8B8A8_SINT, {300, static_cast<uint32_t>(-300), 7, ~0U}) ==
          std::vector<uint8_t>{127, 128, 7, 255});
}

TEST_CASE("missing components decode to 0, 0, 0, 1") {
    const uint8_t red[1] = {255};
    CHECK(decode_texel(Format::R8_UNORM, red) == floats(1, 0, 0, 1));
    const uint8_t uint_red[4] = {7, 0, 0, 0};
    CHECK(decode_texel(Format::R32_UINT, uint_red) == Vec4{7, 0, 0, 1});
}

TEST_CASE("an unread channel is written like alpha") {
    CHECK(encoded(Format::R8G8B8X8_UNORM, floats(0, 0, 0, 0.2F)) ==
          std::vector<uint8_t>{0, 0, 0, 51});
    CHECK(encoded(Format::X8R8G8B8_UNORM, floats(1, 0, 0, 0.2F)) ==
          std::vector<uint8_t>{51, 255, 0, 0});
    CHECK(encoded(Format::L8_UNORM, floats(0.2F, 1, 1, 1)) == std::vector<uint8_t>{51});
}

TEST_CASE("depth may be the low or the high bits beside the stencil") {
    CHECK(depth_channel(Format::D24_UNORM_S8_UINT) == 0);
    CHECK(stencil_channel(Format::D24_UNORM_S8_UINT) == 1);
    CHECK(depth_channel(Format::S8_UINT_D24_UNORM) == 1);
    CHECK(stencil_channel(Format::S8_UINT_D24_UNORM) == 0);
    CHECK_FALSE(has_stencil(Format::D24_UNORM_X8_UINT));
    CHECK_FALSE(has_depth(Format::S8_UINT));
    CHECK(has_stencil(Format::S8_UINT));
}

TEST_CASE("depth codes keep the order of depth") {
    CHECK(encode_depth(Format::D16_UNORM, 1.0F) == 0xFFFF);
    CHECK(encode_depth(Format::D24_UNORM_S8_UINT, 1.0F) == 0xFFFFFF);
    CHECK(encode_depth(Format::D24_UNORM_S8_UINT, 0.5F) == 0x800000);  // 8388607.5 to even
    CHECK(encode_depth(Format::D32_FLOAT, 0.25F) == as_bits(0.25F));
}

}  // namespace
}  // namespace valkyr::reference
