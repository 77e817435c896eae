// Draw sharing: finds draws that tile loops and front end may treat as one.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/record/pipeline.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Returns whether so many elements are whole primitives of a kind that share none with the next.
/// Divisors are constants: this is asked for each of thousands of indirect draws.
constexpr bool whole_primitives(Primitive primitive, uint32_t count) {
    switch (primitive) {
    case Primitive::Points: return true;
    case Primitive::Lines: return count % 2 == 0;
    case Primitive::Triangles: return count % 3 == 0;
    default: return false;
    }
}

/// Returns whether the elements of `next` follow those of `draw` in the buffers, begin with a
/// primitive of their own, and nothing else differs. Neither may have restart indices.
/// Elements  DrawInfo or AssemblyState
template <typename Elements>
bool continues(Primitive primitive, const Elements& draw, const Elements& next) {
    if (!whole_primitives(primitive, draw.count) || draw.instance_count != 1 ||
        uint64_t{draw.first} + draw.count != next.first || next.count > UINT32_MAX - draw.count)
        return false;
    Elements same = next;
    same.first = draw.first;
    same.count = draw.count;
    return draw == same;
}

/// Returns whether both draws give the tile loops equal data, by pointer: their primitives may
/// share a packet.
bool share_tiles(const DrawRecord& a, const DrawRecord& b);

/// Lets `last` draw the primitives of `next`, too, if its elements continue those of `last` and all
/// else is shared. Returns whether it does. Both are draws of the pipeline and of one pass, and no
/// draw is between them.
bool join(DrawRecord& last, const DrawRecord& next, const PipelineImpl& pipeline);

}  // namespace valkyr::raster
