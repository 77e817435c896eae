// Command check: validates a Valhall program.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/validator/validate.hpp"

#include <array>
#include <cstdio>

namespace valkyr::app {

namespace {

struct CheckOptions {
    std::string input;
    exec::Stage stage = exec::Stage::Fragment;
    bool hex = false;
    bool binary = false;
    bool list_rules = false;
    uint32_t fau_words = 256;
    ColorChoice color = ColorChoice::Auto;
};

constexpr std::array<Choice<exec::Stage>, 5> kStages = {{
    {"blend", exec::Stage::Blend},
    {"compute", exec::Stage::Compute},
    {"fragment", exec::Stage::Fragment},
    {"geometry", exec::Stage::Geometry},
    {"vertex", exec::Stage::Vertex},
}};

std::string_view how_checked(valhall::RuleKind kind) {
    switch (kind) {
    case valhall::RuleKind::Static: return "";
    case valhall::RuleKind::Decoding: return "  (by the decoder)";
    case valhall::RuleKind::Dynamic: return "  (in hazard mode, when the program runs)";
    }
    return "";
}

int list_rules() {
    std::string text;
    for (const valhall::RuleInfo& rule : valhall::validation_rules())
        text += std::string(rule.id) + "\t" + std::string(rule.text) +
                std::string(how_checked(rule.kind)) + "\n";
    return write_output("-", text).has_value() ? kExitOk : kExitError;
}

/// The words of the input: assembly text, or machine code.
Result<valhall::Program> read_program(const CheckOptions& options, const std::string& bytes) {
    valhall::Program program;
    program.source_name = input_name(options.input);
    program.info.stage = options.stage;
    program.fau.resize(options.fau_words);
    if (options.hex || options.binary) {
        VALKYR_TRY(words,
                   options.hex ? valhall::parse_hex_file(bytes) : valhall::from_binary(bytes));
        program.words = std::move(words);
        return program;
    }
    valhall::Assembly assembly = valhall::assemble(bytes);
    if (!assembly.errors.empty()) {
        print_errors(tgsi::format_errors(assembly.errors, bytes, program.source_name),
                     options.color);
        return Error{Errc::Syntax, {}, "the text does not assemble"};
    }
    program.words = std::move(assembly.words);
    program.source_lines = std::move(assembly.lines);
    return program;
}

/// Prints the diagnostic and, below it, its instruction.
void print(const valhall::Diagnostic& diagnostic,
           const valhall::Program& program,
           ColorChoice color) {
    print_errors(valhall::format_diagnostic(diagnostic, program) + "\n", color);
    if (diagnostic.word_index >= program.words.size())
        return;
    const auto text = valhall::disassemble(program.words[diagnostic.word_index]);
    if (text.has_value())
        std::fprintf(stderr, "    %s\n", text->c_str());
}

int check_file(const CheckOptions& options) {
    if (options.list_rules)
        return list_rules();
    const auto bytes = read_input(options.input);
    if (!bytes.has_value())
        return fail(bytes.error(), "valkyr check", options.color);
    const auto program = read_program(options, *bytes);
    if (!program.has_value())
        return fail(program.error(), input_name(options.input), options.color);
    const auto diagnostics = valhall::validate(*program);
    for (const valhall::Diagnostic& diagnostic : diagnostics)
        print(diagnostic, *program, options.color);
    return diagnostics.empty() ? kExitOk : kExitError;
}

}  // namespace

void add_check_command(CommandLine& line) {
    const Command command = line.subcommand("check", "Check a Valhall program against the rules");
    auto options = std::make_shared<CheckOptions>();
    const Option rules = command.flag("--rules", options->list_rules, "List the rules and stop");
    command.option("FILE", options->input, "Assembly text, - for standard input")
        .excludes(rules)
        .required_unless(rules);
    command
        .choice("--stage", options->stage, kStages, "vertex, geometry, fragment, compute or blend",
                Letters::AnyCase)
        .value_name("STAGE");
    const Option hex =
        command.flag("--hex", options->hex, "Read eight hexadecimal bytes a line instead of text");
    command.flag("--binary", options->binary, "Read machine code instead of text").excludes(hex);
    command.option("--fau", options->fau_words, "FAU words of the program")
        .range(0, 256)
        .shows_default();
    add_color_argument(command, options->color);
    command.runs([options] { return check_file(*options); });
}

}  // namespace valkyr::app
