// Texel source: reads texels by format, borders, shadow compares and cube edges.
// SPDX-License-Identifier: MIT
#include "raster/messages/texel_source.hpp"

#include "base/bits.hpp"
#include "base/float_bits.hpp"
#include "exec/cube_faces.hpp"
#include "raster/formats/format_channel.hpp"
#include "raster/formats/tiled_texels.hpp"
#include "raster/messages/compare.hpp"
#include "raster/messages/texture_wrap.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::ChannelType;

/// Returns whether all channels are unorm or snorm of at most 8 bits, not sRGB: then sums of texels
/// times weights stay exact, below 2^24.
bool has_small_steps(const FormatInfo& info) {
    if (!is_normalized(info) || info.srgb || info.layout == exec::FormatLayout::DepthStencil)
        return false;
    return std::all_of(std::begin(info.bits), std::end(info.bits),
                       [](uint8_t bits) { return bits <= 8; });
}

uint32_t largest_step(const FormatInfo& info, unsigned channel) {
    const unsigned bits = info.bits[channel];
    if (bits == 0)
        return 1;
    return static_cast<uint32_t>(bit_mask(0, info.type == ChannelType::Snorm ? bits - 1 : bits));
}

/// Returns a snorm code as a signed number of steps; the lowest code counts as its neighbour.
uint32_t step_of(const FormatInfo& info, unsigned channel, uint32_t code) {
    if (info.bits[channel] == 0)
        return code;
    const auto lowest = -static_cast<int64_t>(largest_step(info, channel));
    return static_cast<uint32_t>(std::max(sign_extend(code, info.bits[channel]), lowest));
}

/// Clamps a number to the range of a normalised format, NaN gives 0; float formats keep it.
float limited_number(const FormatInfo& info, float number) {
    if (!is_normalized(info))
        return number;
    if (std::isnan(number))
        return 0;
    return std::clamp(number, info.type == ChannelType::Snorm ? -1.0F : 0.0F, 1.0F);
}

uint32_t floor_third(int64_t n) {
    return static_cast<uint32_t>(n >= 0 ? n / 3 : -((-n + 2) / 3));
}

}  // namespace

TexelSource::TexelSource(const exec::TextureDescriptor& texture,
                         const exec::SamplerDescriptor& sampler,
                         bool shadow) noexcept
    : texture_(texture)
    , sampler_(sampler)
    , info_(exec::format_info(texture.format))
    , shadow_(shadow && sampler.modes.compare_enable && !is_integer(info_))
    , kind_(TexelKind::Numbers) {
    if (is_integer(info_))
        kind_ = TexelKind::Integers;
    else if (has_small_steps(info_))
        kind_ = TexelKind::Steps;
    border_ = border();
    if (shadow_)
        kind_ = TexelKind::Steps;
    else if (kind_ == TexelKind::Steps)
        for (unsigned channel = 0; channel < 4; ++channel)
            step_[channel] = 1.0F / static_cast<float>(largest_step(info_, channel));
    unorm_bytes_ = kind_ == TexelKind::Steps && !shadow_ && info_.type == ChannelType::Unorm &&
                   info_.layout == exec::FormatLayout::Array && info_.bits[0] == 8;
}

Values TexelSource::from_codes(const Codes& codes) const noexcept {
    if (shadow_ || kind_ != TexelKind::Steps)
        return decode_codes(info_, codes);
    if (info_.type == ChannelType::Unorm)
        return codes;
    Values steps{};
    for (unsigned channel = 0; channel < info_.channel_count; ++channel)
        steps[channel] = step_of(info_, channel, codes[channel]);
    return steps;
}

/// Returns the border colour as channels of the format, converted like texels.
Values TexelSource::border() const noexcept {
    const Values components{sampler_.border[0], sampler_.border[1], sampler_.border[2],
                            sampler_.border[3]};
    const Values channels = unswizzle_values(info_, components);
    Values result{};
    for (unsigned channel = 0; channel < info_.channel_count; ++channel) {
        const uint32_t value = channels[channel];
        if (kind_ == TexelKind::Numbers || shadow_)
            result[channel] = as_bits(limited_number(info_, as_float(value)));
        else
            result[channel] = encode_channel(info_, channel, value, integer_kind(info_));
    }
    if (kind_ == TexelKind::Integers)
        return decode_codes(info_, result);
    return kind_ == TexelKind::Steps && !shadow_ ? from_codes(result) : result;
}

