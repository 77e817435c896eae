// Emission capture: writes the primitives that a geometry program emits to stream targets.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/record/stream_output.hpp"

#include <span>

namespace valkyr::raster {

/// Runs both programs of the draw and appends the primitives of each stream to its targets in order
/// of emission: whole primitives, as long as every target of the stream has room (GL 4.6 section
/// 13.3). targets[i] is not null where the layout writes target i.
/// workers  only the first worker runs
/// errors  OutOfMemory
Result<StreamCounts> capture_emissions(const DrawRecord& draw,
                                       const StreamLayout& layout,
                                       std::span<StreamTargetImpl* const> targets,
                                       const StreamWorkers& workers);

}  // namespace valkyr::raster
