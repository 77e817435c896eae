// Demo arguments: reads and obeys the options that `valkyr demo` and `valkyr view` share.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/debug/log/log_argument.hpp"
#include "app/demo/demo_window.hpp"

#include <string>

namespace valkyr::app {

struct PictureArguments {
    bool headless = false;
    bool stats = false;
    uint32_t first = 0;   ///< number of the first frame
    uint32_t frames = 0;  ///< 0 = until the window closes; headless: 1
    std::string size = "640x480";
    std::string output;
    std::string keys;
    std::string screenshot;
    double angle = 0;  ///< degrees
    double tilt = 0;
    double zoom = 1;
    debug::TrapOptions trap;
    LogOptions log;
    DrawMode mode;
};

/// Adds the options; `arguments` must outlive the parsing.
void add_picture_arguments(Command command, PictureArguments& arguments);

/// Shows exhibits in a window, or writes pictures of the current one.
/// name     of the command, for messages
/// returns  the exit code
int show_exhibits(std::vector<Exhibit> exhibits,
                  size_t current,
                  const PictureArguments& arguments,
                  const std::string& name);

}  // namespace valkyr::app
