// Primitive assembly: finds elements by one function for each primitive type, in a table.
// SPDX-License-Identifier: MIT
#include "raster/data/assemble.hpp"

#include <algorithm>
#include <array>
#include <cstddef>

namespace valkyr::raster {
namespace {

using AssembleOne = Assembled (*)(bool first, uint32_t count, uint32_t p) noexcept;

struct Rule {
    Shape shape;
    uint32_t minimum;        ///< elements below which nothing is drawn
    uint32_t per_primitive;  ///< elements from one primitive to the next
    uint32_t pieces;         ///< triangles per primitive that gl_PrimitiveID counts
    AssembleOne assemble;
};

Assembled
triangle(bool first, uint32_t a, uint32_t b, uint32_t c, uint32_t id, unsigned edges = 7) {
    return {{a, b, c}, first ? a : c, id, static_cast<uint8_t>(edges)};
}

Assembled points(bool /*first*/, uint32_t /*count*/, uint32_t p) noexcept {
    return {{p, p, p}, p, p, 0};
}
Assembled line(bool first, uint32_t a, uint32_t b, uint32_t id) {
    return {{a, b, b}, first ? a : b, id, 0};
}
Assembled lines(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return line(first, 2 * p, 2 * p + 1, p);
}
Assembled line_strip(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return line(first, p, p + 1, p);
}
Assembled line_loop(bool first, uint32_t count, uint32_t p) noexcept {
    return line(first, p, p + 1 == count ? 0 : p + 1, p);
}
Assembled lines_adjacency(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return line(first, 4 * p + 1, 4 * p + 2, p);
}
Assembled line_strip_adjacency(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return line(first, p + 1, p + 2, p);
}

Assembled triangles(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return triangle(first, 3 * p, 3 * p + 1, 3 * p + 2, p);
}
/// Odd triangles swap two vertices, so that all triangles of a strip have the same facing; the
/// provoking vertex keeps its corner.
Assembled strip_triangle(bool first, uint32_t p, uint32_t step) {
    const uint32_t a = p * step;
    if (p % 2 == 0)
        return triangle(first, a, a + step, a + 2 * step, p);
    return first ? triangle(first, a, a + 2 * step, a + step, p)
                 : triangle(first, a + step, a, a + 2 * step, p);
}
Assembled triangle_strip(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return strip_triangle(first, p, 1);
}
Assembled triangle_fan(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return first ? triangle(first, p + 1, p + 2, 0, p) : triangle(first, 0, p + 1, p + 2, p);
}
/// Vertex 0 is the provoking vertex in both conventions.
Assembled polygon(bool first, uint32_t count, uint32_t p) noexcept {
    // Outline: the edge from p+1 to p+2 always; the edges at vertex 0 in the first and last
    // triangle.
    const unsigned from_0 = p == 0 ? 1 : 0;
    const unsigned to_0 = p + 3 == count ? 1 : 0;
    return first ? triangle(first, 0, p + 1, p + 2, 0, from_0 | 2 | to_0 << 2)
                 : triangle(first, p + 1, p + 2, 0, 0, 1 | to_0 << 1 | from_0 << 2);
}
/// A quad is cut through its provoking vertex.
Assembled quads(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    const uint32_t v = p / 2 * 4;
    const bool odd = p % 2 != 0;
    if (first)
        return odd ? triangle(first, v, v + 2, v + 3, p / 2, 6)
                   : triangle(first, v, v + 1, v + 2, p / 2, 3);
    return odd ? triangle(first, v + 1, v + 2, v + 3, p / 2, 3)
               : triangle(first, v, v + 1, v + 3, p / 2, 5);
}
/// The quad is v, v+1, v+3, v+2; the provoking vertex is v in the first-vertex convention, else
/// v+3.
Assembled quad_strip(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    const uint32_t v = p / 2 * 2;
    if (p % 2 == 0)
        return triangle(first, v, v + 1, v + 3, p / 2, 3);
    return first ? triangle(first, v, v + 3, v + 2, p / 2, 6)
                 : triangle(first, v + 2, v, v + 3, p / 2, 5);
}
Assembled triangles_adjacency(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return triangle(first, 6 * p, 6 * p + 2, 6 * p + 4, p);
}
Assembled triangle_strip_adjacency(bool first, uint32_t /*count*/, uint32_t p) noexcept {
    return strip_triangle(first, p, 2);
}

/// Rules, indexed by Primitive.
constexpr std::array<Rule, 15> kRules{{
    {Shape::Point, 1, 1, 1, points},
    {Shape::Line, 2, 2, 1, lines},
    {Shape::Line, 2, 1, 1, line_loop},
    {Shape::Line, 2, 1, 1, line_strip},
    {Shape::Triangle, 3, 3, 1, triangles},
    {Shape::Triangle, 3, 1, 1, triangle_strip},
    {Shape::Triangle, 3, 1, 1, triangle_fan},
    {Shape::Triangle, 4, 4, 2, quads},
    {Shape::Triangle, 4, 2, 2, quad_strip},
    {Shape::Triangle, 3, 1, 1, polygon},
    {Shape::Line, 4, 4, 1, lines_adjacency},
    {Shape::Line, 4, 1, 1, line_strip_adjacency},
    {Shape::Triangle, 6, 6, 1, triangles_adjacency},
    {Shape::Triangle, 6, 2, 1, triangle_strip_adjacency},
    {Shape::Point, 1, 1, 1, points},  // patches: PatchStage assembles them
}};

const Rule& rule_of(Primitive primitive) {
    return kRules[static_cast<size_t>(primitive)];
}

}  // namespace

Shape shape_of(Primitive primitive) {
    return rule_of(primitive).shape;
}

uint64_t primitive_count(Primitive primitive, uint64_t count) {
    const Rule& rule = rule_of(primitive);
    if (count < rule.minimum)
        return 0;
    const uint64_t closing = primitive == Primitive::LineLoop ? 1 : 0;
    return ((count - rule.minimum) / rule.per_primitive + 1 + closing) * rule.pieces;
}

uint64_t primitive_ids(Primitive primitive, uint64_t count) {
    const uint64_t drawn = primitive_count(primitive, count);
    return primitive == Primitive::Polygon ? (drawn != 0 ? 1 : 0)
                                           : drawn / rule_of(primitive).pieces;
}

bool feeds(Primitive primitive, exec::InputPrimitive input) {
    switch (primitive) {
    case Primitive::LinesAdjacency:
    case Primitive::LineStripAdjacency: return input == exec::InputPrimitive::LinesAdjacency;
    case Primitive::TrianglesAdjacency:
    case Primitive::TriangleStripAdjacency:
        return input == exec::InputPrimitive::TrianglesAdjacency;
    default: break;
    }
    switch (shape_of(primitive)) {
    case Shape::Point: return input == exec::InputPrimitive::Points;
    case Shape::Line: return input == exec::InputPrimitive::Lines;
    case Shape::Triangle: break;
    }
    return input == exec::InputPrimitive::Triangles;
}

namespace {

/// Finds elements by GL 4.6 table 10.1, counting from 0. Odd triangles keep the facing of even
/// ones; in the first-vertex convention they also begin at their first corner.
void strip_with_adjacency(bool first, uint32_t count, uint32_t p, uint32_t* element) {
    const uint32_t triangles = (count - 4) / 2;
    const uint32_t a = 2 * p;
    const uint32_t before = p == 0 ? 1 : a - 2;
    const uint32_t behind = p + 1 == triangles ? a + 5 : a + 6;
    const uint32_t middle = a + 3;
    if (p % 2 == 0) {
        const uint32_t even[] = {a, before, a + 2, behind, a + 4, middle};
        std::copy(even, even + 6, element);
        return;
    }
    const uint32_t last_order[] = {a + 2, before, a, middle, a + 4, behind};
    const uint32_t first_order[] = {a, middle, a + 4, behind, a + 2, before};
    std::copy_n(first ? first_order : last_order, 6, element);
}

}  // namespace

AssembledInput
assemble_input(Primitive primitive, bool provoking_first, uint32_t count, uint32_t p) noexcept {
    AssembledInput input;
    input.id = p;
    const auto row = [&](uint32_t from, uint32_t vertices) {
        for (uint32_t k = 0; k < vertices; ++k)
            input.element[k] = from + k;
    };
    switch (primitive) {
    case Primitive::LinesAdjacency: row(4 * p, 4); return input;
    case Primitive::LineStripAdjacency: row(p, 4); return input;
    case Primitive::TrianglesAdjacency: row(6 * p, 6); return input;
    case Primitive::TriangleStripAdjacency:
        strip_with_adjacency(provoking_first, count, p, input.element);
        return input;
    default: break;
    }
    const Assembled assembled = assemble(primitive, provoking_first, count, p);
    std::copy_n(assembled.element, 3, input.element);
    input.id = assembled.id;
    return input;
}

Assembled assemble(Primitive primitive, bool provoking_first, uint32_t count, uint32_t p) noexcept {
    return rule_of(primitive).assemble(provoking_first, count, p);
}

}  // namespace valkyr::raster
