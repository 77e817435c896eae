// Picture target: owns the framebuffer of a scene and reads its picture.
// SPDX-License-Identifier: MIT
#pragma once

#include "examples/image_io.hpp"
#include "raster/device.hpp"

namespace valkyr::examples {

/// A colour target (R8G8B8A8_UNORM) and a depth target, multisampled or not.
class PictureTarget {
public:
    /// errors  those of the device, for sizes and sample counts
    static Result<PictureTarget> create(raster::Device& device,
                                        uint32_t width,
                                        uint32_t height,
                                        uint32_t samples,
                                        raster::Format depth);

    [[nodiscard]] const raster::Framebuffer& framebuffer() const { return framebuffer_; }
    [[nodiscard]] uint32_t width() const { return width_; }
    [[nodiscard]] uint32_t height() const { return height_; }

    /// Resolves the samples (in order with draws), waits for all draws and writes the picture to
    /// `image`.
    Result<void> read(raster::Device& device, Image& image) const;

private:
    uint32_t width_ = 0;
    uint32_t height_ = 0;
    raster::Framebuffer framebuffer_;
    raster::TextureRef resolved_;  ///< the colour target itself, if it has one sample
};

}  // namespace valkyr::examples
