// Polygon offset: computes the depth offset of a triangle drawn as lines or points.
// SPDX-License-Identifier: MIT
//
// Filled triangles get theirs in level_setup.inl.
#pragma once

#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"

namespace valkyr::raster {

/// Returns the offset of OpenGL 4.6 section 14.6.5, to the bit as in docs/rules/raster-rules.md.
float polygon_offset(const DepthOffset& offset,
                     const WindowRow* rows,
                     const PrimitiveRef& primitive);

}  // namespace valkyr::raster
