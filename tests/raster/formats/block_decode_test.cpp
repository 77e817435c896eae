// Block decode test: checks blocks by hand, exact rounding, and digests of another decoder.
// SPDX-License-Identifier: MIT
#include "exec/calls.hpp"
#include "raster/formats/block_decode.hpp"
#include "raster/formats/block_formats.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <random>
#include <string>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;
using exec::Format;

namespace {

/// xorshift64*, so that all hosts generate equal blocks.
struct Generator {
    uint64_t state = 0x9E3779B97F4A7C15;
    uint64_t next() {
        state ^= state >> 12;
        state ^= state << 25;
        state ^= state >> 27;
        return state * 0x2545F4914F6CDD1D;
    }
};

using Adjust = std::function<void(uint8_t* block, unsigned i)>;

/// FNV-1a hash of the texels of 4096 generated blocks.
uint64_t digest(Format format, const Adjust& adjust) {
    Generator generator;
    uint64_t hash = 0xCBF29CE484222325;
    const size_t bytes = size_t{16} * exec::format_info(storage_format(format)).block_bytes;
    for (unsigned i = 0; i < 4096; ++i) {
        std::array<uint8_t, 16> block;
        for (unsigned half = 0; half < 2; ++half) {
            const uint64_t word = generator.next();
            std::memcpy(block.data() + 8 * half, &word, 8);
        }
        adjust(block.data(), i);
        std::array<uint8_t, 128> texels{};
        decode_block(format, block.data(), texels.data());
        for (size_t k = 0; k < bytes; ++k) {
            hash ^= texels[k];
            hash *= 0x100000001B3;
        }
    }
    return hash;
}

std::vector<uint8_t> decode(Format format, std::vector<uint8_t> block) {
    block.resize(16);
    std::vector<uint8_t> texels(size_t{16} * exec::format_info(storage_format(format)).block_bytes);
    decode_block(format, block.data(), texels.data());
    return texels;
}

/// A block of an ETC format from its big-endian word.
std::vector<uint8_t> big_endian(uint64_t word) {
    std::vector<uint8_t> bytes(8);
    for (unsigned i = 0; i < 8; ++i)
        bytes[i] = static_cast<uint8_t>(word >> (56 - 8 * i));
    return bytes;
}

using Texel = std::array<int, 4>;
Texel rgba(const std::vector<uint8_t>& texels, unsigned i) {
    return {texels[4 * i], texels[4 * i + 1], texels[4 * i + 2], texels[4 * i + 3]};
}

}  // namespace

TEST_CASE("all modes of BC6H, BC7, ETC2 and EAC agree with an independent decoder") {
    const Adjust none = [](uint8_t*, unsigned) {};
    const Adjust bc7_modes = [](uint8_t* block, unsigned i) {
        const unsigned mode = i % 9;  // the ninth mode is reserved
        block[0] = mode < 8 ? static_cast<uint8_t>(block[0] << (mode + 1) | 1 << mode) : 0;
    };
    const Adjust bc6h_modes = [](uint8_t* block, unsigned i) {
        block[0] = static_cast<uint8_t>((block[0] & ~31) | static_cast<int>(i % 32));
    };
    const Adjust zero_multipliers = [](uint8_t* block, unsigned i) {
        if (i % 4 == 0)
            block[1] &= 15;
    };
    CHECK(digest(Format::BC7_RGBA_UNORM, bc7_modes) == 0xA44A08946767FD40);
    CHECK(digest(Format::BC6H_RGB_UFLOAT, bc6h_modes) == 0xFED89DA869B7D291);
    CHECK(digest(Format::BC6H_RGB_SFLOAT, bc6h_modes) == 0x7ED7D8095E91D5BD);
    CHECK(digest(Format::ETC2_RGB8_UNORM, none) == 0xB6177878D0F9FB37);
    CHECK(digest(Format::ETC2_RGB8A1_UNORM, none) == 0x20AC659AC80A769B);
    CHECK(digest(Format::ETC2_RGBA8_UNORM, none) == 0x09BA85B4026A94B9);
    CHECK(digest(Format::EAC_R11_UNORM, zero_multipliers) == 0x4CC4AFA9EF99D05E);
    CHECK(digest(Format::EAC_RG11_UNORM, none) == 0xA85344BC2E145C2B);
    CHECK(digest(Format::BC4_R_UNORM, none) == 0x6A8CB5E3347E5DB5);
    CHECK(digest(Format::BC5_RG_UNORM, none) == 0xFF15C63E134D6EB8);
}

