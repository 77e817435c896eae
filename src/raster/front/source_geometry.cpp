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
    layout_ = {};
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

/// Lays out the primitives of `pairs` pairs.
void GeometrySource::lay_out(Arena& arena,
                             const DrawRecord& draw,
                             const EmissionPattern& pattern,
                             uint32_t pairs) {
    const ShapeState& shape = *draw.shape;
    const TileState& tile = *draw.tile;
    const size_t made = pattern.primitives.size();
    layout_ = {pattern.number, pairs, arena.allocate_array<PrimitiveRef>(pairs * made)};
    uint32_t place = 0;
    for (uint32_t pair = 0; pair < pairs; ++pair)
        for (const EmittedPrimitive& primitive : pattern.primitives) {
            edges_[place] = edges_of(primitive, shape_of(shape.drawn) == Shape::Line);
            PrimitiveRef& ref = layout_.primitives[place++];
            // Vertex numbers wrap: they are relative to a vertex before the pair's first.
            ref = ref_of(shape, primitive, 0 - pair * pattern.vertices);
            ref.id = pair;
        }
    const auto& [v0, v1, v2] = layout_.primitives[0].v;
    layout_.consecutive = pattern.vertices == 3 && made == 1 && v0 == 0 && v1 == 1 && v2 == 2;
    if (shape.merges && tile.polygon_stipple == nullptr && !tile.offset.enabled &&
        pattern.vertices == 4 && made == 2) {
        layout_.rectangles = arena.allocate_array<PrimitiveRef>(pairs);
        for (uint32_t i = 0; i < pairs; ++i)
            layout_.rectangles[i] = layout_.primitives[size_t{2} * i];
    }
    for (uint32_t v = 0; v < pattern_numbers_.size(); ++v)
        pattern_numbers_[v] = v / pattern.vertices * pattern.records + v % pattern.vertices;
}

/// Makes a chunk, without vertices, of `pairs` pairs from `first` on.
Chunk GeometrySource::pattern_chunk(const EmissionPattern& pattern,
                                    uint32_t first,
                                    uint32_t pairs) {
    const size_t made = pattern.primitives.size();
    const uint32_t* const ids = pattern.primitive_ids + first;
    uint32_t differences = 0;
    for (uint32_t pair = 0; pair < pairs; ++pair)
        differences |= ids[pair] ^ (ids[0] + pair);
    Chunk chunk;
    chunk.primitives = {layout_.primitives, pairs * made};
    chunk.edges = edges_.data();
    chunk.consecutive = layout_.consecutive;
    if (layout_.rectangles != nullptr)
        chunk.pairs = {layout_.rectangles, pairs};
    chunk.shared = differences == 0;
    if (chunk.shared) {
        chunk.first_id = ids[0];
        return chunk;
    }
    const auto copy = [&](std::span<const PrimitiveRef> from, PrimitiveRef* to) {
        for (size_t i = 0; i < from.size(); ++i) {
            to[i] = from[i];
            to[i].id = ids[from[i].id];
        }
        return std::span<const PrimitiveRef>(to, from.size());
    };
    chunk.primitives = copy(chunk.primitives, primitives_.data());
    chunk.pairs = copy(chunk.pairs, rectangles_.data());
    return chunk;
}

void GeometrySource::draw_pattern(FrontWorker& front,
                                  const DrawRecord& draw,
                                  const Emissions& emissions) {
    const EmissionPattern& pattern = emissions.pattern;
    const auto made = static_cast<uint32_t>(pattern.primitives.size());
    if (made == 0)
        return;
    const uint32_t most =
        std::min({kChunkPrimitives / made, kChunkVertices / pattern.vertices, pattern.pairs});
    if (layout_.number != pattern.number || layout_.pairs < most)
        lay_out(*front.output.arena, draw, pattern, most);
    for (uint32_t first = 0; first < pattern.pairs; first += most) {
        const uint32_t pairs = std::min(most, pattern.pairs - first);
        Chunk chunk = pattern_chunk(pattern, first, pairs);
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
    layout_ = {};
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
