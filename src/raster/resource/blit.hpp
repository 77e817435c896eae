// Blits: copies texels with conversion and scaling (docs/rules/formats.md "Blits").
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/convert/convert.hpp"
#include "raster/resource/blit_tiles.hpp"
#include "raster/resource/resource.hpp"

namespace valkyr::raster {

/// Blits between info's two textures; no pending draw may use them.
/// errors  OutOfRange: levels, slices or sizes; InvalidState: incompatible formats, samples or
///         filter
/// convert  of the host; null: texel by texel, with equal results
/// run_rows  runs rows of tiles, perhaps on several threads
Result<void> blit_texels(const BlitInfo& info,
                         TextureImpl& source,
                         TextureImpl& destination,
                         ConvertTiles convert,
                         const RowRunner& run_rows = run_on_this_thread);

}  // namespace valkyr::raster
