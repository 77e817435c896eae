// Geometry source: makes chunks of the primitives that programs make, in stream 0.
// SPDX-License-Identifier: MIT
#include "raster/front/source_geometry.hpp"

#include "raster/data/assemble.hpp"
#include "raster/data/draw_counters.hpp"
#include "raster/front/chunk_vertices.hpp"
#include "raster/front/emit.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::raster {

void GeometrySource::draw(FrontWorker& front, const WorkItem& item, uint32_t begin, uint32_t end) {
    const DrawRecord& draw = *item.draw;
    const GeometryInput input{
        &draw, item.instance, item.run_first, item.run_count, item.first_id, begin, end};
    stages_.begin(input);
    laid_out_ = 0;
    Emissions emissions;
    while (stages_.next(front.kernels, true, emissions)) {
        const EmissionPattern& pattern = emissions.pattern;
        front.output.statistics.vertices += stages_.shaded_vertices();
        if (draw.counters != nullptr) {
            DrawCounters& counters = draw.counters[front.kernels.worker];
            counters.vertices += stages_.shaded_vertices();
            counters.emitted[0] +=
                pattern.pairs * pattern.primitives.size() + emissions.refs.size();
            for (const EmittedPrimitive& primitive : emissions.primitives)
                ++counters.emitted[primitive.stream];
        }
        if (pattern.pairs != 0)
            draw_pattern(front, draw, emissions);
        else if (!emissions.refs.empty())
            draw_refs(front, draw, emissions);
        else
            draw_emissions(front, draw, emissions);
    }
}

namespace {

/// Returns the corners in drawing order: both triangles of a strip of four vertices begin with its
/// second vertex (docs/rules/raster-rules.md, "Geometry shaders").
std::array<uint32_t, 3> corners_of(const ShapeState& shape, const EmittedPrimitive& primitive) {
    const auto& [v0, v1, v2] = primitive.vertex;
    const bool begins_so = v0 < v1 && v2 < v1;
    if (!primitive.of_two || shape.shapes || begins_so)
        return primitive.vertex;
    return {v1, v2, v0};
}

constexpr uint8_t kAllEdges = 7;
constexpr uint8_t kAlone = kAllEdges | Chunk::kBeginsChain;

/// Chunk::edges of primitives that each begin a strip.
constexpr auto kEdgesAlone = [] {
    std::array<uint8_t, kChunkPrimitives> edges{};
    edges.fill(kAlone);
    return edges;
}();

/// Returns Chunk::edges of an emitted primitive. Each triangle is a polygon of its own.
uint8_t edges_of(const EmittedPrimitive& primitive, bool lines) {
    return lines && !primitive.begins_strip ? kAllEdges : kAlone;
}

PrimitiveRef ref_of(const ShapeState& shape, const EmittedPrimitive& primitive, uint32_t first) {
    const auto place = [&](uint32_t at) { return static_cast<uint16_t>(at - first); };
    const std::array<uint32_t, 3> v = corners_of(shape, primitive);
    return {{place(v[0]), place(v[1]), place(v[2])}, place(primitive.provoking), primitive.id};
}

}  // namespace

void GeometrySource::set(const ShapeState& shape,
                         uint32_t place,
                         const EmittedPrimitive& primitive,
                         uint32_t first) {
    primitives_[place] = ref_of(shape, primitive, first);
    edges_[place] = edges_of(primitive, shape_of(shape.drawn) == Shape::Line);
}

