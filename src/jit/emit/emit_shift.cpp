// Shift emitters: compute (A << s) op B and (A >> s) op B in lanes of 8 to 64 bits.
// SPDX-License-Identifier: MIT
//
// The host's 32-bit shifts take counts of 32 and more: the result is then 0, or the sign.
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"

#include <algorithm>
#include <array>

namespace valkyr::jit {

using valhall::Mod;

namespace {

enum class Direction : uint8_t { Left, Right };
enum class Logic : uint8_t { And, Or, Xor };

/// The bytes of source 1 that hold the two counts, indexed by Lanes8Bit.
struct CountBytes {
    uint8_t first;
    uint8_t second;
};
constexpr std::array<CountBytes, 16> kCountBytes = {
    CountBytes{0, 2}, {0, 2}, {0, 2}, {0, 2}, {0, 0}, {1, 1}, {2, 2}, {3, 3},
    {0, 2},           {0, 2}, {0, 1}, {2, 3}, {0, 2}, {0, 2}, {0, 2}, {0, 2}};

struct Shift {
    Direction direction;
    bool is_signed;

    [[nodiscard]] Binary variable() const {
        if (direction == Direction::Left)
            return Binary::ShlV32;
        return is_signed ? Binary::SarV32 : Binary::ShrV32;
    }
    [[nodiscard]] ImmOp immediate() const {
        if (direction == Direction::Left)
            return ImmOp::Shl32;
        return is_signed ? ImmOp::Sar32 : ImmOp::Shr32;
    }
};

/// The shift count, from source 1, modulo the lane width: known, or in a register.
struct Count {
    std::optional<uint32_t> known;
    Temp vec;
};

Count count_of(EmitContext& c, bool second, unsigned width) {
    const CountBytes bytes = kCountBytes[c.instr().src[1].selector & 15];
    const unsigned index = second ? bytes.second : bytes.first;
    if (const auto word = c.known_word(1))
        return {*word >> (8 * index) & (width - 1), {}};
    Temp v = c.scratch();
    c.h.op(ImmOp::Shr32, v, c.word(1), 8 * index);
    c.h.op(Binary::And, v, v, c.pool(width - 1));
    return {std::nullopt, std::move(v)};
}

/// d = a shifted as 32-bit lanes.
void shift32(EmitContext& c, Vec d, Vec a, const Shift& shift, const Count& count) {
    if (!count.known)
        c.h.op(shift.variable(), d, a, count.vec);
    else if (*count.known != 0)
        c.h.op(shift.immediate(), d, a, *count.known);
    else
        c.h.move(d, a);
}

/// One element [start, start + width) of `a` shifted in place; the rest of the result is 0.
Temp shift_element(
    EmitContext& c, Vec a, const Shift& shift, const Count& count, unsigned start, unsigned width) {
    HostAssembler& h = c.h;
    const uint32_t mask = ((1U << width) - 1) << start;
    Temp d = c.scratch();
    if (shift.direction == Direction::Right && shift.is_signed) {
        h.op(ImmOp::Shl32, d, a, 32 - start - width);
        shift32(c, d, d, shift, count);
        h.op(ImmOp::Shr32, d, d, 32 - width);
        h.op(ImmOp::Shl32, d, d, start);
        return d;
    }
    h.op(Binary::And, d, a, c.pool(mask));
    shift32(c, d, d, shift, count);
    h.op(Binary::And, d, d, c.pool(mask));
    return d;
}

/// Shifts two 16-bit or four 8-bit lanes; lanes in the upper half take the second count.
Temp shift_packed(EmitContext& c, const Shift& shift, unsigned width) {
    const Temp a = width == 16 ? c.widen16(0, false) : c.widen8(0);
    const Count first = count_of(c, false, width);
    const Count second = count_of(c, true, width);
    Temp d = shift_element(c, a, shift, first, 0, width);
    for (unsigned start = width; start < 32; start += width) {
        const Temp e = shift_element(c, a, shift, start < 16 ? first : second, start, width);
        c.h.op(Binary::Or, d, d, e);
    }
    return d;
}

/// (shifted op b) with the complements that the instruction asks for. Overwrites `shifted`.
void combine(EmitContext& c, Vec d, Vec shifted, Operand b, Logic logic) {
    HostAssembler& h = c.h;
    const bool not_b = c.instr().src[2].bit_not;
    const bool not_result = c.instr().mod(Mod::not_result) != 0;
    const auto complement = [&](Vec to, Operand x) {
        const Temp ones = c.constant(0xFFFFFFFF);
        h.op(Binary::Xor, to, ones, x);
    };
    if (logic == Logic::Xor) {
        h.op(Binary::Xor, d, shifted, b);
        if (not_b != not_result)
            complement(d, d);
        return;
    }
    Temp inverse;
    if (not_b) {
        inverse = c.scratch();
        complement(inverse, b);
        b = inverse;
    }
    h.op(logic == Logic::And ? Binary::And : Binary::Or, d, shifted, b);
    if (not_result)
        complement(d, d);
}

/// The width of a word behind the shift.
unsigned shifted_width(unsigned width, const Shift& shift, const Count& count) {
    constexpr unsigned all = WordFacts::kWordWidth;
    if (shift.direction == Direction::Left)
        return count.known ? std::min(width + *count.known, all) : all;
    if (shift.is_signed && width == all)
        return all;
    return width - std::min(width, count.known.value_or(0));
}

/// The width of a plain shift or logic operation's result.
unsigned result_width(EmitContext& c, const Shift& shift, const Count& count, Logic logic) {
    const unsigned a = shifted_width(c.widened_width(0, false), shift, count);
    const unsigned b = c.word_facts(2).width;
    return logic == Logic::And ? std::min(a, b) : std::max(a, b);
}

bool is_known(EmitContext& c, unsigned source, uint32_t value) {
    return c.known_word(source) == value;
}

/// Emits 32-bit lanes; emits one host operation where the instruction is a plain shift or logic
/// operation.
void shift_and_combine(
    EmitContext& c, const Shift& shift, const Count& count, Logic logic, bool plain) {
    const Temp a = c.widen32(0, false);
    if (count.known == 0U) {
        const TempOperand b = c.word_operand(2);
        const Temp d = c.result();
        combine(c, d, a, b, logic);
        return c.write(d);
    }
    if (plain && logic != Logic::And && is_known(c, 2, 0)) {
        const Temp d = c.result();
        shift32(c, d, a, shift, count);
        return c.write(d);
    }
    const Temp shifted = c.scratch();
    shift32(c, shifted, a, shift, count);
    combine(c, shifted, shifted, c.word_operand(2), logic);
    c.write(shifted);
}

void shift_word(EmitContext& c, const Shift& shift, Logic logic) {
    const Count count = count_of(c, false, 32);
    const bool plain = !c.instr().src[2].bit_not && !c.instr().mod(Mod::not_result);
    const unsigned width = plain ? result_width(c, shift, count, logic) : WordFacts::kWordWidth;
    shift_and_combine(c, shift, count, logic, plain);
    c.set_facts(WordFacts::below(width));
}

void shift_packed_logic(EmitContext& c, const Shift& shift, Logic logic, unsigned width) {
    const Temp d = shift_packed(c, shift, width);
    combine(c, d, d, c.word_operand(2), logic);
    c.write(d);
}

// ---- 64 bits: `near` is the word that bits leave first, `far` the one that they enter.

/// Counts n, 32 - n and n - 32. A count outside 0..31 gives 0.
struct WideCounts {
    Temp n;
    Temp below;
    Temp above;
};

WideCounts wide_counts(EmitContext& c) {
    Count count = count_of(c, false, 64);
    WideCounts counts{count.known ? c.constant(*count.known) : std::move(count.vec), c.scratch(),
                      c.scratch()};
    const Temp width = c.constant(32);
    c.h.op(Binary::SubI32, counts.below, width, counts.n);
    c.h.op(Binary::SubI32, counts.above, counts.n, width);
    return counts;
}

VecPair shift_left_64(EmitContext& c, const VecPair& a, const WideCounts& n) {
    U32 low(c);
    U32 high(c);
    high = u32(a.high) << n.n;
    low = u32(a.low) >> n.below;
    high |= low;
    low = u32(a.low) << n.above;
    high |= low;
    low = u32(a.low) << n.n;
    return {std::move(low), std::move(high)};
}

VecPair shift_right_64(EmitContext& c, const VecPair& a, const WideCounts& n, bool is_signed) {
    HostAssembler& h = c.h;
    U32 low(c);
    U32 high(c);
    low = u32(a.low) >> n.n;
    high = u32(a.high) << n.below;
    low |= high;
    if (!is_signed) {
        high = u32(a.high) >> n.above;
        low |= high;
        high = u32(a.high) >> n.n;
        return {std::move(low), std::move(high)};
    }
    // For n > 31 the low word is the shifted high word. For smaller n the count n - 32 is negative,
    // and an arithmetic shift would fill the word with the sign.
    const TempMask large = c.scratch_mask();
    h.compare(IntCond::Greater, Element::B32, true, large, n.n, c.pool(31));
    high = u32(s32(a.high) >> n.above);
    low = select(large, high, low);
    high = u32(s32(a.high) >> n.n);
    return {std::move(low), std::move(high)};
}

void shift_pair(EmitContext& c, const Shift& shift, Logic logic) {
    VecPair a = c.widen64(0, false);
    WideCounts counts = wide_counts(c);
    const VecPair d = shift.direction == Direction::Left
                          ? shift_left_64(c, a, counts)
                          : shift_right_64(c, a, counts, shift.is_signed);
    for (Temp* v : {&counts.n, &counts.below, &counts.above, &a.low, &a.high})
        c.done_with(*v);
    combine(c, d.low, d.low, c.word(2, 0), logic);
    combine(c, d.high, d.high, c.word(2, 1), logic);
    c.write_pair(d);
}

void emit_shift(EmitContext& c, Direction direction, Logic logic, unsigned width) {
    const bool is_signed = direction == Direction::Right && c.instr().mod(Mod::signed_);
    const Shift shift{direction, is_signed};
    if (width == 64)
        shift_pair(c, shift, logic);
    else if (width == 32)
        shift_word(c, shift, logic);
    else
        shift_packed_logic(c, shift, logic, width);
}

}  // namespace

#define VALKYR_SHIFTS(prefix, direction, name, logic)                                              \
    VALKYR_EMIT_AS(prefix##_##name##_I32, emit_shift(c, direction, logic, 32))                     \
    VALKYR_EMIT_AS(prefix##_##name##_V2I16, emit_shift(c, direction, logic, 16))                   \
    VALKYR_EMIT_AS(prefix##_##name##_V4I8, emit_shift(c, direction, logic, 8))                     \
    VALKYR_EMIT_AS(prefix##_##name##_I64, emit_shift(c, direction, logic, 64))
VALKYR_SHIFTS(LSHIFT, Direction::Left, AND, Logic::And)
VALKYR_SHIFTS(LSHIFT, Direction::Left, OR, Logic::Or)
VALKYR_SHIFTS(LSHIFT, Direction::Left, XOR, Logic::Xor)
VALKYR_SHIFTS(RSHIFT, Direction::Right, AND, Logic::And)
VALKYR_SHIFTS(RSHIFT, Direction::Right, OR, Logic::Or)
VALKYR_SHIFTS(RSHIFT, Direction::Right, XOR, Logic::Xor)
#undef VALKYR_SHIFTS

}  // namespace valkyr::jit
