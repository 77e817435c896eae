// Tessellator: points in rings from the outside inwards, and triangles between the rings.
// SPDX-License-Identifier: MIT
#include "raster/tessellation/tessellator.hpp"

#include "base/check.hpp"

#include <algorithm>
#include <bit>
#include <cmath>

namespace valkyr::raster {
namespace {

using exec::TessellationDomain;
using exec::TessellationInfo;
using exec::TessellationSpacing;

constexpr uint32_t kHalf = kDomainOne / 2;
constexpr uint32_t kThird = 0x5555;
constexpr uint32_t kTwoThirds = 0xAAAA;

/// Rounds to the nearest multiple of 1/65536, ties to even. Levels are at most 64.
uint32_t fixed(float level) {
    return static_cast<uint32_t>(std::nearbyint(double{level} * kDomainOne));
}

bool is_odd(TessellationSpacing spacing, uint32_t level) {
    if (spacing == TessellationSpacing::Equal)
        return (level >> 16 & 1) != 0;
    return spacing == TessellationSpacing::FractionalOdd;
}

/// A subdivided unit interval.
class Row {
public:
    Row(uint32_t level, bool odd)
        : odd_(odd) {
        uint32_t halves = (level + 1) >> 1;
        if (odd || halves == kHalf)
            halves += kHalf;
        low_ = halves >> 16;
        fraction_ = halves & 0xFFFF;
        high_ = low_ + (fraction_ != 0 ? 1 : 0);
        if (fraction_ != 0)
            split_ = odd ? (low_ == 1 ? 0 : 2 * without_highest_bit(low_ - 1) + 1)
                         : 2 * without_highest_bit(low_) + 1;
    }

    [[nodiscard]] uint32_t points() const { return 2 * high_ + (odd_ ? 0 : 1); }
    [[nodiscard]] bool odd() const { return odd_; }
    /// Whole segments in one half.
    [[nodiscard]] uint32_t half() const { return high_ - (odd_ ? 1 : 0); }

    /// Place of point i; the places of i and of points() - 1 - i are mirrored exactly.
    [[nodiscard]] uint32_t at(uint32_t i) const {
        const uint32_t last = points() - 1;
        if (2 * i > last)
            return kDomainOne - at(last - i);
        if (2 * i == last)
            return kHalf;
        const uint32_t one = odd_ ? 1 : 0;
        const uint64_t coarse = i - (i > split_ ? 1 : 0);
        const uint64_t sum = coarse * reciprocal(2 * low_ - one) * (kDomainOne - fraction_) +
                             uint64_t{i} * reciprocal(2 * high_ - one) * fraction_;
        return static_cast<uint32_t>((sum + kHalf) >> 16);
    }

private:
    static uint32_t without_highest_bit(uint32_t v) { return v & ~std::bit_floor(v); }
    static uint64_t reciprocal(uint32_t m) { return m == 0 ? 0 : (kDomainOne + m / 2) / m; }

    bool odd_;
    uint32_t low_ = 0;
    uint32_t high_ = 0;
    uint32_t fraction_ = 0;  ///< the row is that of `low_` half segments, so far on to `high_`
    uint32_t split_ = ~0U;   ///< point behind which the new segment grows
};

Row outer_row(const TessellationInfo& info, uint32_t level) {
    return {level, is_odd(info.spacing, level)};
}
/// An inner level of 1 counts as even.
Row inner_row(const TessellationInfo& info, uint32_t level) {
    const bool one = info.spacing == TessellationSpacing::Equal && level == kDomainOne;
    return {level, !one && is_odd(info.spacing, level)};
}

/// Points along a side of a ring: consecutive ones, and a last one.
struct Edge {
    uint32_t first = 0;
    int32_t step = 1;
    uint32_t size = 1;
    uint32_t last = 0;

