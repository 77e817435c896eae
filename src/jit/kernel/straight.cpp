// Straight kernels: finds programs that have one basic block and call no routine.
// SPDX-License-Identifier: MIT
#include "jit/kernel/straight.hpp"

#include <algorithm>

namespace valkyr::jit {

bool may_call(const Step& step) {
    switch (step.message.expansion) {
    case Expansion::AtestPass:
    case Expansion::BlendOff:
    case Expansion::BlendBytes:
    case Expansion::BlendConstant:
    case Expansion::BlendSmallBytes:
    case Expansion::BlendNumbers:
    case Expansion::Varying: return false;
    default: return !valhall::is_alu(valhall::op_info(step.instr.op).unit);
    }
}

bool is_straight(const GuestProgram& program) {
    return program.blocks.size() == 1 && std::ranges::none_of(program.steps, may_call);
}

}  // namespace valkyr::jit
