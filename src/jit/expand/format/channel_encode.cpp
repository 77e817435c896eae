// Channel encoding: turns values into the codes of texels (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_encode.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/srgb_segments.hpp"
#include "exec/srgb_steps.hpp"
#include "jit/context/formula.hpp"
#include "jit/expand/format/channel_decode.hpp"

namespace valkyr::jit {

using exec::ChannelType;
using exec::FormatInfo;

namespace {

using float_bits::kQuietHalf;
using float_bits::kQuietNan;
constexpr unsigned kFractionBits = 23;

void normalized_code(EmitContext& c, ChannelType type, unsigned bits, Vec v) {
    const bool is_signed = type == ChannelType::Snorm;
    const uint32_t largest = (1U << (is_signed ? bits - 1 : bits)) - 1;
    clamp_normalized(c, type, v);
    S32 code(c, v);
    code = to_s32(f32(code) * static_cast<float>(largest));
    if (is_signed)
        code &= (1U << bits) - 1;
}

/// Floats of 10 and 11 bits: five exponent bits, no sign. Numbers below 2^-14 are rounded by an
/// addition that leaves their code in the fraction.
void unsigned_float_code(EmitContext& c, unsigned bits, Vec v) {
    const unsigned fraction = bits - 5;
    const unsigned shift = kFractionBits - fraction;
    const uint32_t infinity = 31U << fraction;
    const auto magic = as_bits(static_cast<float>(1U << 9) / static_cast<float>(1U << fraction));
    F32 value(c, v);
    S32 code(c, v);
    const LaneMask nan = is_nan(value);
    value = max(value, F32(c, 0.0F));
    S32 t(c);
    const U32 small(c, u32(value + f32(magic)) - magic);
    t = s32((u32(value) >> shift & 1) + ((1U << (shift - 1)) - 1)) + code;  // half, ties to even
    t = s32((u32(t) >> shift) - (112U << fraction));
    t = min(t, infinity);
    const LaneMask is_small = code < (113U << kFractionBits);
    code = select(is_small, s32(small), t);
    code = select(nan, infinity | 1U << (fraction - 1), code);
}

void float_code(EmitContext& c, unsigned bits, Vec v) {
    if (bits < 16)
        return unsigned_float_code(c, bits, v);
    F32 value(c, v);
    const LaneMask nan = is_nan(value);
    if (bits == 16)
        c.h.f32_to_f16(value, value, Rounding::Nearest);
    value = select(nan, f32(bits == 16 ? kQuietHalf : kQuietNan), value);
}

/// Clamps integers to the channel's range.
void integer_code(EmitContext& c, ChannelType type, unsigned bits, bool is_signed, Vec v) {
    const bool to_signed = type == ChannelType::Sint;
    const uint32_t high = 0xFFFFFFFFU >> (32 - (to_signed ? bits - 1 : bits));
    const uint32_t low = to_signed ? ~high : 0;
    const bool narrows = bits < 32 || to_signed != is_signed;
    if (!narrows)
        return;
    S32 number(c, v);
    U32 code(c, v);
    if (!is_signed) {
        code = min(code, high);
        return;
    }
    number = max(number, low);
    if (high < 0x80000000)
        number = min(number, high);
    if (to_signed)
        code &= high << 1 | 1;
}

/// Limits a value to numbers from the first word to 1, within which bits order like numbers. NaN
/// and negative numbers become the first one.
void limit_code(F32& value, uint32_t first) {
    value = min(max(value, f32(first)), 1.0F);
}

// Looks the value up in exec::kSrgbSteps; the limits keep the index inside the table.
void srgb_code(EmitContext& c, Vec v) {
    HostAssembler& h = c.h;
    F32 value(c, v);
    S32 code(c, v);
    U32 step(c);
    limit_code(value, exec::kSrgbFirstStep << 16);
    {
        const Scalar steps = c.scalar();
        h.move(steps, reinterpret_cast<uint64_t>(exec::kSrgbSteps.data()));
        step = (u32(value) >> 16) - exec::kSrgbFirstStep;
        c.gather(step, {steps, 0, Gp::None, 2}, step);
    }
    // The sum carries into the bit of the code where the value's lower half reaches the step's
    // place.
    code = ((code & 0xFFFF) - s32(step & exec::kSrgbPlaceMask)) >> 31;
    code += s32(step >> exec::kSrgbPlaceBits);
    code += 1;
}

}  // namespace

bool channels_are_encodable(const FormatInfo& info) {
    if (info.layout == exec::FormatLayout::SharedExponent)
        return false;
    return info.type == ChannelType::Unorm || info.type == ChannelType::Snorm ||
           info.type == ChannelType::Float || has_integer_values(info);
}

bool encodes_codes(const EmitContext& c, const FormatInfo& info) {
    return c.h.traits().encodes_bytes && has_three_codes(info);
}

Temp encoded_codes(EmitContext& c, std::span<Temp, 3> values) {
    for (const Temp& value : values) {
        F32 limited(c, value);
        limit_code(limited, exec::kSrgbSegmentBase << 16);
    }
    std::array<Temp, 5> spare;
    for (Temp& v : spare)
        v = c.scratch();
    const Scalar tables = c.scalar();
    c.h.move(tables, reinterpret_cast<uint64_t>(&exec::kSrgbSegmentTables));
    c.h.encode_bytes(values[0], std::array<Vec, 3>{values[0], values[1], values[2]}, {tables, 0},
                     std::array<Vec, 5>{spare[0], spare[1], spare[2], spare[3], spare[4]});
    return std::move(values[0]);
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

void clamp_normalized(EmitContext& c, ChannelType type, Vec value) {
    F32 v(c, value);
    const F32 zero(c, 0.0F);
    if (type == ChannelType::Snorm) {
        const LaneMask nan = is_nan(v);
        v = select(nan, zero, v);
        v = max(v, -1.0F);
    } else {
        v = max(v, zero);
    }
    v = min(v, 1.0F);
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
    U32 code(c, std::move(v));
    if (field.shift != 0)
        code <<= field.shift;
    if (Temp& held = words[field.word]; held.valid()) {
        U32 word(c, held);
        word |= code;
    } else {
        held = std::move(code);
    }
}

}  // namespace valkyr::jit
