// GLSL file: lets commands that take TGSI text take GLSL files, too.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// A stage, as the ending of a GLSL file names it.
struct GlslStage {
    std::string_view ending;     ///< ".frag"
    unsigned type;               ///< for glCreateShader
    std::string_view processor;  ///< first word of the TGSI text
};

/// The stage of a file by the ending of its name; null: not a GLSL file.
const GlslStage* glsl_stage_of(std::string_view path);

/// ".vert, .tesc, ..." for messages.
std::string glsl_endings();

/// Macros and further files of a translation.
struct GlslArguments {
    std::vector<std::string> defines;  ///< "NAME=VALUE", or "NAME" alone
    std::vector<std::string> links;    ///< files of the other stages of the program
};

/// Adds -D and --link; `arguments` must outlive the parsing.
void add_glsl_arguments(Command command, GlslArguments& arguments);

/// The content of a TGSI file, as read_input(); or of a GLSL file, the TGSI text that `valkyr glsl`
/// makes of it. That command prints what is wrong with it.
/// errors  as read_input(); System: the command fails
Result<std::string> read_shader(const std::string& path, const GlslArguments& arguments);

}  // namespace valkyr::app
