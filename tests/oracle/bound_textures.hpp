// Bound textures: give the TGSI interpreter the textures and samplers of a draw.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"
#include "tgsi/interpreter/texture_units.hpp"

#include <memory>
#include <vector>

namespace valkyr::reference {

/// The resources that the vectors point to must outlive the units.
/// errors  InvalidState: a texture of another device
Result<std::unique_ptr<tgsi::TextureUnits>>
bind_textures(const std::vector<raster::TextureView>& views,
              const std::vector<raster::SamplerState>& samplers);

}  // namespace valkyr::reference
