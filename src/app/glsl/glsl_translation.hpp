// GLSL translation: has Mesa translate GLSL files, and keeps the TGSI text of one stage.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/glsl_file.hpp"
#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// A TGSI text, or nothing; and what Mesa says about the sources.
struct GlslTranslation {
    bool good = false;
    std::string text;
    std::string names;     ///< of its registers, lines "REGISTER NAME"
    std::string source;    ///< that Mesa compiled: the file with its macros
    std::string messages;  ///< lines "FILE:LINE:COLUMN: error: TEXT", also of warnings
};

/// Runs a client under a server of its own. Call leave_preloads() before.
/// path    of the file whose text is wanted; its ending is one of glsl_stage_of()
/// errors  Syntax: a macro's; System: files, and what Mesa misses, with the place in front
Result<GlslTranslation> translate_glsl(const std::string& path, const GlslArguments& arguments);

}  // namespace valkyr::app
