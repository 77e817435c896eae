// Points and lines as quads.
// SPDX-License-Identifier: MIT
#include "raster/shapes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

namespace valkyr::raster {
namespace {

constexpr int32_t kBand = static_cast<int32_t>(kGuardBand) * kSubpixels;
/// Byte of a vertex record where the point size lies.
constexpr size_t kRecordPointSize = 16;

struct Offset {
    int32_t x = 0;
    int32_t y = 0;
};

WindowRow moved(const WindowRow& row, int32_t dx, int32_t dy) {
    return {std::clamp(row.x + dx, -kBand, kBand), std::clamp(row.y + dy, -kBand, kBand), row.z,
            row.q};
}

int32_t half_size(float size) {
    return static_cast<int32_t>(std::rint(size * (kSubpixels / 2)));
}

/// Across a multisampled line: half its width, perpendicular.
Offset across_rectangle(float width, int32_t dx, int32_t dy) {
    const auto x = static_cast<float>(dx);
    const auto y = static_cast<float>(dy);
    const float length = std::sqrt(std::fma(x, x, y * y));
    if (!(length > 0))
        return {};
    const float k = static_cast<float>(kSubpixels / 2) * width / length;
    return {static_cast<int32_t>(std::rint(-y * k)), static_cast<int32_t>(std::rint(x * k))};
}

/// How far the ends move along the major axis, so that the line contains its first point and not
/// its last.
int32_t end_shift(int32_t major, bool ties_to_larger) {
    if (ties_to_larger)
        return major > 0 ? -1 : 0;
    return major < 0 ? 1 : 0;
}

}  // namespace

float point_size(const DrawRecord& draw, const uint8_t* record) {
    float size = draw.point_size;
    if (draw.point_size_per_vertex)
        std::memcpy(&size, record + kRecordPointSize, sizeof(size));
    return size > kMinimumPointSize ? std::fmin(size, kMaximumPointSize) : kMinimumPointSize;
}

QuadRows point_quad(const WindowRow& center, float size) {
    const int32_t h = half_size(size);
    return {moved(center, -h, -h), moved(center, h, -h), moved(center, h, h), moved(center, -h, h)};
}

QuadRows line_quad(const DrawRecord& draw, const WindowRow& from, const WindowRow& to) {
    const int32_t dx = to.x - from.x;
    const int32_t dy = to.y - from.y;
    if (draw.rectangular_lines) {
        const Offset o = across_rectangle(draw.line_width, dx, dy);
        return {moved(from, -o.x, -o.y), moved(to, -o.x, -o.y), moved(to, o.x, o.y),
                moved(from, o.x, o.y)};
    }
    const bool x_major = std::abs(dx) >= std::abs(dy);
    const int32_t major = x_major ? dx : dy;
    const int32_t h = half_size(draw.line_width);
    // Ties belong to the smaller x always, to the smaller row unless the bottom rule holds.
    const int32_t first = end_shift(major, !x_major && draw.bottom_edge_rule);
    const int32_t last = first + (draw.line_last_pixel ? (major < 0 ? -1 : 1) : 0);
    if (x_major)
        return {moved(from, first, -h), moved(to, last, -h), moved(to, last, h),
                moved(from, first, h)};
    return {moved(from, -h, first), moved(to, -h, last), moved(to, h, last), moved(from, h, first)};
}

}  // namespace valkyr::raster
