// Format conversion: converts between texels and numbers by the rules of every format.
// SPDX-License-Identifier: MIT
//
// A texel becomes channel codes (bit fields in memory order), these become values (binary32 bits,
// or 32-bit integers for integer formats), and the swizzle of the format makes components r, g, b,
// a of them. Attributes, texels, images, targets and clears all go through here. Rules:
// docs/rules/formats.md.
#pragma once

#include "base/float_bits.hpp"
#include "exec/format.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

using exec::FormatInfo;

/// Channel codes of one texel in memory order, zero-extended; a 64-bit float channel counts as the
/// binary32 number nearest to it. Absent channels are 0.
using Codes = std::array<uint32_t, 4>;

/// Four values: channels in memory order or components r, g, b, a, as the function says. binary32
/// bits, or 32-bit integers for integer formats.
using Values = std::array<uint32_t, 4>;

/// Signedness of the 32-bit integers that are written to an integer format.
enum class IntegerKind : uint8_t { Unsigned, Signed };

/// Returns whether components are integers; all other formats have binary32 components.
constexpr bool is_integer(const FormatInfo& info) {
    return info.type == exec::ChannelType::Uint || info.type == exec::ChannelType::Sint;
}
/// Returns whether values are clamped to [0, 1] or [-1, 1] when they are stored.
constexpr bool is_normalized(const FormatInfo& info) {
    return info.type == exec::ChannelType::Unorm || info.type == exec::ChannelType::Snorm;
}
/// Returns the signedness that the format itself has; unsigned for formats that are not Sint.
constexpr IntegerKind integer_kind(const FormatInfo& info) {
    return info.type == exec::ChannelType::Sint ? IntegerKind::Signed : IntegerKind::Unsigned;
}
/// Returns whether texels are stored one by one: the format is neither compressed nor None.
constexpr bool is_plain(const FormatInfo& info) {
    return info.block_bytes != 0 && info.layout != exec::FormatLayout::Block;
}
/// Returns 1 as a component of this format.
constexpr uint32_t one_of(const FormatInfo& info) {
    return is_integer(info) ? 1 : float_bits::kOne;
}

/// Returns the component (0 red .. 3 alpha) that is stored in a channel: the first component whose
/// swizzle names the channel, or alpha if no swizzle does.
unsigned channel_component(const FormatInfo& info, unsigned channel) noexcept;

/// Returns the mask of the channels that a component write mask (bit 0 red .. bit 3 alpha) enables.
unsigned channel_mask(const FormatInfo& info, unsigned component_mask) noexcept;

/// Reads block_bytes bytes. Formats that are not plain read as 0.
Codes load_codes(const FormatInfo& info, const uint8_t* texel) noexcept;

/// Writes the channels of `mask` and keeps the bits of other channels. Formats that are not plain
/// are not written.
void store_codes(const FormatInfo& info,
                 const Codes& codes,
                 unsigned mask,
                 uint8_t* texel) noexcept;

/// Returns the values of the channels, in memory order.
Values decode_codes(const FormatInfo& info, const Codes& codes) noexcept;

/// Returns the codes of channel values in memory order, clamped and rounded once.
Codes encode_values(const FormatInfo& info, const Values& channels, IntegerKind kind) noexcept;

/// Applies a swizzle: that of a format, or that of a view combined with its format's.
Values swizzle_values(const Values& channels, const exec::Swizzle* swizzle, uint32_t one) noexcept;

/// Returns the channel values, in memory order, that store these components.
Values unswizzle_values(const FormatInfo& info, const Values& components) noexcept;

/// Returns components r, g, b, a of the texel at `texel`.
Values decode_texel(const FormatInfo& info, const uint8_t* texel) noexcept;

/// Stores components r, g, b, a. `kind` is the signedness of integers, which are clamped.
void encode_texel(const FormatInfo& info,
                  const Values& components,
                  IntegerKind kind,
                  uint8_t* texel) noexcept;

}  // namespace valkyr::raster
