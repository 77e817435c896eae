// Block decode: turns compressed blocks into plain texels.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::reference {

/// The plain format that textures of a compressed format are kept in; nothing for plain formats.
std::optional<exec::Format> decoded_format(exec::Format format);

/// Sixteen texels of a block in rows; each element begins with a texel in decoded_format().
using BlockTexels = std::array<std::array<uint8_t, 8>, 16>;

/// Rules: GL_EXT_texture_compression_s3tc, GL_ARB_texture_compression_rgtc (interpolated values are
/// rounded to the nearest code, docs/rules/formats.md), GL_ARB_texture_compression_bptc, OpenGL 4.6
/// appendix C.1 (ETC2, EAC).
BlockTexels decode_block(exec::Format format, const uint8_t* block);

}  // namespace valkyr::reference
