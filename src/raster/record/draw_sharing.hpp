// Draw sharing: finds draws that tile loops and front end may treat as one.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/record/pipeline.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Appends the elements of indirect draws to those of `draw` as long as they follow in the buffers,
/// begin with a primitive of their own, and nothing else differs. Returns the number of draws that
/// it took.
/// draw  a draw of the same call; it has no restart indices
uint32_t continue_draw(Primitive primitive, DrawInfo& draw, const IndirectWords& next);

/// Returns whether both draws give the tile loops equal data, by pointer: their primitives may
/// share a packet.
bool share_tiles(const DrawRecord& a, const DrawRecord& b);

/// Lets `last` draw the primitives of `next`, too, if its elements continue those of `last` and all
/// else is shared. Returns whether it does. Both are draws of the pipeline and of one pass, and no
/// draw is between them.
bool join(DrawRecord& last, const DrawRecord& next, const PipelineImpl& pipeline);

}  // namespace valkyr::raster
