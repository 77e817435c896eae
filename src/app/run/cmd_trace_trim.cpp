// Command trace-trim: cuts some frames out of a trace.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/device_arguments.hpp"
#include "app/cli/report.hpp"
#include "app/cli/text_scan.hpp"
#include "app/commands.hpp"
#include "app/run/vtest_observer.hpp"
#include "gpu/create_device.hpp"
#include "virgl/capture/trim.hpp"

#include <cstdio>
#include <filesystem>

namespace valkyr::app {

namespace {

struct TrimCommand {
    std::string input;
    std::string output;
    virgl::FrameRange frames;
    raster::DeviceOptions device;
    ColorChoice color = ColorChoice::Auto;
};

/// Reads "A-B" or "A".
Result<void> take_frames(const std::string& text, virgl::FrameRange& frames) {
    std::string_view rest = text;
    const auto first = take_number(rest);
    std::optional<uint32_t> last = first;
    if (first && rest.starts_with('-')) {
        rest.remove_prefix(1);
        last = take_number(rest);
    }
    if (!first || !last || !rest.empty() || *first == 0 || *last < *first)
        return Error{
            Errc::Syntax, {}, "'" + text + "' is not A-B, two numbers of frames from 1, or one"};
    frames = {*first, *last};
    return {};
}

/// Writes the frames; leaves no file behind if that fails.
Result<void> write_frames(const virgl::Trace& trace, const TrimCommand& command) {
    VtestOptions quiet;
    quiet.quiet = true;
    VtestObserver observer(quiet, "valkyr trace-trim");
    VALKYR_TRY(writer, virgl::TraceWriter::create(command.output, trace.level()));
    const auto make_device = [&command] { return gpu::create_device(command.device); };
    auto done = virgl::trim(trace, command.frames, make_device, observer, *writer);
    if (!done) {
        std::error_code ignored;
        std::filesystem::remove(command.output, ignored);
    }
    return done;
}

int run_trim(const TrimCommand& command) {
    const auto trace = virgl::Trace::load(command.input);
    if (!trace)
        return fail(trace.error(), "valkyr trace-trim: " + command.input, command.color);
    std::error_code error;
    if (std::filesystem::equivalent(command.input, command.output, error))
        return fail({Errc::InvalidState, {}, "the output is the input"}, "valkyr trace-trim",
                    command.color);
    const auto written = write_frames(*trace, command);
    return written ? kExitOk : fail(written.error(), "valkyr trace-trim", command.color);
}

}  // namespace

void add_trace_trim_command(CommandLine& line) {
    const Command command =
        line.subcommand("trace-trim", "Cut some frames out of a trace, to be played alone");
    auto options = std::make_shared<TrimCommand>();
    command.option("IN", options->input, "The trace").required();
    command.option("OUT", options->output, "The trace to write").required();
    command
        .option(
            "--frames",
            [options](const std::string& text) { return take_frames(text, options->frames); },
            "The frames, counted from 1")
        .value_name("A-B")
        .required();
    add_device_arguments(command, options->device);
    add_color_argument(command, options->color);
    command.runs([options] { return run_trim(*options); });
}

}  // namespace valkyr::app
