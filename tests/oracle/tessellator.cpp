// Tessellator: divides a domain, in the order of docs/rules/tessellation.md.
// SPDX-License-Identifier: MIT
#include "tests/oracle/tessellator.hpp"

#include <algorithm>
#include <cmath>

namespace valkyr::reference {
namespace {

using exec::TessellationInfo;
using Domain = exec::TessellationDomain;
using Spacing = exec::TessellationSpacing;

constexpr uint32_t kOne = 65536;
constexpr uint32_t kHalf = 32768;

/// "Rows": a divided unit interval.
struct Row {
    std::vector<uint32_t> at;
    bool odd = false;
    uint32_t half = 0;  ///< whole segments in a half

    [[nodiscard]] uint32_t points() const { return static_cast<uint32_t>(at.size()); }
};

uint32_t without_highest_bit(uint32_t v) {
    uint32_t highest = 1;
    while (highest * 2 <= v)
        highest *= 2;
    return v == 0 ? 0 : v - highest;
}

uint64_t reciprocal(uint32_t m) {
    return m == 0 ? 0 : (kOne + m / 2) / m;
}

Row make_row(uint32_t level, bool odd) {
    uint32_t h = (level + 1) / 2;
    if (odd || h == kHalf)
        h += kHalf;
    const uint32_t lo = h / kOne;
    const uint32_t fr = h % kOne;
    const uint32_t hi = fr == 0 ? lo : lo + 1;
    const uint32_t o = odd ? 1 : 0;
    uint32_t split = UINT32_MAX;
    if (fr != 0 && odd)
        split = lo == 1 ? 0 : 2 * without_highest_bit(lo - 1) + 1;
    else if (fr != 0)
        split = 2 * without_highest_bit(lo) + 1;
    const uint32_t n = 2 * hi + 1 - o;
    Row row{std::vector<uint32_t>(n), odd, hi - o};
    for (uint32_t i = 0; 2 * i <= n - 1; i++) {
        const uint32_t a = i > split ? i - 1 : i;
        const uint64_t low = a * reciprocal(2 * lo - o) * (kOne - fr);
        const uint64_t high = i * reciprocal(2 * hi - o) * fr;
        row.at[i] = 2 * i == n - 1 ? kHalf : static_cast<uint32_t>((low + high + kHalf) / kOne);
        row.at[n - 1 - i] = kOne - row.at[i];
    }
    return row;
}

bool is_odd(Spacing spacing, uint32_t level) {
    return spacing == Spacing::Equal ? level / kOne % 2 == 1 : spacing == Spacing::FractionalOdd;
}

/// "Levels", after step 4.
struct Levels {
    bool culled = false;
    bool plain = false;
    std::array<uint32_t, 4> outer{};
    std::array<uint32_t, 2> inner{};
};

/// Steps 2 and 4 for one level: NaN becomes the lower bound.
double clamped(float level, double low, double high, bool rounds_up) {
    const double inside = std::isnan(level) ? low : std::clamp(double{level}, low, high);
    return rounds_up ? std::ceil(inside) : inside;
}
uint32_t fixed(double level) {
    return static_cast<uint32_t>(std::nearbyint(level * kOne));
}

Levels make_levels(const TessellationInfo& rules,
                   const std::array<float, 4>& outer,
                   const std::array<float, 2>& inner) {
    const bool equal = rules.spacing == Spacing::Equal;
    const bool odd = rules.spacing == Spacing::FractionalOdd;
    const bool isolines = rules.domain == Domain::Isolines;
    const bool quads = rules.domain == Domain::Quads;
    double low = rules.spacing == Spacing::FractionalEven ? 2 : 1;
    const double high = odd ? 63 : 64;
    const size_t outer_count = isolines ? 2 : quads ? 4 : 3;
    const size_t inner_count = isolines ? 0 : quads ? 2 : 1;
    const double more_than_one = 1 + std::ldexp(1.0, -17);
    Levels levels;
    levels.plain = !isolines && rules.spacing != Spacing::FractionalEven;
    bool any_more = false;
    for (size_t i = 0; i < outer_count; i++) {
        levels.culled |= !(outer[i] > 0);
        const double level = isolines && i == 0 ? clamped(outer[i], 1, 64, true)
                                                : clamped(outer[i], low, high, equal);
        any_more |= level > more_than_one;
        levels.outer[i] = fixed(level);
        levels.plain &= levels.outer[i] == kOne;
    }
    for (const float level : inner)
        any_more |= quads && level > more_than_one;
    if (odd && any_more)
        low = 1 + std::ldexp(1.0, -16);
    for (size_t i = 0; i < inner_count; i++) {
        levels.inner[i] = fixed(clamped(inner[i], low, high, equal));
        levels.plain &= levels.inner[i] == kOne;
    }
    return levels;
}

/// A ring: the points of each side, from corner to corner.
using Side = std::vector<uint32_t>;
using Ring = std::vector<Side>;

/// "T(k)"
uint32_t turn(uint32_t k) {
    if (k < 2)
        return k * 32;
    const uint32_t m = k - 1;
    uint32_t zeros = 0;
    while ((m >> zeros) % 2 == 0)
        zeros++;
    return (16U >> zeros) + ((m >> zeros) - 1) / 2;
}

/// Divides a triangle or a quad.
class Divider {
public:
    Divider(const TessellationInfo& rules, const Levels& levels)
        : rules_(rules)
        , levels_(levels) {}

