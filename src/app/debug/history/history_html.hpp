// History HTML: shows a pixel's history as one page.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/history/history.hpp"

#include <optional>
#include <string>

namespace valkyr::debug {

/// A page that needs no other file: the entries in order, with the colour before and after, and
/// details that fold.
/// sample  the only one to show of a texel with several; none: all of them
std::string history_html(const History& history, std::optional<uint32_t> sample);

}  // namespace valkyr::debug
