// Profile JSON: writes a profile for programs.
// SPDX-License-Identifier: MIT
#include "app/profile/profile_json.hpp"

#include "app/cli/json_text.hpp"
#include "valhall/text/disassemble.hpp"

#include <fmt/format.h>

namespace valkyr::profile {

namespace {

using app::json_array;
using app::json_number;
using app::json_quoted;

/// "seconds" and "routine_seconds".
std::string times(const Seconds& seconds) {
    return fmt::format("\"seconds\": {}, \"routine_seconds\": {}", json_number(seconds.all()),
                       json_number(seconds.routines));
}

std::string counts(const WordCount& count) {
    return fmt::format("\"warps\": {}, \"lanes\": {}, \"helper_lanes\": {}", count.warps,
                       count.lanes, count.helpers);
}

std::string cycles_json(const PipeCycles& cycles) {
    std::string text = "{";
    for (size_t pipe = 0; pipe < kPipes; ++pipe)
        text += fmt::format("{}: {}, ", json_quoted(pipe_name(static_cast<Pipe>(pipe))),
                            json_number(cycles.cycles[pipe]));
    return text + "\"bound_by\": " + json_quoted(pipe_name(cycles.fullest())) + "}";
}

std::string words_json(const KernelCost& kernel) {
    std::vector<std::string> words;
    for (size_t word = 0; word < kernel.words.size(); ++word) {
        const uint64_t bits = kernel.source.program->words[word];
        const auto text = valhall::disassemble(bits);
        words.push_back(
            fmt::format("\n   {{\"word\": {}, \"line\": {}, \"text\": {}, {}, {}}}", word,
                        kernel.source.line_of(word), json_quoted(text ? *text : ".word"),
                        counts(kernel.words[word].count), times(kernel.words[word].seconds)));
    }
    return json_array(words);
}

std::string lines_json(const KernelCost& kernel) {
    std::vector<std::string> lines;
    uint32_t number = 0;
    for (size_t at = 0; at < kernel.text.size();) {
        const size_t end = std::min(kernel.text.find('\n', at), kernel.text.size());
        const WordCost cost = kernel.line(++number);
        lines.push_back(fmt::format("\n   {{\"line\": {}, \"text\": {}, {}, {}}}", number,
                                    json_quoted(kernel.text.substr(at, end - at)),
                                    counts(cost.count), times(cost.seconds)));
        at = end + 1;
    }
    return json_array(lines);
}

/// null without GLSL.
std::string glsl_json(const KernelCost& kernel) {
    if (!kernel.glsl.is_known())
        return "null";
    std::vector<std::string> lines;
    for (uint32_t number = 1; number <= kernel.glsl.source.size(); ++number) {
        const WordCost cost = kernel.glsl_line(number);
        lines.push_back(fmt::format("\n    {{\"line\": {}, \"text\": {}, {}, {}}}", number,
                                    json_quoted(kernel.glsl.source[number - 1]), counts(cost.count),
                                    times(cost.seconds)));
    }
    return fmt::format("{{\"source\": {}, \"lines\": {}}}", json_quoted(kernel.glsl.title),
                       json_array(lines));
}

std::string host_json(const KernelCost& kernel) {
    std::vector<std::string> host;
    for (const HostCost& cost : kernel.host) {
        const bool around = cost.line.word_index == jit::kPrologueWord;
        host.push_back(fmt::format("\n   {{\"offset\": {}, \"word\": {}, \"text\": {}, {}}}",
                                   cost.line.offset,
                                   around ? "null" : std::to_string(cost.line.word_index),
                                   json_quoted(cost.line.text), times(cost.seconds)));
    }
    return json_array(host);
}

std::string kernel_json(const KernelCost& kernel, const std::optional<MaliCore>& mali) {
    return fmt::format("\n  {{\"name\": {}, \"stage\": {}, \"warps\": {}, {},{}\n  \"glsl\": {},\n"
                       "  \"lines\": {},\n"
                       "  \"words\": {},\n  \"host\": {}}}",
                       json_quoted(kernel.source.program->source_name), json_quoted(kernel.stage),
                       kernel.warps(), times(kernel.seconds),
                       mali ? " \"mali\": " + cycles_json(kernel_cycles(kernel, *mali)) + "," : "",
                       glsl_json(kernel), lines_json(kernel), words_json(kernel),
                       host_json(kernel));
}

}  // namespace

std::string profile_json(const Profile& profile, const std::optional<MaliCore>& mali) {
    std::vector<std::string> kernels;
    for (const KernelCost& kernel : profile.kernels)
        kernels.push_back(kernel_json(kernel, mali));
    std::vector<std::string> functions;
    for (const FunctionCost& cost : profile.functions)
        functions.push_back(fmt::format("\n  {{\"name\": {}, \"seconds\": {}}}",
                                        json_quoted(cost.name), json_number(cost.seconds)));
    std::vector<std::string> draws;
    for (const DrawCost& draw : profile.draws)
        draws.push_back(fmt::format("\n  {{\"what\": {}, \"seconds\": {}}}", json_quoted(draw.what),
                                    json_number(draw.seconds)));
    return fmt::format(
        "{{\"what\": {}, \"seconds\": {}, \"sampled_seconds\": {}, \"frames\": {}, \"samples\": "
        "{}, "
        "\"period\": {},\n \"kernels\": {},\n \"functions\": {},\n \"draws\": {}}}\n",
        json_quoted(profile.what), json_number(profile.seconds), json_number(profile.sampled),
        profile.frames, profile.samples, json_number(profile.period), json_array(kernels),
        json_array(functions), json_array(draws));
}

}  // namespace valkyr::profile
