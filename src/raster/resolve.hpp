// Multisample resolve (execution document 7.6).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/resource.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// Resolves the box's columns and rows of slice z of a multisampled texture into rows of single
/// texels.
void resolve_rows(TextureImpl& texture,
                  uint32_t level,
                  const Box& box,
                  uint32_t z,
                  std::byte* rows,
                  size_t stride_bytes);

}  // namespace valkyr::raster
