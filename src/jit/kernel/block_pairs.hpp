// Pixel-block pairs: decides which fragment kernels shade two pixel blocks in step.
// SPDX-License-Identifier: MIT
//
// A loop that waits for its own results leaves half of the machine idle, and so does a warp in
// front of an atomic. With a second block in other host registers (as a second part of every
// value), both take hardly longer than one. Blocks 2n and 2n + 1 of a tile are neighbours, also in
// memory, so expansions find the second block's lanes where a wider warp would have them.
#pragma once

#include "jit/guest/kernel_source.hpp"
#include "jit/host/host_assembler.hpp"

namespace valkyr::jit {

/// Whether a kernel shades pairs of blocks. A register must hold a whole warp, targets have one
/// sample, and latency bounds the loops or the atomics. The program must have no operation for a
/// single warp: no calls or cross-lane operations.
bool shades_pairs(const KernelSource& source, const HostTraits& traits);

}  // namespace valkyr::jit
