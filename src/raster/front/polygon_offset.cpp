// Polygon offset: repeats the operations of level_setup.inl for one triangle at a time.
// SPDX-License-Identifier: MIT
#include "raster/front/polygon_offset.hpp"

#include <algorithm>
#include <array>
#include <cmath>

namespace valkyr::raster {
namespace {

float pixels(int32_t subpixels) {
    return static_cast<float>(subpixels) * (1.0F / kSubpixels);
}

/// Returns the larger absolute gradient of the depth plane; 0 for a triangle without area.
float depth_slope(const std::array<const WindowRow*, 3>& p) {
    const float e1x = pixels(p[1]->x - p[0]->x);
    const float e1y = pixels(p[1]->y - p[0]->y);
    const float e2x = pixels(p[2]->x - p[0]->x);
    const float e2y = pixels(p[2]->y - p[0]->y);
    const int64_t area = int64_t{p[1]->x - p[0]->x} * (p[2]->y - p[0]->y) -
                         int64_t{p[2]->x - p[0]->x} * (p[1]->y - p[0]->y);
    if (area == 0)
        return 0;
    const float r = 1.0F / (static_cast<float>(area) * 0x1p-16F);
    const float d1 = p[1]->z - p[0]->z;
    const float d2 = p[2]->z - p[0]->z;
    const float gx = std::fma(d1, e2y, -(d2 * e1y)) * r;
    const float gy = std::fma(d2, e1x, -(d1 * e2x)) * r;
    return std::max(std::fabs(gx), std::fabs(gy));
}

}  // namespace

float polygon_offset(const DepthOffset& offset,
                     const WindowRow* rows,
                     const PrimitiveRef& primitive) {
    std::array<const WindowRow*, 3> p{rows + primitive.v[0], rows + primitive.v[1],
                                      rows + primitive.v[2]};
    unsigned anchor = 0;
    for (unsigned i = 1; i < 3; ++i)
        if (p[i]->q < p[anchor]->q)
            anchor = i;
    std::rotate(p.begin(), p.begin() + anchor, p.end());
    float unit = offset.unit;
    if (offset.float_depth) {
        const float largest =
            std::max({std::fabs(p[0]->z), std::fabs(p[1]->z), std::fabs(p[2]->z)});
        unit = largest >= 0x1p-103F ? std::ldexp(1.0F, std::ilogb(largest) - 23) : 0;
    }
    const float result = std::fma(depth_slope(p), offset.scale, unit * offset.units);
    if (offset.clamp > 0)
        return std::min(result, offset.clamp);
    return offset.clamp < 0 ? std::max(result, offset.clamp) : result;
}

}  // namespace valkyr::raster
