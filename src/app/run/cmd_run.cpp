// Command run: starts an OpenGL program on a private server.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "app/run/program_run.hpp"

#include <memory>

namespace valkyr::app {

void add_run_command(CommandLine& line) {
    const Command command =
        line.subcommand("run", "Run an OpenGL program on Valkyr: valkyr run -- glxgears");
    auto options = std::make_shared<ProgramRun>();
    options->request.command = "run";
    add_server_arguments(command, options->request);
    command
        .option("--client", options->client,
                "Mesa's client: a folder, or system (default VALKYR_CLIENT, else the package "
                "valkyr-client if it is installed, else the system's)")
        .value_name("DIR");
    command.flag("--xvfb", options->xvfb,
                 "Start an X server without a screen if there is no display");
    command.flag("--no-glsl", options->no_glsl,
                 "With --record: the trace does not keep the GLSL of the program");
    command.option("PROGRAM", options->program, "Program and its arguments, behind --").required();
    command.positionals_at_end();
    command.runs([options] { return run_on_valkyr(*options); });
}

}  // namespace valkyr::app
