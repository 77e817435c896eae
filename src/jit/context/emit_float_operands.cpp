// Float operands: widens halves, applies signs and finds known values.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "jit/context/emit_context.hpp"
#include "valhall/arith/arith_half.hpp"

#include <algorithm>
#include <bit>

namespace valkyr::jit {

using valhall::Source;
using valhall::SourceKind;

namespace {

using float_bits::kSign;

/// The first bit of the half that a 32-bit float swizzle selects; nullopt for the whole word.
std::optional<unsigned> half_of(const Source& s) {
    switch (static_cast<valhall::Widen>(s.selector)) {
    case valhall::Widen::h0: return 0;
    case valhall::Widen::h1: return 16;
    default: return std::nullopt;
    }
}

/// Facts about a binary32; none about infinities and NaNs.
FloatFacts facts_of_number(uint32_t value) {
    const int exponent = static_cast<int>(value >> 23 & 0xFF) - 126;
    if (exponent > 128)
        return {};
    const bool positive = (value & kSign) == 0;
    FloatFacts facts = FloatFacts::within(static_cast<unsigned>(std::max(exponent, 1)), positive);
    facts.from_one = positive && value >= float_bits::kOne;
    return facts;
}

}  // namespace

std::optional<uint32_t> EmitContext::known_f32(unsigned source) const {
    const Source& s = instr().src[source];
    auto word_value = known_word(source);
    if (!word_value)
        return std::nullopt;
    if (const auto shift = half_of(s)) {
        const auto half = static_cast<uint16_t>(*word_value >> *shift);
        if ((half & 0x7FFF) > 0x7C00)  // the reading instruction decides which NaN it becomes
            return std::nullopt;
        word_value = as_bits(valhall::arith::half_to_float(half));
    }
    const uint32_t magnitude = s.abs ? *word_value & ~kSign : *word_value;
    return magnitude ^ (s.neg ? kSign : 0);
}

bool EmitContext::may_signal(unsigned source) const {
    const Source& s = instr().src[source];
    if (const auto value = known_f32(source))
        return float_bits::is_nan(*value);
    return !word_facts(source).quiet && !half_of(s);
}

WordFacts EmitContext::word_facts(unsigned source) const {
    if (const auto value = known_word(source))
        return {facts_of_number(*value), static_cast<uint8_t>(std::bit_width(*value)),
                !float_bits::is_nan(*value)};
    const Source& s = instr().src[source];
    return s.kind == SourceKind::Register ? regs.facts(s.index) : WordFacts{};
}

FloatFacts EmitContext::float_facts(unsigned source) const {
    const Source& s = instr().src[source];
    if (valhall::op_info(instr().op).sources[source].size != 32)  // it reads halves of the word
        return {};
    if (const auto value = known_f32(source))
        return facts_of_number(*value);
    if (half_of(s))
        return {};
    FloatFacts facts = word_facts(source).number;
    if (s.abs)
        facts = facts.absolute();
    return s.neg ? facts.negated() : facts;
}

/// The value, and the sign change that is not applied to it.
Signed EmitContext::f32_operand(unsigned source) {
    const Source& s = instr().src[source];
    if (const auto value = known_f32(source))
        return {pool(*value), false};
    const auto half = half_of(s);
    if (!half && !s.abs)
        return {word_operand(source), s.neg};
    const Temp bits = word(source);
    Temp v = scratch();
    if (half)
        f16_half_to_f32(v, bits, *half);
    if (s.abs)
        h.op(Binary::And, v, half ? v : bits, pool(~kSign));
    return {std::move(v), s.neg};
}

void EmitContext::f16_half_to_f32(Vec d, Vec bits, unsigned shift) {
    if (!keeps_signalling_) {
        h.f16_to_f32(d, bits, shift / 16);
        return;
    }
    if (shift != 0) {
        h.op(ImmOp::Shr32, d, bits, shift);
        bits = d;
    }
    // The host's conversion quiets NaNs, so lanes with a NaN get sign and payload by shifts.
    const Temp payload = scratch();
    const Temp sign = scratch();
    const TempMask nan = scratch_mask();
    h.op(ImmOp::Shl32, payload, bits, 13);
    h.op(Binary::And, payload, payload, pool(0x007FE000));
    h.f16_to_f32(d, bits, 0);
    h.op(Binary::And, sign, d, pool(0xFF800000));
    h.op(Binary::Or, payload, payload, sign);
    h.compare(FloatCond::Unordered, nan, d, d);
    h.select(Element::B32, d, nan, payload, d);
}

SignedVec EmitContext::f32_signed(unsigned source) {
    if (known_f32(source) == 0U)
        return {constant(0), false};
    Signed value = f32_operand(source);
    if (value.value.is_reg())
        return {std::move(value.value).take_register(), value.negate};
    Temp v = scratch();
    h.move(v, value.value);
    return {std::move(v), value.negate};
}

Temp EmitContext::f32(unsigned source) {
    SignedVec value = f32_signed(source);
    if (!value.negate)
        return std::move(value.value);
    Temp v = scratch();
    h.op(Binary::Xor, v, value.value, pool(kSign));
    return v;
}

}  // namespace valkyr::jit
