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

bool accesses_row(const Step& step) {
    return step.message.notes_row || step.message.takes_row;
}

bool knows_one_warp(const Step& step) {
    return (may_call(step) && !accesses_row(step)) || is_cross_lane(step.instr.op);
}

/// Whether the host waits for atomics on tiles of images: what follows them in the code of a warp
/// cannot start before them.
bool has_row_atomic(const GuestProgram& program) {
    return program.blocks.size() == 1 && std::ranges::any_of(program.steps, [](const Step& step) {
               return step.message.takes_row && step.message.expansion == Expansion::MemoryAtomic;
           });
}

bool has_constant_color(const Step& step) {
    return step.message.expansion == Expansion::BlendConstant;
}

}  // namespace

bool shades_pairs(const KernelSource& source, const HostTraits& traits) {
    const exec::FragmentKey* key = source.key.fragment;
    if (traits.lanes != exec::kLanes || !expands_fragment(source) || key->samples != 1 ||
        key->per_sample)
        return false;
    const std::vector<Step>& steps = source.program.steps;
    return std::ranges::none_of(steps, has_constant_color) &&
           (loops_wait(source.program) || has_row_atomic(source.program)) &&
           std::ranges::none_of(steps, knows_one_warp);
}

}  // namespace valkyr::jit
