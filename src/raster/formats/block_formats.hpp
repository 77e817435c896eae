// Block decoders: write the 16 texels of a block, row by row, one function a format.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Red, green, blue, alpha.
using Rgba8 = std::array<uint8_t, 4>;
using RgbaBlock = std::array<Rgba8, 16>;

/// The colour half of S3TC blocks (EXT_texture_compression_s3tc), 8 bytes.
enum class S3tcAlpha : uint8_t {
    Opaque,    ///< BC1 without alpha: the fourth colour of three-colour blocks is black
    Punch,     ///< BC1 with alpha: that fourth colour is transparent black
    FourColor  ///< BC2, BC3: always four colours, alpha left at 255
};
void decode_s3tc_colors(const uint8_t* block, S3tcAlpha alpha, RgbaBlock& out) noexcept;
/// The alpha of BC2: 4 bits for each texel, 8 bytes.
std::array<uint8_t, 16> decode_s3tc_alpha(const uint8_t* block) noexcept;

/// One channel of RGTC, 8 bytes; also the alpha of BC3 (unsigned).
std::array<uint8_t, 16> decode_rgtc_unsigned(const uint8_t* block) noexcept;
std::array<int8_t, 16> decode_rgtc_signed(const uint8_t* block) noexcept;

/// BPTC, 16 bytes (ARB_texture_compression_bptc). Reserved modes give zeros.
void decode_bc7(const uint8_t* block, RgbaBlock& out) noexcept;
/// BC6H to binary16 codes r, g, b, 1; is_signed selects one of the two formats. Reserved modes are
/// black.
using HalfBlock = std::array<std::array<uint16_t, 4>, 16>;
void decode_bc6h(const uint8_t* block, bool is_signed, HalfBlock& out) noexcept;

/// ETC2 colours, 8 bytes (GL 4.6 appendix C.1); ETC1 is a subset of them.
/// punch_through  RGB8A1: the bit for differential mode says "opaque" instead
void decode_etc2_colors(const uint8_t* block, bool punch_through, RgbaBlock& out) noexcept;
/// The alpha of ETC2 RGBA8, 8 bytes.
std::array<uint8_t, 16> decode_eac_alpha(const uint8_t* block) noexcept;
/// One channel of 11-bit EAC, 8 bytes, widened to 16 bits.
std::array<uint16_t, 16> decode_eac_unsigned(const uint8_t* block) noexcept;
std::array<int16_t, 16> decode_eac_signed(const uint8_t* block) noexcept;

}  // namespace valkyr::raster
