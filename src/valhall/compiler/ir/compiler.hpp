// Compiler: turns a tgsi::Shader into a valhall::Program.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/cancellation.hpp"
#include "base/export.hpp"
#include "base/result.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/debug_info.hpp"
#include "valhall/isa/program.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace valkyr::valhall {

/// Assignment of varyings to 16-byte slots of the vertex record; both stages of a pipeline are
/// compiled against the same one.
struct VaryingLayout {
    std::vector<exec::VaryingSlot>
        slots;  ///< at most kMaxVaryingSlots; slot s at exec::varying_offset(s)
};

/// The layout between two stages: a slot for each varying that the consumer reads, in order of
/// declaration. Varyings that the producer does not write read as 0. In front of a fragment shader
/// COLOR inputs are followed by their back colour if the producer writes one, and there are slots
/// for outputs that clipping reads.
Result<VaryingLayout> link_varyings(const tgsi::Shader& producer, const tgsi::Shader& consumer);

/// The layout of one shader by itself (for listings and tests): its own varyings in order; fragment
/// shaders: those it reads, others: those it writes.
Result<VaryingLayout> standalone_varyings(const tgsi::Shader& shader);
/// The layout of the varyings that a shader reads, by itself.
Result<VaryingLayout> input_varyings(const tgsi::Shader& shader);

/// Facts that the properties of a geometry shader state.
/// errors  Semantic, OutOfRange: primitives or numbers that geometry shaders cannot have
Result<exec::GeometryInfo> geometry_info(const tgsi::Shader& shader);

/// Facts that the properties of a tessellation evaluation shader state.
/// errors  Semantic: no domain
Result<exec::TessellationInfo> tessellation_info(const tgsi::Shader& shader);
/// Adds slots for the outputs that a tessellation control shader reads back, and that `layout`, of
/// the records between it and the evaluation shader, does not have.
/// errors  OutOfRange: too many slots
Result<void> add_outputs_read_back(VaryingLayout& layout, const tgsi::Shader& control);

/// Figures of a compilation.
struct CompileStatistics {
    uint32_t spilled_values = 0;  ///< values that live in thread-local storage
    uint32_t loops = 0;
};

struct CompileOptions {
    const VaryingLayout* varyings = nullptr;  ///< null: standalone_varyings(shader)
    /// Geometry and tessellation shaders: the layout of the records that they read; null: their own
    /// inputs in order.
    const VaryingLayout* input_varyings = nullptr;
    /// Tessellation evaluation shaders: vertices of a patch; 0: as the draw says.
    uint32_t patch_vertices = 0;
    /// Compute shaders: bytes of shared memory, at most kMaxSharedBytes; the text does not say it.
    uint32_t shared_bytes = 0;
    /// Render targets that FS_COLOR0_WRITES_ALL_CBUFS writes colour 0 to, 1..kMaxRenderTargets.
    uint8_t color_targets = 1;
    std::vector<std::string> disabled_passes;  ///< names as in passes.hpp
    CompileStatistics* statistics = nullptr;   ///< filled if set; the prologue does not count
    /// Filled if set: where the registers of the text are. It changes no machine word.
    DebugInfo* debug = nullptr;
    /// Looked at between instructions and passes; the error is Cancelled.
    Cancellation cancellation = {};
    /// Called with the IR text after lowering and after each pass, if set.
    std::function<void(std::string_view pass, const std::string& ir_text)> dump;
};

/// Compiles a verified shader. Errors: Unsupported (names the opcode or feature and its line),
/// OutOfRange (too many varyings, constants, ...). The result passes the validator.
VALKYR_API Result<Program> compile(const tgsi::Shader& shader, const CompileOptions& options = {});

}  // namespace valkyr::valhall
