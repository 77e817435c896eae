// Lowering: 32-bit integers and bit fields.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/sequences/constant_division.hpp"
#include "valhall/compiler/sequences/sequences.hpp"

namespace valkyr::valhall::lower {
namespace {

void lower_integer_unary(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) { return l.b.unary(rule.op, l.src(inst, 0, c)); });
}

bool are_literals(const Operand& x, const Operand& y) {
    return x.kind == OperandKind::Literal && y.kind == OperandKind::Literal;
}

// Sums, products, shifts and the like of numbers are computed at once, so that the indexes which an
// unrolled loop counts are numbers for what is lowered next.
Operand sum(Builder& b, Operand x, Operand y) {
    return are_literals(x, y) ? literal(x.value + y.value) : b.iadd(x, y);
}
Operand product(Builder& b, Operand x, Operand y) {
    return are_literals(x, y) ? literal(x.value * y.value) : b.imul(x, y);
}

void lower_umad(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        const Operand scaled = product(l.b, x, l.src(inst, 1, c));
        return sum(l.b, scaled, l.src(inst, 2, c));
    });
}

using Binary = Operand (*)(Builder&, Operand, Operand);

/// A sequence of two operands.
template <Binary kSequence>
void lower_sequence(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        return kSequence(l.b, x, l.src(inst, 1, c));
    });
}

using Unary = Operand (*)(Builder&, Operand);

template <Unary kSequence>
void lower_unary_sequence(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) { return kSequence(l.b, l.src(inst, 0, c)); });
}

Operand bit_and(Builder& b, Operand x, Operand y) {
    return are_literals(x, y) ? literal(x.value & y.value) : b.bit_and(x, y);
}
Operand bit_or(Builder& b, Operand x, Operand y) {
    return are_literals(x, y) ? literal(x.value | y.value) : b.bit_or(x, y);
}
Operand bit_xor(Builder& b, Operand x, Operand y) {
    return are_literals(x, y) ? literal(x.value ^ y.value) : b.bit_xor(x, y);
}
Operand bit_not(Builder& b, Operand x) {
    return b.bit_not(x);
}
Operand shift_left(Builder& b, Operand x, Operand count) {
    return are_literals(x, count) ? literal(x.value << (count.value & 31)) : b.shift_left(x, count);
}
Operand shift_right(Builder& b, Operand x, Operand count) {
    return b.shift_right(x, count);
}
Operand shift_right_signed(Builder& b, Operand x, Operand count) {
    return b.shift_right_signed(x, count);
}
Operand negate(Builder& b, Operand x) {
    return b.isub(literal(0), x);
}

Operand sign(Builder& b, Operand x) {
    const Operand positive = b.icmp_s32(Condition::gt, ResultType::i1, x, literal(0));
    return b.emit(Spec(Op::RSHIFT_OR_I32).with(Mod::signed_, 1),
                  {x, ir::shift_count(31), positive});
}

/// Highest set bit of x, -1 if there is none.
Operand highest_bit(Builder& b, Operand x) {
    return b.isub(literal(31), b.unary(Op::CLZ_U32, x));
}

/// Highest bit that differs from the sign.
Operand highest_bit_signed(Builder& b, Operand x) {
    return highest_bit(
        b, b.emit(Spec(Op::RSHIFT_XOR_I32).with(Mod::signed_, 1), {x, ir::shift_count(31), x}));
}

/// CSEL with condition rule.a: UMIN, UMAX, IMIN, IMAX.
void lower_min_max(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        const Operand y = l.src(inst, 1, c);
        return l.b.emit(Spec(rule.op).with(Mod::cmp, static_cast<Condition>(rule.a)), {x, y, x, y});
    });
}

/// ICMP with condition rule.a.
void lower_integer_compare(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        const Spec spec = Spec(rule.op)
                              .with(Mod::cmp, static_cast<Condition>(rule.a))
                              .with(Mod::result_type, ResultType::m1);
        return l.b.emit(spec, {x, l.src(inst, 1, c), literal(0)});
    });
}

void lower_ucmp(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand test = l.src(inst, 0, c);
        const Operand yes = l.src(inst, 1, c);
        return l.b.mux(Mux::int_zero, l.src(inst, 2, c), yes, test);
    });
}

/// UBFE, IBFE (rule.a = signed): value, offset, bits.
void lower_extract(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src(inst, 0, c);
        const Operand offset = l.src(inst, 1, c);
        const Operand bits = l.src(inst, 2, c);
        const Operand right = b.isub(literal(32), bits);
        const Operand left = b.isub(right, offset);
        const Operand top = b.shift_left(x, left);
        const Operand field =
            rule.a != 0 ? b.shift_right_signed(top, right) : b.shift_right(top, right);
        return b.csel_u32(Condition::eq, bits, literal(0), literal(0), field);
    });
}

