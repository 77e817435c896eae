// Lowering: 64-bit integers.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/lower/lower_tgsi_wide.hpp"

namespace valkyr::valhall::lower {
namespace {

Operand sign_mask(Builder& b, Operand high) {
    return b.shift_right_signed(high, literal(31));
}

using WideBinary = Wide (*)(Builder&, const Wide&, const Wide&);
using WideUnary = Wide (*)(Builder&, const Wide&);
using WideShift = Wide (*)(Builder&, const Wide&, Operand);

template <WideBinary kSequence>
void lower_int64_binary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return kSequence(l.b, x, src_wide(l, inst, 1, pair));
    });
}

template <WideUnary kSequence>
void lower_int64_unary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) { return kSequence(l.b, src_wide(l, inst, 0, pair)); });
}

template <WideShift kSequence>
void lower_shift(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return kSequence(l.b, x, l.src(inst, 1, pair));
    });
}

Wide negate(Builder& b, const Wide& x) {
    return subtract(b, wide_literal(0), x);
}

Wide magnitude(Builder& b, const Wide& x) {
    return negate_if(b, x, sign_mask(b, x.high));
}

/// -1, 0 or 1.
Wide sign(Builder& b, const Wide& x) {
    const Operand high = sign_mask(b, x.high);
    const Operand nonzero =
        b.icmp_u32(Condition::ne, ResultType::i1, b.bit_or(x.low, x.high), literal(0));
    return {b.bit_or(high, nonzero), high};
}

template <bool kSigned, Condition kCondition>
Wide min_max(Builder& b, const Wide& x, const Wide& y) {
    return choose(b, compare(b, kCondition, kSigned, x, y), x, y);
}

/// 64-bit comparison: condition rule.a, signed with rule.b.
void lower_int64_compare(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair_compared(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return compare(l.b, static_cast<Condition>(rule.a), rule.b != 0, x,
                       src_wide(l, inst, 1, pair));
    });
}

void lower_extend(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        const Operand x = l.src(inst, 0, pair);
        return Wide{x, rule.a != 0 ? sign_mask(l.b, x) : literal(0)};
    });
}

/// Each half by itself: high = a / 2^32, low = a - high * 2^32, truncated.
Wide float_to_wide(Builder& b, Operand x) {
    const Operand high = b.f32_to_u32(b.fmul(x, literal(0x2F800000)), RoundMode::rtz);  // 2^-32
    const Operand high_float = b.unary(Op::U32_TO_F32, high);
    const Operand rest = b.fma(high_float, literal(0xCF800000), x);  // -2^32
    return {b.f32_to_u32(rest, RoundMode::rtz), high};
}

void lower_int64_from_float(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    by_pair(l, inst, [&](unsigned pair) {
        Operand x = b.resolve(l.src_float(inst, 0, pair));
        if (rule.a == 0)
            return float_to_wide(b, x);
        const Operand negative = b.fcmp(Condition::lt, ResultType::m1, x, literal(0));
        x.flags |= ir::kAbs;
        return negate_if(b, float_to_wide(b, x), negative);
    });
}

/// Normalised to 32 bits with a sticky bit below, converted once, scaled back.
Operand wide_to_float(Builder& b, const Wide& x) {
    const Operand zeros = leading_zeros(b, x);
    const Wide top = shift_left(b, x, zeros);
    const Operand sticky = b.icmp_u32(Condition::ne, ResultType::i1, top.low, literal(0));
    const Operand mantissa = b.unary(Op::U32_TO_F32, b.bit_or(top.high, sticky));
    return b.emit(Spec(Op::LDEXP_F32), {mantissa, b.isub(literal(32), zeros)});
}

void lower_int64_to_float(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    by_pair_narrow(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        if (rule.a == 0)
            return wide_to_float(b, x);
        const Operand number = wide_to_float(b, magnitude(b, x));
        return b.bit_or(number, b.bit_and(literal(0x80000000), x.high));
    });
}

/// U64DIV, U64MOD, I64DIV, I64MOD: rule.a = remainder, rule.b = signed. Division by zero gives ~0.
void lower_division(Lowering& l, const Instruction& inst, const Rule& rule) {
    Builder& b = l.b;
    by_pair(l, inst, [&](unsigned pair) {
        Wide x = src_wide(l, inst, 0, pair);
        Wide y = src_wide(l, inst, 1, pair);
        Operand negative = literal(0);
        if (rule.b != 0) {
            negative = sign_mask(b, rule.a != 0 ? x.high : b.bit_xor(x.high, y.high));
            x = magnitude(b, x);
            y = magnitude(b, y);
        }
        const WideDivision division = divide(l, x, y);
        Wide result = rule.a != 0 ? division.remainder : division.quotient;
        if (rule.b != 0)
            result = negate_if(b, result, negative);
        return choose(b, is_zero(b, y), wide_literal(~uint64_t{0}), result);
    });
}

constexpr Rule int64_rule(Opcode opcode, Condition condition, bool is_signed) {
    return {opcode, lower_int64_compare, Op{}, raw(condition), raw(is_signed)};
}

