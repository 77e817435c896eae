// Draw builder: turns the API state of a draw into a DrawRecord in the pass.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/pipeline.hpp"
#include "raster/state_groups.hpp"

#include <cstdint>

namespace valkyr::raster {

/// The pass and the device that a draw is built for.
struct BuildContext {
    Pass* pass = nullptr;
    const DeviceTag* owner = nullptr;
    uint64_t tls = 0;                         ///< for uniform prologues
    DrawCounters* counters = nullptr;         ///< counters of open queries
    bool count_samples = false;               ///< some of them count samples
    bool leave_out_hidden = true;             ///< DeviceOptions::hierarchical_z
    bool count_killed = false;                ///< DeviceOptions::count_killed
    exec::LoopWatch* watch = nullptr;         ///< the device's
    const StateVersions* versions = nullptr;  ///< of the state that draws are built with
};

/// Builds the record of a draw with validated state (device/validate.hpp) in the pass's arena, from
/// that of the pipeline's last draw of the pass and what has other versions since. It is not yet
/// one of the pass's draws; if it shall never be one, the pass is reset before the next is built.
/// errors  Unsupported, OutOfRange, System: a kernel, a view or a sampler cannot be made
Result<DrawRecord*>
build_draw(const BuildContext& context, const DrawState& state, const DrawInfo& info);

}  // namespace valkyr::raster
