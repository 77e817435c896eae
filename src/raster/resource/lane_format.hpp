// Lane formats: describe formats to the conversions of sixteen texels at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"
#include "raster/convert/convert.hpp"

#include <optional>

namespace valkyr::raster {

/// The format as level loops read it; nothing for those that they do not know: depth and block
/// formats, and those of vertices alone (64-bit channels, scaled integers, normalised ones of more
/// than 16 bits).
std::optional<LaneFormat> lane_format(const exec::FormatInfo& info);

/// The conversion between two formats, both of numbers or both of integers, of some components
/// (bit 0 red .. bit 3 alpha); nothing if the loops do not know one of them.
std::optional<LaneConversion>
lane_conversion(const exec::FormatInfo& from, const exec::FormatInfo& to, unsigned color_mask);

/// Makes texels of the average of samples; false if the loops do not know how.
bool set_samples(LaneConversion& conversion, const exec::FormatInfo& from, uint32_t samples);

/// Lets the words of texels go over as they are where that is the same.
void copy_if_alike(LaneConversion& conversion,
                   const exec::FormatInfo& from,
                   const exec::FormatInfo& to);

enum class DepthPart : uint8_t { Depth, Stencil };
/// The conversion of one part between two depth/stencil formats: depths through their numbers,
/// stencil values as they are. Nothing if one of them does not have the part.
std::optional<LaneConversion> depth_conversion(exec::Format from, exec::Format to, DepthPart part);

/// Copies bits of texels of a depth/stencil format.
LaneConversion depth_stencil_copy(exec::Format format, bool depth, bool stencil);

}  // namespace valkyr::raster
