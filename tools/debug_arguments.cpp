// What "valkyr debug" and "valkyr trace" have in common: the warp they are about.
// SPDX-License-Identifier: MIT
#include "debug_arguments.hpp"

#include "compile_listing.hpp"
#include "debug/scene_session.hpp"
#include "debug/shader_session.hpp"
#include "eval_values.hpp"
#include "file_io.hpp"
#include "tgsi/parser.hpp"
#include "tgsi/verifier.hpp"

#include <cstdio>

namespace valkyr::tools {

namespace {

using debug::Session;

/// All errors of a text as one.
Error text_error(const std::vector<Error>& errors, std::string_view text, const std::string& name) {
    std::string all = tgsi::format_errors(errors, text, name);
    all.erase(all.find_last_not_of('\n') + 1);
    return Error{errors.front().code, {}, all};
}

Result<std::shared_ptr<const Session>> open_shader_file(const DebugArguments& arguments,
                                                        jit::HostLevel level) {
    debug::ShaderRequest request;
    request.name = input_name(arguments.input);
    request.level = level;
    request.disabled_passes = arguments.disabled_passes;
    VALKYR_TRY(text, read_input(arguments.input));
    tgsi::ParseResult parsed = tgsi::parse(text);
    if (parsed.ok())
        parsed.errors = tgsi::verify(parsed.shader);
    if (!parsed.ok())
        return text_error(parsed.errors, text, request.name);
    EvalGroup bench;
    bench.group.invocations.resize(arguments.lanes);
    VALKYR_TRY_VOID(set_inputs(bench, arguments.values, parsed.shader));
    request.text = std::move(text);
    request.shader = std::move(parsed.shader);
    request.group = std::move(bench.group);
    request.constants = std::move(bench.constants);
    return debug::open_shader(std::move(request));
}

/// Two numbers with a character between them.
std::optional<std::pair<int32_t, int32_t>> parse_pair(const std::string& text, char between) {
    unsigned a = 0;
    unsigned b = 0;
    char separator = 0;
    char end = 0;
    if (std::sscanf(text.c_str(), "%5u%c%5u%c", &a, &separator, &b, &end) != 3 ||
        separator != between)
        return std::nullopt;
    return std::pair{static_cast<int32_t>(a), static_cast<int32_t>(b)};
}

Result<std::shared_ptr<const Session>> open_scene_file(const DebugArguments& arguments,
                                                       jit::HostLevel level) {
    constexpr int32_t kMaxSize = 8192;
    debug::SceneRequest request;
    request.scene = arguments.input;
    request.target.vertex = arguments.vertex;
    if (arguments.pixel.empty() != arguments.vertex.has_value())
        return Error{Errc::OutOfRange, {}, "a scene needs either --pixel X,Y or --vertex N"};
    if (!arguments.pixel.empty()) {
        request.target.pixel = parse_pair(arguments.pixel, ',');
        if (!request.target.pixel)
            return Error{Errc::OutOfRange, {}, "--pixel '" + arguments.pixel + "' is not X,Y"};
    }
    const auto size = parse_pair(arguments.size, 'x');
    if (!size || size->first < 1 || size->second < 1 || size->first > kMaxSize ||
        size->second > kMaxSize)
        return Error{Errc::OutOfRange,
                     {},
                     "--size '" + arguments.size + "' is not WIDTHxHEIGHT with 1 to 8192 each"};
    request.width = static_cast<uint32_t>(size->first);
    request.height = static_cast<uint32_t>(size->second);
    request.draw = arguments.draw;
    request.hit = arguments.hit;
    request.sample = arguments.sample;
    request.seconds = arguments.seconds;
    request.level = level;
    return debug::open_scene(request);
}

}  // namespace

void add_debug_arguments(CLI::App& command, DebugArguments& arguments) {
    command
        .add_option("FILE", arguments.input,
                    "TGSI text (- for standard input), a conformance scene (*.scene), or demo:NAME")
        ->required();
    command.add_option("--input", arguments.values,
                       "Shaders: NAME[@LANE]=VALUES, as in 'valkyr eval'");
    command.add_option("--lanes", arguments.lanes, "Shaders: lanes of the warp")
        ->check(CLI::Range(1, 16))
        ->capture_default_str();
    command
        .add_option("--disable-pass", arguments.disabled_passes,
                    "Shaders: leave out an optimisation pass ('schedule': words keep the order of "
                    "the text)")
        ->allow_extra_args(false);
    command.add_option("--pixel", arguments.pixel, "Scenes: X,Y of the pixel, row 0 at the top");
    command.add_option("--vertex", arguments.vertex, "Scenes: number of the vertex");
    command.add_option("--draw", arguments.draw,
                       "Scenes: number of the draw, from 0 (default: the last one that fits)");
    command.add_option("--hit", arguments.hit,
                       "Scenes: which of the draw's primitives on the pixel (default: the last)");
    command.add_option("--sample", arguments.sample, "Scenes: sample of per-sample shading")
        ->check(CLI::Range(0, 15));
    command.add_option("--time", arguments.seconds, "Demos: seconds since the start")
        ->capture_default_str();
    command.add_option("--size", arguments.size, "Demos: size of the picture")
        ->capture_default_str();
    command.add_option("--host", arguments.host, "Host level of the host listing")
        ->check(CLI::IsMember({"auto", "avx2", "avx512", "neon"}))
        ->capture_default_str();
    command.add_option("--steps", arguments.steps, "Instructions before a run counts as endless")
        ->check(CLI::Range(1, 1 << 22))
        ->capture_default_str();
}

Result<std::unique_ptr<debug::Debugger>> open_debugger(const DebugArguments& arguments) {
    const auto level = host_level_option(arguments.host);
    const jit::HostLevel host = level ? *level : jit::HostLevel::None;
    VALKYR_TRY(session, debug::is_scene(arguments.input) ? open_scene_file(arguments, host)
                                                         : open_shader_file(arguments, host));
    return debug::Debugger::create(std::move(session),
                                   {.sample = arguments.sample, .step_limit = arguments.steps});
}

}  // namespace valkyr::tools
