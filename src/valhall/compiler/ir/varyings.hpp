// Varyings: translate TGSI semantics into names of slots of a VaryingLayout.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::valhall::lower {

/// The name under which stages find this semantic; none for semantics that are no varyings
/// (POSITION, FACE, PSIZE, ...).
std::optional<exec::VaryingName> varying_name(tgsi::Semantic semantic);

/// The slot of register `index` of a declaration that covers it; none if the layout has no slot.
std::optional<uint32_t>
find_slot(const VaryingLayout& layout, const tgsi::Declaration& declaration, uint32_t index);

}  // namespace valkyr::valhall::lower
