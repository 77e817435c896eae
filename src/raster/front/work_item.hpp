// Work item: names the primitives that a front end worker processes together.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Some primitives of one instance of a draw, or all primitives of several instances.
struct WorkItem {
    const DrawRecord* draw = nullptr;
    uint32_t instance = 0;        ///< first instance
    uint32_t instance_count = 1;  ///< more than one: begin and end are the whole run
    uint32_t run_first = 0;       ///< element of the draw where the run starts
    uint32_t run_count = 0;       ///< elements of the run
    uint32_t begin = 0;           ///< primitives [begin, end) of the run
    uint32_t end = 0;
    uint32_t first_id = 0;    ///< gl_PrimitiveID of the run's first primitive
    bool holds_runs = false;  ///< the elements are several runs between restart indices
};

/// Returns whether the draw's device has been cancelled.
inline bool is_cancelled(const DrawRecord& draw) {
    return exec::is_cancelled(draw.vertex->watch);
}

}  // namespace valkyr::raster
