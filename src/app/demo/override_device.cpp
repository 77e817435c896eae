// Override device: draws a scene as wireframe, or counts its fragments.
// SPDX-License-Identifier: MIT
#include "app/demo/override_device.hpp"

#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"
#include "tgsi/text/printer.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <algorithm>
#include <bit>
#include <optional>

namespace valkyr::app {

using namespace raster;

namespace {

/// The output register of the first colour.
std::optional<int32_t> color_output(const tgsi::Shader& shader) {
    for (const tgsi::Declaration& decl : shader.declarations)
        if (decl.file == tgsi::File::Output && decl.has_semantic &&
            decl.semantic == tgsi::Semantic::Color && decl.semantic_index == 0)
            return static_cast<int32_t>(decl.first);
    return std::nullopt;
}

tgsi::RegisterRef numbered(tgsi::File file, int32_t index) {
    tgsi::RegisterRef ref;
    ref.file = file;
    ref.index.value = index;
    return ref;
}

ShaderNote note_of(std::string_view text, std::string name) {
    ShaderNote note{std::move(name), 0, 0};
    const tgsi::ParseResult parsed = tgsi::parse(text);
    note.tgsi_instructions = parsed.shader.instructions.size();
    const Result<valhall::Program> program = valhall::compile(parsed.shader);
    if (program.has_value())
        note.valhall_words = program->words.size();
    return note;
}

}  // namespace

std::string counting_shader(std::string_view tgsi_text) {
    tgsi::ParseResult parsed = tgsi::parse(tgsi_text);
    tgsi::Shader& shader = parsed.shader;
    const std::optional<int32_t> color = color_output(shader);
    const auto end = std::find_if(
        shader.instructions.begin(), shader.instructions.end(),
        [](const tgsi::Instruction& instr) { return instr.opcode == tgsi::Opcode::END; });
    if (!parsed.errors.empty() || shader.stage != tgsi::Stage::Fragment || !color ||
        end == shader.instructions.end())
        return std::string(tgsi_text);
    // IMM[n] FLT32 {step, 0, 0, 0} and, before the end, MOV OUT[color].xyz, IMM[n].xxxx
    const auto immediate = static_cast<int32_t>(shader.immediates.size());
    shader.immediates.push_back({});
    shader.immediates.back().words[0] = std::bit_cast<uint32_t>(1.0F / kOverdrawSteps);
    shader.order.insert(shader.order.begin(), tgsi::StatementKind::Immediate);
    tgsi::Instruction move;
    move.opcode = tgsi::Opcode::MOV;
    move.dst_count = move.src_count = 1;
    move.dst[0] = {numbered(tgsi::File::Output, *color), 0x7};
    move.src[0].reg = numbered(tgsi::File::Immediate, immediate);
    move.src[0].swizzle = {0, 0, 0, 0};
    shader.instructions.insert(end, move);
    shader.order.push_back(tgsi::StatementKind::Instruction);
    return tgsi::print(shader);
}

Result<ShaderRef> OverrideDevice::create_shader(std::string_view tgsi_text, std::string name) {
    VALKYR_TRY(shader, inner().create_shader(tgsi_text, name));
    const bool known = std::any_of(shaders_.begin(), shaders_.end(),
                                   [&](const ShaderNote& note) { return note.name == name; });
    if (!known)
        shaders_.push_back(note_of(tgsi_text, name));
    if (overrides_.overdraw) {
        VALKYR_TRY(counting, inner().create_shader(counting_shader(tgsi_text), name + " (count)"));
        counting_shaders_[shader.get()] = counting;
        kept_.push_back(shader);
    }
    return shader;
}

Result<PipelineRef> OverrideDevice::create_pipeline(const PipelineDesc& desc) {
    PipelineDesc changed = desc;
    if (overrides_.wireframe && desc.fragment != nullptr && !desc.elements.empty()) {
        changed.rasterizer.fill_front = changed.rasterizer.fill_back = PolygonMode::Line;
        changed.rasterizer.cull = CullFace::None;
    }
    VALKYR_TRY(pipeline, inner().create_pipeline(changed));
    if (overrides_.overdraw && desc.fragment != nullptr) {
        VALKYR_TRY(counting, make_counting(changed));
        replaced_[pipeline.get()] = {pipeline, counting};
    }
    return pipeline;
}

Result<PipelineRef> OverrideDevice::make_counting(PipelineDesc desc) {
    const auto shader = counting_shaders_.find(desc.fragment.get());
    if (shader != counting_shaders_.end())
        desc.fragment = shader->second;
    desc.blend.independent = false;
    desc.blend.logic_op_enable = false;
    desc.blend.targets[0] = {.enable = true,
                             .rgb_src = BlendFactor::One,
                             .rgb_dst = BlendFactor::One,
                             .alpha_src = BlendFactor::Zero,
                             .alpha_dst = BlendFactor::One,
                             .write_mask = 0x7};
    return inner().create_pipeline(desc);
}

bool OverrideDevice::is_picture(const Framebuffer& framebuffer) const {
    return !framebuffer.color.empty() && !picture_.color.empty() &&
           framebuffer.color[0].texture == picture_.color[0].texture;
}

/// Whether a draw's fragments are counted: its target has the picture's size and sample count, so
/// that the draw can go to the picture with its own depth buffer.
bool OverrideDevice::is_counted(const DrawState& state) const {
    if (!overrides_.overdraw || state.framebuffer.color.empty() || picture_.color.empty() ||
        state.framebuffer.color[0].texture == nullptr || !replaced_.contains(state.pipeline.get()))
        return false;
    const TextureDesc& target = state.framebuffer.color[0].texture->desc();
    const TextureDesc& picture = picture_.color[0].texture->desc();
    return target.width == picture.width && target.height == picture.height &&
           target.samples == picture.samples && state.framebuffer.color[0].level == 0;
}

Result<void> OverrideDevice::reach_picture(const Framebuffer& framebuffer) {
    if (reached_ || !is_picture(framebuffer))
        return {};
    reached_ = true;
    return on_picture ? on_picture() : Result<void>{};
}

Result<void> OverrideDevice::begin_picture(const Framebuffer& picture) {
    picture_ = picture;
    reached_ = false;
    if (!overrides_.overdraw)
        return {};
    return inner().clear(picture, ClearInfo().set_color(0, {0, 0, 0, 1}));
}

Result<void> OverrideDevice::clear(const Framebuffer& framebuffer, const ClearInfo& info) {
    VALKYR_TRY_VOID(reach_picture(framebuffer));
    ClearInfo rest = info;
    if (overrides_.overdraw && is_picture(framebuffer))
        rest.color_targets = 0;  // begin_picture() has cleared; keep the counts since then
    return inner().clear(framebuffer, rest);
}

DrawState OverrideDevice::overridden(const DrawState& state) const {
    DrawState result = state;
    if (is_counted(state)) {
        result.pipeline = replaced_.at(state.pipeline.get()).counting;
        result.framebuffer.color = picture_.color;
    }
    return result;
}

Result<void> OverrideDevice::draw(const DrawState& state, const DrawInfo& info) {
    VALKYR_TRY_VOID(reach_picture(state.framebuffer));
    return inner().draw(overridden(state), info);
}

Result<void> OverrideDevice::draw_indirect(const DrawState& state, const IndirectInfo& info) {
    VALKYR_TRY_VOID(reach_picture(state.framebuffer));
    return inner().draw_indirect(overridden(state), info);
}

}  // namespace valkyr::app
