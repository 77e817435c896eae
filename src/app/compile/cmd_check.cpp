// Command check: validates a Valhall program.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "tgsi/text/parser.hpp"
#include "valhall/text/assemble.hpp"
#include "valhall/text/disassemble.hpp"
#include "valhall/text/hex_form.hpp"
#include "valhall/validator/validate.hpp"

#include <cstdio>
#include <map>

namespace valkyr::app {

namespace {

struct CheckOptions {
    std::string input;
    exec::Stage stage = exec::Stage::Fragment;
    bool hex = false;
    bool binary = false;
    bool list_rules = false;
    uint32_t fau_words = 256;
};

const std::map<std::string, exec::Stage> kStages = {{"vertex", exec::Stage::Vertex},
                                                    {"fragment", exec::Stage::Fragment},
                                                    {"compute", exec::Stage::Compute},
                                                    {"blend", exec::Stage::Blend},
                                                    {"geometry", exec::Stage::Geometry}};

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
        std::fputs(tgsi::format_errors(assembly.errors, bytes, program.source_name).c_str(),
                   stderr);
        return Error{Errc::Syntax, {}, "the text does not assemble"};
    }
    program.words = std::move(assembly.words);
    program.source_lines = std::move(assembly.lines);
    return program;
}

/// The diagnostic, and below it the instruction that it is about.
void print(const valhall::Diagnostic& diagnostic, const valhall::Program& program) {
    std::fprintf(stderr, "%s\n", valhall::format_diagnostic(diagnostic, program).c_str());
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
        return fail(bytes.error(), "valkyr check");
    const auto program = read_program(options, *bytes);
    if (!program.has_value())
        return fail(program.error(), input_name(options.input));
    const auto diagnostics = valhall::validate(*program);
    for (const valhall::Diagnostic& diagnostic : diagnostics)
        print(diagnostic, *program);
    return diagnostics.empty() ? kExitOk : kExitError;
}

}  // namespace

void add_check_command(CLI::App& app, Run& run) {
    auto* command = app.add_subcommand("check", "Check a Valhall program against the rules");
    auto options = std::make_shared<CheckOptions>();
    auto* rules = command->add_flag("--rules", options->list_rules, "List the rules and stop");
    command->add_option("FILE", options->input, "Assembly text, - for standard input")
        ->excludes(rules);
    command->add_option("--stage", options->stage, "vertex, geometry, fragment, compute or blend")
        ->transform(CLI::CheckedTransformer(kStages, CLI::ignore_case).description(""))
        ->type_name("STAGE")
        ->default_str("fragment");
    auto* hex = command->add_flag("--hex", options->hex,
                                  "Read eight hexadecimal bytes a line instead of text");
    command->add_flag("--binary", options->binary, "Read machine code instead of text")
        ->excludes(hex);
    command->add_option("--fau", options->fau_words, "FAU words of the program")
        ->check(CLI::Range(0, 256))
        ->capture_default_str();
    command->callback([options, &run] {
        if (!options->list_rules && options->input.empty())
            throw CLI::RequiredError("FILE");
        run = [options] { return check_file(*options); };
    });
}

}  // namespace valkyr::app
