// Terminal: says whether a stream of this process is a screen, and how wide.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>

namespace valkyr::app {

/// The place where a stream ends.
struct Terminal {
    /// A terminal that obeys escape sequences: no file, no pipe, and TERM is neither dumb nor
    /// missing.
    bool screen = false;
    size_t columns = 80;
};

Terminal terminal_of(std::FILE* stream);

}  // namespace valkyr::app
