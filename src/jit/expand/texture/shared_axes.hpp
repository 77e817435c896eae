// Shared axes: finds texel numbers along x or y that several texture messages compute alike.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"

namespace valkyr::jit {

/// Sets MessageChoice::axes and `level` after choose_expansions(). Filters of several taps around a
/// point sample one texture at few different x and y: the first message with a coordinate keeps
/// what it computes from it for those behind it in the block, which do not read the coordinate.
/// Nearest filters share places in tiles, linear ones texel numbers before wrapping, and weights.
/// Messages that choose levels by their coordinates share nothing.
void share_axes(GuestProgram& program, const KernelSource& source);

}  // namespace valkyr::jit
