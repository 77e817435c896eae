// Error check: errors of a parser lie within its text and can be shown.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/check.hpp"
#include "base/result.hpp"

#include <algorithm>
#include <string_view>
#include <vector>

namespace valkyr::fuzz {

/// Aborts if an error has a place outside of the text that it is about, or no readable text.
/// first  the least line and column: 0 where an error may be one of the whole text
inline void check_errors(const std::vector<Error>& errors, std::string_view text, size_t first) {
    const auto lines = static_cast<size_t>(std::count(text.begin(), text.end(), '\n')) + 1;
    for (const Error& error : errors) {
        VALKYR_CHECK(error.pos.line >= first && error.pos.line <= lines);
        VALKYR_CHECK(error.pos.column >= first && error.pos.column <= text.size() + 1);
        VALKYR_CHECK(!error.text.empty() && error.text.size() < 2000);
    }
}

}  // namespace valkyr::fuzz
