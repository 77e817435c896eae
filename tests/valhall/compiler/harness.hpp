// Harness: runs a shader on the TGSI interpreter and, compiled, on the Valhall interpreter.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "tests/valhall/compiler/test_resources.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "valhall/compiler/ir/compiler.hpp"
#include "valhall/compiler/program_io.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::test {

using tgsi::Word4;
inline constexpr unsigned kLanes = exec::kLanes;

/// The work-groups of a compute shader.
struct Groups {
    std::array<uint32_t, 3> block{kLanes, 1, 1};
    std::array<uint32_t, 3> grid{1, 1, 1};
    uint32_t shared_bytes = 0;
};

/// Inputs of sixteen invocations, or of work-groups. Registers that are not given read as 0.
struct ShaderInputs {
    /// [input register][lane]
    std::vector<std::array<Word4, kLanes>> inputs;
    /// [buffer][word]
    std::vector<std::vector<uint32_t>> constants;
    uint32_t vertex_base = 0;  ///< vertex ID of lane 0; the other lanes count up
    uint32_t instance_id = 0;
    bool back_facing = false;
    uint32_t primitive_id = 0;
    uint16_t covered = 0xFFFF;  ///< fragments: lanes that are not helpers
    Groups groups;              ///< compute
    Memory memory;              ///< at the start
    /// [render target][lane]: for framebuffer fetch
    std::vector<std::array<Word4, kLanes>> framebuffer;
};

/// Outputs of one engine, by output register and lane.
struct ShaderOutputs {
    std::vector<std::array<Word4, kLanes>> outputs;
    uint16_t covered = 0xFFFF;    ///< lanes that are not helpers at the start
    uint16_t killed = 0;          ///< lanes that became helpers
    Memory memory;                ///< at the end
    std::vector<uint8_t> shared;  ///< memory of the last work-group at its end
    std::string failure;          ///< empty, or why there is no result
    std::string refusal;          ///< compute: empty, or why there is no recompiled code
};

/// Parses and verifies; the test fails on errors.
tgsi::Shader parse_shader(std::string_view text);

/// The instructions of a body, a line each, with numbers and an END.
std::string program_lines(const std::string& body);

ShaderOutputs run_tgsi(const tgsi::Shader& shader, const ShaderInputs& inputs);

/// Compiles and runs. Checks that the validator accepts the program and, in hazard mode, that it
/// reads no pending or poisoned register. If compute programs can be recompiled, that must give the
/// same bits on every host level.
ShaderOutputs run_valhall(const tgsi::Shader& shader,
                          const ShaderInputs& inputs,
                          const valhall::CompileOptions& options = {});

/// The allowed difference of two words.
struct Tolerance {
    uint32_t ulp = 0;    ///< floats: units in the last place
    float absolute = 0;  ///< floats: or this much
};

/// Whether two words have equal bits, are both NaN, or differ within the tolerance.
bool same_word(uint32_t a, uint32_t b, const Tolerance& tolerance = {});

/// Empty if the outputs agree in all lanes that are drawn and in the components that `masks` names
/// (by output register; missing = all); else a text that shows the first difference.
std::string compare_outputs(const ShaderOutputs& expected,
                            const ShaderOutputs& actual,
                            const std::vector<uint8_t>& masks = {},
                            const Tolerance& tolerance = {});

/// The defined components of each output.
std::vector<uint8_t> output_masks(const tgsi::Shader& shader);

/// Runs both engines on the inputs and compares. Empty if they agree, else the difference.
std::string differ(std::string_view text,
                   const ShaderInputs& inputs,
                   const Tolerance& tolerance = {},
                   const valhall::CompileOptions& options = {});

/// Edge cases of floats: zeros, subnormals, infinities, NaN, neighbours of integers, ...
const std::vector<uint32_t>& interesting_words();

}  // namespace valkyr::test