Values TexelSource::compared(const Values& texel, float reference) const noexcept {
    // Normalised texels are compared with a reference that is clamped to their range (GL 4.6
    // section 8.23.1).
    const Values components = swizzle_values(texel, info_.swizzle, one_of(info_));
    const bool passes =
        compare(sampler_.modes.compare, limited_number(info_, reference), as_float(components[0]));
    return {passes ? 1U : 0U, 0, 0, 0};
}

Values TexelSource::texel(const exec::TextureLevel& level,
                          const TexelIndex& at,
                          float reference) const noexcept {
    Values result{};
    if (at.x == kBorderTexel || at.y == kBorderTexel) {
        result = border_;
    } else {
        const bool inside = level.data != nullptr && is_plain(info_) && at.x >= 0 && at.y >= 0 &&
                            at.x < level.width && at.y < level.height && at.slice < level.depth &&
                            at.sample < texture_.samples;
        const uint8_t* place =
            inside ? level.data + texel_offset(texture_.kind,
                                               {static_cast<uint32_t>(at.x),
                                                static_cast<uint32_t>(at.y), at.slice, at.sample},
                                               level.tiles_per_row, level.slice_bytes,
                                               texture_.samples, info_.block_bytes)
                   : nullptr;
        result = stored(place);
    }
    return shadow_ ? compared(result, reference) : result;
}

/// Reads a stored texel; null reads as zero bits.
Values TexelSource::stored(const uint8_t* texel) const noexcept {
    if (texel == nullptr)
        return from_codes({});
    if (!unorm_bytes_)
        return from_codes(load_codes(info_, texel));
    Values steps{};
    for (unsigned channel = 0; channel < info_.channel_count; ++channel)
        steps[channel] = texel[channel];
    return steps;
}

Values TexelSource::cube_texel(const exec::TextureLevel& level,
                               uint32_t first_slice,
                               const TexelIndex& at,
                               float reference) const noexcept {
    const int64_t last = int64_t{level.width} - 1;
    const auto fetch = [&](int64_t x, int64_t y) {
        const exec::CubeTexel place = exec::across_cube_edge({at.slice, x, y}, level.width);
        return texel(level, {place.x, place.y, first_slice + place.face, 0}, reference);
    };
    const int64_t inner_x = std::clamp<int64_t>(at.x, 0, last);
    const int64_t inner_y = std::clamp<int64_t>(at.y, 0, last);
    if (inner_x == at.x || inner_y == at.y)
        return fetch(at.x, at.y);
    return corner_mean(fetch(inner_x, inner_y), fetch(at.x, inner_y), fetch(inner_x, at.y));
}

Values TexelSource::corner_mean(const Values& a, const Values& b, const Values& c) const noexcept {
    Values mean{};
    for (unsigned channel = 0; channel < 4; ++channel) {
        if (kind_ == TexelKind::Integers) {
            mean[channel] = a[channel];
        } else if (kind_ == TexelKind::Steps) {
            mean[channel] = floor_third(int64_t{static_cast<int32_t>(a[channel])} +
                                        static_cast<int32_t>(b[channel]) +
                                        static_cast<int32_t>(c[channel]) + 1);
        } else {
            const float sum = as_float(a[channel]) + as_float(b[channel]) + as_float(c[channel]);
            mean[channel] = std::isnan(sum) ? float_bits::kQuietNan : as_bits(sum * (1.0F / 3.0F));
        }
    }
    return mean;
}

Values TexelSource::components(const Values& channels) const noexcept {
    if (!shadow_)
        return swizzle_values(channels, texture_.swizzle, one_of(info_));
    const uint32_t r = channels[0];
    return swizzle_values({r, r, r, float_bits::kOne}, texture_.swizzle, float_bits::kOne);
}

}  // namespace valkyr::raster
