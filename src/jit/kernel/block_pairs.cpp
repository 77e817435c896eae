// Pixel-block pairs: decides which fragment kernels shade two pixel blocks in step.
// SPDX-License-Identifier: MIT
#include "jit/kernel/block_pairs.hpp"

#include "exec/entry_registers.hpp"
#include "jit/expand/fragment/inline_blend_constant.hpp"
#include "jit/expand/fragment/inline_depth.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/kernel/loop_latency.hpp"
#include "jit/kernel/straight.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace {

bool knows_one_warp(const KernelSource& source, const Step& step) {
    return may_call(source, step.instr) || is_cross_lane(step.instr.op);
}

}  // namespace

bool shades_pairs(const KernelSource& source, const FlowFacts& facts, const HostTraits& traits) {
    const exec::FragmentKey* key = source.key.fragment;
    if (traits.lanes != exec::kLanes || !expands_fragment(source) || key->samples != 1 ||
        key->per_sample || facts.entry_live.has(exec::kPixelRegister))
        return false;
    if (key->zs.early && !expands_depth_test(source))
        return false;
    for (unsigned target = 0; target < exec::kMaxRenderTargets; ++target)
        if (has_constant_color(source, target))
            return false;
    const std::vector<Step>& steps = source.program.steps;
    return loops_wait(source.program) &&
           std::none_of(steps.begin(), steps.end(),
                        [&](const Step& s) { return knows_one_warp(source, s); });
}

}  // namespace valkyr::jit
