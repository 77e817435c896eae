// Footprints: write the copy of a texture that linear filters of bytes read.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace valkyr::raster {

class TextureImpl;

/// Writes the footprints of all texels (exec::TextureDescriptor::footprints) with the workers of
/// the texture's device. `to` has 16 bytes for each texel in its memory, in the same order.
/// Returns false if the device is cancelled or its workers fail.
bool write_footprints(TextureImpl& texture, std::byte* to);

}  // namespace valkyr::raster
