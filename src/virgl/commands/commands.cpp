// Commands: holds the table of commands.
// SPDX-License-Identifier: MIT
#include "virgl/commands/commands.hpp"

#include <array>

namespace valkyr::virgl {

const CommandRow* command_row(uint32_t header) {
    static constexpr auto kRows = [] {
        std::array<CommandRow, 64> rows{};
#define VALKYR_VIRGL_COMMAND(number, name, least, most, function)                                  \
    rows[number] = {#name, least, most, function};
#define VALKYR_VIRGL_NO_EFFECT(number, name, least, most)                                          \
    rows[number] = {#name, least, most, nullptr};
#include "virgl/commands/commands.inc"
#undef VALKYR_VIRGL_COMMAND
#undef VALKYR_VIRGL_NO_EFFECT
        return rows;
    }();
    const uint32_t number = header & 0xFF;
    return number < kRows.size() && kRows[number].name != nullptr ? &kRows[number] : nullptr;
}

std::string command_name(uint32_t header) {
    const CommandRow* row = command_row(header);
    return row != nullptr ? row->name : "command " + std::to_string(header & 0xFF);
}

}  // namespace valkyr::virgl