TEST_CASE("BC1: four colours, or three and a hole, by the order of the end points") {
    // Red 31 and blue 31; indices 0, 1, 2, 3 in the first row.
    const std::vector<uint8_t> four{0x00, 0xF8, 0x1F, 0x00, 0xE4, 0, 0, 0};
    auto texels = decode(Format::BC1_RGBA_UNORM, four);
    CHECK(rgba(texels, 0) == Texel{255, 0, 0, 255});
    CHECK(rgba(texels, 1) == Texel{0, 0, 255, 255});
    CHECK(rgba(texels, 2) == Texel{170, 0, 85, 255});
    CHECK(rgba(texels, 3) == Texel{85, 0, 170, 255});
    const std::vector<uint8_t> three{0x1F, 0x00, 0x00, 0xF8, 0xE4, 0, 0, 0};
    texels = decode(Format::BC1_RGBA_UNORM, three);
    CHECK(rgba(texels, 2) == Texel{128, 0, 128, 255});
    CHECK(rgba(texels, 3) == Texel{0, 0, 0, 0});
    CHECK(rgba(decode(Format::BC1_RGB_UNORM, three), 3) == Texel{0, 0, 0, 255});
    // BC2 and BC3 always have four colours.
    std::vector<uint8_t> bc2(8, 0x3F);
    bc2.insert(bc2.end(), three.begin(), three.end());
    texels = decode(Format::BC2_RGBA_UNORM, bc2);
    CHECK(rgba(texels, 2) == Texel{85, 0, 170, 255});
    CHECK(rgba(texels, 3) == Texel{170, 0, 85, 51});
}

TEST_CASE("BC1: interpolated values are the exact thirds, to the nearest code") {
    std::mt19937 random(8);
    for (unsigned i = 0; i < 2000; ++i) {
        std::vector<uint8_t> block(8);
        for (uint8_t& byte : block)
            byte = static_cast<uint8_t>(random());
        block[4] = 0xE4;
        const auto texels = decode(Format::BC3_RGBA_UNORM, [&] {
            std::vector<uint8_t> bc3(8);
            bc3.insert(bc3.end(), block.begin(), block.end());
            return bc3;
        }());
        for (unsigned c = 0; c < 3; ++c) {
            const double a = texels[c], b = texels[4 + c];
            REQUIRE(texels[8 + c] == std::lround((2 * a + b) / 3));
            REQUIRE(texels[12 + c] == std::lround((a + 2 * b) / 3));
        }
    }
}

TEST_CASE("RGTC: eight values, or six and the ends of the range; both signs") {
    const auto indexed = [](uint8_t first, uint8_t second) {
        // Indices 0..7 in the first eight texels.
        uint64_t word = first | uint64_t{second} << 8;
        for (unsigned i = 0; i < 8; ++i)
            word |= uint64_t{i} << (16 + 3 * i);
        std::vector<uint8_t> block(8);
        std::memcpy(block.data(), &word, 8);
        return block;
    };
    auto texels = decode(Format::BC4_R_UNORM, indexed(200, 11));
    for (int i = 1; i < 7; ++i)
        CHECK(texels[static_cast<unsigned>(i) + 1] == std::lround(((7 - i) * 200 + i * 11) / 7.0));
    texels = decode(Format::BC4_R_UNORM, indexed(11, 200));
    for (int i = 1; i < 5; ++i)
        CHECK(texels[static_cast<unsigned>(i) + 1] == std::lround(((5 - i) * 11 + i * 200) / 5.0));
    CHECK(texels[6] == 0);
    CHECK(texels[7] == 255);
    texels = decode(Format::BC4_R_SNORM, indexed(100, static_cast<uint8_t>(-90)));
    for (int i = 1; i < 7; ++i)
        CHECK(static_cast<int8_t>(texels[static_cast<unsigned>(i) + 1]) ==
              std::lround(((7 - i) * 100 - i * 90) / 7.0));
    texels = decode(Format::LATC1_L_SNORM, indexed(0x80, 5));  // -128 counts as -127
    CHECK(static_cast<int8_t>(texels[0]) == -127);
    CHECK(static_cast<int8_t>(texels[2]) == std::lround((4 * -127 + 5) / 5.0));
    CHECK(static_cast<int8_t>(texels[6]) == -127);
    CHECK(texels[7] == 127);
    std::vector<uint8_t> two = indexed(10, 0);
    const auto second = indexed(20, 0);
    two.insert(two.end(), second.begin(), second.end());
    texels = decode(Format::BC5_RG_UNORM, two);
    CHECK(texels[0] == 10);
    CHECK(texels[1] == 20);
}

