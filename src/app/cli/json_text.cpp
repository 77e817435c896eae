// JSON text: writes strings as JSON does.
// SPDX-License-Identifier: MIT
#include "app/cli/json_text.hpp"

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

}  // namespace valkyr::app
