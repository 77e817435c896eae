// Errors: formats an error as one line, as compilers do.
// SPDX-License-Identifier: MIT
#include "base/result.hpp"

namespace valkyr {

std::string Error::format(const std::string& file_name) const {
    std::string out = file_name;
    if (pos.line != 0) {
        out += ":" + std::to_string(pos.line);
        if (pos.column != 0)
            out += ":" + std::to_string(pos.column);
    }
    return out + ": error: " + text;
}

}  // namespace valkyr
