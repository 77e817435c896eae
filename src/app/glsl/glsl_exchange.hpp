// GLSL exchange: the files by which a GLSL client gets programs and gives back what became of them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A program that a client links.
struct GlslProgram {
    bool separable = false;          ///< Mesa keeps all its inputs and outputs
    std::vector<std::string> names;  ///< of its sources in the folder; the endings say their stages
};

/// Message lines about one source.
struct GlslMessages {
    size_t source = 0;  ///< its position in the program
    std::string text;   ///< Mesa's information log; its lines name places as "0:LINE(COLUMN): "
};

/// The result of linking one program.
struct LinkedProgram {
    bool linked = false;
    std::vector<GlslMessages> messages;
    std::string interface;   ///< of a linked program (program_interface.hpp)
    size_t texts_begin = 0;  ///< of the TGSI texts that Mesa made meanwhile: text_path()
    size_t texts_end = 0;
};

/// The reply of a client.
struct GlslReply {
    std::string failure;                  ///< why there is no context; empty: there was one
    std::vector<LinkedProgram> programs;  ///< fewer than were asked for: the client has ended
};

/// The name of the source of a program at a position: "3-0.frag".
std::string source_name(size_t program, size_t position, std::string_view ending);

/// The path of a TGSI text in the folder, numbered from 1.
std::string text_path(const std::string& folder, size_t number);

/// errors  System: the file cannot be written
Result<void> write_programs(const std::string& folder, const std::vector<GlslProgram>& programs);
/// errors  System: the file cannot be read
Result<std::vector<GlslProgram>> read_programs(const std::string& folder);

/// Replies grow program by program, so that those before a crash are known.
/// errors  System: the file cannot be written
Result<void> write_failure(const std::string& folder, const std::string& failure);
Result<void> add_linked(const std::string& folder, const LinkedProgram& program);
/// errors  System: there is no reply
Result<GlslReply> read_reply(const std::string& folder);

}  // namespace valkyr::app
