// Pixel positions: compute offsets from the primitive's anchor, and its planes there.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_position.hpp"

#include "base/bits.hpp"
#include "exec/samples.hpp"
#include "jit/expand/fragment/inline_varying.hpp"
#include "jit/expand/fragment/packed_quads.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr float kCentre = 0.5F;

Operand broadcast(Address word) {
    return Operand::broadcast(word);
}

Address primitive_member(size_t offset) {
    return {Gp::Primitive, static_cast<int32_t>(offset)};
}

/// One axis of the positions.
struct Axis {
    Address tile;    ///< window position of the tile, an integer
    Address anchor;  ///< of the primitive's anchor
    Address origin;  ///< Lanes arrays
    Address corner;
    Address centre;
    unsigned (*lane)(unsigned);
    unsigned next_block;  ///< pixels to the second of two blocks shaded in step
};

Axis axis_x() {
    return {{Gp::Call, offsetof(exec::FragmentCall, tile_x)},
            primitive_member(offsetof(exec::PrimitiveSetup, anchor_x)),
            VALKYR_FRAME(origin_x),
            VALKYR_FRAME(corner_x),
            VALKYR_FRAME(centre_dx),
            [](unsigned lane) { return exec::lane_x(lane); },
            kBlockSide};
}
Axis axis_y() {
    return {{Gp::Call, offsetof(exec::FragmentCall, tile_y)},
            primitive_member(offsetof(exec::PrimitiveSetup, anchor_y)),
            VALKYR_FRAME(origin_y),
            VALKYR_FRAME(corner_y),
            VALKYR_FRAME(centre_dy),
            [](unsigned lane) { return exec::lane_y(lane); },
            0};
}

/// Stores the pixels' positions in the tile's first block, once a call. Corners are relative to the
/// window, centres to the anchor.
void prepare_axis(EmitContext& c, const Axis& axis, bool corner) {
    const auto offsets = [&](unsigned block) {
        std::array<uint32_t, exec::kLanes> inside;
        for (unsigned lane = 0; lane < exec::kLanes; ++lane)
            inside[lane] = as_bits(static_cast<float>(axis.lane(lane) + block * axis.next_block) +
                                   (corner ? 0 : kCentre));
        return c.pool_row(inside);
    };
    each_chunk(c, [&](const LaneGroup& group) {
        const LaneGroup in_block{group.first % exec::kLanes, group.index, group.part};
        const Address inside = in_block.of(offsets(group.first / exec::kLanes));
        F32 v(c, to_f32(broadcast(axis.tile)) + inside);
        if (!corner)
            v -= broadcast(axis.anchor);
        c.h.store(group.of(axis.origin), v);
    });
}

/// The position of the block in the tile, in blocks.
struct BlockCoordinates {
    Scalar row;
    Scalar column;
};
BlockCoordinates block_coordinates(EmitContext& c) {
    static_assert(exec::kBlocksPerRow == 16);
    HostAssembler& h = c.h;
    BlockCoordinates block{c.scalar(), c.scalar()};
    h.move(block.row, Gp::PixelBlock);
    h.shift_right32(block.row, 6);
    h.move(block.column, block.row);
    h.shift_right32(block.row, 4);
    h.and32(block.column, exec::kBlocksPerRow - 1);
    return block;
}

/// The origin of the axis moved by `count` blocks.
F32 moved_origin(EmitContext& c, const Axis& axis, const LaneGroup& group, Gp count) {
    Address pixels = VALKYR_FRAME(block_pixels);
    pixels.index = count;
    pixels.shift = 2;
    if (c.batching == exec::Batching::Blocks)
        return {c, f32(group.of(axis.origin)) - broadcast(axis.anchor) + broadcast(pixels)};
    const Operand origin = c.invariant(Operand::memory(group.of(axis.origin)));
    if (origin.is_reg())
        return {c, f32(origin) + broadcast(pixels)};
    return {c, f32(broadcast(pixels)) + origin};
}

/// The first lane of the first group whose lanes have the same places on the axis as those of the
/// group at lane `first`.
unsigned first_alike(const EmitContext& c, const Axis& axis, unsigned first) {
    const unsigned lanes = c.h.traits().lanes;
    const auto place = [&](unsigned lane) {
        return axis.lane(lane % exec::kLanes) + lane / exec::kLanes * axis.next_block;
    };
    const auto alike = [&](unsigned other) {
        for (unsigned lane = 0; lane < lanes; ++lane)
            if (place(other + lane) != place(first + lane))
                return false;
        return true;
    };
    unsigned other = 0;
    while (!alike(other))
        other += lanes;
    return other;
}

/// Stores the row of a group to all groups that are alike.
void store_alike(EmitContext& c, const Axis& axis, unsigned first, Address rows, Vec v) {
    each_chunk(c, [&](const LaneGroup& group) {
        if (first_alike(c, axis, group.first) == first)
            c.h.store(group.of(rows), v);
    });
}

