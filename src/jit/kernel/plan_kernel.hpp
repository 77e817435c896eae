// Planning: makes all decisions about a kernel that precede the emission of code.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/kernel_plan.hpp"
#include "jit/guest/flow_analysis.hpp"
#include "jit/host/host_assembler.hpp"

namespace valkyr::jit {

/// listed  the host code is for a listing, in which a second loop would only repeat the first
/// If source.cancellation is requested, the plan may be incomplete: do not emit code from it.
KernelPlan plan_kernel(const KernelSource& source,
                       const FlowFacts& facts,
                       const HostTraits& traits,
                       bool listed);

}  // namespace valkyr::jit
