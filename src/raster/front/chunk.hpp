// Chunk: describes some shaded primitives of a draw, and what is certain of them.
// SPDX-License-Identifier: MIT
//
// Sources make chunks (source_*.hpp) and emitters take them (emit.hpp). Emitters choose a shorter
// way by what a chunk says of itself, never by where it comes from.
#pragma once

#include "exec/vertex_record.hpp"
#include "raster/data/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::raster {

/// Shaded vertices. Records are what the program wrote; rows and codes are made of their positions.
/// Only what is kept outlives the chunk (chunk_vertices.hpp): whole records or their varyings.
struct ChunkVertices {
    uint32_t count = 0;
    WindowRow* rows = nullptr;        ///< memory of them; kept
    const uint32_t* codes = nullptr;  ///< ClipBits of each; null: rows are not yet made
    uint32_t any_code = 0;            ///< bits that some of them may have
    uint8_t* records = nullptr;
    uint32_t record_stride = 0;
    const uint32_t* numbers = nullptr;  ///< of the vertices among `records`; null: their own
    /// Place for the varyings of the records, which are not kept themselves; null: they are.
    uint8_t* varyings = nullptr;
    bool has_varyings = false;    ///< the varyings are there
    std::byte* memory = nullptr;  ///< begins with all that is kept; null: more than this chunk's

    [[nodiscard]] const uint8_t* record(uint32_t v) const {
        return records + size_t{numbers == nullptr ? v : numbers[v]} * record_stride;
    }
};

/// At most kChunkPrimitives primitives and their vertices.
struct Chunk {
    ChunkVertices vertices;
    std::span<const PrimitiveRef> primitives;
    /// By primitive, if the draw has shapes: Assembled::edges, or of lines kBeginsStrip.
    const uint8_t* edges = nullptr;

    // Certain of the primitives. Only filled triangles are counted.
    bool consecutive = false;  ///< primitive i has vertices 3i, 3i + 1 and 3i + 2
    bool counted = false;      ///< IDs count from first_id; those of `primitives` are not set
    uint32_t first_id = 0;
    /// Each two triangles have four vertices and may be a rectangle: the first triangle of each.
    /// Empty: they may not.
    std::span<const PrimitiveRef> pairs;

    /// An edge of an emitted line: it begins a strip.
    static constexpr uint8_t kBeginsStrip = 1;

    /// Some primitives, with all vertices.
    [[nodiscard]] Chunk part(uint32_t begin, uint32_t count) const {
        Chunk some = *this;
        some.primitives = primitives.subspan(begin, count);
        some.edges = edges + begin;
        some.consecutive = consecutive && begin == 0;
        some.first_id = first_id + begin;
        some.pairs = {};
        return some;
    }
};

}  // namespace valkyr::raster
