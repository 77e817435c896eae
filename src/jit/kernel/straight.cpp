// Straight kernels: says which programs call no routine and have one basic block.
// SPDX-License-Identifier: MIT
#include "jit/kernel/straight.hpp"

#include "jit/expand/fragment/blend_choice.hpp"
#include "jit/expand/fragment/inline_varying.hpp"
#include "jit/expand/fragment/trim.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Op;

bool may_call(const KernelSource& source, const valhall::Instr& instr) {
    switch (instr.op) {
    case Op::ATEST: return !passes_coverage(source, instr);
    case Op::BLEND: return !expands_blend(source, instr);
    default:
        return !valhall::is_alu(valhall::op_info(instr.op).unit) && !expands_varying(source, instr);
    }
}

bool is_straight(const KernelSource& source) {
    const std::vector<Step>& steps = source.program.steps;
    return source.program.blocks.size() == 1 &&
           std::none_of(steps.begin(), steps.end(),
                        [&](const Step& step) { return may_call(source, step.instr); });
}

}  // namespace valkyr::jit
