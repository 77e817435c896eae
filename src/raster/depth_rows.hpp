// Depth/stencil texels of a surface <-> the tile's separate depth codes and stencil bytes.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/exec_format.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Splits `count` texels, a multiple of 16 (whole blocks); `stencil` may be null.
void split_depth_stencil(exec::Format format,
                         const uint8_t* texels,
                         size_t count,
                         uint32_t* depth,
                         uint8_t* stencil) noexcept;

/// Merges `count` texels, a multiple of 16; without `stencil` its bits become 0.
void merge_depth_stencil(exec::Format format,
                         const uint32_t* depth,
                         const uint8_t* stencil,
                         size_t count,
                         uint8_t* texels) noexcept;

}  // namespace valkyr::raster
