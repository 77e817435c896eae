// Targets: read, write and clear the framebuffer's texels, one sample at a time.
// SPDX-License-Identifier: MIT
#pragma once

#include "tests/oracle/resources.hpp"

#include <vector>

namespace valkyr::reference {

/// One attachment; a null texture is a gap.
struct Attachment {
    ReferenceTexture* texture = nullptr;
    uint32_t level = 0;
    uint32_t layer = 0;        ///< the selected layer
    uint32_t first_layer = 0;  ///< layer 0 of the surface
    uint32_t layer_count = 1;
    exec::Format drawn_as =
        exec::Format::None;  ///< format of the surface; None = the texture's own

    [[nodiscard]] exec::Format format() const {
        if (texture == nullptr || drawn_as != exec::Format::None)
            return drawn_as;
        return texture->desc().format;
    }
    [[nodiscard]] uint8_t* texel(int32_t x, int32_t y, uint32_t sample) const {
        return texture->texel(
            {level, static_cast<uint32_t>(x), static_cast<uint32_t>(y), layer, sample});
    }
};

struct Targets {
    std::vector<Attachment> color;
    Attachment depth_stencil;
    uint32_t width = 0;  ///< the smallest of all attachments
    uint32_t height = 0;
    uint32_t samples = 1;
    uint32_t layers = 1;  ///< the fewest of all attachments

    /// Selects the layer to draw to.
    void select(uint32_t number);
};

/// errors  InvalidState: a texture of another device, a level or layer that does not exist,
///         different sample counts
Result<Targets> open_targets(const raster::Framebuffer& framebuffer);

/// Clears all layers of the attachments.
void clear_targets(Targets targets, const raster::ClearInfo& info);

}  // namespace valkyr::reference
