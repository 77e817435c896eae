// Lowering: float arithmetic.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/sequences/sequences.hpp"

namespace valkyr::valhall::lower {
namespace {

using float_bits::kOne;

/// a * b + c, fused; under LEGACY_MATH_RULES 0 times anything is 0.
Operand multiply_add_float(Lowering& l, Operand a, Operand b, Operand c) {
    if (!l.legacy_math())
        return l.b.fma(a, b, c);
    return l.b.emit(Spec(Op::FMA_RSCALE_N_F32), {a, b, c, literal(0)});
}

Operand multiply_float(Lowering& l, Operand a, Operand b) {
    return multiply_add_float(l, a, b, literal(float_bits::kSign));
}

void lower_mov(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) { return l.src_float(inst, 0, c); });
}

void lower_uarl(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) { return l.src(inst, 0, c); });
}

/// One source, one instruction, result in every component.
void lower_scalar(Lowering& l, const Instruction& inst, const Rule& rule) {
    l.store_all(inst, l.b.unary(rule.op, l.src_float(inst, 0, 0)));
}

void lower_rcp(Lowering& l, const Instruction& inst, const Rule&) {
    l.store_all(inst, reciprocal(l.b, l.src_float(inst, 0, 0)));
}

void lower_binary(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        return l.b.emit(Spec(rule.op), {a, l.src_float(inst, 1, c)});
    });
}

void lower_mul(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        return multiply_float(l, a, l.src_float(inst, 1, c));
    });
}

void lower_mad(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        const Operand x = l.src_float(inst, 1, c);
        return multiply_add_float(l, a, x, l.src_float(inst, 2, c));
    });
}

/// FROUND in mode rule.a.
void lower_round(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        return l.b.fround(l.src_float(inst, 0, c), static_cast<RoundMode>(rule.a));
    });
}

/// Float to integer in mode rule.a: ARL, ARR, F2I, F2U.
void lower_to_integer(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        return l.b.emit(Spec(rule.op).with(Mod::roundmode, static_cast<RoundMode>(rule.a)),
                        {l.src_float(inst, 0, c)});
    });
}

/// Integer to float: I2F, U2F.
void lower_from_integer(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) { return l.b.unary(rule.op, l.src(inst, 0, c)); });
}

/// FCMP with condition rule.a, result type rule.b.
void lower_compare(Lowering& l, const Instruction& inst, const Rule& rule) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        return l.b.fcmp(static_cast<Condition>(rule.a), static_cast<ResultType>(rule.b), a,
                        l.src_float(inst, 1, c));
    });
}

/// DP2, DP3, DP4: rule.a components, in this order of operations.
void lower_dot(Lowering& l, const Instruction& inst, const Rule& rule) {
    Operand sum = multiply_float(l, l.src_float(inst, 0, 0), l.src_float(inst, 1, 0));
    for (unsigned c = 1; c < rule.a; ++c)
        sum = multiply_add_float(l, l.src_float(inst, 0, c), l.src_float(inst, 1, c), sum);
    l.store_all(inst, sum);
}

void lower_dst(Lowering& l, const Instruction& inst, const Rule&) {
    Vec4 values{literal(kOne)};
    const unsigned mask = inst.dst[0].write_mask;
    if ((mask & 2) != 0)
        values[1] = multiply_float(l, l.src_float(inst, 0, 1), l.src_float(inst, 1, 1));
    if ((mask & 4) != 0)
        values[2] = l.src_float(inst, 0, 2);
    if ((mask & 8) != 0)
        values[3] = l.src_float(inst, 1, 3);
    l.store(inst, values);
}

/// CSEL has no float modifiers: a negated first source turns the comparison round.
void lower_cmp(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        Operand test = l.src_float(inst, 0, c);
        Condition condition = Condition::lt;
        if (test.flags == ir::kNeg) {
            condition = Condition::gt;
            test.flags = 0;
        }
        const Operand yes = l.src(inst, 1, c);
        return l.b.csel_f32(condition, test, literal(0), yes, l.src(inst, 2, c));
    });
}

