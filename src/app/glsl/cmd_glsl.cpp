// Command glsl: prints the TGSI text that Mesa makes of a GLSL file.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/glsl/client_run.hpp"
#include "app/glsl/glsl_source.hpp"
#include "app/glsl/glsl_translation.hpp"
#include "app/glsl/keep_glsl.hpp"
#include "app/run/preloads.hpp"

#include <cstdio>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::app {

namespace {

constexpr const char* kName = "valkyr glsl";
constexpr const char* kFooter =
    "A file alone is linked as a separable program: its inputs and outputs are all kept, and have "
    "the numbers that Mesa gives them. With --link, the files are linked as one program, whose "
    "stages get matching numbers, without what no stage reads; no stage is added, so --link needs "
    "the vertex shader of a program that has other stages before the rasterizer. Nothing is drawn.";

struct GlslCommand {
    std::vector<std::string> files;
    GlslArguments arguments;
    std::string output = "-";
    ColorChoice color = ColorChoice::Auto;
    std::string client;  ///< empty: this process is no client
    uint32_t profile = 0;
    bool parts = false;
    std::string kept_trace;  ///< empty: this process adds nothing to a trace
};

int refuse(const std::string& text) {
    std::fprintf(stderr, "%s: %s\n", kName, text.c_str());
    return kExitUsage;
}

/// Why the words mean nothing; empty: they do.
std::string wrong_usage(const GlslCommand& command) {
    if (command.files.empty())
        return "FILE is missing: a GLSL file, " + glsl_endings();
    if (command.files.size() > 1)
        return "give one FILE, and other stages by --link";
    std::vector<std::string> paths = command.arguments.links;
    paths.insert(paths.begin(), command.files.front());
    for (const std::string& path : paths)
        if (glsl_stage_of(path) == nullptr)
            return "the name of " + path + " ends in none of " + glsl_endings();
    const auto defined = with_defines("", command.arguments.defines);
    return defined.has_value() ? "" : defined.error().text;
}

/// Adds the GLSL in a folder to a trace, for `valkyr run --record`.
int keep_in_trace(const GlslCommand& command) {
    leave_preloads();
    const auto kept = keep_glsl(command.files.front(), command.kept_trace);
    if (!kept.has_value()) {
        std::fprintf(stderr, "valkyr run: the trace has no GLSL: %s\n", kept.error().text.c_str());
        return kExitError;
    }
    if (kept->left_out != 0)
        std::fprintf(stderr,
                     "valkyr run: the trace has the GLSL of %zu programs, not of %zu more\n",
                     kept->programs, kept->left_out);
    return kExitOk;
}

int run_glsl(const GlslCommand& command) {
    if (!command.client.empty())
        return run_glsl_client(command.client, static_cast<GlslProfile>(command.profile));
    if (!command.kept_trace.empty() && command.files.size() == 1)
        return keep_in_trace(command);
    if (const std::string wrong = wrong_usage(command); !wrong.empty())
        return refuse(wrong);
    leave_preloads();
    const auto translation = translate_glsl(command.files.front(), command.arguments);
    if (!translation.has_value())
        return fail(translation.error(), kName, command.color);
    print_errors(translation->messages, command.color);
    if (!translation->good)
        return kExitError;
    const std::string parts =
        translation->text + kPartsEnd + translation->names + kPartsEnd + translation->source;
    const auto written = write_output(command.output, command.parts ? parts : translation->text);
    return written.has_value() ? kExitOk : fail(written.error(), kName, command.color);
}

}  // namespace

void add_glsl_command(CommandLine& line) {
    const Command command =
        line.subcommand("glsl", "Print the TGSI text that Mesa makes of a GLSL file");
    auto options = std::make_shared<GlslCommand>();
    command.option("FILE", options->files, "GLSL file: " + glsl_endings());
    add_glsl_arguments(command, options->arguments);
    command.option("-o,--output", options->output, "File to write, - for standard output")
        .shows_default();
    add_color_argument(command, options->color);
    command.option(kClientOption, options->client, "Be a client").hidden();
    command.option(kProfileOption, options->profile, "Profile of a client").hidden();
    command.option(kKeepOption, options->kept_trace, "Add GLSL to a trace").hidden();
    command.flag(kPartsOption, options->parts, "Print names and source, too").hidden();
    command.footer(kFooter);
    command.runs([options] { return run_glsl(*options); });
}

}  // namespace valkyr::app
