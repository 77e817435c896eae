// Attribute emitters: load vertex data (LD_ATTR*, LEA_ATTR*).
// SPDX-License-Identifier: MIT
#include "exec/handle.hpp"
#include "jit/context/message.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/routines.hpp"
#include "jit/expand/vertex/inline_attribute.hpp"

#include <cstddef>

namespace valkyr::jit {

namespace {

constexpr auto kAttributeTable = static_cast<uint32_t>(exec::ResourceTable::Attributes);
/// An index that no table has, so that the load gives 0.
constexpr uint32_t kNoIndex = 0xFFFFFFFF;

uint32_t attribute_of(uint32_t handle) {
    return exec::table_of(handle) == exec::ResourceTable::Attributes ? exec::index_of(handle)
                                                                     : kNoIndex;
}

uint32_t immediate_attribute(const EmitContext& c, unsigned table, unsigned index) {
    return c.instr().imm[table] == kAttributeTable ? static_cast<uint32_t>(c.instr().imm[index])
                                                   : kNoIndex;
}

/// attribute_of() the handle in source 2.
Scalar attribute_index(EmitContext& c) {
    const Label known = c.h.new_label();
    Scalar index = c.uniform_word(2);
    const Scalar table = c.scalar();
    c.h.move(table, index);
    c.h.shift_right32(table, exec::kHandleTableShift);
    c.h.and32(index, exec::kHandleIndexMask);
    c.h.compare32(table, kAttributeTable);
    c.h.jump(Jump::Equal, known);
    c.h.move(index, uint64_t{kNoIndex});
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

exec::AttributeMessage attribute_message(const EmitContext& c, uint32_t index) {
    return {index, register_format(c), components(c)};
}

void load_known_attribute(EmitContext& c, uint32_t index) {
    const exec::AttributeMessage message = attribute_message(c, index);
    if (!expand_attribute(c, message))
        load_attribute(c, constant_message(c, message));
}

/// The index is in the frame's message area.
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

VALKYR_EMIT(LD_ATTR_IMM) {
    load_known_attribute(c, immediate_attribute(c, 1, 0));
}

VALKYR_EMIT(LD_ATTR) {
    if (const auto handle = c.known_word(2))
        return load_known_attribute(c, attribute_of(*handle));
    Scalar index = attribute_index(c);
    const Address message = variable_message(c, attribute_message(c, 0));
    c.h.store32(message.plus(offsetof(exec::AttributeMessage, index)), index);
    index.reset();
    load_attribute(c, message);
}

VALKYR_EMIT(LEA_ATTR_IMM) {
    c.h.store32(VALKYR_FRAME(message), immediate_attribute(c, 0, 1));
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
