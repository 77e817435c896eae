// Channel encoding: turns values into the codes of texels (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_encode.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/srgb_steps.hpp"
#include "jit/expand/format/channel_decode.hpp"

namespace valkyr::jit {

using exec::ChannelType;
using exec::FormatInfo;

namespace {

using float_bits::kMinusOne;
using float_bits::kOne;
using float_bits::kQuietHalf;
using float_bits::kQuietNan;
constexpr unsigned kFractionBits = 23;

void select_constant(EmitContext& c, Vec v, Mask lanes, uint32_t value) {
    c.h.select(Element::B32, v, lanes, c.pool(value), v);
}

void normalized_code(EmitContext& c, ChannelType type, unsigned bits, Vec v) {
    const bool is_signed = type == ChannelType::Snorm;
    const uint32_t largest = (1U << (is_signed ? bits - 1 : bits)) - 1;
    clamp_normalized(c, type, v);
    c.h.op(Binary::MulF32, v, v, c.pool(as_bits(static_cast<float>(largest))));
    c.h.op(Unary::F32ToS32, v, v);
    if (is_signed)
        c.h.op(Binary::And, v, v, c.pool((1U << bits) - 1));
}

/// Floats of 10 and 11 bits: five exponent bits, no sign. Numbers below 2^-14 are rounded by an
/// addition that leaves their code in the fraction.
void unsigned_float_code(EmitContext& c, unsigned bits, Vec v) {
    HostAssembler& h = c.h;
    const unsigned fraction = bits - 5;
    const unsigned shift = kFractionBits - fraction;
    const uint32_t infinity = 31U << fraction;
    const auto magic = as_bits(static_cast<float>(1U << 9) / static_cast<float>(1U << fraction));
    const TempMask nan = c.scratch_mask();
    h.compare(FloatCond::Unordered, nan, v, v);
    Temp zero = c.constant(0);
    h.op(Binary::MaxF32, v, v, zero);
    zero.reset();
    const Temp t = c.scratch();
    const Temp small = c.scratch();
    h.op(Binary::AddF32, small, v, c.pool(magic));
    h.op(Binary::SubI32, small, small, c.pool(magic));
    h.op(ImmOp::Shr32, t, v, shift);
    h.op(Binary::And, t, t, c.pool(1));
    h.op(Binary::AddI32, t, t, c.pool((1U << (shift - 1)) - 1));
    h.op(Binary::AddI32, t, t, v);
    h.op(ImmOp::Shr32, t, t, shift);
    h.op(Binary::SubI32, t, t, c.pool(112U << fraction));
    h.op(Binary::MinS32, t, t, c.pool(infinity));
    const TempMask is_small = c.scratch_mask();
    h.compare(IntCond::Less, Element::B32, true, is_small, v, c.pool(113U << kFractionBits));
    h.select(Element::B32, v, is_small, small, t);
    select_constant(c, v, nan, infinity | 1U << (fraction - 1));
}

void float_code(EmitContext& c, unsigned bits, Vec v) {
    if (bits < 16)
        return unsigned_float_code(c, bits, v);
    const TempMask nan = c.scratch_mask();
    c.h.compare(FloatCond::Unordered, nan, v, v);
    if (bits == 16)
        c.h.f32_to_f16(v, v, Rounding::Nearest);
    select_constant(c, v, nan, bits == 16 ? kQuietHalf : kQuietNan);
}

/// Clamps integers to the channel's range.
void integer_code(EmitContext& c, ChannelType type, unsigned bits, bool is_signed, Vec v) {
    HostAssembler& h = c.h;
    const bool to_signed = type == ChannelType::Sint;
    const uint32_t high = 0xFFFFFFFFU >> (32 - (to_signed ? bits - 1 : bits));
    const uint32_t low = to_signed ? ~high : 0;
    const bool narrows = bits < 32 || to_signed != is_signed;
    if (!narrows)
        return;
    if (is_signed) {
        h.op(Binary::MaxS32, v, v, c.pool(low));
        if (high < 0x80000000)
            h.op(Binary::MinS32, v, v, c.pool(high));
    } else {
        h.op(Binary::MinU32, v, v, c.pool(high));
    }
    if (to_signed && is_signed)
        h.op(Binary::And, v, v, c.pool(high << 1 | 1));
}

// Looks the value up in exec::kSrgbSteps. The limits turn NaN and negative numbers into 0 and keep
// the index inside the table; within the limits, float bits order like numbers.
void srgb_code(EmitContext& c, Vec v) {
    HostAssembler& h = c.h;
    constexpr uint32_t first = exec::kSrgbFirstStep << 16;
    constexpr uint32_t last = exec::kSrgbLastStep << 16;
    const Temp step = c.scratch();
    const Temp place = c.scratch();
    h.op(Binary::MaxF32, v, v, c.pool(first));
    h.op(Binary::MinF32, v, v, c.pool(last));
    {
        const Scalar steps = c.scalar();
        h.move(steps, reinterpret_cast<uint64_t>(exec::kSrgbSteps.data()));
        h.op(ImmOp::Shr32, step, v, 16);
        h.op(Binary::SubI32, step, step, c.pool(exec::kSrgbFirstStep));
        h.gather32(step, {steps, 0, Gp::None, 2}, step, Mask{});
    }
    // The sum carries into the bit of the code where the value's lower half reaches the step's
    // place.
    h.op(Binary::And, v, v, c.pool(0xFFFF));
    h.op(Binary::And, place, step, c.pool(exec::kSrgbPlaceMask));
    h.op(Binary::SubI32, v, v, place);
    h.op(ImmOp::Sar32, v, v, 31);
    h.op(ImmOp::Shr32, step, step, exec::kSrgbPlaceBits);
    h.op(Binary::AddI32, v, v, step);
    h.op(Binary::AddI32, v, v, c.pool(1));
}

}  // namespace

bool channels_are_encodable(const FormatInfo& info) {
    if (info.layout == exec::FormatLayout::SharedExponent)
        return false;
    return info.type == ChannelType::Unorm || info.type == ChannelType::Snorm ||
           info.type == ChannelType::Float || has_integer_values(info);
}

void narrow_component(EmitContext& c, const FormatInfo& info, bool to_signed, Vec v) {
    constexpr unsigned bits = 16;
    if (has_integer_values(info))
        integer_code(c, to_signed ? ChannelType::Sint : ChannelType::Uint, bits,
                     info.type == ChannelType::Sint, v);
    else
        float_code(c, bits, v);
}

bool has_signed_integers(exec::RegisterFormat format, const FormatInfo& info) {
    using exec::RegisterFormat;
    switch (format) {
    case RegisterFormat::S32:
    case RegisterFormat::S16: return true;
    case RegisterFormat::U32:
    case RegisterFormat::U16: return false;
    default: return info.type == ChannelType::Sint;
    }
}

unsigned channel_component(const FormatInfo& info, unsigned channel) {
    for (unsigned component = 0; component < 4; ++component)
        if (static_cast<unsigned>(info.swizzle[component]) == channel)
            return component;
    return 3;
}

void clamp_normalized(EmitContext& c, ChannelType type, Vec v) {
    HostAssembler& h = c.h;
    const Temp low = c.constant(0);
    if (type == ChannelType::Snorm) {
        const TempMask nan = c.scratch_mask();
        h.compare(FloatCond::Unordered, nan, v, v);
        h.select(Element::B32, v, nan, low, v);
        h.op(Binary::MaxF32, v, v, c.pool(kMinusOne));
    } else {
        h.op(Binary::MaxF32, v, v, low);
    }
    h.op(Binary::MinF32, v, v, c.pool(kOne));
}

void add_channel(EmitContext& c,
                 const FormatInfo& info,
                 unsigned channel,
                 Temp v,
                 bool is_signed,
                 std::array<Temp, 4>& words) {
    const ChannelField field = channel_field(info, channel);
    if (field.srgb)
        srgb_code(c, v);
    else if (has_integer_values(info))
        integer_code(c, info.type, field.bits, is_signed, v);
    else if (info.type == ChannelType::Float)
        float_code(c, field.bits, v);
    else
        normalized_code(c, info.type, field.bits, v);
    if (field.shift != 0)
        c.h.op(ImmOp::Shl32, v, v, field.shift);
    Temp& word = words[field.word];
    if (word.valid())
        c.h.op(Binary::Or, word, word, v);
    else
        word = std::move(v);
}

}  // namespace valkyr::jit