    void plain();
    void quads();
    void triangles();
    Division take() { return std::move(made_); }

private:
    uint32_t point(uint32_t u, uint32_t v) {
        made_.points.push_back({u, v});
        return static_cast<uint32_t>(made_.points.size() - 1);
    }
    void triangle(uint32_t a, uint32_t b, uint32_t c) {
        made_.primitives.push_back(rules_.clockwise ? Side{a, c, b} : Side{a, b, c});
    }
    [[nodiscard]] Row outer_row(size_t i) const {
        return make_row(levels_.outer[i], is_odd(rules_.spacing, levels_.outer[i]));
    }
    [[nodiscard]] Row inner_row(size_t i) const {
        const uint32_t level = levels_.inner[i];
        const bool acts_as_two = rules_.spacing == Spacing::Equal && level == kOne;
        return make_row(level, !acts_as_two && is_odd(rules_.spacing, level));
    }
    /// Adds a ring of sides that lack their last points.
    void close(Ring ring);
    void quad_ring(const Row& u, const Row& v, uint32_t r);
    void triangle_ring(const Row& s, uint32_t r);
    void outermost(const Side& inside, const Side& outside, const Row& x, const Row& y);
    void between(const Side& inside, const Side& outside);
    void join_inner_rings();
    void fill_rows();
    void fill_columns(bool v_is_even);

