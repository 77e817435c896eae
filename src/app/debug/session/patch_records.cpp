// Patch records: copies registers of tessellation shaders to and from records.
// SPDX-License-Identifier: MIT
#include "app/debug/session/patch_records.hpp"

#include "valhall/compiler/ir/varyings.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::debug {

namespace {

using exec::ResourceTable;
using tgsi::Semantic;

/// The value of a system value or an input of the patch; zeros if the shader declares none.
tgsi::Word4 value_of(const tgsi::Shader& shader, const tgsi::Invocation& lane, Semantic semantic) {
    for (const tgsi::File file : {tgsi::File::SystemValue, tgsi::File::Input}) {
        const int index = tgsi::find_register(shader, file, semantic, 0);
        const auto& values = file == tgsi::File::Input ? lane.inputs : lane.system_values;
        if (index >= 0 && static_cast<size_t>(index) < values.size())
            return values[static_cast<size_t>(index)];
    }
    return {};
}

/// Zeros for `count` records of a table.
uint8_t* make_records(PatchGroup& patches, ResourceTable table, uint32_t slots, uint32_t count) {
    const unsigned number = table_number(table);
    patches.strides[number] = exec::record_stride(slots);
    patches.records[number].assign(size_t{count} * patches.strides[number], 0);
    return patches.records[number].data();
}

void fill_vertices(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group) {
    PatchGroup& patches = *warp.patches;
    uint8_t* const records =
        make_records(patches, ResourceTable::InputRecords,
                     static_cast<uint32_t>(warp.input_slots.size()), patches.vertices);
    const uint32_t stride = patches.strides[table_number(ResourceTable::InputRecords)];
    const size_t given = std::min<size_t>(patches.vertices, group.vertex_inputs.size());
    valhall::for_each_register(
        shader, tgsi::File::Input, [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t) {
            const auto place = patch_register(warp, declaration, i);
            if (!place || place->table != ResourceTable::InputRecords)
                return;
            for (size_t v = 0; v < given; ++v)
                if (i < group.vertex_inputs[v].size())
                    std::memcpy(records + v * stride + place->offset,
                                group.vertex_inputs[v][i].data(), place->words * sizeof(uint32_t));
        });
}

void fill_patch_record(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Invocation& lane) {
    uint8_t* const record =
        make_records(*warp.patches, ResourceTable::PatchRecords, warp.program->info.patch.slots, 1);
    exec::PatchRecord head{};
    std::memcpy(head.outer, value_of(shader, lane, Semantic::TessOuter).data(), sizeof head.outer);
    std::memcpy(head.inner, value_of(shader, lane, Semantic::TessInner).data(), sizeof head.inner);
    if (warp.is_control())
        head = {};  // the shader makes them
    head.id = value_of(shader, lane, Semantic::PrimId)[0];
    std::memcpy(record, &head, sizeof head);
    valhall::for_each_register(
        shader, tgsi::File::Input, [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t) {
            const auto place = patch_register(warp, declaration, i);
            if (declaration.semantic == Semantic::Patch && place && i < lane.inputs.size())
                std::memcpy(record + place->offset, lane.inputs[i].data(),
                            place->words * sizeof(uint32_t));
        });
}

}  // namespace

std::optional<PatchRegister>
patch_register(const WarpCase& warp, const tgsi::Declaration& declaration, uint32_t index) {
    if (valhall::lower::is_of_patch(declaration.semantic)) {
        const auto place = valhall::lower::patch_place(declaration, index);
        return place ? std::optional(
                           PatchRegister{ResourceTable::PatchRecords, place->offset, place->words})
                     : std::nullopt;
    }
    const bool input = declaration.file == tgsi::File::Input;
    const auto place =
        valhall::record_place(input ? warp.input_slots : warp.output_slots, declaration, index);
    if (!place)
        return std::nullopt;
    return PatchRegister{input ? ResourceTable::InputRecords : ResourceTable::VertexRecords,
                         place->offset, static_cast<uint32_t>(place->bytes / sizeof(uint32_t))};
}

