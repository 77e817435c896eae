// Geometry stage: shades the vertices of some primitives and runs the geometry program on them.
// SPDX-License-Identifier: MIT
//
// Rules: GL 4.6 section 11.3; docs/rules/raster-rules.md "Geometry shaders".
#pragma once

#include "raster/data/batch.hpp"
#include "raster/data/draw_record.hpp"
#include "raster/data/shade_vertices.hpp"
#include "raster/front/vertex_numbers.hpp"

#include <array>
#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::raster {

/// Primitives of a run of a draw, with the meanings of WorkItem.
struct GeometryInput {
    const DrawRecord* draw = nullptr;
    uint32_t instance = 0;
    uint32_t run_first = 0;
    uint32_t run_count = 0;
    uint32_t first_id = 0;
    uint32_t begin = 0;  ///< primitives [begin, end) of the run
    uint32_t end = 0;
};

/// A primitive that the geometry program has made. Vertices are numbers in its stream.
struct EmittedPrimitive {
    std::array<uint32_t, 3> vertex{};  ///< points: one vertex three times; lines: the second twice
    uint32_t provoking = 0;
    uint32_t id = 0;  ///< gl_PrimitiveID
    uint8_t stream = 0;
    bool begins_strip = false;
    bool of_two = false;  ///< one of the two triangles of a strip of four vertices
};

/// Emissions of a pair, if all pairs of a call have equal ones in stream 0 only, without primitive
/// IDs.
struct EmissionPattern {
    uint32_t pairs = 0;     ///< pairs of the call; 0: they differ
    uint32_t vertices = 0;  ///< vertices of a pair
    uint32_t records = 0;   ///< records from the first record of a pair to that of the next pair
    uint64_t number = 0;    ///< changes with the pattern; never 0
    std::span<const EmittedPrimitive> primitives;  ///< of a pair, whose first vertex is 0
    const uint32_t* primitive_ids = nullptr;       ///< by pair
};

/// Primitives and records that a call of the geometry program emitted, in the order of the
/// specification: by input primitive, by invocation, in order of emission.
struct Emissions {
    std::span<const EmittedPrimitive> primitives;  ///< empty if there is a pattern, or `refs`
    EmissionPattern pattern;
    /// Primitives that each begin a strip and fit in one chunk, with its vertices.
    std::span<const PrimitiveRef> refs;
    uint8_t* records = nullptr;
    /// Vertices, if they and the primitives fit in one chunk; 0: they may not.
    uint32_t chunk_vertices = 0;
    /// Record number by stream and vertex. Vertices are numbered in order of emission, so those of
    /// a primitive of a strip are consecutive.
    std::array<const uint32_t*, exec::kMaxStreams> record_numbers{};
    bool in_order = false;  ///< stream 0's record numbers are 0, 1, 2 ...

    [[nodiscard]] const uint8_t*
    record(const ShapeState& shape, uint8_t stream, uint32_t vertex) const {
        return records + size_t{record_numbers[stream][vertex]} * shape.record_stride;
    }
};

/// One worker's geometry stage. Its memory is bounded by the emissions of one call.
class GeometryStage {
public:
    /// Runs the next primitives of `input`, as many as fit in a call, and advances its beginning.
    /// The result is valid until the next call.
    /// patterns  emissions that are equal for all pairs are not listed one by one
    Emissions advance(GeometryInput& input, const KernelWorker& worker, bool patterns = false);
    /// As advance(), on primitives that the tessellation stages have made, from number `begin` on.
    Emissions advance(const DrawRecord& draw,
                      const Emissions& tessellated,
                      size_t& begin,
                      const KernelWorker& worker,
                      bool patterns = false);
    /// Forgets the pattern; must be called before the first call of a draw with `patterns`.
    void forget_pattern() { pattern_words_.clear(); }
    /// Returns the number of vertices that the last call shaded.
    [[nodiscard]] uint32_t shaded_vertices() const { return shaded_.count(); }

private:
    void list_primitives(const GeometryInput& input, uint32_t count);
    void list_tessellated(const DrawRecord& draw,
                          std::span<const EmittedPrimitive> primitives,
                          const uint32_t* record_numbers);
    void resize_lists(const exec::GeometryInfo& info, uint32_t count);
    void repeat_for_invocations(const exec::GeometryInfo& info, uint32_t count);
    Emissions run(const DrawRecord& draw,
                  const KernelWorker& worker,
                  const uint8_t* inputs,
                  uint32_t pairs,
                  bool patterns);
    void number_vertices(uint32_t count, unsigned vertices);
    void shade_inputs(const GeometryInput& input, const KernelWorker& worker);
    void run_program(const DrawRecord& draw,
                     const KernelWorker& worker,
                     const uint8_t* inputs,
                     uint32_t pairs);
    void list_vertices(const GeometryInput& input, uint32_t count, unsigned vertices);
    template <exec::OutputPrimitive Kind>
    void collect(const DrawRecord& draw, uint32_t pairs);
    void collect(const DrawRecord& draw, uint32_t pairs);
    /// Returns whether all pairs have emitted equally, as EmissionPattern requires; then
    /// `pattern_words_` are the words of a pair's emissions.
    bool find_pattern(const DrawRecord& draw, uint32_t pairs);
    template <exec::OutputPrimitive Kind>
    void follow_pattern(const DrawRecord& draw);
    void follow_pattern(const DrawRecord& draw);
    [[nodiscard]] uint32_t
    emission_word(const DrawRecord& draw, uint32_t pair, uint32_t vertex) const;

    VertexNumbers shaded_;
    std::vector<uint32_t> taken_;  ///< vertex IDs of the primitives, one primitive after the other
    std::vector<uint8_t> inputs_;  ///< records of the input vertices
    std::array<std::vector<uint32_t>, exec::kMaxInputVertices> vertices_;
    std::vector<uint32_t> primitive_ids_;
    std::vector<uint32_t> invocations_;
    std::vector<uint8_t> records_;  ///< emitted records
    std::vector<EmittedPrimitive> primitives_;
    size_t primitive_count_ = 0;
    std::vector<uint32_t> pattern_words_;
    std::vector<EmittedPrimitive> pattern_;
    uint64_t pattern_number_ = 0;
    std::array<std::vector<uint32_t>, exec::kMaxStreams> record_numbers_;
};

/// Returns the primitives of a draw that one call of its geometry program takes.
uint32_t primitives_per_call(const DrawRecord& draw);

}  // namespace valkyr::raster
