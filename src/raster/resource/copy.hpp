// Texel copies: set texels to a value, or copy them bit by bit between textures.
// SPDX-License-Identifier: MIT
//
// The caller has checked that the boxes are inside and that no pending draw writes to the textures.
#pragma once

#include "base/result.hpp"
#include "raster/resource/resource.hpp"
#include "raster/resource/row_runner.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// The value that fill_box() writes.
struct FillValue {
    std::array<uint8_t, 32> texel{};  ///< colour formats: the stored bytes
    bool depth = false;               ///< depth/stencil formats: the parts to write, and values
    bool stencil = false;
    uint32_t depth_code = 0;
    uint8_t stencil_value = 0;
};

/// Sets every sample of a box.
/// run  runs rows of tiles, perhaps on several threads
/// errors  those of the threads
Result<void> fill_box(TextureImpl& texture,
                      uint32_t level,
                      const Box& box,
                      const FillValue& value,
                      const RowRunner& run = run_on_this_thread);

/// Returns whether a box lies inside a level.
bool contains(const TextureImpl& texture, uint32_t level, const Box& box);

/// Place of a texel in a level.
struct TexelCorner {
    uint32_t x = 0, y = 0, z = 0;
};

/// Copies a box, every sample; texel sizes and sample counts are equal. The boxes may overlap.
/// run  runs rows, perhaps on several threads
/// errors  those of the threads
Result<void> copy_box(TextureImpl& to,
                      uint32_t to_level,
                      const TexelCorner& corner,
                      TextureImpl& from,
                      uint32_t from_level,
                      const Box& box,
                      const RowRunner& run = run_on_this_thread);

}  // namespace valkyr::raster
