// JSON text: writes strings as JSON does.
// SPDX-License-Identifier: MIT
#include "app/cli/json_text.hpp"

#include <cmath>
#include <fmt/format.h>

namespace valkyr::app {

std::string json_quoted(std::string_view text) {
    constexpr char kDigits[] = "0123456789abcdef";
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            out += '\\';
        if (static_cast<unsigned char>(c) < ' ')
            out += std::string("\\u00") + kDigits[c >> 4] + kDigits[c & 15];
        else
            out += c;
    }
    return out + '"';
}

std::string json_number(double number) {
    return std::isfinite(number) ? fmt::format("{:.6g}", number) : "null";
}

std::string json_array(const std::vector<std::string>& items) {
    return fmt::format("[{}]", fmt::join(items, ", "));
}

}  // namespace valkyr::app
