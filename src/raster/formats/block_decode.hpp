// Block decoding: turns compressed texels into plain ones when they are uploaded.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Returns the plain format that holds the decoded texels of a compressed format, or `format`
/// itself if it is plain. S3TC, BPTC and ETC2 colour: 8-bit RGBA; RGTC, LATC: 8-bit; EAC: 16-bit;
/// BC6H: binary16.
exec::Format storage_format(exec::Format format) noexcept;

/// Decodes one 4x4 block.
/// block   block_bytes bytes
/// texels  16 texels of the storage format, row by row
/// Formats that are not compressed leave `texels` alone.
void decode_block(exec::Format format, const uint8_t* block, uint8_t* texels) noexcept;

/// Decodes `count` blocks side by side into 4x4 tiles of texels in lane order, tile by tile.
void decode_tiles(exec::Format format,
                  const uint8_t* blocks,
                  uint32_t count,
                  uint8_t* tiles) noexcept;

}  // namespace valkyr::raster
