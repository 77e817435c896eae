// Color argument: reads --color.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"

namespace valkyr::app {

namespace {

constexpr Choice<ColorChoice> kChoices[] = {
    {"auto", ColorChoice::Auto}, {"always", ColorChoice::Always}, {"never", ColorChoice::Never}};

}  // namespace

void add_color_argument(Command command, ColorChoice& choice) {
    command.choice("--color", choice, kChoices,
                   "Colours (auto: on a terminal without NO_COLOR): auto, always or never");
}

}  // namespace valkyr::app
