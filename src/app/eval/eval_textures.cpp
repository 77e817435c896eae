// Eval textures: lets the TGSI interpreter sample the pictures of `valkyr eval`.
// SPDX-License-Identifier: MIT
#include "app/eval/eval_textures.hpp"

#include "app/eval/eval_program.hpp"
#include "tgsi/interpreter/interpreter.hpp"
#include "tgsi/names.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::app {

namespace {

using tgsi::LodMode;
using tgsi::TextureAction;
using tgsi::TextureRequest;
using tgsi::Word4;

constexpr uint64_t kSteps = 1000;  ///< more than a shader of one instruction takes

/// The instruction of a request: IN[0] is the coordinate (Fetch: the level in w), IN[1] has level
/// or bias, and whether the lane is active, IN[2] and IN[3] are gradients.
struct Form {
    TextureAction action;
    LodMode lod_mode;
    std::string_view opcode;
    std::string_view operands;  ///< behind the sampler
};
constexpr Form kForms[] = {
    {TextureAction::Sample, LodMode::Implicit, "SAMPLE", ""},
    {TextureAction::Sample, LodMode::Zero, "SAMPLE_L", ", IN[1].xxxx"},
    {TextureAction::Sample, LodMode::Bias, "SAMPLE_B", ", IN[1].xxxx"},
    {TextureAction::Sample, LodMode::Explicit, "SAMPLE_L", ", IN[1].xxxx"},
    {TextureAction::Sample, LodMode::Gradient, "SAMPLE_D", ", IN[2], IN[3]"},
    {TextureAction::QueryLod, LodMode::Implicit, "LOD", ""},
};

std::string number_text(uint32_t number) {
    return std::to_string(number);
}

/// The type of a view, as its declaration spells it.
std::string_view type_of_view(const tgsi::Shader& shader, uint32_t view) {
    for (const tgsi::Declaration& each : shader.declarations)
        if (each.file == tgsi::File::SamplerView && view >= each.first && view <= each.last)
            return tgsi::name_of(each.return_types[0]);
    return "FLOAT";
}

std::string instruction_for(const TextureRequest& request) {
    const std::string view = "SVIEW[" + number_text(request.texture) + "]";
    const std::string sampler = "SAMP[" + number_text(request.sampler) + "]";
    if (request.action == TextureAction::Fetch)
        return "SAMPLE_I TEMP[0], IN[0], " + view;
    if (request.action == TextureAction::Gather)
        return "GATHER4 TEMP[0], IN[0], " + view + ", " + sampler + "." +
               std::string(4, "xyzw"[request.component & 3]);
    const auto* const form = std::ranges::find_if(kForms, [&](const Form& each) {
        return each.action == request.action && each.lod_mode == request.lod_mode;
    });
    const Form& found = form != std::end(kForms) ? *form : kForms[0];
    return std::string(found.opcode) + " TEMP[0], IN[0], " + view + ", " + sampler +
           std::string(found.operands);
}

/// The inputs of a lane.
std::vector<Word4> inputs_of(const tgsi::TextureLane& lane, const TextureRequest& request) {
    std::vector<Word4> inputs(4);
    std::copy(lane.coord.begin(), lane.coord.end(), inputs[0].begin());
    if (request.action == TextureAction::Fetch)
        inputs[0][3] = request.lod_mode == LodMode::Zero ? 0 : lane.lod;
    inputs[1][0] = request.lod_mode == LodMode::Zero ? 0 : lane.lod;
    inputs[1][3] = lane.active ? ~0U : 0;
    std::copy(lane.ddx.begin(), lane.ddx.end(), inputs[2].begin());
    std::copy(lane.ddy.begin(), lane.ddy.end(), inputs[3].begin());
    return inputs;
}

}  // namespace

std::string EvalTextures::text_for(const TextureRequest& request) const {
    // Offsets are the same in all lanes.
    std::string immediates;
    std::string offsets;
    const auto lane = std::ranges::find_if(request.lanes, &tgsi::TextureLane::active);
    for (unsigned i = 0; i < request.offset_count && lane != request.lanes.end(); ++i) {
        immediates += "IMM[" + number_text(i) + "] INT32 {";
        for (unsigned c = 0; c < 3; ++c)
            immediates += std::to_string(lane->offsets[i][c]) + ", ";
        immediates += "0}\n";
        offsets += ", IMM[" + number_text(i) + "].xyz";
    }
    return "FRAG\nDCL IN[0..3], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\nDCL SAMP[" +
           number_text(request.sampler) + "]\nDCL SVIEW[" + number_text(request.texture) +
           "], 2D, " + std::string(type_of_view(shader_, request.texture)) + "\nDCL TEMP[0]\n" +
           immediates + "UIF IN[1].wwww\n" + instruction_for(request) + offsets +
           "\nENDIF\nMOV OUT[0], TEMP[0]\nEND\n";
}

Result<const tgsi::Shader*> EvalTextures::shader_for(const TextureRequest& request) {
    const std::string text = text_for(request);
    auto& shader = shaders_[text];
    if (!shader) {
        tgsi::ParseResult parsed = tgsi::parse(text);
        if (!parsed.ok())
            return parsed.errors.front();
        shader = std::make_unique<const tgsi::Shader>(std::move(parsed.shader));
    }
    return shader.get();
}

Result<std::array<Word4, 4>> EvalTextures::run(const TextureRequest& request) {
    VALKYR_TRY(shader, shader_for(request));
    tgsi::Group quad;
    for (const tgsi::TextureLane& lane : request.lanes)
        quad.invocations.emplace_back().inputs = inputs_of(lane, request);
    VALKYR_TRY_VOID(run_compiled(*shader, {"valhall", kSteps, nullptr, &textures_}, quad));
    std::array<Word4, 4> results{};
    for (size_t i = 0; i < results.size(); ++i)
        if (!quad.invocations[i].outputs.empty())
            results[i] = quad.invocations[i].outputs[0];
    return results;
}

std::array<Word4, 4> EvalTextures::sample(const TextureRequest& request) {
    // Pictures are 2D; other targets have none.
    if (request.target != tgsi::Target::Tex2D)
        return {};
    auto results = run(request);
    if (results)
        return *results;
    if (outcome_.has_value())
        outcome_ = results.error();
    return {};
}

tgsi::TextureSize EvalTextures::size(uint32_t texture, uint32_t level) {
    const auto unit = static_cast<uint8_t>(std::min<uint32_t>(texture, exec::kMaxTextureUnits));
    const auto word = [&](exec::DriverValue value) { return textures_.driver_word(value, unit); };
    tgsi::TextureSize size;
    size.levels = word(exec::DriverValue::TextureLevels);
    if (level >= size.levels)
        return size;
    size.width = word(exec::DriverValue::TextureWidth);
    size.height = word(exec::DriverValue::TextureHeight);
    size.depth = word(exec::DriverValue::TextureDepth);
    return size;
}

}  // namespace valkyr::app
