// Targets: read, write and clear the framebuffer's texels, one sample at a time.
// SPDX-License-Identifier: MIT
#include "tests/oracle/targets.hpp"

#include "base/bits.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace valkyr::reference {
namespace {

Error bad_surface(std::string text) {
    return {Errc::InvalidState, {}, std::move(text)};
}

Result<Attachment> open_surface(const raster::Surface& surface, Targets& all, bool& first) {
    if (surface.texture == nullptr)
        return Attachment{};
    auto* texture = dynamic_cast<ReferenceTexture*>(surface.texture.get());
    if (texture == nullptr)
        return bad_surface("a texture of another device is attached");
    if (surface.level >= texture->desc().levels || surface.layer >= texture->slices(surface.level))
        return bad_surface("the attached level or layer does not exist");
    const uint32_t width = texture->width(surface.level);
    const uint32_t height = texture->height(surface.level);
    if (!first && texture->desc().samples != all.samples)
        return bad_surface("attachments differ in their sample counts");
    all.width = first ? width : std::min(all.width, width);
    all.height = first ? height : std::min(all.height, height);
    all.samples = texture->desc().samples;
    const uint32_t layers =
        std::min(surface.layer_count, texture->slices(surface.level) - surface.layer);
    all.layers = first ? layers : std::min(all.layers, layers);
    first = false;
    if (surface.format != exec::Format::None &&
        row(surface.format).block_bytes != texture->texel_bytes())
        return bad_surface("the texels are not as large as those of the attachment's format");
    return Attachment{texture, surface.level, surface.layer, surface.layer, layers, surface.format};
}

/// Visits all samples of an attachment, or of its pixels within a rectangle.
template <typename Write>
void for_each_sample(const Targets& targets,
                     const Attachment& attachment,
                     const std::optional<raster::Rect>& rect,
                     Write write) {
    raster::Rect all{0, 0, static_cast<int32_t>(attachment.texture->width(attachment.level)),
                     static_cast<int32_t>(attachment.texture->height(attachment.level))};
    if (rect)
        all = {std::max(all.x0, rect->x0), std::max(all.y0, rect->y0), std::min(all.x1, rect->x1),
               std::min(all.y1, rect->y1)};
    for (int32_t y = all.y0; y < all.y1; y++)
        for (int32_t x = all.x0; x < all.x1; x++)
            for (uint32_t s = 0; s < targets.samples; s++)
                write(attachment.texel(x, y, s));
}

/// Clears the selected layer.
void clear_layer(const Targets& targets, const raster::ClearInfo& info) {
    for (size_t i = 0; i < targets.color.size(); i++) {
        const Attachment& target = targets.color[i];
        if ((info.color_targets >> i & 1) != 0 && target.texture != nullptr)
            for_each_sample(targets, target, info.rect, [&](uint8_t* texel) {
                encode_texel(target.format(), info.color[i], 0xF, texel);
            });
    }
    const Attachment& zs = targets.depth_stencil;
    if (zs.texture == nullptr)
        return;
    const exec::Format format = zs.format();
    for_each_sample(targets, zs, info.rect, [&](uint8_t* texel) {
        if (info.depth && has_depth(format)) {
            const float depth = std::clamp(info.depth_value, 0.0F, 1.0F);
            store_channel(format, texel, depth_channel(format), encode_depth(format, depth));
        }
        if (info.stencil && has_stencil(format))
            store_channel(format, texel, stencil_channel(format), info.stencil_value);
    });
}

}  // namespace

Result<Targets> open_targets(const raster::Framebuffer& framebuffer) {
    Targets targets;
    bool first = true;
    for (const raster::Surface& surface : framebuffer.color) {
        VALKYR_TRY(attachment, open_surface(surface, targets, first));
        targets.color.push_back(attachment);
    }
    VALKYR_TRY(depth_stencil, open_surface(framebuffer.depth_stencil, targets, first));
    targets.depth_stencil = depth_stencil;
    return targets;
}

void Targets::select(uint32_t number) {
    for (Attachment& attachment : color)
        attachment.layer = attachment.first_layer + number;
    depth_stencil.layer = depth_stencil.first_layer + number;
}

void clear_targets(Targets targets, const raster::ClearInfo& info) {
    for (uint32_t layer = 0; layer < targets.layers; layer++) {
        targets.select(layer);
        clear_layer(targets, info);
    }
}

}  // namespace valkyr::reference
