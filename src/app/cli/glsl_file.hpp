// GLSL file: lets commands that take TGSI text take GLSL files, too.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/command_line.hpp"
#include "base/result.hpp"

#include <span>
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

/// All stages, in the order of a program; a stage's number is its position.
std::span<const GlslStage> glsl_stages();
/// `stage` is one of glsl_stages().
inline unsigned glsl_stage_number(const GlslStage& stage) {
    return static_cast<unsigned>(&stage - glsl_stages().data());
}

/// ".vert, .tesc, ..." for messages.
std::string glsl_endings();

/// Macros and further files of a translation.
struct GlslArguments {
    std::vector<std::string> defines;  ///< "NAME=VALUE", or "NAME" alone
    std::vector<std::string> links;    ///< files of the other stages of the program
};

/// Adds -D and --link; `arguments` must outlive the parsing.
void add_glsl_arguments(Command command, GlslArguments& arguments);

/// A shader of a TGSI or GLSL file.
struct ShaderInput {
    std::string text;   ///< TGSI
    std::string glsl;   ///< the source, with its macros; empty: of a TGSI file
    std::string names;  ///< lines "REGISTER NAME" of the text's registers; empty: of a TGSI file
};

/// With this option, `valkyr glsl` prints a text, its names and its source, each but the last with
/// kPartsEnd behind it.
inline constexpr const char* kPartsOption = "--parts";
inline constexpr char kPartsEnd = '\f';

/// With this option and the path of a trace, `valkyr glsl` adds the programs that Mesa has written
/// to the folder FILE.
inline constexpr const char* kKeepOption = "--keep";

/// The content of a TGSI file, as read_input(); or of a GLSL file, what `valkyr glsl` makes of it.
/// That command prints what is wrong with it.
/// errors  as read_input(); System: the command fails
Result<ShaderInput> read_shader(const std::string& path, const GlslArguments& arguments);

}  // namespace valkyr::app
