// TGSI kit: helps the TGSI tests to parse and run small shaders.
// SPDX-License-Identifier: MIT
#pragma once

#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/text/parser.hpp"

#include <cstdint>
#include <doctest/doctest.h>
#include <string>
#include <string_view>
#include <vector>

/// Prints lists of texts in failure reports, a line each.
template <>
struct doctest::StringMaker<std::vector<std::string>> {
    static String convert(const std::vector<std::string>& texts) {
        std::string out;
        for (const std::string& text : texts)
            out += "\n      " + text;
        return out.c_str();
    }
};

namespace valkyr::tgsi::test {

/// Parses a text; errors fail the test.
Shader parse_good(std::string_view text);

/// "line:column: text" of each parse error.
std::vector<std::string> parse_errors(std::string_view text, const Limits& limits = {});

/// Float bits.
uint32_t bits(float value);
Word4 floats(float x, float y = 0, float z = 0, float w = 0);

/// A group of `lanes` invocations with room for the shader's registers.
Group make_group(const Interpreter& interpreter, size_t lanes);

/// Create an interpreter and run it; errors fail the test.
Interpreter make_interpreter(std::string_view text);
void run_good(const Interpreter& interpreter, Group& group);

/// Runs one instruction on one lane: sources are IN[0]..IN[4], the result is TEMP[0], which starts
/// as `before`. Example: eval("ADD TEMP[0], IN[0], IN[1]", ...).
Word4 eval(std::string_view instruction,
           const std::vector<Word4>& sources,
           const Word4& before = {});

/// One component of eval() of "OPCODE TEMP[0], IN[0].xxxx, IN[1].xxxx, ...".
uint32_t eval1(std::string_view opcode, const std::vector<uint32_t>& sources);

/// The 64-bit pair xy of a result, and a source with a pair in xy.
uint64_t pair_of(const Word4& value);
Word4 from_pair(uint64_t xy, uint64_t zw = 0);

}  // namespace valkyr::tgsi::test
