// Read spot: finds the texel at the coordinates of a texture message.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

namespace valkyr::debug {

/// The texel at the coordinates, in the level that counts most. The texture is left 0.
/// Nothing: a cube, a mirrored coordinate, a fetch from outside, or a level that
/// is not known.
std::optional<Spot> read_spot(const raster::TextureView& view,
                              const raster::SamplerState& sampler,
                              const TexelRead& read);

}  // namespace valkyr::debug
