// Constant division: emits products instead of divisions by constants.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/sequences/sequences.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::valhall::lower {

/// x / d and x % d, as divide_unsigned() has them.
/// returns  nothing if d = 0
std::optional<Division> divide_by_constant(ir::Builder& b, ir::Operand x, uint32_t d);
/// x / d and x % d, as divide_signed() has them.
/// returns  nothing if d = 0 or d = -1
std::optional<Division> divide_by_constant_signed(ir::Builder& b, ir::Operand x, int32_t d);

}  // namespace valkyr::valhall::lower
