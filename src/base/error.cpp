// Errors: formats an error as one line, as compilers do, and aborts where a result is misused.
// SPDX-License-Identifier: MIT
#include "base/result.hpp"

#include <cstdio>
#include <cstdlib>

namespace valkyr {

void check_failed_value(const Error& error) noexcept {
    std::fprintf(stderr, "internal error: the value of a result that is an error: %s\n",
                 error.text.c_str());
    std::abort();
}

void check_failed_error() noexcept {
    std::fputs("internal error: the error of a result that has a value\n", stderr);
    std::abort();
}

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
