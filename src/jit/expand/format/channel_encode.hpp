// Channel encoding: turns values into the codes of texels (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

#include <array>

namespace valkyr::jit {

/// Whether add_channel() knows every channel of a format whose channels are fields: normalised up
/// to 16 bits, integers, and floats.
bool channels_are_encodable(const exec::FormatInfo& info);

/// Encodes a channel's value, bit for bit as raster/formats/format_channel.cpp, into the words of a
/// texel: takes the register of v, which words may keep. Needs two more temporaries and a mask.
/// is_signed  how integers in v are to be read
void add_channel(EmitContext& c,
                 const exec::FormatInfo& info,
                 unsigned channel,
                 Temp v,
                 bool is_signed,
                 std::array<Temp, 4>& words);

/// v as a component of a 16-bit register, the upper half 0, as raster/messages/register_convert.cpp
/// has it: f16 to nearest even with one NaN, or an integer clamped. Needs temporaries as
/// add_channel().
void narrow_component(EmitContext& c, const exec::FormatInfo& info, bool to_signed, Vec v);

/// Whether two components share a register.
constexpr bool has_halves(exec::RegisterFormat format) {
    return format == exec::RegisterFormat::F16 || format == exec::RegisterFormat::S16 ||
           format == exec::RegisterFormat::U16;
}

/// Whether the integers of a message are signed: its register format says so, else that of the
/// memory.
bool has_signed_integers(exec::RegisterFormat format, const exec::FormatInfo& info);

/// The component that a channel stores: the first that names it, alpha if none does.
unsigned channel_component(const exec::FormatInfo& info, unsigned channel);

/// v limited to [low, 1], low being 0 or -1 as the type has it; NaN becomes 0.
void clamp_normalized(EmitContext& c, exec::ChannelType type, Vec v);

}  // namespace valkyr::jit