/// base, insert, offset, bits.
void lower_insert(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    by_component(l, inst, [&](unsigned c) {
        const Operand base = l.src(inst, 0, c);
        const Operand insert = l.src(inst, 1, c);
        const Operand offset = l.src(inst, 2, c);
        const Operand bits = l.src(inst, 3, c);
        Operand mask = b.shift_right(literal(~0U), b.isub(literal(32), bits));
        mask = b.csel_u32(Condition::eq, bits, literal(0), literal(0), mask);
        mask = b.shift_left(mask, offset);
        return b.mux(Mux::bit, b.shift_left(insert, offset), base, mask);
    });
}

/// Lowest set bit, -1 if there is none.
Operand lowest_bit(Builder& b, Operand x) {
    return highest_bit(b, b.bit_and(b.isub(literal(0), x), x));
}

Division quotients(Builder& b, Operand x, Operand y) {
    if (y.is_literal(y.value))
        if (const auto known = divide_by_constant(b, x, y.value))
            return *known;
    return divide_unsigned(b, x, y);
}
Division quotients_signed(Builder& b, Operand x, Operand y) {
    if (y.is_literal(y.value))
        if (const auto known = divide_by_constant_signed(b, x, static_cast<int32_t>(y.value)))
            return *known;
    return divide_signed(b, x, y);
}

Operand unsigned_quotient(Builder& b, Operand x, Operand y) {
    return quotients(b, x, y).quotient;
}
Operand unsigned_remainder(Builder& b, Operand x, Operand y) {
    return quotients(b, x, y).remainder;
}
Operand signed_quotient(Builder& b, Operand x, Operand y) {
    return quotients_signed(b, x, y).quotient;
}
Operand signed_remainder(Builder& b, Operand x, Operand y) {
    return quotients_signed(b, x, y).remainder;
}

constexpr Rule integer_rule(Opcode opcode, Op op, Condition condition) {
    return {opcode, lower_integer_compare, op, raw(condition), 0};
}
constexpr Rule min_max_rule(Opcode opcode, Op op, Condition condition) {
    return {opcode, lower_min_max, op, raw(condition), 0};
}

constexpr Rule kIntegerRules[] = {
    {Opcode::UADD, lower_sequence<sum>},
    {Opcode::UMUL, lower_sequence<product>},
    {Opcode::UMAD, lower_umad},
    {Opcode::UMUL_HI, lower_sequence<multiply_high_unsigned>},
    {Opcode::IMUL_HI, lower_sequence<multiply_high_signed>},
    {Opcode::UDIV, lower_sequence<unsigned_quotient>},
    {Opcode::UMOD, lower_sequence<unsigned_remainder>},
    {Opcode::IDIV, lower_sequence<signed_quotient>},
    {Opcode::MOD, lower_sequence<signed_remainder>},
    {Opcode::NOT, lower_unary_sequence<bit_not>},
    {Opcode::AND, lower_sequence<bit_and>},
    {Opcode::OR, lower_sequence<bit_or>},
    {Opcode::XOR, lower_sequence<bit_xor>},
    {Opcode::SHL, lower_sequence<shift_left>},
    {Opcode::USHR, lower_sequence<shift_right>},
    {Opcode::ISHR, lower_sequence<shift_right_signed>},
    min_max_rule(Opcode::UMIN, Op::CSEL_U32, Condition::lt),
    min_max_rule(Opcode::UMAX, Op::CSEL_U32, Condition::gt),
    min_max_rule(Opcode::IMIN, Op::CSEL_S32, Condition::lt),
    min_max_rule(Opcode::IMAX, Op::CSEL_S32, Condition::gt),
    integer_rule(Opcode::USLT, Op::ICMP_U32, Condition::lt),
    integer_rule(Opcode::USGE, Op::ICMP_U32, Condition::ge),
    integer_rule(Opcode::USEQ, Op::ICMP_U32, Condition::eq),
    integer_rule(Opcode::USNE, Op::ICMP_U32, Condition::ne),
    integer_rule(Opcode::ISLT, Op::ICMP_S32, Condition::lt),
    integer_rule(Opcode::ISGE, Op::ICMP_S32, Condition::ge),
    {Opcode::UCMP, lower_ucmp},
    {Opcode::INEG, lower_unary_sequence<negate>},
    {Opcode::IABS, lower_integer_unary, Op::IABS_S32},
    {Opcode::ISSG, lower_unary_sequence<sign>},
    {Opcode::UBFE, lower_extract, Op{}, 0},
    {Opcode::IBFE, lower_extract, Op{}, 1},
    {Opcode::BFI, lower_insert},
    {Opcode::BREV, lower_integer_unary, Op::BITREV_I32},
    {Opcode::POPC, lower_integer_unary, Op::POPCOUNT_I32},
    {Opcode::LSB, lower_unary_sequence<lowest_bit>},
    {Opcode::UMSB, lower_unary_sequence<highest_bit>},
    {Opcode::IMSB, lower_unary_sequence<highest_bit_signed>},
};

}  // namespace

std::span<const Rule> integer_rules() {
    return kIntegerRules;
}

}  // namespace valkyr::valhall::lower
