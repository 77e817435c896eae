// Geometry stage: shades the vertices of some primitives and runs the geometry program on them.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 11.3; docs/rules/raster-rules.md "Geometry shaders".
#pragma once

#include "raster/data/draw_record.hpp"
#include "raster/data/shade_vertices.hpp"
#include "raster/front/vertex_numbers.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// Primitives of a run of a draw, as WorkItem has them.
struct GeometryInput {
    const DrawRecord* draw = nullptr;
    uint32_t instance = 0;
    uint32_t run_first = 0;
    uint32_t run_count = 0;
    uint32_t first_id = 0;
    uint32_t begin = 0;  ///< primitives [begin, end) of the run
    uint32_t end = 0;
};

/// A primitive that the geometry program has made. Vertices are numbers among those of its stream.
struct EmittedPrimitive {
    std::array<uint32_t, 3> vertex{};  ///< points: the same three times; lines: the second twice
    uint32_t provoking = 0;
    uint32_t id = 0;  ///< gl_PrimitiveID
    uint8_t stream = 0;
    bool begins_strip = false;
    bool of_two = false;  ///< one of the two triangles of a strip
};

/// The emissions that all pairs of a call have in common, if they go to stream 0 alone, without
/// primitive IDs.
struct EmissionPattern {
    uint32_t pairs = 0;     ///< 0: pairs differ
    uint32_t vertices = 0;  ///< of a pair
    uint32_t records = 0;   ///< from the first record of a pair to that of the next one
    uint64_t number = 0;    ///< changes with the pattern; never 0
    std::span<const EmittedPrimitive> primitives;  ///< of a pair; vertices count from its first one
    const uint32_t* primitive_ids = nullptr;       ///< by pair
};

/// The primitives and records that a call of the geometry program has left, in the order of the
/// specification: input primitives, their invocations, primitives as they were emitted.
struct Emissions {
    std::span<const EmittedPrimitive> primitives;  ///< none if there is a pattern
    EmissionPattern pattern;
    uint8_t* records = nullptr;
    /// By stream and vertex: its number among the records. Vertices are numbered as they were
    /// emitted, so those of a primitive of a strip follow one another.
    std::array<const uint32_t*, exec::kMaxStreams> record_numbers{};

    [[nodiscard]] const uint8_t*
    record(const ShapeState& shape, uint8_t stream, uint32_t vertex) const {
        return records + size_t{record_numbers[stream][vertex]} * shape.record_stride;
    }
};

/// One worker's geometry stage with its memory, which is bounded by what a call may emit.
class GeometryStage {
public:
    /// Runs the next primitives of `input`, as many as fit in a call, and moves its beginning on.
    /// The result holds until the next call.
    /// patterns  what is the same for all pairs is not listed
    Emissions advance(GeometryInput& input, const KernelWorker& worker, bool patterns = false);
    /// Must be called before the first patterns of a draw.
    void forget_pattern() { pattern_words_.clear(); }
    /// Vertices that the last call has shaded.
    [[nodiscard]] uint32_t shaded_vertices() const { return shaded_.count(); }

private:
    void list_primitives(const GeometryInput& input, uint32_t count);
    void number_vertices(uint32_t count, unsigned vertices);
    void shade_inputs(const GeometryInput& input, const KernelWorker& worker);
    void run_program(const DrawRecord& draw, const KernelWorker& worker, uint32_t pairs);
    void list_vertices(const GeometryInput& input, uint32_t count, unsigned vertices);
    template <exec::OutputPrimitive Kind>
    void collect(const DrawRecord& draw, uint32_t pairs);
    void collect(const DrawRecord& draw, uint32_t pairs);
    /// Whether all pairs have emitted the same, as EmissionPattern says; `pattern_words_` are the
    /// words of their emissions then.
    bool find_pattern(const DrawRecord& draw, uint32_t pairs);
    template <exec::OutputPrimitive Kind>
    void follow_pattern(const DrawRecord& draw);
    void follow_pattern(const DrawRecord& draw);
    [[nodiscard]] uint32_t
    emission_word(const DrawRecord& draw, uint32_t pair, uint32_t vertex) const;

    VertexNumbers shaded_;
    std::vector<uint32_t> taken_;  ///< vertex IDs of the primitives, one after the other
    std::vector<uint8_t> inputs_;  ///< records of the input vertices
    std::array<std::vector<uint32_t>, exec::kMaxInputVertices> vertices_;
    std::vector<uint32_t> primitive_ids_;
    std::vector<uint32_t> invocations_;
    std::vector<uint8_t> records_;  ///< emitted
    std::vector<EmittedPrimitive> primitives_;
    size_t primitive_count_ = 0;
    std::vector<uint32_t> pattern_words_;
    std::vector<EmittedPrimitive> pattern_;
    uint64_t pattern_number_ = 0;
    std::array<std::vector<uint32_t>, exec::kMaxStreams> record_numbers_;
};

/// Primitives of a draw that a call of its geometry program takes.
uint32_t primitives_per_call(const DrawRecord& draw);

/// Vertices that a geometry program may make of one primitive; without a geometry stage 1.
uint32_t expansion(const DrawRecord& draw);

}  // namespace valkyr::raster
