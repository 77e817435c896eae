// Command doctor: checks what `valkyr run` needs.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/commands.hpp"
#include "app/run/doctor/doctor.hpp"
#include "app/run/doctor/probes.hpp"
#include "app/run/preloads.hpp"

#include <cstdio>
#include <cstdlib>
#include <string>

namespace valkyr::app {

namespace {

struct DoctorCommand {
    std::string client;
    bool xvfb = false;
    bool json = false;
    ColorChoice color = ColorChoice::Auto;
    std::string probe;  ///< empty: this process is the doctor, not its client
};

Result<std::string> run_probe(const std::string& probe) {
    if (probe == kArrayProbe)
        return probe_arrays();
    return probe == kEglProbe ? probe_egl() : probe_glx();
}

/// Runs as the client that doctor starts under `valkyr run`.
int be_client(const std::string& probe) {
    const Result<std::string> result = run_probe(probe);
    std::printf("%s\n", result.has_value() ? result->c_str() : result.error().text.c_str());
    return result.has_value() ? kExitOk : kExitError;
}

int examine_system(const DoctorCommand& command) {
    if (!command.probe.empty())
        return be_client(command.probe);
    leave_preloads();
    const auto variable = [](const std::string& name) {
        const char* value = std::getenv(name.c_str());
        return std::string(value != nullptr ? value : "");
    };
    const Findings findings = examine(variable, command.xvfb, command.client);
    const std::string text =
        command.json ? findings_json(findings)
                     : findings_text(findings, command.xvfb, Style(command.color, stdout));
    std::fputs(text.c_str(), stdout);
    return is_well(findings) ? kExitOk : kExitError;
}

}  // namespace

void add_doctor_command(CommandLine& line) {
    const Command command =
        line.subcommand("doctor", "Check what `valkyr run` needs, and say what to do");
    auto options = std::make_shared<DoctorCommand>();
    command.flag("--xvfb", options->xvfb, "Check `valkyr run --xvfb`: without a display");
    command.option("--client", options->client, "Check `valkyr run --client DIR`")
        .value_name("DIR");
    command.flag("--json", options->json, "Print an array of items for programs");
    add_color_argument(command, options->color);
    command.option(kProbeOption, options->probe, "Be a client")
        .one_of({kEglProbe, kGlxProbe, kArrayProbe})
        .hidden();
    command.runs([options] { return examine_system(*options); });
}

}  // namespace valkyr::app
