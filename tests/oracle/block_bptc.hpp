// BPTC: decodes blocks by the text of GL_ARB_texture_compression_bptc.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>

namespace valkyr::reference {

/// Sixteen RGBA8 texels in rows; reserved modes are 0.
std::array<std::array<uint8_t, 4>, 16> decode_bptc_unorm(const uint8_t* block);
/// The same of the float formats: binary16 red, green, blue.
std::array<std::array<uint16_t, 3>, 16> decode_bptc_float(const uint8_t* block, bool is_signed);

}  // namespace valkyr::reference
