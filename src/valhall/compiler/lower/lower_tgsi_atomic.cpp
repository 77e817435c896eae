// Lowering: atomics on buffers, counters and images.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi_memory.hpp"

namespace valkyr::valhall::lower {
namespace {

/// Returns the old value. Helper lanes and address 0 change nothing and see 0.
Operand atomic(Lowering& l, const Spec& spec, const Wide& address, std::span<const Operand> data) {
    return ir::value_operand(l.b.emit_message(spec, {l.b.pair(address.low, address.high)},
                                              {.def_count = 1, .staging = data})
                                 .def);
}

Spec operation(AtomicOperation op) {
    return Spec(Op::ATOM_RETURN_I32).with(Mod::atom_opc, op);
}

Operand compare_exchange(Lowering& l, const Wide& address, Operand desired, Operand expected) {
    const std::array data{desired, expected};
    return atomic(l, operation(AtomicOperation::axchg).with(Mod::compare, 1), address, data);
}

/// rule.a: the machine's operation.
void lower_atomic(Lowering& l, const Instruction& inst, const Rule& rule) {
    l.info().has_side_effects = true;
    const Wide address = atomic_address(l, inst);
    const Operand data = l.src(inst, 2, 0);
    l.store_all(inst,
                atomic(l, operation(static_cast<AtomicOperation>(rule.a)), address, {&data, 1}));
}

void lower_compare_exchange(Lowering& l, const Instruction& inst, const Rule&) {
    l.info().has_side_effects = true;
    const Wide address = atomic_address(l, inst);
    const Operand expected = l.src(inst, 2, 0);
    l.store_all(inst, compare_exchange(l, address, l.src(inst, 3, 0), expected));
}

/// tgsi.rst's formulas.
Operand updated(Builder& b, Opcode opcode, Operand old, Operand value) {
    if (opcode == Opcode::ATOMFADD)
        return b.fadd(old, value);
    if (opcode == Opcode::ATOMINC_WRAP) {
        const Operand next = b.iadd(old, literal(1));
        return b.csel_u32(Condition::le, next, value, next, literal(0));
    }
    const Operand below = b.csel_u32(Condition::lt, old, value, old, literal(0));
    // 0, or too large: 0; else one less.
    return b.emit(Spec(Op::ISUB_U32).with(Mod::saturate, 1), {below, literal(1)});
}

/// ATOMFADD, ATOMINC_WRAP, ATOMDEC_WRAP: compare and exchange until no other lane has changed the
/// value in between. The first read is an atomic, too, so that helper lanes, which see 0 every
/// time, leave at once.
void lower_atomic_loop(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    l.info().has_side_effects = true;
    const Wide address = atomic_address(l, inst);
    const Operand value = l.src(inst, 2, 0);
    const Operand zero = literal(0);
    const std::array vars{l.scratch(0)};
    l.flow.set(vars[0], atomic(l, operation(AtomicOperation::aor), address, {&zero, 1}));
    l.flow.begin_loop(vars);
    const Operand old = l.flow.get(vars[0]);
    const Operand seen = compare_exchange(l, address, updated(b, inst.opcode, old, value), old);
    l.flow.set(vars[0], seen);
    l.flow.begin_if(b.icmp_u32(Condition::eq, ResultType::m1, seen, old));
    l.flow.break_out();
    l.flow.end_if();
    l.flow.end_loop();
    l.store_all(inst, l.flow.get(vars[0]));
}

constexpr Rule atomic_rule(Opcode opcode, AtomicOperation op) {
    return {opcode, lower_atomic, Op{}, raw(op)};
}

constexpr Rule kAtomicRules[] = {
    atomic_rule(Opcode::ATOMUADD, AtomicOperation::aadd),
    atomic_rule(Opcode::ATOMXCHG, AtomicOperation::axchg),
    atomic_rule(Opcode::ATOMAND, AtomicOperation::aand),
    atomic_rule(Opcode::ATOMOR, AtomicOperation::aor),
    atomic_rule(Opcode::ATOMXOR, AtomicOperation::axor),
    atomic_rule(Opcode::ATOMUMIN, AtomicOperation::aumin),
    atomic_rule(Opcode::ATOMUMAX, AtomicOperation::aumax),
    atomic_rule(Opcode::ATOMIMIN, AtomicOperation::asmin),
    atomic_rule(Opcode::ATOMIMAX, AtomicOperation::asmax),
    {Opcode::ATOMCAS, lower_compare_exchange},
    {Opcode::ATOMFADD, lower_atomic_loop},
    {Opcode::ATOMINC_WRAP, lower_atomic_loop},
    {Opcode::ATOMDEC_WRAP, lower_atomic_loop},
};

}  // namespace

std::span<const Rule> atomic_rules() {
    return kAtomicRules;
}

}  // namespace valkyr::valhall::lower
