// Textures and samplers for the TGSI interpreter.
// SPDX-License-Identifier: MIT
#include "reference/bound_textures.hpp"

namespace valkyr::reference {

Result<std::unique_ptr<tgsi::TextureUnits>>
bind_textures(const std::vector<raster::TextureView>& views,
              const std::vector<raster::SamplerState>& samplers) {
    static_cast<void>(samplers);
    if (!views.empty())
        return Error{Errc::Unsupported, {}, "reference renderer: textures"};
    return std::unique_ptr<tgsi::TextureUnits>();
}

}  // namespace valkyr::reference
