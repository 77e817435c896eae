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
    place_of_record_.resize(std::max<size_t>(place_of_record_.size(), emissions.record_count));
    chunk_of_record_.resize(place_of_record_.size());
    begin_chunk();
    plain_count_ = 0;
    ++emitted_chunk_;
    for (const EmittedPrimitive& primitive : emissions.primitives) {
        if (primitive.stream != 0)
            continue;
        if (primitive_count_ == kChunkPrimitives || vertex_count_ + 3 > kChunkVertices) {
            finish_emitted(draw);
            begin_chunk();
            ++emitted_chunk_;
        }
        const auto place = [&](uint32_t record) {
            if (chunk_of_record_[record] != emitted_chunk_) {
                chunk_of_record_[record] = emitted_chunk_;
                place_of_record_[record] = static_cast<uint16_t>(vertex_count_);
                emitted_[vertex_count_++] = emissions.record(draw, record);
            }
            return place_of_record_[record];
        };
        PrimitiveRef& ref = primitives_[primitive_count_];
        for (unsigned k = 0; k < 3; ++k)
            ref.v[k] = place(primitive.vertex[k]);
        ref.provoking = place(primitive.provoking);
        ref.id = primitive.id;
        edges_[primitive_count_] = lines ? (primitive.begins_strip ? kBeginsStrip : 0) : kAllEdges;
        ++primitive_count_;
    }
    finish_emitted(draw);
}

void FrontEnd::finish_emitted(const DrawRecord& draw) {
    if (primitive_count_ == 0)
        return;
    std::byte* memory = allocate_vertices(draw, vertex_count_);
    const size_t stride = draw.record_stride;
    for (uint32_t v = 0; v < vertex_count_; ++v)
        std::memcpy(records_ + v * stride, emitted_[v], stride);
    draw_chunk(draw, memory);
}

}  // namespace valkyr::raster
