// Debug arguments: reads the options that choose the warp of `valkyr debug` and `lockstep`.
// SPDX-License-Identifier: MIT
#include "app/debug/debug_arguments.hpp"

#include "app/cli/file_io.hpp"
#include "app/compile/compile_listing.hpp"
#include "app/debug/shader/shader_session.hpp"
#include "app/eval/eval_values.hpp"
#include "tgsi/names.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>

namespace valkyr::app {

namespace {

using debug::Session;

/// All errors of a text as one.
Error text_error(const std::vector<Error>& errors, std::string_view text, const std::string& name) {
    std::string all = tgsi::format_errors(errors, text, name);
    all.erase(all.find_last_not_of('\n') + 1);
    return Error{errors.front().code, {}, all};
}

/// Fills in the work-group of a compute shader.
Result<void> add_group(const DebugArguments& arguments,
                       const tgsi::Shader& shader,
                       tgsi::Group& group,
                       debug::ShaderRequest& request) {
    VALKYR_TRY_VOID(check_group_inputs(arguments.values, shader));
    VALKYR_TRY(made, make_group(shader, arguments.groups, arguments.lanes));
    const auto bench = std::make_shared<GroupBench>(std::move(made));
    attach_group(*bench, shader, group);
    request.work_group = bench->place;
    request.memory = bench;
    return {};
}

Result<std::shared_ptr<const Session>> open_shader_file(const DebugArguments& arguments,
                                                        jit::HostLevel level) {
    debug::ShaderRequest request;
    request.name = input_name(arguments.played.input);
    request.level = level;
    request.disabled_passes = arguments.disabled_passes;
    VALKYR_TRY(input, read_shader(arguments.played.input, arguments.glsl));
    tgsi::ParseResult parsed = tgsi::parse(input.text);
    if (parsed.ok())
        parsed.errors = tgsi::verify(parsed.shader);
    if (!parsed.ok())
        return text_error(parsed.errors, input.text, request.name);
    EvalGroup bench;
    make_lanes(bench.group, parsed.shader, arguments.lanes);
    VALKYR_TRY_VOID(set_inputs(bench, arguments.values, parsed.shader));
    if (parsed.shader.stage == tgsi::Stage::Compute)
        VALKYR_TRY_VOID(add_group(arguments, parsed.shader, bench.group, request));
    else
        VALKYR_TRY_VOID(refuse_group_options(arguments.groups));
    VALKYR_TRY(textures, debug::ShaderTextures::load(arguments.textures, parsed.shader));
    request.textures = std::move(textures);
    request.text = std::move(input.text);
    if (!input.glsl.empty())
        request.glsl = {0, std::string(tgsi::name_of(parsed.shader.stage)), std::move(input.glsl),
                        request.text, std::move(input.names)};
    request.shader = std::move(parsed.shader);
    request.group = std::move(bench.group);
    request.constants = std::move(bench.constants);
    return debug::open_shader(std::move(request));
}

/// A scene or trace with the player and the request for it.
struct Drawn {
    debug::DrawRequest request;
    debug::Player play;
};

/// errors   of the arguments and of the file
Result<Drawn> drawn_file(const DebugArguments& arguments) {
    Drawn drawn;
    debug::DrawRequest& request = drawn.request;
    request.target.vertex = arguments.vertex;
    request.target.primitive = arguments.primitive;
    request.target.patch = arguments.patch;
    if (int{!arguments.pixel.empty()} + int{arguments.vertex.has_value()} +
            int{arguments.primitive.has_value()} + int{arguments.patch.has_value()} >
        1)
        return Error{
            Errc::OutOfRange, {}, "--pixel, --vertex, --primitive and --patch exclude each other"};
    if (!arguments.pixel.empty()) {
        request.target.pixel = debug::parse_pair(arguments.pixel, ',');
        if (!request.target.pixel)
            return Error{Errc::OutOfRange, {}, "--pixel '" + arguments.pixel + "' is not X,Y"};
    }
    request.draw = arguments.draw;
    request.hit = arguments.hit;
    request.sample = arguments.sample;
    VALKYR_TRY(played, debug::played_file(arguments.played));
    request.what = std::move(played.what);
    request.whole = std::move(played.whole);
    request.glsl = std::move(played.glsl);
    drawn.play = std::move(played.play);
    return drawn;
}

Result<std::shared_ptr<const Session>> open_drawn(const DebugArguments& arguments,
                                                  jit::HostLevel level) {
    VALKYR_TRY(drawn, drawn_file(arguments));
    if (!drawn.request.target.is_set())
        return Error{Errc::OutOfRange,
                     {},
                     "scenes and traces need one of --pixel X,Y, --vertex N, --primitive N and "
                     "--patch N"};
    drawn.request.level = level;
    return debug::open_draw(drawn.request, drawn.play);
}

}  // namespace

void add_debug_arguments(Command command, DebugArguments& arguments) {
    command
        .option("FILE", arguments.played.input,
                "TGSI text (- for standard input), a GLSL file (" + glsl_endings() +
                    "), a conformance scene (*.scene), demo:NAME, or a recorded program (*.trace)")
        .required();
    add_glsl_arguments(command, arguments.glsl);
    command.option("--input", arguments.values, "Shaders: NAME[@LANE]=VALUES, as in 'valkyr eval'");
    command
        .option("--lanes", arguments.lanes,
                "Shaders: lanes of the warp; COMP texts: invocations, unless the text fixes them, "
                "as TESS_CTRL texts do")
        .range(1, 1024)
        .shows_default();
    add_group_options(command, arguments.groups);
    debug::add_texture_arguments(command, arguments.textures);
    command
        .option("--disable-pass", arguments.disabled_passes,
                "Shaders: leave out an optimisation pass ('schedule': words keep the order of "
                "the text)")
        .one_value_each();
    command.option("--pixel", arguments.pixel,
                   "Scenes, traces: X,Y of the pixel, row 0 at the top");
    command.option("--vertex", arguments.vertex, "Scenes, traces: number of the vertex");
    command.option("--primitive", arguments.primitive,
                   "Scenes, traces: number of a geometry shader's input primitive");
    command.option("--patch", arguments.patch,
                   "Scenes, traces: number of a patch, for its tessellation shaders");
    command.option("--draw", arguments.draw,
                   "Scenes, traces: number of the draw, from 0 (default: the last one that fits)");
    command.option("--hit", arguments.hit,
                   "Which of the draw's warps that have it (default: the last)");
    command.option("--sample", arguments.sample, "Sample of per-sample shading").range(0, 15);
    debug::add_played_arguments(command, arguments.played);
    command.option("--host", arguments.host, "Host level of the host listing")
        .one_of({"auto", "avx2", "avx512", "neon"})
        .shows_default();
    command.option("--steps", arguments.steps, "Instructions before a run counts as endless")
        .range(1, 1 << 22)
        .shows_default();
}

Result<std::unique_ptr<debug::Debugger>> open_debugger(const DebugArguments& arguments) {
    const auto level = host_level_option(arguments.host);
    const jit::HostLevel host = level ? *level : jit::HostLevel::None;
    if (debug::is_played(arguments.played.input))
        VALKYR_TRY_VOID(refuse_group_options(arguments.groups));
    VALKYR_TRY(session, debug::is_played(arguments.played.input)
                            ? open_drawn(arguments, host)
                            : open_shader_file(arguments, host));
    return debug::Debugger::create(std::move(session),
                                   {.sample = arguments.sample, .step_limit = arguments.steps});
}

Result<std::vector<std::string>> list_draws(const DebugArguments& arguments) {
    if (!debug::is_played(arguments.played.input))
        return Error{Errc::OutOfRange, {}, "--draws is for scenes and traces"};
    VALKYR_TRY(drawn, drawn_file(arguments));
    return debug::list_draws(drawn.request, drawn.play);
}

}  // namespace valkyr::app
