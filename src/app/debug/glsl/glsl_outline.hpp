// GLSL outline: finds the functions, the storage and the constants of a GLSL text.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/glsl/glsl_tokens.hpp"

#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>

namespace valkyr::debug {

using GlslTokens = std::span<const GlslToken>;

/// The position of the bracket that closes the one at `at`, or the end.
size_t closing_bracket(GlslTokens tokens, size_t at);

/// The functions and the names of global storage of a text.
struct GlslOutline {
    std::map<std::string, GlslTokens, std::less<>> functions;  ///< bodies, without their brackets
    std::set<std::string, std::less<>> names;
    std::map<std::string, GlslTokens, std::less<>> constants;  ///< values of other globals
    std::map<std::string, std::string, std::less<>> blocks;  ///< names of blocks by their instances
};

/// The outline refers to the tokens. Damaged texts have less in it.
GlslOutline outline_of(GlslTokens tokens);

}  // namespace valkyr::debug
