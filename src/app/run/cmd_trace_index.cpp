// Command trace-index: writes places from which a long trace can be played on.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/device_arguments.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/run/vtest_observer.hpp"
#include "gpu/create_device.hpp"
#include "virgl/capture/trace_index.hpp"

#include <cstdio>
#include <filesystem>

namespace valkyr::app {

namespace {

struct IndexCommand {
    std::string trace;
    uint64_t every = 0;
    raster::DeviceOptions device;
    ColorChoice color = ColorChoice::Auto;
};

int run_index(const IndexCommand& command) {
    const auto trace = virgl::Trace::load(command.trace);
    if (!trace)
        return fail(trace.error(), "valkyr trace-index: " + command.trace, command.color);
    VtestOptions quiet;
    quiet.quiet = true;
    VtestObserver observer(quiet, "valkyr trace-index");
    const std::string path = virgl::index_path(command.trace);
    const auto make_device = [&command] { return gpu::create_device(command.device); };
    const auto made = virgl::write_index(*trace, command.every, make_device, observer, path);
    if (!made) {
        std::error_code ignored;
        std::filesystem::remove(path, ignored);
        return fail(made.error(), "valkyr trace-index", command.color);
    }
    std::printf("%s: %llu places in %llu frames, %.1f MB\n", path.c_str(),
                static_cast<unsigned long long>(made->places),
                static_cast<unsigned long long>(made->frames),
                static_cast<double>(made->bytes) / 1e6);
    return kExitOk;
}

}  // namespace

void add_trace_index_command(CommandLine& line) {
    const Command command = line.subcommand(
        "trace-index", "Make debug, why and profile start fast in late frames of a long trace");
    auto options = std::make_shared<IndexCommand>();
    command.option("TRACE", options->trace, "The trace; the index is written beside it").required();
    command
        .option("--every", options->every,
                "Frames from one place to the next (default: so many that there are 16 places)")
        .positive("POSITIVE");
    add_device_arguments(command, options->device);
    add_color_argument(command, options->color);
    command.runs([options] { return run_index(*options); });
}

}  // namespace valkyr::app
