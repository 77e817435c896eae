// Played file: the demo, scene or frame of a trace that a command line names.
// SPDX-License-Identifier: MIT
#include "app/debug/session/played_file.hpp"

#include "app/debug/session/scene_session.hpp"
#include "app/debug/session/trace_session.hpp"

#include <algorithm>
#include <cstdio>
#include <filesystem>

namespace valkyr::debug {

namespace {

Result<Played> played_scene(const PlayedArguments& arguments) {
    constexpr int32_t kMaxSize = 8192;
    const auto size = parse_pair(arguments.size, 'x');
    if (!size || size->first < 1 || size->second < 1 || size->first > kMaxSize ||
        size->second > kMaxSize)
        return Error{Errc::OutOfRange,
                     {},
                     "--size '" + arguments.size + "' is not WIDTHxHEIGHT with 1 to 8192 each"};
    if (arguments.frame)
        return Error{Errc::OutOfRange, {}, "--frame is for traces; demos have --time"};
    return Played{
        arguments.input, "scene",
        scene_player({arguments.input, arguments.seconds, static_cast<uint32_t>(size->first),
                      static_cast<uint32_t>(size->second)})};
}

Result<Played> played_trace(const PlayedArguments& arguments) {
    auto loaded = virgl::Trace::load(arguments.input);
    if (!loaded.has_value())
        return Error{loaded.error().code, {}, loaded.error().format(arguments.input)};
    const auto trace = std::make_shared<const virgl::Trace>(std::move(*loaded));
    std::shared_ptr<const virgl::TraceIndex> index;
    const std::string index_path = virgl::index_path(arguments.input);
    if (std::error_code error; std::filesystem::exists(index_path, error)) {
        VALKYR_TRY(opened, virgl::TraceIndex::open(index_path, *trace));
        index = std::make_shared<const virgl::TraceIndex>(std::move(opened));
    }
    uint64_t frame = arguments.frame.value_or(0);
    if (frame == 0) {
        VALKYR_TRY(frames, index ? index->frames() : count_frames(*trace));
        frame = std::max<uint64_t>(frames, 1);
    }
    return Played{arguments.input + ", frame " + std::to_string(frame), "frame",
                  trace_player(trace, frame, index), frame, glsl_of(*trace)};
}

}  // namespace

void add_played_arguments(app::Command command, PlayedArguments& arguments) {
    command
        .option("--frame", arguments.frame,
                "Traces: number of the frame, from 1 (default: the last one)")
        .positive("POSITIVE");
    command.option("--time", arguments.seconds, "Demos: seconds since the start").shows_default();
    command.option("--size", arguments.size, "Demos: size of the picture").shows_default();
}

bool is_played(const std::string& input) {
    return is_scene(input) || is_trace(input);
}

Result<Played> played_file(const PlayedArguments& arguments) {
    return is_trace(arguments.input) ? played_trace(arguments) : played_scene(arguments);
}

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

}  // namespace valkyr::debug
