// Program source: finds what a device made a program from.
// SPDX-License-Identifier: MIT
#include "app/debug/session/program_source.hpp"

#include "tgsi/text/parser.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <array>

namespace valkyr::debug {

namespace {

using raster::DrawStage;

/// The shaders of a draw.
struct Shaders {
    std::array<std::shared_ptr<const tgsi::Shader>, raster::kDrawStages> by_stage;

    [[nodiscard]] const std::shared_ptr<const tgsi::Shader>& of(DrawStage stage) const {
        return by_stage[static_cast<size_t>(stage)];
    }
    /// The next shader before a stage that is not the first, or behind one that is not the last.
    [[nodiscard]] const tgsi::Shader& neighbour(DrawStage stage, bool behind) const {
        auto at = static_cast<size_t>(stage);
        do
            at = behind ? at + 1 : at - 1;
        while (!by_stage[at]);
        return *by_stage[at];
    }
};

/// The record slots that a warp's stage reads and writes.
struct Layouts {
    valhall::VaryingLayout inputs;  ///< geometry and tessellation stages
    valhall::VaryingLayout varyings;
};

Result<Layouts> link(const Shaders& shaders, DrawStage stage) {
    Layouts made;
    const tgsi::Shader& shader = *shaders.of(stage);
    if (stage != DrawStage::Vertex) {
        VALKYR_TRY(before, valhall::link_varyings(shaders.neighbour(stage, false), shader));
        (stage == DrawStage::Fragment ? made.varyings : made.inputs) = std::move(before);
    }
    if (stage != DrawStage::Fragment) {
        VALKYR_TRY(behind, valhall::link_varyings(shader, shaders.neighbour(stage, true)));
        made.varyings = std::move(behind);
    }
    if (stage == DrawStage::TessControl)
        VALKYR_TRY_VOID(valhall::add_outputs_read_back(made.varyings, shader));
    return made;
}

/// Compiles the text again as the device did, to learn where registers are. Null if the words
/// differ: the device adds code to the shaders of some pipelines.
std::shared_ptr<const valhall::DebugInfo>
find_info(const Shaders& shaders, const Layouts& layouts, const valhall::Program& made) {
    const DrawStage stage = stage_of(made.info);
    const tgsi::Shader& shader = *shaders.of(stage);
    const auto& control = shaders.of(DrawStage::TessControl);
    for (uint8_t targets = 1; targets <= exec::kMaxRenderTargets; ++targets) {
        auto info = std::make_shared<valhall::DebugInfo>();
        valhall::CompileOptions options;
        options.varyings = &layouts.varyings;
        options.input_varyings = &layouts.inputs;
        options.color_targets = targets;
        if (stage == DrawStage::TessEvaluation && control)
            options.patch_vertices = control->property("TCS_VERTICES_OUT", 0);
        options.debug = info.get();
        const auto program = valhall::compile(shader, options);
        if (program && program->words == made.words)
            return info;
        if (shader.property("FS_COLOR0_WRITES_ALL_CBUFS", 0) == 0)
            break;
    }
    return nullptr;
}

std::shared_ptr<const tgsi::Shader> parsed(const std::shared_ptr<const ShaderText>& text) {
    return text ? std::make_shared<const tgsi::Shader>(tgsi::parse(text->text).shader) : nullptr;
}

}  // namespace

DrawStage stage_of(const exec::ProgramInfo& info) {
    switch (info.stage) {
    case exec::Stage::Vertex: return DrawStage::Vertex;
    case exec::Stage::Geometry: return DrawStage::Geometry;
    case exec::Stage::Compute:
        return info.patch.vertices != 0 ? DrawStage::TessControl : DrawStage::TessEvaluation;
    case exec::Stage::Fragment:
    case exec::Stage::Blend: break;
    }
    return DrawStage::Fragment;
}

ProgramSource source_of(const StageTexts& texts, const valhall::Program& program) {
    const DrawStage stage = stage_of(program.info);
    Shaders shaders;
    std::ranges::transform(texts, shaders.by_stage.begin(), parsed);
    ProgramSource source;
    source.shader = shaders.of(stage);
    source.control = shaders.of(DrawStage::TessControl);
    if (auto layouts = link(shaders, stage)) {
        source.info = find_info(shaders, *layouts, program);
        source.input_slots = std::move(layouts->inputs.slots);
        source.output_slots = std::move(layouts->varyings.slots);
    }
    return source;
}

ProgramSource source_of_compute(const std::shared_ptr<const ShaderText>& text,
                                const valhall::Program& program) {
    ProgramSource source;
    source.shader = parsed(text);
    auto info = std::make_shared<valhall::DebugInfo>();
    valhall::CompileOptions options;
    options.shared_bytes = program.info.compute.shared_bytes;
    options.debug = info.get();
    const auto made = valhall::compile(*source.shader, options);
    if (made && made->words == program.words)
        source.info = std::move(info);
    return source;
}

}  // namespace valkyr::debug
