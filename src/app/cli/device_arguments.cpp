// Device arguments: reads the options of commands that make a device (threads, engine, host).
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"

#include <array>
#include <span>
#include <unistd.h>

namespace valkyr::app {

namespace {

constexpr std::array<Choice<raster::Engine>, 2> kEngines = {{
    {"jit", raster::Engine::Jit},
    {"valhall", raster::Engine::Valhall},
}};
constexpr std::array<Choice<raster::Host>, 4> kHosts = {{
    {"auto", raster::Host::Auto},
    {"avx2", raster::Host::Avx2},
    {"avx512", raster::Host::Avx512},
    {"neon", raster::Host::Neon},
}};

constexpr std::array<Choice<GatherMethod>, 3> kGatherMethods = {{
    {"auto", GatherMethod::Auto},
    {"gathers", GatherMethod::Gathers},
    {"loads", GatherMethod::Loads},
}};

template <typename Value>
std::vector<std::string> names(std::span<const Choice<Value>> table) {
    std::vector<std::string> list;
    for (const Choice<Value>& row : table)
        list.emplace_back(row.name);
    return list;
}

template <typename Value>
std::optional<Value> find(std::span<const Choice<Value>> table, std::string_view name) {
    for (const Choice<Value>& row : table)
        if (row.name == name)
            return row.value;
    return std::nullopt;
}

}  // namespace

std::vector<std::string> engine_names() {
    return names<raster::Engine>(kEngines);
}

std::vector<std::string> host_names() {
    return names<raster::Host>(kHosts);
}

std::optional<raster::Engine> engine_from_name(const std::string& name) {
    return find<raster::Engine>(kEngines, name);
}

std::optional<raster::Host> host_from_name(const std::string& name) {
    return find<raster::Host>(kHosts, name);
}

void add_device_arguments(Command command, raster::DeviceOptions& options) {
    command.option("--threads", options.threads, "Worker threads, 0 = one a processor")
        .range(0, 256)
        .shows_default();
    command.choice("--engine", options.engine, kEngines, "Who runs the shaders: jit or valhall")
        .value_name("ENGINE");
    command
        .choice("--host", options.host, kHosts,
                "Host level of recompiled code: auto, avx2, avx512 or neon")
        .value_name("LEVEL");
    command
        .choice("--tune", options.gather_method, kGatherMethods,
                "How recompiled code reads texels: auto (by processor), gathers or loads")
        .value_name("METHOD");
    command.flag("--strict-nan", options.strict_nan, "Recompiled code makes the interpreter's NaN");
    command.flag(
        "--perf",
        [&options] { options.perf_map = "/tmp/perf-" + std::to_string(getpid()) + ".map"; },
        "Write /tmp/perf-PID.map, in which perf finds the names of kernels");
}

}  // namespace valkyr::app
