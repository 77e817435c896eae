// Texture memory: shows the bytes that a device keeps of a texture, to save and restore them.
// SPDX-License-Identifier: MIT
#include "raster/texture_memory.hpp"

#include "raster/resource/resource.hpp"

namespace valkyr::raster {

Result<std::vector<std::span<std::byte>>> texture_memory(Device& device,
                                                         const TextureRef& texture) {
    auto* const own = dynamic_cast<TextureImpl*>(texture.get());
    if (own == nullptr)
        return Error{Errc::InvalidState, {}, "no texture of the rasterizer"};
    VALKYR_TRY_VOID(device.finish());
    own->settle_all();
    ++own->changes;
    return own->memory();
}

}  // namespace valkyr::raster
