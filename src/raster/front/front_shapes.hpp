// Shape emitter: collects the quads of points and lines into batches.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/front/clip.hpp"
#include "raster/front/front_output.hpp"
#include "raster/front/shapes.hpp"
#include "raster/front/stipple.hpp"

#include <array>
#include <cstdint>

namespace valkyr::raster {

/// A shaded vertex of the chunk.
struct ShadedVertex {
    const WindowRow* row = nullptr;
    const uint8_t* record = nullptr;
    uint32_t code = 0;  ///< ClipBits
};

/// Attributes that points and lines take from their primitive.
struct ShapeAttributes {
    uint32_t id = 0;
    Facing facing = Facing::Front;
    float depth_offset = 0;
};

/// Turns points and lines into quads. Quads wait here until flush(), which must be called before
/// other primitives are binned and before the vertices are freed.
class ShapeEmitter {
public:
    explicit ShapeEmitter(FrontOutput& output)
        : output_(output) {}

    void begin(const DrawRecord& draw) {
        draw_ = &draw;
        shape_ = draw.shape;
    }
    /// Stipple counter of the following lines; only used if lines are stippled.
    StippleCounter& stipple() { return stipple_; }
    void point(const ShadedVertex& vertex,
               const uint8_t* provoking,
               float size,
               const ShapeAttributes& attributes);
    void line(const ShadedVertex& from,
              const ShadedVertex& to,
              const uint8_t* provoking,
              const ShapeAttributes& attributes);
    void flush();

private:
    static constexpr uint32_t kQuads = kChunkPrimitives / 2;
    static constexpr uint32_t kLines = kChunkPrimitives;

    /// Draws a line that is not a rectangle.
    /// given  its ends in the window
    void thin_line(const std::array<WindowRow, 2>& given,
                   const std::array<const uint8_t*, 2>& records,
                   const uint8_t* provoking,
                   const ShapeAttributes& attributes);
    /// Adds a line as one primitive, if it can cover a pixel.
    void add_line(const LineRow& line,
                  uint16_t flags,
                  const ShapeAttributes& attributes,
                  const LineStipple* stipple);
    /// Adds a line whose ends are placed later.
    void add_unplaced(const LineRow& line, const ShapeAttributes& attributes);
    LineRow& next_line(bool placed, const ShapeAttributes& attributes, bool stipples);
    /// Draws the waiting shapes if there are `most`, or if the next shape cannot share their batch.
    void make_room(uint32_t waiting, uint32_t most, Facing facing, bool stipples);
    void flush_quads();
    void flush_lines();
    LineStipple* keep_stipples(uint32_t count);

    /// stipple  null: none
    void add(const QuadRows& rows,
             const std::array<const uint8_t*, 4>& records,
             const ShapeAttributes& attributes,
             const LineStipple* stipple);
    /// Returns a copy of a record for a corner of a smooth shape.
    const uint8_t* with_coverage(const uint8_t* record, const std::array<float, 4>& coverage);
    /// Returns a copy of a record with the flat varyings of another.
    const uint8_t* with_flat(const uint8_t* record, const uint8_t* provoking);
    const uint8_t* mixed_record(const LineRow& line, unsigned end);
    void smooth(const std::array<WindowRow, 2>& rows,
                const std::array<const uint8_t*, 2>& records,
                const ShapeAttributes& attributes,
                const LineStipple* stipple);
    void smooth(const SmoothPoint& point, const uint8_t* record, const ShapeAttributes& attributes);
    bool clip_line(ShadedVertex& from, ShadedVertex& to, std::array<WindowRow, 2>& rows);

    FrontOutput& output_;
    const DrawRecord* draw_ = nullptr;
    const ShapeState* shape_ = nullptr;  ///< shapes of draw_
    uint32_t count_ = 0;                 ///< waiting quads
    uint32_t line_count_ = 0;            ///< waiting lines; only one of both counts is not 0
    Facing facing_ = Facing::Front;
    std::array<WindowRow, size_t{4} * kQuads> rows_;
    std::array<const uint8_t*, size_t{4} * kQuads> records_{};
    std::array<uint32_t, kQuads> ids_{};
    bool has_stipples_ = false;  ///< all waiting shapes have stipples
    bool placed_ = false;        ///< the waiting lines are placed and have boxes
    std::array<LineStipple, kLines> stipples_{};
    std::array<LineRow, kLines> lines_;
    std::array<PrimitiveRef, kLines> line_refs_;
    std::array<Survivor, kLines> line_boxes_;
    StippleCounter stipple_;
};

}  // namespace valkyr::raster
