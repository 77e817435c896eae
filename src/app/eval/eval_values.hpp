// Eval values: parses inputs of `valkyr eval` ("IN[0]=1,2,0x3f800000,4u") and applies them.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/shader.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::app {

/// One --input option.
struct EvalInput {
    tgsi::File file = tgsi::File::Input;
    bool has_outer = false;
    uint32_t outer = 0;  ///< buffer of CONST, vertex of IN
    uint32_t index = 0;
    std::optional<uint32_t> lane;  ///< only this lane; otherwise every lane
    std::array<uint32_t, 4> words{};
};

/// Reads NAME[@LANE]=VALUES.
/// NAME    a register (IN[0], IN[2][0], SV[1], CONST[3], CONST[1][0]), or the semantic of an input
///         or system value that the shader declares (GENERIC[3], VERTEXID)
/// VALUES  one to four, separated by commas, in parentheses or not: numbers (1, -0.5, 1e10, inf,
///         nan) are floats, 0x... is a bit pattern, a suffix i or u makes an integer; missing
///         values are 0, a single one fills all four
/// errors  Syntax, Semantic: the text names the error
Result<EvalInput> parse_eval_input(std::string_view text, const tgsi::Shader& shader);

/// A group and the constants that it refers to.
struct EvalGroup {
    tgsi::Group group;
    std::vector<std::vector<uint32_t>> constants;
};
/// Makes the invocations of a group: `lanes` of them, or as many as a tessellation control shader
/// makes vertices, with the system values of debug::default_system_values().
void make_lanes(tgsi::Group& group, const tgsi::Shader& shader, uint32_t lanes);

/// Applies the values of --input options to a group that already has its invocations.
/// Tessellation shaders: VERTICESIN is the number of vertices with a value if it has none itself.
/// errors  those of parse_eval_input; OutOfRange: no such lane or vertex. The text begins with the
///         option.
Result<void>
set_inputs(EvalGroup& bench, const std::vector<std::string>& values, const tgsi::Shader& shader);

/// "(3, 6, -0.5, 1)  40400000 40c00000 bf000000 3f800000": floats with exact digits, and their
/// bits.
std::string format_words(std::span<const uint32_t> words);

/// A single value as parse_eval_input() reads it.
std::optional<uint32_t> parse_word(std::string_view text);

}  // namespace valkyr::app
