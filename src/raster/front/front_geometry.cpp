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
    geometry_.forget_pattern();
    laid_out_ = 0;
    while (input.begin < input.end && !exec::is_cancelled(draw.vertex->watch)) {
        const Emissions emissions = geometry_.advance(input, true);
        const EmissionPattern& pattern = emissions.pattern;
        output_.statistics.vertices += geometry_.shaded_vertices();
        if (draw.counters != nullptr) {
            DrawCounters& counters = draw.counters[worker_];
            counters.vertices += geometry_.shaded_vertices();
            counters.emitted[0] += pattern.pairs * pattern.primitives.size();
            for (const EmittedPrimitive& primitive : emissions.primitives)
                ++counters.emitted[primitive.stream];
        }
        if (pattern.pairs != 0)
            draw_pattern(draw, emissions);
        else
            draw_emissions(draw, emissions);
    }
}

namespace {

/// Corners in the order in which a primitive is drawn: both triangles of a strip of four vertices
/// begin with its second vertex (docs/rules/raster-rules.md, "Geometry shaders").
std::array<uint32_t, 3> corners_of(const DrawRecord& draw, const EmittedPrimitive& primitive) {
    const auto& [v0, v1, v2] = primitive.vertex;
    const bool begins_so = v0 < v1 && v2 < v1;
    if (!primitive.of_two || draw.shapes || begins_so)
        return primitive.vertex;
    return {v1, v2, v0};
}

/// FrontEnd::edges_ of an emitted primitive.
uint8_t edges_of(const EmittedPrimitive& primitive, bool lines, uint8_t begins_strip) {
    constexpr uint8_t kAllEdges = 7;
    if (!lines)
        return kAllEdges;
    return primitive.begins_strip ? begins_strip : 0;
}

PrimitiveRef ref_of(const DrawRecord& draw, const EmittedPrimitive& primitive, uint32_t first) {
    const auto place = [&](uint32_t at) { return static_cast<uint16_t>(at - first); };
    const std::array<uint32_t, 3> v = corners_of(draw, primitive);
    return {{place(v[0]), place(v[1]), place(v[2])}, place(primitive.provoking), primitive.id};
}

}  // namespace

/// The primitives of `pairs` pairs, which are the same from chunk to chunk but for their IDs.
void FrontEnd::lay_out(const DrawRecord& draw, const EmissionPattern& pattern, uint32_t pairs) {
    const bool lines = shape_of(draw.drawn) == Shape::Line;
    plain_count_ = 0;
    laid_out_ = pattern.number;
    uint32_t made = 0;
    for (uint32_t pair = 0; pair < pairs; ++pair) {
        for (const EmittedPrimitive& primitive : pattern.primitives) {
            // Numbers wrap: they count from a vertex before the pair's.
            primitives_[made] = ref_of(draw, primitive, 0 - pair * pattern.vertices);
            edges_[made++] = edges_of(primitive, lines, kBeginsStrip);
        }
    }
    makes_rectangles_ = draw.merges && draw.polygon_stipple == nullptr && !draw.offset.enabled &&
                        pattern.vertices == 4 && pattern.primitives.size() == 2;
    for (uint32_t i = 0; makes_rectangles_ && i < pairs; ++i)
        rectangles_[i] = primitives_[2 * i];
    for (uint32_t v = 0; v < pattern_numbers_.size(); ++v)
        pattern_numbers_[v] = v / pattern.vertices * pattern.records + v % pattern.vertices;
}

void FrontEnd::draw_pattern(const DrawRecord& draw, const Emissions& emissions) {
    const EmissionPattern& pattern = emissions.pattern;
    const auto made = static_cast<uint32_t>(pattern.primitives.size());
    if (made == 0)
        return;
    const uint32_t most = std::min(kChunkPrimitives / made, kChunkVertices / pattern.vertices);
    if (laid_out_ != pattern.number)
        lay_out(draw, pattern, most);
    for (uint32_t first = 0; first < pattern.pairs; first += most) {
        const uint32_t pairs = std::min(most, pattern.pairs - first);
        begin_chunk();
        for (uint32_t pair = first; pair < first + pairs; ++pair)
            for (uint32_t i = 0; i < made; ++i)
                primitives_[primitive_count_++].id = pattern.primitive_ids[pair];
        vertex_count_ = pairs * pattern.vertices;
        rectangle_count_ = makes_rectangles_ ? pairs : 0;
        draw_emitted(draw, emissions.records + size_t{first} * pattern.records * draw.record_stride,
                     pattern_numbers_.data());
    }
    rectangle_count_ = 0;
}

void FrontEnd::draw_emissions(const DrawRecord& draw, const Emissions& emissions) {
    const bool lines = shape_of(draw.drawn) == Shape::Line;
    begin_chunk();
    plain_count_ = 0;
    laid_out_ = 0;
    uint32_t first = 0;
    for (const EmittedPrimitive& primitive : emissions.primitives) {
        if (primitive.stream != 0)
            continue;
        const auto& [v0, v1, v2] = primitive.vertex;
        const uint32_t end = std::max({v0, v1, v2}) + 1;
        if (primitive_count_ == kChunkPrimitives || end - first > kChunkVertices) {
            draw_emitted(draw, emissions.records, emissions.record_numbers[0] + first);
            begin_chunk();
        }
        if (primitive_count_ == 0)
            first = std::min({v0, v1, v2});
        primitives_[primitive_count_] = ref_of(draw, primitive, first);
        edges_[primitive_count_++] = edges_of(primitive, lines, kBeginsStrip);
        vertex_count_ = end - first;
    }
    draw_emitted(draw, emissions.records, emissions.record_numbers[0] + first);
}

void FrontEnd::draw_emitted(const DrawRecord& draw, uint8_t* records, const uint32_t* numbers) {
    if (primitive_count_ == 0)
        return;
    // Widening halves changes records: not twice those that two chunks have.
    const bool in_place = draw.half_count == 0;
    std::byte* memory = allocate_vertices(draw, vertex_count_, in_place);
    const size_t stride = draw.record_stride;
    if (varyings_ != nullptr && in_place) {
        // Records are copied once it is known that something of them is drawn.
        records_ = records;
        record_numbers_ = numbers;
    } else {
        for (uint32_t v = 0; v < vertex_count_; ++v)
            copy_slots(records + numbers[v] * stride, records_ + v * stride,
                       draw.record_stride / exec::kVaryingSlotBytes);
    }
    draw_chunk(draw, memory);
    record_numbers_ = nullptr;
}

}  // namespace valkyr::raster
