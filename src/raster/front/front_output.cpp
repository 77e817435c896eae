// Front end output: adds batches to the segment being filled.
// SPDX-License-Identifier: MIT
#include "raster/front/front_output.hpp"

#include "base/check.hpp"

namespace valkyr::raster {

BinEntry FrontOutput::add_batch(const Batch& batch) {
    segment->batches.push_back(batch);
    const DrawRecord& draw = *batch.draw;
    segment->lasting |= draw.hidden->lasting;
    replaces_ = draw.hidden->replaces;
    line_half_ = static_cast<int32_t>(draw.shape->line_width) * (kSubpixels / 2);
    VALKYR_DCHECK(segment->batches.size() <= size_t{1} << 24);
    return static_cast<BinEntry>(segment->batches.size() - 1) << 8;
}

void FrontOutput::bin_in_tiles(const Batch& batch,
                               BinEntry first,
                               uint32_t primitive,
                               const Survivor& box) {
    if (batch.quads)
        bin_quad(*segment, *arena, grid, box, first | primitive, replaces_);
    else if (batch.has_lines())
        bin_line(*segment, *arena, grid, batch, primitive, line_half_, box, first | primitive);
    else
        bin_primitive(*segment, *arena, grid, batch.rows, batch.primitives[primitive], box,
                      first | primitive, replaces_);
}

void FrontOutput::cull_and_bin(const Batch& batch, uint32_t count) {
    std::array<Survivor, kChunkPrimitives> survivors;
    const uint32_t kept =
        ops->cull(*batch.draw->shape, batch.rows, nullptr, batch.primitives, count,
                  batch.facing == Facing::ByArea, batch.quads, survivors.data());
    if (kept == 0)
        return;
    const BinEntry first = add_batch(batch);
    for (uint32_t i = 0; i < kept; ++i)
        bin(batch, first, survivors[i].index, survivors[i]);
}

}  // namespace valkyr::raster
