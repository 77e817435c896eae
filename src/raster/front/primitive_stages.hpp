// Primitive stages: run the programs of a draw that make primitives.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/geometry_stage.hpp"
#include "raster/front/patch_stage.hpp"

#include <cstddef>
#include <cstdint>

namespace valkyr::raster {

/// One worker's tessellation and geometry stages: a draw has one of them, or both.
class PrimitiveStages {
public:
    /// Begins with other primitives.
    void begin(const GeometryInput& input);
    /// Runs the programs on the next primitives; returns false if there are none left, or the
    /// device is cancelled. The result is valid until the next call.
    /// to_draw  primitives may be a pattern or Emissions::refs
    bool next(const KernelWorker& worker, bool to_draw, Emissions& made);
    /// Returns the number of vertices that the last call shaded, points of domains included.
    [[nodiscard]] uint32_t shaded_vertices() const { return shaded_; }

private:
    GeometryInput input_;
    PatchStage patches_;
    GeometryStage geometry_;
    Emissions tessellated_;  ///< primitives for the geometry stage
    size_t taken_ = 0;       ///< those that it has taken
    uint32_t shaded_ = 0;
};

/// Returns about how many vertices the programs make of one primitive; 1 without such programs.
uint32_t expansion(const DrawRecord& draw);

/// Returns the primitives of a draw that are shaded together at the least.
uint32_t primitives_together(const DrawRecord& draw);

}  // namespace valkyr::raster
