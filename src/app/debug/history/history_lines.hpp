// History lines: says what an entry of a history has, as labels and texts.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <memory>
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

/// "resource 1, texel 150,150 (B8G8R8X8_UNORM, 300x300)".
std::string place_text(const History& history);
/// The same with what is played in front: "gears.trace, frame 2: resource 1 ...".
std::string title_text(const History& history);
/// "this texel was written by draw 12 of this frame".
std::string writer_text(const History& history);
/// The histories of the texels that an entry took values from.
std::vector<std::shared_ptr<const History>> followed(const Entry& entry);

/// The fate of the texel, the reasons, and the command that opens the debugger.
/// sample  the only one to show of a texel with several; none: all of them
std::vector<Line>
entry_lines(const History& history, const Entry& entry, std::optional<uint32_t> sample);

/// The draws that left the texel out, counted by the reason, and what is not followed.
std::vector<std::string> count_lines(const History& history);

}  // namespace valkyr::debug
