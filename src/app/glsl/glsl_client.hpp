// GLSL client: has Mesa compile and link shaders, as an OpenGL program does.
// SPDX-License-Identifier: MIT
//
// It runs under a server of its own (run_on_valkyr), in another process: it needs Mesa's
// environment from its start, and system libraries may crash, hang or end the process. Files in a
// folder carry what goes in and out (glsl_exchange.hpp).
#pragma once

#include "base/result.hpp"

#include <string>

namespace valkyr::app {

/// The profile of the context.
enum class GlslProfile { Core, Compatibility, Es };

/// Compiles and links the programs that the folder lists, and writes the reply there.
/// returns the exit code: 0 unless the reply could not be written
int run_glsl_client(const std::string& folder, GlslProfile profile);

}  // namespace valkyr::app
