// The textures and samplers of a draw as the TGSI interpreter sees them.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tgsi/sampling/texture_units.hpp"

#include <memory>
#include <vector>

namespace valkyr::reference {

/// What the vectors point to must outlive the units.
/// errors  InvalidState: a texture of another device
Result<std::unique_ptr<tgsi::TextureUnits>>
bind_textures(const std::vector<raster::TextureView>& views,
              const std::vector<raster::SamplerState>& samplers);

}  // namespace valkyr::reference
