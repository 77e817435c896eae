// Channel decoding: turns words of texels and vertex elements into values.
// SPDX-License-Identifier: MIT
#include "jit/expand/format/channel_decode.hpp"

#include "base/float_bits.hpp"
#include "exec/srgb.hpp"
#include "jit/expand/format/channel_encode.hpp"

#include <array>

namespace valkyr::jit {

using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;

namespace {

using float_bits::kQuietNan;

/// Channels whose values are quotients by their largest code, not products with its inverse.
constexpr unsigned kDividedBits = 24;
constexpr unsigned kFractionBits = 23;

bool is_stencil(const FormatInfo& info, const ChannelField& field) {
    return info.layout == FormatLayout::DepthStencil && field.bits == 8;
}

bool is_small_float(const FormatInfo& info, const ChannelField& field) {
    return info.type == ChannelType::Float && field.bits < 32 && !is_stencil(info, field) &&
           info.layout != FormatLayout::SharedExponent;
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

/// v = this byte of each word.
void extract_byte(S32& v, Vec word, unsigned byte) {
    constexpr uint32_t zeros = 0x80808000;
    constexpr uint32_t bytes_of_word = 4;
    EmitContext& c = *v.context();
    std::array<uint32_t, exec::kLanes> shuffle{};
    for (uint32_t lane = 0; lane < exec::kLanes; ++lane)
        shuffle[lane] = zeros | (lane % 4 * bytes_of_word + byte);
    c.h.op(Binary::ShuffleBytes, v, word, Operand::memory(c.pool_row(shuffle)));
}

/// Whether a shuffle takes less instructions than a shift and a mask.
bool is_shuffled(const EmitContext& c, const ChannelField& field) {
    return c.h.traits().folds_broadcast && field.bits == 8 && field.shift % 8 == 0 &&
           field.shift != 0 && field.shift + field.bits < 32;
}

/// v = the field of each word, zero- or sign-extended.
void extract(S32& v, Vec word, const ChannelField& field, bool is_signed) {
    if (field.bits == 32) {
        v = word;
        return;
    }
    const unsigned above = 32 - field.shift - field.bits;
    const uint32_t mask = (1U << field.bits) - 1;
    if (is_signed && above != 0)
        v = s32(word) << above >> (32 - field.bits);
    else if (is_signed)
        v = s32(word) >> (32 - field.bits);
    else if (is_shuffled(*v.context(), field))
        extract_byte(v, word, field.shift / 8);
    else if (field.shift == 0 && above != 0)
        v = s32(word) & mask;
    else if (above != 0)
        v = s32(u32(word) >> field.shift & mask);
    else
        v = s32(u32(word) >> field.shift);
}

/// Decodes floats of 16 bits, and of 11 and 10 bits, which have no sign and fewer fraction bits.
void small_float(F32& v, Vec word, const ChannelField& field, Nan nan) {
    EmitContext& c = *v.context();
    if (field.bits == 16) {
        c.h.f16_to_f32(v, word, field.shift / 16);
    } else {
        S32 code(c, v);
        extract(code, word, field, false);
        code <<= 15 - field.bits;
        c.h.f16_to_f32(v, v, 0);
    }
    if (nan == Nan::Quiet)
        quiet(v);
}

/// Snorm: the lowest code is read as the next higher one.
void limit_steps(S32& code, unsigned bits) {
    code = max(code, 1 - (1 << (bits - 1)));
}

/// v = code / largest code; both are in one register.
void normalize(F32& v, const S32& code, unsigned bits) {
    if (bits != kDividedBits) {
        v = to_f32(code) * (1.0F / static_cast<float>((1U << bits) - 1));
        return;
    }
    v = to_f32(code);
    const F32 shifted(*v.context(), v * kQuotient24Scale);
    v = fma(v, kQuotient24Rest, shifted);
}

/// v = the mantissa times the power of two in the word's shared exponent.
void scale_by_exponent(F32& v, const S32& mantissa, Vec word) {
    constexpr unsigned exponent_bits = 5;
    constexpr uint32_t mask = ((1U << exponent_bits) - 1) << kFractionBits;
    constexpr uint32_t bias = 15 + 9;
    const U32 scale(*v.context(), (u32(word) >> (32 - kFractionBits - exponent_bits) & mask) +
                                      ((127 - bias) << kFractionBits));
    v = to_f32(mantissa) * f32(scale);
}

}  // namespace

void quiet(F32& v) {
    const LaneMask not_a_number = is_nan(v);
    v = select(not_a_number, f32(kQuietNan), v);
}

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
    F32 v(c);
    if (is_small_float(info, field)) {
        small_float(v, word, field, nan);
        return v;
    }
    S32 code(c, v);  // in the register that the value will have
    extract(code, word, field, has_sign(info.type));
    if (is_stencil(info, field))
        return v;
    if (info.layout == FormatLayout::SharedExponent) {
        scale_by_exponent(v, code, word);
        return v;
    }
    if (field.srgb) {
        const Scalar table = c.scalar();
        h.move(table, reinterpret_cast<uint64_t>(exec::kSrgbLinear.data()));
        if (h.traits().permutes_tables)
            h.table256(v, v, {table, 0});
        else
            c.gather(v, {table, 0, Gp::None, 2}, v);
        return v;
    }
    switch (info.type) {
    case ChannelType::Float: break;
    case ChannelType::Unorm: normalize(v, code, field.bits); break;
    case ChannelType::Snorm:
        limit_steps(code, field.bits);
        normalize(v, code, field.bits - 1);
        break;
    case ChannelType::Uscaled:
        if (field.bits == 32)
            h.u32_to_f32(v, v, Rounding::Nearest);
        else
            v = to_f32(code);
        break;
    case ChannelType::Sscaled: v = to_f32(code); break;
    default: break;
    }
    return v;
}

bool has_three_codes(const FormatInfo& info) {
    const bool has_bytes = info.layout == FormatLayout::Array && info.bits[0] == 8;
    return info.srgb && has_bytes && info.channel_count >= 3 && channel_component(info, 0) != 3;
}

bool looks_up_texels(const EmitContext& c, const FormatInfo& info) {
    return c.h.traits().permutes_bytes && has_three_codes(info);
}

std::array<Temp, 4>
looked_up_texel(EmitContext& c, const FormatInfo& info, Vec word, unsigned used) {
    std::array<Temp, 4> channels;
    std::array<Vec, 3> coded;
    for (size_t k = 0; k < coded.size(); ++k)
        coded[k] = channels[k] = c.scratch();
    const Scalar planes = c.scalar();
    c.h.move(planes, reinterpret_cast<uint64_t>(exec::kSrgbLinearPlanes.data()));
    c.h.table256_bytes(coded, word, {planes, 0});
    if (used >> 3 & 1)
        channels[3] = channel_value(c, info, channel_field(info, 3), word);
    return channels;
}

Temp channel_steps(EmitContext& c, const FormatInfo& info, const ChannelField& field, Vec word) {
    F32 v(c);
    S32 code(c, v);
    extract(code, word, field, has_sign(info.type));
    if (info.type == ChannelType::Snorm && field.bits > 1)
        limit_steps(code, field.bits);
    v = to_f32(code);
    return v;
}

}  // namespace valkyr::jit
