// Command info: describes this build and this host.
// SPDX-License-Identifier: MIT
#include "app/cli/json_text.hpp"
#include "app/commands.hpp"
#include "jit/host_level.hpp"
#include "version.hpp"

#include <SDL.h>
#include <cstdio>
#include <fmt/format.h>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace valkyr::app {

namespace {

std::vector<std::string> available_levels() {
    std::vector<std::string> levels;
    for (const auto level : {jit::HostLevel::Avx2, jit::HostLevel::Avx512, jit::HostLevel::Neon})
        if (jit::host_supports(level))
            levels.emplace_back(jit::host_level_name(level));
    return levels;
}

std::string sdl_version() {
    SDL_version sdl;
    SDL_GetVersion(&sdl);
    return fmt::format("{}.{}.{}", sdl.major, sdl.minor, sdl.patch);
}

std::string info_text() {
    const std::vector<std::string> levels = available_levels();
    std::string text = fmt::format("{} ({}, {})\n", kVersion, kCompiler, kBuildType);
    text += fmt::format("host level   {} (available: {})\n",
                        jit::host_level_name(jit::best_host_level()),
                        levels.empty() ? "none, the interpreter runs everything"
                                       : fmt::format("{}", fmt::join(levels, ", ")));
    text += fmt::format("features     {}\n", jit::host_features());
    text += fmt::format("texel reads  {}\n", jit::gather_method_name(jit::fast_gather_method()));
    text += fmt::format("processors   {}\n", std::thread::hardware_concurrency());
    text += fmt::format("asmjit       {}\n", jit::asmjit_version());
    text += fmt::format("SDL          {}\n", sdl_version());
    return text + fmt::format("CLI11        {}\n", parser_version());
}

std::string info_json() {
    std::vector<std::string> levels;
    for (const std::string& level : available_levels())
        levels.push_back(json_quoted(level));
    std::string text =
        fmt::format("{{\"version\": {}, \"compiler\": {}, \"build\": {},\n", json_quoted(kVersion),
                    json_quoted(kCompiler), json_quoted(kBuildType));
    text += fmt::format(
        " \"host_level\": {}, \"available\": {},\n \"features\": {}, \"texel_reads\": {},\n",
        json_quoted(jit::host_level_name(jit::best_host_level())), json_array(levels),
        json_quoted(jit::host_features()),
        json_quoted(jit::gather_method_name(jit::fast_gather_method())));
    return text + fmt::format(" \"processors\": {}, \"asmjit\": {}, \"sdl\": {}, \"cli11\": {}}}\n",
                              std::thread::hardware_concurrency(),
                              json_quoted(jit::asmjit_version()), json_quoted(sdl_version()),
                              json_quoted(parser_version()));
}

}  // namespace

void add_info_command(CommandLine& line) {
    const Command command =
        line.subcommand("info", "Print host features, the chosen lane level and library versions");
    auto json = std::make_shared<bool>(false);
    command.flag("--json", *json, "Print it as a JSON object for programs");
    command.runs([json] {
        std::fputs((*json ? info_json() : info_text()).c_str(), stdout);
        return kExitOk;
    });
}

}  // namespace valkyr::app
