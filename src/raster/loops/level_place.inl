// Line places: find the ends of lines by the diamond-exit rule, sixteen at a time.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level. The operations are those of
// raster/front/shapes.cpp (docs/rules/raster-rules.md, "Lines"), for lines that are neither
// stippled nor near the guard band.

/// Ends of sixteen lines; once they are placed, also half their width across the major axis.
struct LineLanes {
    I32 x[2], y[2];
    F32 z[2], q[2];
    I32 half_x, half_y;
    uint32_t x_major = 0;
    F32 place[2];            ///< LineRow::place
    uint32_t moved[2] = {};  ///< lanes whose end was moved to that place
};

inline void set_halves(const ShapeState& shape, LineLanes& lanes) {
    const I32 zero = I32::set1(0);
    const I32 half = I32::set1(static_cast<int32_t>(shape.line_width) * (kSubpixels / 2));
    lanes.half_x = select(lanes.x_major, half, zero);
    lanes.half_y = select(lanes.x_major, zero, half);
}

/// Sixteen lines, by major and minor axis.
struct AxisLanes {
    I32 major[2], minor[2];
    I32 along, across;  ///< from the first end to the last, in 1/256 pixel
    uint32_t x_major = 0;
    uint32_t backwards = 0;
};

inline I32 magnitude(const I32& a) {
    return max(a, I32::set1(0) - a);
}

inline AxisLanes axes_of(const LineLanes& l) {
    const I32 dx = l.x[1] - l.x[0];
    const I32 dy = l.y[1] - l.y[0];
    AxisLanes a;
    a.x_major = ~less(magnitude(dx), magnitude(dy)) & 0xFFFF;
    for (int k = 0; k < 2; ++k) {
        a.major[k] = select(a.x_major, l.y[k], l.x[k]);
        a.minor[k] = select(a.x_major, l.x[k], l.y[k]);
    }
    a.along = select(a.x_major, dy, dx);
    a.across = select(a.x_major, dx, dy);
    a.backwards = less(a.along, I32::set1(0));
    return a;
}

/// Returns the centre of the diamond's row or column that contains a coordinate; 1/1024 pixel.
inline I32 cell_center(const I32& place) {
    return shift_left<10>(shift_right<10>(place)) + I32::set1(512);
}

/// Returns a / b rounded to the nearest integer, halves up; |a| <= 128 |b|, b is not 0.
inline I32 nearest_quotient(const I32& a, const I32& b) {
    const I32 zero = I32::set1(0);
    const I32 one = I32::set1(1);
    const uint32_t negative_b = less(b, zero);
    const I32 n = select(negative_b, a, zero - a);
    const I32 d = select(negative_b, b, zero - b);
    // The float quotient is off by less than one. The remainder, which is small even if products
    // wrap, gives the direction of the correction.
    const I32 quotient = to_int(to_float(n) / to_float(d));
    const I32 twice = shift_left<1>(d);
    const I32 rest = shift_left<1>(n) + d - quotient * twice;
    const I32 lowered = select(less(rest, zero), quotient, quotient - one);
    return select(less(rest, twice), quotient + one, lowered);
}

