// Planning: makes all decisions about a kernel that precede the emission of code.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/kernel_plan.hpp"
#include "jit/guest/flow_analysis.hpp"
#include "jit/host/host_assembler.hpp"
#include "jit/recompiler.hpp"

namespace valkyr::jit {

/// Host code for a listing has no second loop, which would only repeat the first.
/// If source.cancellation is requested, the plan may be incomplete: do not emit code from it.
KernelPlan plan_kernel(const KernelSource& source,
                       const FlowFacts& facts,
                       const HostTraits& traits,
                       const RecompileOptions& options);

}  // namespace valkyr::jit