    const TessellationInfo& rules_;
    const Levels& levels_;
    Division made_;
    std::vector<Ring> rings_;
};

void Divider::plain() {
    if (rules_.domain == Domain::Quads) {
        made_.points = {{0, 0}, {kOne, 0}, {kOne, kOne}, {0, kOne}};
        triangle(0, 1, 3);
        triangle(1, 2, 3);
    } else {
        made_.points = {{0, kOne}, {0, 0}, {kOne, 0}};
        triangle(0, 1, 2);
    }
}

void Divider::close(Ring ring) {
    for (size_t e = 0; e < ring.size(); e++)
        ring[e].push_back(ring[(e + 1) % ring.size()].front());
    rings_.push_back(std::move(ring));
}

void Divider::quad_ring(const Row& u, const Row& v, uint32_t r) {
    const uint32_t across = u.points() - 1 - 2 * r;  // segments
    const uint32_t up = v.points() - 1 - 2 * r;
    Ring ring(4);
    for (uint32_t i = 0; i < up; i++)
        ring[0].push_back(point(u.at[r], v.at[r + up - i]));
    for (uint32_t i = 0; i < across; i++)
        ring[1].push_back(point(u.at[r + i], v.at[r]));
    for (uint32_t i = 0; i < up; i++)
        ring[2].push_back(point(u.at[r + across], v.at[r + i]));
    for (uint32_t i = 0; i < across; i++)
        ring[3].push_back(point(u.at[r + across - i], v.at[r + up]));
    close(std::move(ring));
}

void Divider::quads() {
    const Row rows[] = {outer_row(0), outer_row(1), outer_row(2), outer_row(3)};
    Ring outer(4);
    for (size_t e = 0; e < 4; e++) {
        for (uint32_t i = 0; i + 1 < rows[e].points(); i++) {
            const uint32_t c = rows[e].at[i];
            const DomainPoint places[] = {{0, kOne - c}, {c, 0}, {kOne, c}, {kOne - c, kOne}};
            outer[e].push_back(point(places[e].u, places[e].v));
        }
    }
    close(std::move(outer));
    const Row u = inner_row(0);
    const Row v = inner_row(1);
    uint32_t r = 1;
    for (; u.points() >= 2 * r + 2 && v.points() >= 2 * r + 2; r++)
        quad_ring(u, v, r);
    const bool is_wide = u.points() > v.points();
    Side middle;
    if (is_wide && v.points() == 2 * r + 1) {
        for (uint32_t p = r; p + r < u.points(); p++)
            middle.push_back(point(u.at[p], kHalf));
        const Side back(middle.rbegin(), middle.rend());
        rings_.push_back({{middle.front()}, middle, {middle.back()}, back});
    } else if (!is_wide && u.points() == 2 * r + 1) {
        for (uint32_t p = r; p + r < v.points(); p++)
            middle.push_back(point(kHalf, v.at[v.points() - 1 - p]));
        const Side back(middle.rbegin(), middle.rend());
        rings_.push_back({middle, {middle.back()}, back, {middle.front()}});
    }
    for (size_t e = 0; e < 4; e++)
        outermost(rings_[1][e], rings_[0][e], e % 2 == 0 ? v : u, rows[e]);
    join_inner_rings();
    if (is_wide && v.odd)
        fill_rows();
    else if (!is_wide && u.odd)
        fill_columns(!v.odd);
}

void Divider::triangle_ring(const Row& s, uint32_t r) {
    const auto c = static_cast<uint32_t>((s.at[r] * uint64_t{0xAAAA} + kHalf) / kOne);
    const uint32_t segments = s.points() - 1 - 2 * r;
    const auto w = [&](uint32_t p) { return s.at[p] - (c + 1) / 2; };
    Ring ring(3);
    for (uint32_t i = 0; i < segments; i++)
        ring[0].push_back(point(c, w(r + segments - i)));
    for (uint32_t i = 0; i < segments; i++)
        ring[1].push_back(point(w(r + i), c));
    for (uint32_t i = 0; i < segments; i++) {
        const uint32_t u = w(r + segments - i);
        ring[2].push_back(point(u, kOne - u - c));
    }
    close(std::move(ring));
}

void Divider::triangles() {
    const Row rows[] = {outer_row(0), outer_row(1), outer_row(2)};
    Ring outer(3);
    for (size_t e = 0; e < 3; e++) {
        for (uint32_t i = 0; i + 1 < rows[e].points(); i++) {
            const uint32_t c = rows[e].at[i];
            const DomainPoint places[] = {{0, kOne - c}, {c, 0}, {kOne - c, c}};
            outer[e].push_back(point(places[e].u, places[e].v));
        }
    }
    close(std::move(outer));
    const Row s = inner_row(0);
    for (uint32_t r = 1; s.points() >= 2 * r + 2; r++)
        triangle_ring(s, r);
    if (!s.odd) {
        const uint32_t centre = point(0x5555, 0x5555);
        rings_.push_back(Ring(3, Side{centre}));
    }
    for (size_t e = 0; e < 3; e++)
        outermost(rings_[1][e], rings_[0][e], s, rows[e]);
    join_inner_rings();
    const Ring& last = rings_.back();
    if (s.odd)
        triangle(last[0][0], last[1][0], last[2][0]);
}

/// Joins a side of the second ring with one of the outermost.
void Divider::outermost(const Side& inside, const Side& outside, const Row& x, const Row& y) {
    size_t i = 0;
    size_t o = 0;
    const auto out = [&] {
        triangle(outside[o], outside[o + 1], inside[i]);
        o++;
    };
    const auto in = [&] {
        triangle(inside[i], outside[o], inside[i + 1]);
        i++;
    };
    for (uint32_t k = 0; k <= 32; k++) {
        if (k > 0 && turn(k) < x.half)
            in();
        if (turn(k) < y.half)
            out();
    }
    // The step in the middle of odd rows.
    if (x.odd)
        in();
    if (y.odd) {
        triangle(inside[i], outside[o], outside[o + 1]);
        o++;
    }
    for (uint32_t k = 32; k != UINT32_MAX; k--) {
        if (turn(k) < y.half)
            out();
        if (k > 0 && turn(k) < x.half)
            in();
    }
}

/// Joins two sides of the same inner level.
void Divider::between(const Side& inside, const Side& outside) {
    const size_t k = inside.size();
    triangle(outside[0], outside[1], inside[0]);
    for (size_t p = 0; p + 1 < k; p++) {
        const size_t j = p + 1;
        if (p < k / 2) {
            triangle(outside[j], inside[p + 1], inside[p]);
            triangle(outside[j], outside[j + 1], inside[p + 1]);
        } else {
            triangle(inside[p], outside[j], outside[j + 1]);
            triangle(inside[p], outside[j + 1], inside[p + 1]);
        }
    }
    triangle(outside[k], outside[k + 1], inside[k - 1]);
}

void Divider::join_inner_rings() {
    for (size_t ring = 2; ring < rings_.size(); ring++)
        for (size_t e = 0; e < rings_[ring].size(); e++)
            between(rings_[ring][e], rings_[ring - 1][e]);
}

/// Two rows are left, both with rising u.
void Divider::fill_rows() {
    const Side& o = rings_.back()[1];
    const Side i(rings_.back()[3].rbegin(), rings_.back()[3].rend());
    for (size_t p = 0; p + 1 < o.size(); p++) {
        triangle(i[p], o[p], o[p + 1]);
        triangle(i[p], o[p + 1], i[p + 1]);
    }
}

/// Two columns are left, both with falling v.
void Divider::fill_columns(bool v_is_even) {
    const Side& o = rings_.back()[0];
    const Side i(rings_.back()[2].rbegin(), rings_.back()[2].rend());
    for (size_t p = 0; p + 1 < o.size(); p++) {
        const bool in_the_middle = 2 * p + 2 == o.size();
        if (v_is_even) {
            triangle(i[p], o[p], o[p + 1]);
            triangle(i[p], o[p + 1], i[p + 1]);
        } else if (in_the_middle) {
            triangle(o[p], i[p + 1], i[p]);
            triangle(o[p], o[p + 1], i[p + 1]);
        } else {
            triangle(o[p], o[p + 1], i[p]);
            triangle(i[p], o[p + 1], i[p + 1]);
        }
    }
}

Division isolines(const TessellationInfo& rules, const Levels& levels) {
    const Row lines = make_row(levels.outer[0], is_odd(Spacing::Equal, levels.outer[0]));
    const Row row = make_row(levels.outer[1], is_odd(rules.spacing, levels.outer[1]));
    Division made;
    for (uint32_t line = 0; line + 1 < lines.points(); line++) {
        for (uint32_t p = 0; p < row.points(); p++) {
            if (p != 0) {
                const auto last = static_cast<uint32_t>(made.points.size() - 1);
                made.primitives.push_back({last, last + 1});
            }
            made.points.push_back({row.at[p], lines.at[line]});
        }
    }
    return made;
}

}  // namespace

Division
divide(const TessellationInfo& rules, std::array<float, 4> outer, std::array<float, 2> inner) {
    const Levels levels = make_levels(rules, outer, inner);
    Division made;
    if (levels.culled)
        return made;
    if (rules.domain == Domain::Isolines) {
        made = isolines(rules, levels);
    } else {
        Divider divider(rules, levels);
        if (levels.plain)
            divider.plain();
        else if (rules.domain == Domain::Quads)
            divider.quads();
        else
            divider.triangles();
        made = divider.take();
    }
    if (rules.point_mode) {
        made.primitives.clear();
        for (uint32_t point = 0; point < made.points.size(); point++)
            made.primitives.push_back({point});
    }
    return made;
}

}  // namespace valkyr::reference
