// Stipple: counts pixels along lines for stipple patterns.
// SPDX-License-Identifier: MIT
#include "raster/front/stipple.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::raster {

void StippleCounter::begin_polygon(uint32_t id) {
    if (has_polygon_ && polygon_ == id)
        return;
    restart();
    has_polygon_ = true;
    polygon_ = id;
}

void StippleCounter::advance(const ShapeState& state, uint32_t pixels) {
    const uint32_t period = 16U * state.stipple_factor;
    value_ = (value_ + pixels % period) % period;
}

LineStipple StippleCounter::thin(const ShapeState& state, const LineShape& shape) {
    const MajorSpan span = major_span(state, shape);
    // A centre on the smaller end belongs to the line; with the bottom rule, a centre on the larger
    // one.
    const int32_t tie = !shape.x_major && state.bottom_edge_rule ? 128 : 127;
    const int32_t low = (std::min(span.from, span.to) + tie) >> 8;
    const int32_t high = ((std::max(span.from, span.to) + tie) >> 8) - 1;
    LineStipple stipple;
    stipple.by_row = !shape.x_major;
    stipple.first = shape.backwards ? high : low;
    stipple.counter = value_;
    advance(state, static_cast<uint32_t>(std::max(high - low + 1, 0)));
    return stipple;
}

LineStipple
StippleCounter::rectangle(const ShapeState& state, const WindowRow& from, const WindowRow& to) {
    LineStipple stipple;
    stipple.counter = value_;
    stipple.x = from.x;
    stipple.y = from.y;
    stipple.dx = to.x - from.x;
    stipple.dy = to.y - from.y;
    const double length = std::sqrt(
        static_cast<double>(int64_t{stipple.dx} * stipple.dx + int64_t{stipple.dy} * stipple.dy));
    stipple.length = kSubpixels * length;
    const auto pixels = static_cast<uint32_t>(std::ceil(length / kSubpixels));
    stipple.last = pixels == 0 ? 0 : pixels - 1;
    advance(state, pixels);
    return stipple;
}

}  // namespace valkyr::raster
