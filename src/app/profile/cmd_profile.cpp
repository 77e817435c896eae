// Command profile: says what a frame costs, by shader, line, word and host instruction.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/device_arguments.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/session/played_file.hpp"
#include "app/profile/glsl_costs.hpp"
#include "app/profile/measure.hpp"
#include "app/profile/profile_html.hpp"
#include "app/profile/profile_json.hpp"
#include "app/profile/profile_text.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

constexpr Choice<profile::Detail> kDetails[] = {{"shader", profile::Detail::Kernel},
                                                {"glsl", profile::Detail::Glsl},
                                                {"line", profile::Detail::Line},
                                                {"word", profile::Detail::Word},
                                                {"host", profile::Detail::Host}};

struct ProfileCommand {
    debug::PlayedArguments played;
    profile::Request request;
    profile::TextOptions text;
    std::string mali;
    uint32_t period = 100;
    std::string html;
    bool json = false;
    ColorChoice color = ColorChoice::Auto;
};

int profile_fails(const ProfileCommand& command, const Error& error) {
    return fail(error, "valkyr profile", command.color);
}

int run_profile(ProfileCommand command) {
    if (!debug::is_played(command.played.input))
        return profile_fails(
            command, {Errc::OutOfRange,
                      {},
                      "'" + command.played.input + "' is no *.trace, no *.scene and no demo:NAME"});
    auto played = debug::played_file(command.played);
    if (!played)
        return profile_fails(command, played.error());
    command.request.what = played->what;
    if (command.request.draw)
        command.request.what += ", draw " + std::to_string(*command.request.draw);
    command.request.period = std::chrono::microseconds(command.period);
    auto made = profile::measure(command.request, played->play);
    if (!made)
        return profile_fails(command, made.error());
    if (played->glsl)
        profile::add_glsl(*made, *played->glsl);
    const auto mali = profile::find_mali_core(command.mali);
    if (!command.html.empty()) {
        const auto written = write_output(command.html, profile::profile_html(*made, mali));
        if (!written)
            return profile_fails(command, written.error());
    }
    command.text.mali = mali;
    if (command.json)
        std::fputs(profile::profile_json(*made, mali).c_str(), stdout);
    else if (command.html != "-")
        std::fputs(profile::profile_text(*made, command.text).c_str(), stdout);
    return kExitOk;
}

}  // namespace

void add_profile_command(CommandLine& line) {
    const Command command =
        line.subcommand("profile", "Say what a frame costs, by shader, line and instruction");
    auto options = std::make_shared<ProfileCommand>();
    command
        .option("FILE", options->played.input,
                "A recorded program (*.trace), demo:NAME, or a conformance scene (*.scene)")
        .required();
    debug::add_played_arguments(command, options->played);
    command.option("--draw", options->request.draw, "This draw alone, by its number from 0");
    command.flag("--draws", options->request.draws, "Time each draw of the frame, too");
    command.choice("--by", options->text.detail, kDetails, "How far shaders are taken apart");
    command.option("--rows", options->text.rows, "Most shaders with details, and most functions")
        .range(1, 10000)
        .shows_default();
    std::vector<std::string> names;
    for (const profile::MaliCore& core : profile::mali_cores())
        names.emplace_back(core.name);
    command.option("--mali", options->mali, "Estimate the cycles of a core of this Mali, too")
        .one_of(names);
    command.option("--seconds", options->request.least_seconds, "Time frames for so long")
        .range(0.01, 3600.0)
        .shows_default();
    command.option("--period", options->period, "Microseconds from one sample to the next")
        .range(20, 100000)
        .shows_default();
    command.option("--html", options->html, "Write a page to this file, - for standard output");
    command.flag("--json", options->json, "Print JSON instead of text");
    add_device_arguments(command, options->request.device);
    add_color_argument(command, options->color);
    command.runs([options] { return run_profile(*options); });
}

}  // namespace valkyr::app