void lower_lrp(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        const Operand high = l.src_float(inst, 1, c);
        const Operand low = l.src_float(inst, 2, c);
        return multiply_add_float(l, a, high, multiply_add_float(l, negated(a), low, low));
    });
}

void lower_frc(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src_float(inst, 0, c);
        return l.b.fadd(x, negated(l.b.fround(x, RoundMode::rtn)));
    });
}

void lower_ssg(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.b.resolve(l.src_float(inst, 0, c));
        const Operand one = l.b.bit_or(l.b.bit_and(x, literal(float_bits::kSign)), literal(kOne));
        return l.b.csel_f32(Condition::gtlt, x, literal(0), one, literal(0));
    });
}

void lower_ldexp(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand x = l.src_float(inst, 0, c);
        return l.b.emit(Spec(Op::LDEXP_F32), {x, l.src(inst, 1, c)});
    });
}

constexpr Rule round_rule(Opcode opcode, RoundMode mode) {
    return {opcode, lower_round, Op::FROUND_F32, raw(mode), 0};
}
constexpr Rule compare_rule(Opcode opcode, Condition condition, ResultType result) {
    return {opcode, lower_compare, Op::FCMP_F32, raw(condition), raw(result)};
}

constexpr Rule kFloatRules[] = {
    {Opcode::MOV, lower_mov},
    {Opcode::UARL, lower_uarl},
    {Opcode::ARL, lower_to_integer, Op::F32_TO_S32, raw(RoundMode::rtn)},
    {Opcode::ARR, lower_to_integer, Op::F32_TO_S32, raw(RoundMode::rte)},
    {Opcode::F2I, lower_to_integer, Op::F32_TO_S32, raw(RoundMode::rtz)},
    {Opcode::F2U, lower_to_integer, Op::F32_TO_U32, raw(RoundMode::rtz)},
    {Opcode::I2F, lower_from_integer, Op::S32_TO_F32},
    {Opcode::U2F, lower_from_integer, Op::U32_TO_F32},
    {Opcode::ADD, lower_binary, Op::FADD_F32},
    {Opcode::MUL, lower_mul},
    {Opcode::MAD, lower_mad},
    {Opcode::FMA, lower_mad},
    {Opcode::MIN, lower_binary, Op::FMIN_F32},
    {Opcode::MAX, lower_binary, Op::FMAX_F32},
    {Opcode::DP2, lower_dot, Op{}, 2},
    {Opcode::DP3, lower_dot, Op{}, 3},
    {Opcode::DP4, lower_dot, Op{}, 4},
    {Opcode::DST, lower_dst},
    {Opcode::RCP, lower_rcp},
    {Opcode::RSQ, lower_scalar, Op::FRSQ_F32},
    {Opcode::CMP, lower_cmp},
    {Opcode::LRP, lower_lrp},
    round_rule(Opcode::FLR, RoundMode::rtn),
    round_rule(Opcode::CEIL, RoundMode::rtp),
    round_rule(Opcode::TRUNC, RoundMode::rtz),
    round_rule(Opcode::ROUND, RoundMode::rte),
    {Opcode::FRC, lower_frc},
    {Opcode::SSG, lower_ssg},
    {Opcode::LDEXP, lower_ldexp},
    compare_rule(Opcode::SLT, Condition::lt, ResultType::f1),
    compare_rule(Opcode::SGE, Condition::ge, ResultType::f1),
    compare_rule(Opcode::SEQ, Condition::eq, ResultType::f1),
    compare_rule(Opcode::SNE, Condition::ne, ResultType::f1),
    compare_rule(Opcode::SGT, Condition::gt, ResultType::f1),
    compare_rule(Opcode::SLE, Condition::le, ResultType::f1),
    compare_rule(Opcode::FSLT, Condition::lt, ResultType::m1),
    compare_rule(Opcode::FSGE, Condition::ge, ResultType::m1),
    compare_rule(Opcode::FSEQ, Condition::eq, ResultType::m1),
    compare_rule(Opcode::FSNE, Condition::ne, ResultType::m1),
};

}  // namespace

std::span<const Rule> float_rules() {
    return kFloatRules;
}

}  // namespace valkyr::valhall::lower
