// Double arithmetic: computes operations on doubles with those of the host.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "valhall/isa/double_op.hpp"

#include <array>
#include <cstdint>
#include <span>

namespace valkyr::valhall {

/// The result words of an operation, the second one 0 if it has only one. The host must round to
/// nearest even and keep subnormals, as it does by default.
/// sources  as many words as double_op_info(op) says
VALKYR_API std::array<uint32_t, 2> compute_double(DoubleOp op, std::span<const uint32_t> sources);

}  // namespace valkyr::valhall
