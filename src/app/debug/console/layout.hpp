// Layout: prints the three listings side by side, the current instruction marked in each.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"

namespace valkyr::debug {

struct LayoutOptions {
    size_t width = 160;  ///< characters of the terminal
    size_t rows = 13;
    bool color = false;  ///< ANSI colours
};

/// TGSI text, Valhall words and host code around the next instruction. "=>" marks it, "|" marks
/// other rows of its source line, "*" marks breakpoints.
std::string three_columns(const Debugger& debugger, const LayoutOptions& options);

/// One line about the next instruction: "step 12 of 80, line 7, word 12: FADD.f32 r0, ...".
std::string place_line(const Debugger& debugger);

/// Lines of one listing, numbered, marked as above. `first` is a line (1-based) or a word.
std::string source_lines(const Debugger& debugger, uint32_t first, uint32_t count);
std::string word_lines(const Debugger& debugger, uint32_t first, uint32_t count);
/// The host instructions of one word.
std::string host_lines(const Debugger& debugger, uint32_t word);

}  // namespace valkyr::debug
