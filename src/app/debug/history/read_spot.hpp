// Read spot: finds the texel at the coordinates of a texture message.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

namespace valkyr::debug {

/// The texel at the coordinates, in the first level that the view shows. The texture is left 0.
/// Nothing: a cube, a mirrored coordinate, or a fetch from outside.
std::optional<Spot> read_spot(const raster::TextureView& view,
                              const raster::SamplerState& sampler,
                              const TexelRead& read);

}  // namespace valkyr::debug
