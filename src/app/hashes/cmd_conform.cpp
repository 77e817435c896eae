// Command conform: draws the conformance cases and compares them with their goldens.
// SPDX-License-Identifier: MIT
#include "app/cli/device_arguments.hpp"
#include "app/commands.hpp"
#include "app/conform/command.hpp"
#include "app/hashes/hash_command.hpp"
#include "gpu/create_device.hpp"

#include <cstdio>
#include <filesystem>
#include <string>
#include <unistd.h>
#include <vector>

namespace valkyr::app {

namespace {

struct ConformOptions {
    conform::CommandOptions common;
    std::vector<std::string> engines{"jit"};
    std::vector<std::string> hosts{"auto"};
    std::vector<unsigned> threads{1};
    bool strict_nan = false;
    hashes::HashOptions hashes;
};

conform::Configuration configuration(const std::string& engine,
                                     const std::string& host,
                                     unsigned threads,
                                     bool strict_nan) {
    raster::DeviceOptions options;
    options.engine = *engine_from_name(engine);
    options.host = *host_from_name(host);
    options.threads = threads;
    options.strict_nan = strict_nan;
    const std::string name = engine + (engine == "jit" ? " " + host : "") + ", " +
                             std::to_string(threads) + (threads == 1 ? " thread" : " threads");
    return {name, [options] { return gpu::create_device(options); }};
}

/// All combinations of engines, host levels and thread counts. The interpreter has no host levels
/// and runs once per thread count.
std::vector<conform::Configuration> matrix(const ConformOptions& options) {
    std::vector<conform::Configuration> list;
    for (const std::string& engine : options.engines)
        for (const std::string& host : options.hosts) {
            if (engine != "jit" && host != options.hosts.front())
                continue;
            for (const unsigned threads : options.threads)
                list.push_back(configuration(engine, engine == "jit" ? host : "auto", threads,
                                             options.strict_nan));
        }
    return list;
}

/// Replaces this process with conform_reference, which is built beside it: goldens come from the
/// reference renderer, which only the tests contain. Returns only if that fails.
int run_conform_reference(const ConformOptions& options) {
    std::error_code ignored;
    const std::filesystem::path self = std::filesystem::read_symlink("/proc/self/exe", ignored);
    const std::string program = (self.parent_path() / "conform_reference").string();
    const conform::CommandOptions& common = options.common;
    std::vector<std::string> words{program,  "--bless",   "--reason", common.reason,
                                   "--root", common.root, "--jobs",   std::to_string(common.jobs)};
    words.insert(words.end(), common.filters.begin(), common.filters.end());
    std::vector<char*> arguments;
    for (std::string& word : words)
        arguments.push_back(word.data());
    arguments.push_back(nullptr);
    execv(program.c_str(), arguments.data());
    std::fprintf(stderr, "valkyr conform: goldens come from %s: build the tests\n",
                 program.c_str());
    return kExitError;
}

int run_conform(const ConformOptions& options) {
    if (options.hashes.wanted)
        return hashes::run_hashes(options.hashes, options.common, matrix(options));
    if (options.common.bless)
        return run_conform_reference(options);
    return conform::run_command(options.common, matrix(options));
}

}  // namespace

void add_conform_command(CommandLine& line) {
    const Command command =
        line.subcommand("conform", "Draw the conformance cases and compare with their goldens");
    auto options = std::make_shared<ConformOptions>();
    command.footer("The cases are drawn by every combination of --engine, --host and --threads.\n"
                   "Exit code: 0 all passed, 1 a failure, 2 wrong usage or no such case.");
    conform::add_options(command, options->common);
    command.option("--engine", options->engines, "Who runs the shaders: jit, valhall")
        .separated_by(',')
        .one_of(engine_names())
        .shows_default();
    command
        .option("--host", options->hosts,
                "Host levels of recompiled code: auto, avx2, avx512, neon; those that are "
                "missing here are skipped")
        .separated_by(',')
        .one_of(host_names())
        .shows_default();
    command.option("--threads", options->threads, "Worker threads of each device")
        .separated_by(',')
        .range(1, 64)
        .shows_default();
    command.flag("--strict-nan", options->strict_nan,
                 "Recompiled code makes the interpreter's NaN");
    hashes::add_hash_options(command, options->hashes);
    command.runs([options] { return run_conform(*options); });
}

}  // namespace valkyr::app
