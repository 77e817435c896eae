// SSA passes: lists the passes on SSA in their order.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/passes/passes.hpp"

#include <string_view>

namespace valkyr::valhall {

struct SsaPass {
    std::string_view name;
    void (*run)(ir::Function&);
};

/// Passes on SSA, in their order. value_numbering runs before convert_ifs, which converts short
/// branches only; fuse_compares runs after it, since it fuses the selects that convert_ifs makes.
inline constexpr SsaPass kSsaPasses[] = {
    {"forward_stores", ir::forward_stores},     {"remove_dead", ir::remove_dead},
    {"fold_constants", ir::fold_constants},     {"propagate_copies", ir::propagate_copies},
    {"value_numbering", ir::number_values},     {"convert_ifs", ir::convert_ifs},
    {"fuse_modifiers", ir::fuse_modifiers},     {"fuse_compares", ir::fuse_compares},
    {"remove_dead", ir::remove_dead},           {"trim_results", ir::trim_results},
    {"hoist_invariants", ir::hoist_invariants},
};

}  // namespace valkyr::valhall
