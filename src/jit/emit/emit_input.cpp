// Attribute emitters: load vertex data (LD_ATTR*, LEA_ATTR*).
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/routines.hpp"
#include "jit/expand/vertex/attribute_index.hpp"
#include "jit/expand/vertex/inline_attribute.hpp"

#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr auto kAttributeTable = static_cast<uint32_t>(exec::ResourceTable::Attributes);
/// The result of attribute_of() for the handle in source 2.
Scalar attribute_index(EmitContext& c) {
    const Label known = c.h.new_label();
    Scalar index = c.uniform_word(2);
    const Scalar table = c.scalar();
    c.h.move(table, index);
    c.h.shift_right32(table, exec::kHandleTableShift);
    c.h.and32(index, exec::kHandleIndexMask);
    c.h.compare32(table, kAttributeTable);
    c.h.jump(Jump::Equal, known);
    c.h.move(index, uint64_t{kNoAttribute});
    c.h.bind(known);
    return index;
}

void load_attribute(EmitContext& c, Address message) {
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[1]));
    prepare_warp(c);
    call_environment(c, offsetof(exec::Environment, attribute),
                     {Argument::effective(VALKYR_FRAME(warp)), Argument::effective(message),
                      Argument::effective(VALKYR_FRAME(operand[0])),
                      Argument::effective(VALKYR_FRAME(operand[1])),
                      Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

/// Calls the routine; the attribute index is in the frame's message area.
void attribute_address_of(EmitContext& c) {
    stage_source(c, 0, VALKYR_FRAME(operand[0]));
    stage_source(c, 1, VALKYR_FRAME(operand[1]));
    call_routine(c, reinterpret_cast<const void*>(&attribute_address),
                 {Argument::load64({Gp::Call, 0}), Argument::load32(VALKYR_FRAME(message)),
                  Argument::effective(VALKYR_FRAME(operand[0])),
                  Argument::effective(VALKYR_FRAME(operand[1])),
                  Argument::effective(VALKYR_FRAME(out))});
    receive_run(c, c.instr().staging[0], VALKYR_FRAME(out));
}

}  // namespace

namespace {

void attribute(EmitContext& c) {
    if (expand(c, {{Expansion::Attribute, expand_attribute}}))
        return;
    if (const auto known = c.message().known)
        return load_attribute(c, constant_message(c, attribute_message(c.instr(), *known)));
    Scalar index = attribute_index(c);
    const Address message = variable_message(c, attribute_message(c.instr(), 0));
    c.h.store32(message.plus(offsetof(exec::AttributeMessage, index)), index);
    index.reset();
    load_attribute(c, message);
}

}  // namespace

VALKYR_EMIT_AS(LD_ATTR_IMM, attribute(c))
VALKYR_EMIT_AS(LD_ATTR, attribute(c))

VALKYR_EMIT(LEA_ATTR_IMM) {
    c.h.store32(VALKYR_FRAME(message), immediate_attribute(c.instr(), 0, 1));
    attribute_address_of(c);
}

VALKYR_EMIT(LEA_ATTR) {
    {
        const Scalar index = attribute_index(c);
        c.h.store32(VALKYR_FRAME(message), index);
    }
    attribute_address_of(c);
}

}  // namespace valkyr::jit
