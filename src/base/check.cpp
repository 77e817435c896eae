// Checks: prints a failed VALKYR_CHECK and aborts.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"

#include <cstdio>
#include <cstdlib>

namespace valkyr {

void check_failed(const char* file, int line, const char* text) noexcept {
    std::fprintf(stderr, "%s:%d: internal error: %s\n", file, line, text);
    std::abort();
}

}  // namespace valkyr
