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
                   "When to use colours; auto: on a terminal, unless NO_COLOR is set");
}

}  // namespace valkyr::app
