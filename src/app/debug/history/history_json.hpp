// History JSON: writes a pixel's history for programs.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <optional>
#include <string>

namespace valkyr::debug {

/// One object with all that history_text() says, numbers as numbers; one that JSON has no number
/// for is null. docs/guide/pixel-history.md names the members.
/// sample  the only one to show of a texel with several; none: all of them
std::string history_json(const History& history, std::optional<uint32_t> sample);

}  // namespace valkyr::debug
