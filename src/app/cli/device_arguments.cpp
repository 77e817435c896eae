// Device arguments: reads the options of commands that make a device (threads, engine, host).
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"

#include <map>
#include <string>
#include <unistd.h>

namespace valkyr::app {

namespace {

const std::map<std::string, raster::Engine> kEngines = {{"jit", raster::Engine::Jit},
                                                        {"valhall", raster::Engine::Valhall}};
const std::map<std::string, raster::Host> kHosts = {{"auto", raster::Host::Auto},
                                                    {"avx2", raster::Host::Avx2},
                                                    {"avx512", raster::Host::Avx512},
                                                    {"neon", raster::Host::Neon}};

template <typename T>
std::vector<std::string> keys(const std::map<std::string, T>& map) {
    std::vector<std::string> list;
    for (const auto& [key, value] : map)
        list.push_back(key);
    return list;
}

template <typename T>
std::optional<T> find(const std::map<std::string, T>& map, const std::string& name) {
    const auto found = map.find(name);
    return found == map.end() ? std::nullopt : std::optional<T>(found->second);
}

}  // namespace

std::vector<std::string> engine_names() {
    return keys(kEngines);
}

std::vector<std::string> host_names() {
    return keys(kHosts);
}

std::optional<raster::Engine> engine_from_name(const std::string& name) {
    return find(kEngines, name);
}

std::optional<raster::Host> host_from_name(const std::string& name) {
    return find(kHosts, name);
}

void add_device_arguments(CLI::App& command, raster::DeviceOptions& options) {
    command.add_option("--threads", options.threads, "Worker threads, 0 = one a processor")
        ->check(CLI::Range(0, 256))
        ->capture_default_str();
    command.add_option("--engine", options.engine, "Who runs the shaders: jit or valhall")
        ->transform(CLI::CheckedTransformer(kEngines).description(""))
        ->type_name("ENGINE")
        ->default_str("jit");
    command
        .add_option("--host", options.host,
                    "Host level of recompiled code: auto, avx2, avx512 or neon")
        ->transform(CLI::CheckedTransformer(kHosts).description(""))
        ->type_name("LEVEL")
        ->default_str("auto");
    command.add_flag("--strict-nan", options.strict_nan,
                     "Recompiled code makes the interpreter's NaN");
    command.add_flag_callback(
        "--perf",
        [&options] { options.perf_map = "/tmp/perf-" + std::to_string(getpid()) + ".map"; },
        "Write /tmp/perf-PID.map, in which perf finds the names of kernels");
}

}  // namespace valkyr::app