/// An end after the diamond-exit rule.
struct PlacedEnds {
    uint32_t in_diamond = 0;
    uint32_t moved = 0;
    F32 t;  ///< its place on the line, if it was moved
};
inline PlacedEnds place_ends(const ShapeState& shape, bool is_last, AxisLanes& a) {
    const I32 zero = I32::set1(0);
    const I32 tie_x = I32::set1(-2);
    const I32 tie_y = I32::set1(shape.bottom_edge_rule ? 1 : -1);
    const I32 wide = I32::set1(512 * (static_cast<int32_t>(shape.line_width) - 1));
    I32& major = a.major[is_last ? 1 : 0];
    I32& minor = a.minor[is_last ? 1 : 0];
    const I32 along = shift_left<2>(major) + select(a.x_major, tie_y, tie_x);
    const I32 across = shift_left<2>(minor) + select(a.x_major, tie_x, tie_y) - wide;
    const I32 center = cell_center(along);
    const I32 distance = along - center;
    PlacedEnds placed;
    placed.in_diamond =
        less(magnitude(distance) + magnitude(across - cell_center(across)), I32::set1(512));
    const uint32_t past = less(zero, select(a.backwards, distance, zero - distance));
    const uint32_t moves =
        is_last && shape.line_last_pixel ? placed.in_diamond : placed.in_diamond & past;
    const I32 step = shift_right<2>(center) - major;
    major = select(moves, major, major + step);
    const uint32_t no_length = equal(a.along, zero);
    placed.moved = moves & ~no_length & ~equal(step, zero);
    const I32 length = select(no_length, a.along, I32::set1(1));
    minor = select(placed.moved, minor, minor + nearest_quotient(step * a.across, length));
    placed.t = to_float(is_last ? length + step : step) / to_float(length);
    return placed;
}

/// Moves the ends outwards to where the line is cut, so that its first point is inside and its last
/// one outside.
inline void cut_ends(const ShapeState& shape, uint32_t last_in_diamond, AxisLanes& a) {
    const I32 zero = I32::set1(0);
    const I32 one = I32::set1(1);
    const I32 minus = I32::set1(-1);
    const uint32_t upper = shape.bottom_edge_rule ? ~a.x_major : 0;
    const I32 shift =
        select(upper, select(a.backwards, zero, one), select(a.backwards, minus, zero));
    const I32 outwards = select(a.backwards, one, minus);
    a.major[0] = a.major[0] + shift;
    a.major[1] =
        a.major[1] + shift + select(shape.line_last_pixel ? last_in_diamond : 0, zero, outwards);
}

/// Computes the pixels of a rectangle that lines can cover; along the major axis, those that they
/// do cover.
inline void
line_boxes(const ShapeState& shape, const LineLanes& l, const PixelRect& rect, PixelBoxes& box) {
    const auto range = [](const I32* c, const I32& half, int32_t from, int32_t to, uint32_t exact,
                          bool upper_owns, I32& first, I32& last) {
        const int32_t owns = upper_owns ? 1 : 0;
        const I32 low = select(exact, I32::set1(127), I32::set1(127 + owns));
        const I32 high = select(exact, I32::set1(128), I32::set1(129 - owns));
        first = max(shift_right<8>(min(c[0], c[1]) - half + low), I32::set1(from));
        last = min(shift_right<8>(max(c[0], c[1]) + half - high), I32::set1(to - 1));
    };
    range(l.x, l.half_x, rect.x0, rect.x1, l.x_major, false, box.x0, box.x1);
    range(l.y, l.half_y, rect.y0, rect.y1, ~l.x_major, shape.bottom_edge_rule, box.y0, box.y1);
}

/// Places the ends of sixteen lines.
/// offset  added to depths
inline void place_lanes(const ShapeState& shape, const F32& offset, LineLanes& l) {
    AxisLanes a = axes_of(l);
    const PlacedEnds ends[2] = {place_ends(shape, false, a), place_ends(shape, true, a)};
    cut_ends(shape, ends[1].in_diamond, a);
    const F32 z[2] = {l.z[0], l.z[1]};
    const F32 q[2] = {l.q[0], l.q[1]};
    for (int k = 0; k < 2; ++k) {
        const F32& t = ends[k].t;
        const F32 mixed_q = fma(t, q[1] - q[0], q[0]);
        // A place behind the eye (q <= 0) keeps the values of the end.
        l.moved[k] = ends[k].moved & less(F32::set1(0), mixed_q);
        l.z[k] = select(l.moved[k], l.z[k], fma(t, z[1] - z[0], z[0])) + offset;
        l.q[k] = select(l.moved[k], l.q[k], mixed_q);
        l.place[k] = t * q[1] / mixed_q;
        l.x[k] = select(a.x_major, a.minor[k], a.major[k]);
        l.y[k] = select(a.x_major, a.major[k], a.minor[k]);
    }
    l.x_major = a.x_major;
    set_halves(shape, l);
}

