// Program run: starts an OpenGL program on a private server, and waits for it.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/server_process.hpp"

#include <string>
#include <vector>

namespace valkyr::app {

struct ProgramRun {
    ServerRequest request;  ///< without a socket's path
    std::string client;     ///< --client: find_client()
    bool xvfb = false;      ///< starts a display if there is none
    bool no_glsl = false;   ///< a trace does not keep the program's GLSL
    std::vector<std::string> program;
};

/// Runs the program with the environment that connects Mesa's client to a server of its own. Prints
/// what fails. Calls leave_preloads().
/// returns  the exit code of the program (128 + signal if it was killed), else of the server
int run_on_valkyr(ProgramRun run);

}  // namespace valkyr::app
