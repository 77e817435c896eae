// Command why: lists everything that touched one pixel of a picture.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/history/history_html.hpp"
#include "app/debug/history/history_json.hpp"
#include "app/debug/history/history_text.hpp"
#include "app/debug/session/played_file.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

struct WhyCommand {
    debug::PlayedArguments played;
    std::string pixel;
    std::optional<uint32_t> sample;
    std::string resource;
    uint32_t follow = 0;
    std::string html;
    bool json = false;
    ColorChoice color = ColorChoice::Auto;
};

/// "valkyr debug demo:cube --time 2": the command that plays the same picture in the debugger.
std::string debug_command(const debug::PlayedArguments& arguments, const debug::Played& played) {
    const debug::PlayedArguments defaults;
    std::string text = "valkyr debug " + arguments.input;
    if (played.frame)
        text += " --frame " + std::to_string(*played.frame);
    if (arguments.size != defaults.size)
        text += " --size " + arguments.size;
    if (arguments.seconds != 0) {
        char seconds[40];
        std::snprintf(seconds, sizeof seconds, " --time %.17g", arguments.seconds);
        text += seconds;
    }
    return text;
}

Result<debug::History> find_history(const WhyCommand& command) {
    if (!debug::is_played(command.played.input))
        return Error{Errc::OutOfRange,
                     {},
                     "'" + command.played.input +
                         "' is neither demo:NAME nor a scene (*.scene) nor a trace (*.trace)"};
    const auto pixel = debug::parse_pair(command.pixel, ',');
    if (!pixel)
        return Error{Errc::OutOfRange, {}, "--pixel '" + command.pixel + "' is not X,Y"};
    VALKYR_TRY(played, debug::played_file(command.played));
    debug::HistoryRequest request;
    request.what = played.what;
    request.whole = played.whole;
    request.resource = command.resource;
    request.follow = command.follow;
    request.command = debug_command(command.played, played);
    request.pixel = {static_cast<uint32_t>(pixel->first), static_cast<uint32_t>(pixel->second)};
    request.last_read_is_shown = played.frame.has_value();
    return debug::pixel_history(request, played.play);
}

int run_why(const WhyCommand& command) {
    const auto history = find_history(command);
    if (!history.has_value())
        return app::fail(history.error(), "valkyr why", command.color);
    if (!command.html.empty()) {
        const auto written =
            write_output(command.html, debug::history_html(*history, command.sample));
        if (!written.has_value())
            return app::fail(written.error(), "valkyr why", command.color);
    }
    const Style style(command.color, stdout);
    if (command.json)
        std::fputs(debug::history_json(*history, command.sample).c_str(), stdout);
    else if (command.html != "-")
        std::fputs(debug::history_text(*history, command.sample, style).c_str(), stdout);
    return kExitOk;
}

}  // namespace

void add_why_command(CommandLine& line) {
    const Command command =
        line.subcommand("why", "List everything that touched one pixel of a picture, and why it "
                               "has its colour");
    auto options = std::make_shared<WhyCommand>();
    command
        .option("FILE", options->played.input,
                "A recorded program (*.trace), demo:NAME, or a conformance scene (*.scene)")
        .required();
    command.option("--pixel", options->pixel, "X,Y of the pixel, row 0 at the top").required();
    command.option(
        "--resource", options->resource,
        "NAME[:LEVEL[:LAYER]] of a texture whose texel --pixel is, instead of the picture");
    command
        .option("--follow", options->follow,
                "Show the histories of texels that values come from, so many textures back")
        .range(0, 16);
    debug::add_played_arguments(command, options->played);
    command.option("--sample", options->sample,
                   "The only sample to show of a texture with several");
    command.option("--html", options->html, "Write a page to this file, - for standard output");
    command.flag("--json", options->json, "Print JSON instead of text");
    add_color_argument(command, options->color);
    command.runs([options] { return run_why(*options); });
}

}  // namespace valkyr::app
