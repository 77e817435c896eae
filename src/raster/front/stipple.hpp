// Stipple: finds the pixels that patterns leave of lines (docs/rules/raster-rules.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/shapes.hpp"

#include <cstdint>

namespace valkyr::raster {

/// The stipple counter of a chain of lines.
class StippleCounter {
public:
    /// A new line, strip or polygon begins.
    void restart() {
        value_ = 0;
        has_polygon_ = false;
    }
    /// The edges of a polygon with this ID come next: a new chain unless they are of the same one.
    void begin_polygon(uint32_t id);

    /// The stipple of the next line; the counter moves on by the line's pixels.
    LineStipple thin(const ShapeState& state, const LineShape& shape);
    /// The same of a line that is a rectangle from one end to the other.
    LineStipple rectangle(const ShapeState& state, const WindowRow& from, const WindowRow& to);

private:
    void advance(const ShapeState& state, uint32_t pixels);

    uint32_t value_ = 0;  ///< below 16 times the factor
    uint32_t polygon_ = 0;
    bool has_polygon_ = false;
};

}  // namespace valkyr::raster
