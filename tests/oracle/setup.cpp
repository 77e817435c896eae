// Setup: computes coverage by edge functions, and interpolates.
// SPDX-License-Identifier: MIT
#include "tests/oracle/setup.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <cmath>
#include <vector>

namespace valkyr::reference {
namespace {

__extension__ using Int128 = __int128;

/// Standard sample positions in 1/16 pixel.
const std::vector<Point>& sample_table(unsigned count) {
    static const std::vector<Point> one{{8, 8}};
    static const std::vector<Point> two{{12, 12}, {4, 4}};
    static const std::vector<Point> four{{6, 2}, {14, 6}, {2, 10}, {10, 14}};
    static const std::vector<Point> eight{{9, 5},  {7, 11}, {13, 9},  {5, 3},
                                          {3, 13}, {1, 7},  {11, 15}, {15, 1}};
    static const std::vector<Point> sixteen{{9, 9},   {7, 5},  {5, 10},  {12, 7}, {3, 6}, {10, 13},
                                            {13, 11}, {11, 3}, {6, 14},  {8, 1},  {4, 2}, {2, 12},
                                            {0, 8},   {15, 4}, {14, 15}, {1, 0}};
    switch (count) {
    case 1: return one;
    case 2: return two;
    case 4: return four;
    case 8: return eight;
    case 16: return sixteen;
    }
    VALKYR_UNREACHABLE();
}

/// Converts 1/256 pixel to pixels, exactly.
float pixels(int64_t subpixels) {
    return static_cast<float>(subpixels) / 256.0F;
}

}  // namespace

Point sample_point(int32_t px, int32_t py, unsigned s, unsigned count) {
    const Point offset = sample_table(count)[s];
    return {256 * px + 16 * offset.x, 256 * py + 16 * offset.y};
}

Triangle::Triangle(std::span<const WindowVertex, 3> corners, bool bottom_edge_rule)
    : bottom_edge_rule_(bottom_edge_rule) {
    unsigned anchor = 0;
    for (unsigned i = 0; i < 3; i++) {
        corners_[i] = {corners[i].x, corners[i].y};
        z_[i] = corners[i].z;
        q_[i] = corners[i].q;
        if (q_[i] < q_[anchor])
            anchor = i;
    }
    order_ = {anchor, (anchor + 1) % 3, (anchor + 2) % 3};
    const WindowVertex& a = corners[order_[0]];
    const WindowVertex& b = corners[order_[1]];
    const WindowVertex& c = corners[order_[2]];
    e1x_ = pixels(int64_t{b.x} - a.x);
    e1y_ = pixels(int64_t{b.y} - a.y);
    e2x_ = pixels(int64_t{c.x} - a.x);
    e2y_ = pixels(int64_t{c.y} - a.y);
    const int64_t area = doubled_area(a, b, c);
    VALKYR_CHECK(area != 0);
    r_ = 1.0F / (static_cast<float>(area) * 0x1p-16F);
}

bool Triangle::covers(Point p) const {
    const Point &u = corners_[0], &v = corners_[1], &w = corners_[2];
    const Int128 area =
        Int128{v.x - u.x} * Int128{w.y - u.y} - Int128{w.x - u.x} * Int128{v.y - u.y};
    const int orientation = area > 0 ? 1 : -1;
    for (unsigned i = 0; i < 3; i++) {
        const Point& from = corners_[i];
        const Point& to = corners_[(i + 1) % 3];
        // E(x, y) = A*(x - x0) + B*(y - y0), positive inside.
        const Int128 a = Int128{orientation} * (from.y - to.y);
        const Int128 b = Int128{orientation} * (to.x - from.x);
        const Int128 e = a * (p.x - from.x) + b * (p.y - from.y);
        const bool horizontal_owner = bottom_edge_rule_ ? b < 0 : b > 0;
        const bool owns_boundary = a > 0 || (a == 0 && horizontal_owner);
        if (e < 0 || (e == 0 && !owns_boundary))
            return false;
    }
    return true;
}

Triangle::Gradient Triangle::gradient(float d1, float d2) const {
    return {std::fma(d1, e2y_, -(d2 * e1y_)) * r_, std::fma(d2, e1x_, -(d1 * e2x_)) * r_};
}

float Triangle::dx(Point p) const {
    return pixels(int64_t{p.x} - corners_[order_[0]].x);
}
float Triangle::dy(Point p) const {
    return pixels(int64_t{p.y} - corners_[order_[0]].y);
}

float Triangle::at(float anchor_value, Gradient g, Point p) const {
    return std::fma(dy(p), g.y, std::fma(dx(p), g.x, anchor_value));
}

float Triangle::linear(std::array<float, 3> values, Point p) const {
    const float va = values[order_[0]];
    return at(va, gradient(values[order_[1]] - va, values[order_[2]] - va), p);
}

float Triangle::perspective(std::array<float, 3> values, Point p) const {
    const float qb = q_[order_[1]];
    const float qc = q_[order_[2]];
    if (q_[order_[0]] == qb && qb == qc)
        return linear(values, p);
    const float va = values[order_[0]];
    const Gradient g = gradient((values[order_[1]] - va) * qb, (values[order_[2]] - va) * qc);
    return std::fma(std::fma(dy(p), g.y, dx(p) * g.x), 1.0F / q(p), va);
}

float Triangle::z(Point p) const {
    const float za = z_[order_[0]];
    const Gradient g = gradient(z_[order_[1]] - za, z_[order_[2]] - za);
    return at(za + z_offset_, g, p);
}

float Triangle::depth_slope() const {
    const float za = z_[order_[0]];
    const Gradient g = gradient(z_[order_[1]] - za, z_[order_[2]] - za);
    return std::max(std::fabs(g.x), std::fabs(g.y));
}

}  // namespace valkyr::reference