/// Loads the ends of sixteen lines.
/// row  maps lane and end to a WindowRow
template <typename Row>
inline void load_line_ends(const Row& row, LineLanes& l) {
    for (int k = 0; k < 2; ++k)
        gather_rows([&](int i) { return row(i, k); }, l.x[k], l.y[k], l.z[k], l.q[k]);
}

/// Writes placed lines.
inline void
store_lines(const LineLanes& l, LineRow* lines, PrimitiveRef* primitives, uint32_t count) {
    alignas(64) float place[2][16];
    for (int k = 0; k < 2; ++k) {
        l.place[k].store(place[k]);
        store_rows(lines->ends + k, sizeof(LineRow), l.x[k], l.y[k], l.z[k], l.q[k]);
    }
    for (uint32_t i = 0; i < count; ++i) {
        lines[i].place[0] = place[0][i];
        lines[i].place[1] = place[1][i];
        primitives[i].provoking = static_cast<uint16_t>((l.x_major >> i & 1) * kLineXMajor |
                                                        (l.moved[0] >> i & 1) * kLineMovedFirst |
                                                        (l.moved[1] >> i & 1) * kLineMovedLast);
    }
}

/// Writes those of placed lines `first` to `first` + 15 that can cover pixels of the draw's
/// rectangle; returns their number. Only the first `count` exist.
inline uint32_t write_lines(const ShapeState& shape,
                            const LineLanes& l,
                            uint32_t first,
                            uint32_t count,
                            Survivor* survivors) {
    PixelBoxes box;
    line_boxes(shape, l, shape.rect, box);
    Verdicts verdicts;
    verdicts.keep = ~(less(box.x1, box.x0) | less(box.y1, box.y0)) & first_lanes(count);
    return write_survivors(verdicts, box, first, survivors);
}

inline uint32_t place_lines(const ShapeState& shape,
                            LineRow* lines,
                            PrimitiveRef* primitives,
                            uint32_t count,
                            Survivor* survivors) noexcept {
    uint32_t written = 0;
    for (uint32_t first = 0; first < count; first += 16) {
        const uint32_t some = count - first < 16 ? count - first : 16;
        LineRow* const part = lines + first;
        const auto at = [&](int i) { return static_cast<uint32_t>(i) < some ? i : 0; };
        alignas(64) float offset[16];
        for (int i = 0; i < 16; ++i)
            offset[i] = part[at(i)].place[0];
        LineLanes l;
        load_line_ends([&](int i, int k) { return part[at(i)].ends + k; }, l);
        place_lanes(shape, F32::load(offset), l);
        store_lines(l, part, primitives + first, some);
        written += write_lines(shape, l, first, some, survivors + written);
    }
    return written;
}

inline uint32_t cull_lines(const ShapeState& shape,
                           const WindowRow* rows,
                           const PrimitiveRef* primitives,
                           uint32_t count,
                           int32_t reach,
                           Survivor* survivors) noexcept {
    uint32_t written = 0;
    for (uint32_t first = 0; first < count; first += 16) {
        const uint32_t some = count - first < 16 ? count - first : 16;
        const PrimitiveRef* const part = primitives + first;
        LineLanes l;
        load_line_ends(
            [&](int i, int k) { return rows + part[static_cast<uint32_t>(i) < some ? i : 0].v[k]; },
            l);
        const I32 farthest = max(max(magnitude(l.x[0]), magnitude(l.x[1])),
                                 max(magnitude(l.y[0]), magnitude(l.y[1])));
        if (less(I32::set1(reach), farthest) != 0)
            return HostLoops::kFarLine;
        place_lanes(shape, F32::set1(0), l);
        written += write_lines(shape, l, first, some, survivors + written);
    }
    return written;
}
