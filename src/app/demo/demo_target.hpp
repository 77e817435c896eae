// A scene with the device and targets it is drawn with: frames become pictures and figures.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/override_device.hpp"
#include "examples/image_io.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"
#include "raster/device/record_timeline.hpp"

#include <functional>
#include <memory>
#include <string>

namespace valkyr::app {

/// Something to show: a scene of the list, or a model from a file.
struct Exhibit {
    std::string name;  ///< of files that are saved
    std::string title;
    std::function<Result<std::unique_ptr<examples::Scene>>(raster::Device&)> create;
    uint32_t samples = 1;
    raster::Format depth = raster::Format::D32_FLOAT;
};

Exhibit exhibit_of(const examples::SceneInfo& info);

/// How frames are drawn, besides what the scene says.
struct DrawMode {
    raster::DeviceOptions device;
    uint32_t width = 640;
    uint32_t height = 480;
    uint32_t samples = 0;  ///< 0: as the exhibit likes it
    Overrides overrides;
    bool tiles = false;  ///< shows the tiles, coloured by the time they took
};

/// Figures of one frame. Times are in milliseconds.
struct FrameFigures {
    double record_ms = 0;  ///< the scene's own calls
    double front_ms = 0;   ///< vertices to bins, summed over the workers
    double tiles_ms = 0;   ///< pixels, summed over the workers
    double frame_ms = 0;   ///< all, with reading the picture back
    raster::Statistics statistics;
};

class DemoTarget {
public:
    /// errors  whatever the device or the scene refuses
    static Result<std::unique_ptr<DemoTarget>> create(const Exhibit& exhibit, const DrawMode& mode);

    /// Draws the frame at `seconds`, waits for it and reads it back.
    Result<void> render(double seconds, const examples::View& view = {});

    /// The picture of the last frame.
    [[nodiscard]] const examples::Image& image() const { return image_; }
    [[nodiscard]] const FrameFigures& figures() const { return figures_; }
    [[nodiscard]] const std::vector<ShaderNote>& shaders() const { return device_->shaders(); }
    [[nodiscard]] uint32_t samples() const { return samples_; }

private:
    Result<void> start_picture();
    void collect_times();

    DrawMode mode_;
    uint32_t samples_ = 1;
    raster::Timeline timeline_;  // outlives the device, which writes to it
    std::unique_ptr<OverrideDevice> device_;
    std::unique_ptr<examples::Scene> scene_;
    examples::PictureTarget target_;
    examples::Image image_;
    FrameFigures figures_;
};

/// Counts of fragments (1 / kOverdrawSteps each) become colours from black over blue, green, yellow
/// and red to white.
void color_overdraw(examples::Image& image);

/// Draws the borders of all tiles and tints each by its share of the slowest one's time: blue to
/// red.
void color_tiles(examples::Image& image, const raster::Timeline& timeline);

}  // namespace valkyr::app
