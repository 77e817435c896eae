// A scene with the device, targets and picture it is drawn to, and the window that shows it.
// SPDX-License-Identifier: MIT
#pragma once

#include "image_io.hpp"
#include "scene.hpp"

#include <memory>
#include <string_view>

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

/// What a window shows, and with what; keys change it.
struct DemoSettings {
    const examples::SceneInfo* scene = nullptr;
    raster::DeviceOptions device;
    uint32_t width = 640;
    uint32_t height = 480;
};

/// The keys of the window, a line each.
std::string_view window_keys();

/// Shows a scene until the window is closed, or for `frames` frames if not 0. The title has the
/// scene, frames a second, engine and threads. A window of another size gets pictures of that size.
/// errors  System: no display; whatever the device or a scene refuses
Result<void> run_window(DemoSettings settings, double seconds_per_frame, uint32_t frames);

}  // namespace valkyr::tools
