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

/// The pass and the device options that a draw is built with.
struct BuildContext {
    Pass* pass = nullptr;
    const DeviceTag* owner = nullptr;
    uint64_t tls = 0;                         ///< thread-local storage for uniform prologues
    DrawCounters* counters = nullptr;         ///< counters of open queries
    bool count_samples = false;               ///< some of the open queries count samples
    bool leave_out_hidden = true;             ///< DeviceOptions::hierarchical_z
    bool count_killed = false;                ///< DeviceOptions::count_killed
    exec::LoopWatch* watch = nullptr;         ///< watch of the device
    const StateVersions* versions = nullptr;  ///< versions of the draw's state
};

/// Builds the record of a draw with validated state (device/validate.hpp) in the pass's arena.
/// Parts whose state has not changed since the pipeline's last draw of the pass are shared with
/// that draw. The caller adds the record to the pass's draws; if it does not, it must reset the
/// pass before it builds another draw.
/// errors  Unsupported, OutOfRange, System: a kernel, a view or a sampler cannot be made
Result<DrawRecord*>
build_draw(const BuildContext& context, const DrawState& state, const DrawInfo& info);

}  // namespace valkyr::raster
