// Message calls: stage operands in the frame, call a routine and receive its results.
// SPDX-License-Identifier: MIT
#include "jit/context/message.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cstddef>

namespace valkyr::jit {

using valhall::Staging;

namespace {

/// Moves bits of the lanes of a round to their place in the warp.
void to_warp_bits(EmitContext& c, Gp d) {
    if (c.plan.rounds == 1)
        return;
    const Scalar first = c.scalar();
    c.h.move(first, Gp::Half);
    c.h.shift_right32(first, 2);
    c.h.shift_left32_variable(d, first);
}

}  // namespace

bool expand(EmitContext& c, std::initializer_list<ExpansionEmitter> expansions) {
    const Expansion chosen = c.message().expansion;
    for (const ExpansionEmitter& e : expansions)
        if (e.expansion == chosen) {
            e.emit(c);
            return true;
        }
    VALKYR_CHECK(chosen == Expansion::Routine);
    return false;
}

void make_room(EmitContext& c, unsigned count) {
    {
        std::vector<Temp> room(count);
        for (Temp& v : room)
            v = c.scratch();
    }
    c.regs.forbid_evictions();
}

void stage_register(EmitContext& c, Reg r, Address area) {
    for (unsigned p = 0; p < c.parts; ++p) {
        Temp v = c.regs.use(r, p);
        c.h.store(c.lanes_at(area, p), v);
        c.done_with(v);
    }
}

void stage_run(EmitContext& c, const Staging& run, Address area) {
    for (unsigned k = 0; k < std::min<unsigned>(run.count, kMaxStaging); ++k)
        stage_register(c, register_behind(run.base, k), staged_array(area, k));
}

void stage_source(EmitContext& c, unsigned source, Address area, unsigned half) {
    each_part(c, [&] {
        Temp v = c.word(source, half);
        c.h.store(c.lanes_at(area), v);
        c.done_with(v);
    });
}

void stage_pair(EmitContext& c, unsigned source, Address area) {
    stage_source(c, source, area, 0);
    stage_source(c, source, staged_array(area, 1), 1);
}

void sending_lanes(EmitContext& c, Gp d, bool effects) {
    c.h.move(d, Gp::Running);
    if (effects)
        c.h.and32(d, VALKYR_FRAME(live));
    to_warp_bits(c, d);
}

void find_corner(EmitContext& c, Gp x, Gp y) {
    HostAssembler& h = c.h;
    h.move(y, Gp::PixelBlock);
    h.shift_right32(y, 6);
    h.move(x, y);
    h.and32(x, exec::kBlocksPerRow - 1);
    h.shift_left64(x, 2);
    h.add32(x, {Gp::Call, offsetof(exec::FragmentCall, tile_x)});
    h.shift_right32(y, 4);
    static_assert(exec::kBlocksPerRow == 16);
    h.shift_left64(y, 2);
    h.add32(y, {Gp::Call, offsetof(exec::FragmentCall, tile_y)});
}

void locate_warp(EmitContext& c) {
    HostAssembler& h = c.h;
    const Scalar x = c.scalar();
    const Scalar y = c.scalar();
    h.move(x, Gp::PixelBlock);
    h.shift_right32(x, 6);
    h.store32(VALKYR_FRAME(warp.block), x);
    find_corner(c, x, y);
    h.store32(VALKYR_FRAME(warp.x), x);
    h.store32(VALKYR_FRAME(warp.y), y);
}

void prepare_warp(EmitContext& c, bool effects) {
    const bool fragment = c.stage() == exec::Stage::Fragment || c.stage() == exec::Stage::Blend;
    if (fragment && !c.plan.fragment.locates_warp)
        locate_warp(c);
    const Scalar lanes = c.scalar();
    sending_lanes(c, lanes, effects);
    c.h.store16(VALKYR_FRAME(warp.running), lanes);
    c.h.load32(lanes, VALKYR_FRAME(live));
    to_warp_bits(c, lanes);
    c.h.store16(VALKYR_FRAME(warp.live), lanes);
}

void emit_call(EmitContext& c, size_t routine, std::initializer_list<Argument> arguments) {
    VALKYR_DCHECK(c.scalars.all_free());
    const Scalar environment = c.load64({Gp::Call, 0});
    c.h.load64(environment, {environment, offsetof(exec::DrawContext, environment)});
    c.h.call_indirect({environment, static_cast<int32_t>(routine)}, arguments);
}

void call_environment(EmitContext& c, size_t routine, std::initializer_list<Argument> arguments) {
    c.regs.before_call();
    emit_call(c, routine, arguments);
    c.after_call();
}

void call_routine(EmitContext& c, const void* function, std::initializer_list<Argument> arguments) {
    VALKYR_DCHECK(c.scalars.all_free());
    c.regs.before_call();
    c.h.call(function, arguments);
    c.after_call();
}

void call_varying(EmitContext& c, Address message, Address area) {
    for (unsigned p = 0; p < c.parts; ++p) {
        const Temp v = c.scratch();
        c.h.load(v, c.lanes_at(VALKYR_FRAME(operand[1]), p));
        c.h.op(Binary::And, v, v, c.pool(0xFFFF));
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[0]), p), v);
    }
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, varying),
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(operand[0])),
                      Argument::effective(VALKYR_FRAME(operand[1])), Argument::effective(area)});
}

void receive_run(EmitContext& c, const Staging& run, Address area) {
    for (unsigned k = 0; k < std::min<unsigned>(run.count, kMaxStaging); ++k) {
        const auto r = register_behind(run.base, k);
        for (unsigned p = 0; p < c.parts; ++p) {
            Temp v = c.scratch();
            c.h.load(v, c.lanes_at(staged_array(area, k), p));
            c.regs.define(r, p, v);
            c.done_with(v);
        }
    }
}

}  // namespace valkyr::jit
