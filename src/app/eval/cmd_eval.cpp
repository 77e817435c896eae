// Command eval: runs a shader on given inputs and prints its outputs.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/glsl_file.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/debug/shader/shader_textures.hpp"
#include "app/eval/eval_groups.hpp"
#include "app/eval/eval_program.hpp"
#include "app/eval/eval_textures.hpp"
#include "app/eval/eval_values.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/names.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <cstdio>

namespace valkyr::app {

namespace {

struct EvalOptions {
    std::string input;
    GlslArguments glsl;
    std::string engine = "tgsi";
    std::vector<std::string> values;
    GroupOptions groups;
    debug::TextureArguments textures;
    uint32_t lanes = 1;
    uint64_t steps = uint64_t{1} << 24;
    bool race_check = false;
    ColorChoice color = ColorChoice::Auto;
};

/// "OUT[1] GENERIC[0]" of an output register.
std::string output_name(const tgsi::Shader& shader, uint32_t index) {
    std::string name = "OUT[" + std::to_string(index) + "]";
    for (const tgsi::Declaration& decl : shader.declarations) {
        const bool here =
            decl.file == tgsi::File::Output && index >= decl.first && index <= decl.last;
        if (!here || !decl.has_semantic)
            continue;
        name += ' ' + std::string(tgsi::name_of(decl.semantic));
        const uint32_t semantic_index = decl.semantic_index + index - decl.first;
        if (semantic_index != 0 || decl.semantic == tgsi::Semantic::Generic)
            name += '[' + std::to_string(semantic_index) + ']';
        break;
    }
    return name;
}

void print_registers(const tgsi::Shader& shader, const std::vector<tgsi::Word4>& registers) {
    for (uint32_t i = 0; i < registers.size(); ++i)
        std::printf("  %-20s %s\n", output_name(shader, i).c_str(),
                    format_words(registers[i]).c_str());
}

void print_lane(const tgsi::Shader& shader, const tgsi::Invocation& lane) {
    for (const tgsi::Emission& event : lane.emissions) {
        std::printf("  %s, stream %u\n", event.ends_primitive ? "end of primitive" : "vertex",
                    event.stream);
        print_registers(shader, event.outputs);
    }
    if (lane.emissions.empty())
        print_registers(shader, lane.outputs);
}

void print_outputs(const tgsi::Shader& shader, const tgsi::Group& group) {
    for (size_t i = 0; i < group.invocations.size(); ++i) {
        std::printf("lane %zu%s\n", i, group.invocations[i].killed ? " (killed)" : "");
        print_lane(shader, group.invocations[i]);
        if (i < group.vertex_outputs.size())
            print_registers(shader, group.vertex_outputs[i]);
    }
    if (!group.patch_outputs.empty()) {
        std::printf("patch\n");
        print_registers(shader, group.patch_outputs);
    }
}

/// Prints what the group changes, and its races.
int check_races(const EvalOptions& options,
                const tgsi::Shader& shader,
                tgsi::Group& group,
                const GroupBench& bench,
                const std::string& name) {
    const auto races = run_race_check(shader, options.steps, group, bench.place, name);
    if (!races.has_value())
        return fail(races.error(), name, options.color);
    std::fputs((changes_text(bench) + races->text).c_str(), stdout);
    return races->found ? kExitError : kExitOk;
}

/// Runs the text itself.
Result<void> run_text(const tgsi::Interpreter& interpreter,
                      const debug::ShaderTextures* textures,
                      tgsi::Group& group) {
    if (textures == nullptr)
        return interpreter.run(group);
    EvalTextures units(*textures, interpreter.shader());
    group.textures = &units;
    auto done = interpreter.run(group);
    group.textures = nullptr;
    return done.has_value() ? units.outcome() : std::move(done);
}

int run_group(const EvalOptions& options,
              const tgsi::Interpreter& interpreter,
              tgsi::Group& group,
              const std::shared_ptr<const debug::ShaderTextures>& textures,
              const std::string& name) {
    const tgsi::Shader& shader = interpreter.shader();
    if (const auto checked = check_group_inputs(options.values, shader); !checked.has_value())
        return fail(checked.error(), "valkyr eval", options.color);
    auto bench = make_group(shader, options.groups, options.lanes);
    if (!bench.has_value())
        return fail(bench.error(), "valkyr eval", options.color);
    attach_group(*bench, shader, group);
    if (options.race_check)
        return check_races(options, shader, group, *bench, name);
    const auto result =
        options.engine == "tgsi"
            ? run_text(interpreter, textures.get(), group)
            : run_compiled(shader, {options.engine, options.steps, &bench->place, textures.get()},
                           group);
    if (!result.has_value())
        return fail(result.error(), name, options.color);
    std::fputs(changes_text(*bench).c_str(), stdout);
    return kExitOk;
}

/// The textures of the command line. The search for races runs without any.
Result<std::shared_ptr<const debug::ShaderTextures>> load_textures(const EvalOptions& options,
                                                                   const tgsi::Shader& shader) {
    VALKYR_TRY(textures, debug::ShaderTextures::load(options.textures, shader));
    if (textures && options.race_check)
        return Error{Errc::Unsupported, {}, "--race-check has no --texture and --sampler"};
    return textures;
}

int run_shader(const EvalOptions& options, const tgsi::Shader& shader, const std::string& name) {
    tgsi::InterpreterLimits limits;
    limits.steps = options.steps;
    const auto interpreter = tgsi::Interpreter::create(shader, limits);
    if (!interpreter.has_value())
        return fail(interpreter.error(), name, options.color);
    EvalGroup bench;
    make_lanes(bench.group, shader, options.lanes);
    if (const auto set = set_inputs(bench, options.values, shader); !set.has_value())
        return fail(set.error(), "valkyr eval", options.color);
    const auto textures = load_textures(options, shader);
    if (!textures.has_value())
        return fail(textures.error(), "valkyr eval", options.color);
    if (shader.stage == tgsi::Stage::Compute)
        return run_group(options, *interpreter, bench.group, *textures, name);
    if (options.race_check)
        return fail({Errc::Unsupported, {}, "--race-check is for COMP texts"}, "valkyr eval",
                    options.color);
    if (const auto none = refuse_group_options(options.groups); !none.has_value())
        return fail(none.error(), "valkyr eval", options.color);
    const auto result =
        options.engine == "tgsi"
            ? run_text(*interpreter, textures->get(), bench.group)
            : run_compiled(shader, {options.engine, options.steps, nullptr, textures->get()},
                           bench.group);
    if (!result.has_value())
        return fail(result.error(), name, options.color);
    print_outputs(shader, bench.group);
    return kExitOk;
}

int evaluate(const EvalOptions& options) {
    const std::string name = input_name(options.input);
    const auto text = read_shader(options.input, options.glsl);
    if (!text.has_value())
        return fail(text.error(), "valkyr eval", options.color);
    tgsi::ParseResult parsed = tgsi::parse(text->text);
    if (parsed.ok())
        parsed.errors = tgsi::verify(parsed.shader);
    if (!parsed.ok()) {
        print_errors(tgsi::format_errors(parsed.errors, text->text, name), options.color);
        return kExitError;
    }
    return run_shader(options, parsed.shader, name);
}

}  // namespace

void add_eval_command(CommandLine& line) {
    const Command command = line.subcommand("eval", "Run a TGSI or GLSL shader on given inputs");
    auto options = std::make_shared<EvalOptions>();
    command
        .option("FILE", options->input,
                "TGSI text, - for standard input, or a GLSL file: " + glsl_endings())
        .required();
    add_glsl_arguments(command, options->glsl);
    command
        .option("--engine", options->engine,
                "What runs it: the text itself, the compiled program interpreted or "
                "recompiled")
        .one_of({"tgsi", "valhall", "jit"})
        .shows_default();
    command.option("--input", options->values,
                   "NAME[@LANE]=VALUES: IN[0]=1,2,3,4  CONST[1][0]=0x3f800000  VERTEXID=7u");
    add_group_options(command, options->groups);
    debug::add_texture_arguments(command, options->textures);
    command
        .option("--lanes", options->lanes,
                "Invocations that run together (COMP and TESS_CTRL texts may fix their number)")
        .range(1, 1024)
        .shows_default();
    command.option("--steps", options->steps, "Instructions before it counts as endless")
        .positive()
        .shows_default();
    command.flag("--race-check", options->race_check,
                 "COMP texts: find invocations that access a byte of shared memory with no "
                 "barrier between, at least one writing, not both by atomics. The compiled program "
                 "is interpreted, whatever --engine says; exit code 1 if there are any");
    add_color_argument(command, options->color);
    command.runs([options] { return evaluate(*options); });
}

}  // namespace valkyr::app
