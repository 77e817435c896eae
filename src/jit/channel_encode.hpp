// Channels of texels, from values to codes: the inverse of channel_decode.hpp.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/emit_context.hpp"

namespace valkyr::jit {

/// Whether channel_code() knows every channel of a format whose channels are fields: normalised up
/// to 16 bits, and floats.
bool channels_are_encodable(const exec::FormatInfo& info);

/// The code of a number in a channel of `bits` bits, bit for bit that of raster/format_channel.cpp:
/// v becomes the code. Needs two more temporaries and a mask.
void channel_code(EmitContext& c, exec::ChannelType type, unsigned bits, Vec v);

/// The same for a channel on the sRGB curve. Uses T6.
void srgb_code(EmitContext& c, Vec v);

/// The component that a channel stores: the first that names it, alpha if none does.
unsigned channel_component(const exec::FormatInfo& info, unsigned channel);

/// v limited to [low, 1], low being 0 or -1 as the type has it; NaN becomes 0.
void clamp_normalized(EmitContext& c, exec::ChannelType type, Vec v);

}  // namespace valkyr::jit
