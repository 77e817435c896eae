// Layout: prints the listings side by side, the current instruction marked in each.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/debugger.hpp"

namespace valkyr::debug {

struct LayoutOptions {
    size_t width = 160;  ///< characters of the terminal
    size_t rows = 13;
    bool color = false;  ///< ANSI colours
};

/// GLSL if it is known and the terminal is wide enough, TGSI text, Valhall words and host code
/// around the next instruction. "=>" marks it, "~>" the line of GLSL where it may come from, "|"
/// other rows of its source line, "*" breakpoints.
std::string side_by_side(const Debugger& debugger, const LayoutOptions& options);

/// One line about the next instruction: "step 12 of 80, line 7, word 12: FADD.f32 r0, ...". In
/// work-groups of several warps it names the warp, and says if it waits or has ended. A second line
/// shows the line of GLSL.
std::string place_line(const Debugger& debugger);

/// "line 7, word 12": the next instruction of a warp.
std::string next_word_text(const Debugger& debugger, uint32_t warp);
/// "is ready", "has ended", "waits at the barrier of line 12".
std::string state_text(const WarpPlace& place);
/// "the barrier of line 12", "the barriers of lines 12 and 20".
std::string barriers_text(const std::vector<uint32_t>& lines);

/// Lines of one listing, numbered, marked as above. `first` is a line (1-based) or a word.
std::string glsl_lines(const Debugger& debugger, uint32_t first, uint32_t count);
std::string source_lines(const Debugger& debugger, uint32_t first, uint32_t count);
std::string word_lines(const Debugger& debugger, uint32_t first, uint32_t count);
/// The host instructions of one word.
std::string host_lines(const Debugger& debugger, uint32_t word);

}  // namespace valkyr::debug
