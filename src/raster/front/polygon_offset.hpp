// Polygon offset: gives the depth offset of a triangle drawn as lines or points.
// SPDX-License-Identifier: MIT
//
// Set-up has its own for filled triangles.
#pragma once

#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

namespace valkyr::raster {

/// OpenGL 4.6 section 14.6.5, to the bit of docs/rules/raster-rules.md.
float polygon_offset(const DepthOffset& offset,
                     const WindowRow* rows,
                     const PrimitiveRef& primitive);

}  // namespace valkyr::raster
