// Front end loops: turn clip space into window rows and clip codes, and cull primitives.
// SPDX-License-Identifier: MIT
//
// Included by level_impl.hpp inside the namespace of a level.

/// Returns the distance of a vertex from a user plane, or its clip distance.
inline float user_distance(const DistanceSource& source, const uint8_t* record) {
    float p[4];
    if (!source.plane) {
        __builtin_memcpy(p, record + source.offset, sizeof(float));
        return p[0];
    }
    __builtin_memcpy(p, record + source.offset, sizeof(p));
    const float* e = source.equation;
    float d = e[0] * p[0];
    for (int i = 1; i < 4; ++i)
        d = __builtin_fmaf(e[i], p[i], d);
    return d;
}

inline uint32_t user_codes(const ClipState& clip, const uint8_t* record) {
    uint32_t code = 0;
    for (uint32_t i = 0; i < clip.user_count; ++i)
        if (!(user_distance(clip.user[i], record) >= 0))
            code |= kClipUser0 << i;
    for (uint32_t i = 0; i < clip.cull_count; ++i)
        if (!(user_distance(clip.cull[i], record) >= 0))
            code |= kCullUser0 << i;
    return code;
}

/// Adds `bit` to the codes of lanes where the distance is not at least 0 (NaN is outside).
inline I32 outside(const I32& codes, const F32& distance, uint32_t bit) {
    const uint32_t inside = greater_equal(distance, F32::set1(0));
    return codes | select(inside, I32::set1(static_cast<int32_t>(bit)), I32::set1(0));
}

inline I32
frustum_codes(const ClipState& clip, const F32& x, const F32& y, const F32& z, const F32& w) {
    I32 codes = I32::set1(0);
    if (clip.near_far) {
        codes = outside(codes, clip.halfz ? z : z + w, kClipNear);
        codes = outside(codes, w - z, kClipFar);
    }
    codes = outside(codes, w - F32::set1(kMinimumW), kClipW);
    const F32 sx = F32::set1(clip.scale[0]);
    const F32 sy = F32::set1(clip.scale[1]);
    const F32 left = F32::set1(clip.translate[0] + kGuardBand) * w;
    const F32 right = F32::set1(kGuardBand - clip.translate[0]) * w;
    const F32 top = F32::set1(clip.translate[1] + kGuardBand) * w;
    const F32 bottom = F32::set1(kGuardBand - clip.translate[1]) * w;
    codes = outside(codes, fma(sx, x, left), kClipLeft);
    codes = outside(codes, fma(negate(sx), x, right), kClipRight);
    codes = outside(codes, fma(sy, y, top), kClipTop);
    return outside(codes, fma(negate(sy), y, bottom), kClipBottom);
}

/// Converts a window coordinate to fixed point: shifted, clamped to the guard band, rounded to
/// nearest even.
inline I32 snap(const F32& window, float shift) {
    const F32 shifted = window + F32::set1(shift);
    const F32 clamped = min(max(shifted, F32::set1(-kGuardBand)), F32::set1(kGuardBand));
    return to_int(clamped * F32::set1(kSubpixels));
}

/// Returns the mask of the first `count` lanes, at most 16.
inline uint32_t first_lanes(uint32_t count) {
    return count < 16 ? (1U << count) - 1 : 0xFFFF;
}

