// Block decode test: compares decoded blocks with hand-computed values.
// SPDX-License-Identifier: MIT
#include "tests/oracle/block_decode.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::reference {
namespace {

using exec::Format;

/// Bits from the lowest of the first byte on.
class LowFirst {
public:
    LowFirst& put(unsigned value, unsigned bits) {
        for (unsigned i = 0; i < bits; i++, at_++)
            bytes[at_ / 8] = static_cast<uint8_t>(bytes[at_ / 8] | (value >> i & 1) << at_ % 8);
        return *this;
    }
    std::array<uint8_t, 16> bytes{};

private:
    unsigned at_ = 0;
};

/// Eight bytes, the highest first.
std::array<uint8_t, 8> high_first(uint64_t word) {
    std::array<uint8_t, 8> bytes{};
    for (size_t i = 0; i < 8; i++)
        bytes[i] = static_cast<uint8_t>(word >> (56 - 8 * i));
    return bytes;
}

unsigned word_of(const std::array<uint8_t, 8>& texel, size_t channel) {
    return texel[2 * channel] | unsigned{texel[2 * channel + 1]} << 8;
}

}  // namespace

TEST_CASE("BC7 mode 6: seven bits and a P-bit, sixteen steps") {
    LowFirst block;
    block.put(1 << 6, 7);
    for (const unsigned end : {0U, 127U, 127U, 127U, 64U, 0U, 127U, 127U})
        block.put(end, 7);  // r, g, b, a of both ends
    block.put(0, 1).put(1, 1);
    block.put(0, 3).put(15, 4).put(8, 4);
    const auto texels = decode_block(Format::BC7_RGBA_UNORM, block.bytes.data());
    // Ends: (0, 254, 128, 254) and (255, 255, 1, 255).
    CHECK(texels[0] == std::array<uint8_t, 8>{0, 254, 128, 254});
    CHECK(texels[1] == std::array<uint8_t, 8>{255, 255, 1, 255});
    // Index 8 weighs 34 of 64: (34 * 255 + 32) / 64 = 135.9, (30 * 128 + 34 + 32) / 64 = 61.03.
    CHECK(texels[2][0] == 135);
    CHECK(texels[2][2] == 61);
}

TEST_CASE("BC7 mode 1: the second subset has its own colours and anchor; reserved blocks are 0") {
    LowFirst block;
    block.put(2, 2).put(0, 6);  // partition 0: columns 2 and 3 are subset 1
    for (unsigned channel = 0; channel < 3; channel++)
        block.put(0, 6).put(0, 6).put(63, 6).put(63, 6);
    block.put(0, 1).put(1, 1);
    const auto texels = decode_block(Format::BC7_RGBA_SRGB, block.bytes.data());
    CHECK(texels[4] == std::array<uint8_t, 8>{0, 0, 0, 255});
    CHECK(texels[7] == std::array<uint8_t, 8>{255, 255, 255, 255});
    const std::array<uint8_t, 16> reserved{};
    CHECK(decode_block(Format::BC7_RGBA_UNORM, reserved.data())[5] == std::array<uint8_t, 8>{});
}

TEST_CASE("BC6H mode 3: the largest number is the largest half; signs are kept") {
    LowFirst block;
    block.put(3, 5);
    for (const unsigned end : {1023U, 512U, 0U, 1023U, 512U, 0U})
        block.put(end, 10);
    const auto plain = decode_block(Format::BC6H_RGB_UFLOAT, block.bytes.data());
    CHECK(word_of(plain[0], 0) == 0x7BFF);
    // ((512 << 15) + 0x4000) >> 9 = 32800, times 31 / 64.
    CHECK(word_of(plain[9], 1) == 15887);
    CHECK(word_of(plain[9], 2) == 0);
    CHECK(word_of(plain[9], 3) == 0x3C00);
    const auto with_sign = decode_block(Format::BC6H_RGB_SFLOAT, block.bytes.data());
    // 1023 is -1: ((1 << 15) + 0x4000) >> 9 = 96, times 31 / 32 = 93; 512 is the most negative.
    CHECK(word_of(with_sign[0], 0) == (0x8000 | 93));
    CHECK(word_of(with_sign[0], 1) == 0xFBFF);
}

TEST_CASE("ETC2: individual, planar, T and transparent texels") {
    // Red 8 and 15 of 15 for the left and right half, tables 0 and 7; texel 0 has index 3.
    const auto individual =
        high_first(uint64_t{0x8F} << 56 | uint64_t{7} << 34 | uint64_t{1} << 16 | uint64_t{1});
    auto texels = decode_block(Format::ETC2_RGB8_UNORM, individual.data());
    CHECK(texels[0] == std::array<uint8_t, 8>{128, 0, 0, 255});
    CHECK(texels[1] == std::array<uint8_t, 8>{138, 2, 2, 255});
    CHECK(texels[3] == std::array<uint8_t, 8>{255, 47, 47, 255});
    // Planar: blue overflows (0 - 4); green's origin and steps are 0, red grows to the right.
    const auto planar =
        high_first(uint64_t{4} << 40 | uint64_t{1} << 33 | uint64_t{31} << 34 | uint64_t{1} << 32);
    texels = decode_block(Format::ETC2_RGB8_UNORM, planar.data());
    CHECK(texels[0][0] == 0);
    CHECK(texels[3][0] == 191);  // 3 * 255 / 4, rounded
    CHECK(texels[12][0] == 0);
    // Punch-through, not opaque: index 2 is transparent black.
    const auto clear = high_first(uint64_t{0x80} << 56 | uint64_t{1} << 16);
    texels = decode_block(Format::ETC2_RGB8A1_UNORM, clear.data());
    CHECK(texels[0] == std::array<uint8_t, 8>{0, 0, 0, 0});
    CHECK(texels[1] == std::array<uint8_t, 8>{132, 0, 0, 255});
}

TEST_CASE("EAC: eight and eleven bits") {
    // Base 128, multiplier 1, table 0; texel 0 has index 4 (+2), texel 4 index 0 (-3).
    const uint64_t word = uint64_t{128} << 56 | uint64_t{1} << 52 | uint64_t{4} << 45;
    std::array<uint8_t, 16> both{};
    const auto half = high_first(word);
    std::copy(half.begin(), half.end(), both.begin());
    auto texels = decode_block(Format::ETC2_RGBA8_UNORM, both.data());
    CHECK(texels[0][3] == 130);
    CHECK(texels[4][3] == 125);
    texels = decode_block(Format::EAC_R11_UNORM, half.data());
    CHECK(word_of(texels[0], 0) == (1044U << 5 | 1044U >> 6));  // 128 * 8 + 4 + 2 * 8
    texels = decode_block(Format::EAC_R11_SNORM, half.data());
    // Base -127 (from -128): -1016 + 16 = -1000.
    CHECK(word_of(texels[0], 0) == (0x10000U - (1000U << 5 | 1000U >> 5)));
}

}  // namespace valkyr::reference
