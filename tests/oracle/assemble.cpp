// Assemble: forms primitives from the vertices of a stream.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "tests/oracle/geometry.hpp"

namespace valkyr::reference {
namespace {

using raster::Primitive;

/// Collects primitives whose corners are given with the provoking one first or last.
class Assembler {
public:
    Assembler(bool first_provokes, uint32_t first_id)
        : first_provokes_(first_provokes)
        , id_(first_id) {}

    void point(uint32_t a) { list_.push_back({1, {a, 0, 0}, a, id_++, 0}); }
    void line(uint32_t a, uint32_t b) {
        list_.push_back({2, {a, b, 0}, first_provokes_ ? a : b, id_++, 0});
    }
    /// The state decides whether the first or the last vertex is the provoking one.
    void triangle(uint32_t a, uint32_t b, uint32_t c) {
        part(a, b, c, 0b111);
        id_++;
    }
    /// A triangle of a larger primitive; `outline`: the edges ab, bc, ca that belong to that
    /// primitive's outline.
    void part(uint32_t a, uint32_t b, uint32_t c, unsigned outline) {
        list_.push_back(
            {3, {a, b, c}, first_provokes_ ? a : c, id_, static_cast<uint8_t>(outline)});
    }
    void next_id() { id_++; }
    [[nodiscard]] bool first_provokes() const { return first_provokes_; }
    std::vector<Assembled> take() { return std::move(list_); }

private:
    bool first_provokes_;
    uint32_t id_;
    std::vector<Assembled> list_;
};

void lines(Assembler& out, uint32_t n, uint32_t step, uint32_t stride_from, uint32_t reach) {
    // `stride_from`: offset of the first end; `reach`: vertices a primitive needs.
    for (uint32_t i = 0; i + reach <= n; i += step)
        out.line(i + stride_from, i + stride_from + 1);
}

void triangle_strip(Assembler& out, uint32_t n, uint32_t spacing) {
    // Every second triangle swaps its two non-provoking corners, to keep the orientation.
    for (uint32_t i = 0; i + 2 < n; i++) {
        const uint32_t odd = i & 1;
        const uint32_t a = out.first_provokes() ? i : i + odd;
        const uint32_t b = out.first_provokes() ? i + 1 + odd : i + 1 - odd;
        const uint32_t c = out.first_provokes() ? i + 2 - odd : i + 2;
        out.triangle(a * spacing, b * spacing, c * spacing);
    }
}

void triangle_fan(Assembler& out, uint32_t n) {
    for (uint32_t i = 1; i + 1 < n; i++) {
        if (out.first_provokes())
            out.triangle(i, i + 1, 0);
        else
            out.triangle(0, i, i + 1);
    }
}

void polygon(Assembler& out, uint32_t n) {
    // OpenGL compatibility: vertex 0 of a polygon is the provoking one in both conventions.
    for (uint32_t i = 1; i + 1 < n; i++) {
        const unsigned from_center = i == 1 ? 1 : 0;
        const unsigned to_center = i + 2 == n ? 1 : 0;
        if (out.first_provokes())
            out.part(0, i, i + 1, from_center | 0b010 | to_center << 2);
        else
            out.part(i, i + 1, 0, 0b001 | to_center << 1 | from_center << 2);
    }
    out.next_id();
}

/// Corners run around the quad; the diagonal ends at the provoking vertex.
void quads(Assembler& out, uint32_t n) {
    for (uint32_t v = 0; v + 3 < n; v += 4) {
        if (out.first_provokes()) {
            out.part(v, v + 1, v + 2, 0b011);
            out.part(v, v + 2, v + 3, 0b110);
        } else {
            out.part(v, v + 1, v + 3, 0b101);
            out.part(v + 1, v + 2, v + 3, 0b011);
        }
        out.next_id();
    }
}

/// The quad runs v, v+1, v+3, v+2.
void quad_strip(Assembler& out, uint32_t n) {
    for (uint32_t v = 0; v + 3 < n; v += 2) {
        out.part(v, v + 1, v + 3, 0b011);
        if (out.first_provokes())
            out.part(v, v + 3, v + 2, 0b110);
        else
            out.part(v + 2, v, v + 3, 0b101);
        out.next_id();
    }
}

}  // namespace

std::vector<Assembled>
assemble(Primitive kind, uint32_t count, bool first_provokes, uint32_t first_id) {
    Assembler out(first_provokes, first_id);
    const uint32_t n = count;
    switch (kind) {
    case Primitive::Points:
        for (uint32_t i = 0; i < n; i++)
            out.point(i);
        break;
    case Primitive::Lines: lines(out, n, 2, 0, 2); break;
    case Primitive::LineStrip: lines(out, n, 1, 0, 2); break;
    case Primitive::LineLoop:
        lines(out, n, 1, 0, 2);
        if (n > 1)
            out.line(n - 1, 0);
        break;
    case Primitive::LinesAdjacency: lines(out, n, 4, 1, 4); break;
    case Primitive::LineStripAdjacency: lines(out, n, 1, 1, 4); break;
    case Primitive::Triangles:
        for (uint32_t i = 0; i + 2 < n; i += 3)
            out.triangle(i, i + 1, i + 2);
        break;
    case Primitive::TriangleStrip: triangle_strip(out, n, 1); break;
    case Primitive::TriangleFan: triangle_fan(out, n); break;
    case Primitive::Quads: quads(out, n); break;
    case Primitive::QuadStrip: quad_strip(out, n); break;
    case Primitive::Polygon: polygon(out, n); break;
    case Primitive::TrianglesAdjacency:
        for (uint32_t i = 0; i + 5 < n; i += 6)
            out.triangle(i, i + 2, i + 4);
        break;
    case Primitive::TriangleStripAdjacency: triangle_strip(out, n / 2, 2); break;
    case Primitive::Patches: break;  // they are no primitives before they are divided
    }
    return out.take();
}

}  // namespace valkyr::reference