inline uint32_t window_rows(const ClipState& clip,
                            const uint8_t* records,
                            uint32_t stride,
                            const uint32_t* numbers,
                            uint32_t count,
                            WindowRow* rows,
                            uint32_t* codes) noexcept {
    I32 any = I32::set1(0);
    for (uint32_t first = 0; first < count; first += 16) {
        F32 x, y, z, w;
        if (numbers == nullptr) {
            load_positions(records + size_t{first} * stride, stride, x, y, z, w);
        } else {
            I32 x_bits, y_bits;
            gather_rows(
                [&, at = numbers + first](int i) { return records + size_t{at[i]} * stride; },
                x_bits, y_bits, z, w);
            x = as_float(x_bits);
            y = as_float(y_bits);
        }
        for (size_t line = 0; line < 16 * sizeof(WindowRow); line += kCacheLine)
            prefetch_to_write(rows + first, kWriteAhead + line);
        const I32 code = frustum_codes(clip, x, y, z, w);
        code.store(reinterpret_cast<int32_t*>(codes + first));
        any = any | select(first_lanes(count - first), I32::set1(0), code);
        const F32 q = F32::set1(1) / w;
        const F32 wx = fma(x * q, F32::set1(clip.scale[0]), F32::set1(clip.translate[0]));
        const F32 wy = fma(y * q, F32::set1(clip.scale[1]), F32::set1(clip.translate[1]));
        const F32 wz = fma(z * q, F32::set1(clip.scale[2]), F32::set1(clip.translate[2]));
        store_rows(rows + first, sizeof(WindowRow), snap(wx, clip.center_shift),
                   snap(wy, clip.center_shift), wz, q);
    }
    uint32_t any_code = any_bits(any);
    if (clip.user_count == 0 && clip.cull_count == 0)
        return any_code;
    for (uint32_t i = 0; i < count; ++i) {
        const size_t number = numbers == nullptr ? i : numbers[i];
        codes[i] |= user_codes(clip, records + number * stride);
        any_code |= codes[i];
    }
    return any_code;
}

inline void
mix_records(const uint8_t* a, const uint8_t* b, float t, uint32_t stride, uint8_t* out) noexcept {
    for (uint32_t at = 0; at < stride; at += 16) {
        float x[4];
        float y[4];
        __builtin_memcpy(x, a + at, sizeof(x));
        __builtin_memcpy(y, b + at, sizeof(y));
        for (int i = 0; i < 4; ++i)
            x[i] = __builtin_fmaf(t, y[i] - x[i], x[i]);
        __builtin_memcpy(out + at, x, sizeof(x));
    }
}

/// Sixteen primitives as arrays: their pixel boxes inside the draw's rectangle.
struct PixelBoxes {
    I32 x0, y0, x1, y1;  ///< inclusive; empty if x1 < x0 or y1 < y0
};

inline I32 min3(const I32& a, const I32& b, const I32& c) {
    return min(min(a, b), c);
}
inline I32 max3(const I32& a, const I32& b, const I32& c) {
    return max(max(a, b), c);
}

/// Computes the columns (or rows) whose samples a primitive with these coordinates can cover.
inline void pixel_range(const ShapeState& shape,
                        const I32* c,
                        int32_t rect_low,
                        int32_t rect_high,
                        I32& first,
                        I32& last) {
    const I32 low = min3(c[0], c[1], c[2]) + I32::set1(shape.cover_low);
    const I32 high = max3(c[0], c[1], c[2]) - I32::set1(shape.cover_high);
    first = max(shift_right<8>(low), I32::set1(rect_low));
    last = min(shift_right<8>(high), I32::set1(rect_high - 1));
}

/// Computes the columns (or rows) of pixels that rectangles with these coordinates cover. Centres
/// on the lower side are inside; centres on the upper side are inside if `upper_owns`.
inline void covered_range(
    const I32* c, int32_t rect_low, int32_t rect_high, bool upper_owns, I32& first, I32& last) {
    const I32 low = min3(c[0], c[1], c[2]) + I32::set1(upper_owns ? 128 : 127);
    const I32 high = max3(c[0], c[1], c[2]) - I32::set1(upper_owns ? 128 : 129);
    first = max(shift_right<8>(low), I32::set1(rect_low));
    last = min(shift_right<8>(high), I32::set1(rect_high - 1));
}

/// Computes the pixel boxes of primitives in a rectangle: the pixels that they can cover, or for
/// quads those that they do cover.
inline void pixel_boxes(const ShapeState& shape,
                        const I32* x,
                        const I32* y,
                        const PixelRect& rect,
                        bool quads,
                        PixelBoxes& box) {
    if (quads) {
        covered_range(x, rect.x0, rect.x1, false, box.x0, box.x1);
        covered_range(y, rect.y0, rect.y1, shape.bottom_edge_rule, box.y0, box.y1);
        return;
    }
    pixel_range(shape, x, rect.x0, rect.x1, box.x0, box.x1);
    pixel_range(shape, y, rect.y0, rect.y1, box.y0, box.y1);
}

