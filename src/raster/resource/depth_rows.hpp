// Depth rows: convert between texels of surfaces and a tile's depth codes and stencil bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Splits `count` texels of a depth/stencil format, a multiple of 16 (whole blocks), into codes as
/// load_depth_stencil() gives them; `stencil` may be null. Other formats: nothing is done.
void split_depth_stencil(exec::Format format,
                         const uint8_t* texels,
                         size_t count,
                         uint32_t* depth,
                         uint8_t* stencil) noexcept;

/// Merges `count` texels of a depth/stencil format, a multiple of 16; unused bits become 0, those
/// of stencil, too, without `stencil`.
void merge_depth_stencil(exec::Format format,
                         const uint32_t* depth,
                         const uint8_t* stencil,
                         size_t count,
                         uint8_t* texels) noexcept;

}  // namespace valkyr::raster
