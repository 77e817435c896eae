// Demo target: draws a scene on its own device into pictures, and measures each frame.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/log/log_points.hpp"
#include "app/debug/trap/trap_log.hpp"
#include "app/demo/override_device.hpp"
#include "examples/image_io.hpp"
#include "examples/picture_target.hpp"
#include "examples/scene.hpp"
#include "raster/device/record_timeline.hpp"

#include <functional>
#include <memory>
#include <string>

namespace valkyr::app {

/// A scene from the list, or a model from a file.
struct Exhibit {
    std::string name;  ///< base name of saved files
    std::string title;
    std::function<Result<std::unique_ptr<examples::Scene>>(raster::Device&)> create;
    uint32_t samples = 1;
    raster::Format depth = raster::Format::D32_FLOAT;
};

Exhibit exhibit_of(const examples::SceneInfo& info);

/// How frames are drawn, apart from the scene's own choices.
struct DrawMode {
    raster::DeviceOptions device;
    uint32_t width = 640;
    uint32_t height = 480;
    uint32_t samples = 0;  ///< 0: the exhibit's default
    Overrides overrides;
    bool tiles = false;               ///< shows the tiles, coloured by the time they took
    debug::TrapLog* trap = nullptr;   ///< set: the interpreter draws, and the log gets findings
    debug::LogPoints* log = nullptr;  ///< set: lines of log points are printed
};

/// Figures of one frame. Times are in milliseconds.
struct FrameFigures {
    double record_ms = 0;  ///< the scene's own calls
    double front_ms = 0;   ///< vertices to bins, summed over the workers
    double tiles_ms = 0;   ///< pixels, summed over the workers
    double frame_ms = 0;   ///< the whole frame, including reading the picture back
    raster::Statistics statistics;
};

class DemoTarget {
public:
    /// errors  those of the device and the scene
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

/// Replaces fragment counts (1 / kOverdrawSteps each) with colours: black, blue, green, yellow,
/// red, white.
void color_overdraw(examples::Image& image);

/// Draws the borders of all tiles and tints each tile from blue to red, by its time relative to the
/// slowest tile.
void color_tiles(examples::Image& image, const raster::Timeline& timeline);

}  // namespace valkyr::app
