// Command compile: prints a TGSI text at any stage of its way to host code.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/cli/report.hpp"
#include "app/cli/shared_argument.hpp"
#include "app/commands.hpp"
#include "app/compile/compile_listing.hpp"
#include "app/compile/compile_stats.hpp"
#include "app/compile/listing_html.hpp"
#include "exec/program.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/text/listing.hpp"

#include <cstdio>
#include <sstream>

namespace valkyr::app {

namespace {

struct CompileCommand {
    std::string input;
    GlslArguments glsl;
    std::string emit = "listing";
    std::string host = "auto";
    std::string output = "-";
    std::string stats;  ///< a directory
    std::vector<std::string> disabled_passes;
    uint32_t shared_bytes = exec::kMaxSharedBytes;
    bool passes = false;
    ColorChoice color = ColorChoice::Auto;
};

valhall::CompileOptions compile_options(const CompileCommand& command) {
    valhall::CompileOptions options;
    options.disabled_passes = command.disabled_passes;
    options.shared_bytes = command.shared_bytes;
    return options;
}

/// The IR after the last pass, or after every pass under its name.
Result<std::string> ir_text(const tgsi::Shader& shader, valhall::CompileOptions options, bool all) {
    std::string text;
    options.dump = [&](std::string_view pass, const std::string& ir) {
        if (all)
            text += "; after " + std::string(pass) + "\n" + ir + "\n";
        else
            text = ir;
    };
    VALKYR_TRY_VOID(valhall::compile(shader, options));
    return text;
}

/// The program as `valkyr asm` and `valkyr check` read it; a prologue follows as comments.
std::string assembly_text(const valhall::Program& program) {
    constexpr valhall::ListingStyle kAssembly{.bytes = false, .labels = true};
    std::string text = valhall::list_words(program.words, kAssembly);
    if (!program.prologue)
        return text;
    text += "# prologue\n";
    std::istringstream lines(valhall::list_words(program.prologue->words, kAssembly));
    for (std::string line; std::getline(lines, line);)
        text += "# " + line + "\n";
    return text;
}

Result<std::string>
host_text(const valhall::Program& program, const CompileCommand& command, std::string_view source) {
    VALKYR_TRY(level, host_level_option(command.host));
    VALKYR_TRY(lines, recompile_for_listing(program, level));
    if (command.emit == "host")
        return list_host(lines);
    if (command.emit == "html")
        return list_html(program, lines, source, input_name(command.input));
    return list_side_by_side(program, lines, source);
}

Result<std::string>
emit_text(const tgsi::Shader& shader, const CompileCommand& command, std::string_view source) {
    if (command.emit == "tgsi")
        return tgsi::print(shader);
    const valhall::CompileOptions options = compile_options(command);
    if (command.emit == "ir")
        return ir_text(shader, options, command.passes);
    VALKYR_TRY(program, valhall::compile(shader, options));
    program.source_name = command.input;
    if (command.emit == "asm")
        return assembly_text(program);
    if (command.emit == "valhall")
        return valhall::list_program(program, source);
    if (command.emit == "hex")
        return valhall::to_hex_form(program.words);
    return host_text(program, command, source);
}

int run_stats(const CompileCommand& command) {
    const auto text = list_stats(command.stats, compile_options(command));
    if (!text.has_value())
        return fail(text.error(), "valkyr compile", command.color);
    const auto written = write_output(command.output, *text);
    return written.has_value() ? kExitOk : fail(written.error(), "valkyr compile", command.color);
}

int run_compile(const CompileCommand& command) {
    if (!command.stats.empty())
        return run_stats(command);
    if (command.input.empty()) {
        std::fputs("valkyr compile: give a SHADER, or --stats and a directory\n", stderr);
        return kExitUsage;
    }
    const std::string name = input_name(command.input);
    const auto source = read_shader(command.input, command.glsl);
    if (!source.has_value())
        return fail(source.error(), "valkyr compile", command.color);
    auto parsed = tgsi::parse(source->text);
    std::vector<Error> errors = std::move(parsed.errors);
    if (errors.empty())
        errors = tgsi::verify(parsed.shader);
    if (!errors.empty()) {
        print_errors(tgsi::format_errors(errors, source->text, name), command.color);
        return kExitError;
    }
    const auto text = emit_text(parsed.shader, command, source->text);
    if (!text.has_value())
        return fail(text.error(), name, command.color);
    const auto written = write_output(command.output, *text);
    return written.has_value() ? kExitOk : fail(written.error(), "valkyr compile", command.color);
}

}  // namespace

void add_compile_command(CommandLine& line) {
    const Command command =
        line.subcommand("compile", "Compile a TGSI or GLSL shader and print any stage of it");
    auto options = std::make_shared<CompileCommand>();
    const Option shader =
        command.option("SHADER", options->input,
                       "TGSI text, - for standard input, or a GLSL file: " + glsl_endings());
    const Option stats =
        command.option("--stats", options->stats,
                       "Instead of a listing: figures of every shader of a directory, and totals");
    shader.excludes(stats);
    command
        .option("--emit", options->emit,
                "What to print: the text as parsed, the compiler's representation, a Valhall "
                "listing, assembly that 'asm' and 'check' read, words, host code, or all side "
                "by side, as text or as a page that links them")
        .one_of({"tgsi", "ir", "valhall", "asm", "hex", "host", "listing", "html"})
        .shows_default();
    command.option("--host", options->host, "Host level of host, listing and html")
        .one_of({"auto", "avx2", "avx512", "neon"})
        .shows_default();
    command.flag("--passes", options->passes,
                 "With --emit ir: after every pass, not only the last");
    command
        .option("--disable-pass,--disable", options->disabled_passes,
                "Leave out an optimisation pass, by name")
        .one_value_each();
    add_glsl_arguments(command, options->glsl);
    add_shared_argument(command, options->shared_bytes);
    command.option("-o,--output", options->output, "File to write, - for standard output")
        .shows_default();
    add_color_argument(command, options->color);
    command.runs([options] { return run_compile(*options); });
}

}  // namespace valkyr::app
