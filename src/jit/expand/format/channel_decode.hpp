// Channel decoding: turns words of texels and vertex elements into values.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// The bits of a channel in a texel, taken as little-endian 32-bit words.
struct ChannelField {
    unsigned word, shift, bits;
    bool srgb = false;  ///< the code stands on the sRGB curve
};
ChannelField channel_field(const exec::FormatInfo& info, unsigned channel);

/// Whether every channel of the format is a field of one word with a conversion below: array,
/// packed and depth formats, and shared exponents.
bool channels_are_fields(const exec::FormatInfo& info);

/// NaN of 16 bits and fewer: all become the quiet NaN, or any NaN will do.
enum class Nan : uint8_t { Quiet, Any };

/// The value of a channel from its word, bit for bit that of raster/formats/format_channel.cpp, as
/// a new temporary; needs one more, and a mask.
Temp channel_value(EmitContext& c,
                   const exec::FormatInfo& info,
                   const ChannelField& field,
                   Vec word,
                   Nan nan = Nan::Quiet);

/// The code of a unorm or snorm channel as f32, the lowest snorm code counted as its neighbour; a
/// new temporary.
Temp channel_steps(EmitContext& c,
                   const exec::FormatInfo& info,
                   const ChannelField& field,
                   Vec word);

constexpr bool has_integer_values(const exec::FormatInfo& info) {
    return info.type == exec::ChannelType::Uint || info.type == exec::ChannelType::Sint;
}

}  // namespace valkyr::jit
