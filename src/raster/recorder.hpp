// Recording: a draw's API state becomes a DrawRecord in the pass.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "raster/device.hpp"
#include "raster/pass.hpp"
#include "raster/pipeline.hpp"

#include <cstdint>

namespace valkyr::raster {

/// What recording needs beside the state.
struct RecordContext {
    Pass* pass = nullptr;
    const DeviceTag* owner = nullptr;
    uint64_t tls = 0;  ///< for uniform prologues
};

/// Appends a draw with validated state (validate.hpp) to the pass.
/// errors  what making a kernel, a view or a sampler reports
Result<void>
record_draw(const RecordContext& context, const DrawState& state, const DrawInfo& info);

}  // namespace valkyr::raster
