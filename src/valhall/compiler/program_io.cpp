// Program values: hands values over by register and lane, and takes results back.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/program_io.hpp"

#include "base/bits.hpp"
#include "exec/blend_descriptor.hpp"
#include "exec/specials.hpp"
#include "exec/vertex_record.hpp"
#include "valhall/compiler/ir/varyings.hpp"

#include <algorithm>
#include <cstring>
#include <optional>

namespace valkyr::valhall {
namespace {

using exec::Lanes;

CapturingDraw& capturing(const exec::Warp& warp) {
    return const_cast<CapturingDraw&>(static_cast<const CapturingDraw&>(*warp.draw));
}

template <typename F>
void for_running(const exec::Warp& warp, F&& f) {
    for (unsigned l = 0; l < exec::kLanes; ++l)
        if ((warp.running >> l & 1) != 0)
            f(l);
}

uint32_t input_word(const CapturingDraw& draw, uint32_t index, uint32_t lane, unsigned component) {
    return index < draw.inputs.size() && lane < exec::kLanes ? draw.inputs[index][lane][component]
                                                             : 0;
}

void load_attribute(const exec::Warp& warp,
                    const exec::AttributeMessage& message,
                    const Lanes& vertex_id,
                    const Lanes&,
                    Lanes* out) noexcept {
    const CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        const auto& ids = draw.vertex_ids;
        const auto first =
            static_cast<uint32_t>(std::ranges::find(ids, vertex_id.v[l]) - ids.begin());
        const uint32_t lane = ids[l] == vertex_id.v[l] ? l : first;
        for (unsigned c = 0; c < message.components; ++c)
            out[c].v[l] = input_word(draw, message.index, lane, c);
    });
}

void load_varying(const exec::Warp& warp,
                  const exec::VaryingMessage& message,
                  const Lanes&,
                  const Lanes&,
                  Lanes* out) noexcept {
    const CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < message.components; ++c) {
            const uint32_t word = message.offset / 4 + c;
            const bool known = word / 4 < draw.input_of_slot.size();
            out[c].v[l] = known ? input_word(draw, draw.input_of_slot[word / 4], l, word % 4) : 0;
        }
    });
}

void load_special(
    const exec::Warp& warp, uint32_t index, exec::SampleMode, const Lanes&, Lanes* out) noexcept {
    const CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        if (index == 0) {
            out[0].v[l] = draw.point_coordinate[0].v[l];
            out[1].v[l] = draw.point_coordinate[1].v[l];
        } else {
            out[0].v[l] = (index == 2 ? draw.fragment_w : draw.fragment_z).v[l];
        }
    });
}

void alpha_test(
    const exec::Warp& warp, const Lanes& coverage, const Lanes&, uint64_t, Lanes* out) noexcept {
    CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        out->v[l] = (warp.live >> l & 1) != 0 ? coverage.v[l] : 0;
        draw.coverage[l] = out->v[l];
    });
}

void emit_depth(const exec::Warp& warp,
                const Lanes* depth,
                const Lanes* stencil,
                const Lanes& coverage,
                Lanes* out) noexcept {
    CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        out->v[l] = coverage.v[l];
        draw.depth[l] = depth != nullptr ? depth->v[l] : 0;
        draw.stencil[l] = stencil != nullptr ? stencil->v[l] : 0;
    });
}

void blend(const exec::Warp& warp,
           const exec::BlendMessage& message,
           uint64_t,
           const Lanes&,
           const Lanes* in,
           const Lanes*) noexcept {
    CapturingDraw& draw = capturing(warp);
    for_running(warp, [&](unsigned l) {
        for (unsigned c = 0; c < 4; ++c)
            draw.color[message.target][l][c] = in[c].v[l];
    });
}

/// The record slot of a register; none if it is no varying of this record.
std::optional<uint32_t> slot_of(std::span<const exec::VaryingSlot> slots,
                                const tgsi::Declaration& declaration,
                                uint32_t semantic_index) {
    const auto name = lower::varying_name(declaration.semantic);
    if (!declaration.has_semantic || !name)
        return std::nullopt;
    for (uint32_t s = 0; s < slots.size(); ++s)
        if (slots[s].name == *name && slots[s].index == semantic_index)
            return s;
    return std::nullopt;
}

std::span<const exec::VaryingSlot> slots_of(const exec::ProgramInfo& info) {
    return std::span(info.varyings).first(info.varying_slot_count);
}

}  // namespace