/// Returns 1 where an edge does not own its boundary: top-left rule, or bottom-left rule.
inline I32 edge_bias(const I32& a, const I32& b, bool bottom) {
    const I32 zero = I32::set1(0);
    const uint32_t horizontal = equal(a, zero);
    const uint32_t along = bottom ? less(b, zero) : less(zero, b);
    const uint32_t owns = less(zero, a) | (horizontal & along);
    return select(owns, I32::set1(1), zero);
}

/// Edge i of sixteen primitives: a * (x - x[i]) + b * (y - y[i]) is at least `bias` inside.
struct Edge {
    I32 a, b, bias;
};
inline Edge edge_of(const I32* x, const I32* y, int i, uint32_t negative_area, bool bottom) {
    const I32 zero = I32::set1(0);
    const int j = i == 2 ? 0 : i + 1;
    const I32 up = y[i] - y[j];
    const I32 right = x[j] - x[i];
    Edge edge;
    edge.a = select(negative_area, up, zero - up);
    edge.b = select(negative_area, right, zero - right);
    edge.bias = edge_bias(edge.a, edge.b, bottom);
    return edge;
}

/// Returns the lanes of primitives that do not cover the centre of the first pixel of their boxes.
inline uint32_t misses_first_pixel(const ShapeState& shape,
                                   const I32* x,
                                   const I32* y,
                                   const PixelBoxes& box,
                                   uint32_t negative_area) {
    const I32 half = I32::set1(kSubpixels / 2);
    const I32 px = shift_left<8>(box.x0) + half;
    const I32 py = shift_left<8>(box.y0) + half;
    uint32_t outside = 0;
    for (int i = 0; i < 3; ++i) {
        const Edge edge = edge_of(x, y, i, negative_area, shape.bottom_edge_rule);
        outside |=
            less(edge_constant(edge.a, edge.b, px - x[i], py - y[i], edge.bias), I32::set1(0));
    }
    return outside;
}

/// Verdicts on sixteen primitives.
struct Verdicts {
    uint32_t keep = 0;  ///< inside the frustum and not culled
    uint32_t clip = 0;  ///< to be clipped first
};

inline Verdicts judge(const ShapeState& shape,
                      const I32* x,
                      const I32* y,
                      const PixelBoxes& box,
                      const I32& any,
                      const I32& all,
                      bool by_facing,
                      bool quads) {
    const F32 area = cross(x[1] - x[0], y[1] - y[0], x[2] - x[0], y[2] - y[0]);
    const F32 zero = F32::set1(0);
    uint32_t culled = equal(area, zero);
    if (by_facing && shape.cull_positive)
        culled |= less(zero, area);
    if (by_facing && shape.cull_negative)
        culled |= less(area, zero);
    culled |= less(box.x1, box.x0) | less(box.y1, box.y0);
    // Half of the triangles of one-pixel points, and more of tiny ones, miss their only pixel. The
    // test costs more than a few such triangles.
    constexpr int worth_it = 4;
    const uint32_t single = equal(box.x0, box.x1) & equal(box.y0, box.y1) & ~culled;
    if (__builtin_popcount(single) >= worth_it && !shape.multisample && !quads)
        culled |= single & misses_first_pixel(shape, x, y, box, less(area, zero));
    const uint32_t inside = equal(any & I32::set1(kClipAny), I32::set1(0));
    const uint32_t possible = equal(all, I32::set1(0));
    return {inside & possible & ~culled & 0xFFFF, ~inside & possible & 0xFFFF};
}

/// Gathers the codes of a corner of sixteen primitives.
template <typename CodeAt>
inline I32 gather_codes(const CodeAt& code_at) {
    alignas(64) int32_t codes[16];
    for (int i = 0; i < 16; ++i)
        codes[i] = static_cast<int32_t>(code_at(i));
    return I32::load(codes);
}

