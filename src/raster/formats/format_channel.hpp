// Channels: convert between the code of one channel and its value.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/formats/format_convert.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Returns the value of a channel's code (zero-extended, bits[channel] wide).
uint32_t decode_channel(const FormatInfo& info, unsigned channel, uint32_t code) noexcept;

/// Returns the code of a value: clamped to the range and rounded to nearest even. NaN gives 0, or
/// the quiet NaN in float channels.
uint32_t
encode_channel(const FormatInfo& info, unsigned channel, uint32_t value, IntegerKind kind) noexcept;

}  // namespace valkyr::raster
