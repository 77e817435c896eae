// Command tgsi: checks TGSI shaders, prints them, counts the parts they use.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "tgsi/names.hpp"
#include "tgsi/opcode_table.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <optional>

namespace valkyr::app {

namespace {

struct TgsiOptions {
    std::vector<std::string> inputs;
    GlslArguments glsl;
    bool print = false;
    bool stats = false;
    ColorChoice color = ColorChoice::Auto;
};

/// Totals over all files of a run.
struct TgsiStats {
    size_t shaders = 0;
    std::array<size_t, 6> stages{};
    size_t instructions = 0;
    size_t longest = 0;
    size_t temporaries = 0;
    size_t immediates = 0;
    std::array<size_t, tgsi::kOpcodeCount> opcodes{};

    void add(const tgsi::Shader& shader) {
        ++shaders;
        ++stages[static_cast<size_t>(shader.stage)];
        instructions += shader.instructions.size();
        longest = std::max(longest, shader.instructions.size());
        immediates += shader.immediates.size();
        for (const tgsi::Declaration& decl : shader.declarations)
            if (decl.file == tgsi::File::Temporary)
                temporaries += decl.last - decl.first + 1;
        for (const tgsi::Instruction& instr : shader.instructions)
            ++opcodes[static_cast<size_t>(instr.opcode)];
    }
};

void print_stats(const TgsiStats& stats) {
    std::printf("shaders       %zu\n", stats.shaders);
    for (size_t i = 0; i < stats.stages.size(); ++i)
        if (stats.stages[i] != 0)
            std::printf("  %-11s %zu\n",
                        std::string(tgsi::name_of(static_cast<tgsi::Stage>(i))).c_str(),
                        stats.stages[i]);
    std::printf("instructions  %zu\n", stats.instructions);
    std::printf("  longest     %zu\n", stats.longest);
    std::printf("temporaries   %zu\n", stats.temporaries);
    std::printf("immediates    %zu\n", stats.immediates);
    std::vector<size_t> order;
    for (size_t i = 0; i < stats.opcodes.size(); ++i)
        if (stats.opcodes[i] != 0)
            order.push_back(i);
    std::stable_sort(order.begin(), order.end(),
                     [&](size_t a, size_t b) { return stats.opcodes[a] > stats.opcodes[b]; });
    std::printf("opcodes       %zu\n", order.size());
    for (const size_t i : order)
        std::printf("  %-16s %zu\n",
                    std::string(tgsi::opcode_info(static_cast<tgsi::Opcode>(i)).name).c_str(),
                    stats.opcodes[i]);
}

/// The shader, if it parses and verifies; errors go to standard error.
std::optional<tgsi::Shader> checked_shader(const std::string& input, const TgsiOptions& options) {
    const std::string name = input_name(input);
    const auto text = read_shader(input, options.glsl);
    if (!text.has_value()) {
        static_cast<void>(fail(text.error(), "valkyr tgsi", options.color));
        return std::nullopt;
    }
    tgsi::ParseResult parsed = tgsi::parse(text->text);
    if (parsed.ok())
        parsed.errors = tgsi::verify(parsed.shader);
    print_errors(tgsi::format_errors(parsed.errors, text->text, name), options.color);
    if (!parsed.ok())
        return std::nullopt;
    return std::move(parsed.shader);
}

int check_shaders(const TgsiOptions& options) {
    int status = kExitOk;
    TgsiStats stats;
    for (const std::string& input : options.inputs) {
        const auto shader = checked_shader(input, options);
        if (!shader.has_value()) {
            status = kExitError;
            continue;
        }
        stats.add(*shader);
        if (options.print)
            std::fputs(tgsi::print(*shader).c_str(), stdout);
    }
    if (options.stats)
        print_stats(stats);
    return status;
}

}  // namespace

void add_tgsi_command(CommandLine& line) {
    const Command command = line.subcommand("tgsi", "Check, print and count TGSI shaders");
    auto options = std::make_shared<TgsiOptions>();
    command
        .option("FILE", options->inputs,
                "TGSI texts, - for standard input, or GLSL files: " + glsl_endings())
        .required();
    add_glsl_arguments(command, options->glsl);
    command.flag("--print", options->print, "Print each good shader in Mesa's style");
    command.flag("--stats", options->stats,
                 "Print counts and the opcode histogram of all good shaders");
    add_color_argument(command, options->color);
    command.runs([options] { return check_shaders(*options); });
}

}  // namespace valkyr::app
