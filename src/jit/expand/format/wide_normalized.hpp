// Wide normalised channels: decodes unorm and snorm codes of 32 bits.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Whether the format's channels are normalised and have 32 bits.
bool has_wide_normalized(const exec::FormatInfo& info);

/// Temporaries that wide_normalized() takes, its result included.
inline constexpr unsigned kWideTemporaries = 5;

/// The values of 32-bit codes, with the bits of raster/formats/format_channel.cpp: divided in
/// binary64, then rounded to binary32.
Temp wide_normalized(EmitContext& c, const exec::FormatInfo& info, Vec codes);

}  // namespace valkyr::jit
