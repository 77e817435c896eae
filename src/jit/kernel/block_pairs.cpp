// Pixel-block pairs: decides which fragment kernels shade two pixel blocks in step.
// SPDX-License-Identifier: MIT
#include "jit/kernel/block_pairs.hpp"

#include "exec/entry_registers.hpp"
#include "jit/expand/fragment/inline_position.hpp"
#include "jit/kernel/loop_latency.hpp"
#include "jit/kernel/straight.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace {

bool knows_one_warp(const Step& step) {
    return may_call(step) || is_cross_lane(step.instr.op);
}

bool has_constant_color(const Step& step) {
    return step.message.expansion == Expansion::BlendConstant;
}

}  // namespace

bool shades_pairs(const KernelSource& source, const FlowFacts& facts, const HostTraits& traits) {
    const exec::FragmentKey* key = source.key.fragment;
    if (traits.lanes != exec::kLanes || !expands_fragment(source) || key->samples != 1 ||
        key->per_sample || facts.entry_live.has(exec::kPixelRegister))
        return false;
    const std::vector<Step>& steps = source.program.steps;
    return std::ranges::none_of(steps, has_constant_color) && loops_wait(source.program) &&
           std::ranges::none_of(steps, knows_one_warp);
}

}  // namespace valkyr::jit
