// Client run: runs a GLSL client under a server of its own and reads what became of the programs.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/glsl_file.hpp"
#include "app/glsl/glsl_client.hpp"
#include "app/glsl/glsl_exchange.hpp"
#include "base/result.hpp"

#include <string>
#include <vector>

namespace valkyr::app {

/// With this option, `glsl` runs as a client; the value is the folder of its files.
inline constexpr const char* kClientOption = "--client";
/// The profile of a client's context, as a number.
inline constexpr const char* kProfileOption = "--profile";

/// Has Mesa link programs whose sources are in the folder, which must have no TGSI texts yet. Call
/// leave_preloads() before.
/// errors  System: files, and what Mesa misses, with the place in front
Result<GlslReply> link_programs(const std::string& folder,
                                GlslProfile profile,
                                const std::vector<GlslProgram>& programs);

/// The last text of the stage among those of a program: what Mesa made of it. Earlier ones would be
/// Mesa's own. Empty: there is none.
std::string
text_of_stage(const std::string& folder, const LinkedProgram& program, const GlslStage& stage);

/// The profile that a program with sources of these versions needs.
GlslProfile profile_of(bool es, bool compatibility);

}  // namespace valkyr::app
