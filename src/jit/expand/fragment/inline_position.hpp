// Pixel positions: compute offsets from the primitive's anchor, and its planes there.
// SPDX-License-Identifier: MIT
//
// Values that many messages of a warp share are computed once and kept in the frame: offsets of the
// pixel centres from the anchor, corners, 1/q. Results have the bits of docs/rules/isa-notes.md
// (Interpolation).
#pragma once

#include "jit/context/formula.hpp"
#include "jit/context/lane_group.hpp"

namespace valkyr::jit {

/// Pixels of a pixel block in x and in y.
inline constexpr unsigned kBlockSide = 4;

/// Whether early tests and end-of-fragment messages can be host code: the option is on, there is a
/// key, and its sample count has positions. Choosers and the planner ask this.
bool expands_fragment(const KernelSource& c);

/// The positions that the chosen expansions of a program read.
PositionNeeds position_needs(const KernelSource& c);

/// Whether the samples of a pixel differ in position.
bool samples_spread(const KernelSource& c);

/// Computes the part of the positions that all blocks share, once a call.
void prepare_positions(EmitContext& c, const PositionNeeds& needs);
/// Call after prepare_positions() in calls with several primitives: makes the positions those of
/// blocks (Batching::Blocks) or quads, relative to the tile's corner instead of the first
/// primitive's anchor. `needs` must not have corners.
void share_origins(EmitContext& c, const PositionNeeds& needs, exec::Batching batching);
/// Stores centres and corners of the block in Gp::PixelBlock, or of packed quads.
void emit_positions(EmitContext& c, const PositionNeeds& needs);
/// Stores 1/q of the current round.
void emit_reciprocal_q(EmitContext& c);

/// A word of a plane: in memory, the same for all lanes, or a component of each quad's row.
struct PlaneWord {
    Address place;
    Vec rows;
    unsigned component = 0;
};
/// A plane: its value at the anchor and its gradients.
struct PlaneWords {
    PlaneWord a;
    PlaneWord cx;
    PlaneWord cy;
};
/// d = the word.
void load_word(EmitContext& c, Vec d, const PlaneWord& word);

/// A Plane member of the primitive, or of each quad's primitive.
class PrimitivePlane {
public:
    /// offset  of the member
    PrimitivePlane(EmitContext& c, const LaneGroup& group, size_t offset);
    /// Valid while this object lives.
    [[nodiscard]] PlaneWords words() const;

private:
    Address place_;
    Temp rows_;  ///< of packed quads
};

/// An offset from the anchor, in two temporaries.
struct Point {
    F32 dx;
    F32 dy;
};
/// Computes the pixel centres of W lanes of the block.
Point block_centre_point(EmitContext& c, const LaneGroup& group);
/// The pixel centres of a group, from the frame.
Point centre_point(EmitContext& c, const LaneGroup& group);
/// The positions of one sample in the pixels of a group.
Point sample_point(EmitContext& c, const LaneGroup& group, unsigned sample);
/// x, y: position in pixels from the pixel's corner; the result takes over both.
Point point_inside(const LaneGroup& group, F32 x, F32 y);

/// d = a + cx * dx + cy * dy.
void linear_value(EmitContext& c, Vec d, const PlaneWords& plane, const Point& at);
/// d = a + (cx * dx + cy * dy) * reciprocal_q.
void perspective_value(
    EmitContext& c, Vec d, const PlaneWords& plane, const Point& at, Vec reciprocal_q);
/// d = 1/q.
void reciprocal_q_at(EmitContext& c, const LaneGroup& group, Vec d, const Point& at);

}  // namespace valkyr::jit
