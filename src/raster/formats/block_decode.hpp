// Block decoding: turns compressed texels into plain ones when they are uploaded.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// The plain format that holds the decoded texels of a compressed one; other formats: themselves.
/// S3TC, BPTC and ETC2 colour: 8-bit RGBA; RGTC, LATC: 8-bit; EAC: 16-bit; BC6H: binary16.
exec::Format storage_format(exec::Format format) noexcept;

/// Decodes one 4x4 block.
/// block   block_bytes bytes
/// texels  16 texels of the storage format, row by row
/// Formats that are not compressed leave `texels` alone.
void decode_block(exec::Format format, const uint8_t* block, uint8_t* texels) noexcept;

/// A rectangle of a compressed image; width and height in texels, not necessarily whole blocks.
struct BlockImage {
    const std::byte* blocks = nullptr;
    size_t stride_bytes = 0;  ///< from one row of blocks to the next
    uint32_t width = 0;
    uint32_t height = 0;
};

/// Decodes all of it into rows of texels of the storage format, `stride_bytes` apart.
void decode_blocks(exec::Format format,
                   const BlockImage& image,
                   std::byte* rows,
                   size_t stride_bytes) noexcept;

}  // namespace valkyr::raster
