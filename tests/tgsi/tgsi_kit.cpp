// TGSI kit: helps the TGSI tests to run shaders.
// SPDX-License-Identifier: MIT
#include "tests/tgsi/tgsi_kit.hpp"

#include <bit>
#include <doctest/doctest.h>

namespace valkyr::tgsi::test {

Shader parse_good(std::string_view text) {
    ParseResult result = parse(text);
    REQUIRE_MESSAGE(result.ok(), format_errors(result.errors, text, "text"));
    return std::move(result.shader);
}

std::vector<std::string> parse_errors(std::string_view text, const Limits& limits) {
    std::vector<std::string> out;
    for (const Error& error : parse(text, limits).errors)
        out.push_back(std::to_string(error.pos.line) + ':' + std::to_string(error.pos.column) +
                      ": " + error.text);
    return out;
}

uint32_t bits(float value) {
    return std::bit_cast<uint32_t>(value);
}

Word4 floats(float x, float y, float z, float w) {
    return {bits(x), bits(y), bits(z), bits(w)};
}

Group make_group(const Interpreter& interpreter, size_t lanes) {
    Group group;
    group.invocations.resize(lanes);
    for (Invocation& lane : group.invocations) {
        lane.inputs.resize(interpreter.input_count());
        lane.system_values.resize(interpreter.system_value_count());
    }
    return group;
}

Interpreter make_interpreter(std::string_view text) {
    auto interpreter = Interpreter::create(parse_good(text));
    REQUIRE_MESSAGE(interpreter.has_value(), text);
    return std::move(*interpreter);
}

void run_good(const Interpreter& interpreter, Group& group) {
    const auto result = interpreter.run(group);
    REQUIRE_MESSAGE(result.has_value(), result.error().text);
}

Word4 eval(std::string_view instruction, const std::vector<Word4>& sources, const Word4& before) {
    const std::string text = "FRAG\nDCL IN[0..5], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n"
                             "DCL TEMP[0..1]\nDCL ADDR[0]\nMOV TEMP[0], IN[5]\n" +
                             std::string(instruction) + "\nMOV OUT[0], TEMP[0]\nEND\n";
    const Interpreter interpreter = make_interpreter(text);
    Group group = make_group(interpreter, 1);
    for (size_t i = 0; i < sources.size(); ++i)
        group.invocations[0].inputs[i] = sources[i];
    group.invocations[0].inputs[5] = before;
    run_good(interpreter, group);
    return group.invocations[0].outputs[0];
}

uint32_t eval1(std::string_view opcode, const std::vector<uint32_t>& sources) {
    std::string text = std::string(opcode) + " TEMP[0].x";
    std::vector<Word4> values;
    for (size_t i = 0; i < sources.size(); ++i) {
        text += ", IN[" + std::to_string(i) + "].xxxx";
        values.push_back({sources[i], 0, 0, 0});
    }
    return eval(text, values)[0];
}

uint64_t pair_of(const Word4& value) {
    return value[0] | uint64_t{value[1]} << 32;
}

Word4 from_pair(uint64_t xy, uint64_t zw) {
    return {static_cast<uint32_t>(xy), static_cast<uint32_t>(xy >> 32), static_cast<uint32_t>(zw),
            static_cast<uint32_t>(zw >> 32)};
}

}  // namespace valkyr::tgsi::test
