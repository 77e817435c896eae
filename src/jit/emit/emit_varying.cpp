// Varying emitters: interpolate (LD_VAR*).
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/expand/fragment/inline_varying.hpp"
#include "valhall/isa/messages.hpp"

#include <cstddef>

namespace valkyr::jit {

using valhall::Mod;

namespace {

void load_varying(EmitContext& c, Address message) {
    call_varying(c, message, VALKYR_FRAME(out));
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

/// Emits the chosen expansion; false if the choice is the routine.
bool expand_known(EmitContext& c) {
    return expand(c, {{Expansion::Varying, expand_varying}});
}

/// Emits a message whose contents are known when the kernel is made.
void load_known_varying(EmitContext& c) {
    if (expand_known(c))
        return;
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    load_varying(c, constant_message(c, *known_varying(c.instr(), c.message().known)));
}

/// Emits a message whose byte offset is a source.
void load_indexed_varying(EmitContext& c) {
    if (c.message().known)
        return load_known_varying(c);
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    Scalar offset = c.uniform_word(1);
    const Address message = variable_message(c, valhall::buffer_varying(c.instr(), 0));
    c.h.store32(message.plus(offsetof(exec::VaryingMessage, offset)), offset);
    offset.reset();
    load_varying(c, message);
}

/// Builds a message whose slot is in a register.
Address slot_message_from(EmitContext& c, unsigned source) {
    const Scalar offset = c.uniform_word(source);
    c.h.and32(offset, exec::kHandleIndexMask);
    c.h.shift_left64(offset, 4);
    const Address message = variable_message(c, valhall::slot_varying(c.instr(), 0));
    c.h.store32(message.plus(offsetof(exec::VaryingMessage, offset)), offset);
    return message;
}

/// Flat varyings have no position operand.
void stage_no_position(EmitContext& c) {
    for (unsigned p = 0; p < c.parts; ++p) {
        const Temp zero = c.constant(0);
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[1]), p), zero);
    }
}

}  // namespace

VALKYR_EMIT_AS(LD_VAR_BUF_IMM_F32, load_known_varying(c))
VALKYR_EMIT_AS(LD_VAR_BUF_IMM_F16, load_known_varying(c))
VALKYR_EMIT_AS(LD_VAR_IMM, load_known_varying(c))
VALKYR_EMIT_AS(LD_VAR_BUF_F32, load_indexed_varying(c))
VALKYR_EMIT_AS(LD_VAR_BUF_F16, load_indexed_varying(c))

VALKYR_EMIT(LD_VAR) {
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    load_varying(c, slot_message_from(c, 1));
}

VALKYR_EMIT(LD_VAR_FLAT_IMM) {
    if (expand_known(c))
        return;
    stage_no_position(c);
    load_varying(c, constant_message(c, *known_varying(c.instr(), {})));
}

VALKYR_EMIT(LD_VAR_FLAT) {
    stage_no_position(c);
    load_varying(c, slot_message_from(c, 0));
}

VALKYR_EMIT(LD_VAR_SPECIAL) {
    if (expand(c, {{Expansion::VaryingSpecial, expand_varying_special}}))
        return;
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, varying_special),
                     {Argument::effective(VALKYR_FRAME(warp)),
                      Argument::constant(static_cast<uint64_t>(c.instr().imm[0])),
                      Argument::constant(c.instr().mod(Mod::sample)),
                      Argument::effective(VALKYR_FRAME(operand[0])),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

}  // namespace valkyr::jit
