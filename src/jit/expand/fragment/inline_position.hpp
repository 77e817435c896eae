// Pixel positions: compute offsets from the primitive's anchor, and its planes there.
// SPDX-License-Identifier: MIT
//
// Values that many messages of a warp share are computed once and kept in the frame: offsets of the
// pixel centres from the anchor, corners, 1/q. The rule is that of docs/rules/isa-notes.md
// (Interpolation), to the bit.
#pragma once

#include "jit/context/lane_group.hpp"

namespace valkyr::jit {

/// Whether early tests and messages of the end of a fragment can be host code at all: the option, a
/// key, a sample count that has positions. Choosers and planning ask this.
bool expands_fragment(const KernelSource& c);

/// The positions that the expansions of a program read, by its choices.
PositionNeeds position_needs(const KernelSource& c);

/// Whether the samples of a pixel lie in different places.
bool samples_spread(const KernelSource& c);

/// Once a call: what the positions of all blocks have in common.
void prepare_positions(EmitContext& c, const PositionNeeds& needs);
/// After that, for calls with several primitives: the anchor of the first one plays no part any
/// more. Corners must not be needed.
void share_origins(EmitContext& c, const PositionNeeds& needs);
/// Fills in centres and corners of the whole block in Gp::PixelBlock.
void emit_positions(EmitContext& c, const PositionNeeds& needs);
/// Fills in 1/q of the round that runs.
void emit_reciprocal_q(EmitContext& c);

/// A plane in memory: value at the anchor and gradients.
struct PlaneAddress {
    Address a;
    Address cx;
    Address cy;
};
/// A Plane member of the primitive.
PlaneAddress primitive_plane(size_t offset);

/// An offset from the anchor in two temporaries.
struct Point {
    Temp dx;
    Temp dy;
};
/// The pixel centres of a run of lanes of the block, computed.
Point block_centre_point(EmitContext& c, const LaneGroup& group);
/// The pixel centres of a group.
Point centre_point(EmitContext& c, const LaneGroup& group);
/// A sample of the pixels of a group.
Point sample_point(EmitContext& c, const LaneGroup& group, unsigned sample);
/// x, y: position inside the pixel, in pixels from its corner; they become the point.
Point point_inside(EmitContext& c, const LaneGroup& group, Temp x, Temp y);

/// d = a + cx * dx + cy * dy.
void linear_value(EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at);
/// d = a + (cx * dx + cy * dy) * reciprocal_q.
void perspective_value(
    EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at, Vec reciprocal_q);
/// d = 1/q.
void reciprocal_q_at(EmitContext& c, Vec d, const Point& at);

}  // namespace valkyr::jit
