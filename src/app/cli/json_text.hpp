// JSON text: writes strings as JSON does.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// The text in double quotes, with quotes, backslashes and control characters escaped (RFC 8259
/// section 7).
std::string json_quoted(std::string_view text);
/// Six digits of the number; null if it is infinite or none.
std::string json_number(double number);
/// The texts, which are JSON, in brackets.
std::string json_array(const std::vector<std::string>& items);

}  // namespace valkyr::app