uint32_t register_count(const tgsi::Shader& shader, tgsi::File file) {
    uint32_t count = 0;
    for_each_register(shader, file,
                      [&](const auto&, uint32_t i, uint32_t) { count = std::max(count, i + 1); });
    return count;
}

void set_capture_routines(exec::Environment& environment) {
    environment.attribute = load_attribute;
    environment.varying = load_varying;
    environment.varying_special = load_special;
    environment.atest = alpha_test;
    environment.zs_emit = emit_depth;
    environment.blend = blend;
}

void bind_program(CapturingDraw& draw, const tgsi::Shader& shader, const Program& program) {
    draw.info = &program.info;
    draw.input_of_slot.assign(program.info.varying_slot_count, ~0U);
    for_each_register(
        shader, tgsi::File::Input,
        [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t semantic_index) {
            if (const auto slot = slot_of(slots_of(program.info), declaration, semantic_index))
                draw.input_of_slot[*slot] = i;
        });
    for (uint64_t i = 0; i < exec::kMaxRenderTargets; ++i)
        draw.special[exec::kBlendDescriptor0 + i] = exec::pack(exec::BlendDescriptor{
            .mode = exec::BlendMode::FixedFunction, .target = static_cast<uint8_t>(i)});
    draw.special[exec::kSample] = reinterpret_cast<uint64_t>(draw.sample_positions.data());
}

std::vector<uint32_t> uniform_words(const Program& program, const UniformSource& source) {
    std::vector<uint32_t> words;
    words.reserve(program.fau.size());
    for (const FauWord& word : program.fau) {
        uint32_t value = 0;
        switch (word.kind) {
        case FauKind::Immediate: value = word.value; break;
        case FauKind::Constant: value = source.constant(word.buffer, word.value); break;
        case FauKind::Driver:
            value = source.driver(static_cast<exec::DriverValue>(word.value), word.buffer);
            break;
        case FauKind::Prologue:
            value = word.value < source.prologue.size() ? source.prologue[word.value].v[0] : 0;
            break;
        case FauKind::Unused: break;
        }
        words.push_back(value);
    }
    return words;
}

void read_fragment_outputs(const tgsi::Shader& shader,
                           const CapturingDraw& draw,
                           std::span<RegisterLanes> outputs) {
    for_each_register(
        shader, tgsi::File::Output,
        [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t semantic_index) {
            for (unsigned l = 0; l < exec::kLanes; ++l) {
                if (declaration.semantic == tgsi::Semantic::Color &&
                    semantic_index < exec::kMaxRenderTargets)
                    outputs[i][l] = draw.color[semantic_index][l];
                else if (declaration.semantic == tgsi::Semantic::Position)
                    outputs[i][l][2] = draw.depth[l];
                else if (declaration.semantic == tgsi::Semantic::Stencil)
                    outputs[i][l][1] = draw.stencil[l];
            }
        });
}

std::optional<RecordPlace> record_place(std::span<const exec::VaryingSlot> slots,
                                        const tgsi::Declaration& declaration,
                                        uint32_t index) {
    switch (declaration.semantic) {
    case tgsi::Semantic::Position: return RecordPlace{offsetof(exec::VertexRecord, position), 16};
    case tgsi::Semantic::PSize: return RecordPlace{offsetof(exec::VertexRecord, point_size), 4};
    case tgsi::Semantic::PrimId: return RecordPlace{offsetof(exec::VertexRecord, primitive_id), 4};
    default: break;
    }
    const uint32_t number = declaration.semantic_index + index - declaration.first;
    if (const auto slot = slot_of(slots, declaration, number))
        return RecordPlace{exec::varying_offset(*slot), 16};
    return std::nullopt;
}

void read_vertex_outputs(const tgsi::Shader& shader,
                         const exec::ProgramInfo& info,
                         std::span<const uint8_t> records,
                         std::span<RegisterLanes> outputs) {
    const size_t stride = exec::record_stride(info.varying_slot_count);
    const auto lanes = static_cast<unsigned>(records.size() / stride);
    for_each_register(
        shader, tgsi::File::Output,
        [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t /*semantic_index*/) {
            const auto place = record_place(slots_of(info), declaration, i);
            if (!place)
                return;
            for (unsigned l = 0; l < lanes; ++l)
                std::memcpy(outputs[i][l].data(), records.data() + stride * l + place->offset,
                            place->bytes);
        });
}

}  // namespace valkyr::valhall