inline uint32_t write_survivors(const Verdicts& verdicts,
                                const PixelBoxes& box,
                                uint32_t first,
                                Survivor* survivors) {
    const uint32_t survive = verdicts.keep | verdicts.clip;
    if (survive == 0)
        return 0;
    // Kept boxes lie inside the target: their tile numbers fit into bytes.
    const I32 tiles = shift_right<6>(box.x0) | shift_left<8>(shift_right<6>(box.y0)) |
                      shift_left<16>(shift_right<6>(box.x1)) |
                      shift_left<24>(shift_right<6>(box.y1));
    static_assert(sizeof(Survivor) == 2 * sizeof(uint32_t) && offsetof(Survivor, needs_clip) == 2 &&
                  offsetof(Survivor, tile_x0) == 4 && offsetof(Survivor, tile_y1) == 7);
    const I32 index = I32::set1(static_cast<int32_t>(first)) + lane_numbers();
    const I32 clip = select(verdicts.clip, I32::set1(0), I32::set1(1 << 16));
    return append_pairs(index | clip, tiles, survive, survivors);
}

/// Window positions of the corners of sixteen primitives, and the bits common to their clip codes.
struct CornerLanes {
    I32 x[3], y[3];
    I32 any, all;
};

/// vertex  maps lane and corner to a vertex number
template <typename Vertex>
inline void
gather_lanes(const WindowRow* rows, const uint32_t* codes, const Vertex& vertex, CornerLanes& c) {
    c.any = I32::set1(0);
    c.all = I32::set1(codes == nullptr ? 0 : -1);
    for (int k = 0; k < 3; ++k) {
        F32 z, q;
        gather_rows([&](int i) { return rows + vertex(i, k); }, c.x[k], c.y[k], z, q);
        if (codes == nullptr)
            continue;
        const I32 code = gather_codes([&](int i) { return codes[vertex(i, k)]; });
        c.any = c.any | code;
        c.all = c.all & code;
    }
}

/// Gathers the corners of primitives first to first + last; lanes behind repeat the last one.
inline void gather_cull_lanes(const WindowRow* rows,
                              const uint32_t* codes,
                              const PrimitiveRef* primitives,
                              uint32_t first,
                              uint32_t last,
                              CornerLanes& c) {
    const auto at_most_last = [&](int i) {
        return first + (static_cast<uint32_t>(i) < last ? static_cast<uint32_t>(i) : last);
    };
    if (primitives == nullptr && last == 15) {
        gather_lanes(
            rows + size_t{3} * first, codes == nullptr ? codes : codes + size_t{3} * first,
            [](int i, int k) { return 3 * i + k; }, c);
    } else if (primitives == nullptr) {
        gather_lanes(
            rows, codes,
            [&](int i, int k) { return 3 * at_most_last(i) + static_cast<uint32_t>(k); }, c);
    } else if (last == 15) {
        gather_lanes(
            rows, codes, [p = primitives + first](int i, int k) { return p[i].v[k]; }, c);
    } else {
        gather_lanes(
            rows, codes, [&](int i, int k) { return primitives[at_most_last(i)].v[k]; }, c);
    }
}

inline uint32_t cull(const ShapeState& shape,
                     const WindowRow* rows,
                     const uint32_t* codes,
                     const PrimitiveRef* primitives,
                     uint32_t count,
                     bool by_facing,
                     bool quads,
                     Survivor* survivors) noexcept {
    uint32_t written = 0;
    for (uint32_t first = 0; first < count; first += 16) {
        const uint32_t last = count - first < 16 ? count - first - 1 : 15;
        CornerLanes c;
        gather_cull_lanes(rows, codes, primitives, first, last, c);
        PixelBoxes box;
        pixel_boxes(shape, c.x, c.y, shape.rect, quads, box);
        Verdicts verdicts = judge(shape, c.x, c.y, box, c.any, c.all, by_facing, quads);
        const uint32_t valid = (2U << last) - 1;
        verdicts.keep &= valid;
        verdicts.clip &= valid;
        written += write_survivors(verdicts, box, first, survivors + written);
    }
    return written;
}
