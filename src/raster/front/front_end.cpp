// Front end: takes a chunk of primitives at a time.
// SPDX-License-Identifier: MIT
#include "raster/front/front_end.hpp"

#include "base/bits.hpp"
#include "exec/vertex_record.hpp"
#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/data/half_varyings.hpp"
#include "raster/data/runs.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {

namespace {

bool is_cancelled(const DrawRecord& draw) {
    return exec::is_cancelled(draw.vertex->watch);
}

/// VS_WINDOW_SPACE_POSITION: positions are x, y, z in the window and 1/w; as clip positions they
/// come back to the same place through the identity viewport (set_clip).
void clip_from_window(uint8_t* records, uint32_t stride, uint32_t count) {
    for (uint32_t i = 0; i < count; ++i) {
        std::array<float, 4> p{};
        uint8_t* record = records + size_t{i} * stride;
        std::memcpy(p.data(), record, sizeof(p));
        const float w = 1.0F / p[3];
        p = {p[0] * w, p[1] * w, p[2] * w, w};
        std::memcpy(record, p.data(), sizeof(p));
    }
}

}  // namespace

void FrontEnd::begin(Segment& segment, Arena& arena, const PassTargets& targets, uint64_t tls) {
    output_.segment = &segment;
    output_.arena = &arena;
    output_.grid = {targets.tiles_x(), 0};
    tiles_per_layer_ = targets.tile_count();
    tls_ = tls;
    geometry_.set_storage(tls);
}

void FrontEnd::process(const WorkItem& item) {
    WorkItem one = item;
    one.instance_count = 1;
    for (uint32_t i = 0; i < item.instance_count && !is_cancelled(*item.draw); ++i) {
        one.instance = item.instance + i;
        process_instance(one);
    }
}

void FrontEnd::process_instance(const WorkItem& item) {
    if (!item.holds_runs) {
        process_run(item);
        return;
    }
    const DrawRecord& draw = *item.draw;
    WorkItem run = item;
    run.holds_runs = false;
    const uint32_t end = item.run_first + item.run_count;
    uint32_t id = item.first_id;
    for (uint32_t at = item.run_first; at < end && !is_cancelled(draw);) {
        uint32_t stop = at;
        while (stop < end &&
               fetch_index(draw.indices, uint64_t{draw.first} + stop) != draw.restart_index)
            ++stop;
        run.run_first = at;
        run.run_count = stop - at;
        run.begin = 0;
        run.end = static_cast<uint32_t>(primitive_count(draw.primitive, run.run_count));
        run.first_id = id;
        process_run(run);
        id += static_cast<uint32_t>(primitive_ids(draw.primitive, run.run_count));
        at = stop + 1;
    }
}

void FrontEnd::process_run(const WorkItem& item) {
    shapes_.stipple().restart();
    for (uint32_t p = item.begin; p < item.end && !is_cancelled(*item.draw);) {
        const uint32_t piece = std::min(item.end - p, kMeshPrimitives);
        if (item.draw->geometry != nullptr)
            process_geometry(item, p, p + piece);
        else if (!process_mesh(item, p, piece))
            process_chunks(item, p, p + piece);
        p += piece;
    }
}

void FrontEnd::process_chunks(const WorkItem& item, uint32_t begin, uint32_t end) {
    for (uint32_t p = begin; p < end && !is_cancelled(*item.draw); p += primitive_count_) {
        begin_chunk();
        add_chunk(item, p, std::min(end - p, kChunkPrimitives));
        finish_chunk(item);
    }
}

void FrontEnd::add_chunk(const WorkItem& item, uint32_t p, uint32_t count) {
    const DrawRecord& draw = *item.draw;
    if (draw.primitive == Primitive::Triangles && !draw.shapes) {
        if (draw.indices.type == IndexType::None) {
            add_plain_triangles(item, p, count);
            return;
        }
        if (add_indexed_triangles(item, p, count))
            return;
    }
    plain_count_ = 0;
    if (draw.primitive == Primitive::Points) {
        add_points(item, p, count);
        return;
    }
    for (uint32_t i = 0; i < count; ++i)
        add_primitive(item, p + i);
}

void FrontEnd::begin_chunk() {
    primitive_count_ = 0;
    vertex_count_ = 0;
}

void FrontEnd::add_plain_triangles(const WorkItem& item, uint32_t p, uint32_t count) {
    const uint32_t first = item.draw->first + item.run_first + 3 * p;
    const uint16_t provoking = item.draw->provoking_first ? 0 : 2;
    // The vertices of chunk after chunk are the same ones.
    for (uint32_t i = plain_provoking_ == provoking ? plain_count_ : 0; i < count; ++i) {
        const auto v = static_cast<uint16_t>(3 * i);
        primitives_[i] = {{v, static_cast<uint16_t>(v + 1), static_cast<uint16_t>(v + 2)},
                          static_cast<uint16_t>(v + provoking),
                          0};
    }
    plain_count_ = plain_provoking_ == provoking ? std::max(plain_count_, count) : count;
    plain_provoking_ = provoking;
    plain_id_ = item.first_id + p;
    for (uint32_t i = 0; i < 3 * count; i += exec::kLanes)
        for (uint32_t k = 0; k < exec::kLanes; ++k)
            vertex_ids_[i + k] = first + i + k;
    primitive_count_ = count;
    vertex_count_ = 3 * count;
}

void FrontEnd::add_points(const WorkItem& item, uint32_t p, uint32_t count) {
    for (uint32_t i = p; i < p + count; ++i) {
        const uint16_t v = local_vertex(element_vertex(*item.draw, item.run_first + i));
        primitives_[primitive_count_++] = {{v, v, v}, v, item.first_id + i};
    }
}

