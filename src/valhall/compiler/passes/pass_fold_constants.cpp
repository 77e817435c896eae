// fold_constants: operations on literals, and operations with a neutral element.
// SPDX-License-Identifier: MIT
//
// Only rules that keep every bit of every result that is not a NaN: x * 1 and x + -0.0 are x; x + 0
// is not (it turns -0 into +0).
#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <bit>
#include <cmath>
#include <optional>

namespace valkyr::valhall::ir {
namespace {

using float_bits::kOne;
constexpr uint32_t kMinusZero = 0x80000000;
using float_bits::kQuietNan;

bool is_shift_by(const Operand& count, unsigned& amount) {
    if (count.kind != OperandKind::Literal ||
        count.selector < static_cast<uint8_t>(Lanes8Bit::b00) ||
        count.selector > static_cast<uint8_t>(Lanes8Bit::b33))
        return false;
    const unsigned byte = count.selector - static_cast<unsigned>(Lanes8Bit::b00);
    amount = count.value >> (8 * byte) & 31;
    return true;
}

bool plain_literal(const Operand& x) {
    return x.kind == OperandKind::Literal && x.flags == 0 && x.selector == kDefaultSelector;
}

uint32_t float_result(float value) {
    return std::isnan(value) ? kQuietNan : as_bits(value);
}

uint32_t shifted(const Inst& inst, uint32_t x, unsigned amount) {
    switch (inst.op) {
    case Op::LSHIFT_AND_I32:
    case Op::LSHIFT_OR_I32:
    case Op::LSHIFT_XOR_I32: return x << amount;
    default: break;
    }
    return get_mod(inst, Mod::signed_) != 0
               ? static_cast<uint32_t>(static_cast<int32_t>(x) >> amount)
               : x >> amount;
}

/// Shift-and-logic instructions on literals.
std::optional<uint32_t> fold_shift(const Inst& inst) {
    unsigned amount = 0;
    if (!is_shift_by(inst.src[1], amount) || !plain_literal(inst.src[0]) ||
        !plain_literal(inst.src[2]))
        return std::nullopt;
    const uint32_t a = shifted(inst, inst.src[0].value, amount);
    const uint32_t b = inst.src[2].value;
    uint32_t result = 0;
    switch (inst.op) {
    case Op::LSHIFT_AND_I32:
    case Op::RSHIFT_AND_I32: result = a & b; break;
    case Op::LSHIFT_OR_I32:
    case Op::RSHIFT_OR_I32: result = a | b; break;
    case Op::LSHIFT_XOR_I32:
    case Op::RSHIFT_XOR_I32: result = a ^ b; break;
    default: return std::nullopt;
    }
    return get_mod(inst, Mod::not_result) != 0 ? ~result : result;
}

/// Instructions of which all sources are plain literals.
std::optional<uint32_t> fold(const Inst& inst) {
    if (const std::optional<uint32_t> result = fold_shift(inst))
        return result;
    for (const Operand& source : inst.sources()) {
        if (!plain_literal(source))
            return std::nullopt;
    }
    const uint32_t a = inst.src[0].value;
    const uint32_t b = inst.src[1].value;
    const bool clamped = get_mod(inst, Mod::clamp) != 0;
    switch (inst.op) {
    case Op::IADD_U32: return a + b;
    case Op::ISUB_U32: return a - b;
    case Op::IMUL_I32: return a * b;
    case Op::FADD_F32:
        if (clamped)
            return std::nullopt;
        return float_result(as_float(a) + as_float(b));
    case Op::FMA_F32:
        if (clamped)
            return std::nullopt;
        return float_result(std::fma(as_float(a), as_float(b), as_float(inst.src[2].value)));
    case Op::S32_TO_F32: return as_bits(static_cast<float>(static_cast<int32_t>(a)));
    case Op::U32_TO_F32: return as_bits(static_cast<float>(a));
    default: return std::nullopt;
    }
}

void become(Inst& inst, const Spec& spec, Operand a, Operand b, Operand c, unsigned count) {
    inst.op = spec.op;
    inst.word = spec.word;
    inst.src = {a, b, c, {}};
    inst.src_count = static_cast<uint8_t>(count);
}

/// a * 1 + c is a + c; the clamp stays.
void simplify_fma(Inst& inst) {
    for (unsigned one = 0; one < 2; ++one) {
        const Operand& factor = inst.src[one];
        if (!plain_literal(factor) || (factor.value & 0x7FFFFFFF) != kOne)
            continue;
        Operand other = inst.src[1 - one];
        if ((factor.value & kMinusZero) != 0)
            other.flags ^= kNeg;
        if (other.kind == OperandKind::Literal)
            return;
        const auto clamp = get_mod_as<Clamp>(inst, Mod::clamp);
        become(inst, Spec(Op::FADD_F32).with(Mod::clamp, clamp), other, inst.src[2], {}, 2);
        return;
    }
}

/// A product with a power of two is a shift.
void simplify_imul(Inst& inst) {
    for (unsigned side = 0; side < 2; ++side) {
        const Operand& factor = inst.src[side];
        const Operand other = inst.src[1 - side];
        if (!plain_literal(factor) || !std::has_single_bit(factor.value) ||
            other.selector != kDefaultSelector || factor.value == 1)
            continue;
        const auto amount = static_cast<unsigned>(std::countr_zero(factor.value));
        Operand count = literal((amount & ~3U) * 0x01010101U + 0x03020100U);
        count.selector = static_cast<uint8_t>(static_cast<unsigned>(Lanes8Bit::b00) + (amount & 3));
        become(inst, Spec(Op::LSHIFT_OR_I32), other, count, literal(0), 3);
        return;
    }
}

/// The operand that the instruction only copies; kind None if it does more.
Operand copied(const Inst& inst) {
    const auto plain = [](const Operand& x) {
        return x.is_value() && x.flags == 0 && x.selector == kDefaultSelector;
    };
    unsigned amount = 1;
    switch (inst.op) {
    case Op::IADD_U32:
        if (plain(inst.src[0]) && inst.src[1].is_literal(0))
            return inst.src[0];
        if (plain(inst.src[1]) && inst.src[0].is_literal(0))
            return inst.src[1];
        break;
    case Op::IMUL_I32:
        if (plain(inst.src[0]) && inst.src[1].is_literal(1))
            return inst.src[0];
        if (plain(inst.src[1]) && inst.src[0].is_literal(1))
            return inst.src[1];
        break;
    case Op::LSHIFT_OR_I32:
    case Op::RSHIFT_OR_I32:
        if (plain(inst.src[0]) && inst.src[2].is_literal(0) && is_shift_by(inst.src[1], amount) &&
            amount == 0 && get_mod(inst, Mod::not_result) == 0)
            return inst.src[0];
        break;
    default: break;
    }
    return {};
}

bool reads_literal(const Inst& inst) {
    for (const Operand& source : inst.sources())
        if (source.kind == OperandKind::Literal)
            return true;
    return false;
}

}  // namespace

void fold_constants(Function& f) {
    Replacements known(f);
    for (Inst& inst : f.insts) {
        if (known.any())
            for_each_operand(f, inst, [&](Operand& operand) { known.apply(operand); });
        // All rules are about literals.
        if (!traits(inst.op).alu || !reads_literal(inst) || inst.def_count != 1 ||
            inst.fixed != kNotFixed)
            continue;
        if (const std::optional<uint32_t> value = fold(inst)) {
            known.set(inst.def, literal(*value));
            continue;
        }
        if (inst.op == Op::FMA_F32)
            simplify_fma(inst);
        else if (inst.op == Op::IMUL_I32)
            simplify_imul(inst);
        f.note(inst.op);
        if (const Operand source = copied(inst); source.kind != OperandKind::None)
            known.set(inst.def, source);
    }
    // Edges back to a loop were visited before what they bring.
    if (!f.loops.empty())
        known.apply(f);
}

}  // namespace valkyr::valhall::ir
