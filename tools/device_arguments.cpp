// The options that every command with a raster::Device has: threads, engine, host level, profiling.
// SPDX-License-Identifier: MIT
#include "device_arguments.hpp"

#include <map>
#include <string>
#include <unistd.h>

namespace valkyr::tools {

namespace {

const std::map<std::string, raster::Engine> kEngines = {{"jit", raster::Engine::Jit},
                                                        {"valhall", raster::Engine::Valhall}};
const std::map<std::string, raster::Host> kHosts = {{"auto", raster::Host::Auto},
                                                    {"avx2", raster::Host::Avx2},
                                                    {"avx512", raster::Host::Avx512},
                                                    {"neon", raster::Host::Neon}};

}  // namespace

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

}  // namespace valkyr::tools
