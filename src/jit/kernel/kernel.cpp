// Kernels: emit the loops of vertex and geometry stages, compute warps, and what all stages share.
// SPDX-License-Identifier: MIT
#include "jit/kernel/kernel.hpp"

#include "exec/entry_registers.hpp"
#include "exec/work_groups.hpp"
#include "jit/context/message.hpp"
#include "jit/context/warp_call.hpp"
#include "jit/kernel/body.hpp"

#include <cstddef>
#include <span>
#include <vector>

namespace valkyr::jit {

void preload_uniform(EmitContext& c, Reg r, Address word) {
    for (unsigned p = 0; p < c.parts; ++p) {
        const Temp v = c.scratch();
        c.h.move(v, Operand::broadcast(word));
        c.regs.define(r, p, v);
    }
}

void preload_zero(EmitContext& c, RegSet registers) {
    registers.each([&](Reg r) { c.regs.define_constant(r, 0); });
}

void emit_kernel(EmitContext& c) {
    c.h.enter(c.frame_bytes());
    c.h.load64(Gp::Fau, {Gp::Call, 0});
    c.h.load64(Gp::Fau, {Gp::Fau, static_cast<int32_t>(offsetof(exec::DrawContext, fau))});
    switch (c.stage()) {
    case exec::Stage::Vertex: emit_vertex_kernel(c); break;
    case exec::Stage::Geometry: emit_geometry_kernel(c); break;
    case exec::Stage::Fragment:
    case exec::Stage::Blend: emit_fragment_kernel(c); break;
    case exec::Stage::Compute: emit_compute_kernel(c); break;
    }
    c.h.leave();
    c.h.finish();
}

namespace {

/// Sets up the frame's warp for message routines: the pointer of this stage is set, the other is
/// null.
void init_warp(EmitContext& c, int32_t call_member) {
    HostAssembler& h = c.h;
    const Address warp = VALKYR_FRAME(warp);
    const Scalar word = c.load64({Gp::Call, 0});
    h.store64(warp.plus(offsetof(exec::Warp, draw)), word);
    h.move(word, uint64_t{0});
    for (size_t member = offsetof(exec::Warp, fragment); member < sizeof(exec::Warp); member += 8)
        h.store64(warp.plus(static_cast<int32_t>(member)), word);
    if (call_member >= 0)
        h.store64(warp.plus(call_member), Gp::Call);
}

/// Sets the running and live lanes of this round to the first `count` of the warp. Overwrites
/// `count`.
void start_lanes_below(EmitContext& c, Gp count) {
    HostAssembler& h = c.h;
    if (c.plan.rounds > 1) {  // minus the lanes of earlier rounds, at least 0
        const Label some = h.new_label();
        const Scalar earlier = c.scalar();
        h.move(earlier, Gp::Half);
        h.shift_right32(earlier, 2);
        h.sub32(count, earlier);
        h.compare32(count, 0x80000000);
        h.jump(Jump::Below, some);
        h.move(count, uint64_t{0});
        h.bind(some);
    }
    const Label limited = h.new_label();
    const uint32_t lanes = h.traits().lanes * c.parts;
    h.compare32(count, lanes);
    h.jump(Jump::Below, limited);
    h.move(count, uint64_t{lanes});
    h.bind(limited);
    h.move(Gp::Running, uint64_t{1});
    h.shift_left32_variable(Gp::Running, count);
    h.add32(Gp::Running, -1);
    h.store32(VALKYR_FRAME(live), Gp::Running);
    h.test32(Gp::Running);
    h.jump(Jump::Equal, c.warp_end);
}

/// Defines an entry register as the lanes at `row`.
void preload_row(EmitContext& c, Reg r, Address row) {
    for (unsigned p = 0; p < c.parts; ++p) {
        {
            const Temp v = c.scratch();
            c.h.load(v, c.lanes_at(row, p));
            c.regs.define(r, p, v);
        }
        c.regs.end_part();  // there may be more rows than host registers: allow evictions
    }
}

}  // namespace

namespace {

/// Part `axis` (0 to 2) of the local IDs.
Temp local_id(EmitContext& c, Gp rows, unsigned axis) {
    Temp v = c.scratch();
    const Address packed = c.lanes_at({rows, 0});
    c.h.load(v, axis == 2 ? packed.plus(sizeof(exec::Lanes)) : packed);
    if (axis == 0)
        c.h.op(Binary::And, v, v, c.pool(0xFFFF));
    if (axis == 1)
        c.h.op(ImmOp::Shr32, v, v, 16);
    return v;
}

/// Defines a global ID: that of the group's first invocation plus the local ID.
void preload_global_id(EmitContext& c, unsigned axis) {
    const Scalar rows = c.load64({Gp::Call, offsetof(WarpCall, local_ids)});
    const auto member =
        static_cast<int32_t>(offsetof(WarpCall, first_global) + axis * sizeof(uint32_t));
    expand_parts(c, [&] {
        {
            const Temp v = local_id(c, rows, axis);
            const Temp first = c.scratch();
            c.h.move(first, Operand::broadcast({Gp::Call, member}));
            c.h.op(Binary::AddI32, v, v, first);
            c.regs.define(static_cast<Reg>(exec::kGlobalIdRegister + axis), c.part, v);
        }
    });
}

/// Defines the entry registers of a compute program that it reads.
void preload_ids(EmitContext& c) {
    RegSet rest = c.plan.entry_live;
    const auto take = [&](unsigned r) {
        const RegSet one = RegSet::one(static_cast<Reg>(r));
        const bool wanted = rest.has(static_cast<Reg>(r));
        rest = rest - one;
        return wanted;
    };
    for (unsigned k = 0; k < 2; ++k)
        if (take(exec::kLocalIdRegister + k)) {
            const Scalar rows = c.load64({Gp::Call, offsetof(WarpCall, local_ids)});
            preload_row(c, static_cast<Reg>(exec::kLocalIdRegister + k),
                        {rows, static_cast<int32_t>(k * sizeof(exec::Lanes))});
        }
    for (unsigned axis = 0; axis < 3; ++axis) {
        if (take(exec::kWorkgroupIdRegister + axis)) {
            const auto member =
                static_cast<int32_t>(offsetof(WarpCall, group) + axis * sizeof(uint32_t));
            preload_uniform(c, static_cast<Reg>(exec::kWorkgroupIdRegister + axis),
                            {Gp::Call, member});
            c.regs.end_part();
        }
        if (take(exec::kGlobalIdRegister + axis))
            preload_global_id(c, axis);
    }
    preload_zero(c, rest);
}

}  // namespace

void emit_compute_kernel(EmitContext& c) {
    init_warp(c, -1);
    for_each_round(c, [&] {
        {
            const Scalar count = c.scalar();
            c.h.load32(count, {Gp::Call, offsetof(exec::ComputeCall, block)});
            start_lanes_below(c, count);
        }
        Label resume;
        if (!c.program.resume_points.empty()) {
            resume = c.h.new_label();
            c.h.compare32({Gp::Call, offsetof(WarpCall, resumes)}, 0);
            c.h.jump(Jump::NotEqual, resume);
        }
        c.regs.begin_entry();
        preload_ids(c);
        emit_body(c, c.warp_end, resume);
    });
}

namespace {

/// A register that is preloaded from an array of the call.
struct LaneArray {
    Reg reg;
    size_t member;  ///< offset in the call of the pointer to the lanes of item 0
};

/// r59: first_record + Item + lane.
void preload_record_numbers(EmitContext& c) {
    HostAssembler& h = c.h;
    const Scalar record = c.scalar();
    h.load32(record, {Gp::Call, offsetof(exec::VertexCall, first_record)});
    h.add64(record, Gp::Item);
    h.store32(VALKYR_FRAME(spare), record);
    each_part(c, [&] {
        const Temp v = c.lane_numbers();
        const Temp first = c.scratch();
        h.move(first, Operand::broadcast(VALKYR_FRAME(spare)));
        h.op(Binary::AddI32, v, v, first);
        c.regs.define(exec::kRecordNumberRegister, c.part, v);
    });
}

void preload_lanes(EmitContext& c, const LaneArray& array) {
    HostAssembler& h = c.h;
    const Scalar at = c.load64({Gp::Call, static_cast<int32_t>(array.member)});
    h.load_address(at, {at, 0, Gp::Item, 2});
    preload_row(c, array.reg, {at});
}

/// The loop over vertices, or over pairs of a geometry call, which begins with a VertexCall: a warp
/// a round.
void emit_record_loop(EmitContext& c, std::span<const LaneArray> arrays) {
    constexpr Reg instance_id = exec::kInstanceIdRegister;
    HostAssembler& h = c.h;
    init_warp(c, offsetof(exec::Warp, vertex));
    h.move(Gp::Item, uint64_t{0});  // the number of items done
    const Label next = h.new_label();
    h.bind(next);
    for_each_round(c, [&] {
        {
            const Scalar left = c.scalar();
            h.load32(left, {Gp::Call, offsetof(exec::VertexCall, count)});
            h.sub32(left, Gp::Item);
            start_lanes_below(c, left);
        }
        c.regs.begin_entry();
        RegSet rest = c.plan.entry_live;
        const auto take = [&](Reg r) {
            const bool wanted = rest.has(r);
            rest = rest - RegSet::one(r);
            return wanted;
        };
        if (take(exec::kRecordNumberRegister))
            preload_record_numbers(c);
        for (const LaneArray& array : arrays)
            if (take(array.reg))
                preload_lanes(c, array);
        if (c.stage() == exec::Stage::Vertex && take(instance_id))
            preload_uniform(c, instance_id, {Gp::Call, offsetof(exec::VertexCall, instance_id)});
        preload_zero(c, rest);
        emit_body(c, c.warp_end);
    });
    h.add64(Gp::Item, exec::kLanes);
    h.compare32(Gp::Item, {Gp::Call, offsetof(exec::VertexCall, count)});
    h.jump(Jump::Below, next);
}

}  // namespace

void emit_vertex_kernel(EmitContext& c) {
    const LaneArray ids{exec::kVertexIdRegister, offsetof(exec::VertexCall, vertex_ids)};
    emit_record_loop(c, {&ids, 1});
}

void emit_geometry_kernel(EmitContext& c) {
    const exec::GeometryInfo& info = c.program.source->info.geometry;
    std::vector<LaneArray> arrays{
        {exec::kInvocationRegister, offsetof(exec::GeometryCall, invocations)},
        {exec::kPrimitiveIdRegister, offsetof(exec::GeometryCall, primitive_ids)}};
    for (unsigned v = 0; v < exec::vertices_of(info.input); ++v)
        arrays.push_back({static_cast<Reg>(exec::kInputRecordRegister + v),
                          offsetof(exec::GeometryCall, vertices) + v * sizeof(uint32_t*)});
    emit_record_loop(c, arrays);
}

}  // namespace valkyr::jit
