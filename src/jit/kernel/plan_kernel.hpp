// Planning: decides all of a kernel that can be known before code is emitted.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/kernel_plan.hpp"
#include "jit/guest/flow_analysis.hpp"
#include "jit/host/host_assembler.hpp"

namespace valkyr::jit {

/// listed  the host code will be listed: a second copy of the loop would only repeat it
/// If source.cancellation is requested the plan may be incomplete: nobody must emit by it.
KernelPlan plan_kernel(const KernelSource& source,
                       const FlowFacts& facts,
                       const HostTraits& traits,
                       bool listed);

}  // namespace valkyr::jit
