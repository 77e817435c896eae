// Picture target: owns the framebuffer of a scene and reads its picture.
// SPDX-License-Identifier: MIT
#include "examples/picture_target.hpp"

namespace valkyr::examples {

using namespace raster;

Result<PictureTarget> PictureTarget::create(
    Device& device, uint32_t width, uint32_t height, uint32_t samples, Format depth) {
    PictureTarget target;
    target.width_ = width;
    target.height_ = height;
    TextureDesc desc;
    desc.width = width;
    desc.height = height;
    desc.render_target = true;
    desc.format = Format::R8G8B8A8_UNORM;
    VALKYR_TRY(resolved, device.create_texture(desc));
    TextureRef color = resolved;
    if (samples > 1) {
        desc.kind = TextureKind::Tex2DMs;
        desc.samples = samples;
        VALKYR_TRY(multisampled, device.create_texture(desc));
        color = multisampled;
    }
    desc.format = depth;
    VALKYR_TRY(depth_texture, device.create_texture(desc));
    target.resolved_ = resolved;
    target.framebuffer_.color = {{color}};
    target.framebuffer_.depth_stencil = {depth_texture};
    return target;
}

Result<void> PictureTarget::read(Device& device, Image& image) const {
    const TextureRef& color = framebuffer_.color[0].texture;
    if (color != resolved_) {
        const auto w = static_cast<int32_t>(width_);
        const auto h = static_cast<int32_t>(height_);
        BlitInfo resolve;
        resolve.source = {color, 0, 0, 0, 0, w, h};
        resolve.destination = {resolved_, 0, 0, 0, 0, w, h};
        VALKYR_TRY_VOID(device.blit(resolve));
    }
    image.width = width_;
    image.height = height_;
    image.rgba.resize(size_t{width_} * height_ * 4);
    VALKYR_TRY_VOID(device.finish());
    Box box;
    box.width = width_;
    box.height = height_;
    return device.read_texture(resolved_, 0, box, std::as_writable_bytes(std::span(image.rgba)),
                               size_t{width_} * 4);
}

}  // namespace valkyr::examples
