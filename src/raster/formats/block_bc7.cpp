// Block decoding: decodes BC7, eight modes of end points, partitions and indices.
// SPDX-License-Identifier: MIT
#include "raster/formats/block_formats.hpp"
#include "raster/formats/bptc_texels.hpp"

#include <bit>
#include <utility>

namespace valkyr::raster {
namespace {

/// One row of the mode table.
struct Bc7Mode {
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

    // Bit positions of the parts in the block, behind the mode number.
    [[nodiscard]] constexpr unsigned rotation(unsigned number) const {
        return number + 1 + partition_bits;
    }
    [[nodiscard]] constexpr unsigned end_points(unsigned number) const {
        return rotation(number) + rotation_bits + selection_bits;
    }
    [[nodiscard]] constexpr unsigned p_bits(unsigned number) const {
        return end_points(number) + 2U * subsets * (3U * color_bits + alpha_bits);
    }
    [[nodiscard]] constexpr unsigned p_bit_count() const {
        return subsets * (2U * end_point_p_bits + shared_p_bits);
    }
    [[nodiscard]] constexpr unsigned indices(unsigned number) const {
        return p_bits(number) + p_bit_count();
    }
};

constexpr std::array<Bc7Mode, 8> kBc7Modes{{
    {3, 4, 0, 0, 4, 0, 1, 0, 3, 0},
    {2, 6, 0, 0, 6, 0, 0, 1, 3, 0},
    {3, 6, 0, 0, 5, 0, 0, 0, 2, 0},
    {2, 6, 0, 0, 7, 0, 1, 0, 2, 0},
    {1, 0, 2, 1, 5, 6, 0, 0, 2, 3},
    {1, 0, 2, 0, 7, 8, 0, 0, 2, 2},
    {1, 0, 0, 0, 7, 7, 1, 0, 4, 0},
    {2, 6, 0, 0, 5, 5, 1, 0, 2, 0},
}};

using BlockLanes = BlockTexels::Lanes;

/// Reads the end points of a channel, two for each subset.
template <unsigned First, unsigned Bits, size_t... I>
[[gnu::always_inline]] inline BlockLanes
points_of(uint64_t low, uint64_t high, std::index_sequence<I...> /*points*/) {
    return BlockLanes{static_cast<uint16_t>(block_field<First + Bits * I, Bits>(low, high))...};
}

/// Reads the extra low bits of all end points.
template <unsigned Number, size_t... I>
[[gnu::always_inline]] inline BlockLanes
extra_bits(uint64_t low, uint64_t high, std::index_sequence<I...> /*points*/) {
    constexpr Bc7Mode mode = kBc7Modes[Number];
    return BlockLanes{static_cast<uint16_t>(
        block_field<mode.p_bits(Number) + (mode.shared_p_bits != 0 ? I / 2 : I), 1>(low, high))...};
}

/// Widens codes to bytes by repeating their highest bits below.
template <unsigned Bits>
[[gnu::always_inline]] inline BlockLanes widened(const BlockLanes& codes) {
    const BlockLanes high = codes << (8 - Bits);
    return high | high >> Bits;
}

/// Computes the values of a channel: (a (64 - w) + b w + 32) / 64 with the end points of each
/// texel's subset. Sums wrap modulo 2^16, but the result fits.
template <unsigned Subsets>
[[gnu::always_inline]] inline BlockTexels
interpolated(const BlockLanes& points, const BlockTexels& weights, const SubsetMasks& masks) {
    BlockTexels values;
    for (size_t i = 0; i < BlockTexels::kParts; ++i) {
        const BlockLanes none{};
        BlockLanes a = none + points[0];
        BlockLanes b = none + points[1];
        if constexpr (Subsets > 1) {
            a ^= masks.second.part[i] & (a ^ points[2]);
            b ^= masks.second.part[i] & (b ^ points[3]);
        }
        if constexpr (Subsets > 2) {
            a ^= masks.third.part[i] & (a ^ points[4]);
            b ^= masks.third.part[i] & (b ^ points[5]);
        }
        values.part[i] = (a * 64 + (b - a) * weights.part[i] + 32) >> 6;
    }
    return values;
}

/// Interleaves components into texels.
[[gnu::always_inline]] inline void store_texels(const std::array<BlockTexels, 4>& values,
                                                RgbaBlock& out) {
    for (size_t i = 0; i < BlockTexels::kParts; ++i) {
        const BlockLanes low = values[0].part[i] | values[1].part[i] << 8;
        const BlockLanes high = values[2].part[i] | values[3].part[i] << 8;
        const std::array<BlockLanes, 2> rows{
            __builtin_shufflevector(low, high, 0, 8, 1, 9, 2, 10, 3, 11),
            __builtin_shufflevector(low, high, 4, 12, 5, 13, 6, 14, 7, 15)};
        std::memcpy(&out[8 * i], rows.data(), sizeof(rows));
    }
}

template <unsigned Number>
void decode_mode(uint64_t low, uint64_t high, RgbaBlock& out) {
    constexpr Bc7Mode mode = kBc7Modes[Number];
    constexpr unsigned subsets = mode.subsets;
    constexpr unsigned points = 2 * subsets;
    constexpr unsigned p_bits = mode.p_bit_count() != 0 ? 1 : 0;
    constexpr unsigned start = mode.end_points(Number);
    constexpr auto all_points = std::make_index_sequence<points>();

    const unsigned partition = block_field<Number + 1, mode.partition_bits>(low, high);
    const SubsetMasks masks = subsets > 1 ? bptc_masks(subsets, partition) : SubsetMasks{};
    constexpr unsigned first_bits = 16U * mode.index_bits - subsets;
    constexpr unsigned first_index = mode.indices(Number);
    const uint64_t stored = first_index >= 64 ? high >> (first_index - 64)
                                              : low >> first_index | high << (64 - first_index);
    const uint64_t indices = bptc_indices<mode.index_bits, subsets>(
        stored & (~uint64_t{0} >> (64 - first_bits)), partition);
    BlockTexels color = bptc_weights<mode.index_bits>(indices);
    BlockTexels alpha = color;
    if constexpr (mode.second_index_bits != 0) {
        constexpr unsigned second_index = first_index + first_bits;
        alpha = bptc_weights<mode.second_index_bits>(
            bptc_indices<mode.second_index_bits, 1>(high >> (second_index - 64), 0));
        if (block_field<mode.rotation(Number) + mode.rotation_bits, mode.selection_bits>(low, high))
            std::swap(color, alpha);
    }

    std::array<BlockTexels, 4> values;
    BlockLanes extra{};
    if constexpr (p_bits != 0)
        extra = extra_bits<Number>(low, high, all_points);
    const auto channel = [&]<unsigned First, unsigned Bits>(const BlockTexels& weights) {
        const BlockLanes codes = points_of<First, Bits>(low, high, all_points);
        return interpolated<subsets>(widened<Bits + p_bits>(codes << p_bits | extra), weights,
                                     masks);
    };
    constexpr unsigned next = points * mode.color_bits;
    values[0] = channel.template operator()<start, mode.color_bits>(color);
    values[1] = channel.template operator()<start + next, mode.color_bits>(color);
    values[2] = channel.template operator()<start + 2 * next, mode.color_bits>(color);
    if constexpr (mode.alpha_bits != 0)
        values[3] = channel.template operator()<start + 3 * next, mode.alpha_bits>(alpha);
    else
        values[3] = {BlockLanes{} + 255, BlockLanes{} + 255};
    if constexpr (mode.rotation_bits != 0)
        if (const unsigned rotation =
                block_field<mode.rotation(Number), mode.rotation_bits>(low, high))
            std::swap(values[3], values[rotation - 1]);
    store_texels(values, out);
}

}  // namespace

void decode_bc7(const uint8_t* block, RgbaBlock& out) noexcept {
    uint64_t low = 0;
    uint64_t high = 0;
    std::memcpy(&low, block, 8);
    std::memcpy(&high, block + 8, 8);
    switch (std::countr_zero(block[0])) {
    case 0: return decode_mode<0>(low, high, out);
    case 1: return decode_mode<1>(low, high, out);
    case 2: return decode_mode<2>(low, high, out);
    case 3: return decode_mode<3>(low, high, out);
    case 4: return decode_mode<4>(low, high, out);
    case 5: return decode_mode<5>(low, high, out);
    case 6: return decode_mode<6>(low, high, out);
    case 7: return decode_mode<7>(low, high, out);
    default: out = {};
    }
}

}  // namespace valkyr::raster
