// Comparison emitters: compare and select (FCMP, ICMP, CSEL, MUX).
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/float_compare.hpp"

#include <array>
#include <bit>
#include <optional>

namespace valkyr::jit {

using valhall::Mod;
using valhall::Mux;
using valhall::ResultType;

namespace {

/// gtlt and total never reach integer comparisons (reject_reason).
constexpr std::array<IntCond, 8> kIntConds = {
    IntCond::Equal, IntCond::Greater,   IntCond::GreaterEqual, IntCond::NotEqual,
    IntCond::Less,  IntCond::LessEqual, IntCond::NotEqual,     IntCond::LessEqual};

IntCond int_condition(const EmitContext& c) {
    return kIntConds[c.instr().mod(Mod::cmp) & 7];
}

/// All bits of a true lane, by element.
uint32_t truth(ResultType type, Element element) {
    const bool halves = element == Element::B16;
    switch (type) {
    case ResultType::i1:
        if (element == Element::B8)
            return 0x01010101;
        return halves ? 0x00010001 : 1;
    case ResultType::f1: return halves ? 0x3C003C00 : float_bits::kOne;
    case ResultType::m1:
    case ResultType::u1: return 0xFFFFFFFF;
    }
    return 0;
}

/// Combines the result with bool(C) and writes i1, f1 or m1.
void finish_compare(EmitContext& c, Mask m, Element element) {
    const bool both = c.instr().mod(Mod::and_) != 0;
    if (both || c.known_word(2) != 0U) {
        const TempMask other = c.scratch_mask();
        c.h.compare(IntCond::NotEqual, element, true, other, c.word(2), c.pool(0));
        if (both)
            c.h.mask_and(m, m, other);
        else
            c.h.mask_or(m, m, other);
    }
    if (c.branch_bits == BranchBits::Wanted) {
        c.collect_bits(c.branch_lanes, m);
        return;
    }
    const Temp d = c.result();
    const uint32_t bits = truth(c.instr().get<ResultType>(Mod::result_type), element);
    c.h.mask_value(element, d, m, bits);
    c.write(d);
    c.set_facts(WordFacts::below(static_cast<unsigned>(std::bit_width(bits))));
}

/// Merges the 32-bit masks of the two halves into an element-wise register of 0 / ~0.
Temp half_masks(EmitContext& c, Mask low, Mask high) {
    Temp a = c.scratch();
    const Temp b = c.scratch();
    c.h.mask_value(Element::B32, a, low, 0xFFFFFFFF);
    c.h.mask_value(Element::B32, b, high, 0xFFFFFFFF);
    c.h.merge_halves(a, a, b);
    return a;
}

/// Comparison of halves as f32, as a register of 0 / ~0 halves.
template <typename Operands>
Temp compare_halves(EmitContext& c, Operands operand) {
    TempMask masks[2];
    for (unsigned lane = 0; lane < 2; ++lane) {
        const Temp a = operand(0U, lane);
        const Temp b = operand(1U, lane);
        masks[lane] = c.scratch_mask();
        compare_f32(c, masks[lane], a, b);
    }
    return half_masks(c, masks[0], masks[1]);
}

TempMask nonzero_mask(EmitContext& c, Vec a, Element element) {
    TempMask m = c.scratch_mask();
    c.h.compare(IntCond::NotEqual, element, true, m, a, c.pool(0));
    return m;
}

/// `.seq`: three-way order of A and B, then of C and 0.
void sequenced(EmitContext& c, Vec a, Vec b, bool is_signed) {
    HostAssembler& h = c.h;
    S32 order(c);
    S32 t(c);
    const TempMask m = c.scratch_mask();
    // sign(C) = (C >> 31) | (C != 0)
    const Temp chain = c.word(2);
    h.test_nonzero(m, chain);
    t = s32(where(m, 1));
    order = s32(chain) >> 31 | t;
    h.compare(IntCond::Less, Element::B32, is_signed, m, a, b);
    order = select(m, -1, order);
    h.compare(IntCond::Greater, Element::B32, is_signed, m, a, b);
    order = select(m, 1, order);
    const auto type = c.instr().get<ResultType>(Mod::result_type);
    if (type != ResultType::u1) {
        h.zero(t);
        h.compare(int_condition(c), Element::B32, true, m, order, t);
        h.mask_value(Element::B32, order, m, truth(type, Element::B32));
    }
    c.write(order);
}

void icmp(EmitContext& c, Element element, bool is_signed) {
    const Temp a = c.integer(0, element, is_signed);
    if (element == Element::B32 && c.instr().mod(Mod::seq))
        return sequenced(c, a, c.widen32(1, is_signed), is_signed);
    const TempOperand b = element == Element::B32 ? c.widen32_operand(1, is_signed)
                                                  : TempOperand(c.integer(1, element, is_signed));
    const TempMask m = c.scratch_mask();
    c.h.compare(int_condition(c), element, is_signed, m, a, b);
    finish_compare(c, m, element);
}

/// Whether two sources of the instruction are the same word.
bool same_word(const EmitContext& c, unsigned a, unsigned b) {
    valhall::Source x = c.instr().src[a];
    valhall::Source y = c.instr().src[b];
    x.last_use = y.last_use = false;
    const auto value = c.known_word(a);
    return x == y || (value && value == c.known_word(b));
}

/// Writes the first operand of CSEL where the mask is set, else the second one.
void write_selected(EmitContext& c, Element element, Mask m, unsigned if_true, unsigned if_false) {
    const bool masks_are_vectors = c.h.traits().masks == 0;
    if ((masks_are_vectors || element == Element::B32) && c.known_word(if_false) == 0U) {
        const TempOperand value = c.word_operand(if_true);
        const Temp d = c.result();
        c.h.keep_lanes(d, m, value);
        return c.write(d);
    }
    if (masks_are_vectors && c.known_word(if_true) == 0U) {
        const TempOperand value = c.word_operand(if_false);
        const Temp d = c.result_over(value);
        c.h.op(Binary::AndNot, d, Vec{m.id}, value);
        return c.write(d);
    }
    const TempOperand chosen = c.word_operand(if_true);
    const Temp other = c.word(if_false);
    const Temp d = masks_are_vectors ? c.result_over(Vec{m.id}) : c.result();
    c.h.select(element, d, m, chosen, other);
    c.write(d);
}

/// Writes a selection between the compared numbers as a minimum or maximum.
void write_extreme(EmitContext& c, Binary extreme, unsigned first, unsigned second) {
    const Temp a = c.word(first);
    const TempOperand b = c.word_operand(second);
    const Temp d = c.result_over(a, b);
    c.h.op(extreme, d, a, b);
    c.write(d);
}

bool csel_extreme(EmitContext& c, bool is_signed) {
    const bool straight = same_word(c, 0, 2) && same_word(c, 1, 3);
    if (!straight && !(same_word(c, 0, 3) && same_word(c, 1, 2)))
        return false;
    bool minimum = straight;
    switch (int_condition(c)) {
    case IntCond::Less:
    case IntCond::LessEqual: break;
    case IntCond::Greater:
    case IntCond::GreaterEqual: minimum = !minimum; break;
    default: return false;
    }
    // A constant must come second: that operand may lie in memory.
    const unsigned first = c.known_word(0) ? 1 : 0;
    if (is_signed)
        write_extreme(c, minimum ? Binary::MinS32 : Binary::MaxS32, first, 1 - first);
    else
        write_extreme(c, minimum ? Binary::MinU32 : Binary::MaxU32, first, 1 - first);
    return true;
}

/// Whether the instruction selects by x == x, which division does to replace NaNs, and x is known
/// to be a number.
bool replaces_no_nan(const EmitContext& c) {
    return c.instr().get<valhall::Condition>(Mod::cmp) == valhall::Condition::eq &&
           same_word(c, 0, 1) && c.word_facts(0).number.is_number();
}

/// Whether the operand is known to be a number other than the zeros.
bool is_nonzero_number(const EmitContext& c, unsigned source) {
    const auto value = c.known_word(source);
    return value && !float_bits::is_nan(*value) && (*value & ~float_bits::kSign) != 0;
}

/// Writes a < b ? a : b or a > b ? a : b, so that hosts without such an instruction can use others
/// if one operand is a constant.
void write_f32_extreme(EmitContext& c, bool minimum, unsigned first, unsigned second) {
    const bool quiet = !c.may_signal(first) && !c.may_signal(second);
    if (is_nonzero_number(c, second)) {
        const Temp a = c.word(first);
        const TempOperand b = c.word_operand(second);
        const Temp d = c.result();
        limit_f32(c, d, a, b, !minimum, c.may_signal(first));
        c.write(d);
    } else if (is_nonzero_number(c, first) && quiet) {
        write_extreme(c, minimum ? Binary::MinNanF32 : Binary::MaxNanF32, first, second);
    } else {
        write_extreme(c, minimum ? Binary::MinF32 : Binary::MaxF32, first, second);
    }
}

/// The host's minimum and maximum select by one comparison: a < b ? a : b and a > b ? a : b.
bool csel_f32_extreme(EmitContext& c) {
    const auto condition = c.instr().get<valhall::Condition>(Mod::cmp);
    const bool less = condition == valhall::Condition::lt;
    if (!less && condition != valhall::Condition::gt)
        return false;
    const bool straight = same_word(c, 0, 2) && same_word(c, 1, 3);
    if (!straight && !(same_word(c, 0, 3) && same_word(c, 1, 2)))
        return false;
    const unsigned first = straight ? 0 : 1;
    write_f32_extreme(c, less == straight, first, 1 - first);
    return true;
}

/// Hosts whose masks are vectors have only equality and greater-than. The other conditions are
/// complements of these, with the operands of the selection exchanged.
std::optional<IntCond> complement(IntCond condition, bool is_signed) {
    switch (condition) {
    case IntCond::NotEqual: return IntCond::Equal;
    case IntCond::LessEqual: return is_signed ? IntCond::Greater : std::optional<IntCond>();
    case IntCond::GreaterEqual: return is_signed ? IntCond::Less : std::optional<IntCond>();
    case IntCond::Greater: return is_signed ? std::optional<IntCond>() : IntCond::LessEqual;
    case IntCond::Less: return is_signed ? std::optional<IntCond>() : IntCond::GreaterEqual;
    case IntCond::Equal: break;
    }
    return std::nullopt;
}

/// Emits CSEL as a selection by the sign of a word; false if the condition is another one.
bool csel_negative(EmitContext& c) {
    const IntCond condition = int_condition(c);
    const bool negative = condition == IntCond::Less;
    if ((!negative && condition != IntCond::GreaterEqual) || c.known_word(1) != 0U)
        return false;
    const Temp sign = c.word(0);
    const TempOperand if_negative = c.word_operand(negative ? 2 : 3);
    const Temp other = c.word(negative ? 3 : 2);
    const Temp d = c.result();
    c.h.select_negative(d, sign, if_negative, other);
    c.write(d);
    return true;
}

/// Emits CSEL as a comparison and a selection by its mask.
void csel_by_mask(EmitContext& c, Element element, bool is_signed) {
    IntCond condition = int_condition(c);
    std::optional<IntCond> other;
    if (c.h.traits().masks == 0)
        other = complement(condition, is_signed);
    if (other)
        condition = *other;
    const Temp a = c.word(0);
    const TempMask m = c.scratch_mask();
    c.h.compare(condition, element, is_signed, m, a, c.word_operand(1));
    write_selected(c, element, m, other ? 3 : 2, other ? 2 : 3);
}

void csel(EmitContext& c, Element element, bool is_signed) {
    const WordFacts facts = c.word_facts(2).either(c.word_facts(3));
    if (element != Element::B32 || !(csel_extreme(c, is_signed) || (is_signed && csel_negative(c))))
        csel_by_mask(c, element, is_signed);
    if (element == Element::B32)
        c.set_facts(facts);
}

/// Emits the MUX of one part: by the bits of the selector, or by lanes whose selector chooses A.
void mux(EmitContext& c, Element element, Vec a, Vec b, Vec selector) {
    HostAssembler& h = c.h;
    U32 d(c);
    const WordFacts facts = c.word_facts(0).either(c.word_facts(1));
    const auto mode = c.instr().get<Mux>(Mod::mux);
    if (mode == Mux::bit) {
        d = ((u32(a) ^ b) & selector) ^ b;
        c.write(d);
        return c.set_facts(WordFacts::below(facts.width));
    }
    const Temp zero = c.constant(0);
    const TempMask m = c.scratch_mask();
    Temp tested = selector;
    if (mode == Mux::fp_zero) {
        tested = c.scratch();
        h.op(Binary::And, tested, selector,
             c.pool(element == Element::B16 ? 0x7FFF7FFF : 0x7FFFFFFF));
    }
    const bool negative = mode == Mux::neg;
    h.compare(negative ? IntCond::Greater : IntCond::Equal, element, true, m, zero, tested);
    if (element == Element::B32 && c.known_word(1) == 0U)
        h.keep_lanes(d, m, a);
    else if (element == Element::B32 && c.known_word(0) == 0U)
        h.clear_lanes(d, m, b);
    else
        h.select(element, d, m, a, b);
    c.write(d);
    if (element == Element::B32)
        c.set_facts(facts);
}

}  // namespace

bool feeds_branch(const GuestProgram& program, const Block& block, uint32_t step) {
    if (block.exit != Exit::Branch || block.uniform || step + 2 != block.first + block.count)
        return false;
    const valhall::Instr& compare = program.steps[step].instr;
    const valhall::Instr& branch = program.steps[step + 1].instr;
    const valhall::Source& tested = branch.src[0];
    const bool compares =
        compare.op == valhall::Op::FCMP_F32 ||
        ((compare.op == valhall::Op::ICMP_S32 || compare.op == valhall::Op::ICMP_U32) &&
         !compare.mod(Mod::seq));
    return compares && compare.dest.mask == 3 && compare.flow != valhall::Flow::discard &&
           branch.op == valhall::Op::BRANCHZ && branch.flow != valhall::Flow::discard &&
           tested.kind == valhall::SourceKind::Register && tested.index == compare.dest.reg &&
           !block.live_out.has(compare.dest.reg) &&
           (truth(compare.get<ResultType>(Mod::result_type), Element::B32) &
            combine_mask(tested.selector)) != 0;
}

VALKYR_EMIT(FCMP_F32) {
    const Temp a = c.f32(0);
    const bool negated = c.instr().src[1].neg && !c.known_f32(1);
    const TempOperand b = negated ? TempOperand(c.f32(1)) : c.f32_operand(1).value;
    const TempMask m = c.scratch_mask();
    compare_f32(c, m, a, b);
    finish_compare(c, m, Element::B32);
}

VALKYR_EMIT(FCMP_V2F16) {
    const Temp result =
        compare_halves(c, [&](unsigned source, unsigned lane) { return c.f16_lane(source, lane); });
    finish_compare(c, nonzero_mask(c, result, Element::B16), Element::B16);
}

VALKYR_EMIT_AS(ICMP_U32, icmp(c, Element::B32, false))
VALKYR_EMIT_AS(ICMP_S32, icmp(c, Element::B32, true))
VALKYR_EMIT_AS(ICMP_V2U16, icmp(c, Element::B16, false))
VALKYR_EMIT_AS(ICMP_V2S16, icmp(c, Element::B16, true))
VALKYR_EMIT_AS(ICMP_V4U8, icmp(c, Element::B8, false))
VALKYR_EMIT_AS(ICMP_V4S8, icmp(c, Element::B8, true))

VALKYR_EMIT(CSEL_F32) {
    if (replaces_no_nan(c))
        return c.write_source(2);
    const WordFacts facts = c.word_facts(2).either(c.word_facts(3));
    if (!csel_f32_extreme(c)) {
        const Temp a = c.word(0);
        const TempMask m = c.scratch_mask();
        compare_f32(c, m, a, c.word_operand(1));
        write_selected(c, Element::B32, m, 2, 3);
    }
    c.set_facts(facts);
}

VALKYR_EMIT(CSEL_V2F16) {
    Temp chosen = compare_halves(
        c, [&](unsigned source, unsigned lane) { return c.half_to_f32(c.word(source), lane); });
    const TempMask m = nonzero_mask(c, chosen, Element::B16);
    chosen.reset();
    const Temp if_true = c.word(2);
    const Temp if_false = c.word(3);
    const Temp d = c.scratch();
    c.h.select(Element::B16, d, m, if_true, if_false);
    c.write(d);
}

VALKYR_EMIT_AS(CSEL_U32, csel(c, Element::B32, false))
VALKYR_EMIT_AS(CSEL_S32, csel(c, Element::B32, true))
VALKYR_EMIT_AS(CSEL_V2U16, csel(c, Element::B16, false))
VALKYR_EMIT_AS(CSEL_V2S16, csel(c, Element::B16, true))

VALKYR_EMIT_AS(MUX_I32, mux(c, Element::B32, c.word(0), c.word(1), c.word(2)))
VALKYR_EMIT_AS(MUX_V4I8, mux(c, Element::B8, c.word(0), c.word(1), c.word(2)))
VALKYR_EMIT_AS(MUX_V2I16,
               mux(c, Element::B16, c.widen16(0, false), c.widen16(1, false), c.widen16(2, false)))

}  // namespace valkyr::jit
