// Terminal: says whether a stream of this process is a screen, and how wide.
// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdio>

namespace valkyr::app {

/// The device behind a stream.
struct Terminal {
    /// The stream is a terminal that understands escape sequences: TERM is set and not "dumb".
    bool screen = false;
    size_t columns = 80;
};

Terminal terminal_of(std::FILE* stream);

}  // namespace valkyr::app
