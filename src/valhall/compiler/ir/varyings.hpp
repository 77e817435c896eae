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

/// Whether registers with this semantic belong to a patch, not to its vertices.
bool is_of_patch(tgsi::Semantic semantic);
/// The part of a patch record that has a register's value.
struct PatchPlace {
    uint32_t offset = 0;  ///< bytes
    uint32_t words = 4;   ///< x first
};
/// The place of register `index` of a declaration of a patch; none beyond the last slot.
std::optional<PatchPlace> patch_place(const tgsi::Declaration& declaration, uint32_t index);

}  // namespace valkyr::valhall::lower
