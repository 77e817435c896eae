// Packed quads: reads the primitives and the pixels of a warp whose quads lie apart.
// SPDX-License-Identifier: MIT
#include "jit/expand/fragment/packed_quads.hpp"

#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr uint32_t kCornerMask = (1U << exec::kQuadYShift) - 1;
static_assert(exec::kTileSize == kCornerMask + 1);

/// Calls f(quad of the register, address of its primitive).
template <typename F>
void each_quad(EmitContext& c, const LaneGroup& group, F f) {
    const Scalar offset = c.scalar();
    for (unsigned q = 0; q < c.h.traits().lanes / 4; ++q) {
        c.h.load32(offset, quad_word(group, offsetof(exec::QuadPlace, primitive), q));
        f(q, Address{Gp::Primitive, 0, offset});
    }
}

void take_row(EmitContext& c, Vec rows, unsigned quad, Address row) {
    if (quad == 0)
        c.h.load_quad(rows, row);
    else
        c.h.insert_quad(rows, quad, row);
}

}  // namespace

Address quad_word(const LaneGroup& group, size_t member, unsigned quad) {
    constexpr size_t quads = offsetof(exec::QuadWarp, quads);
    return group.of(
        {Gp::Item, static_cast<int32_t>(quads + member + sizeof(exec::QuadPlace) * quad)});
}

Temp primitive_rows(EmitContext& c, const LaneGroup& group, size_t offset) {
    Temp rows = c.scratch();
    each_quad(c, group, [&](unsigned quad, Address primitive) {
        take_row(c, rows, quad, primitive.plus(static_cast<int32_t>(offset)));
    });
    return rows;
}

SlotRows slot_rows(EmitContext& c, const LaneGroup& group, uint32_t slot, bool flat) {
    SlotRows rows{c.scratch(), flat ? Temp() : c.scratch(), flat ? Temp() : c.scratch()};
    const size_t first = offsetof(exec::BatchPrimitive, planes) + slot * sizeof(exec::SlotPlanes);
    each_quad(c, group, [&](unsigned quad, Address primitive) {
        const auto take = [&](Vec d, size_t member) {
            take_row(c, d, quad, primitive.plus(static_cast<int32_t>(first + member)));
        };
        take(rows.a, offsetof(exec::SlotPlanes, a));
        if (flat)
            return;
        take(rows.cx, offsetof(exec::SlotPlanes, cx));
        take(rows.cy, offsetof(exec::SlotPlanes, cy));
    });
    return rows;
}

void spread_word(EmitContext& c, Vec d, Vec rows, unsigned component) {
    constexpr unsigned each_lane = 0x55;
    c.h.op(ImmOp::QuadPermute, d, rows, each_lane * component);
}

QuadCorner quad_corner(EmitContext& c, const LaneGroup& group) {
    const Address words = group.of({Gp::Item, offsetof(exec::QuadWarp, corner)});
    U32 x(c);
    x = words;
    U32 y(c, x >> exec::kQuadYShift & kCornerMask);
    x &= kCornerMask;
    return {std::move(x), std::move(y)};
}

Address packed_pixels(size_t member) {
    constexpr size_t colors = offsetof(exec::FragmentCall, color);
    if (member == offsetof(exec::FragmentCall, depth))
        return VALKYR_FRAME(quad_depth);
    VALKYR_DCHECK(member >= colors);
    const size_t target = (member - colors) / sizeof(uint8_t*);
    VALKYR_DCHECK(target < exec::kMaxRenderTargets);
    return VALKYR_FRAME(quad_color)
        .plus(static_cast<int32_t>(target * sizeof(FixedFrame::quad_color[0])));
}

Scalar tile_pixels(EmitContext& c, size_t member) {
    if (!c.packs_quads())
        return c.load64({Gp::Call, static_cast<int32_t>(member)});
    Scalar place = c.scalar();
    c.h.load_address(place, packed_pixels(member));
    return place;
}

}  // namespace valkyr::jit
