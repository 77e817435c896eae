// HTML: escapes text for HTML pages and XML files.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace valkyr::app {

/// The text with the characters that mean something in HTML, quotes included, as entities, and
/// control characters, which XML forbids, as '?'.
std::string html_escaped(std::string_view text);

}  // namespace valkyr::app
