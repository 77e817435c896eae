// Command asm: turns Valhall assembly text into machine words.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/hex_form.hpp"

#include <cstdio>
#include <unistd.h>

namespace valkyr::app {

namespace {

struct AsmOptions {
    std::string input;
    std::string output = "-";
    bool hex = false;
    ColorChoice color = ColorChoice::Auto;
};

int assemble_file(const AsmOptions& options) {
    if (!options.hex && options.output == "-" && isatty(STDOUT_FILENO) != 0)
        return fail(
            {Errc::System, {}, "not writing machine code to a terminal; use --hex or -o FILE"},
            "valkyr asm", options.color);
    const auto text = read_input(options.input);
    if (!text.has_value())
        return fail(text.error(), "valkyr asm", options.color);
    const valhall::Assembly assembly = valhall::assemble(*text);
    if (!assembly.errors.empty()) {
        print_errors(tgsi::format_errors(assembly.errors, *text, input_name(options.input)),
                     options.color);
        return kExitError;
    }
    const auto written =
        write_output(options.output, options.hex ? valhall::to_hex_form(assembly.words)
                                                 : valhall::to_binary(assembly.words));
    return written.has_value() ? kExitOk : fail(written.error(), "valkyr asm", options.color);
}

}  // namespace

void add_asm_command(CommandLine& line) {
    const Command command = line.subcommand("asm", "Assemble Valhall text to machine code");
    auto options = std::make_shared<AsmOptions>();
    command.option("FILE", options->input, "Assembly text, - for standard input").required();
    command.option("-o,--output", options->output, "Output file, - for standard output");
    command.flag("--hex", options->hex, "Write eight hexadecimal bytes a line instead of binary");
    add_color_argument(command, options->color);
    command.runs([options] { return assemble_file(*options); });
}

}  // namespace valkyr::app
