// Points and lines as quads (docs/raster-rules.md, "Points", "Lines").
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/batch.hpp"
#include "raster/draw_record.hpp"

#include <array>

namespace valkyr::raster {

/// Corners 0..3, drawn as the triangles (0, 1, 2) and (0, 2, 3).
using QuadRows = std::array<WindowRow, 4>;

/// The size of a point whose record (exec_abi.hpp) is given, limited to what is provided.
float point_size(const DrawRecord& draw, const uint8_t* record);

/// The square around a point.
QuadRows point_quad(const WindowRow& center, float size);

/// The parallelogram or rectangle of a line. Corners 0 and 3 belong to `from`, 1 and 2 to `to`.
QuadRows line_quad(const DrawRecord& draw, const WindowRow& from, const WindowRow& to);

}  // namespace valkyr::raster
