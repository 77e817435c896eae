// GLSL client: has Mesa compile and link shaders, as an OpenGL program does.
// SPDX-License-Identifier: MIT
//
// It runs under a server of its own (run_on_valkyr), in another process: it needs Mesa's
// environment from its start, and system libraries may crash, hang or end the process. Files in a
// folder carry what goes in and out.
#pragma once

#include "base/result.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// The profile of the context.
enum class GlslProfile { Core, Compatibility, Es };

/// Message lines about one of the files.
struct GlslMessages {
    size_t file = 0;   ///< its position
    std::string text;  ///< Mesa's information log, whose lines name places as "0:LINE(COLUMN): "
};

/// The result of a client.
struct GlslReply {
    bool linked = false;
    std::string failure;  ///< why there is no context; empty: there was one
    std::vector<GlslMessages> messages;
};

/// Compiles and links the sources as one program. With a single one, the program is separable: Mesa
/// keeps all its inputs and outputs.
/// folder  has the sources, by the names of source_path(); the reply is written there
/// names   of the files, whose endings say their stages
/// returns the exit code: 0 unless the reply could not be written
int run_glsl_client(const std::string& folder,
                    GlslProfile profile,
                    const std::vector<std::string>& names);

/// The name of the source at a position: "0.frag".
std::string source_name(size_t position, std::string_view ending);

/// Reads the reply of a client.
/// errors  System: it has written none
Result<GlslReply> read_reply(const std::string& folder);

}  // namespace valkyr::app
