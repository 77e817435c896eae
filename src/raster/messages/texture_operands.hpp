// Texture operands: read the staging registers of texture messages.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Registers of one message by meaning; absent ones point to zeros. Order and presence:
/// docs/rules/isa-notes.md "Texture operands".
struct TextureOperands {
    unsigned coordinate_count;  ///< 1..3; cubes have two (face and s, t)
    std::array<const exec::Lanes*, 3> coordinate;
    const exec::Lanes* array;
    const exec::Lanes* reference;
    const exec::Lanes* offset;  ///< bytes: x, y, z or sample, level
    const exec::Lanes* lod;     ///< 8.8 level or bias low, 8.8 minimum high
};
TextureOperands texture_operands(const exec::TextureMessage& message,
                                 const exec::Lanes* in) noexcept;

/// Returns whether the coordinate dimension is 3: then the first register holds the face in its top
/// bits.
constexpr bool is_cube(const exec::TextureMessage& message) {
    return (message.dimension & 3) == 3;
}

/// Face and s from a cube coordinate's first register. It stores the low 29 bits of s; the top bits
/// are known, because s is 0 or in [2^-26, 1]. Faces 6 and 7 do not exist and count as 5.
struct CubeCoordinate {
    uint32_t face;
    uint32_t s_bits;
};
constexpr CubeCoordinate unpack_cube(uint32_t word) {
    const uint32_t low = word & 0x1FFFFFFF;
    const uint32_t face = word >> 29;
    return {face < 6 ? face : 5, low == 0 ? 0 : low | 0x20000000};
}

/// Returns byte `index` of the offset word as a signed number of texels.
constexpr int offset_byte(uint32_t word, unsigned index) {
    return static_cast<int8_t>(word >> (8 * index));
}

}  // namespace valkyr::raster
