// Draw log: notes draws while a scene or a trace is played.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/scene_capture.hpp"
#include "app/debug/session/shader_texts.hpp"
#include "raster/device.hpp"

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::debug {

/// One draw call.
struct LoggedDraw {
    raster::DrawState state;  ///< keeps its resources alive
    StageTexts shaders;
    raster::Primitive primitive = raster::Primitive::Triangles;
    uint32_t vertices = 0;  ///< or indices; 0: a buffer says how many
    uint32_t instances = 1;
    uint32_t patch_vertices = 0;
    uint32_t width = 0;  ///< of the framebuffer
    uint32_t height = 0;
};

/// The draws of a played scene or trace, over all its devices, counted from 0.
class DrawLog {
public:
    /// Called when a draw has been executed; memory is as the draw left it.
    using AfterDraw = std::function<void(DrawLog&)>;

    /// Devices ignore all commands behind draw `last`.
    DrawLog(const Target& target, uint64_t last, AfterDraw after_draw = nullptr)
        : capture(target)
        , last_(last)
        , after_draw_(std::move(after_draw)) {}

    /// Makes a device for the player.
    using MakeDevice = std::function<Result<std::unique_ptr<raster::Device>>()>;
    /// Called around the frame that is played.
    struct FrameHooks {
        /// repeats  the player can draw the frame again
        std::function<void(bool repeats)> begin;
        std::function<bool()> end;  ///< whether to draw the frame again
        /// The draws of the frame, where devices do not log them.
        std::function<uint32_t()> draws;
    };

    /// Names a texture, the `number`th that the player's devices have created (from 0).
    using NameTexture = std::function<std::string(const raster::Texture& texture, uint32_t number)>;

    SceneCapture capture;  ///< kernel tap of the devices
    std::vector<LoggedDraw> draws;
    bool counting = true;      ///< false: draws are executed but not logged
    bool shown = true;         ///< false: a trace ended before it had presented the frame
    MakeDevice make_device;    ///< empty: devices count draws (counting_device.hpp)
    FrameHooks frame;          ///< functions may be empty
    NameTexture name_texture;  ///< set by players that know names, for the time of the playback

    [[nodiscard]] bool stopped() const { return draws.size() > last_; }
    void frame_begins(bool repeats) const {
        if (frame.begin)
            frame.begin(repeats);
    }
    /// Returns whether the frame shall be drawn again.
    [[nodiscard]] bool frame_ends() const { return frame.end && frame.end(); }
    [[nodiscard]] bool has_draws() const {
        return frame.draws ? frame.draws() > 0 : !draws.empty();
    }
    void draw_done() {
        if (after_draw_)
            after_draw_(*this);
    }

private:
    uint64_t last_;
    AfterDraw after_draw_;
};

}  // namespace valkyr::debug
