// Rejections: names the instructions that decode but have no meaning.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <string_view>

namespace valkyr::valhall {

/// The reason why this instruction has no adopted meaning although it decodes ("the combine mode
/// lowbits has no known meaning"); empty if it can be executed. The interpreter refuses programs
/// with such instructions, and the validator reports them as rule V10.
std::string_view reject_reason(const Instr& instr);

}  // namespace valkyr::valhall
