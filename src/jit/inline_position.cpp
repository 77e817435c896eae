// Where the pixels of a fragment warp lie relative to their primitive, and its planes there.
// SPDX-License-Identifier: MIT
#include "jit/inline_position.hpp"

#include "base/bits.hpp"
#include "jit/inline_depth.hpp"
#include "jit/inline_varying.hpp"
#include "valhall/isa/exec_samples.hpp"

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
    Address warp;    ///< of lane 0, an integer
    Address anchor;  ///< of the primitive
    Address corner;  ///< Lanes arrays
    Address centre;
    unsigned (*lane)(unsigned);
};

/// Offset of each lane's pixel from lane 0's, plus `inside`.
Address lane_offsets(EmitContext& c, const Axis& axis, float inside) {
    std::array<uint32_t, exec::kLanes> words;
    for (unsigned lane = 0; lane < exec::kLanes; ++lane)
        words[lane] = as_bits(static_cast<float>(axis.lane(lane)) + inside);
    return c.h.pool_words(words);
}

void emit_axis(EmitContext& c, const Axis& axis, const PositionNeeds& needs) {
    HostAssembler& h = c.h;
    const Address offsets = lane_offsets(c, axis, needs.corner ? 0 : kCentre);
    each_chunk(c, [&](const LaneGroup& group) {
        const Vec v = c.scratch();
        h.op(Unary::S32ToF32, v, broadcast(axis.warp));
        h.op(Binary::AddF32, v, v, Operand::memory(group.of(offsets)));
        if (needs.corner) {
            h.store(group.of(axis.corner), v);
            h.op(Binary::AddF32, v, v, c.pool(as_bits(kCentre)));
        }
        h.op(Binary::SubF32, v, v, broadcast(axis.anchor));
        h.store(group.of(axis.centre), v);
        c.release(v);
    });
}

}  // namespace

bool expands_fragment(const EmitContext& c) {
    const exec::FragmentKey* key = c.key.fragment;
    return c.inline_messages && key && c.stage() == exec::Stage::Fragment &&
           std::has_single_bit(unsigned{key->samples}) && key->samples <= exec::kMaxSamples;
}

bool samples_spread(const EmitContext& c) {
    const exec::FragmentKey* key = c.key.fragment;
    return key && !key->centered_samples && exec::sample_positions(key->samples).size() > 1;
}

PositionNeeds position_needs(const EmitContext& c) {
    PositionNeeds needs;
    for (const Step& step : c.program.steps)
        add_varying_needs(c, step.instr, needs);
    if (expands_depth_test(c) && c.key.fragment->zs.depth_test) {
        needs.centre |= !samples_spread(c);
        needs.corner |= samples_spread(c);
    }
    needs.centre |= needs.reciprocal_q;
    return needs;
}

void emit_positions(EmitContext& c, const PositionNeeds& needs) {
    if (!needs.centre && !needs.corner)
        return;
    constexpr unsigned (*lane_x)(unsigned) = [](unsigned lane) { return exec::lane_x(lane); };
    constexpr unsigned (*lane_y)(unsigned) = [](unsigned lane) { return exec::lane_y(lane); };
    emit_axis(c,
              {VALKYR_FRAME(warp.x), primitive_member(offsetof(exec::PrimitiveSetup, anchor_x)),
               VALKYR_FRAME(corner_x), VALKYR_FRAME(centre_dx), lane_x},
              needs);
    emit_axis(c,
              {VALKYR_FRAME(warp.y), primitive_member(offsetof(exec::PrimitiveSetup, anchor_y)),
               VALKYR_FRAME(corner_y), VALKYR_FRAME(centre_dy), lane_y},
              needs);
}

void emit_reciprocal_q(EmitContext& c) {
    each_part(c, [&](const LaneGroup& group) {
        const Point at = centre_point(c, group);
        const Vec v = c.scratch();
        reciprocal_q_at(c, v, at);
        c.h.store(group.of(VALKYR_FRAME(reciprocal_q)), v);
        c.release(v);
        release(c, at);
    });
}

PlaneAddress primitive_plane(size_t offset) {
    const Address plane = primitive_member(offset);
    return {plane.plus(offsetof(exec::Plane, a)), plane.plus(offsetof(exec::Plane, cx)),
            plane.plus(offsetof(exec::Plane, cy))};
}

Point centre_point(EmitContext& c, const LaneGroup& group) {
    const Point at{c.scratch(), c.scratch()};
    c.h.load(at.dx, group.of(VALKYR_FRAME(centre_dx)));
    c.h.load(at.dy, group.of(VALKYR_FRAME(centre_dy)));
    return at;
}

Point sample_point(EmitContext& c, const LaneGroup& group, unsigned sample) {
    if (!samples_spread(c))
        return centre_point(c, group);
    const exec::SamplePosition position = exec::sample_positions(c.key.fragment->samples)[sample];
    constexpr float unit = 1.0F / 16;
    const Vec x = c.constant(as_bits(static_cast<float>(position.x) * unit));
    const Vec y = c.constant(as_bits(static_cast<float>(position.y) * unit));
    return point_inside(c, group, x, y);
}

Point point_inside(EmitContext& c, const LaneGroup& group, Vec x, Vec y) {
    HostAssembler& h = c.h;
    h.op(Binary::AddF32, x, x, Operand::memory(group.of(VALKYR_FRAME(corner_x))));
    h.op(Binary::SubF32, x, x,
         broadcast(primitive_member(offsetof(exec::PrimitiveSetup, anchor_x))));
    h.op(Binary::AddF32, y, y, Operand::memory(group.of(VALKYR_FRAME(corner_y))));
    h.op(Binary::SubF32, y, y,
         broadcast(primitive_member(offsetof(exec::PrimitiveSetup, anchor_y))));
    return {x, y};
}

void release(EmitContext& c, const Point& point) {
    c.release(point.dx);
    c.release(point.dy);
}

void linear_value(EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at) {
    c.h.move(d, broadcast(plane.a));
    c.h.fma(d, at.dx, broadcast(plane.cx), d, false, false);
    c.h.fma(d, at.dy, broadcast(plane.cy), d, false, false);
}

void perspective_value(
    EmitContext& c, Vec d, const PlaneAddress& plane, const Point& at, Vec reciprocal_q) {
    c.h.op(Binary::MulF32, d, at.dx, broadcast(plane.cx));
    c.h.fma(d, at.dy, broadcast(plane.cy), d, false, false);
    c.h.fma(d, d, reciprocal_q, broadcast(plane.a), false, false);
}

void reciprocal_q_at(EmitContext& c, Vec d, const Point& at) {
    const Vec q = c.scratch();
    linear_value(c, q, primitive_plane(offsetof(exec::PrimitiveSetup, q)), at);
    c.h.move(d, c.pool(as_bits(1.0F)));
    c.h.op(Binary::DivF32, d, d, q);
    c.release(q);
}

}  // namespace valkyr::jit