    uint32_t operator[](uint32_t i) const {
        return i + 1 == size ? last
                             : static_cast<uint32_t>(static_cast<int32_t>(first) +
                                                     step * static_cast<int32_t>(i));
    }
};

struct Ring {
    std::array<Edge, 4> edges;
};

/// Number of the round of join_first() in which a side with so many segments in a half gets its
/// next one: of two sides with different levels, the segments alternate evenly.
uint32_t turn_of(uint32_t round) {
    if (round < 2)
        return 32 * round;
    const uint32_t m = round - 1;
    const auto zeros = static_cast<uint32_t>(std::countr_zero(m));
    return (16U >> zeros) + ((m >> zeros) - 1) / 2;
}
constexpr uint32_t kRounds = 32;

/// Makes a tessellation of quads or triangles.
class Maker {
public:
    Maker(const TessellationInfo& info, const TessellationKey& key, Tessellation& made)
        : info_(info)
        , key_(key)
        , made_(made) {}

    void quads();
    void triangles();
    void plain();

private:
    void point(uint32_t u, uint32_t v) { made_.points.push_back({u, v}); }
    void triangle(uint32_t a, uint32_t b, uint32_t c);
    [[nodiscard]] uint32_t count() const { return static_cast<uint32_t>(made_.points.size()); }
    /// Adds a ring: side e has sizes[e] points without its last one, which points_of(e, i) adds.
    template <class Points>
    void add_ring(unsigned sides, const std::array<uint32_t, 4>& sizes, const Points& points_of);
    /// Adds the outermost ring. places(up, down) are the places on the sides where the coordinate
    /// along a side is `up`, or `down` if the side runs backwards.
    template <class Places>
    void add_outer_ring(unsigned sides, const Places& places);
    void add_quad_ring(const Row& u, const Row& v, uint32_t r);
    void add_line(uint32_t points, bool row);
    void join_first(const Edge& inside, const Edge& outside, const Row& x, const Row& y);
    void join(const Edge& inside, const Edge& outside);
    void join_rings(unsigned sides);
    void fill_rows();
    void fill_columns(bool alternate);

