// Lane formats: describe formats to the conversions of sixteen texels at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"
#include "raster/convert/convert.hpp"

#include <optional>

namespace valkyr::raster {

/// Returns a format's description for tile conversions, or nothing if they do not know it: depth
/// and block formats, and vertex-only formats (64-bit channels, scaled integers, normalised
/// channels of more than 16 bits).
std::optional<LaneFormat> lane_format(const exec::FormatInfo& info);

/// Returns the conversion of some components (bit 0 red .. bit 3 alpha) between two formats, both
/// of numbers or both of integers; nothing if conversions do not know one of them.
std::optional<LaneConversion>
lane_conversion(const exec::FormatInfo& from, const exec::FormatInfo& to, unsigned color_mask);

/// Makes the conversion average samples; returns false if conversions cannot do it.
bool set_samples(LaneConversion& conversion, const exec::FormatInfo& from, uint32_t samples);

/// Makes the conversion copy whole words, if that gives equal results.
void copy_if_alike(LaneConversion& conversion,
                   const exec::FormatInfo& from,
                   const exec::FormatInfo& to);

enum class DepthPart : uint8_t { Depth, Stencil };
/// Returns the conversion of one part between two depth/stencil formats: depths are converted as
/// numbers, stencil values are copied. Nothing if a format lacks the part.
std::optional<LaneConversion> depth_conversion(exec::Format from, exec::Format to, DepthPart part);

/// Returns a conversion that copies the bits of these parts of a depth/stencil format.
LaneConversion depth_stencil_copy(exec::Format format, bool depth, bool stencil);

}  // namespace valkyr::raster
