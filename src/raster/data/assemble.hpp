// Primitive assembly: finds the elements of primitive p of a run (OpenGL 4.6 sections 10.1, 13.4).
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/program.hpp"
#include "raster/state.hpp"

#include <cstdint>

namespace valkyr::raster {

/// Shape that a primitive is drawn as.
enum class Shape : uint8_t { Point, Line, Triangle };

/// Elements (positions in the run) of one triangle, line or point.
struct Assembled {
    uint32_t element[3] = {};
    uint32_t provoking = 0;  ///< element that gives the flat values
    uint32_t id = 0;         ///< gl_PrimitiveID inside the run
    /// Bit i: the edge from corner i to the next one bounds the primitive (polygon mode).
    uint8_t edges = 7;
};

Shape shape_of(Primitive primitive);

/// Returns whether primitive p consists of consecutive elements from p times its corner count on.
constexpr bool is_list(Primitive primitive) noexcept {
    return primitive == Primitive::Points || primitive == Primitive::Lines ||
           primitive == Primitive::Triangles;
}

/// Returns the triangles, lines or points that a run of `count` elements makes; trailing elements
/// are ignored.
uint64_t primitive_count(Primitive primitive, uint64_t count);

/// Returns the primitives as gl_PrimitiveID counts them (a quad is one, though drawn as two
/// triangles).
uint64_t primitive_ids(Primitive primitive, uint64_t count);

/// Elements of a primitive in the order of a geometry program's inputs: corners, each followed by
/// the vertex adjacent over the edge that begins there, for primitives with adjacency.
struct AssembledInput {
    uint32_t element[exec::kMaxInputVertices] = {};
    uint32_t id = 0;  ///< gl_PrimitiveIDIn inside the run
};

/// Returns whether a geometry program with that input accepts the primitives (GL 4.6 section
/// 11.3.1).
bool feeds(Primitive primitive, exec::InputPrimitive input);

/// Returns primitive p of a run of `count` elements as input of a geometry program.
AssembledInput
assemble_input(Primitive primitive, bool provoking_first, uint32_t count, uint32_t p) noexcept;

/// Returns primitive p of a run of `count` elements.
Assembled assemble(Primitive primitive, bool provoking_first, uint32_t count, uint32_t p) noexcept;

}  // namespace valkyr::raster