TEST_CASE("ETC2: halves, differences and planes by hand") {
    // Individual: left half 0x8 grey, right half 0xF grey, tables 0 and 7, all indices 0 (+small).
    auto texels = decode(Format::ETC2_RGB8_UNORM, big_endian(0x8F8F'8F1C'0000'0000));
    CHECK(rgba(texels, 0) == Texel{138, 138, 138, 255});
    CHECK(rgba(texels, 3) == Texel{255, 255, 255, 255});
    // Individual with the halves one above the other, and all indices 3 (-large).
    texels = decode(Format::ETC1_RGB8_UNORM, big_endian(0x8F8F'8F1D'FFFF'FFFF));
    CHECK(rgba(texels, 3) == Texel{128, 128, 128, 255});
    CHECK(rgba(texels, 12) == Texel{72, 72, 72, 255});
    // Differential: 16 grey in 5 bits, the second half one less; not opaque in punch-through.
    texels = decode(Format::ETC2_RGB8_UNORM, big_endian(0x8787'8702'0000'0000));
    CHECK(rgba(texels, 0) == Texel{134, 134, 134, 255});
    CHECK(rgba(texels, 2) == Texel{125, 125, 125, 255});
    texels = decode(Format::ETC2_RGB8A1_UNORM, big_endian(0x8787'8700'0001'0000));
    CHECK(rgba(texels, 0) == Texel{0, 0, 0, 0});
    CHECK(rgba(texels, 4) == Texel{132, 132, 132, 255});
}

TEST_CASE("EAC: 11-bit values widened to 16 bits, both signs") {
    // Base 128, multiplier 1, table 0, all indices 4 (+2): 128 * 8 + 4 + 16 = 1044.
    const uint64_t indices = 0x924924924924;
    auto texels = decode(Format::EAC_R11_UNORM, big_endian(0x8010ULL << 48 | indices));
    uint16_t value = 0;
    std::memcpy(&value, texels.data() + 10, 2);
    CHECK(value == (1044 << 5 | 1044 >> 6));
    // Signed: base -64, multiplier 0: -512 + 2 = -510.
    texels = decode(Format::EAC_R11_SNORM, big_endian(0xC000ULL << 48 | indices));
    int16_t negative = 0;
    std::memcpy(&negative, texels.data(), 2);
    CHECK(negative == -(510 << 5 | 510 >> 5));
    // The ends of the range: -1023 is -32767, 1023 is 32767.
    texels = decode(Format::EAC_RG11_SNORM, [&] {
        auto low = big_endian(0x80F0ULL << 48);  // index 0: -3 * 15 * 8 below -1016
        const auto high = big_endian(0x7FF0ULL << 48 | 0xFFFFFFFFFFFF);  // index 7: +14
        low.insert(low.end(), high.begin(), high.end());
        return low;
    }());
    std::array<int16_t, 2> ends{};
    std::memcpy(ends.data(), texels.data(), 4);
    CHECK(ends[0] == -32767);
    CHECK(ends[1] == 32767);
}

TEST_CASE("every compressed format has a plain one of its own channels") {
    for (unsigned i = 0; i < exec::kFormatCount; ++i) {
        const auto format = static_cast<Format>(i);
        const exec::FormatInfo& info = exec::format_info(format);
        const exec::FormatInfo& storage = exec::format_info(storage_format(format));
        CAPTURE(info.name);
        if (info.layout != exec::FormatLayout::Block) {
            CHECK(storage_format(format) == format);
            continue;
        }
        CHECK(storage.layout == exec::FormatLayout::Array);
        CHECK(storage.type == info.type);
        CHECK(storage.srgb == info.srgb);
        CHECK(storage.channel_count == info.channel_count);
        for (unsigned c = 0; c < 4; ++c) {
            CHECK(storage.bits[c] == info.bits[c]);
            CHECK(storage.swizzle[c] == info.swizzle[c]);
        }
    }
}

TEST_CASE("blocks side by side become tiles in lane order") {
    for (unsigned f = 1; f < exec::kFormatCount; ++f) {
        const auto format = static_cast<Format>(f);
        const exec::FormatInfo& info = exec::format_info(format);
        if (info.layout != exec::FormatLayout::Block)
            continue;
        CAPTURE(info.name);
        constexpr unsigned count = 5;
        const size_t bytes = exec::format_info(storage_format(format)).block_bytes;
        std::mt19937 random(f);
        std::vector<uint8_t> blocks(size_t{count} * info.block_bytes);
        for (uint8_t& byte : blocks)
            byte = static_cast<uint8_t>(random());
        std::vector<uint8_t> tiles(count * exec::kLanes * bytes);
        decode_tiles(format, blocks.data(), count, tiles.data());
        for (unsigned b = 0; b < count; ++b) {
            std::vector<uint8_t> texels(exec::kLanes * bytes);
            decode_block(format, blocks.data() + size_t{b} * info.block_bytes, texels.data());
            for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
                const unsigned texel = 4 * exec::lane_y(lane) + exec::lane_x(lane);
                const uint8_t* found = tiles.data() + (size_t{b} * exec::kLanes + lane) * bytes;
                CHECK(std::equal(found, found + bytes, texels.data() + texel * bytes));
            }
        }
    }
}
