// Pass fold_constants: computes operations on literals, and drops those with a neutral element.
// SPDX-License-Identifier: MIT
//
// The interpreter computes operations on literals, so results have the bits that the machine would
// give. The other rules change no bit of a result that is not a NaN: x * 1 and x + -0.0 are x; x +
// 0 is not (it turns -0 into +0).
#include "base/float_bits.hpp"
#include "valhall/arith/arith_double.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"
#include "valhall/interpreter/evaluate.hpp"

#include <array>
#include <bit>
#include <optional>
#include <vector>

namespace valkyr::valhall::ir {
namespace {

using float_bits::kOne;

bool is_shift_by(const Operand& count, unsigned& amount) {
    if (count.kind != OperandKind::Literal ||
        count.selector < static_cast<uint8_t>(Lanes8Bit::b00) ||
        count.selector > static_cast<uint8_t>(Lanes8Bit::b33))
        return false;
    const unsigned byte = count.selector - static_cast<unsigned>(Lanes8Bit::b00);
    amount = count.value >> (8 * byte) & 31;
    return true;
}

/// The instruction as the interpreter sees it, with source k in register 2 * k.
Instr machine_instr(const Inst& inst) {
    const OpInfo& info = op_info(inst.op);
    Instr instr = make_instr(inst.op);
    for (const ModInfo& mod : info.mods)
        instr.set_mod(mod.mod, get_mod(inst, mod.mod));
    for (unsigned k = 0; k < info.sources.size(); ++k) {
        const Operand& operand = inst.src[k];
        Source& source = instr.src[k];
        source.index = static_cast<uint8_t>(2 * k);
        source.neg = (operand.flags & kNeg) != 0;
        source.abs = (operand.flags & kAbs) != 0;
        source.bit_not = (operand.flags & kNot) != 0;
        if (operand.selector != kDefaultSelector)
            source.selector = operand.selector;
    }
    for (size_t k = 0; k < info.immediates.size(); ++k)
        instr.imm[k] = inst.imm[k];
    return instr;
}

/// The result of an instruction all of whose sources are literals.
std::optional<uint32_t> fold(const Inst& inst) {
    FirstRegisters registers{};
    for (unsigned k = 0; k < inst.src_count; ++k) {
        if (inst.src[k].kind != OperandKind::Literal)
            return std::nullopt;
        registers[2 * k] = inst.src[k].value;
    }
    return evaluate(machine_instr(inst), registers);
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
        if (!factor.is_number() || (factor.value & 0x7FFFFFFF) != kOne)
            continue;
        Operand other = inst.src[1 - one];
        if ((factor.value & float_bits::kSign) != 0)
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
        if (!factor.is_number() || !std::has_single_bit(factor.value) ||
            other.selector != kDefaultSelector || factor.value == 1)
            continue;
        const auto amount = static_cast<unsigned>(std::countr_zero(factor.value));
        Operand count = literal((amount & ~3U) * 0x01010101U + 0x03020100U);
        count.selector = static_cast<uint8_t>(static_cast<unsigned>(Lanes8Bit::b00) + (amount & 3));
        become(inst, Spec(Op::LSHIFT_OR_I32), other, count, literal(0), 3);
        return;
    }
}

/// The most that the result of an instruction can be, as an unsigned number.
uint32_t upper_bound(const Inst& inst) {
    constexpr uint32_t any = 0xFFFFFFFF;
    unsigned amount = 0;
    if (inst.op == Op::LSHIFT_AND_I32 && get_mod(inst, Mod::not_result) == 0 &&
        inst.src[2].is_number())
        return inst.src[2].value;
    if (inst.op == Op::RSHIFT_OR_I32 && get_mod(inst, Mod::not_result) == 0 &&
        inst.src[2].is_literal(0) && is_shift_by(inst.src[1], amount))
        return any >> amount;
    return any;
}

/// Upper bounds of values, by number; empty until one is known.
class Bounds {
public:
    explicit Bounds(const Function& f)
        : f_(f) {}
    void note(const Inst& inst) {
        const uint32_t bound = inst.op == Op::CSEL_S32 ? of_extremum(inst) : upper_bound(inst);
        if (bound == kAny)
            return;
        if (bounds_.empty())
            bounds_.resize(f_.value_count, kAny);
        bounds_[inst.def] = bound;
    }
    /// Bound of a plain operand.
    [[nodiscard]] uint32_t of(const Operand& x) const {
        if (x.is_number())
            return x.value;
        const bool plain = x.is_value() && x.flags == 0 && x.selector == kDefaultSelector;
        return plain && x.value < bounds_.size() ? bounds_[x.value] : kAny;
    }

private:
    /// Bound of the maximum of a number and one that is not negative, and of the minimum of two
    /// numbers of which none is negative.
    [[nodiscard]] uint32_t of_extremum(const Inst& inst) const {
        constexpr uint32_t largest = 0x7FFFFFFF;
        const auto condition = get_mod_as<Condition>(inst, Mod::cmp);
        const Operand& other = inst.src[1];
        if (!other.is_number() || other.value > largest || !(inst.src[2] == inst.src[0]) ||
            !(inst.src[3] == other))
            return kAny;
        if (condition == Condition::gt)
            return largest;
        return condition == Condition::lt && of(inst.src[0]) <= largest ? other.value : kAny;
    }

