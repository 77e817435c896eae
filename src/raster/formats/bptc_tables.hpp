// BPTC tables: hold the partitions, anchors and weights of BC6H and BC7, and read their bits.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <cstring>

namespace valkyr::raster {

/// Bit fields of a 128-bit block, lowest first.
class BlockBits {
public:
    explicit BlockBits(const uint8_t* block) {
        std::memcpy(&low_, block, 8);
        std::memcpy(&high_, block + 8, 8);
    }
    /// The next `count` bits, 0..32.
    uint32_t take(unsigned count) {
        const auto value = static_cast<uint32_t>(low_ & ((uint64_t{1} << count) - 1));
        if (count != 0) {
            low_ = low_ >> count | high_ << (64 - count);
            high_ >>= count;
        }
        return value;
    }

private:
    uint64_t low_ = 0;
    uint64_t high_ = 0;
};

/// The subset of a texel in a partition of one, two or three subsets.
unsigned bptc_subset(unsigned subsets, unsigned partition, unsigned texel) noexcept;

/// Whether a texel's index has one bit less: the first of its subset that the format fixes.
bool bptc_is_anchor(unsigned subsets, unsigned partition, unsigned texel) noexcept;

/// Weight of the second end point in 64ths for an index of 2, 3 or 4 bits.
int bptc_weight(unsigned index_bits, unsigned index) noexcept;

}  // namespace valkyr::raster
