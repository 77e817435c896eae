// Integer and half operands: applies selectors and packs lanes.
// SPDX-License-Identifier: MIT
#include "jit/context/emit_context.hpp"
#include "jit/guest/known_words.hpp"

#include <array>
#include <bit>

namespace valkyr::jit {

using valhall::Source;

namespace {

constexpr uint32_t kZero = 0x80;  // shuffle_bytes: a zero byte

constexpr uint32_t pattern(uint32_t b0, uint32_t b1, uint32_t b2, uint32_t b3) {
    return b0 | b1 << 8 | b2 << 16 | b3 << 24;
}

/// The first bytes of the two 16-bit lanes, indexed by Swizzles16Bit.
struct Half16 {
    uint8_t low;
    uint8_t high;
    bool bytes;
};
constexpr std::array<Half16, 16> kHalves = {
    Half16{0, 0, false}, {2, 0, false}, {0, 2, false}, {2, 2, false}, {0, 0, true}, {2, 0, true},
    {0, 2, true},        {2, 2, true},  {1, 1, true},  {3, 1, true},  {1, 3, true}, {3, 3, true},
    {0, 1, true},        {2, 3, true},  {0, 2, false}, {0, 2, false}};
constexpr uint8_t kIdentity16 = 2;  // h01

/// Swizzles8Bit as shuffle patterns.
constexpr std::array<uint32_t, 12> kBytes = {
    pattern(0, 1, 2, 3), pattern(3, 2, 1, 0), pattern(0, 1, 0, 1), pattern(2, 3, 2, 3),
    pattern(0, 0, 0, 0), pattern(1, 1, 1, 1), pattern(2, 2, 2, 2), pattern(3, 3, 3, 3),
    pattern(2, 3, 0, 1), pattern(1, 0, 3, 2), pattern(0, 0, 1, 1), pattern(2, 2, 3, 3)};

}  // namespace

void EmitContext::shuffle_bytes(Vec d, Vec a, uint32_t byte_pattern) {
    std::array<uint32_t, 16> table{};
    for (uint32_t lane = 0; lane < table.size(); ++lane)
        for (unsigned k = 0; k < 4; ++k) {
            const uint32_t from = byte_pattern >> (8 * k) & 0xFF;
            table[lane] |= (from == kZero ? kZero : from + lane % 4 * 4) << (8 * k);
        }
    h.op(Binary::ShuffleBytes, d, a, memory(h.pool_words(table)));
}

std::optional<uint32_t> EmitContext::known_widened(unsigned source, bool is_signed) const {
    const unsigned selector = instr().src[source].selector;
    const auto value = known_word(source);
    if (!value)
        return value;
    return widened(*value, selector, is_signed);
}

unsigned EmitContext::widened_width(unsigned source, bool is_signed) const {
    if (const auto value = known_widened(source, is_signed))
        return static_cast<unsigned>(std::bit_width(*value));
    const unsigned selector = instr().src[source].selector;
    if (selector == 0)
        return word_facts(source).width;
    return is_signed ? WordFacts::kWordWidth : selected_field(selector).size;
}

TempOperand EmitContext::widen32_operand(unsigned source, bool is_signed) {
    if (instr().src[source].selector == 0)
        return word_operand(source);
    const auto value = known_widened(source, is_signed);
    if (value && h.traits().folds_broadcast)
        return pool(*value);
    return widen32(source, is_signed);
}

Temp EmitContext::widen32(unsigned source, bool is_signed) {
    const unsigned selector = instr().src[source].selector;
    if (selector == 0)
        return word(source);
    if (const auto value = known_widened(source, is_signed))
        return constant(*value);
    const Temp a = word(source);
    const auto [start, size] = selected_field(selector);
    Temp d = scratch();
    Vec top = a;
    if (start + size != 32) {
        h.op(ImmOp::Shl32, d, a, 32 - start - size);
        top = d;
    }
    h.op(is_signed ? ImmOp::Sar32 : ImmOp::Shr32, d, top, 32 - size);
    return d;
}

Temp EmitContext::widen16(unsigned source, bool is_signed) {
    const unsigned selector = instr().src[source].selector & 15;
    Temp a = word(source);
    if (selector == kIdentity16)
        return a;
    const Half16 halves = kHalves[selector];
    Temp d = scratch();
    const uint32_t low = halves.low;
    const uint32_t high = halves.high;
    if (!halves.bytes) {
        shuffle_bytes(d, a, pattern(low, low + 1, high, high + 1));
    } else if (!is_signed) {
        shuffle_bytes(d, a, pattern(low, kZero, high, kZero));
    } else {
        shuffle_bytes(d, a, pattern(kZero, low, kZero, high));
        h.op(ImmOp::Sar16, d, d, 8);
    }
    return d;
}

Temp EmitContext::low_half(unsigned source, bool is_signed) {
    const Half16 halves = kHalves[instr().src[source].selector & 15];
    const Temp a = halves.bytes ? widen16(source, is_signed) : word(source);
    const bool is_upper = !halves.bytes && halves.low == 2;
    Temp d = scratch();
    if (!is_upper && !is_signed) {
        h.op(Binary::And, d, a, pool(0xFFFF));
        return d;
    }
    if (!is_upper)
        h.op(ImmOp::Shl32, d, a, 16);
    h.op(is_signed ? ImmOp::Sar32 : ImmOp::Shr32, d, is_upper ? Vec(a) : Vec(d), 16);
    return d;
}

Temp EmitContext::widen8(unsigned source) {
    const unsigned selector = instr().src[source].selector;
    Temp a = word(source);
    if (selector == 0 || selector >= kBytes.size())
        return a;
    Temp d = scratch();
    shuffle_bytes(d, a, kBytes[selector]);
    return d;
}

Temp EmitContext::widen64_low(unsigned source, bool is_signed) {
    constexpr unsigned w0 = 8;
    const unsigned selector = instr().src[source].selector;
    return selector == 0 || selector == w0 ? word(source) : widen32(source, is_signed);
}

VecPair EmitContext::widen64(unsigned source, bool is_signed) {
    if (instr().src[source].selector == 0)
        return wide_word(source);
    Temp low = widen64_low(source, is_signed);
    Temp high = scratch();
    if (is_signed)
        h.op(ImmOp::Sar32, high, low, 31);
    else
        h.zero(high);
    return {std::move(low), std::move(high)};
}

Temp EmitContext::integer(unsigned source, Element element, bool is_signed) {
    switch (element) {
    case Element::B8: return widen8(source);
    case Element::B16: return widen16(source, is_signed);
    case Element::B32:
    case Element::B64: break;
    }
    return widen32(source, is_signed);
}

Temp EmitContext::byte(unsigned source, unsigned index) {
    Temp d = scratch();
    shuffle_bytes(d, word(source), pattern(index, kZero, kZero, kZero));
    return d;
}

Temp EmitContext::half_to_f32(Vec word_value, unsigned half) {
    Temp d = scratch();
    f16_half_to_f32(d, word_value, 16 * half);
    return d;
}

Temp EmitContext::f16_lane(unsigned source, unsigned lane) {
    const Source& s = instr().src[source];
    const Half16 halves = kHalves[s.selector & 3];
    const Temp bits = word(source);
    Temp d = half_to_f32(bits, (lane == 0 ? halves.low : halves.high) / 2);
    if (s.abs)
        h.op(Binary::And, d, d, pool(0x7FFFFFFF));
    if (s.neg)
        h.op(Binary::Xor, d, d, pool(0x80000000));
    return d;
}

Temp EmitContext::f16_bits(unsigned source) {
    const Source& s = instr().src[source];
    Temp d = scratch();
    const uint32_t low = kHalves[s.selector & 3].low;
    shuffle_bytes(d, word(source), pattern(low, low + 1, kZero, kZero));
    if (s.abs)
        h.op(Binary::And, d, d, pool(0x7FFF));
    if (s.neg)
        h.op(Binary::Xor, d, d, pool(0x8000));
    return d;
}

void EmitContext::pack_halves(Vec d, Vec low, Vec high) {
    const Temp shifted = scratch();
    h.op(ImmOp::Shl32, shifted, high, 16);
    h.op(Binary::Or, d, shifted, low);
}

/// Clamps before the conversion, with the result of clamping after it: the bounds are halves, and
/// rounding is monotonic.
void EmitContext::write_v2f16(
    Vec low, Vec high, valhall::Clamp mode, Rounding rounding, bool may_signal) {
    for (const Vec v : {low, high}) {
        if (mode == valhall::Clamp::none)
            canonicalise(v);
        else
            clamp(v, mode, may_signal);
        h.f32_to_f16(v, v, rounding);
    }
    pack_halves(low, low, high);
    write(low);
}

}  // namespace valkyr::jit
