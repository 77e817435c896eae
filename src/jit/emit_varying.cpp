// Varyings: LD_VAR*.
// SPDX-License-Identifier: MIT
#include "jit/emitter.hpp"
#include "jit/message.hpp"

#include <cstddef>

namespace valkyr::jit {

using valhall::Mod;
using valhall::SourceFormat;

namespace {

constexpr uint32_t kBytesPerSlot = 16;

/// position: staged in operand[1]; the sample mask is its low half.
void load_varying(EmitContext& c, Address message) {
    for (unsigned p = 0; p < c.parts; ++p) {
        const Vec v = c.scratch();
        c.h.load(v, c.lanes_at(VALKYR_FRAME(operand[1]), p));
        c.h.op(Binary::And, v, v, c.pool(0xFFFF));
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[0]), p), v);
        c.release(v);
    }
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, varying),
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(operand[0])),
                      Argument::effective(VALKYR_FRAME(operand[1])),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

/// LD_VAR_BUF*: source format and opcode say how memory and registers look.
exec::VaryingMessage buffer_message(const EmitContext& c, uint32_t offset, bool half) {
    const auto format = c.instr().get<SourceFormat>(Mod::source_format);
    const bool flat = format == SourceFormat::src_flat32 || format == SourceFormat::src_flat16;
    const bool source_half = format == SourceFormat::src_flat16 || format == SourceFormat::src_f16;
    return {offset,       c.instr().get<exec::SampleMode>(Mod::sample), flat, half, source_half,
            components(c)};
}

void load_buffer_varying(EmitContext& c, bool half) {
    const auto offset = static_cast<uint32_t>(c.instr().imm[0]);
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    load_varying(c, constant_message(c, buffer_message(c, offset, half)));
}

void load_indexed_varying(EmitContext& c, bool half) {
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    c.uniform_word(Gp::T0, 1);
    const Address message = variable_message(c, buffer_message(c, 0, half));
    c.h.store32(message.plus(offsetof(exec::VaryingMessage, offset)), Gp::T0);
    load_varying(c, message);
}

/// LD_VAR*: the table index is a slot of the vertex record; the register format decides between
/// floats and uninterpreted bits.
exec::VaryingMessage slot_message(const EmitContext& c, uint32_t slot, bool flat) {
    using exec::RegisterFormat;
    const RegisterFormat format = register_format(c);
    const bool half = format == RegisterFormat::F16 || format == RegisterFormat::S16 ||
                      format == RegisterFormat::U16;
    const bool is_float = format == RegisterFormat::Auto || format == RegisterFormat::F32 ||
                          format == RegisterFormat::F16;
    const bool bits = flat || !is_float;
    const auto sample =
        flat ? exec::SampleMode::Center : c.instr().get<exec::SampleMode>(Mod::sample);
    return {slot * kBytesPerSlot, sample, bits, half, half && bits, components(c)};
}

/// The slot comes from a handle in a register.
Address slot_message_from(EmitContext& c, unsigned source, bool flat) {
    c.uniform_word(Gp::T0, source);
    c.h.and32(Gp::T0, 0xFFFFFF);
    c.h.shift_left64(Gp::T0, 4);
    const Address message = variable_message(c, slot_message(c, 0, flat));
    c.h.store32(message.plus(offsetof(exec::VaryingMessage, offset)), Gp::T0);
    return message;
}

/// Flat varyings have no position operand.
void stage_no_position(EmitContext& c) {
    for (unsigned p = 0; p < c.parts; ++p) {
        const Vec zero = c.constant(0);
        c.h.store(c.lanes_at(VALKYR_FRAME(operand[1]), p), zero);
        c.release(zero);
    }
}

}  // namespace

VALKYR_EMIT_AS(LD_VAR_BUF_IMM_F32, load_buffer_varying(c, false))
VALKYR_EMIT_AS(LD_VAR_BUF_IMM_F16, load_buffer_varying(c, true))
VALKYR_EMIT_AS(LD_VAR_BUF_F32, load_indexed_varying(c, false))
VALKYR_EMIT_AS(LD_VAR_BUF_F16, load_indexed_varying(c, true))

VALKYR_EMIT(LD_VAR_IMM) {
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    const auto slot = static_cast<uint32_t>(c.instr().imm[1]);
    load_varying(c, constant_message(c, slot_message(c, slot, false)));
}

VALKYR_EMIT(LD_VAR) {
    stage_source(c, 0, VALKYR_FRAME(operand[1]));
    load_varying(c, slot_message_from(c, 1, false));
}

VALKYR_EMIT(LD_VAR_FLAT_IMM) {
    stage_no_position(c);
    const auto slot = static_cast<uint32_t>(c.instr().imm[1]);
    load_varying(c, constant_message(c, slot_message(c, slot, true)));
}

VALKYR_EMIT(LD_VAR_FLAT) {
    stage_no_position(c);
    load_varying(c, slot_message_from(c, 0, true));
}

VALKYR_EMIT(LD_VAR_SPECIAL) {
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
