// Channel decoding: turns words of texels and vertex elements into values.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"
#include "jit/context/formula.hpp"

#include <array>

namespace valkyr::jit {

/// The bits of a channel in a texel, taken as little-endian 32-bit words.
struct ChannelField {
    unsigned word, shift, bits;
    bool srgb = false;  ///< the code is an sRGB code
};
ChannelField channel_field(const exec::FormatInfo& info, unsigned channel);

/// Whether every channel of the format is a field of one word with a conversion below: array,
/// packed and depth formats, and shared exponents.
bool channels_are_fields(const exec::FormatInfo& info);

/// RN(code / (2^24 - 1)) = FMA(code, kQuotient24Rest, code * kQuotient24Scale) for codes of 24
/// bits. The quotient is code * (2^-24 + 2^-48 + 2^-72 + ...); the last bit of the constant stands
/// for what comes behind 2^-48, which decides ties.
inline constexpr float kQuotient24Scale = 0x1p-24F;
inline constexpr float kQuotient24Rest = 0x1.000002p-48F;

/// Results for NaNs of 16 bits and fewer: the quiet NaN, or any NaN.
enum class Nan : uint8_t { Quiet, Any };

/// v = the quiet NaN where it is a NaN.
void quiet(F32& v);

/// The value of a channel from its word, with the bits of raster/formats/format_channel.cpp. Takes
/// a new temporary, another one during the call, and a mask.
Temp channel_value(EmitContext& c,
                   const exec::FormatInfo& info,
                   const ChannelField& field,
                   Vec word,
                   Nan nan = Nan::Quiet);

/// Whether the first three channels of a format are sRGB bytes.
bool has_three_codes(const exec::FormatInfo& info);

/// Whether looked_up_texel() takes the format, one with three codes.
bool looks_up_texels(const EmitContext& c, const exec::FormatInfo& info);

/// The values of the channels from the texel's word, as channel_value(); of the fourth one only if
/// the mask `used` has it.
std::array<Temp, 4>
looked_up_texel(EmitContext& c, const exec::FormatInfo& info, Vec word, unsigned used);

/// The code of a unorm or snorm channel as f32, in a new temporary. The lowest snorm code is read
/// as the next higher one.
Temp channel_steps(EmitContext& c,
                   const exec::FormatInfo& info,
                   const ChannelField& field,
                   Vec word);

constexpr bool has_integer_values(const exec::FormatInfo& info) {
    return info.type == exec::ChannelType::Uint || info.type == exec::ChannelType::Sint;
}

}  // namespace valkyr::jit
