// Front end: draws what the geometry stage emits to stream 0, a chunk at a time.
// SPDX-License-Identifier: MIT
#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/front/front_end.hpp"

#include <algorithm>
#include <cstring>

namespace valkyr::raster {

void FrontEnd::process_geometry(const WorkItem& item, uint32_t begin, uint32_t end) {
    const DrawRecord& draw = *item.draw;
    GeometryInput input{&draw, item.instance, item.run_first, item.run_count, item.first_id, begin,
                        end};
    while (input.begin < input.end && !exec::is_cancelled(draw.vertex->watch)) {
        const Emissions emissions = geometry_.advance(input);
        output_.statistics.vertices += geometry_.shaded_vertices();
        if (draw.counters != nullptr) {
            DrawCounters& counters = draw.counters[worker_];
            counters.vertices += geometry_.shaded_vertices();
            for (const EmittedPrimitive& primitive : emissions.primitives)
                ++counters.emitted[primitive.stream];
        }
        draw_emissions(draw, emissions);
    }
}

void FrontEnd::draw_emissions(const DrawRecord& draw, const Emissions& emissions) {
    constexpr uint8_t kAllEdges = 7;
    const bool lines = shape_of(draw.drawn) == Shape::Line;
    begin_chunk();
    plain_count_ = 0;
    uint32_t first = 0;
    for (const EmittedPrimitive& primitive : emissions.primitives) {
        if (primitive.stream != 0)
            continue;
        const auto& [v0, v1, v2] = primitive.vertex;
        const uint32_t end = std::max({v0, v1, v2}) + 1;
        if (primitive_count_ == kChunkPrimitives || end - first > kChunkVertices) {
            draw_emitted(draw, emissions, first);
            begin_chunk();
        }
        if (primitive_count_ == 0)
            first = std::min({v0, v1, v2});
        const auto place = [&](uint32_t v) { return static_cast<uint16_t>(v - first); };
        primitives_[primitive_count_] = {
            {place(v0), place(v1), place(v2)}, place(primitive.provoking), primitive.id};
        edges_[primitive_count_] = lines ? (primitive.begins_strip ? kBeginsStrip : 0) : kAllEdges;
        ++primitive_count_;
        vertex_count_ = end - first;
    }
    draw_emitted(draw, emissions, first);
}

void FrontEnd::draw_emitted(const DrawRecord& draw, const Emissions& emissions, uint32_t first) {
    if (primitive_count_ == 0)
        return;
    const uint32_t* numbers = emissions.record_numbers[0] + first;
    // Widening halves changes records: not twice those that two chunks have.
    const bool in_place = draw.half_count == 0;
    std::byte* memory = allocate_vertices(draw, vertex_count_, in_place);
    const size_t stride = draw.record_stride;
    if (varyings_ != nullptr && in_place) {
        // Records are copied once it is known that something of them is drawn.
        records_ = emissions.records;
        record_numbers_ = numbers;
    } else {
        for (uint32_t v = 0; v < vertex_count_; ++v)
            copy_slots(emissions.records + numbers[v] * stride, records_ + v * stride,
                       draw.record_stride / exec::kVaryingSlotBytes);
    }
    draw_chunk(draw, memory);
    record_numbers_ = nullptr;
}

}  // namespace valkyr::raster
