// Channel decoding: turns words of texels and vertex elements into values.
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_decode.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/srgb.hpp"
#include "jit/expand/format/channel_encode.hpp"

namespace valkyr::jit {

using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;

namespace {

using float_bits::kQuietNan;

/// Channels whose values are divided by their largest code, not multiplied by its inverse.
constexpr unsigned kDividedBits = 24;
constexpr unsigned kFractionBits = 23;

bool is_stencil(const FormatInfo& info, const ChannelField& field) {
    return info.layout == FormatLayout::DepthStencil && field.bits == 8;
}

bool has_sign(ChannelType type) {
    return type == ChannelType::Snorm || type == ChannelType::Sint || type == ChannelType::Sscaled;
}

bool has_conversion(ChannelType type, unsigned bits) {
    switch (type) {
    case ChannelType::Float: return bits == 32 || bits == 16 || bits == 11 || bits == 10;
    case ChannelType::Uint:
    case ChannelType::Sint: return true;
    case ChannelType::Unorm: return bits <= 16 || bits == kDividedBits;
    case ChannelType::Snorm: return bits >= 2 && bits <= 16;
    case ChannelType::Uscaled:
    case ChannelType::Sscaled: return bits <= 16 || bits == 32;
    case ChannelType::None: return false;
    }
    return false;
}

/// v = the field of each word, zero- or sign-extended.
void extract(EmitContext& c, Vec v, Vec word, const ChannelField& field, bool is_signed) {
    HostAssembler& h = c.h;
    if (field.bits == 32) {
        h.move(v, word);
        return;
    }
    const unsigned above = 32 - field.shift - field.bits;
    if (is_signed) {
        if (above != 0)
            h.op(ImmOp::Shl32, v, word, above);
        h.op(ImmOp::Sar32, v, above != 0 ? v : word, 32 - field.bits);
        return;
    }
    if (field.shift != 0)
        h.op(ImmOp::Shr32, v, word, field.shift);
    if (above != 0)
        h.op(Binary::And, v, field.shift != 0 ? v : word, c.pool((1U << field.bits) - 1));
}

/// Decodes floats of 16 bits, and of 11 and 10 bits, which have no sign and fewer fraction bits.
void small_float(EmitContext& c, Vec v, unsigned bits, Nan nan) {
    HostAssembler& h = c.h;
    if (bits < 16)
        h.op(ImmOp::Shl32, v, v, 15 - bits);
    h.f16_to_f32(v, v);
    if (nan == Nan::Any)
        return;
    const TempMask is_nan = c.scratch_mask();
    h.compare(FloatCond::Unordered, is_nan, v, v);
    h.select(Element::B32, v, is_nan, c.pool(kQuietNan), v);
}

/// Snorm: the lowest code is read as the next higher one.
void limit_steps(EmitContext& c, Vec v, unsigned bits) {
    c.h.op(Binary::MaxS32, v, v, c.pool(1U - (1U << (bits - 1))));
}

void normalize(EmitContext& c, Vec v, unsigned bits) {
    const auto largest = static_cast<float>((1U << bits) - 1);
    c.h.op(Unary::S32ToF32, v, v);
    if (bits == kDividedBits)
        c.h.op(Binary::DivF32, v, v, c.pool(as_bits(largest)));
    else
        c.h.op(Binary::MulF32, v, v, c.pool(as_bits(1.0F / largest)));
}

/// Multiplies v, a mantissa, by the power of two in the word's shared exponent.
void scale_by_exponent(EmitContext& c, Vec v, Vec word) {
    constexpr unsigned exponent_bits = 5;
    constexpr uint32_t bias = 15 + 9;
    HostAssembler& h = c.h;
    const Temp scale = c.scratch();
    h.op(ImmOp::Shr32, scale, word, 32 - kFractionBits - exponent_bits);
    h.op(Binary::And, scale, scale, c.pool(((1U << exponent_bits) - 1) << kFractionBits));
    h.op(Binary::AddI32, scale, scale, c.pool((127 - bias) << kFractionBits));
    h.op(Unary::S32ToF32, v, v);
    h.op(Binary::MulF32, v, v, scale);
}

}  // namespace

ChannelField channel_field(const FormatInfo& info, unsigned channel) {
    unsigned start = 0;
    for (unsigned k = 0; k < channel; ++k)
        start += info.bits[k];
    const bool srgb = info.srgb && channel_component(info, channel) != 3;
    return {start / 32, start % 32, info.bits[channel], srgb};
}

bool channels_are_fields(const FormatInfo& info) {
    if (info.layout == FormatLayout::SharedExponent)
        return true;
    const bool plain = info.layout == FormatLayout::Array || info.layout == FormatLayout::Packed ||
                       info.layout == FormatLayout::DepthStencil;
    if (!plain || info.block_bytes == 0)
        return false;
    for (unsigned channel = 0; channel < info.channel_count; ++channel) {
        const ChannelField field = channel_field(info, channel);
        if (field.bits == 0 || field.shift + field.bits > 32)
            return false;
        if (!is_stencil(info, field) && !has_conversion(info.type, field.bits))
            return false;
        if (info.srgb && (info.type != ChannelType::Unorm || field.bits != 8))
            return false;
    }
    return true;
}

Temp channel_value(
    EmitContext& c, const FormatInfo& info, const ChannelField& field, Vec word, Nan nan) {
    HostAssembler& h = c.h;
    Temp v = c.scratch();
    extract(c, v, word, field, has_sign(info.type));
    if (is_stencil(info, field))
        return v;
    if (info.layout == FormatLayout::SharedExponent) {
        scale_by_exponent(c, v, word);
        return v;
    }
    if (field.srgb) {
        const Scalar table = c.scalar();
        h.move(table, reinterpret_cast<uint64_t>(exec::kSrgbLinear.data()));
        h.gather32(v, {table, 0, Gp::None, 2}, v, Mask{});
        return v;
    }
    switch (info.type) {
    case ChannelType::Float:
        if (field.bits < 32)
            small_float(c, v, field.bits, nan);
        break;
    case ChannelType::Unorm: normalize(c, v, field.bits); break;
    case ChannelType::Snorm:
        limit_steps(c, v, field.bits);
        normalize(c, v, field.bits - 1);
        break;
    case ChannelType::Uscaled:
        if (field.bits == 32)
            h.u32_to_f32(v, v, Rounding::Nearest);
        else
            h.op(Unary::S32ToF32, v, v);
        break;
    case ChannelType::Sscaled: h.op(Unary::S32ToF32, v, v); break;
    default: break;
    }
    return v;
}

Temp channel_steps(EmitContext& c, const FormatInfo& info, const ChannelField& field, Vec word) {
    Temp v = c.scratch();
    extract(c, v, word, field, has_sign(info.type));
    if (info.type == ChannelType::Snorm && field.bits > 1)
        limit_steps(c, v, field.bits);
    c.h.op(Unary::S32ToF32, v, v);
    return v;
}

}  // namespace valkyr::jit
