// Pixel-block pairs: decides which fragment kernels shade two pixel blocks in step.
// SPDX-License-Identifier: MIT
//
// A loop that waits for its own results leaves half of the machine idle: with a second block in
// other host registers (as a second part of every value) both take hardly longer than one. Blocks
// 2n and 2n + 1 of a tile are neighbours, also in memory, so that all expansions find the lanes of
// the second one where a wider warp would have them.
#pragma once

#include "jit/guest/flow_analysis.hpp"
#include "jit/guest/kernel_source.hpp"
#include "jit/host/host_assembler.hpp"

namespace valkyr::jit {

/// Whether a kernel shades pairs of blocks: registers hold a whole warp, one sample, loops that are
/// bound by latency, and nothing that knows of one warp only (calls, other lanes, window
/// positions).
bool shades_pairs(const KernelSource& source, const FlowFacts& facts, const HostTraits& traits);

}  // namespace valkyr::jit
