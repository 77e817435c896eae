// Draw: executes one draw call, from vertices through primitives to pixels, in API order.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::reference {

/// Executes a draw at once, primitive by primitive in API order.
/// errors  InvalidState: handles of another device; Unsupported: names the missing feature
Result<void> execute_draw(const raster::DrawState& state, const raster::DrawInfo& info);

}  // namespace valkyr::reference
