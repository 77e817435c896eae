// Transcendental lowering: division, square root, exponentials, logarithms, sine and cosine.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/sequences/sequences.hpp"

namespace valkyr::valhall::lower {
namespace {

using float_bits::kOne;

using Sequence = Operand (*)(Builder&, Operand);

/// A function of x.x, replicated.
template <Sequence kSequence>
void lower_function(Lowering& l, const Instruction& inst, const Rule&) {
    l.store_all(inst, kSequence(l.b, l.src_float(inst, 0, 0)));
}

void lower_pow(Lowering& l, const Instruction& inst, const Rule&) {
    const Operand x = l.src_float(inst, 0, 0);
    l.store_all(inst, pow(l.b, x, l.src_float(inst, 1, 0)));
}

void lower_div(Lowering& l, const Instruction& inst, const Rule&) {
    by_component(l, inst, [&](unsigned c) {
        const Operand a = l.src_float(inst, 0, c);
        return divide(l.b, a, l.src_float(inst, 1, c));
    });
}

void lower_lit(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[0] = values[3] = literal(kOne);
    const Operand x = b.resolve(l.src_float(inst, 0, 0));
    if ((inst.dst[0].write_mask & 2) != 0)
        values[1] = b.fmax(x, literal(0));
    if ((inst.dst[0].write_mask & 4) != 0) {
        const Operand base = b.fmax(l.src_float(inst, 0, 1), literal(0));
        const Operand low = b.fmax(l.src_float(inst, 0, 3), literal(0xC3000000));  // -128
        const Operand power = b.fmin(low, literal(0x43000000));
        values[2] = b.csel_f32(Condition::gt, x, literal(0), pow(b, base, power), literal(0));
    }
    l.store(inst, values);
}

void lower_exp(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[3] = literal(kOne);
    const Operand x = l.src_float(inst, 0, 0);
    const Operand whole = b.fround(x, RoundMode::rtn);
    const unsigned mask = inst.dst[0].write_mask;
    if ((mask & 1) != 0)
        values[0] = exp2(b, whole);
    if ((mask & 2) != 0)
        values[1] = b.fadd(x, negated(whole));
    if ((mask & 4) != 0)
        values[2] = exp2(b, x);
    l.store(inst, values);
}

void lower_log(Lowering& l, const Instruction& inst, const Rule&) {
    Builder& b = l.b;
    Vec4 values{};
    values[3] = literal(kOne);
    Operand x = b.resolve(l.src_float(inst, 0, 0));
    x.flags = ir::kAbs;
    const Operand magnitude = b.resolve(x);
    const Operand logarithm = log2(b, magnitude);
    const Operand whole = b.fround(logarithm, RoundMode::rtn);
    const unsigned mask = inst.dst[0].write_mask;
    if ((mask & 1) != 0)
        values[0] = whole;
    if ((mask & 2) != 0)
        values[1] = b.fmul(magnitude, exp2(b, negated(whole)));
    if ((mask & 4) != 0)
        values[2] = logarithm;
    l.store(inst, values);
}

constexpr Rule kTranscendentalRules[] = {
    {Opcode::SQRT, lower_function<square_root>},
    {Opcode::EX2, lower_function<exp2>},
    {Opcode::LG2, lower_function<log2>},
    {Opcode::SIN, lower_function<sine>},
    {Opcode::COS, lower_function<cosine>},
    {Opcode::POW, lower_pow},
    {Opcode::DIV, lower_div},
    {Opcode::LIT, lower_lit},
    {Opcode::EXP, lower_exp},
    {Opcode::LOG, lower_log},
};

}  // namespace

std::span<const Rule> transcendental_rules() {
    return kTranscendentalRules;
}

}  // namespace valkyr::valhall::lower
