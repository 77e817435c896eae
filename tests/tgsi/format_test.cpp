// Format test: checks round trips of all codes, and conversions of special values.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/texel_format.hpp"
#include "tests/tgsi/tgsi_kit.hpp"

#include <cmath>
#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::tgsi;
using namespace valkyr::tgsi::test;

namespace {

constexpr uint32_t kNan = 0x7FC00000;
constexpr uint32_t kInf = 0x7F800000;
constexpr uint32_t kOne = 0x3F800000;

TexelFormat format(std::string_view name) {
    auto result = texel_format(name);
    REQUIRE_MESSAGE(result.has_value(), name);
    return *result;
}

Word4 decoded(std::string_view name, const std::vector<uint8_t>& bytes) {
    const TexelFormat f = format(name);
    REQUIRE(bytes.size() == f.bytes);
    return decode_texel(f, bytes.data());
}

std::vector<uint8_t> encoded(std::string_view name, const Word4& value) {
    const TexelFormat f = format(name);
    std::vector<uint8_t> out(f.bytes);
    encode_texel(f, value, out.data());
    return out;
}

using Bytes = std::vector<uint8_t>;

}  // namespace

TEST_CASE("channels lie from the lowest bits upwards") {
    CHECK(decoded("R8G8B8A8_UNORM", {255, 0, 0, 255}) == floats(1, 0, 0, 1));
    CHECK(decoded("B8G8R8A8_UNORM", {255, 0, 0, 0}) == floats(0, 0, 1, 0));
    CHECK(decoded("A8R8G8B8_UNORM", {255, 255, 0, 0}) == floats(1, 0, 0, 1));
    CHECK(decoded("B8G8R8X8_UNORM", {0, 0, 255, 0}) == floats(1, 0, 0, 1));
    CHECK(decoded("B5G6R5_UNORM", {0x00, 0xF8}) == floats(1, 0, 0, 1));
    CHECK(decoded("B5G6R5_UNORM", {0xE0, 0x07}) == floats(0, 1, 0, 1));
    CHECK(decoded("B5G5R5A1_UNORM", {0x1F, 0x80}) == floats(0, 0, 1, 1));
    CHECK(decoded("R10G10B10A2_UNORM", {0xFF, 0x03, 0x00, 0xC0}) == floats(1, 0, 0, 1));
    CHECK(decoded("L8A8_UNORM", {255, 0}) == floats(1, 1, 1, 0));
    CHECK(decoded("A8_UNORM", {255}) == floats(0, 0, 0, 1));
    CHECK(decoded("I8_UNORM", {255}) == floats(1, 1, 1, 1));
    CHECK(decoded("D24_UNORM_S8_UINT", {0xFF, 0xFF, 0xFF, 7}) == floats(1, 0, 0, 1));
    CHECK(decoded("Z32_FLOAT_S8X24_UINT", {0, 0, 0x80, 0x3F, 7, 0, 0, 0}) == floats(1, 0, 0, 1));
    CHECK(decoded("R32G32_UINT", {1, 0, 0, 0, 2, 0, 0, 0}) == Word4{1, 2, 0, 1});
    CHECK(decoded("R16_SINT", {0xFE, 0xFF}) == Word4{0xFFFFFFFE, 0, 0, 1});
    CHECK(encoded("B8G8R8A8_UNORM", floats(1, 0.5F, 0, 1)) == Bytes{0, 128, 255, 255});
    CHECK(encoded("R8G8_UINT", {7, 300, 0, 0}) == Bytes{7, 255});
}

TEST_CASE("names that are not formats are refused") {
    for (const char* name : {"", "NONE", "R8", "R8_", "R8_FOO", "R8G8B8A8", "Q8_UNORM", "R0_UNORM",
                             "R33_UNORM", "R64_FLOAT", "R7_UNORM", "R24_FLOAT", "R5_SRGB",
                             "DXT1_RGB", "R8R8R8R8R8_UNORM", "R999999999999_UNORM", "_UNORM"})
        CHECK_MESSAGE(texel_format(name).error().code == Errc::Unsupported, name);
}

TEST_CASE("every code of unorm and snorm channels of up to 16 bits survives") {
    for (uint8_t size = 1; size <= 16; ++size) {
        FormatChannel unorm{'R', size, 0, ChannelType::Unorm};
        for (uint32_t code = 0; code < 1U << size; ++code)
            REQUIRE(encode(unorm, decode(unorm, code)) == code);
        if (size == 1)
            continue;
        FormatChannel snorm{'R', size, 0, ChannelType::Snorm};
        const uint32_t lowest = 1U << (size - 1);
        for (uint32_t code = 0; code < 1U << size; ++code)
            REQUIRE(encode(snorm, decode(snorm, code)) == (code == lowest ? lowest + 1 : code));
        CHECK(decode(snorm, lowest) == bits(-1.0F));
    }
    FormatChannel depth{'D', 24, 0, ChannelType::Unorm};
    for (uint32_t code = 0; code < 1U << 24; code += 1021)
        REQUIRE(encode(depth, decode(depth, code)) == code);
    CHECK(decode(depth, 0xFFFFFF) == kOne);
}

