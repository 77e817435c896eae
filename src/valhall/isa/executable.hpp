// Rejections: names the instructions that decode but have no meaning.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <string_view>

namespace valkyr::valhall {

/// Why this instruction has no adopted meaning although it decodes ("the combine mode lowbits has
/// no known meaning"); empty if it can be executed. The interpreter refuses programs by it and the
/// validator reports it as rule V10.
std::string_view reject_reason(const Instr& instr);

}  // namespace valkyr::valhall
