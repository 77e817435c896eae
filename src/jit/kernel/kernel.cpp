// Kernels: holds what all stages share, and makes compute and vertex kernels.
// SPDX-License-Identifier: MIT
#include "jit/kernel/kernel.hpp"

#include "exec/entry_registers.hpp"
#include "jit/context/message.hpp"
#include "jit/expand/fragment/inline_blend.hpp"
#include "jit/expand/fragment/inline_varying.hpp"
#include "jit/expand/fragment/trim.hpp"
#include "jit/kernel/body.hpp"
#include "valhall/arith/arith_lanes.hpp"

#include <algorithm>
#include <cstddef>

namespace valkyr::jit {

using valhall::Op;

namespace {

constexpr unsigned kQuad = 4;

unsigned subgroup_of(const valhall::Instr& instr) {
    return valhall::arith::subgroup_lanes(instr.get<valhall::SubgroupSize>(valhall::Mod::subgroup));
}

using valhall::Effect;

/// Effects that lanes of one warp can see of each other: in lockstep, lane order decides.
constexpr valhall::Effects kSharedEffects =
    Effect::atomic | Effect::image_store | Effect::tile_store | Effect::barrier;

}  // namespace

unsigned parts_for(const GuestProgram& program, const HostTraits& traits) {
    if (traits.lanes == exec::kLanes)
        return 1;
    bool loads = false;
    bool stores = false;
    bool shared = false;
    for (const Step& step : program.steps) {
        const Op op = step.instr.op;
        shared |= has_effect(op, kSharedEffects);
        shared |= is_cross_lane(op) && subgroup_of(step.instr) > traits.lanes;
        loads |= has_effect(op, Effect::load);
        stores |= has_effect(op, Effect::store);
    }
    // Stores alone are seen in lane order whatever the passes: vertex records, whose lanes do not
    // overlap. With loads another lane's store could be seen too early or too late.
    const bool whole =
        shared || (stores && (loads || program.source->info.stage != exec::Stage::Vertex));
    return whole ? exec::kLanes / traits.lanes : 1;
}

bool needs_exact_start(const GuestProgram& program) {
    if (program.source->info.stage != exec::Stage::Fragment)
        return true;
    for (uint32_t b = 0; b < program.blocks.size(); ++b)
        if (program.blocks[b].loop_depth > 0)
            return true;
    return std::any_of(program.steps.begin(), program.steps.end(), [](const Step& step) {
        // Stores may be forced: then helpers perform them, but not pixels of other quads.
        return (is_cross_lane(step.instr.op) && subgroup_of(step.instr) > kQuad) ||
               has_effect(step.instr.op, Effect::load | Effect::store);
    });
}

bool may_call(const KernelSource& source, const valhall::Instr& instr) {
    switch (instr.op) {
    case Op::ATEST: return !passes_coverage(source, instr);
    case Op::BLEND: return !expands_blend(source, instr);
    default:
        return !valhall::is_alu(valhall::op_info(instr.op).unit) && !expands_varying(source, instr);
    }
}

namespace {

/// The most guest registers that are live at once in a program of one block.
unsigned most_live(const GuestProgram& program) {
    RegSet live;
    unsigned most = 0;
    for (size_t k = program.steps.size(); k-- > 0;) {
        const Access& access = program.steps[k].access;
        live = (live - access.writes) | access.reads;
        most = std::max(most, (live | access.writes).size());
    }
    return most;
}

}  // namespace

bool is_straight(const KernelSource& source) {
    const std::vector<Step>& steps = source.program.steps;
    return source.program.blocks.size() == 1 &&
           std::none_of(steps.begin(), steps.end(),
                        [&](const Step& step) { return may_call(source, step.instr); });
}

unsigned invariant_registers(const EmitContext& c) {
    constexpr unsigned most = 12;
    constexpr unsigned wide_working_set = 14;
    constexpr unsigned narrow_working_set = 10;
    if (c.parts != 1 || c.regs.has_homes() || !is_straight(c))
        return 0;
    const unsigned vectors = c.h.traits().vectors;
    const unsigned used =
        most_live(c.program) + (vectors >= 24 ? wide_working_set : narrow_working_set);
    return vectors > used ? std::min(vectors - used, most) : 0;
}

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

void emit_kernel(EmitContext& c, const FlowFacts& facts) {
    c.h.enter(c.layout.bytes());
    c.h.load64(Gp::T0, {Gp::Call, 0});
    c.h.load64(Gp::Fau, {Gp::T0, static_cast<int32_t>(offsetof(exec::DrawContext, fau))});
    switch (c.stage()) {
    case exec::Stage::Vertex: emit_vertex_kernel(c, facts); break;
    case exec::Stage::Fragment:
    case exec::Stage::Blend: emit_fragment_kernel(c, facts); break;
    case exec::Stage::Compute: emit_compute_kernel(c, facts); break;
    }
    c.h.leave();
    c.h.finish();
}

namespace {

/// The warp as message routines see it; the pointer of the stage is set, the other one null.
void init_warp(EmitContext& c, int32_t call_member) {
    HostAssembler& h = c.h;
    const Address warp = VALKYR_FRAME(warp);
    h.load64(Gp::T0, {Gp::Call, 0});
    h.store64(warp.plus(offsetof(exec::Warp, draw)), Gp::T0);
    h.move(Gp::T0, uint64_t{0});
    for (size_t member = offsetof(exec::Warp, fragment); member < sizeof(exec::Warp); member += 8)
        h.store64(warp.plus(static_cast<int32_t>(member)), Gp::T0);
    if (call_member >= 0)
        h.store64(warp.plus(call_member), Gp::Call);
}

/// Running and live lanes of this pass: those below T0, a count of lanes from the pass on.
void start_lanes_below(EmitContext& c) {
    HostAssembler& h = c.h;
    if (c.passes > 1) {  // minus the lanes of earlier passes, at least 0
        const Label some = h.new_label();
        h.move(Gp::T1, Gp::Half);
        h.shift_right32(Gp::T1, 2);
        h.sub32(Gp::T0, Gp::T1);
        h.compare32(Gp::T0, 0x80000000);
        h.jump(Jump::Below, some);
        h.move(Gp::T0, uint64_t{0});
        h.bind(some);
    }
    const Label limited = h.new_label();
    const uint32_t lanes = h.traits().lanes * c.parts;
    h.compare32(Gp::T0, lanes);
    h.jump(Jump::Below, limited);
    h.move(Gp::T0, uint64_t{lanes});
    h.bind(limited);
    h.move(Gp::Running, uint64_t{1});
    h.shift_left32_variable(Gp::Running, Gp::T0);
    h.add32(Gp::Running, -1);
    h.store32(VALKYR_FRAME(live), Gp::Running);
    h.test32(Gp::Running);
    h.jump(Jump::Equal, c.warp_end);
}

}  // namespace

void emit_compute_kernel(EmitContext& c, const FlowFacts& facts) {
    constexpr Reg local_id = exec::kLocalIdRegister;
    constexpr Reg global_id = exec::kGlobalIdRegister;
    init_warp(c, -1);
    c.starts_partial = true;
    for_each_pass(c, [&] {
        c.h.load32(Gp::T0, {Gp::Call, offsetof(exec::ComputeCall, count)});
        start_lanes_below(c);
        c.regs.begin_entry();
        RegSet rest = facts.entry_live;
        for (Reg r : {local_id, global_id}) {
            if (!rest.has(r))
                continue;
            for (c.part = 0; c.part < c.parts; ++c.part)
                c.regs.define(r, c.part, c.lane_numbers());
            c.part = 0;
            rest = rest - RegSet::one(r);
        }
        preload_zero(c, rest);
        emit_body(c, c.warp_end);
    });
}

void emit_vertex_kernel(EmitContext& c, const FlowFacts& facts) {
    constexpr Reg linear_id = exec::kRecordNumberRegister;
    constexpr Reg vertex_id = exec::kVertexIdRegister;
    constexpr Reg instance_id = exec::kInstanceIdRegister;
    HostAssembler& h = c.h;
    init_warp(c, offsetof(exec::Warp, vertex));
    c.starts_partial = true;
    h.move(Gp::Item, uint64_t{0});  // vertices done
    const Label next = h.new_label();
    h.bind(next);
    for_each_pass(c, [&] {
        h.load32(Gp::T0, {Gp::Call, offsetof(exec::VertexCall, count)});
        h.sub32(Gp::T0, Gp::Item);
        start_lanes_below(c);
        c.regs.begin_entry();
        RegSet rest = facts.entry_live;
        if (rest.has(linear_id)) {
            // first_record + Item + lane
            h.load32(Gp::T0, {Gp::Call, offsetof(exec::VertexCall, first_record)});
            h.add64(Gp::T0, Gp::Item);
            h.store32(VALKYR_FRAME(spare), Gp::T0);
            for (c.part = 0; c.part < c.parts; ++c.part) {
                const Temp v = c.lane_numbers();
                const Temp first = c.scratch();
                h.move(first, Operand::broadcast(VALKYR_FRAME(spare)));
                h.op(Binary::AddI32, v, v, first);
                c.regs.define(linear_id, c.part, v);
            }
            c.part = 0;
        }
        if (rest.has(vertex_id)) {
            h.load64(Gp::T0, {Gp::Call, offsetof(exec::VertexCall, vertex_ids)});
            h.load_address(Gp::T0, {Gp::T0, 0, Gp::Item, 2});
            for (unsigned p = 0; p < c.parts; ++p) {
                const Temp v = c.scratch();
                h.load(v, c.lanes_at({Gp::T0}, p));
                c.regs.define(vertex_id, p, v);
            }
        }
        if (rest.has(instance_id))
            preload_uniform(c, instance_id, {Gp::Call, offsetof(exec::VertexCall, instance_id)});
        preload_zero(c, rest - RegSet::run(linear_id, 3));
        emit_body(c, c.warp_end);
    });
    h.add64(Gp::Item, exec::kLanes);
    h.compare32(Gp::Item, {Gp::Call, offsetof(exec::VertexCall, count)});
    h.jump(Jump::Below, next);
}

}  // namespace valkyr::jit
