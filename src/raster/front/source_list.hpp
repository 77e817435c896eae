// List source: makes chunks of the primitives of a run, element by element.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/chunk.hpp"
#include "raster/front/front_worker.hpp"
#include "raster/front/vertex_numbers.hpp"
#include "raster/front/work_item.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// The source of all kinds of primitives, with or without indices. Vertices that primitives of one
/// chunk share are shaded once.
class ListSource {
public:
    /// Draws primitives [begin, end) of the item's run, until the device is cancelled.
    void draw(FrontWorker& front, const WorkItem& item, uint32_t begin, uint32_t end);

private:
    /// The following functions make the primitives of a chunk and number their vertices.
    Chunk assemble_chunk(const WorkItem& item, uint32_t p, uint32_t count);
    Chunk plain_triangles(const WorkItem& item, uint32_t p, uint32_t count);
    /// Returns false if an index lies outside the buffer, or if indices do not have 2 or 4 bytes.
    bool add_indexed_triangles(const WorkItem& item, uint32_t p, uint32_t count);
    template <typename Index>
    void add_index_range(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count);
    void add_points(const WorkItem& item, uint32_t p, uint32_t count);
    void add_primitives(const WorkItem& item, uint32_t p, uint32_t count);

    VertexNumbers vertices_;
    std::array<PrimitiveRef, kChunkPrimitives> primitives_;
    std::array<uint8_t, kChunkPrimitives> edges_{};
};

}  // namespace valkyr::raster
