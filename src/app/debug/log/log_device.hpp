// Log device: draws with log points, and knows which draw their lines belong to.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/work_device.hpp"
#include "app/debug/log/log_tap.hpp"

#include <map>
#include <memory>

namespace valkyr::debug {

/// Counts draws and dispatches. Those that a log point may be about run alone, and their matching
/// shaders in the interpreter; all else runs as on any device with one thread.
class LogDevice final : public app::WorkDevice {
public:
    LogDevice(std::shared_ptr<LogTap> tap,
              std::unique_ptr<raster::Device> inside,
              LogPoints& points)
        : WorkDevice(std::move(inside))
        , tap_(std::move(tap))
        , points_(points) {}
    /// points   outlive the device
    /// options  of the device; the log chooses the threads, and draws may take any time
    /// errors   those of gpu::create_device
    static Result<std::unique_ptr<raster::Device>> create(LogPoints& points,
                                                          raster::DeviceOptions options);

    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;
    Result<raster::PipelineRef> create_pipeline(const raster::PipelineDesc& desc) override;
    Result<raster::ComputePipelineRef>
    create_compute_pipeline(const raster::ComputePipelineDesc& desc) override;

private:
    Result<void> work(const Work& work, const DoWork& do_work) override;
    void describe(TappedWork& tapped, const Work& work) const;

    std::shared_ptr<LogTap> tap_;
    LogPoints& points_;
    ShaderTexts texts_;
    std::map<raster::ComputePipelineRef, raster::ShaderRef> compute_;
};

}  // namespace valkyr::debug
