// Scene capture: copies the warps of a draw that shade a pixel, a vertex, a primitive or a patch.
// SPDX-License-Identifier: MIT
#include "app/debug/session/scene_capture.hpp"

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

/// gl_PrimitiveID of a patch of the call.
uint32_t patch_id(const exec::ComputeCall& call, uint32_t patch) {
    exec::PatchRecord record;
    std::memcpy(&record, record_of(call, ResourceTable::PatchRecords, patch), sizeof record);
    return record.id;
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

/// Pixels of a block that are covered in some sample.
uint16_t covered(const exec::FragmentCall& call, uint32_t index, unsigned samples) {
    if (call.sample_masks == nullptr)
        return call.blocks[index].mask;
    uint16_t mask = 0;
    for (unsigned s = 0; s < samples; ++s)
        mask |= call.sample_masks[size_t{index} * samples + s];
    return mask;
}

}  // namespace

/// The program and state that a kernel was made from.
struct SceneCapture::Origin {
    std::shared_ptr<const valhall::Program> program;
    exec::VertexKey vertex;
    exec::FragmentKey fragment;
    raster::KernelRef kernel;
};

class SceneCapture::TappedKernel final : public raster::KernelHandle {
public:
    TappedKernel(SceneCapture& capture, Origin origin)
        : capture_(capture)
        , origin_(std::move(origin)) {}

    [[nodiscard]] exec::Kernel entry() const noexcept override { return {call, this}; }

private:
    static void call(const void* self, void* argument) noexcept {
        const auto& kernel = *static_cast<const TappedKernel*>(self);
        if (kernel.capture_.armed_)
            kernel.see(argument);
        const exec::Kernel inner = kernel.origin_.kernel->entry();
        inner.entry(inner.self, argument);
    }

    void see(const void* argument) const {
        switch (origin_.program->info.stage) {
        case exec::Stage::Vertex:
            return capture_.see(origin_, *static_cast<const exec::VertexCall*>(argument));
        case exec::Stage::Geometry:
            return capture_.see(origin_, *static_cast<const exec::GeometryCall*>(argument));
        case exec::Stage::Fragment:
            return capture_.see(origin_, *static_cast<const exec::FragmentCall*>(argument));
        case exec::Stage::Compute:
            return capture_.see(origin_, *static_cast<const exec::ComputeCall*>(argument));
        case exec::Stage::Blend: return;
        }
    }

    SceneCapture& capture_;
    Origin origin_;
};

raster::KernelRef SceneCapture::wrap(const valhall::Program& program,
                                     const exec::VertexKey* vertex,
                                     const exec::FragmentKey* fragment,
                                     raster::KernelRef kernel) {
    // Uniform prologues have no key.
    const bool has_key = vertex != nullptr || fragment != nullptr;
    if (!target_.is_set() || !has_key || program.info.stage != target_.stage())
        return kernel;
    Origin origin{copy_of(program), {}, {}, std::move(kernel)};
    if (vertex != nullptr)
        origin.vertex = *vertex;
    if (fragment != nullptr)
        origin.fragment = *fragment;
    return std::make_shared<TappedKernel>(*this, std::move(origin));
}

/// A case of a tessellation program without patches.
std::unique_ptr<WarpCase>
SceneCapture::patch_case(const Origin& origin, const exec::ComputeCall& call, uint32_t vertices) {
    auto warp = std::make_unique<WarpCase>();
    warp->program = origin.program;
    warp->vertex_key = origin.vertex;
    copy_draw(*warp, *call.draw);
    PatchGroup& patches = warp->patches.emplace();
    patches.vertices = vertices;
    for (unsigned table = 0; table < exec::kRecordTables; ++table)
        patches.strides[table] = call.records[table].stride;
    return warp;
}

void SceneCapture::see(const Origin& origin, const exec::FragmentCall& call) {
    const int32_t x = target_.pixel->first - call.tile_x;
    const int32_t y = target_.pixel->second - call.tile_y;
    const auto size = static_cast<int32_t>(exec::kTileSize);
    if (x < 0 || y < 0 || x >= size || y >= size)
        return;
    const auto block =
        static_cast<uint32_t>(y / 4 * static_cast<int32_t>(exec::kBlocksPerRow) + x / 4);
    const unsigned lane = exec::lane_at(static_cast<unsigned>(x & 3), static_cast<unsigned>(y & 3));
    for (uint32_t i = 0; i < call.block_count; ++i) {
        if (call.blocks[i].block != block ||
            (covered(call, i, std::max<unsigned>(origin.fragment.samples, 1)) >> lane & 1) == 0)
            continue;
        auto warp = std::make_unique<WarpCase>();
        warp->program = origin.program;
        warp->fragment_key = origin.fragment;
        copy_draw(*warp, *call.draw);
        copy_primitive(*warp, *call.primitive);
        copy_block(*warp, call, i);
        add(std::move(warp), lane);
    }
}

