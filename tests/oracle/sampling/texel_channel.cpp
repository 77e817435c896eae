// Texel channel: converts single channels.
// SPDX-License-Identifier: MIT
#include "tests/oracle/sampling/texel_channel.hpp"

#include "base/bits.hpp"
#include "tgsi/arith/arith_float.hpp"

#include <cmath>

namespace valkyr::tgsi {

namespace {

uint32_t canonical_bits(float value) {
    return std::isnan(value) ? arith::kNan : as_bits(value);
}

/// sRGB to linear and back, in double (IEC 61966-2-1).
double linear_of(double c) {
    return c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4);
}
double srgb_of(double c) {
    return c <= 0.0031308 ? c * 12.92 : 1.055 * std::pow(c, 1.0 / 2.4) - 0.055;
}

/// A count t of 1/M: one multiplication up to 16 bits, one division above.
uint32_t fraction(int32_t t, uint32_t m, unsigned bits) {
    if (bits <= 16)
        return canonical_bits(static_cast<float>(t) * (1.0F / static_cast<float>(m)));
    if (bits <= 24)
        return canonical_bits(static_cast<float>(t) / static_cast<float>(m));
    return canonical_bits(static_cast<float>(static_cast<double>(t) / static_cast<double>(m)));
}

uint32_t encode_normalized(float value, float low, uint32_t m, unsigned bits) {
    if (!(value > low))
        value = std::isnan(value) ? 0.0F : low;
    value = value < 1.0F ? value : 1.0F;
    const double scaled = bits <= 24 ? static_cast<double>(value * static_cast<float>(m))
                                     : static_cast<double>(value) * static_cast<double>(m);
    return static_cast<uint32_t>(static_cast<int64_t>(std::nearbyint(scaled)));
}

uint32_t mask_of(const FormatChannel& channel) {
    return channel.bits == 32 ? UINT32_MAX : (1U << channel.bits) - 1;
}

}  // namespace

uint32_t largest_code(const FormatChannel& channel) {
    const bool is_signed = channel.type == ChannelType::Snorm;
    return is_signed ? mask_of(channel) >> 1 : mask_of(channel);
}

int32_t signed_code(const FormatChannel& channel, uint32_t code) {
    const unsigned unused = 32U - channel.bits;
    const int32_t value = static_cast<int32_t>(code << unused) >> unused;
    const auto m = static_cast<int32_t>(largest_code(channel));
    return channel.type == ChannelType::Snorm && value < -m ? -m : value;
}

uint32_t decode_unsigned_float(uint32_t code, unsigned mantissa_bits) {
    // The exponent field is that of a half: moving the mantissa up gives one.
    return arith::from_half(static_cast<uint16_t>(code << (10 - mantissa_bits)));
}

uint32_t encode_unsigned_float(uint32_t value, unsigned mantissa_bits) {
    const uint32_t infinity = 31U << mantissa_bits;
    if (arith::is_nan(value))
        return infinity | 1U << (mantissa_bits - 1);
    const auto wide = static_cast<double>(as_float(value));
    if (wide <= 0)
        return 0;
    // Half a step above the largest finite number; values from there on round to infinity.
    const double largest =
        std::ldexp(2.0 - std::ldexp(1.0, -static_cast<int>(mantissa_bits) - 1), 15);
    if (wide >= largest)
        return infinity;
    int exponent = 0;
    std::frexp(wide, &exponent);
    const int lowest = -14 - static_cast<int>(mantissa_bits);
    const int wanted = exponent - 1 - static_cast<int>(mantissa_bits);
    const int step = wanted < lowest ? lowest : wanted;
    const auto units = static_cast<uint32_t>(std::nearbyint(std::ldexp(wide, -step)));
    // A carry out of the mantissa moves into the exponent field by itself.
    return step == lowest ? units : (static_cast<uint32_t>(step - lowest) << mantissa_bits) + units;
}

uint32_t decode(const FormatChannel& channel, uint32_t code) {
    switch (channel.type) {
    case ChannelType::Unorm:
        if (channel.bits == 32)
            return canonical_bits(static_cast<float>(static_cast<double>(code) / 4294967295.0));
        return fraction(static_cast<int32_t>(code), largest_code(channel), channel.bits);
    case ChannelType::Snorm:
        return fraction(signed_code(channel, code), largest_code(channel), channel.bits);
    case ChannelType::Uint: return code;
    case ChannelType::Sint: return static_cast<uint32_t>(signed_code(channel, code));
    case ChannelType::Srgb: return canonical_bits(static_cast<float>(linear_of(code / 255.0)));
    case ChannelType::Float: break;
    }
    if (channel.bits == 32)
        return code;
    if (channel.bits == 16)
        return arith::from_half(static_cast<uint16_t>(code));
    return decode_unsigned_float(code, channel.bits - 5U);
}

uint32_t encode(const FormatChannel& channel, uint32_t value) {
    const uint32_t mask = mask_of(channel);
    const auto half_range = static_cast<int64_t>(mask >> 1);
    switch (channel.type) {
    case ChannelType::Unorm:
        return encode_normalized(as_float(value), 0, largest_code(channel), channel.bits);
    case ChannelType::Snorm:
        return encode_normalized(as_float(value), -1, largest_code(channel), channel.bits) & mask;
    case ChannelType::Uint: return value < mask ? value : mask;
    case ChannelType::Sint: {
        const int64_t wide = static_cast<int32_t>(value);
        const int64_t limited = wide < -half_range - 1 ? -half_range - 1
                                : wide > half_range    ? half_range
                                                       : wide;
        return static_cast<uint32_t>(limited) & mask;
    }
    case ChannelType::Srgb: {
        const float c = as_float(arith::saturate(value));
        return static_cast<uint32_t>(std::nearbyint(srgb_of(static_cast<double>(c)) * 255.0));
    }
    case ChannelType::Float: break;
    }
    if (channel.bits == 32)
        return arith::is_nan(value) ? arith::kNan : value;
    if (channel.bits == 16)
        return arith::to_half(value);
    return encode_unsigned_float(value, channel.bits - 5U);
}

}  // namespace valkyr::tgsi