/// Lays out the primitives of `pairs` pairs; only their IDs change from chunk to chunk.
void GeometrySource::lay_out(const DrawRecord& draw,
                             const EmissionPattern& pattern,
                             uint32_t pairs) {
    const ShapeState& shape = *draw.shape;
    const TileState& tile = *draw.tile;
    laid_out_ = pattern.number;
    uint32_t made = 0;
    for (uint32_t pair = 0; pair < pairs; ++pair)
        for (const EmittedPrimitive& primitive : pattern.primitives)
            // Vertex numbers wrap: they are relative to a vertex before the pair's first.
            set(shape, made++, primitive, 0 - pair * pattern.vertices);
    makes_rectangles_ = shape.merges && tile.polygon_stipple == nullptr && !tile.offset.enabled &&
                        pattern.vertices == 4 && pattern.primitives.size() == 2;
    for (uint32_t i = 0; makes_rectangles_ && i < pairs; ++i)
        rectangles_[i] = primitives_[size_t{2} * i];
    for (uint32_t v = 0; v < pattern_numbers_.size(); ++v)
        pattern_numbers_[v] = v / pattern.vertices * pattern.records + v % pattern.vertices;
}

void GeometrySource::draw_pattern(FrontWorker& front,
                                  const DrawRecord& draw,
                                  const Emissions& emissions) {
    const EmissionPattern& pattern = emissions.pattern;
    const auto made = static_cast<uint32_t>(pattern.primitives.size());
    if (made == 0)
        return;
    const uint32_t most = std::min(kChunkPrimitives / made, kChunkVertices / pattern.vertices);
    if (laid_out_ != pattern.number)
        lay_out(draw, pattern, most);
    for (uint32_t first = 0; first < pattern.pairs; first += most) {
        const uint32_t pairs = std::min(most, pattern.pairs - first);
        PrimitiveRef* next = primitives_.data();
        for (uint32_t pair = first; pair < first + pairs; ++pair)
            for (uint32_t i = 0; i < made; ++i)
                (next++)->id = pattern.primitive_ids[pair];
        Chunk chunk = chunk_of(pairs * made);
        if (makes_rectangles_)
            chunk.pairs = {rectangles_.data(), pairs};
        const size_t skipped = size_t{first} * pattern.records * draw.shape->record_stride;
        chunk.vertices = adopt_vertices(front, *draw.shape, pairs * pattern.vertices,
                                        emissions.records + skipped, pattern_numbers_.data());
        draw_chunk(front, draw, chunk);
    }
}

void GeometrySource::draw_refs(FrontWorker& front,
                               const DrawRecord& draw,
                               const Emissions& emissions) {
    Chunk chunk;
    chunk.primitives = emissions.refs;
    chunk.edges = kEdgesAlone.data();
    chunk.vertices = adopt_vertices(front, *draw.shape, emissions.chunk_vertices, emissions.records,
                                    emissions.in_order ? nullptr : emissions.record_numbers[0]);
    draw_chunk(front, draw, chunk);
}

void GeometrySource::draw_emissions(FrontWorker& front,
                                    const DrawRecord& draw,
                                    const Emissions& emissions) {
    const ShapeState& shape = *draw.shape;
    laid_out_ = 0;
    uint32_t count = 0;
    uint32_t first = 0;  // the chunk has vertices [first, end)
    uint32_t end = 0;
    const auto draw_made = [&] {
        if (count == 0)
            return;
        Chunk chunk = chunk_of(std::exchange(count, 0));
        chunk.vertices = adopt_vertices(front, shape, end - first, emissions.records,
                                        emissions.record_numbers[0] + first);
        draw_chunk(front, draw, chunk);
    };
    for (const EmittedPrimitive& primitive : emissions.primitives) {
        if (primitive.stream != 0)
            continue;
        const auto& [v0, v1, v2] = primitive.vertex;
        const uint32_t behind = std::max({v0, v1, v2}) + 1;
        if (count == kChunkPrimitives || behind - first > kChunkVertices)
            draw_made();
        if (emissions.chunk_vertices != 0) {
            end = emissions.chunk_vertices;
        } else {
            if (count == 0)
                first = std::min({v0, v1, v2});
            end = behind;
        }
        set(shape, count++, primitive, first);
    }
    draw_made();
}

Chunk GeometrySource::chunk_of(uint32_t count) const {
    Chunk chunk;
    chunk.primitives = {primitives_.data(), count};
    chunk.edges = edges_.data();
    return chunk;
}

}  // namespace valkyr::raster
