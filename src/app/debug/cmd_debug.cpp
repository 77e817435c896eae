// Command debug: steps through a warp, in the terminal or in a window.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/console/terminal.hpp"
#include "app/debug/debug_arguments.hpp"
#include "app/debug/log/log_argument.hpp"
#include "app/debug/log/log_device.hpp"
#include "app/debug/window/window.hpp"

#include <cstdio>
#include <iostream>
#include <sstream>
#include <unistd.h>

namespace valkyr::app {

namespace {

struct DebugCommand {
    DebugArguments arguments;
    std::vector<std::string> commands;
    std::vector<std::string> scripts;
    bool draws = false;
    LogOptions log;
    bool race_check = false;
    bool batch = false;
    size_t width = 0;
    bool window = false;
    std::string screenshot;
    std::vector<std::string> watches;
    ColorChoice color = ColorChoice::Auto;
};

debug::ConsoleOptions console_options(const DebugCommand& command, bool interactive) {
    debug::ConsoleOptions options;
    options.layout.width = command.width != 0 ? command.width : debug::terminal_width();
    options.layout.color = Style(command.color, stdout).color();
    options.show_listing = interactive;
    return options;
}

/// Runs the commands of the command line and of scripts; returns how many failed.
Result<unsigned> run_given(const DebugCommand& command, debug::Console& console) {
    unsigned failed = 0;
    for (const std::string& path : command.scripts) {
        VALKYR_TRY(text, read_input(path));
        std::istringstream lines(text);
        failed += debug::run_script(console, lines, path);
    }
    for (const std::string& text : command.commands) {
        std::istringstream line(text);
        failed += debug::run_script(console, line, "--command");
    }
    return failed;
}

Result<void> show_window(const DebugCommand& command, debug::Debugger& debugger) {
    debug::WindowRequest request;
    request.screenshot = command.screenshot;
    for (const std::string& name : command.watches) {
        VALKYR_TRY(watch, debug::parse_watch(name, *debugger.session().shader));
        request.watches.push_back(std::move(watch));
    }
    auto shown = debug::run_window(debugger, request);
    if (!shown.has_value() && shown.error().code == Errc::System && request.screenshot.empty())
        return Error{Errc::System, {}, shown.error().text + " (without --window it needs none)"};
    return shown;
}

int print_draws(const DebugCommand& command) {
    const auto lines = list_draws(command.arguments);
    if (!lines.has_value())
        return app::fail(lines.error(), "valkyr debug", command.color);
    for (const std::string& line : *lines)
        std::puts(line.c_str());
    return kExitOk;
}

/// Runs commands from the terminal or standard input, unless the command line gave some; returns
/// how many failed.
Result<unsigned> run_typed(const DebugCommand& command, debug::Console& console, bool interactive) {
    if (console.done())
        return 0U;
    if (interactive) {
        VALKYR_TRY_VOID(debug::run_terminal(console));
        return 0U;
    }
    const bool given = !command.commands.empty() || !command.scripts.empty();
    return given ? 0U : debug::run_script(console, std::cin, "standard input");
}

/// Runs all commands, and the window.
/// returns  the exit code
Result<int> run_session(const DebugCommand& command, debug::Debugger& debugger) {
    const bool interactive = !command.batch && isatty(STDIN_FILENO) != 0;
    debug::Console console(debugger, console_options(command, interactive));
    const bool window = command.window || !command.screenshot.empty();
    if (!command.batch && !window)
        std::fputs(console.greeting().c_str(), stdout);
    if (command.race_check)
        std::fputs(debug::info_races(debugger).c_str(), stdout);
    const bool races = command.race_check && !debugger.recording().races().empty();
    VALKYR_TRY(failed, run_given(command, console));
    if (window) {
        VALKYR_TRY_VOID(show_window(command, debugger));
        return races ? kExitError : kExitOk;
    }
    VALKYR_TRY(bad, run_typed(command, console, interactive));
    return !races && (failed + bad == 0 || interactive) ? kExitOk : kExitError;
}

/// Plays the scene or frame, and prints the lines of log points.
Result<void> play_logged(const DebugArguments& arguments, debug::LogPoints& points) {
    if (!debug::is_played(arguments.played.input))
        return Error{Errc::OutOfRange, {}, "--log is for scenes and traces"};
    if (!arguments.pixel.empty() || arguments.vertex || arguments.primitive || arguments.patch)
        return Error{Errc::OutOfRange,
                     {},
                     "--log opens no debugger: pixel=, vertex=, primitive= and patch= in its text "
                     "choose the lanes"};
    VALKYR_TRY(played, debug::played_file(arguments.played));
    debug::DrawLog log({}, UINT32_MAX);
    log.make_device = [&points] { return debug::LogDevice::create(points, {}); };
    if (played.frame) {
        points.paused = true;  // draws are counted from the beginning of the frame
        log.frame.begin = [&points, frame = *played.frame](bool /*repeats*/) {
            points.paused = false;
            points.work.start_frame(frame);
        };
    }
    VALKYR_TRY(stage, played.play(log));
    return {};
}

int print_lines(const DebugCommand& command) {
    auto points = make_log(command.log, "valkyr debug");
    if (!points)
        return kExitUsage;
    const auto played = play_logged(command.arguments, *points);
    if (!played.has_value())
        return app::fail(played.error(), "valkyr debug", command.color);
    end_log(*points, "valkyr debug", print_log);
    return kExitOk;
}

int run_debug(const DebugCommand& command) {
    if (command.draws)
        return print_draws(command);
    if (command.log.is_set())
        return print_lines(command);
    auto debugger = open_debugger(command.arguments);
    if (!debugger.has_value())
        return app::fail(debugger.error(), "valkyr debug", command.color);
    const debug::WarpCase& warp = *(*debugger)->session().warp;
    if (command.race_check && (!warp.work_group || warp.patches))
        return app::fail({Errc::Unsupported, {}, "--race-check is for COMP texts"}, "valkyr debug",
                         command.color);
    const auto code = run_session(command, **debugger);
    return code.has_value() ? *code : app::fail(code.error(), "valkyr debug", command.color);
}

}  // namespace

void add_debug_command(CommandLine& line) {
    const Command command =
        line.subcommand("debug", "Step through a shader, forwards and backwards");
    auto options = std::make_shared<DebugCommand>();
    add_debug_arguments(command, options->arguments);
    command
        .option("-c,--command", options->commands,
                "A command of the debugger; may be given several times")
        .one_value_each();
    command.option("-x", options->scripts, "A file with commands, one a line").one_value_each();
    command.flag("--draws", options->draws,
                 "List the draws of a scene or frame, and which have the pixel");
    add_log_arguments(command, options->log);
    command.flag("--race-check", options->race_check,
                 "COMP texts: list the races of the work-group on shared memory at the start, as "
                 "'info races' does; exit code 1 if there are any");
    command.flag("--batch", options->batch, "Leave after --command and -x");
    command.option("--width", options->width, "Characters a line (default: the terminal's)")
        .range(60, 500);
    command.flag("--window", options->window, "Show a window instead of the terminal");
    command.option("--screenshot", options->screenshot,
                   "Picture file of the window to write instead of showing it");
    command.option("--watch", options->watches, "Window: a value to show at the start, by name")
        .one_value_each();
    add_color_argument(command, options->color);
    command.runs([options] { return run_debug(*options); });
}

}  // namespace valkyr::app
