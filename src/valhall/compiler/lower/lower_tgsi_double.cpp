// Lowering: doubles, one IR instruction an operation.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi_wide.hpp"
#include "valhall/compiler/sequences/soft_double.hpp"

#include <array>
#include <span>
#include <utility>

namespace valkyr::valhall::lower {
namespace {

Wide negated(Builder& b, const Wide& x) {
    return {x.low, b.bit_xor(literal(float_bits::kSign), x.high)};
}

/// An operation with two result words.
Wide wide_result(Builder& b, DoubleOp op, std::span<const Operand> words) {
    const Operand low = b.double_op(op, words);
    return {low, ir::value_operand(low.value + 1)};
}
Wide operation(Builder& b, DoubleOp op, const Wide& x) {
    return wide_result(b, op, std::array{x.low, x.high});
}
Wide operation(Builder& b, DoubleOp op, const Wide& x, const Wide& y) {
    return wide_result(b, op, std::array{x.low, x.high, y.low, y.high});
}

DoubleOp operation_of(const Rule& rule) {
    return static_cast<DoubleOp>(rule.a);
}

/// Operations of rule.a: with one, two or three doubles, to a double.
template <unsigned kSources>
void lower_operation(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        std::array<Operand, size_t{2} * kSources> words{};
        for (unsigned i = 0; i < kSources; ++i) {
            const Wide source = src_wide(l, inst, i, pair);
            words[size_t{2} * i] = source.low;
            words[size_t{2} * i + 1] = source.high;
        }
        return wide_result(l.b, operation_of(rule), words);
    });
}

using DoubleUnary = Wide (*)(Builder&, const Wide&);

template <DoubleUnary kSequence>
void lower_unary(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) { return kSequence(l.b, src_wide(l, inst, 0, pair)); });
}

/// ~0 or 0 by the operation rule.a.
enum class CompareForm : uint8_t { Plain, Opposite, Exchanged };
template <CompareForm kForm>
void lower_compare(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair_compared(l, inst, [&](unsigned pair) {
        Wide x = src_wide(l, inst, 0, pair);
        Wide y = src_wide(l, inst, 1, pair);
        if (kForm == CompareForm::Exchanged)
            std::swap(x, y);
        const Operand result =
            l.b.double_op(operation_of(rule), std::array{x.low, x.high, y.low, y.high});
        return kForm == CompareForm::Opposite ? l.b.bit_not(result) : result;
    });
}

/// DMAD rounds twice.
void lower_product_sum(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        const Wide product = operation(l.b, DoubleOp::Multiply, x, src_wide(l, inst, 1, pair));
        return operation(l.b, DoubleOp::Add, product, src_wide(l, inst, 2, pair));
    });
}

Wide absolute(Builder& b, const Wide& x) {
    return {x.low, b.bit_and(literal(~float_bits::kSign), x.high)};
}
Wide double_reciprocal(Builder& b, const Wide& x) {
    return operation(b, DoubleOp::Divide, wide_literal(kDoubleOne), x);
}
Wide reciprocal_root(Builder& b, const Wide& x) {
    return double_reciprocal(b, operation(b, DoubleOp::SquareRoot, x));
}
Wide fraction(Builder& b, const Wide& x) {
    return operation(b, DoubleOp::Add, x, negated(b, operation(b, DoubleOp::Floor, x)));
}

void lower_scale(Lowering& l, const Instruction& inst, const Rule&) {
    by_pair(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return wide_result(l.b, DoubleOp::Scale,
                           std::array{x.low, x.high, l.src(inst, 1, 2 * pair)});
    });
}

/// DFRACEXP: of the pair xy; the mantissa in xy and zw, the exponent in every component.
void lower_split(Lowering& l, const Instruction& inst, const Rule&) {
    const DoubleFraction parts = double_split(l.b, src_wide(l, inst, 0, 0));
    l.store(inst,
            {parts.mantissa.low, parts.mantissa.high, parts.mantissa.low, parts.mantissa.high});
    l.store(inst, {parts.exponent, parts.exponent, parts.exponent, parts.exponent}, 1);
}

/// From a word.
void lower_from_word(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair(l, inst, [&](unsigned pair) {
        return wide_result(l.b, operation_of(rule), std::array{l.src(inst, 0, pair)});
    });
}

/// To a word.
void lower_to_word(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_pair_narrow(l, inst, [&](unsigned pair) {
        const Wide x = src_wide(l, inst, 0, pair);
        return l.b.double_op(operation_of(rule), std::array{x.low, x.high});
    });
}

constexpr Rule
row(Opcode opcode, void (*lower)(Lowering&, const Instruction&, const Rule&), DoubleOp op) {
    return {opcode, lower, Op{}, raw(op)};
}

constexpr Rule kDoubleRules[] = {
    row(Opcode::DADD, lower_operation<2>, DoubleOp::Add),
    row(Opcode::DMUL, lower_operation<2>, DoubleOp::Multiply),
    row(Opcode::DDIV, lower_operation<2>, DoubleOp::Divide),
    row(Opcode::DMIN, lower_operation<2>, DoubleOp::Minimum),
    row(Opcode::DMAX, lower_operation<2>, DoubleOp::Maximum),
    {Opcode::DMAD, lower_product_sum},
    row(Opcode::DFMA, lower_operation<3>, DoubleOp::Fma),
    {Opcode::DABS, lower_unary<absolute>},
    {Opcode::DNEG, lower_unary<negated>},
    {Opcode::DRCP, lower_unary<double_reciprocal>},
    row(Opcode::DSQRT, lower_operation<1>, DoubleOp::SquareRoot),
    {Opcode::DRSQ, lower_unary<reciprocal_root>},
    {Opcode::DFRAC, lower_unary<fraction>},
    row(Opcode::DTRUNC, lower_operation<1>, DoubleOp::Truncate),
    row(Opcode::DFLR, lower_operation<1>, DoubleOp::Floor),
    row(Opcode::DCEIL, lower_operation<1>, DoubleOp::Ceiling),
    row(Opcode::DROUND, lower_operation<1>, DoubleOp::RoundEven),
    {Opcode::DSSG, lower_unary<double_sign>},
    {Opcode::DLDEXP, lower_scale},
    {Opcode::DFRACEXP, lower_split},
    row(Opcode::DSLT, lower_compare<CompareForm::Plain>, DoubleOp::Less),
    row(Opcode::DSGE, lower_compare<CompareForm::Exchanged>, DoubleOp::LessEqual),
    row(Opcode::DSEQ, lower_compare<CompareForm::Plain>, DoubleOp::Equal),
    row(Opcode::DSNE, lower_compare<CompareForm::Opposite>, DoubleOp::Equal),
    row(Opcode::F2D, lower_from_word, DoubleOp::FromFloat),
    row(Opcode::I2D, lower_from_word, DoubleOp::FromS32),
    row(Opcode::U2D, lower_from_word, DoubleOp::FromU32),
    row(Opcode::I642D, lower_operation<1>, DoubleOp::FromS64),
    row(Opcode::U642D, lower_operation<1>, DoubleOp::FromU64),
    row(Opcode::D2F, lower_to_word, DoubleOp::ToFloat),
    row(Opcode::D2I, lower_to_word, DoubleOp::ToS32),
    row(Opcode::D2U, lower_to_word, DoubleOp::ToU32),
    row(Opcode::D2I64, lower_operation<1>, DoubleOp::ToS64),
    row(Opcode::D2U64, lower_operation<1>, DoubleOp::ToU64),
};

}  // namespace

std::span<const Rule> double_rules() {
    return kDoubleRules;
}

}  // namespace valkyr::valhall::lower
