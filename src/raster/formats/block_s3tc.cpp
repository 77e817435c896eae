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

/// Red, green and blue in fields of 21 bits, so that one operation computes all three.
using Fields = uint64_t;
constexpr unsigned kField = 21;
constexpr Fields kOnes = uint64_t{1} | uint64_t{1} << kField | uint64_t{1} << (2 * kField);

/// Widens n bits to 8 by repeating the highest ones below.
uint64_t widen(uint64_t value, unsigned bits) {
    return value << (8 - bits) | value >> (2 * bits - 8);
}

Fields expand_565(unsigned color) {
    return widen(color >> 11, 5) | widen(color >> 5 & 63, 6) << kField |
           widen(color & 31, 5) << (2 * kField);
}

/// Returns the bytes of an opaque texel, red lowest.
uint32_t opaque(Fields color) {
    return static_cast<uint32_t>((color & 0xFF) | (color >> (kField - 8) & 0xFF00) |
                                 (color >> (2 * kField - 16) & 0xFF0000) | 0xFF000000);
}

/// Returns (2 a + b) / 3, rounded; n / 3 is n * 683 / 2048 for n < 1024.
Fields third_between(Fields a, Fields b) {
    return (2 * a + b + kOnes) * 683 >> 11 & 0xFF * kOnes;
}
Fields middle(Fields a, Fields b) {
    return (a + b + kOnes) >> 1 & 0xFF * kOnes;
}

/// Returns the integer nearest to n / D, D odd.
template <int D>
int nearest(int n) {
    return n >= 0 ? (n + D / 2) / D : -((-n + D / 2) / D);
}

/// Returns the eight values of an RGTC block; `least` and `most` are the ends of the range.
std::array<int, 8> rgtc_palette(int first, int second, bool eight_values, int least, int most) {
    std::array<int, 8> palette{first, second};
    if (eight_values) {
        for (int i = 1; i < 7; ++i)
            palette[static_cast<unsigned>(i) + 1] = nearest<7>((7 - i) * first + i * second);
        return palette;
    }
    for (int i = 1; i < 5; ++i)
        palette[static_cast<unsigned>(i) + 1] = nearest<5>((5 - i) * first + i * second);
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
    const Fields a = expand_565(first);
    const Fields b = expand_565(second);
    const bool four = first > second || alpha == S3tcAlpha::FourColor;
    const uint32_t black = alpha == S3tcAlpha::Punch ? 0 : 0xFF000000;
    const std::array<uint32_t, 4> palette{opaque(a), opaque(b),
                                          opaque(four ? third_between(a, b) : middle(a, b)),
                                          four ? opaque(third_between(b, a)) : black};
    for (unsigned i = 0; i < 16; ++i)
        std::memcpy(&out[i], &palette[word >> (32 + 2 * i) & 3], sizeof(uint32_t));
}

std::array<uint8_t, 16> decode_s3tc_alpha(const uint8_t* block) noexcept {
    const uint64_t word = load_word(block);
    std::array<uint8_t, 16> alpha;
    for (unsigned i = 0; i < 16; ++i)
        alpha[i] = static_cast<uint8_t>((word >> (4 * i) & 15) * 17);
    return alpha;
}

std::array<uint8_t, 16> decode_rgtc_unsigned(const uint8_t* block) noexcept {
    return rgtc_texels<uint8_t>(block,
                                rgtc_palette(block[0], block[1], block[0] > block[1], 0, 255));
}

std::array<int8_t, 16> decode_rgtc_signed(const uint8_t* block) noexcept {
    const auto first = static_cast<int8_t>(block[0]);
    const auto second = static_cast<int8_t>(block[1]);
    // -128 and -127 both mean -1; the comparison of the end points uses the stored codes.
    return rgtc_texels<int8_t>(block,
                               rgtc_palette(std::max<int>(first, -127), std::max<int>(second, -127),
                                            first > second, -127, 127));
}

}  // namespace valkyr::raster
