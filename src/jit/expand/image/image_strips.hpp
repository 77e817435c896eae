// Image strips: decode texels of a row once for several loads beside each other.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/image/image_place.hpp"
#include "jit/guest/message_source.hpp"

#include <array>

namespace valkyr::jit {

/// Whether the loads around this one, an LD_TEX_IMM, name texels of one row of the unit: by their
/// instructions, not by their coordinates.
Strip choose_strip(const MessageSource& m, const ImageUnit& unit);

/// Whether load_strip() exists for the current message.
bool has_strip(const EmitContext& c, const ImageUnit& unit);

/// The components of the part's texels that come from a channel; others stay invalid.
std::array<Temp, 4> load_strip(EmitContext& c, const ImageUnit& unit, unsigned count);

}  // namespace valkyr::jit
