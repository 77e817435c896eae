// valkyr info: what this build and this host are.
// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "version.hpp"

#include <SDL.h>
#include <cstdio>

namespace valkyr::tools {

namespace {

int print_info() {
    std::printf("%s (%s, %s)\n", kVersion, kCompiler, kBuildType);
    SDL_version sdl;
    SDL_GetVersion(&sdl);
    std::printf("SDL          %d.%d.%d\n", sdl.major, sdl.minor, sdl.patch);
    return kExitOk;
}

}  // namespace

void add_info_command(CLI::App& app, Run& run) {
    auto* command = app.add_subcommand(
        "info", "Print host features, the chosen lane level and library versions");
    command->callback([&run] { run = [] { return print_info(); }; });
}

}  // namespace valkyr::tools
