// ETC2 and EAC: decodes blocks mode by mode (OpenGL 4.6 appendix C.1).
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::reference {

/// Sixteen RGBA8 texels in rows. punch_through: the format has an alpha bit.
std::array<std::array<uint8_t, 4>, 16> decode_etc2(const uint8_t* block, bool punch_through);
/// 8-bit alpha of ETC2_RGBA8.
std::array<uint8_t, 16> decode_eac_alpha8(const uint8_t* block);
/// 11-bit channels, widened to 16 bits.
std::array<uint16_t, 16> decode_eac11(const uint8_t* block, bool is_signed);

}  // namespace valkyr::reference
