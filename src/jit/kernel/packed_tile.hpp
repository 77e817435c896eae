// Packed tile pixels: brings the pixels of a warp of packed quads together, and back to the tile.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/emit_context.hpp"

namespace valkyr::jit {

/// Whether all buffers of the tile that a draw with this key uses can be copied.
bool can_pack_pixels(const exec::FragmentKey& key);

/// Copies the pixels of the exec::QuadWarp at Gp::Item to the frame.
void gather_pixels(EmitContext& c);
/// Copies the pixels that the warp may have changed back to the tile.
void scatter_pixels(EmitContext& c);

}  // namespace valkyr::jit
