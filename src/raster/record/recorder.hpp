// Recording: a draw's API state becomes a DrawRecord in the pass.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/record/pass.hpp"
#include "raster/record/pipeline.hpp"

#include <cstdint>

namespace valkyr::raster {

/// What recording needs beside the state.
struct RecordContext {
    Pass* pass = nullptr;
    const DeviceTag* owner = nullptr;
    uint64_t tls = 0;                  ///< for uniform prologues
    DrawCounters* counters = nullptr;  ///< of open queries
    bool count_samples = false;        ///< some of them count samples
    bool leave_out_hidden = true;      ///< DeviceOptions::hierarchical_z
    bool count_killed = false;         ///< DeviceOptions::count_killed
    exec::LoopWatch* watch = nullptr;  ///< of the device
};

/// Records a draw with validated state (validate.hpp). It is in the pass's arena but not yet one of
/// the pass's draws.
/// errors  what making a kernel, a view or a sampler reports
Result<DrawRecord*>
record_draw(const RecordContext& context, const DrawState& state, const DrawInfo& info);

}  // namespace valkyr::raster
