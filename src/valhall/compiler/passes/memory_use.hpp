// What an instruction does with memory behind addresses.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/ir.hpp"

#include <cstdint>

namespace valkyr::valhall::ir {

/// Atomic operations count as stores. Texture, varying and tile messages do not count.
enum class MemoryUse : uint8_t { None, Load, Store };

MemoryUse memory_use(Op op);

}  // namespace valkyr::valhall::ir
