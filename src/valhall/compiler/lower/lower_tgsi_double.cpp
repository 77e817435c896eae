// Lowering: doubles, by the routines of soft_double.hpp.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi_wide.hpp"
#include "valhall/compiler/lower/soft_double.hpp"

namespace valkyr::valhall::lower {
namespace {

Wide negated(Builder& b, const Wide& x) {
    return {x.low, b.bit_xor(literal(float_bits::kSign), x.high)};
}

using DoubleUnary = Wide (*)(Lowering&, const Wide&);
using DoubleBinary = Wide (*)(Lowering&, const Wide&, const Wide&);
using DoubleTernary = Wide (*)(Lowering&, const Wide&, const Wide&, const Wide&);
using DoubleCompare = Operand (*)(Builder&, const Wide&, const Wide&);

template <DoubleUnary kSequence>
void lower_double_unary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) { return kSequence(l, src_wide(l, inst, 0, pair)); });
}

template <DoubleBinary kSequence>
void lower_double_binary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return kSequence(l, x, src_wide(l, inst, 1, pair));
    });
}

template <DoubleTernary kSequence>
void lower_ternary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        const Wide y = src_wide(l, inst, 1, pair);
        return kSequence(l, x, y, src_wide(l, inst, 2, pair));
    });
}

/// ~0 or 0; rule.a: the opposite.
template <DoubleCompare kSequence>
void lower_double_compare(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair_compared(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        const Operand result = kSequence(l.b, x, src_wide(l, inst, 1, pair));
        return rule.a != 0 ? l.b.bit_not(result) : result;
    });
}

/// x >= y: not the opposite of x < y for NaN.
Operand greater_equal(Builder& b, const Wide& x, const Wide& y) {
    return b.bit_or(double_less(b, y, x), double_equal(b, x, y));
}

Wide sum(Lowering& l, const Wide& x, const Wide& y) {
    return double_add(l.b, x, y);
}
Wide product(Lowering& l, const Wide& x, const Wide& y) {
    return double_multiply(l.b, x, y);
}
Wide minimum(Lowering& l, const Wide& x, const Wide& y) {
    return double_min_max(l.b, x, y, false);
}
Wide maximum(Lowering& l, const Wide& x, const Wide& y) {
    return double_min_max(l.b, x, y, true);
}
/// DMAD rounds twice.
Wide product_sum(Lowering& l, const Wide& x, const Wide& y, const Wide& z) {
    return double_add(l.b, double_multiply(l.b, x, y), z);
}
Wide fused_product_sum(Lowering& l, const Wide& x, const Wide& y, const Wide& z) {
    return double_fma(l.b, x, y, z);
}
Wide absolute(Lowering& l, const Wide& x) {
    return {x.low, l.b.bit_and(literal(~float_bits::kSign), x.high)};
}
Wide negative(Lowering& l, const Wide& x) {
    return negated(l.b, x);
}
Wide double_reciprocal(Lowering& l, const Wide& x) {
    return double_divide(l, wide_literal(kDoubleOne), x);
}
Wide reciprocal_root(Lowering& l, const Wide& x) {
    return double_divide(l, wide_literal(kDoubleOne), double_square_root(l, x));
}
Wide fraction(Lowering& l, const Wide& x) {
    return double_add(l.b, x, negated(l.b, double_round(l.b, x, DoubleRounding::Floor)));
}
Wide sign_of(Lowering& l, const Wide& x) {
    return double_sign(l.b, x);
}
template <DoubleRounding kMode>
Wide rounded(Lowering& l, const Wide& x) {
    return double_round(l.b, x, kMode);
}

void lower_scale(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return double_scale(l.b, x, l.src(inst, 1, 2 * pair));
    });
}

/// DFRACEXP: of the pair xy; the mantissa in xy and zw, the exponent in every component.
void lower_split(Lowering& l, const Instruction& inst, const Rule&) {
    const DoubleFraction parts = double_split(l.b, src_wide(l, inst, 0, 0));
    l.store(inst,
            {parts.mantissa.low, parts.mantissa.high, parts.mantissa.low, parts.mantissa.high});
    l.store(inst, {parts.exponent, parts.exponent, parts.exponent, parts.exponent}, 1);
}

void lower_double_from_float(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) { return double_from_float(l.b, l.src(inst, 0, pair)); });
}

/// I2D, U2D: rule.a = signed.
void lower_from_word(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        return double_from_word(l.b, l.src(inst, 0, pair), rule.a != 0);
    });
}

void lower_from_wide(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        return double_from_wide(l.b, src_wide(l, inst, 0, pair), rule.a != 0);
    });
}

void lower_double_to_float(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair_narrow(l, inst,
                   [&](unsigned pair) { return double_to_float(l.b, src_wide(l, inst, 0, pair)); });
}

void lower_to_word(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair_narrow(l, inst, [&](unsigned pair) {
        return double_to_word(l.b, src_wide(l, inst, 0, pair), rule.a != 0);
    });
}

void lower_to_wide(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        return double_to_wide(l.b, src_wide(l, inst, 0, pair), rule.a != 0);
    });
}

constexpr Rule kDoubleRules[] = {
    {Opcode::DADD, lower_double_binary<sum>},
    {Opcode::DMUL, lower_double_binary<product>},
    {Opcode::DDIV, lower_double_binary<double_divide>},
    {Opcode::DMIN, lower_double_binary<minimum>},
    {Opcode::DMAX, lower_double_binary<maximum>},
    {Opcode::DMAD, lower_ternary<product_sum>},
    {Opcode::DFMA, lower_ternary<fused_product_sum>},
    {Opcode::DABS, lower_double_unary<absolute>},
    {Opcode::DNEG, lower_double_unary<negative>},
    {Opcode::DRCP, lower_double_unary<double_reciprocal>},
    {Opcode::DSQRT, lower_double_unary<double_square_root>},
    {Opcode::DRSQ, lower_double_unary<reciprocal_root>},
    {Opcode::DFRAC, lower_double_unary<fraction>},
    {Opcode::DTRUNC, lower_double_unary<rounded<DoubleRounding::Truncate>>},
    {Opcode::DFLR, lower_double_unary<rounded<DoubleRounding::Floor>>},
    {Opcode::DCEIL, lower_double_unary<rounded<DoubleRounding::Ceiling>>},
    {Opcode::DROUND, lower_double_unary<rounded<DoubleRounding::NearestEven>>},
    {Opcode::DSSG, lower_double_unary<sign_of>},
    {Opcode::DLDEXP, lower_scale},
    {Opcode::DFRACEXP, lower_split},
    {Opcode::DSLT, lower_double_compare<double_less>},
    {Opcode::DSGE, lower_double_compare<greater_equal>},
    {Opcode::DSEQ, lower_double_compare<double_equal>},
    {Opcode::DSNE, lower_double_compare<double_equal>, Op{}, 1},
    {Opcode::F2D, lower_double_from_float},
    {Opcode::I2D, lower_from_word, Op{}, 1},
    {Opcode::U2D, lower_from_word, Op{}, 0},
    {Opcode::I642D, lower_from_wide, Op{}, 1},
    {Opcode::U642D, lower_from_wide, Op{}, 0},
    {Opcode::D2F, lower_double_to_float},
    {Opcode::D2I, lower_to_word, Op{}, 1},
    {Opcode::D2U, lower_to_word, Op{}, 0},
    {Opcode::D2I64, lower_to_wide, Op{}, 1},
    {Opcode::D2U64, lower_to_wide, Op{}, 0},
};

}  // namespace

std::span<const Rule> double_rules() {
    return kDoubleRules;
}

}  // namespace valkyr::valhall::lower
