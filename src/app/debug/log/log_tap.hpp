// Log tap: runs the kernels that log points ask for by the interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/log/log_watch.hpp"
#include "raster/record/kernel_tap.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace valkyr::debug {

/// The draw or dispatch that runs, with what its programs were made from.
struct TappedWork {
    LogWork work;
    uint64_t serial = 0;  ///< no other draw or dispatch of the tap has it
    StageTexts texts;     ///< of a draw
    std::shared_ptr<const ShaderText> compute;
    const raster::DrawState* draw = nullptr;
    const raster::DispatchState* dispatch = nullptr;
    uint32_t patch_vertices = 0;  ///< raster::DrawInfo::patch_vertices
};

/// The tap of one device with one thread. The log points outlive it; its kernels own it.
class LogTap final : public raster::KernelTap, public std::enable_shared_from_this<LogTap> {
public:
    explicit LogTap(LogPoints& points)
        : points_(points) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;

    /// Kernel calls from now on belong to this work, which some log point allows.
    void begin_work(TappedWork work) {
        work_ = std::move(work);
        work_.serial = ++serial_;
        is_armed_ = true;
    }
    /// Kernel calls from now on run without a look at them.
    void end_work() {
        is_armed_ = false;
        work_ = {};
    }

private:
    class Kernel;

    LogPoints& points_;
    TappedWork work_;
    uint64_t serial_ = 0;
    bool is_armed_ = false;
};

}  // namespace valkyr::debug
