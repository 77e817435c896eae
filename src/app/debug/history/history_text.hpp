// History text: writes a pixel's history as lines for a terminal.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "app/debug/history/history.hpp"

#include <string>

namespace valkyr::debug {

/// A line on the texture, some lines on each entry, and the value of the pixel.
/// sample  the only one to show of a texel with several; none: all of them
std::string
history_text(const History& history, std::optional<uint32_t> sample, const app::Style& style);

}  // namespace valkyr::debug
