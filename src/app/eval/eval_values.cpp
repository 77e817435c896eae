// Eval values: reads the values on the command line of `valkyr eval`.
// SPDX-License-Identifier: MIT
#include "app/eval/eval_values.hpp"

#include "app/cli/text_scan.hpp"
#include "app/debug/shader/system_values.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/limits.hpp"
#include "tgsi/names.hpp"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdio>

namespace valkyr::app {

namespace {

Error syntax(std::string text) {
    return {Errc::Syntax, {}, std::move(text)};
}

template <typename T>
bool read_whole(std::string_view text, T& value, int base = 10) {
    const char* const end = text.data() + text.size();
    std::from_chars_result result{};
    if constexpr (std::is_floating_point_v<T>)
        result = std::from_chars(text.data(), end, value);
    else
        result = std::from_chars(text.data(), end, value, base);
    return !text.empty() && result.ec == std::errc() && result.ptr == end;
}

Result<std::array<uint32_t, 4>> parse_words(std::string_view text) {
    if (text.size() >= 2 && text.front() == '(' && text.back() == ')')
        text = text.substr(1, text.size() - 2);
    std::array<uint32_t, 4> words{};
    unsigned count = 0;
    for (bool more = true; more;) {
        const size_t comma = text.find(',');
        more = comma != std::string_view::npos;
        std::string_view part = text.substr(0, comma);
        while (!part.empty() && part.front() == ' ')
            part.remove_prefix(1);
        const auto word = parse_word(part);
        if (!word || count == 4)
            return syntax(count == 4 ? "more than four values"
                                     : "\"" + std::string(part) + "\" is not a value");
        words[count++] = *word;
        if (more)
            text.remove_prefix(comma + 1);
    }
    if (count == 1)
        words.fill(words[0]);
    return words;
}

/// Finds the register with a semantic among the inputs, then among the system values.
Result<EvalInput>
by_semantic(tgsi::Semantic semantic, std::string_view name, const tgsi::Shader& shader) {
    uint32_t semantic_index = 0;
    if (!name.empty()) {
        const auto index = take_index(name);
        if (!index || !name.empty())
            return syntax("expected an index in brackets behind the semantic");
        semantic_index = *index;
    }
    EvalInput input;
    for (const tgsi::File file : {tgsi::File::Input, tgsi::File::SystemValue}) {
        const int found = tgsi::find_register(shader, file, semantic, semantic_index);
        input.file = file;
        input.index = static_cast<uint32_t>(found);
        if (found >= 0)
            return input;
    }
    return Error{Errc::Semantic,
                 {},
                 "the shader declares no " + std::string(tgsi::name_of(semantic)) + '[' +
                     std::to_string(semantic_index) + ']'};
}

/// Whether the shader declares this register (per-vertex inputs: of any vertex).
bool is_declared(const tgsi::Shader& shader, const EvalInput& input) {
    const uint32_t buffer = input.file == tgsi::File::Constant ? input.outer : 0;
    return std::any_of(
        shader.declarations.begin(), shader.declarations.end(), [&](const tgsi::Declaration& decl) {
            const uint32_t outer =
                input.file == tgsi::File::Constant && decl.has_outer ? decl.outer : 0;
            return decl.file == input.file && outer == buffer && input.index >= decl.first &&
                   input.index <= decl.last;
        });
}

Result<EvalInput> parse_name(std::string_view name, const tgsi::Shader& shader) {
    const std::string_view word = name.substr(0, name.find('['));
    name.remove_prefix(word.size());
    const auto file = tgsi::find_keyword<tgsi::File>(word);
    const bool settable = file && (*file == tgsi::File::Input || *file == tgsi::File::SystemValue ||
                                   *file == tgsi::File::Constant);
    if (!settable) {
        if (const auto semantic = tgsi::find_keyword<tgsi::Semantic>(word))
            return by_semantic(*semantic, name, shader);
        return syntax("\"" + std::string(word) + "\" is not IN, SV, CONST or a semantic");
    }
    EvalInput input;
    input.file = *file;
    const auto first = take_index(name);
    if (!first)
        return syntax("expected an index in brackets");
    input.index = *first;
    if (const auto second = take_index(name)) {
        input.has_outer = true;
        input.outer = *first;
        input.index = *second;
    }
    if (!name.empty())
        return syntax("unexpected \"" + std::string(name) + "\" behind the register");
    if (input.index > tgsi::kMaxRegisterIndex || input.outer > tgsi::kMaxRegisterIndex)
        return Error{Errc::OutOfRange, {}, "register index out of range"};
    if (!is_declared(shader, input))
        return Error{Errc::Semantic, {}, "the shader does not declare this register"};
    return input;
}

/// Largest vertex or buffer number in an --input option.
constexpr uint32_t kMaxOuter = 255;

template <typename T>
T& element(std::vector<T>& list, size_t index) {
    if (index >= list.size())
        list.resize(index + 1);
    return list[index];
}

Result<void> set_constant(EvalGroup& bench, const EvalInput& input) {
    auto& words = element(bench.constants, input.has_outer ? input.outer : 0);
    for (size_t c = 0; c < 4; ++c)
        element(words, size_t{4} * input.index + c) = input.words[c];
    return {};
}

Result<void> set_input(EvalGroup& bench, const EvalInput& input) {
    if (input.has_outer && input.outer > kMaxOuter)
        return Error{Errc::OutOfRange, {}, "number beyond " + std::to_string(kMaxOuter)};
    if (input.file == tgsi::File::Constant)
        return set_constant(bench, input);
    if (input.has_outer) {
        element(element(bench.group.vertex_inputs, input.outer), input.index) = input.words;
        return {};
    }
    auto& lanes = bench.group.invocations;
    if (input.lane && *input.lane >= lanes.size())
        return Error{Errc::OutOfRange,
                     {},
                     "lane " + std::to_string(*input.lane) + " of a run with " +
                         std::to_string(lanes.size())};
    for (size_t i = 0; i < lanes.size(); ++i)
        if (!input.lane || *input.lane == i)
            element(input.file == tgsi::File::Input ? lanes[i].inputs : lanes[i].system_values,
                    input.index) = input.words;
    return {};
}

}  // namespace

std::optional<uint32_t> parse_word(std::string_view text) {
    uint32_t bits = 0;
    if (text.substr(0, 2) == "0x")
        return read_whole(text.substr(2), bits, 16) ? std::optional(bits) : std::nullopt;
    if (!text.empty() && text.back() == 'u' && read_whole(text.substr(0, text.size() - 1), bits))
        return bits;
    int32_t integer = 0;
    if (!text.empty() && text.back() == 'i' && read_whole(text.substr(0, text.size() - 1), integer))
        return static_cast<uint32_t>(integer);
    float value = 0;
    return read_whole(text, value) ? std::optional(std::bit_cast<uint32_t>(value)) : std::nullopt;
}

void make_lanes(tgsi::Group& group, const tgsi::Shader& shader, uint32_t lanes) {
    const bool control = shader.stage == tgsi::Stage::TessCtrl;
    group.invocations.resize(control ? shader.property("TCS_VERTICES_OUT", lanes) : lanes);
    debug::default_system_values(shader, group);
}

Result<void>
set_inputs(EvalGroup& bench, const std::vector<std::string>& values, const tgsi::Shader& shader) {
    for (const std::string& text : values) {
        const auto input = parse_eval_input(text, shader);
        Result<void> set = input ? set_input(bench, *input) : Result<void>(input.error());
        if (!set)
            return Error{set.error().code, set.error().pos,
                         "--input " + text + ": " + set.error().text};
    }
    const int count =
        tgsi::find_register(shader, tgsi::File::SystemValue, tgsi::Semantic::VerticesIn, 0);
    for (tgsi::Invocation& lane : bench.group.invocations) {
        if (count < 0)
            break;
        tgsi::Word4& vertices = element(lane.system_values, static_cast<size_t>(count));
        if (vertices[0] == 0)
            vertices.fill(static_cast<uint32_t>(bench.group.vertex_inputs.size()));
    }
    bench.group.constants.assign(bench.constants.begin(), bench.constants.end());
    return {};
}

Result<EvalInput> parse_eval_input(std::string_view text, const tgsi::Shader& shader) {
    const size_t equals = text.find('=');
    if (equals == std::string_view::npos)
        return syntax("expected NAME=VALUES instead of \"" + std::string(text) + "\"");
    std::string_view name = text.substr(0, equals);
    std::optional<uint32_t> lane;
    if (const size_t at = name.find('@'); at != std::string_view::npos) {
        std::string_view number = name.substr(at + 1);
        lane = take_number(number);
        if (!lane || !number.empty())
            return syntax("expected a lane number behind @");
        name = name.substr(0, at);
    }
    VALKYR_TRY(input, parse_name(name, shader));
    VALKYR_TRY(words, parse_words(text.substr(equals + 1)));
    input.lane = lane;
    input.words = words;
    return input;
}

std::string format_words(std::span<const uint32_t> words) {
    std::string floats = "(";
    std::string bits;
    for (const uint32_t word : words) {
        char buffer[32];
        const auto value = std::bit_cast<float>(word);
        if (floats.size() > 1)
            floats += ", ";
        if (std::isnan(value))
            floats += "nan";
        else
            floats.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
        std::snprintf(buffer, sizeof buffer, " %08x", word);
        bits += buffer;
    }
    return floats + ") " + bits;
}

}  // namespace valkyr::app
