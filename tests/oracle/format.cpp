// Format: decodes and encodes one texel by the format's row.
// SPDX-License-Identifier: MIT
#include "tests/oracle/format.hpp"

#include "base/bits.hpp"
#include "base/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>

namespace valkyr::reference {
namespace {

using exec::ChannelType;
using exec::Format;
using exec::FormatInfo;
using exec::FormatLayout;
using enum exec::Swizzle;

constexpr FormatInfo kRows[] = {
#define VALKYR_FORMAT(id, layout, bytes, bw, bh, channels, type, srgb, ...)                        \
    {#id, FormatLayout::layout, bytes, bw, bh, channels, ChannelType::type, srgb, __VA_ARGS__},
#include "exec/formats.inc"
#undef VALKYR_FORMAT
};

struct BitField {
    unsigned start;
    unsigned size;
};

/// The bits of a channel. Array channels follow each other in memory, packed ones in a
/// little-endian word; in both cases a channel starts at the sum of the sizes before it.
BitField field(Format format, unsigned channel) {
    const FormatInfo& info = row(format);
    unsigned start = 0;
    for (unsigned c = 0; c < channel; c++)
        start += info.bits[c];
    return {start, info.bits[channel]};
}

/// In depth/stencil formats, every channel except depth is an integer.
ChannelType channel_type(Format format, unsigned channel) {
    const FormatInfo& info = row(format);
    const bool beside_depth =
        info.layout == FormatLayout::DepthStencil && channel != depth_channel(format);
    return beside_depth ? ChannelType::Uint : info.type;
}

/// M of docs/rules/formats.md "Conversions"; exact in binary64.
double largest_code(Format format, unsigned channel) {
    const unsigned bits = row(format).bits[channel];
    const unsigned magnitude =
        channel_type(format, channel) == ChannelType::Snorm ? bits - 1 : bits;
    return static_cast<double>(bit_mask(0, magnitude));
}

/// Decodes a normalised code: RN(t * RN(1/M)) up to 16 bits, RN(t / M) above. Above 24 bits, the
/// quotient is computed in binary64.
float decode_norm(int64_t code, double m, unsigned bits) {
    if (bits <= 16)
        return static_cast<float>(code) * (1.0F / static_cast<float>(m));
    if (bits <= 24)
        return static_cast<float>(code) / static_cast<float>(m);
    return static_cast<float>(static_cast<double>(code) / m);
}

float decode_float(uint64_t wide_code, unsigned bits) {
    const auto code = static_cast<uint32_t>(wide_code);
    switch (bits) {
    case 64: return static_cast<float>(std::bit_cast<double>(wide_code));
    case 32: return as_float(code);
    case 16: return decode_small_float(code, 10, true);
    case 11: return decode_small_float(code, 6, false);
    case 10: return decode_small_float(code, 5, false);
    }
    VALKYR_UNREACHABLE();
}

uint32_t encode_float(uint32_t value, unsigned bits) {
    const float number = as_float(value);
    switch (bits) {
    case 32: return std::isnan(number) ? 0x7FC00000U : value;
    case 16: return encode_small_float(number, 10, true);
    case 11: return encode_small_float(number, 6, false);
    case 10: return encode_small_float(number, 5, false);
    }
    VALKYR_UNREACHABLE();
}

/// Encodes a normalised value: clamp, NaN to 0, RNE(RN(c * M)). Above 24 bits, the product is
/// computed in binary64.
uint32_t encode_norm(float value, float lowest, double m, unsigned bits) {
    if (std::isnan(value))
        return 0;
    const float clamped = std::clamp(value, lowest, 1.0F);
    const double scaled =
        bits <= 24 ? static_cast<double>(clamped * static_cast<float>(m)) : clamped * m;
    return static_cast<uint32_t>(static_cast<int64_t>(std::nearbyint(scaled)));
}

uint32_t shared_exponent_channel(uint32_t word, unsigned channel) {
    // EXT_texture_shared_exponent: value = mantissa * 2^(exponent - 15 - 9), exact in f32.
    const auto mantissa = static_cast<float>(extract_bits(word, 9 * channel, 9));
    const int exponent = static_cast<int>(extract_bits(word, 27, 5));
    return as_bits(std::ldexp(mantissa, exponent - 24));
}

}  // namespace

const FormatInfo& row(Format format) {
    return kRows[static_cast<size_t>(format)];
}

bool is_integer(Format format) {
    return row(format).type == ChannelType::Uint || row(format).type == ChannelType::Sint;
}

bool is_unorm8(Format format) {
    const FormatInfo& info = row(format);
    if (info.type != ChannelType::Unorm || info.srgb || info.layout != FormatLayout::Array)
        return false;
    for (unsigned c = 0; c < info.channel_count; c++)
        if (info.bits[c] != 8)
            return false;
    return true;
}

bool filters_as_integer(Format format) {
    const FormatInfo& info = row(format);
    if ((info.type != ChannelType::Unorm && info.type != ChannelType::Snorm) || info.srgb ||
        info.layout == FormatLayout::DepthStencil)
        return false;
    for (unsigned c = 0; c < info.channel_count; c++)
        if (info.bits[c] > 8)
            return false;
    return true;
}

bool has_depth(Format format) {
    const FormatInfo& info = row(format);
    return info.layout == FormatLayout::DepthStencil && info.type != ChannelType::Uint;
}
bool has_stencil(Format format) {
    return row(format).layout == FormatLayout::DepthStencil &&
           row(format).name.find("S8") != std::string_view::npos;
}
unsigned depth_channel(Format format) {
    return static_cast<unsigned>(row(format).swizzle[0]);
}
unsigned stencil_channel(Format format) {
    return has_depth(format) ? 1 - depth_channel(format) : 0;
}

uint64_t load_channel(Format format, const uint8_t* texel, unsigned channel) {
    const auto [start, size] = field(format, channel);
    uint64_t words[4] = {};
    std::memcpy(words, texel, row(format).block_bytes);
    return extract_bits(words[start / 64], start % 64, size);
}

void store_channel(Format format, uint8_t* texel, unsigned channel, uint64_t code) {
    const auto [start, size] = field(format, channel);
    uint64_t words[4] = {};
    std::memcpy(words, texel, row(format).block_bytes);
    uint64_t& word = words[start / 64];
    word = (word & ~bit_mask(start % 64, size)) |
           place_bits(code & bit_mask(0, size), start % 64, size);
    std::memcpy(texel, words, row(format).block_bytes);
}

uint32_t decode_channel(Format format, unsigned channel, uint64_t code) {
    const FormatInfo& info = row(format);
    const unsigned bits = info.bits[channel];
    const double m = largest_code(format, channel);
    const int64_t signed_code = sign_extend(code, bits);
    switch (channel_type(format, channel)) {
    case ChannelType::None: return 0;
    case ChannelType::Uint: return static_cast<uint32_t>(code);
    case ChannelType::Sint: return static_cast<uint32_t>(signed_code);
    case ChannelType::Uscaled: return as_bits(static_cast<float>(code));
    case ChannelType::Sscaled: return as_bits(static_cast<float>(signed_code));
    case ChannelType::Float: return as_bits(decode_float(code, bits));
    case ChannelType::Unorm:
        if (info.srgb && component_of(format, channel) < 3)
            return as_bits(srgb_to_linear(static_cast<uint32_t>(code)));
        return as_bits(decode_norm(static_cast<int64_t>(code), m, bits));
    case ChannelType::Snorm:
        return as_bits(decode_norm(std::max(signed_code, -static_cast<int64_t>(m)), m, bits));
    }
    VALKYR_UNREACHABLE();
}

uint32_t encode_channel(Format format, unsigned channel, uint32_t value) {
    const FormatInfo& info = row(format);
    const unsigned bits = info.bits[channel];
    const double m = largest_code(format, channel);
    const auto highest = static_cast<int64_t>(bit_mask(0, bits - 1));
    const auto signed_value = static_cast<int64_t>(static_cast<int32_t>(value));
    switch (channel_type(format, channel)) {
    case ChannelType::None: return 0;
    case ChannelType::Uint: return std::min(value, static_cast<uint32_t>(bit_mask(0, bits)));
    case ChannelType::Sint:
        return static_cast<uint32_t>(std::max(-highest - 1, std::min(highest, signed_value)));
    case ChannelType::Float: return encode_float(value, bits);
    case ChannelType::Unorm:
        if (info.srgb && component_of(format, channel) < 3)
            return linear_to_srgb(as_float(value));
        return encode_norm(as_float(value), 0, m, bits);
    case ChannelType::Snorm: return encode_norm(as_float(value), -1, m, bits);
    case ChannelType::Uscaled:
    case ChannelType::Sscaled: break;  // vertex formats are never written
    }
    VALKYR_UNREACHABLE();
}

unsigned component_of(Format format, unsigned channel) {
    for (unsigned c = 0; c < 4; c++)
        if (static_cast<unsigned>(row(format).swizzle[c]) == channel)
            return c;
    return 3;
}

Vec4 decode_texel(Format format, const uint8_t* texel) {
    const FormatInfo& info = row(format);
    const uint32_t one = is_integer(format) ? 1 : as_bits(1.0F);
    Vec4 rgba{};
    for (unsigned c = 0; c < 4; c++) {
        const auto channel = static_cast<unsigned>(info.swizzle[c]);
        if (channel > 3) {
            rgba[c] = info.swizzle[c] == One ? one : 0;
        } else if (info.layout == FormatLayout::SharedExponent) {
            uint32_t word = 0;
            std::memcpy(&word, texel, 4);
            rgba[c] = shared_exponent_channel(word, channel);
        } else {
            rgba[c] = decode_channel(format, channel, load_channel(format, texel, channel));
        }
    }
    return rgba;
}

void encode_texel(Format format, const Vec4& rgba, uint8_t mask, uint8_t* texel) {
    for (unsigned channel = 0; channel < row(format).channel_count; channel++) {
        const unsigned c = component_of(format, channel);
        if ((mask >> c & 1) != 0)
            store_channel(format, texel, channel, encode_channel(format, channel, rgba[c]));
    }
}

uint32_t encode_small_float(float value, unsigned mantissa_bits, bool has_sign) {
    const uint32_t infinity = 31U << mantissa_bits;
    if (std::isnan(value))
        return infinity | 1U << (mantissa_bits - 1);
    if (std::signbit(value) && !has_sign)
        return 0;
    const uint32_t sign = std::signbit(value) ? 1U << (mantissa_bits + 5) : 0;
    const double magnitude = std::fabs(static_cast<double>(value));
    if (magnitude == 0)
        return sign;
    if (std::isinf(magnitude))
        return sign | infinity;
    // The spacing of representable numbers around the value; subnormals have the spacing of 2^-14.
    const int exponent = std::max(std::ilogb(magnitude), -14);
    const int quantum = exponent - static_cast<int>(mantissa_bits);
    const auto steps = static_cast<uint32_t>(std::nearbyint(std::ldexp(magnitude, -quantum)));
    // `steps` includes the hidden bit, so a carry correctly increments the exponent.
    const uint32_t code = steps + (static_cast<uint32_t>(exponent + 14) << mantissa_bits);
    return sign | std::min(code, infinity);
}

float decode_small_float(uint32_t code, unsigned mantissa_bits, bool has_sign) {
    const auto mantissa = static_cast<uint32_t>(extract_bits(code, 0, mantissa_bits));
    const int exponent = static_cast<int>(extract_bits(code, mantissa_bits, 5));
    const bool negative = has_sign && (code >> (mantissa_bits + 5) & 1) != 0;
    float value = 0;
    if (exponent == 31)
        value = mantissa == 0 ? std::numeric_limits<float>::infinity()
                              : std::numeric_limits<float>::quiet_NaN();
    else if (exponent == 0)
        value = std::ldexp(static_cast<float>(mantissa), -14 - static_cast<int>(mantissa_bits));
    else
        value = std::ldexp(static_cast<float>(mantissa | 1U << mantissa_bits),
                           exponent - 15 - static_cast<int>(mantissa_bits));
    return negative ? -value : value;
}

float srgb_to_linear(uint32_t code) {
    const long double c = static_cast<long double>(code) / 255;
    const long double linear = c <= 0.04045L ? c / 12.92L : powl((c + 0.055L) / 1.055L, 2.4L);
    return static_cast<float>(linear);
}

uint32_t linear_to_srgb(float value) {
    if (!(value > 0))
        return 0;
    if (value >= 1)
        return 255;
    const long double linear = value;
    const long double c =
        linear <= 0.0031308L ? linear * 12.92L : 1.055L * powl(linear, 1 / 2.4L) - 0.055L;
    return static_cast<uint32_t>(nearbyintl(c * 255));
}

uint32_t encode_depth(Format format, float value) {
    return encode_channel(format, depth_channel(format), as_bits(value));
}

}  // namespace valkyr::reference
