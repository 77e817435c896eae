// GLSL condition: evaluates the expression of an #if.
// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>

namespace valkyr::debug {

/// Whether the expression is not 0; false if it is none. Macros are expanded already; other
/// identifiers are 0 (GLSL 4.60 section 3.3).
bool condition_holds(std::span<const std::string> words);

}  // namespace valkyr::debug
