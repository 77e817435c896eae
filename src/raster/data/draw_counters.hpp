// Draw counters: hold the counts of one worker for draws that are recorded while queries are open.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// Counters of one worker for the draws of a CounterBlock, on a cache line of their own.
struct alignas(64) DrawCounters {
    uint64_t samples_passed = 0;
    uint64_t fragments = 0;
    uint64_t vertices = 0;
    uint64_t clip_input = 0;
    uint64_t clip_output = 0;
    /// Primitives that geometry programs made, by stream.
    std::array<uint64_t, exec::kMaxStreams> emitted{};
};

}  // namespace valkyr::raster
