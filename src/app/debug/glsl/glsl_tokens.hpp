// GLSL tokens: splits a GLSL text into words with their lines, behind its preprocessor.
// SPDX-License-Identifier: MIT
//
// Enough of GLSL 4.60 chapter 3 to follow a text that Mesa has compiled: comments, continued lines,
// #define, #undef and conditions. Unknown directives are skipped; a damaged text ends early.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// An identifier, a number or a sign.
struct GlslToken {
    std::string text;
    uint32_t line = 0;  ///< from 1; of an expanded macro: where it is used
    [[nodiscard]] bool is(std::string_view other) const { return text == other; }
    [[nodiscard]] bool is_word() const;
    [[nodiscard]] bool is_number() const;
};

/// Most tokens that a text may become. More are left out: macros may grow without end.
inline constexpr size_t kMostGlslTokens = 200'000;

std::vector<GlslToken> glsl_tokens(std::string_view source);

}  // namespace valkyr::debug
