// History lines: says what an entry of a history has, as labels and texts.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::debug {

/// A line of an entry, as in "blend    off".
struct Line {
    std::string_view label;
    std::string text;
};

/// "gears.trace, frame 2: resource 1, texel 150,150 (B8G8R8X8_UNORM, 300x300)".
std::string title_text(const History& history);

/// The fate of the texel, the reasons, and the command that opens the debugger.
/// sample  the only one to show of a texel with several; none: all of them
std::vector<Line>
entry_lines(const History& history, const Entry& entry, std::optional<uint32_t> sample);

/// The draws that left the texel out, counted by the reason.
std::vector<std::string> count_lines(const History& history);

}  // namespace valkyr::debug
