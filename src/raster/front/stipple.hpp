// Stipple: finds the pixels of lines that patterns keep (docs/rules/raster-rules.md).
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/shapes.hpp"

#include <cstdint>

namespace valkyr::raster {

/// The stipple counter of a chain of lines.
class StippleCounter {
public:
    /// Begins a new line, strip or polygon.
    void restart() {
        value_ = 0;
        has_polygon_ = false;
    }
    /// Begins the edges of a polygon with this ID: a new chain, unless the preceding edges have
    /// that ID too.
    void begin_polygon(uint32_t id);

    /// Returns the stipple of the next thin line and advances the counter by the line's pixels.
    LineStipple thin(const ShapeState& state, const LineShape& shape);
    /// Returns the stipple of the next line that is a rectangle from one end to the other.
    LineStipple rectangle(const ShapeState& state, const WindowRow& from, const WindowRow& to);

private:
    void advance(const ShapeState& state, uint32_t pixels);

    uint32_t value_ = 0;  ///< below 16 times the factor
    uint32_t polygon_ = 0;
    bool has_polygon_ = false;
};

}  // namespace valkyr::raster
