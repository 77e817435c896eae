// Whole blit: describes a blit of the whole first level of a texture to another texture.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/device.hpp"

namespace valkyr::raster::test {

/// A blit of all texels; it scales if the sizes differ.
inline BlitInfo whole(const TextureRef& from, const TextureRef& to) {
    const auto region = [](const TextureRef& t) {
        BlitRegion r;
        r.texture = t;
        r.width = static_cast<int32_t>(t->desc().width);
        r.height = static_cast<int32_t>(t->desc().height);
        return r;
    };
    BlitInfo info;
    info.source = region(from);
    info.destination = region(to);
    return info;
}

}  // namespace valkyr::raster::test
