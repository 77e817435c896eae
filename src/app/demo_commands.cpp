// Demo commands: the table of subcommands of valkyr-demo, which builds faster than valkyr.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"

namespace valkyr::app {

std::span<const AddCommand> commands() {
    static constexpr AddCommand kCommands[] = {add_demo_command, add_view_command,
                                               add_info_command};
    return kCommands;
}

}  // namespace valkyr::app
