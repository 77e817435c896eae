// A scene with the device, targets and picture it is drawn to, and the window that shows it.
// SPDX-License-Identifier: MIT
#pragma once

#include "image_io.hpp"
#include "scene.hpp"

#include <memory>

namespace valkyr::tools {

/// Owns a device, a colour and a depth target, and a scene; renders frames into image().
class DemoTarget {
public:
    /// errors  whatever the device or the scene refuses
    static Result<std::unique_ptr<DemoTarget>> create(const examples::SceneInfo& scene,
                                                      const raster::DeviceOptions& options,
                                                      uint32_t width,
                                                      uint32_t height);

    /// Draws the frame at `seconds`, waits for it and reads it back.
    Result<void> render(double seconds);
    /// The picture of the last frame.
    [[nodiscard]] const examples::Image& image() const { return image_; }

private:
    std::unique_ptr<raster::Device> device_;
    std::unique_ptr<examples::Scene> scene_;
    raster::Framebuffer framebuffer_;
    examples::Image image_;
};

/// Shows the scene until the window is closed, or for `frames` frames if not 0. Keys: Escape or Q
/// quits, space pauses. errors  System: no display
Result<void> run_window(DemoTarget& target, double seconds_per_frame, uint32_t frames);

}  // namespace valkyr::tools
