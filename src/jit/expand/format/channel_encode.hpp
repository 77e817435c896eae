// Channel encoding: turns values into the codes of texels (docs/rules/formats.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

#include <array>
#include <span>

namespace valkyr::jit {

/// Whether add_channel() can encode every channel of a format whose channels are fields: normalised
/// ones up to 16 bits, integers and floats.
bool channels_are_encodable(const exec::FormatInfo& info);

/// Encodes a channel's value into the words of a texel, with the bits of
/// raster/formats/format_channel.cpp. Takes over the register of v, and uses two more temporaries
/// and a mask.
/// is_signed  whether integers in v are signed
void add_channel(EmitContext& c,
                 const exec::FormatInfo& info,
                 unsigned channel,
                 Temp v,
                 bool is_signed,
                 std::array<Temp, 4>& words);

/// Whether encoded_codes() takes the format, one with three codes, on this host.
bool encodes_codes(const EmitContext& c, const exec::FormatInfo& info);

/// The word with the codes of the first three channels, as add_channel() makes them. Takes over the
/// registers of the values, and uses five more temporaries and a mask.
Temp encoded_codes(EmitContext& c, std::span<Temp, 3> values);

/// Converts v to a component of a 16-bit register, the upper half 0, with the bits of
/// raster/messages/register_convert.cpp: f16 to nearest even with one NaN, or a clamped integer.
/// Uses as many temporaries as add_channel().
void narrow_component(EmitContext& c, const exec::FormatInfo& info, bool to_signed, Vec v);

/// Whether two components share a register.
constexpr bool has_halves(exec::RegisterFormat format) {
    return format == exec::RegisterFormat::F16 || format == exec::RegisterFormat::S16 ||
           format == exec::RegisterFormat::U16;
}

/// Whether the integers of a message are signed. Its register format decides, else the memory's.
bool has_signed_integers(exec::RegisterFormat format, const exec::FormatInfo& info);

/// The component that a channel stores: the first whose swizzle names it, alpha if none does.
unsigned channel_component(const exec::FormatInfo& info, unsigned channel);

/// Clamps v to [0, 1] for unorm, [-1, 1] for snorm; NaN becomes 0.
void clamp_normalized(EmitContext& c, exec::ChannelType type, Vec v);

}  // namespace valkyr::jit
