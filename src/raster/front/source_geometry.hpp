// Geometry source: makes chunks of the primitives that programs make, in stream 0.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"
#include "raster/front/primitive_stages.hpp"
#include "raster/front/work_item.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// The source of primitives that geometry and tessellation programs make.
class GeometrySource {
public:
    /// Draws primitives [begin, end) of the item's run, until the device is cancelled.
    void draw(FrontWorker& front, const WorkItem& item, uint32_t begin, uint32_t end);

private:
    /// Stores an emitted primitive at a place of the chunk; the chunk's vertices count from
    /// `first`.
    void
    set(const ShapeState& shape, uint32_t place, const EmittedPrimitive& primitive, uint32_t first);
    [[nodiscard]] Chunk chunk_of(uint32_t count) const;
    void
    lay_out(Arena& arena, const DrawRecord& draw, const EmissionPattern& pattern, uint32_t pairs);
    Chunk pattern_chunk(const EmissionPattern& pattern, uint32_t first, uint32_t pairs);
    void draw_pattern(FrontWorker& front, const DrawRecord& draw, const Emissions& emissions);
    static void draw_refs(FrontWorker& front, const DrawRecord& draw, const Emissions& emissions);
    void draw_emissions(FrontWorker& front, const DrawRecord& draw, const Emissions& emissions);

    PrimitiveStages stages_;
    std::array<PrimitiveRef, kChunkPrimitives> primitives_;
    std::array<uint8_t, kChunkPrimitives> edges_{};
    /// Primitives of a pattern, in the worker's arena: the chunks of a draw share them. Their IDs
    /// are numbers of pairs.
    struct Layout {
        uint64_t number = 0;  ///< EmissionPattern::number; 0: none
        uint32_t pairs = 0;
        PrimitiveRef* primitives = nullptr;
        /// First triangle of each pair, if pairs emit two triangles that could be a rectangle.
        PrimitiveRef* rectangles = nullptr;
        bool consecutive = false;  ///< as in Chunk
    };
    Layout layout_;
    std::array<uint32_t, kChunkVertices + exec::kLanes> pattern_numbers_{};
    std::array<PrimitiveRef, kChunkPrimitives / 2> rectangles_;  ///< with IDs of their own
};

}  // namespace valkyr::raster
