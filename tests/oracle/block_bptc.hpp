// BPTC: decodes blocks by the text of GL_ARB_texture_compression_bptc.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::reference {

/// Sixteen RGBA8 texels in rows; all 0 for reserved modes.
std::array<std::array<uint8_t, 4>, 16> decode_bptc_unorm(const uint8_t* block);
/// Sixteen texels of a float format in rows: binary16 red, green, blue.
std::array<std::array<uint16_t, 3>, 16> decode_bptc_float(const uint8_t* block, bool is_signed);

}  // namespace valkyr::reference
