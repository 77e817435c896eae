// Pixel positions: compute offsets from the primitive's anchor, and its planes there.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/inline_position.hpp"

#include "base/bits.hpp"
#include "exec/samples.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_varying.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr float kCentre = 0.5F;
constexpr unsigned kBlockSize = 4;

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
            kBlockSize};
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
    HostAssembler& h = c.h;
    const auto offsets = [&](unsigned block) {
        std::array<uint32_t, exec::kLanes> inside;
        for (unsigned lane = 0; lane < exec::kLanes; ++lane)
            inside[lane] = as_bits(static_cast<float>(axis.lane(lane) + block * axis.next_block) +
                                   (corner ? 0 : kCentre));
        return c.pool_row(inside);
    };
    each_chunk(c, [&](const LaneGroup& group) {
        const Temp v = c.scratch();
        const LaneGroup in_block{group.first % exec::kLanes, group.index, group.part};
        h.op(Unary::S32ToF32, v, broadcast(axis.tile));
        h.op(Binary::AddF32, v, v,
             Operand::memory(in_block.of(offsets(group.first / exec::kLanes))));
        if (!corner)
            h.op(Binary::SubF32, v, v, broadcast(axis.anchor));
        h.store(group.of(axis.origin), v);
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

/// A temporary: the origin of the axis moved by `count` blocks.
Temp moved_origin(EmitContext& c, const Axis& axis, const LaneGroup& group, Gp count) {
    Temp v = c.scratch();
    Address pixels = VALKYR_FRAME(block_pixels);
    pixels.index = count;
    pixels.shift = 2;
    if (c.mixed) {
        c.h.load(v, group.of(axis.origin));
        c.h.op(Binary::SubF32, v, v, broadcast(axis.anchor));
        c.h.op(Binary::AddF32, v, v, broadcast(pixels));
        return v;
    }
    const Operand origin = c.invariant(Operand::memory(group.of(axis.origin)));
    if (origin.is_reg()) {
        c.h.op(Binary::AddF32, v, origin.reg, broadcast(pixels));
    } else {
        c.h.move(v, broadcast(pixels));
        c.h.op(Binary::AddF32, v, v, origin);
    }
    return v;
}

void emit_axis(EmitContext& c, const Axis& axis, Gp count, const PositionNeeds& needs) {
    HostAssembler& h = c.h;
    each_chunk(c, [&](const LaneGroup& group) {
        const Temp v = moved_origin(c, axis, group, count);
        if (needs.corner) {
            h.store(group.of(axis.corner), v);
            h.op(Binary::AddF32, v, v, c.pool(as_bits(kCentre)));
            h.op(Binary::SubF32, v, v, broadcast(axis.anchor));
        }
        if (needs.centre)
            h.store(group.of(axis.centre), v);
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
        pixels[k] = as_bits(static_cast<float>(kBlockSize * k));
    const Address table = c.pool_row(pixels);
    for (unsigned first = 0; first < pixels.size(); first += c.h.traits().lanes) {
        const LaneGroup group{first};
        const Temp v = c.scratch();
        c.h.load(v, group.of(table));
        c.h.store(group.of(VALKYR_FRAME(block_pixels)), v);
    }
}

void share_origins(EmitContext& c, const PositionNeeds& needs) {
    if (!needs.any())
        return;
    for (const Axis& axis : {axis_x(), axis_y()})
        each_chunk(c, [&](const LaneGroup& group) {
            const Temp v = c.scratch();
            c.h.load(v, group.of(axis.origin));
            c.h.op(Binary::AddF32, v, v, broadcast(axis.anchor));
            c.h.store(group.of(axis.origin), v);
        });
}

void emit_positions(EmitContext& c, const PositionNeeds& needs) {
    if (!needs.centre && !needs.corner)
        return;
    const BlockCoordinates block = block_coordinates(c);
    emit_axis(c, axis_x(), block.column, needs);
    emit_axis(c, axis_y(), block.row, needs);
}

Point block_centre_point(EmitContext& c, const LaneGroup& group) {
    const BlockCoordinates block = block_coordinates(c);
    Temp dx = moved_origin(c, axis_x(), group, block.column);
    return {std::move(dx), moved_origin(c, axis_y(), group, block.row)};
}

void emit_reciprocal_q(EmitContext& c) {
    each_group(c, [&](const LaneGroup& group) {
        const Point at = centre_point(c, group);
        const Temp v = c.scratch();
        reciprocal_q_at(c, v, at);
        c.h.store(group.of(VALKYR_FRAME(reciprocal_q)), v);
    });
}

LeasedAddress plane_place(EmitContext& c, const LaneGroup& group, size_t member, unsigned samples) {
    HostAssembler& h = c.h;
    Scalar plane = c.load64({Gp::Call, static_cast<int32_t>(member)});
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

PlaneAddress primitive_plane(size_t offset) {
    const Address plane = primitive_member(offset);
    return {plane.plus(offsetof(exec::Plane, a)), plane.plus(offsetof(exec::Plane, cx)),
            plane.plus(offsetof(exec::Plane, cy))};
}

Point centre_point(EmitContext& c, const LaneGroup& group) {
    Point at{c.scratch(), c.scratch()};
    c.h.load(at.dx, group.of(VALKYR_FRAME(centre_dx)));
    c.h.load(at.dy, group.of(VALKYR_FRAME(centre_dy)));
    return at;
}

Point sample_point(EmitContext& c, const LaneGroup& group, unsigned sample) {
    if (!samples_spread(c))
        return c.computes_centres() ? block_centre_point(c, group) : centre_point(c, group);
    const exec::SamplePosition position = exec::sample_positions(c.key.fragment->samples)[sample];
    constexpr float unit = 1.0F / 16;
    Temp x = c.constant(as_bits(static_cast<float>(position.x) * unit));
    Temp y = c.constant(as_bits(static_cast<float>(position.y) * unit));
    return point_inside(c, group, std::move(x), std::move(y));
}

Point point_inside(EmitContext& c, const LaneGroup& group, Temp x, Temp y) {
    HostAssembler& h = c.h;
    h.op(Binary::AddF32, x, x, Operand::memory(group.of(VALKYR_FRAME(corner_x))));
    h.op(Binary::SubF32, x, x,
         broadcast(primitive_member(offsetof(exec::PrimitiveSetup, anchor_x))));
    h.op(Binary::AddF32, y, y, Operand::memory(group.of(VALKYR_FRAME(corner_y))));
    h.op(Binary::SubF32, y, y,
         broadcast(primitive_member(offsetof(exec::PrimitiveSetup, anchor_y))));
    return {std::move(x), std::move(y)};
}

void linear_value(EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at) {
    // If a call has one primitive, its members do not change.
    const auto word = [&](Address a) {
        const bool kept = a.base == Gp::Primitive && !c.mixed;
        return kept ? c.invariant(broadcast(a)) : broadcast(a);
    };
    c.h.move(d, word(plane.a));
    c.h.fma(d, at.dx, word(plane.cx), d, false, false);
    c.h.fma(d, at.dy, word(plane.cy), d, false, false);
}

void perspective_value(
    EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at, Vec reciprocal_q) {
    c.h.op(Binary::MulF32, d, at.dx, broadcast(plane.cx));
    c.h.fma(d, at.dy, broadcast(plane.cy), d, false, false);
    c.h.fma(d, d, reciprocal_q, broadcast(plane.a), false, false);
}

void reciprocal_q_at(EmitContext& c, Vec d, const Point& at) {
    const Temp q = c.scratch();
    linear_value(c, q, primitive_plane(offsetof(exec::PrimitiveSetup, q)), at);
    c.h.move(d, c.pool(as_bits(1.0F)));
    c.h.op(Binary::DivF32, d, d, q);
}

}  // namespace valkyr::jit
