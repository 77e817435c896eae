// Debug arguments: reads the options that choose the warp of `valkyr debug` and `lockstep`.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/debug/session/debugger.hpp"
#include "app/debug/session/played_file.hpp"
#include "app/debug/shader/shader_textures.hpp"
#include "app/eval/eval_groups.hpp"

namespace valkyr::app {

struct DebugArguments {
    debug::PlayedArguments played;  ///< its input may be a shader, too
    // Shaders.
    GlslArguments glsl;  ///< of a GLSL file
    std::vector<std::string> values;
    uint32_t lanes = exec::kLanes;
    GroupOptions groups;
    debug::TextureArguments textures;
    std::vector<std::string> disabled_passes;
    // Scenes and traces.
    std::string pixel;
    std::optional<uint32_t> vertex;
    std::optional<uint32_t> primitive;
    std::optional<uint32_t> patch;
    std::optional<uint32_t> draw;
    std::optional<uint32_t> hit;
    uint32_t sample = 0;
    // All.
    std::string host = "auto";
    uint32_t steps = 1 << 18;
};

/// Adds FILE, -D, --link, --input, --texture, --sampler, --lanes, those of work-groups,
/// --disable-pass, --pixel, --frame,
/// --vertex, --primitive, --patch, --draw, --hit, --sample, --time, --size, --host and --steps.
void add_debug_arguments(Command command, DebugArguments& arguments);

/// A debugger at the start of the warp.
/// errors   of the file and of the arguments; nothing covers the pixel
Result<std::unique_ptr<debug::Debugger>> open_debugger(const DebugArguments& arguments);

/// A line on each draw of a scene or of a trace's frame.
/// errors   of the file and of the arguments
Result<std::vector<std::string>> list_draws(const DebugArguments& arguments);

}  // namespace valkyr::app
