// Front end: shades, assembles, culls, clips and bins a range of primitives.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/vertex_record.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/data/segment.hpp"
#include "raster/front/clip.hpp"
#include "raster/front/front_output.hpp"
#include "raster/front/front_shapes.hpp"
#include "raster/front/geometry_stage.hpp"
#include "raster/loops/level.hpp"
#include "raster/resource/targets.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <vector>

namespace valkyr::raster {

struct DrawCounters;

/// Some primitives of one instance of a draw, or all primitives of several instances.
struct WorkItem {
    const DrawRecord* draw = nullptr;
    uint32_t instance = 0;        ///< the first one
    uint32_t instance_count = 1;  ///< more than one: begin and end are the whole run
    uint32_t run_first = 0;       ///< element of the draw where the run starts
    uint32_t run_count = 0;       ///< elements of the run
    uint32_t begin = 0;           ///< primitives [begin, end) of the run
    uint32_t end = 0;
    uint32_t first_id = 0;    ///< gl_PrimitiveID of the run's first primitive
    bool holds_runs = false;  ///< the elements are several runs between restart indices
};

/// Primitives [begin, end) of a chunk.
struct PrimitiveRange {
    uint32_t begin = 0;
    uint32_t end = 0;
};

/// Copies a vertex record, or some varying slots of one: `slots` times kVaryingSlotBytes.
inline void copy_slots(const uint8_t* from, uint8_t* to, uint32_t slots) {
    for (uint32_t s = 0; s < slots;
         ++s, from += exec::kVaryingSlotBytes, to += exec::kVaryingSlotBytes)
        std::memcpy(to, from, exec::kVaryingSlotBytes);
}

/// One worker's front end with its scratch memory.
class FrontEnd {
public:
    /// message_calls  as exec::VertexCall has it
    FrontEnd(const HostLoops& ops, uint32_t worker, uint64_t* message_calls)
        : worker_(worker)
        , message_calls_(message_calls)
        , geometry_(worker, message_calls) {
        output_.ops = &ops;
    }
    FrontEnd(const FrontEnd&) = delete;
    FrontEnd& operator=(const FrontEnd&) = delete;

    /// Sets the segment and the arena that the following items fill.
    /// targets  the segment has a bin for each of their tiles, layer by layer
    void begin(Segment& segment, Arena& arena, const PassTargets& targets, uint64_t tls);
    /// Stops between chunks of primitives when the device is cancelled.
    void process(const WorkItem& item);

    [[nodiscard]] FrontStatistics& statistics() { return output_.statistics; }

private:
    void process_instance(const WorkItem& item);
    void process_run(const WorkItem& item);
    void process_chunks(const WorkItem& item, uint32_t begin, uint32_t end);
    /// Draws `count` primitives from primitive p on if they are a piece of an indexed mesh.
    bool process_mesh(const WorkItem& item, uint32_t p, uint32_t count);
    template <typename Index>
    bool draw_mesh(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count);
    /// Records, rows and codes of vertices with consecutive IDs; returns the memory of all.
    std::byte* shade_range(const WorkItem& item, uint32_t first, uint32_t count);
    /// Draws primitives [begin, end) of a run through the geometry stage (front_geometry.cpp).
    void process_geometry(const WorkItem& item, uint32_t begin, uint32_t end);
    void draw_emissions(const DrawRecord& draw, const Emissions& emissions);
    void draw_pattern(const DrawRecord& draw, const Emissions& emissions);
    void lay_out(const DrawRecord& draw, const EmissionPattern& pattern, uint32_t pairs);
    /// Draws the chunk's primitives.
    /// numbers  of the chunk's vertices among `records`; also those that fill the last warp
    void draw_emitted(const DrawRecord& draw, uint8_t* records, const uint32_t* numbers);
    void begin_chunk();
    void add_primitive(const WorkItem& item, uint32_t p);
    void add_plain_triangles(const WorkItem& item, uint32_t p, uint32_t count);
    /// False if the indices do not all lie inside the buffer, or are not words of 2 or 4 bytes.
    bool add_indexed_triangles(const WorkItem& item, uint32_t p, uint32_t count);
    template <typename Index>
    void add_index_range(const WorkItem& item, uint64_t first, uint32_t p, uint32_t count);
    void add_chunk(const WorkItem& item, uint32_t p, uint32_t count);
    void add_points(const WorkItem& item, uint32_t p, uint32_t count);
    uint16_t local_vertex(uint32_t id) {
        // An entry is right if the vertex it names has this ID: nothing to reset between chunks.
        uint16_t& slot = vertex_of_hash_[(id * 0x9E3779B1U) >> 21];
        if (slot < vertex_count_ && vertex_ids_[slot] == id)
            return slot;
        slot = static_cast<uint16_t>(vertex_count_);
        vertex_ids_[vertex_count_++] = id;
        return slot;
    }
    void finish_chunk(const WorkItem& item);
    /// Draws a chunk whose vertices are shaded; `memory` is what allocate_vertices() gave.
    void draw_chunk(const DrawRecord& draw, std::byte* memory);
    void count_clipping(DrawCounters& counters, const PrimitiveRange& range) const;
    void shade(const DrawRecord& draw, uint32_t instance, uint8_t* records);