void emit_axis(EmitContext& c, const Axis& axis, Gp count, const PositionNeeds& needs) {
    each_chunk(c, [&](const LaneGroup& group) {
        if (first_alike(c, axis, group.first) != group.first)
            return;
        F32 v = moved_origin(c, axis, group, count);
        if (needs.corner) {
            store_alike(c, axis, group.first, axis.corner, v);
            v = v + kCentre - broadcast(axis.anchor);
        }
        if (needs.centre)
            store_alike(c, axis, group.first, axis.centre, v);
    });
}

/// Stores the centres of packed quads.
void emit_quad_centres(EmitContext& c) {
    each_chunk(c, [&](const LaneGroup& group) {
        static_assert(offsetof(exec::PrimitiveSetup, anchor_x) == 0);
        static_assert(offsetof(exec::PrimitiveSetup, anchor_y) == sizeof(float));
        const Temp anchors = primitive_rows(c, group, 0);
        const QuadCorner corner = quad_corner(c, group);
        const auto store = [&](const U32& pixels, const Axis& axis, unsigned component) {
            F32 v(c, to_f32(s32(pixels)) + group.of(axis.origin));
            const Temp anchor = c.scratch();
            spread_word(c, anchor, anchors, component);
            v -= anchor;
            c.h.store(group.of(axis.centre), v);
        };
        store(corner.x, axis_x(), 0);
        store(corner.y, axis_y(), 1);
    });
}

}  // namespace

bool expands_fragment(const KernelSource& c) {
    const exec::FragmentKey* key = c.key.fragment;
    return c.inline_messages && key && c.stage() == exec::Stage::Fragment &&
           std::has_single_bit(unsigned{key->samples}) && key->samples <= exec::kMaxSamples;
}

bool samples_spread(const KernelSource& c) {
    const exec::FragmentKey* key = c.key.fragment;
    return key && !key->centered_samples && exec::sample_positions(key->samples).size() > 1;
}

PositionNeeds position_needs(const KernelSource& c) {
    PositionNeeds needs;
    for (const Step& step : c.program.steps)
        add_varying_needs(c, step, needs);
    if (expands_fragment(c) && c.key.fragment->zs.depth_test) {
        needs.corner |= samples_spread(c);
        if (!samples_spread(c))
            (c.key.fragment->zs.early ? needs.computed_centre : needs.centre) = true;
    }
    needs.centre |= needs.reciprocal_q;
    if (needs.corner && needs.computed_centre) {
        needs.centre = true;
        needs.computed_centre = false;
    }
    return needs;
}

// All sums below are exact: positions are multiples of 1/256 below 2^15 in magnitude.
void prepare_positions(EmitContext& c, const PositionNeeds& needs) {
    if (!needs.any())
        return;
    prepare_axis(c, axis_x(), needs.corner);
    prepare_axis(c, axis_y(), needs.corner);
    std::array<uint32_t, exec::kLanes> pixels;
    for (unsigned k = 0; k < pixels.size(); ++k)
        pixels[k] = as_bits(static_cast<float>(kBlockSide * k));
    const Address table = c.pool_row(pixels);
    for (unsigned first = 0; first < pixels.size(); first += c.h.traits().lanes) {
        const LaneGroup group{first};
        const Temp v = c.scratch();
        c.h.load(v, group.of(table));
        c.h.store(group.of(VALKYR_FRAME(block_pixels)), v);
    }
}

void share_origins(EmitContext& c, const PositionNeeds& needs, exec::Batching batching) {
    if (!needs.any())
        return;
    for (const Axis& axis : {axis_x(), axis_y()})
        each_chunk(c, [&](const LaneGroup& group) {
            F32 v(c, f32(group.of(axis.origin)) + broadcast(axis.anchor));
            if (batching == exec::Batching::Quads) {
                // The places of the quads themselves are in the list (quad_corner()).
                std::array<uint32_t, exec::kLanes> quads;
                for (unsigned lane = 0; lane < exec::kLanes; ++lane)
                    quads[lane] = as_bits(static_cast<float>(axis.lane(lane & ~3U)));
                v -= group.of(c.pool_row(quads));
            }
            c.h.store(group.of(axis.origin), v);
        });
}

void emit_positions(EmitContext& c, const PositionNeeds& needs) {
    if (c.packs_quads()) {
        if (needs.any())
            emit_quad_centres(c);
        return;
    }
    if (!needs.centre && !needs.corner)
        return;
    const BlockCoordinates block = block_coordinates(c);
    emit_axis(c, axis_x(), block.column, needs);
    emit_axis(c, axis_y(), block.row, needs);
}

Point block_centre_point(EmitContext& c, const LaneGroup& group) {
    const BlockCoordinates block = block_coordinates(c);
    F32 dx = moved_origin(c, axis_x(), group, block.column);
    return {std::move(dx), moved_origin(c, axis_y(), group, block.row)};
}

