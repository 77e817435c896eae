// Harness TGSI: runs a shader on the TGSI interpreter.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/valhall/compiler/harness.hpp"
#include "tests/valhall/compiler/harness_p.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <doctest/doctest.h>

namespace valkyr::test {
namespace {

Word4 input_word(const ShaderInputs& in, uint32_t index, unsigned lane) {
    return index < in.inputs.size() ? in.inputs[index][lane] : Word4{};
}

/// The values of system values and special inputs for both engines.
Word4 special_word(const tgsi::Shader& shader,
                   const ShaderInputs& in,
                   tgsi::Semantic semantic,
                   bool system,
                   unsigned lane) {
    const auto all = [](uint32_t word) { return Word4{word, word, word, word}; };
    const uint32_t one = as_bits(1.0F);
    switch (semantic) {
    case tgsi::Semantic::VertexId: return all(in.vertex_base + lane);
    case tgsi::Semantic::InstanceId: return all(in.instance_id);
    case tgsi::Semantic::PrimId: return all(in.primitive_id);
    case tgsi::Semantic::Face:
        if (system)
            return all(in.back_facing ? 0 : 0xFFFFFFFF);
        return {as_bits(in.back_facing ? -1.0F : 1.0F), 0, 0, one};
    case tgsi::Semantic::PCoord: return {as_bits(0.25F), as_bits(0.75F), 0, one};
    case tgsi::Semantic::Position: {
        const bool integer = shader.property("FS_COORD_PIXEL_CENTER", 0) != 0;
        const float centre = integer ? 0.0F : 0.5F;
        const auto row = static_cast<float>(exec::lane_y(lane));
        const bool lower_left = shader.property("FS_COORD_ORIGIN", 0) != 0;
        const float y = lower_left ? 4.0F - (row + 0.5F) - (0.5F - centre) : row + centre;
        return {as_bits(static_cast<float>(exec::lane_x(lane)) + centre), as_bits(y), as_bits(0.5F),
                as_bits(2.0F)};
    }
    case tgsi::Semantic::SampleMask: return all(in.covered >> lane & 1);
    case tgsi::Semantic::SamplePos: return {as_bits(0.5F), as_bits(0.5F), 0, 0};
    default: return {};
    }
}

bool is_special_input(const tgsi::Declaration& declaration) {
    switch (declaration.semantic) {
    case tgsi::Semantic::Position:
    case tgsi::Semantic::Face:
    case tgsi::Semantic::PCoord:
    case tgsi::Semantic::PrimId: return declaration.has_semantic;
    default: return false;
    }
}

}  // namespace

tgsi::Shader parse_shader(std::string_view text) {
    tgsi::ParseResult result = tgsi::parse(text);
    CHECK_MESSAGE(result.ok(), tgsi::format_errors(result.errors, text, "shader"));
    return std::move(result.shader);
}

std::string program_lines(const std::string& body) {
    std::string text;
    unsigned line = 0;
    for (size_t at = 0; at < body.size();) {
        const size_t end = std::min(body.find('\n', at), body.size());
        text += "  " + std::to_string(line++) + ": " + body.substr(at, end - at) + "\n";
        at = end + 1;
    }
    return text + "  " + std::to_string(line) + ": END\n";
}

ShaderOutputs run_tgsi(const tgsi::Shader& shader, const ShaderInputs& in) {
    if (shader.stage == tgsi::Stage::Compute)
        return run_tgsi_groups(shader, in);
    ShaderOutputs out;
    out.covered = shader.stage == tgsi::Stage::Fragment ? in.covered : 0xFFFF;
    out.outputs.resize(valhall::register_count(shader, tgsi::File::Output));
    auto interpreter = tgsi::Interpreter::create(shader, {.steps = kLanes * kStepLimit});
    if (!interpreter) {
        out.failure = interpreter.error().format("tgsi");
        return out;
    }
    tgsi::Group group;
    group.invocations.resize(kLanes);
    for (unsigned l = 0; l < kLanes; ++l) {
        tgsi::Invocation& invocation = group.invocations[l];
        invocation.inputs.resize(interpreter->input_count());
        invocation.system_values.resize(interpreter->system_value_count());
        for (uint32_t i = 0; i < invocation.inputs.size(); ++i)
            invocation.inputs[i] = input_word(in, i, l);
        valhall::for_each_register(
            shader, tgsi::File::Input, [&](const auto& declaration, uint32_t i, uint32_t) {
                if (shader.stage == tgsi::Stage::Fragment && is_special_input(declaration))
                    invocation.inputs[i] = special_word(shader, in, declaration.semantic, false, l);
            });
        valhall::for_each_register(shader, tgsi::File::SystemValue,
                                   [&](const auto& declaration, uint32_t i, uint32_t) {
                                       invocation.system_values[i] =
                                           special_word(shader, in, declaration.semantic, true, l);
                                   });
        valhall::for_each_register(shader, tgsi::File::Output,
                                   [&](const auto& declaration, uint32_t i, uint32_t number) {
                                       if (declaration.semantic != tgsi::Semantic::Color ||
                                           number >= in.framebuffer.size())
                                           return;
                                       invocation.framebuffer.resize(
                                           std::max<size_t>(invocation.framebuffer.size(), i + 1));
                                       invocation.framebuffer[i] = in.framebuffer[number][l];
                                   });
        invocation.helper = shader.stage == tgsi::Stage::Fragment && (in.covered >> l & 1) == 0;
    }
    for (const std::vector<uint32_t>& buffer : in.constants)
        group.constants.emplace_back(buffer);
    out.memory = in.memory;
    TgsiResources resources(out.memory, uses_gradients(shader));
    resources.attach(group);
    if (auto result = interpreter->run(group); !result) {
        out.failure = result.error().format("tgsi");
        return out;
    }
    for (unsigned l = 0; l < kLanes; ++l) {
        for (size_t i = 0; i < out.outputs.size() && i < group.invocations[l].outputs.size(); ++i)
            out.outputs[i][l] = group.invocations[l].outputs[i];
        if (group.invocations[l].killed && (in.covered >> l & 1) != 0)
            out.killed |= static_cast<uint16_t>(1U << l);
    }
    return out;
}

}  // namespace valkyr::test