void make_patch_group(WarpCase& warp, const std::array<uint32_t, 3>& block) {
    static constexpr std::array kNames{"input records", "vertex records", "patch records",
                                       "points"};
    WorkGroup group;
    group.block = block;
    for (size_t table = 0; table < kNames.size(); ++table)
        group.buffers.push_back({kNames[table], warp.patches->records[table]});
    warp.work_group = std::move(group);
}

Result<void> fill_patch(WarpCase& warp, const tgsi::Shader& shader, const tgsi::Group& group) {
    VALKYR_TRY(inputs, valhall::input_varyings(shader));
    VALKYR_TRY(outputs, valhall::standalone_varyings(shader));
    warp.input_slots = std::move(inputs.slots);
    warp.output_slots = std::move(outputs.slots);
    PatchGroup& patches = warp.patches.emplace();
    const tgsi::Invocation& first = group.invocations.front();
    const uint32_t wanted = value_of(shader, first, Semantic::VerticesIn)[0];
    const auto given = static_cast<uint32_t>(group.vertex_inputs.size());
    patches.vertices = std::clamp(wanted != 0 ? wanted : given, 1U, exec::kMaxPatchVertices);
    fill_vertices(warp, shader, group);
    fill_patch_record(warp, shader, first);
    const auto lanes = static_cast<uint32_t>(group.invocations.size());
    const uint32_t made = warp.is_control() ? warp.program->info.patch.vertices : lanes;
    make_records(patches, ResourceTable::VertexRecords,
                 static_cast<uint32_t>(warp.output_slots.size()), made);
    patches.strides[table_number(ResourceTable::DomainPoints)] = sizeof(exec::DomainPoint);
    for (uint32_t lane = 0; !warp.is_control() && lane < lanes; ++lane) {
        exec::DomainPoint point{};
        std::memcpy(&point, value_of(shader, group.invocations[lane], Semantic::TessCoord).data(),
                    offsetof(exec::DomainPoint, patch));
        const auto* bytes = reinterpret_cast<const uint8_t*>(&point);
        auto& points = patches.records[table_number(ResourceTable::DomainPoints)];
        points.insert(points.end(), bytes, bytes + sizeof point);
    }
    make_patch_group(warp, {made, 1, 1});
    return {};
}

void read_patch(const WarpCase& warp,
                const tgsi::Shader& shader,
                const WarpResult& result,
                tgsi::Group& group) {
    const auto left = [&](ResourceTable table) -> std::span<const uint8_t> {
        return result.parts[1 + table_number(table)].bytes;  // behind shared memory
    };
    const uint32_t registers = valhall::register_count(shader, tgsi::File::Output);
    if (!warp.is_control()) {
        std::vector<valhall::RegisterLanes> outputs(registers);
        valhall::read_vertex_outputs(shader, warp.program->info, left(ResourceTable::VertexRecords),
                                     outputs);
        for (size_t lane = 0; lane < group.invocations.size(); ++lane) {
            group.invocations[lane].outputs.clear();
            for (const valhall::RegisterLanes& value : outputs)
                group.invocations[lane].outputs.push_back(value[lane]);
        }
        return;
    }
    group.patch_outputs.assign(registers, {});
    group.vertex_outputs.assign(warp.program->info.patch.vertices,
                                std::vector<tgsi::Word4>(registers));
    const uint32_t stride = warp.patches->strides[table_number(ResourceTable::VertexRecords)];
    valhall::for_each_register(shader, tgsi::File::Output,
                               [&](const tgsi::Declaration& declaration, uint32_t i, uint32_t) {
                                   const auto place = patch_register(warp, declaration, i);
                                   if (!place)
                                       return;
                                   const auto copy = [&](tgsi::Word4& to, size_t at) {
                                       std::memcpy(to.data(),
                                                   left(place->table).data() + at + place->offset,
                                                   place->words * sizeof(uint32_t));
                                   };
                                   if (place->table == ResourceTable::PatchRecords)
                                       return copy(group.patch_outputs[i], 0);
                                   for (size_t v = 0; v < group.vertex_outputs.size(); ++v)
                                       copy(group.vertex_outputs[v][i], v * stride);
                               });
}

}  // namespace valkyr::debug
