// Packed quads: reads the primitives and the pixels of a warp whose quads lie apart.
// SPDX-License-Identifier: MIT
//
// In the loop for exec::QuadWarp, every quad of a warp may lie elsewhere in the tile and belong to
// another primitive. What other loops broadcast from the one primitive comes as rows here: four
// words for each quad, loaded at once. The frame holds copies of the quads' pixels in the layout of
// a block, so that tests and blending are the same code for all loops (kernel/packed_tile.hpp).
#pragma once

#include "jit/context/formula.hpp"
#include "jit/context/lane_group.hpp"

namespace valkyr::jit {

/// A member of the exec::QuadPlace of quad `quad` of the group.
Address quad_word(const LaneGroup& group, size_t member, unsigned quad);

/// In each quad: the 16 bytes at this offset of its exec::PrimitiveSetup.
Temp primitive_rows(EmitContext& c, const LaneGroup& group, size_t offset);

/// In each quad: members of its primitive's exec::SlotPlanes, a component a lane.
struct SlotRows {
    Temp a;
    Temp cx;
    Temp cy;
};
/// flat  only `a`
SlotRows slot_rows(EmitContext& c, const LaneGroup& group, uint32_t slot, bool flat);

/// d = word `component` of each quad's row, in all its lanes.
void spread_word(EmitContext& c, Vec d, Vec rows, unsigned component);

/// Pixels from the tile's corner to the first pixel of each quad.
struct QuadCorner {
    U32 x;
    U32 y;
};
QuadCorner quad_corner(EmitContext& c, const LaneGroup& group);

/// Where the pixels of the warp lie that belong to the buffer of the tile to which this member of
/// the call points, before Gp::PixelBlock is added.
Scalar tile_pixels(EmitContext& c, size_t member);
/// The same of packed quads.
Address packed_pixels(size_t member);

}  // namespace valkyr::jit
