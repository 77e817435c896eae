// Terminal: says whether a stream of this process is a screen, and how wide.
// SPDX-License-Identifier: MIT
#include "app/cli/terminal.hpp"

#include <cstdlib>
#include <string_view>
#include <sys/ioctl.h>
#include <unistd.h>

namespace valkyr::app {

Terminal terminal_of(std::FILE* stream) {
    Terminal terminal;
    const int descriptor = fileno(stream);
    const char* type = std::getenv("TERM");
    const std::string_view name = type != nullptr ? type : "";
    terminal.screen = isatty(descriptor) != 0 && !name.empty() && name != "dumb";
    winsize size{};
    if (ioctl(descriptor, TIOCGWINSZ, &size) == 0 && size.ws_col != 0)
        terminal.columns = size.ws_col;
    return terminal;
}

}  // namespace valkyr::app
