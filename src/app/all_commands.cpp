// All commands: the table of subcommands of valkyr.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"

namespace valkyr::app {

std::span<const AddCommand> commands() {
    static constexpr AddCommand kCommands[] = {
#define VALKYR_COMMAND(name) add_##name##_command,
#include "app/commands.inc"
#undef VALKYR_COMMAND
    };
    return kCommands;
}

}  // namespace valkyr::app