void emit_reciprocal_q(EmitContext& c) {
    each_group(c, [&](const LaneGroup& group) {
        const Point at = centre_point(c, group);
        const Temp v = c.scratch();
        reciprocal_q_at(c, group, v, at);
        c.h.store(group.of(VALKYR_FRAME(reciprocal_q)), v);
    });
}

LeasedAddress plane_place(EmitContext& c, const LaneGroup& group, size_t member, unsigned samples) {
    HostAssembler& h = c.h;
    Scalar plane = tile_pixels(c, member);
    Address words{plane};
    if (samples > 1) {
        const Scalar block = c.scalar();
        h.move(block, Gp::PixelBlock);
        h.shift_left64(block, static_cast<unsigned>(std::countr_zero(samples)));
        h.add64(plane, block);
    } else if (group.index != Gp::None) {
        h.add64(plane, Gp::PixelBlock);
    } else {
        words.index = Gp::PixelBlock;
    }
    return {std::move(plane), group.of(words)};
}

PrimitivePlane::PrimitivePlane(EmitContext& c, const LaneGroup& group, size_t offset)
    : place_(primitive_member(offset)) {
    if (c.packs_quads())
        rows_ = primitive_rows(c, group, offset);
}

PlaneWords PrimitivePlane::words() const {
    const auto word = [&](size_t member) {
        return PlaneWord{place_.plus(static_cast<int32_t>(member)), rows_,
                         static_cast<unsigned>(member / sizeof(float))};
    };
    return {word(offsetof(exec::Plane, a)), word(offsetof(exec::Plane, cx)),
            word(offsetof(exec::Plane, cy))};
}

Point centre_point(EmitContext& c, const LaneGroup& group) {
    return {F32(c, f32(group.of(VALKYR_FRAME(centre_dx)))),
            F32(c, f32(group.of(VALKYR_FRAME(centre_dy))))};
}

Point sample_point(EmitContext& c, const LaneGroup& group, unsigned sample) {
    if (!samples_spread(c))
        return c.computes_centres() ? block_centre_point(c, group) : centre_point(c, group);
    const exec::SamplePosition position = exec::sample_positions(c.key.fragment->samples)[sample];
    constexpr float unit = 1.0F / 16;
    F32 x(c, static_cast<float>(position.x) * unit);
    F32 y(c, static_cast<float>(position.y) * unit);
    return point_inside(group, std::move(x), std::move(y));
}

Point point_inside(const LaneGroup& group, F32 x, F32 y) {
    x = x + group.of(VALKYR_FRAME(corner_x)) - broadcast(axis_x().anchor);
    y = y + group.of(VALKYR_FRAME(corner_y)) - broadcast(axis_y().anchor);
    return {std::move(x), std::move(y)};
}

namespace {

/// A word in memory. If a call has one primitive, its members do not change.
Operand memory_word(EmitContext& c, Address place) {
    const bool kept = place.base == Gp::Primitive && c.batching == exec::Batching::None;
    return kept ? c.invariant(broadcast(place)) : broadcast(place);
}

TempOperand word_operand(EmitContext& c, const PlaneWord& word) {
    if (!word.rows.valid())
        return memory_word(c, word.place);
    Temp v = c.scratch();
    spread_word(c, v, word.rows, word.component);
    return v;
}

/// d = word * offset, plus d if `adds`.
void apply_slope(EmitContext& c, Vec d, const PlaneWord& word, const F32& offset, bool adds) {
    const TempOperand slope = word_operand(c, word);
    F32 value(c, d);
    if (adds)
        value = fma(offset, Operand(slope), value);
    else
        value = offset * Operand(slope);
}

}  // namespace

void load_word(EmitContext& c, Vec d, const PlaneWord& word) {
    if (word.rows.valid())
        spread_word(c, d, word.rows, word.component);
    else
        c.h.move(d, memory_word(c, word.place));
}

void linear_value(EmitContext& c, Vec d, const PlaneWords& plane, const Point& at) {
    load_word(c, d, plane.a);
    apply_slope(c, d, plane.cx, at.dx, true);
    apply_slope(c, d, plane.cy, at.dy, true);
}

void perspective_value(
    EmitContext& c, Vec d, const PlaneWords& plane, const Point& at, Vec reciprocal_q) {
    apply_slope(c, d, plane.cx, at.dx, false);
    apply_slope(c, d, plane.cy, at.dy, true);
    const TempOperand start = word_operand(c, plane.a);
    F32 value(c, d);
    value = fma(value, reciprocal_q, Operand(start));
}

void reciprocal_q_at(EmitContext& c, const LaneGroup& group, Vec d, const Point& at) {
    const F32 q(c);
    const PrimitivePlane plane(c, group, offsetof(exec::PrimitiveSetup, q));
    linear_value(c, q, plane.words(), at);
    F32 reciprocal(c, d);
    reciprocal = 1.0F / q;
}

}  // namespace valkyr::jit
