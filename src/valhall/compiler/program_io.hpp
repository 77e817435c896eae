// Program values: binds a compiled program to plain values, for callers without a rasterizer.
// SPDX-License-Identifier: MIT
//
// Inputs and outputs go by TGSI register and lane, as the TGSI interpreter has them. Tests and
// `valkyr eval` use it.
#pragma once

#include "exec/abi.hpp"
#include "tgsi/shader.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <vector>

namespace valkyr::valhall {

/// The four components of one register, for each lane of a warp.
using RegisterLanes = std::array<std::array<uint32_t, 4>, exec::kLanes>;

/// Calls f(declaration, register, semantic index) for each declared register of a file.
template <typename F>
void for_each_register(const tgsi::Shader& shader, tgsi::File file, F&& f) {
    for (const tgsi::Declaration& declaration : shader.declarations)
        for (uint32_t i = declaration.first; declaration.file == file && i <= declaration.last; ++i)
            f(declaration, i, declaration.semantic_index + i - declaration.first);
}

/// One more than the highest register that is declared.
uint32_t register_count(const tgsi::Shader& shader, tgsi::File file);

/// A draw of one warp that takes its inputs from memory and keeps what the program sends. Callers
/// bind the rest of DrawContext themselves.
struct CapturingDraw : exec::DrawContext {
    std::vector<RegisterLanes> inputs;    ///< by IN register; missing ones are 0
    std::vector<uint32_t> input_of_slot;  ///< see bind_program()
    /// Vertex ID of each lane. Attributes are those of the lane itself, or of the first one with
    /// the ID that the message names.
    std::array<uint32_t, exec::kLanes> vertex_ids{};
    std::array<exec::Lanes, 2> point_coordinate{};
    exec::Lanes fragment_z{};
    exec::Lanes fragment_w{};
    std::array<uint32_t, exec::kMaxSamples> sample_positions{128 | 128 << 16};
    // Results of fragment programs. A lane without coverage was discarded.
    std::array<RegisterLanes, exec::kMaxRenderTargets> color{};
    std::array<uint32_t, exec::kLanes> depth{};
    std::array<uint32_t, exec::kLanes> stencil{};
    std::array<uint32_t, exec::kLanes> coverage{};
};

/// Routines for attributes, varyings, ATEST, ZS_EMIT and BLEND; Warp::draw must be a CapturingDraw.
void set_capture_routines(exec::Environment& environment);

/// Points the draw at the program: varyings of its inputs, fixed-function blend descriptors, one
/// sample in the middle of the pixel. The draw must stay where it is.
void bind_program(CapturingDraw& draw, const tgsi::Shader& shader, const Program& program);

/// Where the words of the uniform area come from.
struct UniformSource {
    /// Words of constant buffers; what lies outside is 0.
    std::function<uint32_t(uint32_t buffer, uint32_t word)> constant;
    std::function<uint32_t(exec::DriverValue value, uint8_t unit)> driver;
    /// Registers that the prologue left; empty for the words of the prologue itself.
    std::span<const exec::Lanes> prologue;
};
/// The uniform area by the program's recipe.
std::vector<uint32_t> uniform_words(const Program& program, const UniformSource& source);

/// Outputs of a fragment program: colours, depth in z of POSITION, stencil in y of STENCIL.
void read_fragment_outputs(const tgsi::Shader& shader,
                           const CapturingDraw& draw,
                           std::span<RegisterLanes> outputs);

/// The part of a vertex record that has a register's value.
struct RecordPlace {
    size_t offset = 0;  ///< bytes
    size_t bytes = 0;   ///< x first; the other components are undefined
};
/// The place of register `index` of a declaration; none if the record has no value of it.
/// slots  names of the record's slots
std::optional<RecordPlace> record_place(std::span<const exec::VaryingSlot> slots,
                                        const tgsi::Declaration& declaration,
                                        uint32_t index);

/// Outputs of a vertex or geometry program from its records, record_stride(slots) bytes each, lane
/// by lane.
void read_vertex_outputs(const tgsi::Shader& shader,
                         const exec::ProgramInfo& info,
                         std::span<const uint8_t> records,
                         std::span<RegisterLanes> outputs);

}  // namespace valkyr::valhall
