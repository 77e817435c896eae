// Draw: runs one draw call, vertices to primitives to pixels, in API order.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::reference {

/// Executes a draw at once, primitive by primitive in API order.
/// errors  InvalidState: handles of another device; Unsupported: names what is missing here
Result<void> execute_draw(const raster::DrawState& state, const raster::DrawInfo& info);

}  // namespace valkyr::reference