constexpr Rule kInt64Rules[] = {
    {Opcode::U64ADD, lower_int64_binary<add>},
    {Opcode::U64MUL, lower_int64_binary<multiply>},
    {Opcode::I64NEG, lower_int64_unary<negate>},
    {Opcode::I64ABS, lower_int64_unary<magnitude>},
    {Opcode::I64SSG, lower_int64_unary<sign>},
    {Opcode::U64MIN, lower_int64_binary<min_max<false, Condition::lt>>},
    {Opcode::U64MAX, lower_int64_binary<min_max<false, Condition::gt>>},
    {Opcode::I64MIN, lower_int64_binary<min_max<true, Condition::lt>>},
    {Opcode::I64MAX, lower_int64_binary<min_max<true, Condition::gt>>},
    {Opcode::U64SHL, lower_shift<shift_left>},
    {Opcode::U64SHR, lower_shift<shift_right>},
    {Opcode::I64SHR, lower_shift<shift_right_signed>},
    int64_rule(Opcode::U64SEQ, Condition::eq, false),
    int64_rule(Opcode::U64SNE, Condition::ne, false),
    int64_rule(Opcode::U64SLT, Condition::lt, false),
    int64_rule(Opcode::U64SGE, Condition::ge, false),
    int64_rule(Opcode::I64SLT, Condition::lt, true),
    int64_rule(Opcode::I64SGE, Condition::ge, true),
    {Opcode::U2I64, lower_extend, Op{}, 0},
    {Opcode::I2I64, lower_extend, Op{}, 1},
    {Opcode::F2U64, lower_int64_from_float, Op{}, 0},
    {Opcode::F2I64, lower_int64_from_float, Op{}, 1},
    {Opcode::U642F, lower_int64_to_float, Op{}, 0},
    {Opcode::I642F, lower_int64_to_float, Op{}, 1},
    {Opcode::U64DIV, lower_division, Op{}, 0, 0},
    {Opcode::U64MOD, lower_division, Op{}, 1, 0},
    {Opcode::I64DIV, lower_division, Op{}, 0, 1},
    {Opcode::I64MOD, lower_division, Op{}, 1, 1},
};

}  // namespace

std::span<const Rule> int64_rules() {
    return kInt64Rules;
}

Wide src_wide(Lowering& l, const Instruction& inst, unsigned i, unsigned pair) {
    Builder& b = l.b;
    const tgsi::Src& source = inst.src[i];
    Wide value{l.read(source.reg, source.swizzle[2 * pair]),
               l.read(source.reg, source.swizzle[2 * pair + 1])};
    if (tgsi::opcode_info(inst.opcode).src_types[i] == tgsi::OperandType::Double) {
        if (source.absolute)
            value.high = b.bit_and(literal(0x7FFFFFFF), value.high);
        if (source.negate)
            value.high = b.bit_xor(literal(0x80000000), value.high);
        return value;
    }
    if (source.absolute)
        value = magnitude(b, value);
    return source.negate ? negate(b, value) : value;
}

/// Restoring division, one bit a round: 64 rounds of a loop rather than 600 instructions.
WideDivision divide(Lowering& l, const Wide& x, const Wide& y) {
    Builder& b = l.b;
    const std::array<VarId, 5> vars{l.scratch(0), l.scratch(1), l.scratch(2), l.scratch(3),
                                    l.scratch(4)};
    const auto set = [&](unsigned first, const Wide& value) {
        l.flow.set(vars[first], value.low);
        l.flow.set(vars[first + 1], value.high);
    };
    const auto get = [&](unsigned first) {
        return Wide{l.flow.get(vars[first]), l.flow.get(vars[first + 1])};
    };
    set(0, x);
    set(2, wide_literal(0));
    l.flow.set(vars[4], literal(0));
    l.flow.begin_loop(vars);
    const Operand round = l.flow.get(vars[4]);
    l.flow.begin_if(b.icmp_u32(Condition::ge, ResultType::m1, round, literal(64)));
    l.flow.break_out();
    l.flow.end_if();
    // The quotient grows at the low end while the dividend leaves at the high end.
    const Wide dividend = get(0);
    const Wide doubled = shift_left(b, get(2), literal(1));
    const Wide rest{b.bit_or(doubled.low, b.shift_right(dividend.high, literal(31))), doubled.high};
    // The bit shifted out of the remainder counts: then it is larger than any divisor.
    const Operand carry = b.shift_right_signed(get(2).high, literal(31));
    const Operand fits = b.bit_or(carry, compare(b, Condition::ge, false, rest, y));
    const Wide less = subtract(b, rest, y);
    const Wide shifted = shift_left(b, dividend, literal(1));
    const Operand bit = b.bit_and(literal(1), fits);
    set(0, {b.bit_or(shifted.low, bit), shifted.high});
    set(2, choose(b, fits, less, rest));
    l.flow.set(vars[4], b.iadd(round, literal(1)));
    l.flow.end_loop();
    return {get(0), get(2)};
}

}  // namespace valkyr::valhall::lower
