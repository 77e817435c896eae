// Color argument: reads --color.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/color.hpp"
#include "app/cli/command_line.hpp"

namespace valkyr::app {

/// Adds --color; `choice` must outlive the parsing.
void add_color_argument(Command command, ColorChoice& choice);

}  // namespace valkyr::app
