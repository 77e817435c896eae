// Commands: declares the table of stream commands: name, payload lengths, function.
// SPDX-License-Identifier: MIT
#pragma once

#include "virgl/commands/context.hpp"
#include "virgl/protocol/protocol.hpp"
#include "virgl/protocol/words.hpp"

#include <cstdint>
#include <string>

namespace valkyr::virgl {

/// A command's payload and, for commands on objects, the object type from its header.
struct Command {
    ObjectType type = ObjectType::None;
    Words words;
};

struct CommandRow {
    const char* name;
    uint32_t least;  ///< words of payload
    uint32_t most;
    /// Null: the command has no effect. errors  malformed: the client broke the protocol
    Result<void> (*execute)(Context&, const Command&);
};

/// The row of the command that a header names, or null.
const CommandRow* command_row(uint32_t header);
/// "DRAW_VBO", or "command 99".
std::string command_name(uint32_t header);

inline constexpr uint32_t kAnyLength = 0xFFFF;

#define VALKYR_VIRGL_COMMAND(number, name, least, most, function)                                  \
    Result<void> function(Context& context, const Command& command);
#define VALKYR_VIRGL_NO_EFFECT(number, name, least, most)
#include "virgl/commands/commands.inc"
#undef VALKYR_VIRGL_COMMAND
#undef VALKYR_VIRGL_NO_EFFECT

}  // namespace valkyr::virgl
