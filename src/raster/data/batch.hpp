// Batches: carry culled primitives and their vertices from the front end to the tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/config.hpp"

#include <cstdint>

namespace valkyr::raster {

struct DrawRecord;

/// A post-transform vertex: window position in 24.8 fixed point, depth and 1/w.
struct alignas(16) WindowRow {
    int32_t x = 0;
    int32_t y = 0;
    float z = 0;
    float q = 0;
};
static_assert(sizeof(WindowRow) == 16);

/// A thin line whose ends are placed: moved by the diamond-exit rule, then to its cut. It is drawn
/// as a parallelogram with one plane for each varying (docs/rules/raster-rules.md, "Lines"). The
/// draw's line width gives its corners across the line.
struct alignas(64) LineRow {
    WindowRow ends[2];    ///< on the line; moved outwards along the major axis to the cut
    float place[2] = {};  ///< of moved ends: the share of the second record
    const uint8_t* records[2] = {};
    const uint8_t* provoking = nullptr;
};
static_assert(sizeof(LineRow) == 64);

/// Flags of a line, in PrimitiveRef::provoking.
enum LineFlags : uint16_t {
    kLineXMajor = 1,
    kLineMovedFirst = 2,  ///< the first end mixes both records by its place
    kLineMovedLast = 4,
};

/// A primitive that survived culling. Vertices are numbers inside its batch, in API order. Points
/// and rectangular lines are two triangles; corner c of quad n is row 4n + c. Corner c of
/// Batch::lines[n] has that number too.
struct PrimitiveRef {
    uint16_t v[3] = {};
    uint16_t provoking = 0;  ///< vertex that gives the flat values
    uint32_t id = 0;         ///< gl_PrimitiveID, less Batch::first_id or Chunk::first_id
};
static_assert(sizeof(PrimitiveRef) == 12);

/// Source of a primitive's facing.
enum class Facing : uint8_t { ByArea, Front, Back };

/// State of the stipple pattern along a line (docs/rules/raster-rules.md, "Stipple").
struct LineStipple {
    int32_t first = 0;  ///< thin lines: first column, or row if `by_row`
    bool by_row = false;
    uint32_t counter = 0;  ///< stipple counter at the beginning of the line
    uint32_t last = 0;     ///< rectangles: greatest number of whole pixels from the first end
    int32_t x = 0, y = 0;  ///< rectangles: the first end
    int32_t dx = 0, dy = 0;
    double length = 0;  ///< rectangles: length of (dx, dy), times 256; 0: not a rectangle
};

/// At most kChunkPrimitives primitives of one draw and their vertices.
struct Batch {
    const DrawRecord* draw = nullptr;
    const WindowRow* rows = nullptr;
    /// Vertex record i (exec/abi.hpp) is at records + i * record_stride. Without whole records, it
    /// holds varyings only.
    const uint8_t* records = nullptr;
    const PrimitiveRef* primitives = nullptr;  ///< batches may share them
    /// Points and lines: the record of each row; `records` is null then.
    const uint8_t* const* row_records = nullptr;
    const LineRow* lines = nullptr;  ///< not null: the primitives, without rows and records
    bool consecutive = false;        ///< primitive i has vertices 3i, 3i + 1 and 3i + 2
    bool plain_lines = false;  ///< primitives are thin lines from v[0] to v[1], not placed yet
    const LineStipple* stipples = nullptr;  ///< by line, if lines are stippled
    Facing facing = Facing::ByArea;
    /// Primitives are rectangles of pixels that their first three corners span: points, or two
    /// triangles with equal planes. The first corner is the anchor.
    bool quads = false;
    uint32_t record_stride = 0;
    uint32_t first_id = 0;  ///< is added to the IDs of `primitives`

    /// Whether primitives are thin lines.
    [[nodiscard]] bool has_lines() const { return plain_lines || lines != nullptr; }
};

/// A primitive in a bin: batch number in its segment << 8 | primitive number in the batch.
using BinEntry = uint32_t;
static_assert(kChunkPrimitives == 256);

/// A block of a bin's entries.
struct BinChunk {
    static constexpr unsigned kCapacity = 60;
    BinEntry entries[kCapacity];
    BinChunk* next;
    uint64_t reserved;
};
static_assert(sizeof(BinChunk) == 256);

}  // namespace valkyr::raster
