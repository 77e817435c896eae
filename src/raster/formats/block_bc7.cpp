// Block decoding: decodes BC7, eight modes of end points, partitions and indices.
// SPDX-License-Identifier: MIT
#include "raster/formats/block_formats.hpp"
#include "raster/formats/bptc_tables.hpp"

#include <utility>

namespace valkyr::raster {
namespace {

/// One row of the mode table.
struct Mode {
    uint8_t subsets;
    uint8_t partition_bits;
    uint8_t rotation_bits;
    uint8_t selection_bits;
    uint8_t color_bits;
    uint8_t alpha_bits;
    uint8_t end_point_p_bits;  ///< one extra low bit for each end point
    uint8_t shared_p_bits;     ///< one for both end points of a subset
    uint8_t index_bits;
    uint8_t second_index_bits;
};

constexpr std::array<Mode, 8> kModes{{
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
}};

using EndPoints = std::array<std::array<unsigned, 4>, 6>;  ///< two of each subset

unsigned widen(unsigned value, unsigned bits) {
    value <<= 8 - bits;
    return value | value >> bits;
}

EndPoints read_end_points(BlockBits& bits, const Mode& mode) {
    EndPoints points{};
    const unsigned count = 2U * mode.subsets;
    const unsigned channels = mode.alpha_bits != 0 ? 4 : 3;
    for (unsigned c = 0; c < channels; ++c)
        for (unsigned i = 0; i < count; ++i)
            points[i][c] = bits.take(c < 3 ? mode.color_bits : mode.alpha_bits);
    unsigned p_bits = 0;
    if (mode.end_point_p_bits != 0 || mode.shared_p_bits != 0) {
        p_bits = 1;
        for (unsigned i = 0; i < count; ++i) {
            const bool take_new = mode.end_point_p_bits != 0 || i % 2 == 0;
            const unsigned p = take_new ? bits.take(1) : points[i - 1][0] & 1;
            for (unsigned c = 0; c < channels; ++c)
                points[i][c] = points[i][c] << 1 | p;
        }
    }
    for (unsigned i = 0; i < count; ++i) {
        for (unsigned c = 0; c < channels; ++c)
            points[i][c] =
                widen(points[i][c], (c < 3 ? mode.color_bits : mode.alpha_bits) + p_bits);
        if (channels == 3)
            points[i][3] = 255;
    }
    return points;
}

using Indices = std::array<unsigned, 16>;

Indices read_indices(BlockBits& bits, unsigned count, unsigned subsets, unsigned partition) {
    Indices indices{};
    for (unsigned i = 0; count != 0 && i < 16; ++i)
        indices[i] = bits.take(count - (bptc_is_anchor(subsets, partition, i) ? 1 : 0));
    return indices;
}

uint8_t interpolate(unsigned a, unsigned b, int weight) {
    const auto w = static_cast<unsigned>(weight);
    return static_cast<uint8_t>((a * (64 - w) + b * w + 32) >> 6);
}

}  // namespace

void decode_bc7(const uint8_t* block, RgbaBlock& out) noexcept {
    BlockBits bits(block);
    unsigned number = 0;
    while (number < 8 && bits.take(1) == 0)
        ++number;
    if (number == 8) {
        out = {};
        return;
    }
    const Mode& mode = kModes[number];
    const unsigned partition = bits.take(mode.partition_bits);
    const unsigned rotation = bits.take(mode.rotation_bits);
    const bool swapped = bits.take(mode.selection_bits) != 0;
    const EndPoints points = read_end_points(bits, mode);
    Indices color = read_indices(bits, mode.index_bits, mode.subsets, partition);
    Indices alpha = read_indices(bits, mode.second_index_bits, mode.subsets, partition);
    unsigned color_bits = mode.index_bits;
    unsigned alpha_bits = mode.second_index_bits;
    if (alpha_bits == 0) {
        alpha = color;
        alpha_bits = color_bits;
    }
    if (swapped) {
        std::swap(color, alpha);
        std::swap(color_bits, alpha_bits);
    }
    for (unsigned i = 0; i < 16; ++i) {
        const unsigned first = 2 * bptc_subset(mode.subsets, partition, i);
        for (unsigned c = 0; c < 4; ++c)
            out[i][c] = interpolate(points[first][c], points[first + 1][c],
                                    c < 3 ? bptc_weight(color_bits, color[i])
                                          : bptc_weight(alpha_bits, alpha[i]));
        if (rotation != 0)
            std::swap(out[i][3], out[i][rotation - 1]);
    }
}

}  // namespace valkyr::raster