void SceneCapture::see(const Origin& origin, const exec::VertexCall& call) {
    const uint32_t* const end = call.vertex_ids + call.count;
    for (const uint32_t* found = std::find(call.vertex_ids, end, *target_.vertex); found != end;
         found = std::find(found + 1, end, *target_.vertex)) {
        const auto index = static_cast<uint32_t>(found - call.vertex_ids);
        const uint32_t first = index / exec::kLanes * exec::kLanes;
        auto warp = std::make_unique<WarpCase>();
        warp->program = origin.program;
        warp->vertex_key = origin.vertex;
        copy_draw(*warp, *call.draw);
        warp->count = std::min(exec::kLanes, call.count - first);
        std::copy_n(call.vertex_ids + first, warp->count, warp->vertex_ids.begin());
        warp->instance_id = call.instance_id;
        warp->record_stride = call.record_stride;
        add(std::move(warp), index - first);
    }
}

void SceneCapture::see(const Origin& origin, const exec::GeometryCall& call) {
    for (uint32_t pair = 0; pair < call.out.count; ++pair) {
        if (call.primitive_ids[pair] != *target_.primitive)
            continue;
        const uint32_t first = pair / exec::kLanes * exec::kLanes;
        auto warp = std::make_unique<WarpCase>();
        warp->program = origin.program;
        warp->vertex_key = origin.vertex;
        copy_draw(*warp, *call.out.draw);
        copy_pairs(*warp, call, first);
        add(std::move(warp), pair - first);
    }
}

/// A draw runs no other compute programs than those of tessellation.
void SceneCapture::see(const Origin& origin, const exec::ComputeCall& call) {
    if (origin.program->info.patch.vertices != 0)
        control_vertices_ = origin.program->info.patch.vertices;
    for (uint64_t group = call.first_group; group < call.first_group + call.group_count; ++group) {
        if (origin.program->info.patch.vertices != 0)
            see_control(origin, call, group);
        else
            see_points(origin, call, group);
    }
}

void SceneCapture::see_control(const Origin& origin,
                               const exec::ComputeCall& call,
                               uint64_t group) {
    const uint32_t made = origin.program->info.patch.vertices;
    const auto first = static_cast<uint32_t>(group * origin.program->info.compute.block[1]);
    const uint32_t count = call.block[1];
    for (uint32_t patch = 0; patch < count; ++patch) {
        if (patch_id(call, first + patch) != *target_.patch)
            continue;
        auto warp = patch_case(origin, call, patch_vertices_);
        for (uint32_t i = 0; i < count; ++i)
            add_patch(*warp, call, first + i);
        warp->patches->records[table_number(ResourceTable::VertexRecords)].resize(
            size_t{count} * made * record_table(call, ResourceTable::VertexRecords).stride);
        make_patch_group(*warp, {made, count, 1});
        add(std::move(warp), patch * made);
    }
}

void SceneCapture::see_points(const Origin& origin, const exec::ComputeCall& call, uint64_t group) {
    const uint32_t count = call.block[0];
    const auto point = [&](uint32_t i) {
        exec::DomainPoint made;
        std::memcpy(&made, record_of(call, ResourceTable::DomainPoints, group * exec::kLanes + i),
                    sizeof made);
        return made;
    };
    uint32_t lane = 0;
    while (lane < count && patch_id(call, point(lane).patch) != *target_.patch)
        ++lane;
    if (lane == count)
        return;
    auto warp =
        patch_case(origin, call, control_vertices_ != 0 ? control_vertices_ : patch_vertices_);
    std::map<uint32_t, uint32_t> numbers;
    for (uint32_t i = 0; i < count; ++i) {
        exec::DomainPoint made = point(i);
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
    add(std::move(warp), lane);
}

void SceneCapture::add(std::unique_ptr<WarpCase> warp, unsigned lane) {
    if (hits_.size() == kMaxHits)
        hits_.erase(hits_.begin());
    hits_.push_back({draw_, std::move(warp), lane});
}

}  // namespace valkyr::debug
