// Kernel cases: copy warps out of the calls of a kernel.
// SPDX-License-Identifier: MIT
#include "app/debug/session/kernel_cases.hpp"

#include "app/debug/session/patch_records.hpp"

#include <algorithm>
#include <cstring>
#include <map>

namespace valkyr::debug {

namespace {

using exec::ResourceTable;

template <typename T>
void copy_table(std::vector<T>& copy, const T*& table, uint32_t count) {
    if (table != nullptr)
        copy.assign(table, table + count);
    table = copy.data();
}

/// Copies the tables that a draw refers to. Textures and buffers themselves stay in the device.
void copy_draw(WarpCase& warp, const exec::DrawContext& draw) {
    static_cast<exec::DrawContext&>(warp.draw) = draw;
    warp.fau.assign(draw.fau, draw.fau + warp.program->fau.size());
    warp.draw.fau = warp.fau.data();
    exec::ResourceTables& tables = warp.draw.tables;
    copy_table(warp.constant_buffers, tables.constant_buffers, tables.constant_buffer_count);
    copy_table(warp.attributes, tables.attributes, tables.attribute_count);
    copy_table(warp.vertex_buffers, tables.vertex_buffers, tables.vertex_buffer_count);
    copy_table(warp.samplers, tables.samplers, tables.sampler_count);
    copy_table(warp.textures, tables.textures, tables.texture_count);
    copy_table(warp.images, tables.images, tables.image_count);
    warp.draw.info = &warp.program->info;
    const void* vertex_key = &warp.vertex_key;
    warp.draw.key = warp.stage() == exec::Stage::Fragment ? &warp.fragment_key : vertex_key;
    warp.inline_messages = true;
}

void copy_primitive(WarpCase& warp, const exec::PrimitiveSetup& primitive) {
    warp.primitive = primitive;
    if (primitive.slots == nullptr)
        return;
    warp.planes.assign(primitive.slots, primitive.slots + warp.program->info.varying_slot_count);
    warp.primitive.slots = warp.planes.data();
}

/// Copies the pairs of the warp that begins with pair `first`, and the vertex records that they
/// read.
void copy_pairs(WarpCase& warp, const exec::GeometryCall& call, uint32_t first) {
    warp.count = std::min(exec::kLanes, call.out.count - first);
    warp.record_stride = call.out.record_stride;
    warp.input_stride = call.input_stride;
    std::copy_n(call.primitive_ids + first, exec::kLanes, warp.primitive_ids.begin());
    std::copy_n(call.invocations + first, exec::kLanes, warp.invocations.begin());
    std::map<uint32_t, uint32_t> copies;
    const unsigned vertices = exec::vertices_of(warp.program->info.geometry.input);
    for (unsigned v = 0; v < vertices; ++v) {
        for (uint32_t l = 0; l < exec::kLanes; ++l) {
            const uint32_t vertex = call.vertices[v][first + l];
            const auto [copy, is_new] =
                copies.try_emplace(vertex, static_cast<uint32_t>(copies.size()));
            warp.input_vertices[v][l] = copy->second;
            if (!is_new)
                continue;
            const uint8_t* record = call.inputs + size_t{vertex} * call.input_stride;
            warp.input_records.insert(warp.input_records.end(), record, record + call.input_stride);
        }
    }
}

const exec::RecordTable& record_table(const exec::ComputeCall& call, ResourceTable table) {
    return call.records[table_number(table)];
}

const uint8_t* record_of(const exec::ComputeCall& call, ResourceTable table, uint64_t number) {
    const exec::RecordTable& records = record_table(call, table);
    return records.first + records.stride * number;
}

/// Copies a patch of the call, and its input vertices.
void add_patch(WarpCase& warp, const exec::ComputeCall& call, uint32_t patch) {
    const auto append = [&](ResourceTable table, uint64_t first, uint32_t count) {
        const uint8_t* bytes = record_of(call, table, first);
        std::vector<uint8_t>& copy = warp.patches->records[table_number(table)];
        copy.insert(copy.end(), bytes, bytes + size_t{count} * record_table(call, table).stride);
    };
    const uint32_t vertices = warp.patches->vertices;
    append(ResourceTable::PatchRecords, patch, 1);
    append(ResourceTable::InputRecords, uint64_t{patch} * vertices, vertices);
}

/// The block's part of a tile that has `bytes` a sample.
template <typename T>
std::vector<T> block_of(const T* tile, uint32_t block, size_t elements) {
    if (tile == nullptr)
        return {};
    const T* first = tile + elements * block;
    return {first, first + elements};
}

void copy_block(WarpCase& warp, const exec::FragmentCall& call, uint32_t index) {
    const exec::BlockRef ref = call.blocks[index];
    const size_t samples = warp.samples();
    const size_t pixels = samples * exec::kLanes;
    warp.mask = ref.mask;
    if (call.sample_masks != nullptr) {
        const uint16_t* masks = call.sample_masks + samples * index;
        warp.sample_masks.assign(masks, masks + samples);
    }
    warp.x = call.tile_x + static_cast<int32_t>(ref.block % exec::kBlocksPerRow * 4);
    warp.y = call.tile_y + static_cast<int32_t>(ref.block / exec::kBlocksPerRow * 4);
    for (unsigned i = 0; i < exec::kMaxRenderTargets; ++i) {
        const size_t bytes = exec::format_info(warp.fragment_key.blend[i].format).block_bytes;
        warp.memory.color[i] = block_of(call.color[i], ref.block, pixels * bytes);
    }
    warp.memory.depth = block_of(call.depth, ref.block, pixels);
    warp.layer = call.layer;
    warp.memory.stencil = block_of(call.stencil, ref.block, pixels);
}

/// A case of a tessellation program without patches.
std::unique_ptr<WarpCase>
patch_case(const KernelOrigin& origin, const exec::ComputeCall& call, uint32_t vertices) {
    auto warp = draw_case(origin, *call.draw);
    PatchGroup& patches = warp->patches.emplace();
    patches.vertices = vertices;
    for (unsigned table = 0; table < exec::kRecordTables; ++table)
        patches.strides[table] = call.records[table].stride;
    return warp;
}

}  // namespace

uint32_t patch_id(const exec::ComputeCall& call, uint32_t patch) {
    exec::PatchRecord record;
    std::memcpy(&record, record_of(call, ResourceTable::PatchRecords, patch), sizeof record);
    return record.id;
}

exec::DomainPoint point_of(const exec::ComputeCall& call, uint64_t number) {
    exec::DomainPoint point;
    std::memcpy(&point, record_of(call, ResourceTable::DomainPoints, number), sizeof point);
    return point;
}

std::unique_ptr<WarpCase> draw_case(const KernelOrigin& origin, const exec::DrawContext& draw) {
    auto warp = std::make_unique<WarpCase>();
    warp->program = origin.program;
    warp->vertex_key = origin.vertex;
    warp->fragment_key = origin.fragment;
    copy_draw(*warp, draw);
    return warp;
}

std::unique_ptr<WarpCase>
vertex_case(const KernelOrigin& origin, const exec::VertexCall& call, uint32_t first) {
    auto warp = draw_case(origin, *call.draw);
    warp->count = std::min(exec::kLanes, call.count - first);
    std::copy_n(call.vertex_ids + first, warp->count, warp->vertex_ids.begin());
    warp->instance_id = call.instance_id;
    warp->record_stride = call.record_stride;
    return warp;
}

std::unique_ptr<WarpCase>
geometry_case(const KernelOrigin& origin, const exec::GeometryCall& call, uint32_t first) {
    auto warp = draw_case(origin, *call.out.draw);
    copy_pairs(*warp, call, first);
    return warp;
}

std::unique_ptr<WarpCase>
fragment_case(const KernelOrigin& origin, const exec::FragmentCall& call, uint32_t index) {
    auto warp = draw_case(origin, *call.draw);
    copy_primitive(*warp, *call.primitive);
    copy_block(*warp, call, index);
    return warp;
}

std::unique_ptr<WarpCase> control_case(const KernelOrigin& origin,
                                       const exec::ComputeCall& call,
                                       uint64_t group,
                                       uint32_t vertices) {
    const uint32_t made = origin.program->info.patch.vertices;
    const auto first = static_cast<uint32_t>(group * origin.program->info.compute.block[1]);
    const uint32_t count = call.block[1];
    auto warp = patch_case(origin, call, vertices);
    for (uint32_t i = 0; i < count; ++i)
        add_patch(*warp, call, first + i);
    warp->patches->records[table_number(ResourceTable::VertexRecords)].resize(
        size_t{count} * made * record_table(call, ResourceTable::VertexRecords).stride);
    make_patch_group(*warp, {made, count, 1});
    return warp;
}

std::unique_ptr<WarpCase> points_case(const KernelOrigin& origin,
                                      const exec::ComputeCall& call,
                                      uint64_t group,
                                      uint32_t vertices) {
    const uint32_t count = call.block[0];
    auto warp = patch_case(origin, call, vertices);
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < count; ++i) {
        exec::DomainPoint made = point_of(call, group * exec::kLanes + i);
        const auto [number, is_new] =
            numbers.try_emplace(made.patch, static_cast<uint32_t>(numbers.size()));
        if (is_new)
            add_patch(*warp, call, made.patch);
        made.patch = number->second;
        const auto* bytes = reinterpret_cast<const uint8_t*>(&made);
        std::vector<uint8_t>& points =
            warp->patches->records[table_number(ResourceTable::DomainPoints)];
        points.insert(points.end(), bytes, bytes + sizeof made);
    }
    warp->patches->records[table_number(ResourceTable::VertexRecords)].resize(
        size_t{count} * record_table(call, ResourceTable::VertexRecords).stride);
    make_patch_group(*warp, {count, 1, 1});
    return warp;
}

}  // namespace valkyr::debug
