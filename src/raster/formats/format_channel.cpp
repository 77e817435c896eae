// Channels: convert codes of any width, whether normalised, scaled, integer or float.
// SPDX-License-Identifier: MIT
#include "raster/formats/format_channel.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "raster/formats/small_float.hpp"
#include "raster/formats/srgb.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::ChannelType;

/// RN(1 / largest code), by number of bits.
constexpr std::array<float, 17> kInverse = [] {
    std::array<float, 17> table{};
    for (unsigned n = 1; n <= 16; ++n)
        table[n] = 1.0F / static_cast<float>((1U << n) - 1);
    return table;
}();

constexpr uint32_t largest(unsigned bits) {
    return static_cast<uint32_t>(bit_mask(0, bits));
}

int32_t signed_code(uint32_t code, unsigned bits) {
    return static_cast<int32_t>(sign_extend(code, bits));
}

/// Returns code / M: up to 16 bits RN(code * RN(1 / M)); 17 to 24 bits RN(code / M); wider codes
/// are divided in binary64 and rounded to binary32.
float normalized(int64_t code, unsigned bits) {
    if (bits <= 16)
        return static_cast<float>(code) * kInverse[bits];
    const uint32_t m = largest(bits);
    if (bits <= 24)
        return static_cast<float>(code) / static_cast<float>(m);
    return static_cast<float>(static_cast<double>(code) / m);
}

/// Returns RNE(RN(value * scale)) of a value that is already in range; products are rounded to
/// binary32 up to 24 bits and to binary64 above.
int64_t scaled_round(float value, uint32_t scale, unsigned bits) {
    if (bits <= 24)
        return std::llrint(value * static_cast<float>(scale));
    return std::llrint(static_cast<double>(value) * scale);
}

/// Clamps a number; NaN becomes 0.
float clamp_number(float value, float low, float high) {
    if (std::isnan(value))
        return 0;
    return std::clamp(value, low, high);
}

/// Returns the nearest integer in [low, high]; NaN gives 0.
int64_t rounded_integer(float value, int64_t low, int64_t high) {
    if (std::isnan(value))
        return 0;
    // Bounds have at most 32 bits, so binary64 holds them exactly.
    const double limited =
        std::clamp<double>(value, static_cast<double>(low), static_cast<double>(high));
    return std::llrint(limited);
}

bool is_srgb(const FormatInfo& info, unsigned channel) {
    return info.srgb && channel_component(info, channel) != 3;
}

const SmallFloat* small_float(unsigned bits) {
    switch (bits) {
    case 16: return &kFloat16;
    case 11: return &kFloat11;
    case 10: return &kFloat10;
    default: return nullptr;
    }
}

uint32_t encode_float(uint32_t value, unsigned bits) {
    if (const SmallFloat* format = small_float(bits))
        return encode_small_float(*format, value);
    return (value & 0x7FFFFFFF) > float_bits::kInfinity ? float_bits::kQuietNan : value;
}

uint32_t decode_float(uint32_t code, unsigned bits) {
    if (const SmallFloat* format = small_float(bits))
        return decode_small_float(*format, code);
    return code;
}

uint32_t encode_integer(uint32_t value, unsigned bits, bool to_signed, IntegerKind kind) {
    const int64_t wide =
        kind == IntegerKind::Signed ? int64_t{static_cast<int32_t>(value)} : int64_t{value};
    const int64_t high = to_signed ? largest(bits - 1) : largest(bits);
    const int64_t low = to_signed ? -high - 1 : 0;
    return static_cast<uint32_t>(std::clamp(wide, low, high)) & largest(bits);
}

}  // namespace

uint32_t decode_channel(const FormatInfo& info, unsigned channel, uint32_t code) noexcept {
    const unsigned bits = info.bits[channel];
    const bool stencil = info.layout == exec::FormatLayout::DepthStencil && bits == 8;
    switch (stencil ? ChannelType::Uint : info.type) {
    case ChannelType::Unorm:
        return is_srgb(info, channel) ? srgb_to_linear(static_cast<uint8_t>(code))
                                      : as_bits(normalized(code, bits));
    case ChannelType::Snorm: {
        const int64_t lowest = -static_cast<int64_t>(largest(bits - 1));
        return as_bits(normalized(std::max<int64_t>(signed_code(code, bits), lowest), bits - 1));
    }
    case ChannelType::Sint: return static_cast<uint32_t>(signed_code(code, bits));
    case ChannelType::Uscaled: return as_bits(static_cast<float>(code));
    case ChannelType::Sscaled: return as_bits(static_cast<float>(signed_code(code, bits)));
    case ChannelType::Float: return decode_float(code, bits);
    case ChannelType::Uint: return code;
    case ChannelType::None: return 0;
    }
    return 0;
}

uint32_t encode_channel(const FormatInfo& info,
                        unsigned channel,
                        uint32_t value,
                        IntegerKind kind) noexcept {
    const unsigned bits = info.bits[channel];
    const bool stencil = info.layout == exec::FormatLayout::DepthStencil && bits == 8;
    const float number = as_float(value);
    switch (stencil ? ChannelType::Uint : info.type) {
    case ChannelType::Unorm:
        if (is_srgb(info, channel))
            return linear_to_srgb(value);
        return static_cast<uint32_t>(scaled_round(clamp_number(number, 0, 1), largest(bits), bits));
    case ChannelType::Snorm: {
        const int64_t code = scaled_round(clamp_number(number, -1, 1), largest(bits - 1), bits - 1);
        return static_cast<uint32_t>(code) & largest(bits);
    }
    case ChannelType::Uscaled:
        return static_cast<uint32_t>(rounded_integer(number, 0, largest(bits)));
    case ChannelType::Sscaled: {
        const int64_t high = largest(bits - 1);
        return static_cast<uint32_t>(rounded_integer(number, -high - 1, high)) & largest(bits);
    }
    case ChannelType::Float: return encode_float(value, bits);
    case ChannelType::Sint: return encode_integer(value, bits, true, kind);
    case ChannelType::Uint: return encode_integer(value, bits, false, kind);
    case ChannelType::None: return 0;
    }
    return 0;
}

}  // namespace valkyr::raster
