// Lane formats: describe formats to the conversions of sixteen texels at a time.
// SPDX-License-Identifier: MIT
#include "raster/resource/lane_format.hpp"

#include "base/bits.hpp"
#include "raster/formats/depth_codes.hpp"
#include "raster/formats/format_convert.hpp"
#include "raster/resource/resolve.hpp"

#include <array>
#include <cstring>

namespace valkyr::raster {
namespace {

using exec::ChannelType;
using exec::FormatInfo;
using exec::FormatLayout;
using Kind = LaneChannel::Kind;

/// Widest normalised channel whose values are code * RN(1 / M).
constexpr unsigned kMostNormalized = 16;

Kind kind_of(const FormatInfo& info, unsigned channel) {
    const unsigned bits = info.bits[channel];
    switch (info.type) {
    case ChannelType::Unorm:
        if (info.srgb && channel_component(info, channel) != 3)
            return bits == 8 ? Kind::Srgb : Kind::Absent;
        return bits <= kMostNormalized ? Kind::Unorm : Kind::Absent;
    case ChannelType::Snorm: return bits <= kMostNormalized ? Kind::Snorm : Kind::Absent;
    case ChannelType::Float:
        return info.layout == FormatLayout::SharedExponent ? Kind::SharedExponent
               : bits == 32                                ? Kind::Float
               : bits == 16                                ? Kind::Half
               : bits == 11 || bits == 10                  ? Kind::SmallFloat
                                                           : Kind::Absent;
    case ChannelType::Uint: return Kind::Uint;
    case ChannelType::Sint: return Kind::Sint;
    default: return Kind::Absent;
    }
}

/// Describes a channel; kind Absent: the loops do not know it.
LaneChannel lane_channel(const FormatInfo& info, unsigned channel, unsigned start) {
    LaneChannel result;
    const unsigned bits = info.bits[channel];
    if (bits == 0 || bits > 32 || start % 32 + bits > 32)
        return result;
    result.kind = kind_of(info, channel);
    result.word = static_cast<uint8_t>(start / 32);
    result.shift = static_cast<uint8_t>(start % 32);
    result.bits = static_cast<uint8_t>(bits);
    result.component = static_cast<uint8_t>(channel_component(info, channel));
    if (result.kind == Kind::Unorm || result.kind == Kind::Snorm) {
        const unsigned magnitude_bits = result.kind == Kind::Snorm ? bits - 1 : bits;
        result.scale = static_cast<float>(bit_mask(0, magnitude_bits));
        result.inverse = 1.0F / result.scale;
    }
    return result;
}

/// Sets the masks of the channels that a component mask enables.
void set_masks(LaneConversion& conversion, const FormatInfo& to, unsigned color_mask) {
    const unsigned channels = channel_mask(to, color_mask);
    if (to.layout == FormatLayout::SharedExponent && channels != 0)
        conversion.masks[0] = UINT32_MAX;
    for (unsigned c = 0; c < 4; ++c) {
        const LaneChannel& channel = conversion.to.channels[c];
        if (channel.kind != Kind::Absent && (channels >> c & 1) != 0)
            conversion.masks[channel.word] |=
                static_cast<uint32_t>(bit_mask(channel.shift, channel.bits));
    }
}

bool alike(const LaneChannel& from, const LaneChannel& to) {
    return from.kind == to.kind && from.bits == to.bits;
}
/// Returns whether all codes survive decoding and encoding.
bool keeps_codes(const LaneChannel& from, const LaneChannel& to) {
    const Kind kind = from.kind;
    return alike(from, to) &&
           (kind == Kind::Unorm || kind == Kind::Srgb || kind == Kind::Uint || kind == Kind::Sint);
}

/// Fills in the sources of codes, if codes are copied without decoding.
void set_moves(LaneConversion& conversion) {
    conversion.moves_codes = true;
    conversion.moves_averages = true;
    for (unsigned c = 0; c < conversion.to.channel_count; ++c) {
        const LaneChannel& to = conversion.to.channels[c];
        const int8_t source = conversion.from.source[to.component];
        if (source >= 0) {
            conversion.moves[c].channel = source;
            conversion.moves_codes &= keeps_codes(conversion.from.channels[source], to);
            conversion.moves_averages &= alike(conversion.from.channels[source], to);
            continue;
        }
        const bool integer = to.kind == Kind::Uint || to.kind == Kind::Sint;
        const auto one = static_cast<int32_t>(integer ? 1 : bit_mask(0, to.bits));
        conversion.moves[c].constant = source == -2 ? one : 0;
        const bool is_known = integer || to.kind == Kind::Unorm || to.kind == Kind::Srgb;
        conversion.moves_codes &= is_known;
        conversion.moves_averages &= is_known;
    }
}

/// Returns whether every channel keeps its own code.
bool moves_nothing(const LaneConversion& conversion) {
    for (unsigned c = 0; c < conversion.to.channel_count; ++c)
        if (conversion.moves[c].channel != static_cast<int8_t>(c))
            return false;
    return true;
}

uint8_t words_of(unsigned bytes) {
    return static_cast<uint8_t>((bytes + 3) / 4);
}

/// Describes one part of a depth/stencil format as the only channel; no channels if it lacks the
/// part.
LaneFormat depth_lanes(exec::Format format, bool stencil) {
    const FormatInfo& info = exec::format_info(format);
    const DepthLayout layout = depth_layout(format);
    const int channel = stencil ? layout.stencil : layout.depth;
    LaneFormat lanes;
    lanes.bytes = info.block_bytes;
    lanes.words = words_of(info.block_bytes);
    if (channel < 0)
        return lanes;
    unsigned start = 0;
    for (int c = 0; c < channel; ++c)
        start += info.bits[c];
    lanes.channel_count = 1;
    LaneChannel& only = lanes.channels[0];
    only.word = static_cast<uint8_t>(start / 32);
    only.shift = static_cast<uint8_t>(start % 32);
    only.bits = info.bits[channel];
    only.kind = stencil                           ? Kind::Uint
                : info.type == ChannelType::Float ? Kind::DepthFloat
                : only.bits <= kMostNormalized    ? Kind::Unorm
                                                  : Kind::WideUnorm;
    only.scale = static_cast<float>(bit_mask(0, only.bits));
    only.inverse = 1.0F / only.scale;
    return lanes;
}

}  // namespace

std::optional<LaneFormat> lane_format(const FormatInfo& info) {
    if (info.layout != FormatLayout::Array && info.layout != FormatLayout::Packed &&
        info.layout != FormatLayout::SharedExponent)
        return std::nullopt;
    LaneFormat format;
    format.bytes = info.block_bytes;
    format.words = words_of(info.block_bytes);
    format.channel_count = info.channel_count;
    unsigned start = 0;
    for (unsigned c = 0; c < info.channel_count; ++c) {
        format.channels[c] = lane_channel(info, c, start);
        if (format.channels[c].kind == Kind::Absent)
            return std::nullopt;
        start += info.bits[c];
    }
    for (unsigned k = 0; k < 4; ++k) {
        const exec::Swizzle source = info.swizzle[k];
        const auto channel = static_cast<unsigned>(source);
        format.source[k] = channel < info.channel_count   ? static_cast<int8_t>(channel)
                           : source == exec::Swizzle::One ? int8_t{-2}
                                                          : int8_t{-1};
    }
    return format;
}

std::optional<LaneConversion>
lane_conversion(const FormatInfo& from, const FormatInfo& to, unsigned color_mask) {
    const auto source = lane_format(from);
    const auto target = lane_format(to);
    if (!source || !target)
        return std::nullopt;
    LaneConversion conversion;
    conversion.from = *source;
    conversion.to = *target;
    conversion.one = static_cast<int32_t>(one_of(from));
    conversion.signed_integers = integer_kind(from) == IntegerKind::Signed;
    set_masks(conversion, to, color_mask);
    set_moves(conversion);
    return conversion;
}

bool set_samples(LaneConversion& conversion, const FormatInfo& from, uint32_t samples) {
    if (from.layout == FormatLayout::SharedExponent)
        return false;
    conversion.samples = samples;
    conversion.sample_weight = 1.0F / static_cast<float>(samples);
    conversion.sample_bytes = exec::kLanes * uint32_t{from.block_bytes};
    conversion.averages_bytes = resolve_method(from) == ResolveMethod::Bytes;
    return true;
}

void copy_if_alike(LaneConversion& conversion, const FormatInfo& from, const FormatInfo& to) {
    const bool moves = conversion.samples > 1 ? conversion.moves_averages : conversion.moves_codes;
    conversion.copies = &from == &to && moves && moves_nothing(conversion);
}

std::optional<LaneConversion> depth_conversion(exec::Format from, exec::Format to, DepthPart part) {
    const bool stencil = part == DepthPart::Stencil;
    const LaneFormat source = depth_lanes(from, stencil);
    const LaneFormat target = depth_lanes(to, stencil);
    if (source.channel_count == 0 || target.channel_count == 0)
        return std::nullopt;
    LaneConversion conversion = depth_stencil_copy(to, !stencil, stencil);
    conversion.copies = false;
    conversion.from = source;
    conversion.to = target;
    set_moves(conversion);
    return conversion;
}

LaneConversion depth_stencil_copy(exec::Format format, bool depth, bool stencil) {
    const uint8_t bytes = exec::format_info(format).block_bytes;
    LaneConversion conversion;
    conversion.from.bytes = conversion.to.bytes = bytes;
    conversion.from.words = conversion.to.words = words_of(bytes);
    conversion.copies = true;
    std::array<uint8_t, sizeof(conversion.masks)> zeros{};
    std::array<uint8_t, sizeof(conversion.masks)> ones{};
    store_depth_stencil(format, {}, zeros.data());
    store_depth_stencil(format, {depth ? 0xFFFFFFFFU : 0U, stencil ? uint8_t{0xFF} : uint8_t{0}},
                        ones.data());
    for (size_t b = 0; b < bytes; ++b)
        ones[b] ^= zeros[b];
    std::memcpy(conversion.masks, ones.data(), sizeof(conversion.masks));
    return conversion;
}

}  // namespace valkyr::raster