    const TessellationInfo& info_;
    const TessellationKey& key_;
    Tessellation& made_;
    std::vector<Row> outer_;  ///< rows of the outermost ring's sides
    std::vector<Ring> rings_;
};

void Maker::triangle(uint32_t a, uint32_t b, uint32_t c) {
    if (info_.clockwise)
        std::swap(b, c);
    for (const uint32_t corner : {a, b, c})
        made_.corners.push_back(static_cast<uint16_t>(corner));
}

void Maker::plain() {
    if (info_.domain == TessellationDomain::Quads) {
        made_.points = {{0, 0}, {kDomainOne, 0}, {kDomainOne, kDomainOne}, {0, kDomainOne}};
        triangle(0, 1, 3);
        triangle(1, 2, 3);
    } else {
        made_.points = {{0, kDomainOne}, {0, 0}, {kDomainOne, 0}};
        triangle(0, 1, 2);
    }
}

template <class Points>
void Maker::add_ring(unsigned sides,
                     const std::array<uint32_t, 4>& sizes,
                     const Points& points_of) {
    Ring ring;
    const uint32_t begin = count();
    for (unsigned side = 0; side < sides; ++side) {
        ring.edges[side] = {count(), 1, sizes[side] + 1, begin};
        for (uint32_t i = 0; i < sizes[side]; ++i)
            points_of(side, i);
        if (side + 1 != sides)
            ring.edges[side].last = count();
    }
    rings_.push_back(ring);
}

template <class Places>
void Maker::add_outer_ring(unsigned sides, const Places& places) {
    std::array<uint32_t, 4> sizes{};
    for (unsigned side = 0; side < sides; ++side) {
        outer_.push_back(outer_row(info_, key_.outer[side]));
        sizes[side] = outer_[side].points() - 1;
    }
    add_ring(sides, sizes, [&](unsigned side, uint32_t i) {
        const Row& row = outer_[side];
        made_.points.push_back(places(row.at(i), row.at(sizes[side] - i))[side]);
    });
}

/// Adds the ring between points r from the ends of the inner rows.
void Maker::add_quad_ring(const Row& u, const Row& v, uint32_t r) {
    const uint32_t u_end = u.points() - 1 - r;
    const uint32_t v_end = v.points() - 1 - r;
    add_ring(4, {v_end - r, u_end - r, v_end - r, u_end - r}, [&](unsigned side, uint32_t i) {
        if (side == 0)
            point(u.at(r), v.at(v_end - i));
        else if (side == 1)
            point(u.at(r + i), v.at(r));
        else if (side == 2)
            point(u.at(u_end), v.at(r + i));
        else
            point(u.at(u_end - i), v.at(v_end));
    });
}

/// Makes a ring of the last points, which lie on a line: sides 1 and 3 run along a row, sides 0 and
/// 2 along a column; the other sides are one point.
void Maker::add_line(uint32_t points, bool row) {
    const uint32_t first = count() - points;
    const uint32_t last = count() - 1;
    const Edge forwards{first, 1, points, last};
    const Edge backwards{last, -1, points, first};
    const Edge at_first{first, 1, 1, first};
    const Edge at_last{last, 1, 1, last};
    Ring ring;
    if (row)
        ring.edges = {at_first, forwards, at_last, backwards};
    else
        ring.edges = {forwards, at_last, backwards, at_first};
    rings_.push_back(ring);
}

void Maker::quads() {
    const Row u = inner_row(info_, key_.inner[0]);
    const Row v = inner_row(info_, key_.inner[1]);
    add_outer_ring(4, [](uint32_t up, uint32_t down) {
        return std::array<DomainPlace, 4>{
            {{0, down}, {up, 0}, {kDomainOne, up}, {down, kDomainOne}}};
    });
    uint32_t r = 1;
    for (; u.points() >= 2 * r + 2 && v.points() >= 2 * r + 2; ++r)
        add_quad_ring(u, v, r);
    const bool wide = u.points() > v.points();
    if (wide && v.points() == 2 * r + 1) {
        for (uint32_t p = r; p < u.points() - r; ++p)
            point(u.at(p), kHalf);
        add_line(u.points() - 2 * r, true);
    } else if (!wide && u.points() == 2 * r + 1) {
        for (uint32_t p = v.points() - r; p-- > r;)
            point(kHalf, v.at(p));
        add_line(v.points() - 2 * r, false);
    }
    for (unsigned side = 0; side < 4; ++side)
        join_first(rings_[1].edges[side], rings_[0].edges[side], side % 2 == 0 ? v : u,
                   outer_[side]);
    join_rings(4);
    if (wide && v.odd())
        fill_rows();
    else if (!wide && u.odd())
        fill_columns(v.odd());
}

void Maker::triangles() {
    const Row s = inner_row(info_, key_.inner[0]);
    add_outer_ring(3, [](uint32_t up, uint32_t down) {
        return std::array<DomainPlace, 3>{{{0, down}, {up, 0}, {down, kDomainOne - down}}};
    });
    for (uint32_t r = 1; s.points() >= 2 * r + 2; ++r) {
        const uint32_t end = s.points() - 1 - r;
        const auto c = static_cast<uint32_t>((uint64_t{s.at(r)} * kTwoThirds + kHalf) >> 16);
        const auto w = [&](uint32_t p) { return s.at(p) - (c + 1) / 2; };
        add_ring(3, {end - r, end - r, end - r}, [&](unsigned side, uint32_t i) {
            if (side == 0)
                point(c, w(end - i));
            else if (side == 1)
                point(w(r + i), c);
            else
                point(w(end - i), kDomainOne - w(end - i) - c);
        });
    }
    if (!s.odd()) {
        point(kThird, kThird);
        const uint32_t centre = count() - 1;
        Ring ring;
        ring.edges.fill({centre, 1, 1, centre});
        rings_.push_back(ring);
    }
    for (unsigned side = 0; side < 3; ++side)
        join_first(rings_[1].edges[side], rings_[0].edges[side], s, outer_[side]);
    join_rings(3);
    const auto& last = rings_.back().edges;
    if (s.odd())
        triangle(last[0].first, last[1].first, last[2].first);
}

/// Joins sides of independent levels: segments of both halves alternate by turn_of().
void Maker::join_first(const Edge& inside, const Edge& outside, const Row& x, const Row& y) {
    uint32_t i = 0;
    uint32_t o = 0;
    const auto along_outside = [&] {
        triangle(outside[o], outside[o + 1], inside[i]);
        ++o;
    };
    const auto along_inside = [&] {
        triangle(inside[i], outside[o], inside[i + 1]);
        ++i;
    };
    for (uint32_t k = 0; k <= kRounds; ++k) {
        if (k > 0 && turn_of(k) < x.half())
            along_inside();
        if (turn_of(k) < y.half())
            along_outside();
    }
    if (x.odd() && y.odd()) {
        triangle(inside[i], outside[o], inside[i + 1]);
        triangle(inside[i + 1], outside[o], outside[o + 1]);
        ++i;
        ++o;
    } else if (y.odd()) {
        triangle(inside[i], outside[o], outside[o + 1]);
        ++o;
    } else if (x.odd()) {
        along_inside();
    }
    for (uint32_t k = kRounds + 1; k-- > 0;) {
        if (turn_of(k) < y.half())
            along_outside();
        if (k > 0 && turn_of(k) < x.half())
            along_inside();
    }
    VALKYR_CHECK(i + 1 == inside.size && o + 1 == outside.size);
}

/// Joins sides of the same inner level: the outside has two points more.
void Maker::join(const Edge& inside, const Edge& outside) {
    const uint32_t size = inside.size;
    triangle(outside[0], outside[1], inside[0]);
    for (uint32_t p = 0; p + 1 < size; ++p) {
        const uint32_t o = p + 1;
        if (p < size / 2) {
            triangle(outside[o], inside[p + 1], inside[p]);
            triangle(outside[o], outside[o + 1], inside[p + 1]);
        } else {
            triangle(inside[p], outside[o], outside[o + 1]);
            triangle(inside[p], outside[o + 1], inside[p + 1]);
        }
    }
    triangle(outside[size], outside[size + 1], inside[size - 1]);
}

void Maker::join_rings(unsigned sides) {
    for (size_t ring = 2; ring < rings_.size(); ++ring)
        for (unsigned side = 0; side < sides; ++side)
            join(rings_[ring].edges[side], rings_[ring - 1].edges[side]);
}

/// Fills between the two rows that the last ring leaves; both from low to high u.
void Maker::fill_rows() {
    const Edge& lower = rings_.back().edges[1];
    const Edge& upper = rings_.back().edges[3];  // from high to low u
    const uint32_t size = lower.size;
    for (uint32_t p = 0; p + 1 < size; ++p) {
        const uint32_t above = upper[size - 1 - p];
        triangle(above, lower[p], lower[p + 1]);
        triangle(above, lower[p + 1], upper[size - 2 - p]);
    }
}

/// Fills between the two columns that the last ring leaves; both from high to low v.
void Maker::fill_columns(bool alternate) {
    const Edge& left = rings_.back().edges[0];
    const Edge& right = rings_.back().edges[2];  // from low to high v
    const uint32_t size = left.size;
    for (uint32_t p = 0; p + 1 < size; ++p) {
        const uint32_t i = right[size - 1 - p];
        const uint32_t next = right[size - 2 - p];
        if (!alternate) {
            triangle(i, left[p], left[p + 1]);
            triangle(i, left[p + 1], next);
        } else if (2 * p + 2 == size) {
            triangle(left[p], next, i);
            triangle(left[p], left[p + 1], next);
        } else {
            triangle(left[p], left[p + 1], i);
            triangle(i, left[p + 1], next);
        }
    }
}

void isolines(const TessellationInfo& info, const TessellationKey& key, Tessellation& made) {
    const Row lines{key.outer[0], (key.outer[0] >> 16 & 1) != 0};
    const Row row = outer_row(info, key.outer[1]);
    for (uint32_t line = 0; line + 1 < lines.points(); ++line)
        for (uint32_t p = 0; p < row.points(); ++p) {
            const auto number = static_cast<uint16_t>(made.points.size());
            made.points.push_back({row.at(p), lines.at(line)});
            if (p + 1 < row.points())
                made.corners.insert(made.corners.end(),
                                    {number, static_cast<uint16_t>(number + 1)});
        }
}

struct Range {
    float low;
    float high;
};
Range level_range(TessellationSpacing spacing) {
    switch (spacing) {
    case TessellationSpacing::Equal: return {1, 64};
    case TessellationSpacing::FractionalEven: return {2, 64};
    case TessellationSpacing::FractionalOdd: return {1, 63};
    }
    return {1, 64};
}

/// NaN becomes the lower bound.
float clamped(float level, const Range& range, bool up) {
    const float inside = level > range.low ? std::min(level, range.high) : range.low;
    return up ? std::ceil(inside) : inside;
}

unsigned outer_levels(TessellationDomain domain) {
    constexpr unsigned counts[] = {2, 3, 4};
    return counts[static_cast<unsigned>(domain)];
}

/// The lower bound of inner levels: with odd spacing, no more than 1 only where all levels are 1.
float inner_bound(const TessellationInfo& info,
                  const TessellationLevels& levels,
                  const std::array<float, 4>& outer,
                  float low) {
    if (info.spacing != TessellationSpacing::FractionalOdd)
        return low;
    constexpr float kMoreThanOne = 1 + 0x1p-17F;
    bool more = false;
    for (unsigned i = 0; i < outer_levels(info.domain); ++i)
        more |= outer[i] > kMoreThanOne;
    if (info.domain == TessellationDomain::Quads)
        for (const float level : levels.inner)
            more |= level > kMoreThanOne;
    return more ? 1 + 0x1p-16F : low;
}

}  // namespace

std::optional<TessellationKey> tessellation_key(const TessellationInfo& info,
                                                const TessellationLevels& levels) {
    const unsigned used = outer_levels(info.domain);
    for (unsigned i = 0; i < used; ++i)
        if (!(levels.outer[i] > 0))
            return std::nullopt;
    const bool equal = info.spacing == TessellationSpacing::Equal;
    Range range = level_range(info.spacing);
    TessellationKey key;
    std::array<float, 4> outer{};
    for (unsigned i = 0; i < used; ++i) {
        outer[i] = clamped(levels.outer[i], range, equal);
        key.outer[i] = fixed(outer[i]);
    }
    if (info.domain == TessellationDomain::Isolines) {
        key.outer[0] =
            fixed(clamped(levels.outer[0], level_range(TessellationSpacing::Equal), true));
        return key;
    }
    range.low = inner_bound(info, levels, outer, range.low);
    key.plain = info.spacing != TessellationSpacing::FractionalEven;
    for (unsigned i = 0; i < used; ++i)
        key.plain &= key.outer[i] == kDomainOne;
    const unsigned inner = info.domain == TessellationDomain::Quads ? 2 : 1;
    for (unsigned i = 0; i < inner; ++i) {
        key.inner[i] = fixed(clamped(levels.inner[i], range, equal));
        key.plain &= key.inner[i] == kDomainOne;
    }
    return key;
}

void tessellate(const TessellationInfo& info, const TessellationKey& key, Tessellation& made) {
    made.points.clear();
    made.corners.clear();
    made.vertices = info.domain == TessellationDomain::Isolines ? 2 : 3;
    Maker maker(info, key, made);
    if (info.domain == TessellationDomain::Isolines)
        isolines(info, key, made);
    else if (key.plain)
        maker.plain();
    else if (info.domain == TessellationDomain::Quads)
        maker.quads();
    else
        maker.triangles();
    if (!info.point_mode)
        return;
    made.vertices = 1;
    made.corners.resize(made.points.size());
    for (size_t i = 0; i < made.corners.size(); ++i)
        made.corners[i] = static_cast<uint16_t>(i);
}

}  // namespace valkyr::raster
