// Chunk: describes some shaded primitives of a draw, and their known properties.
// SPDX-License-Identifier: MIT
//
// Sources make chunks (source_*.hpp) and emitters take them (emit.hpp). Emitters choose faster code
// by the properties in the chunk, never by its source.
#pragma once

#include "exec/vertex_record.hpp"
#include "raster/data/batch.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace valkyr::raster {

/// Shaded vertices. Records are the vertex program's output; rows and codes are computed from their
/// positions. Only kept data outlives the chunk (chunk_vertices.hpp): whole records or their
/// varyings.
struct ChunkVertices {
    uint32_t count = 0;
    WindowRow* rows = nullptr;        ///< memory of the rows; kept
    const uint32_t* codes = nullptr;  ///< ClipBits of each vertex; null: rows are not computed yet
    uint32_t any_code = 0;            ///< bits that some vertex's code may have
    uint8_t* records = nullptr;
    uint32_t record_stride = 0;
    const uint32_t* numbers = nullptr;  ///< record number of each vertex; null: the vertex number
    /// Memory for the varyings of records that are not kept themselves; null: records are kept.
    uint8_t* varyings = nullptr;
    bool has_varyings = false;    ///< the varyings have been copied there
    std::byte* memory = nullptr;  ///< start of all kept memory; null: other chunks share it

    [[nodiscard]] const uint8_t* record(uint32_t v) const {
        return records + size_t{numbers == nullptr ? v : numbers[v]} * record_stride;
    }
};

/// At most kChunkPrimitives primitives and their vertices.
struct Chunk {
    ChunkVertices vertices;
    std::span<const PrimitiveRef> primitives;
    /// By primitive, if the draw has shapes: Assembled::edges, and kBeginsChain.
    const uint8_t* edges = nullptr;

    uint32_t first_id = 0;  ///< is added to the IDs of the primitives

    // Known properties of the primitives.
    bool consecutive = false;  ///< primitive i has vertices 3i, 3i + 1 and 3i + 2
    bool shared = false;  ///< `primitives` and `pairs` live as long as the pass: no copy is needed
    /// First triangle of each two triangles that have four vertices in common and may be a
    /// rectangle. Empty: no two triangles may be one.
    std::span<const PrimitiveRef> pairs;

    /// Bit of the `edges` of primitives that programs make: the stipple begins anew.
    static constexpr uint8_t kBeginsChain = 8;

    /// Returns some of the primitives, with all vertices.
    [[nodiscard]] Chunk part(uint32_t begin, uint32_t count) const {
        Chunk some = *this;
        some.primitives = primitives.subspan(begin, count);
        some.edges = edges + begin;
        some.consecutive = consecutive && begin == 0;
        some.pairs = {};
        return some;
    }
};

}  // namespace valkyr::raster
