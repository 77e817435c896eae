// Block decoding: decodes S3TC and RGTC (BC1 to BC5).
// SPDX-License-Identifier: MIT
//
// Interpolated values are exact thirds, fifths and sevenths of the 8-bit end points, rounded to the
// nearest code; the denominators are odd, so there are no ties.
#include "raster/formats/block_formats.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {
namespace {

uint64_t load_word(const uint8_t* bytes) {
    uint64_t word = 0;
    std::memcpy(&word, bytes, 8);
    return word;
}

/// n bits to 8 by repeating the highest ones below.
uint8_t widen(unsigned value, unsigned bits) {
    return static_cast<uint8_t>(value << (8 - bits) | value >> (2 * bits - 8));
}

Rgba8 expand_565(unsigned color) {
    return {widen(color >> 11, 5), widen(color >> 5 & 63, 6), widen(color & 31, 5), 255};
}

/// (wa * a + wb * b) / (wa + wb) of each component.
Rgba8 mix(const Rgba8& a, const Rgba8& b, unsigned wa, unsigned wb) {
    Rgba8 result{};
    const unsigned sum = wa + wb;
    for (unsigned c = 0; c < 4; ++c)
        result[c] = static_cast<uint8_t>((wa * a[c] + wb * b[c] + sum / 2) / sum);
    return result;
}

/// The value nearest to n / d, d odd.
int nearest(int n, int d) {
    return n >= 0 ? (n + d / 2) / d : -((-n + d / 2) / d);
}

/// The eight values of an RGTC block; `least` and `most` are the ends of the range.
std::array<int, 8> rgtc_palette(int first, int second, bool eight_values, int least, int most) {
    std::array<int, 8> palette{first, second};
    if (eight_values) {
        for (int i = 1; i < 7; ++i)
            palette[static_cast<unsigned>(i) + 1] = nearest((7 - i) * first + i * second, 7);
        return palette;
    }
    for (int i = 1; i < 5; ++i)
        palette[static_cast<unsigned>(i) + 1] = nearest((5 - i) * first + i * second, 5);
    palette[6] = least;
    palette[7] = most;
    return palette;
}

template <typename T>
std::array<T, 16> rgtc_texels(const uint8_t* block, const std::array<int, 8>& palette) {
    const uint64_t indices = load_word(block) >> 16;
    std::array<T, 16> texels;
    for (unsigned i = 0; i < 16; ++i)
        texels[i] = static_cast<T>(palette[indices >> (3 * i) & 7]);
    return texels;
}

}  // namespace

void decode_s3tc_colors(const uint8_t* block, S3tcAlpha alpha, RgbaBlock& out) noexcept {
    const uint64_t word = load_word(block);
    const auto first = static_cast<unsigned>(word & 0xFFFF);
    const auto second = static_cast<unsigned>(word >> 16 & 0xFFFF);
    std::array<Rgba8, 4> palette{expand_565(first), expand_565(second)};
    if (first > second || alpha == S3tcAlpha::FourColor) {
        palette[2] = mix(palette[0], palette[1], 2, 1);
        palette[3] = mix(palette[0], palette[1], 1, 2);
    } else {
        for (unsigned c = 0; c < 3; ++c)
            palette[2][c] = static_cast<uint8_t>((palette[0][c] + palette[1][c] + 1) / 2);
        palette[2][3] = 255;
        palette[3] = {0, 0, 0, static_cast<uint8_t>(alpha == S3tcAlpha::Punch ? 0 : 255)};
    }
    for (unsigned i = 0; i < 16; ++i)
        out[i] = palette[word >> (32 + 2 * i) & 3];
}

void decode_s3tc_alpha(const uint8_t* block, RgbaBlock& out) noexcept {
    const uint64_t word = load_word(block);
    for (unsigned i = 0; i < 16; ++i)
        out[i][3] = static_cast<uint8_t>((word >> (4 * i) & 15) * 17);
}

std::array<uint8_t, 16> decode_rgtc_unsigned(const uint8_t* block) noexcept {
    return rgtc_texels<uint8_t>(block,
                                rgtc_palette(block[0], block[1], block[0] > block[1], 0, 255));
}

std::array<int8_t, 16> decode_rgtc_signed(const uint8_t* block) noexcept {
    const auto first = static_cast<int8_t>(block[0]);
    const auto second = static_cast<int8_t>(block[1]);
    // -128 and -127 both mean -1; the comparison uses the codes as they are.
    return rgtc_texels<int8_t>(block,
                               rgtc_palette(std::max<int>(first, -127), std::max<int>(second, -127),
                                            first > second, -127, 127));
}

}  // namespace valkyr::raster
