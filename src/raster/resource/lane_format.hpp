// Lane formats: describe formats to the conversions of sixteen texels at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/format.hpp"
#include "raster/loops/level.hpp"

#include <optional>

namespace valkyr::raster {

/// The format as level loops read it; nothing for those that they do not know: depth, block and
/// shared-exponent formats, 64-bit channels, scaled integers, and normalised ones of more than 16
/// bits.
std::optional<LaneFormat> lane_format(const exec::FormatInfo& info);

/// The conversion between two formats, both of numbers or both of integers, of some components
/// (bit 0 red .. bit 3 alpha); nothing if the loops do not know one of them.
std::optional<LaneConversion>
lane_conversion(const exec::FormatInfo& from, const exec::FormatInfo& to, unsigned color_mask);

/// Copies bits of texels of a depth/stencil format.
LaneConversion depth_stencil_copy(exec::Format format, bool depth, bool stencil);

}  // namespace valkyr::raster
