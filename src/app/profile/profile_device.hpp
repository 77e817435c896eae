// Profile device: notes shader texts and marks the draws of a profiled frame.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/work_device.hpp"

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::profile {

/// State that the devices of a playback share.
struct Playback {
    /// Which draws are marked: all, or the one of this number, counted from 0 over all devices.
    bool marks_draws = false;
    std::optional<uint32_t> marked;
    bool counting = false;  ///< draws belong to the frame
    uint32_t draws = 0;     ///< of the frame, so far
    /// Called around a marked draw; everything before it is finished, and the draw itself is when
    /// the second one is called.
    std::function<void(uint32_t draw, const std::string& what)> draw_begins;
    std::function<void(uint32_t draw)> draw_ends;
    std::map<std::string, std::string> texts;  ///< of shaders, by name
};

/// Names of shaders that are taken by another text get a number behind them.
class ProfileDevice final : public app::WorkDevice {
public:
    /// `playback` must outlive the device.
    ProfileDevice(std::unique_ptr<raster::Device> inside, Playback& playback)
        : WorkDevice(std::move(inside))
        , playback_(playback) {}

    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override;

private:
    Result<void> work(const Work& work, const DoWork& do_work) override;
    [[nodiscard]] std::string name_of(const Work& work) const;

    Playback& playback_;
    std::map<raster::PipelineRef, std::string> names_;  ///< "triangles, shader 2"
};

}  // namespace valkyr::profile
