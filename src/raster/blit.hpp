// Blits: texels with conversion, scaling, mirroring and resolve (docs/formats.md "Blits").
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/resource.hpp"

namespace valkyr::raster {

/// The two textures are info's, and nothing pending draws to them.
/// errors  OutOfRange: levels, slices or sizes; InvalidState: formats, samples or a filter that do
///         not fit together
Result<void> blit_texels(const BlitInfo& info, TextureImpl& source, TextureImpl& destination);

}  // namespace valkyr::raster