    static constexpr uint32_t kAny = 0xFFFFFFFF;
    const Function& f_;
    std::vector<uint32_t> bounds_;
};

/// The result of x < limit ? c : d if bounds decide it: x is below the limit, or x <= limit and
/// this is the minimum of both. Else kind None.
Operand decided(const Inst& inst, const Bounds& bounds) {
    if (inst.op != Op::CSEL_U32 || get_mod_as<Condition>(inst, Mod::cmp) != Condition::lt ||
        !inst.src[1].is_number())
        return {};
    const uint32_t limit = inst.src[1].value;
    const uint32_t most = bounds.of(inst.src[0]);
    const bool minimum = inst.src[2] == inst.src[0] && inst.src[3] == inst.src[1];
    if (most < limit || (most == limit && minimum))
        return inst.src[2];
    return {};
}

/// The operand that the instruction copies; kind None if it is no copy.
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

/// The results of an operation on doubles become literals if all its source words are.
void fold_double(const Function& f, const Inst& inst, Replacements& known) {
    std::array<uint32_t, kMaxDoubleSources> words{};
    for (unsigned i = 0; i < inst.staging_count; ++i) {
        const Operand& word = f.staging(inst)[i];
        if (!word.is_number())
            return;
        words[i] = word.value;
    }
    const auto results = compute_double(double_op(inst), {words.data(), inst.staging_count});
    for (unsigned k = 0; k < inst.def_count; ++k)
        known.set(inst.def + k, literal(results[k]));
}

/// The words of a product become literals if both factors are, as in divisions by constants.
void fold_product(const Inst& inst, Replacements& known) {
    uint64_t product = 1;
    for (const Operand& factor : inst.sources()) {
        const bool word = factor.selector == static_cast<uint8_t>(Swizzles64Bit::w0);
        if (factor.kind != OperandKind::Literal || factor.flags != 0 || !word)
            return;
        product *= factor.value;
    }
    known.set(inst.def, literal(static_cast<uint32_t>(product)));
    known.set(inst.def + 1, literal(static_cast<uint32_t>(product >> 32)));
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
    Bounds bounds(f);
    for (Inst& inst : f.insts) {
        if (known.any())
            for_each_operand(f, inst, [&](Operand& operand) { known.apply(operand); });
        if (inst.op == kDouble)
            fold_double(f, inst, known);
        else if (inst.op == Op::IMULD_U64)
            fold_product(inst, known);
        // All rules need a literal.
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
        Operand source = copied(inst);
        if (source.kind == OperandKind::None)
            source = decided(inst, bounds);
        if (source.kind != OperandKind::None)
            known.set(inst.def, source);
        bounds.note(inst);
    }
    // Phi inputs on back edges were visited before their values were replaced.
    if (!f.loops.empty())
        known.apply(f);
}

}  // namespace valkyr::valhall::ir