    /// Rows and codes of the chunk's vertices in the draw's viewport.
    void transform(const DrawRecord& draw, WindowRow* rows, uint32_t* codes);
    /// memory  holds the records and rows, given back if nothing is left; null: needed further
    void emit(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory);
    void emit_selected(const DrawRecord& draw);
    void emit_triangles(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory);
    /// The chunk's vertices as a batch without primitives.
    [[nodiscard]] Batch chunk_batch(const DrawRecord& draw) const;
    /// Whether each two triangles of the chunk are a rectangle with the same planes.
    [[nodiscard]] bool are_rectangles(const DrawRecord& draw) const;
    [[nodiscard]] bool have_one_plane(const DrawRecord& draw, SlotKind kind, uint32_t offset) const;
    void emit_rectangles(const DrawRecord& draw, std::byte* memory);
    void emit_clipped(const DrawRecord& draw, const PrimitiveRef& primitive);
    void emit_points(const DrawRecord& draw, const PrimitiveRange& range);
    /// The same of a draw of quads, whose batch is made at once.
    void emit_quads(const DrawRecord& draw, const PrimitiveRange& range);
    void emit_lines(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory);
    void emit_plain_lines(const DrawRecord& draw, const PrimitiveRange& range, std::byte* memory);
    /// Whether lines of the draw are plain unless they are clipped.
    static bool may_be_plain(const DrawRecord& draw);
    void emit_unfilled(const DrawRecord& draw, uint32_t i);
    void
    emit_outline(const DrawRecord& draw, uint32_t i, PolygonMode mode, const ShapeAttributes& a);
    /// Clips a triangle of the chunk into a fan in the arena; false if nothing is left.
    bool clip_triangle(const DrawRecord& draw,
                       const PrimitiveRef& primitive,
                       Batch& batch,
                       uint32_t& triangles);
    /// Memory for the rows of `count` vertices and what is kept of their records; the records
    /// themselves are there, or in scratch memory if only their varyings will be kept.
    /// numbered  records that are elsewhere are named by record_numbers_: none in scratch memory
    std::byte* allocate_vertices(const DrawRecord& draw, uint32_t count, bool numbered = false);
    /// Keeps the varyings of the vertices, if that has not happened.
    void keep_varyings(const DrawRecord& draw);
    /// Keeps the whole records of the vertices, if only their varyings have memory.
    void keep_records(const DrawRecord& draw);
    [[nodiscard]] ShadedVertex vertex(const DrawRecord& draw, uint32_t v) const;
    [[nodiscard]] const uint8_t* record(const DrawRecord& draw, uint32_t v) const {
        const size_t number = record_numbers_ == nullptr ? v : record_numbers_[v];
        return records_ + number * draw.record_stride;
    }

    uint32_t worker_;
    uint64_t* message_calls_;
    uint64_t tls_ = 0;
    FrontOutput output_;
    ShapeEmitter shapes_{output_};
    Clipper clipper_;

    // The chunk being built.
    static constexpr uint32_t kHashSize = 2048;
    uint32_t primitive_count_ = 0;
    uint32_t vertex_count_ = 0;
    std::array<PrimitiveRef, kChunkPrimitives> primitives_;
    uint32_t plain_count_ = 0;      ///< first primitives that have vertices 3i, 3i+1 and 3i+2
    uint16_t plain_provoking_ = 0;  ///< and this one of them
    uint32_t plain_id_ = 0;         ///< their IDs count from here, PrimitiveRef's are not set
    std::array<uint8_t, kChunkPrimitives> edges_{};  ///< Assembled::edges; lines: kBeginsStrip
    /// An emitted line that begins a strip.
    static constexpr uint8_t kBeginsStrip = 1;
    std::array<uint32_t, kChunkVertices + 2 * exec::kLanes> vertex_ids_{};
    std::array<uint32_t, kChunkVertices + 2 * exec::kLanes> own_codes_{};
    std::array<uint16_t, kHashSize> vertex_of_hash_{};
    std::array<Survivor, kChunkPrimitives> survivors_;
    std::vector<uint32_t> mesh_codes_;  ///< kMeshPrimitives, once there was a mesh
    WindowRow* rows_ = nullptr;
    const uint32_t* codes_ = nullptr;
    uint32_t any_code_ = 0;  ///< bits that some of them may have
    uint8_t* records_ = nullptr;
    const uint32_t* record_numbers_ = nullptr;  ///< of the chunk's vertices; null: their own
    uint8_t* varyings_ = nullptr;  ///< place for those of the records; null: the records are kept
    uint32_t unkept_ = 0;          ///< vertices whose varyings are not there yet
    Arena scratch_{size_t{2} << 20};
    uint32_t tiles_per_layer_ = 0;

    GeometryStage geometry_;
    uint64_t laid_out_ = 0;  ///< EmissionPattern::number of the chunk's primitives; 0: none
    std::array<uint32_t, kChunkVertices + exec::kLanes> pattern_numbers_{};
    /// The first triangle of each pair, if pairs emit two that could be a rectangle.
    std::array<PrimitiveRef, kChunkPrimitives / 2> rectangles_;
    uint32_t rectangle_count_ = 0;   ///< of the chunk; 0: there are none, or nobody knows
    bool makes_rectangles_ = false;  ///< pairs make them
};

}  // namespace valkyr::raster