void FrontEnd::add_primitive(const WorkItem& item, uint32_t p) {
    const DrawRecord& draw = *item.draw;
    const Assembled a = assemble(draw.primitive, draw.provoking_first, item.run_count, p);
    PrimitiveRef& ref = primitives_[primitive_count_++];
    ref.provoking = 0;
    for (unsigned k = 0; k < 3; ++k) {
        ref.v[k] = local_vertex(element_vertex(draw, item.run_first + a.element[k]));
        if (a.element[k] == a.provoking)
            ref.provoking = ref.v[k];
    }
    edges_[primitive_count_ - 1] = a.edges;
    ref.id = item.first_id + a.id;
}

void FrontEnd::finish_chunk(const WorkItem& item) {
    const DrawRecord& draw = *item.draw;
    const uint32_t padded = align_up(vertex_count_, exec::kLanes);
    std::byte* memory = allocate_vertices(draw, vertex_count_);
    for (uint32_t i = vertex_count_; i < padded; ++i)
        vertex_ids_[i] = vertex_ids_[vertex_count_ - 1];
    shade(draw, item.instance, records_);
    output_.statistics.vertices += vertex_count_;
    if (draw.counters != nullptr)
        draw.counters[worker_].vertices += vertex_count_;
    draw_chunk(draw, memory);
}

void FrontEnd::draw_chunk(const DrawRecord& draw, std::byte* memory) {
    widen_halves(draw, records_, vertex_count_);
    output_.statistics.triangles_in += primitive_count_;
    if (!draw.rasterize) {
        output_.arena->trim(memory);
        return;
    }
    if (draw.selects()) {
        emit_selected(draw);
        return;
    }
    transform(draw, rows_, own_codes_.data());
    emit(draw, {0, primitive_count_}, memory);
}

std::byte* FrontEnd::allocate_vertices(const DrawRecord& draw, uint32_t count, bool numbered) {
    const size_t padded = align_up(count, exec::kLanes);
    const size_t rows_size = padded * sizeof(WindowRow);
    // Points, viewports and lines that are not plain go back to whole records.
    const bool lines = numbered && shape_of(draw.drawn) == Shape::Line && may_be_plain(draw);
    const bool packs = draw.rasterize && (!draw.shapes || lines) && !draw.selects();
    const uint32_t kept = packs ? draw.record_stride - exec::kRecordVaryings : draw.record_stride;
    std::byte* memory = output_.arena->allocate(rows_size + padded * kept);
    auto* behind_rows = reinterpret_cast<uint8_t*>(memory + rows_size);
    rows_ = reinterpret_cast<WindowRow*>(memory);
    varyings_ = packs ? behind_rows : nullptr;
    unkept_ = packs ? count : 0;
    records_ = behind_rows;
    record_numbers_ = nullptr;
    if (packs && !numbered) {
        scratch_.reset();
        records_ = scratch_.allocate_array<uint8_t>(padded * draw.record_stride);
    }
    return memory;
}

void FrontEnd::keep_varyings(const DrawRecord& draw) {
    const uint32_t bytes = draw.record_stride - exec::kRecordVaryings;
    const uint32_t slots = bytes / exec::kVaryingSlotBytes;
    // In registers: what is written might be these members, for all that the compiler knows.
    const size_t stride = draw.record_stride;
    const uint8_t* const from = records_ + exec::kRecordVaryings;
    const uint32_t* const numbers = record_numbers_;
    const uint32_t count = unkept_;
    uint8_t* to = varyings_;
    if (numbers == nullptr)
        for (uint32_t v = 0; v < count; ++v, to += bytes)
            copy_slots(from + v * stride, to, slots);
    else if (slots == 1)
        for (uint32_t v = 0; v < count; ++v, to += bytes)
            copy_slots(from + numbers[v] * stride, to, 1);
    else
        for (uint32_t v = 0; v < count; ++v, to += bytes)
            copy_slots(from + numbers[v] * stride, to, slots);
    unkept_ = 0;
}

void FrontEnd::keep_records(const DrawRecord& draw) {
    if (varyings_ == nullptr)
        return;
    auto* kept = output_.arena->allocate_array<uint8_t>(size_t{vertex_count_} * draw.record_stride);
    for (uint32_t v = 0; v < vertex_count_; ++v)
        copy_slots(record(draw, v), kept + size_t{v} * draw.record_stride,
                   draw.record_stride / exec::kVaryingSlotBytes);
    records_ = kept;
    record_numbers_ = nullptr;
    varyings_ = nullptr;
    unkept_ = 0;
}

void FrontEnd::count_clipping(DrawCounters& counters, const PrimitiveRange& range) const {
    counters.clip_input += range.end - range.begin;
    for (uint32_t i = range.begin; i < range.end; ++i) {
        const uint16_t* v = primitives_[i].v;
        counters.clip_output += (codes_[v[0]] & codes_[v[1]] & codes_[v[2]]) == 0 ? 1 : 0;
    }
}

void FrontEnd::shade(const DrawRecord& draw, uint32_t instance, uint8_t* records) {
    exec::VertexCall call;
    call.draw = draw.vertex;
    call.vertex_ids = vertex_ids_.data();
    call.records = records;
    call.record_stride = draw.record_stride;
    call.count = vertex_count_;
    call.instance_id = instance;
    call.tls = tls_;
    call.worker = worker_;
    call.message_calls = message_calls_;
    draw.vertex_kernel(call);
    if (draw.vertex->info->window_space_position)
        clip_from_window(records, draw.record_stride, vertex_count_);
}

}  // namespace valkyr::raster
