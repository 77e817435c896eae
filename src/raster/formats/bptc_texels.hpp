// BPTC texels: computes the sixteen texels of a BC6H or BC7 block together.
// SPDX-License-Identifier: MIT
// The vectors are GCC and Clang vector extensions of 16 bytes, so that every processor supports
// them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace valkyr::raster {

/// One 16-bit number for each texel of a block, row by row.
struct BlockTexels {
    using Lanes = uint16_t __attribute__((vector_size(16)));
    static constexpr size_t kParts = 2;
    Lanes part[kParts];
};
/// One 32-bit number for each texel of a block, row by row.
struct WideTexels {
    using Lanes = int32_t __attribute__((vector_size(16)));
    static constexpr size_t kParts = 4;
    Lanes part[kParts];
};

/// Returns a field of the 128 bits of a block, up to 32 bits wide.
template <unsigned First, unsigned Bits>
[[gnu::always_inline]] inline unsigned block_field(uint64_t low, uint64_t high) {
    constexpr uint64_t mask = (uint64_t{1} << Bits) - 1;
    if constexpr (Bits == 0)
        return 0;
    else if constexpr (First >= 64)
        return static_cast<unsigned>(high >> (First - 64) & mask);
    else if constexpr (First + Bits <= 64)
        return static_cast<unsigned>(low >> First & mask);
    else
        return static_cast<unsigned>((low >> First | high << (64 - First)) & mask);
}

/// Inserts the highest bit of an anchor's index, which is 0 and not stored. Anchors must come in
/// ascending order, beginning with the first texel.
template <unsigned Bits>
inline uint64_t insert_anchor(uint64_t indices, unsigned texel) {
    const unsigned place = Bits * texel + Bits - 1;
    const uint64_t below = (uint64_t{1} << place) - 1;
    return (indices & below) | (indices & ~below) << 1;
}

/// Spreads eight fields of 2, 3 or 4 bits to bytes.
template <unsigned Bits>
inline uint64_t spread_indices(uint64_t fields) {
    constexpr uint64_t byte = (1U << Bits) - 1;
    constexpr uint64_t bytes = byte * 0x0101010101010101;
    constexpr uint64_t pairs = (byte << Bits | byte) * 0x0001000100010001;
    constexpr uint64_t fours = ((uint64_t{1} << 4 * Bits) - 1) * 0x0000000100000001;
    fields = (fields | fields << (32 - 4 * Bits)) & fours;
    fields = (fields | fields << (16 - 2 * Bits)) & pairs;
    return (fields | fields << (8 - Bits)) & bytes;
}

/// Weights of the second end point in 64ths (ARB_texture_compression_bptc) from sixteen indices of
/// equal size: 64 i / (2^Bits - 1), rounded.
template <unsigned Bits>
inline BlockTexels bptc_weights(uint64_t indices) {
    constexpr uint16_t factor = 4096 / ((1U << Bits) - 1);
    constexpr uint64_t half = (uint64_t{1} << 8 * Bits) - 1;
    using Bytes = uint8_t __attribute__((vector_size(8)));
    BlockTexels weights;
    for (unsigned i = 0; i < 2; ++i) {
        const uint64_t spread = spread_indices<Bits>(indices >> (8 * Bits * i) & half);
        Bytes bytes;
        std::memcpy(&bytes, &spread, sizeof(bytes));
        weights.part[i] = (__builtin_convertvector(bytes, BlockTexels::Lanes) * factor + 32) >> 6;
    }
    return weights;
}

/// ~0 for texels of the second subset, and of the third subset, of a partition.
struct SubsetMasks {
    BlockTexels second;
    BlockTexels third;
};
/// Returns the masks of a partition of two or three subsets.
SubsetMasks bptc_masks(unsigned subsets, unsigned partition) noexcept;

/// Anchor texels besides the first texel, in ascending order; their indices have one bit less.
/// `second` exists with three subsets only.
struct BptcAnchors {
    unsigned first;
    unsigned second;
};
BptcAnchors bptc_anchors(unsigned subsets, unsigned partition) noexcept;

/// Expands the stored index bits of a block to sixteen indices of equal size.
template <unsigned Bits, unsigned Subsets>
inline uint64_t bptc_indices(uint64_t stored, unsigned partition) {
    uint64_t indices = insert_anchor<Bits>(stored, 0);
    if constexpr (Subsets > 1) {
        const BptcAnchors anchors = bptc_anchors(Subsets, partition);
        indices = insert_anchor<Bits>(indices, anchors.first);
        if constexpr (Subsets > 2)
            indices = insert_anchor<Bits>(indices, anchors.second);
    }
    return indices;
}

}  // namespace valkyr::raster