TEST_CASE("encoding limits values; NaN becomes 0, in floats NaN") {
    CHECK(encoded("R8G8B8A8_UNORM", {kNan, kInf, 0xFF800000, bits(-0.0F)}) == Bytes{0, 255, 0, 0});
    CHECK(encoded("R8G8B8A8_SNORM", {kNan, kInf, 0xFF800000, bits(-7.0F)}) ==
          Bytes{0, 127, 129, 129});
    CHECK(encoded("R8_SINT", {static_cast<uint32_t>(-300), 0, 0, 0}) == Bytes{0x80});
    CHECK(encoded("R8_SINT", {300, 0, 0, 0}) == Bytes{0x7F});
    CHECK(encoded("R32_FLOAT", {0xFFC12345, 0, 0, 0}) == Bytes{0, 0, 0xC0, 0x7F});
    CHECK(encoded("R16_FLOAT", {0xFFC12345, 0, 0, 0}) == Bytes{0, 0x7E});
    // Halves round to even: 0.5 / 255 and 1.5 / 255 go to 0 and 2.
    CHECK(encoded("R8G8_UNORM", floats(0.5F / 255, 1.5F / 255)) == Bytes{0, 2});
}

TEST_CASE("sRGB follows the curve both ways; its alpha is linear") {
    CHECK(decoded("R8G8B8A8_SRGB", {255, 0, 10, 128}) ==
          Word4{kOne, 0, bits(static_cast<float>(10 / 255.0 / 12.92)), 0x3F008081});
    // 188/255 of the curve: ((188/255 + 0.055) / 1.055)^2.4 = 0.50288650513...
    CHECK(decoded("R8G8B8A8_SRGB", {188, 0, 0, 0})[0] == bits(0.5028864580325687F));
    FormatChannel srgb{'R', 8, 0, ChannelType::Srgb};
    for (uint32_t code = 0; code < 256; ++code)
        CHECK(encode(srgb, decode(srgb, code)) == code);
    CHECK(encode(srgb, bits(0.5F)) == 188);
    CHECK(encode(srgb, kNan) == 0);
}

TEST_CASE("small floats: 11 and 10 bits without sign, shared exponents") {
    CHECK(encoded("R11G11B10_FLOAT", floats(1, 1, 1)) == Bytes{0xC0, 0x03, 0x1E, 0x78});
    CHECK(decoded("R11G11B10_FLOAT", {0xC0, 0x03, 0x1E, 0x78}) == floats(1, 1, 1, 1));
    CHECK(encoded("R11G11B10_FLOAT", {bits(-1.0F), kInf, kNan, 0}) ==
          encoded("R11G11B10_FLOAT", {0, kInf, kNan, 0}));
    for (const uint8_t size : {uint8_t{11}, uint8_t{10}}) {
        FormatChannel channel{'R', size, 0, ChannelType::Float};
        const uint32_t infinity = 31U << (size - 5);
        for (uint32_t code = 0; code <= infinity; ++code)
            CHECK(encode(channel, decode(channel, code)) == code);
        // Halfway between the largest number and infinity.
        const float largest = std::ldexp(2.0F - std::ldexp(1.0F, 5 - size), 15);
        const float middle = std::ldexp(2.0F - std::ldexp(1.0F, 4 - size), 15);
        CHECK(encode(channel, bits(largest)) == infinity - 1);
        CHECK(encode(channel, bits(std::nextafter(middle, 0.0F))) == infinity - 1);
        CHECK(encode(channel, bits(middle)) == infinity);
    }
    CHECK(decoded("R9G9B9E5_FLOAT", {0x00, 0x01, 0x00, 0x80}) == floats(1, 0, 0, 1));
    CHECK(encoded("R9G9B9E5_FLOAT", floats(1, 0, 0)) == Bytes{0x00, 0x01, 0x00, 0x80});
    CHECK(decoded("R9G9B9E5_FLOAT", encoded("R9G9B9E5_FLOAT", floats(65408, 1e9F, -3))) ==
          floats(65408, 65408, 0, 1));
    CHECK(encoded("R9G9B9E5_FLOAT", {kNan, 0, 0, 0}) == Bytes{0, 0, 0, 0});
}
