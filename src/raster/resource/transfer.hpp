// Transfers: move texels between the application's rows and textures, and clear surfaces.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/convert/convert.hpp"
#include "raster/device.hpp"
#include "raster/resource/resource.hpp"
#include "raster/resource/row_runner.hpp"
#include "raster/resource/targets.hpp"

#include <cstddef>
#include <span>

namespace valkyr::raster {

/// Writes rows of the application to a box, and settles its slices: programs that write a part of a
/// cleared texture mostly go on to write the others.
/// run        runs rows of 4x4 tiles, perhaps on several threads
/// run_level  does so for whole slices
/// errors  OutOfRange: box or data outside; Unsupported: multisampled
Result<void> upload(TextureImpl& texture,
                    uint32_t level,
                    const Box& box,
                    std::span<const std::byte> data,
                    size_t stride_bytes,
                    size_t slice_bytes,
                    const RowRunner& run = run_on_this_thread,
                    const RowRunner& run_level = run_on_this_thread);

/// Copies blocks bit by bit; a texel of a format that is not compressed is a block. Both formats
/// have blocks of as many bytes, both boxes have equally many, and from_box is inside.
/// errors  OutOfRange: to_box outside, boxes that are not whole blocks
Result<void> copy_blocks(TextureImpl& to,
                         uint32_t to_level,
                         const Box& to_box,
                         TextureImpl& from,
                         uint32_t from_level,
                         const Box& from_box);

/// Reads a box into rows of the application. Multisampled textures are resolved
/// (docs/rules/formats.md).
/// run  as in upload()
/// convert  for resolves; null: texel by texel
/// errors  OutOfRange: box or data outside
Result<void> download(TextureImpl& texture,
                      uint32_t level,
                      const Box& box,
                      std::span<std::byte> data,
                      size_t stride_bytes,
                      size_t slice_bytes,
                      const RowRunner& run = run_on_this_thread,
                      ConvertTiles convert = nullptr);

/// Marks every tile of the attachments as cleared.
void clear_targets(const PassTargets& targets, const ClearInfo& info);

}  // namespace valkyr::raster
