// Played file: the demo, scene or frame of a trace that a command line names.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/debug/glsl/glsl_sources.hpp"
#include "app/debug/session/draw_session.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace valkyr::debug {

struct PlayedArguments {
    std::string input;              ///< a scene file, demo:NAME, or a trace
    std::optional<uint64_t> frame;  ///< of a trace, from 1; none: the last one
    double seconds = 0;             ///< demos: time of the frame
    std::string size = "640x480";   ///< demos: of the picture
};

/// Adds --frame, --time and --size.
void add_played_arguments(app::Command command, PlayedArguments& arguments);

/// A player, and the name of what it plays.
struct Played {
    std::string what;             ///< "demo:cube"; "gears.trace, frame 2"
    std::string whole = "scene";  ///< what contains the draws: "scene", "frame"
    Player play;
    std::optional<uint64_t> frame = std::nullopt;       ///< of a trace, from 1
    std::shared_ptr<const GlslSources> glsl = nullptr;  ///< of a trace that keeps GLSL
};

/// Whether a file is a scene, a demo or a trace.
bool is_played(const std::string& input);

/// errors   of the arguments and of the file
Result<Played> played_file(const PlayedArguments& arguments);

/// Two numbers with a character between them: "640x480", "3,4".
std::optional<std::pair<int32_t, int32_t>> parse_pair(const std::string& text, char between);

}  // namespace valkyr::debug
