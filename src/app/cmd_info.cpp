// Command info: describes this build and this host.
// SPDX-License-Identifier: MIT
#include "app/commands.hpp"
#include "jit/host_level.hpp"
#include "version.hpp"

#include <SDL.h>
#include <cstdio>
#include <string>
#include <thread>

namespace valkyr::app {

namespace {

int print_info() {
    const jit::HostLevel best = jit::best_host_level();
    std::string levels;
    for (const auto level : {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon})
        if (jit::host_supports(level))
            levels += (levels.empty() ? "" : ", ") + std::string(jit::host_level_name(level));
    SDL_version sdl;
    SDL_GetVersion(&sdl);

    std::printf("%s (%s, %s)\n", kVersion, kCompiler, kBuildType);
    std::printf("host level   %s (available: %s)\n",
                std::string(jit::host_level_name(best)).c_str(),
                levels.empty() ? "none, the interpreter runs everything" : levels.c_str());
    std::printf("features     %s\n", jit::host_features().c_str());
    std::printf("processors   %u\n", std::thread::hardware_concurrency());
    std::printf("asmjit       %s\n", jit::asmjit_version().c_str());
    std::printf("SDL          %d.%d.%d\n", sdl.major, sdl.minor, sdl.patch);
    std::printf("CLI11        %s\n", parser_version().c_str());
    return kExitOk;
}

}  // namespace

void add_info_command(CommandLine& line) {
    const Command command =
        line.subcommand("info", "Print host features, the chosen lane level and library versions");
    command.runs([] { return print_info(); });
}

}  // namespace valkyr::app
