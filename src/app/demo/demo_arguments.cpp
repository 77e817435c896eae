// Demo arguments: reads and obeys the options that `valkyr demo` and `valkyr view` share.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_arguments.hpp"

#include "app/cli/device_arguments.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/report.hpp"
#include "app/debug/trap/trap_argument.hpp"
#include "app/demo/headless.hpp"
#include "examples/image_io.hpp"
#include "examples/math3d.hpp"

#include <cstdio>
#include <functional>

namespace valkyr::app {

namespace {

/// "WxH", both 1..8192.
Result<std::pair<uint32_t, uint32_t>> parse_picture_size(const std::string& text) {
    unsigned width = 0;
    unsigned height = 0;
    char end = 0;
    if (std::sscanf(text.c_str(), "%5ux%5u%c", &width, &height, &end) != 2 || width < 1 ||
        width > 8192 || height < 1 || height > 8192)
        return Error{
            Errc::OutOfRange, {}, "size '" + text + "' is not WIDTHxHEIGHT with 1 to 8192 each"};
    return std::pair{width, height};
}

/// The command that opens the debugger at a finding of a demo; models have none.
std::function<std::string(const debug::TrapFinding&)> debug_command(
    const PictureArguments& arguments, const std::string& exhibit, const std::string& name) {
    return [&arguments, exhibit, name](const debug::TrapFinding& finding) -> std::string {
        if (name != "valkyr demo")
            return {};
        char time[40];
        std::snprintf(time, sizeof time, "%.17g",
                      static_cast<double>(finding.frame) * kSecondsPerFrame);
        return "valkyr debug demo:" + exhibit + " --size " + arguments.size +
               (finding.frame != 0 ? std::string(" --time ") + time : std::string());
    };
}

int usage_error(const Error& error, const std::string& name) {
    std::fprintf(stderr, "%s\n", error.format(name).c_str());
    return kExitUsage;
}

}  // namespace

void add_picture_arguments(Command command, PictureArguments& arguments) {
    command.flag("--headless", arguments.headless,
                 "No window: write the last frame to a picture file");
    command.flag("--stats", arguments.stats, "Headless: counters of the last frame");
    command.option("--frame", arguments.first, "Number of the first frame; 60 are a second")
        .range(0, 1000000)
        .shows_default();
    command
        .option("--frames", arguments.frames, "Frames to draw (window: until closed; headless: 1)")
        .range(1, 1000000);
    command.option("--size", arguments.size, "Picture size, WIDTHxHEIGHT").shows_default();
    command
        .option("-o,--output", arguments.output,
                "Picture file to write (.png, .ppm or .qoi); implies --headless (default "
                "NAME.png); with %d or %03d in its name, one for each frame")
        .ending(examples::is_image_path, examples::kImageEndings);
    command
        .option("--samples", arguments.mode.samples,
                "Samples a pixel: 1, 2, 4 or 8; 0 = what the scene likes best")
        .one_of({0, 1, 2, 4, 8})
        .shows_default();
    command.flag("--wireframe", arguments.mode.overrides.wireframe, "Edges of triangles");
    command.flag("--overdraw", arguments.mode.overrides.overdraw,
                 "How many fragments a pixel has, as colours");
    command.flag("--tiles", arguments.mode.tiles, "Tiles, coloured by the time they took");
    command.option("--angle", arguments.angle, "Turns the view, degrees").range(-36000, 36000);
    command.option("--tilt", arguments.tilt, "Raises the view, degrees").range(-90, 90);
    command.option("--zoom", arguments.zoom, "Factor of the distance").range(0.2, 5.0);
    command.option("--keys", arguments.keys,
                   "Window: a key, drag:DX:DY, wheel:N, size:WxH or wait for each frame, with "
                   "commas between them");
    command
        .option("--screenshot", arguments.screenshot,
                "Window: picture file of the whole window in the last of --frames")
        .ending(examples::is_image_path, examples::kImageEndings);
    add_log_arguments(command, arguments.log).excludes(add_trap_arguments(command, arguments.trap));
    add_device_arguments(command, arguments.mode.device);
}

int show_exhibits(std::vector<Exhibit> exhibits,
                  size_t current,
                  const PictureArguments& arguments,
                  const std::string& name) {
    const auto size = parse_picture_size(arguments.size);
    if (!size.has_value())
        return usage_error(size.error(), name);
    auto script = DemoScript::parse(arguments.keys);
    if (!script.has_value())
        return usage_error(script.error(), name);
    DemoState state;
    state.exhibits = std::move(exhibits);
    state.current = current;
    state.mode = arguments.mode;
    state.mode.device.count_killed = arguments.stats;
    state.mode.width = size->first;
    state.mode.height = size->second;
    state.view = {arguments.angle * examples::kPi / 180, arguments.tilt * examples::kPi / 180,
                  arguments.zoom};
    state.seconds = arguments.first * kSecondsPerFrame;
    debug::TrapLog traps(arguments.trap);
    const auto debug_with = debug_command(arguments, state.exhibit().name, name);
    if (arguments.trap.is_set())
        state.mode.trap = &traps;
    auto points = make_log(arguments.log, name);
    if (!points)
        return kExitUsage;
    if (arguments.log.is_set())
        state.mode.log = &*points;
    Result<void> done;
    const bool is_watched = arguments.trap.is_set() || arguments.log.is_set();
    if (arguments.headless || !arguments.output.empty() || is_watched) {
        const std::string output =
            arguments.output.empty() ? state.exhibit().name + ".png" : arguments.output;
        done = run_headless(
            state.exhibit(), state.mode,
            {arguments.first, std::max(1U, arguments.frames), output, state.view, arguments.stats});
    } else {
        done = run_window(std::move(state),
                          {arguments.frames, std::move(*script), arguments.screenshot});
    }
    const bool trapped = print_findings(traps, name, debug_with);
    end_log(*points, name, print_log);
    if (!done.has_value())
        return fail(done.error(), name);
    return trapped ? kExitError : kExitOk;
}

}  // namespace valkyr::app
