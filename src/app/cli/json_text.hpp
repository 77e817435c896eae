// JSON text: writes strings as JSON does.
// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace valkyr::app {

/// The text in double quotes, with quotes, backslashes and control characters escaped (RFC 8259
/// section 7).
std::string json_quoted(std::string_view text);

}  // namespace valkyr::app
