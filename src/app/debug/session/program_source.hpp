// Program source: finds what a device made a program from.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/shader_texts.hpp"
#include "tgsi/shader.hpp"
#include "valhall/compiler/ir/debug_info.hpp"
#include "valhall/isa/program.hpp"

#include <memory>
#include <vector>

namespace valkyr::debug {

/// The text of a program, and the places of its registers.
struct ProgramSource {
    std::shared_ptr<const tgsi::Shader> shader;
    std::shared_ptr<const tgsi::Shader>
        control;  ///< the draw's tessellation control shader, or null
    /// Null: not known, since the device adds code to the shaders of some pipelines.
    std::shared_ptr<const valhall::DebugInfo> info;
    std::vector<exec::VaryingSlot> input_slots;   ///< of the records that it reads
    std::vector<exec::VaryingSlot> output_slots;  ///< of those that it writes; fragments: reads
};

/// The stage of a draw that a program is of.
raster::DrawStage stage_of(const exec::ProgramInfo& info);
/// The source of a program of a draw.
/// texts  of the draw's shaders
ProgramSource source_of(const StageTexts& texts, const valhall::Program& program);
/// The source of a program of a dispatch.
ProgramSource source_of_compute(const std::shared_ptr<const ShaderText>& text,
                                const valhall::Program& program);

}  // namespace valkyr::debug
