// HTML: escapes text for HTML pages and XML files.
// SPDX-License-Identifier: MIT
#include "app/cli/html.hpp"

namespace valkyr::app {

std::string html_escaped(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    for (const char c : text) {
        switch (c) {
        case '&': out += "&amp;"; break;
        case '<': out += "&lt;"; break;
        case '>': out += "&gt;"; break;
        case '"': out += "&quot;"; break;
        default: out += static_cast<unsigned char>(c) < 32 && c != '\n' && c != '\t' ? '?' : c;
        }
    }
    return out;
}

}  // namespace valkyr::app
