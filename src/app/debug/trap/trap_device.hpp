// Trap device: draws with a trap set, and knows which draw each finding belongs to.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/work_device.hpp"
#include "app/debug/trap/trap_tap.hpp"

#include <memory>

namespace valkyr::debug {

/// Finishes the inner device, which has one thread and runs the interpreter alone, around each draw
/// and dispatch. Pictures are those of any other device.
class TrapDevice final : public app::WorkDevice {
public:
    TrapDevice(std::shared_ptr<TrapTap> tap, std::unique_ptr<raster::Device> inside, TrapLog& log)
        : WorkDevice(std::move(inside))
        , tap_(std::move(tap))
        , log_(log) {}
    /// log      outlives the device
    /// options  of the device; the trap chooses engine and threads, and draws may take any time
    /// errors   those of gpu::create_device
    static Result<std::unique_ptr<raster::Device>> create(TrapLog& log,
                                                          raster::DeviceOptions options);

    Result<raster::ShaderRef> create_shader(std::string_view tgsi_text, std::string name) override;

private:
    Result<void> work(const Work& work, const DoWork& do_work) override;

    std::shared_ptr<TrapTap> tap_;
    TrapLog& log_;
};

}  // namespace valkyr::debug
