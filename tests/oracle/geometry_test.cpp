// Geometry test: compares assembly, clipping and window mapping with hand computation.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/oracle/geometry.hpp"

#include <doctest/doctest.h>
#include <limits>
#include <string>

namespace valkyr::reference {
namespace {

using raster::Primitive;

/// "012 231* ..." : corners and, if it is not the last corner, the provoking vertex behind a colon.
std::string listing(Primitive kind, uint32_t count, bool first) {
    std::string text;
    for (const Assembled& p : assemble(kind, count, first, 0)) {
        text += text.empty() ? "" : " ";
        for (uint32_t i = 0; i < p.corners; i++)
            text += std::to_string(p.at[i]);
        text += ":" + std::to_string(p.provoking);
    }
    return text;
}

TEST_CASE("strips and fans, provoking last and first (OpenGL 4.6 table 13.2)") {
    CHECK(listing(Primitive::Triangles, 7, false) == "012:2 345:5");
    CHECK(listing(Primitive::TriangleStrip, 5, false) == "012:2 213:3 234:4");
    CHECK(listing(Primitive::TriangleStrip, 5, true) == "012:0 132:1 234:2");
    CHECK(listing(Primitive::TriangleFan, 5, false) == "012:2 023:3 034:4");
    CHECK(listing(Primitive::TriangleFan, 5, true) == "120:1 230:2 340:3");
    CHECK(listing(Primitive::Polygon, 4, false) == "120:0 230:0");
    CHECK(listing(Primitive::Polygon, 4, true) == "012:0 023:0");
}

TEST_CASE("quads become two triangles with one provoking vertex") {
    CHECK(listing(Primitive::Quads, 9, false) == "013:3 123:3 457:7 567:7");
    CHECK(listing(Primitive::Quads, 4, true) == "012:0 023:0");
    CHECK(listing(Primitive::QuadStrip, 6, false) == "013:3 203:3 235:5 425:5");
    CHECK(listing(Primitive::QuadStrip, 4, true) == "013:0 032:0");
}

TEST_CASE("lines and points") {
    CHECK(listing(Primitive::Points, 2, false) == "0:0 1:1");
    CHECK(listing(Primitive::Lines, 5, false) == "01:1 23:3");
    CHECK(listing(Primitive::LineStrip, 3, true) == "01:0 12:1");
    CHECK(listing(Primitive::LineLoop, 3, false) == "01:1 12:2 20:0");
    CHECK(listing(Primitive::LinesAdjacency, 8, false) == "12:2 56:6");
    CHECK(listing(Primitive::LineStripAdjacency, 5, false) == "12:2 23:3");
}

TEST_CASE("adjacency leaves out the neighbours") {
    CHECK(listing(Primitive::TrianglesAdjacency, 6, false) == "024:4");
    CHECK(listing(Primitive::TriangleStripAdjacency, 8, false) == "024:4 426:6");
}

Vertex vertex(float x, float y, float z, float w, float value) {
    return {{x, y, z, w}, {{as_bits(value), 0, 0, 0}}};
}

TEST_CASE("the near plane cuts edges at t from the inside end") {
    // z + w is 2, 2, -2 at the corners: both cuts are at the middle of their edges.
    const std::vector<Vertex> polygon =
        clip_polygon({vertex(0, 0, 1, 1, 0), vertex(4, 0, 1, 1, 8), vertex(0, 4, -3, 1, 16)},
                     view_planes({}, {}));
    REQUIRE(polygon.size() == 4);
    CHECK(polygon[0].position == std::array<float, 4>{0, 0, 1, 1});
    CHECK(polygon[1].position == std::array<float, 4>{4, 0, 1, 1});
    CHECK(polygon[2].position == std::array<float, 4>{2, 2, -1, 1});
    CHECK(as_float(polygon[2].outputs[0][0]) == 12.0F);
    CHECK(polygon[3].position == std::array<float, 4>{0, 2, -1, 1});
    CHECK(as_float(polygon[3].outputs[0][0]) == 8.0F);
}

TEST_CASE("what is linear in the window is cut where the window says") {
    // z + w is 1 and -1, so t = 1/2 and w = (1 + 3) / 2. In the window, the cut is at 1/2 * 3 / 2 =
    // 3/4.
    Vertex in = vertex(0, 0, 0, 1, 0);
    Vertex out = vertex(0, 0, -4, 3, 8);
    in.outputs.push_back(in.outputs[0]);
    out.outputs.push_back(out.outputs[0]);
    const auto cut = clip_segment({in, out}, view_planes({}, {}), {1});
    REQUIRE(cut.size() == 2);
    CHECK(cut[1].position[3] == 2.0F);
    CHECK(as_float(cut[1].outputs[0][0]) == 4.0F);
    CHECK(as_float(cut[1].outputs[1][0]) == 6.0F);
}

TEST_CASE("a triangle behind the eye vanishes, one in the guard band is left alone") {
    CHECK(clip_polygon({vertex(0, 0, 0, -1, 0), vertex(1, 0, 0, -1, 0), vertex(0, 1, 0, -1, 0)},
                       view_planes({}, {}))
              .empty());
    const std::vector<Vertex> wide = clip_polygon(
        {vertex(-9000, 0, 0, 1, 0), vertex(9000, 0, 0, 1, 0), vertex(0, 9000, 0, 1, 0)},
        view_planes({}, {}));
    CHECK(wide.size() == 3);
}

TEST_CASE("the guard band cuts at 16384 pixels") {
    raster::Viewport viewport;
    viewport.scale[0] = 2;
    viewport.translate[0] = 4;
    const std::vector<Vertex> cut =
        clip_polygon({vertex(0, 0, 0, 1, 0), vertex(16384, 0, 0, 1, 0), vertex(0, 1, 0, 1, 0)},
                     view_planes(viewport, {}));
    REQUIRE(cut.size() == 4);
    CHECK(cut[1].position[0] == 8190.0F);  // 2 * 8190 + 4 = 16384
}

TEST_CASE("window coordinates: divide, scale, translate, snap to 1/256 ties to even") {
    raster::Viewport viewport{{32, 32, 0.5F}, {32, 32, 0.5F}};
    const auto w = to_window(vertex(1, -2, 1, 2, 0), viewport, true);
    REQUIRE(w.has_value());
    CHECK(w->x == 48 * 256);
    CHECK(w->y == 0);
    CHECK(w->z == 0.75F);
    CHECK(w->q == 0.5F);
    const raster::Viewport identity;
    CHECK(to_window(vertex(0.5F / 256, 1.5F / 256, 0, 1, 0), identity, true)->x == 0);
    CHECK(to_window(vertex(0.5F / 256, 1.5F / 256, 0, 1, 0), identity, true)->y == 2);
    const float nan = std::numeric_limits<float>::quiet_NaN();
    CHECK_FALSE(to_window(vertex(nan, 0, 0, 1, 0), identity, true).has_value());
}

TEST_CASE("doubled area is positive for clockwise corners with row 0 at the top") {
    const WindowVertex a{0, 0, 0, 1, {}}, b{256, 0, 0, 1, {}}, c{0, 256, 0, 1, {}};
    CHECK(doubled_area(a, b, c) == 65536);
    CHECK(doubled_area(a, c, b) == -65536);
}

}  // namespace
}  // namespace valkyr::reference
