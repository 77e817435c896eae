// Cube edges: filter footprints with texels of two faces (docs/rules/sampling.md "Cubes").
// SPDX-License-Identifier: MIT
//
// The case is rare, so the code is a loop over the taps that keeps nearly all values in the frame.
#include "exec/cube_faces.hpp"
#include "jit/expand/texture/inline_texture.hpp"

#include <array>
#include <cstddef>

namespace valkyr::jit {

using exec::TextureLevel;

namespace {

constexpr unsigned kFaces = 6;
constexpr unsigned kEdges = 4;  ///< of a face: y low, y high, x low, x high
constexpr unsigned kTaps = 4;
constexpr uint32_t kTapBytes = sizeof(exec::Lanes);

// A word for each edge: the next face, and x and y there as m * along + c * (size - 1), where
// `along` counts texels along the edge: m + 1 and c.
constexpr unsigned kFaceBits = 3;
constexpr std::array<unsigned, 2> kAlong = {3, 6};
constexpr std::array<unsigned, 2> kLast = {5, 8};

/// m + 1 and c of a coordinate that is `first` and `last` at the ends of the edge.
uint32_t line_of(int64_t first, int64_t last, int64_t size, unsigned axis) {
    const int64_t along = (last - first) / (size - 1);
    return static_cast<uint32_t>(along + 1) << kAlong[axis] |
           static_cast<uint32_t>(first / (size - 1)) << kLast[axis];
}

uint32_t edge_word(uint32_t face, unsigned edge) {
    constexpr int64_t size = 8;
    const int64_t beyond = edge % 2 == 0 ? -1 : size;
    const auto place = [&](int64_t along) {
        const bool in_x = edge >= 2;
        return exec::across_cube_edge({face, in_x ? beyond : along, in_x ? along : beyond}, size);
    };
    const exec::CubeTexel first = place(0);
    const exec::CubeTexel last = place(size - 1);
    return first.face | line_of(first.x, last.x, size, 0) | line_of(first.y, last.y, size, 1);
}

Address edge_table(EmitContext& c) {
    std::array<uint32_t, kFaces * kEdges> words{};
    for (unsigned i = 0; i < words.size(); ++i)
        words[i] = edge_word(i / kEdges, i % kEdges);
    return c.h.pool_words(words);
}

// Places of the loop in the frame, of the first tap; places of the other taps follow.
Address tap_x(const TextureSite& site) {
    return site.tap_coordinate(0, 0);
}
Address tap_y(const TextureSite& site) {
    return site.tap_coordinate(1, 0);
}
Address at_tap(Address first, Gp tap) {
    first.index = tap;
    return first;
}
Address tap_number(Address first, unsigned tap) {
    return first.plus(static_cast<int32_t>(tap * kTapBytes));
}

Operand size_operand(const TextureSite& site) {
    return Operand::broadcast(site.level_member(offsetof(TextureLevel, width)));
}

/// ~0 where a coordinate is outside the face.
U32 outside(const TextureSite& site, const U32& i) {
    U32 flags(site.c);
    const LaneMask lanes = i >= size_operand(site);
    flags = where(lanes, 0xFFFFFFFF);
    return flags;
}

/// Stores the lanes whose tap is beyond a corner, outside in both coordinates, and moves the tap to
/// the first texel of the face, whose value is not used.
void take_corner(const TextureSite& site, Gp tap, U32& x_outside, U32& y_outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    const U32 both = x_outside & y_outside;
    h.store(at_tap(site.corner(0), tap), both);
    for (const Address place : {at_tap(tap_x(site), tap), at_tap(tap_y(site), tap)}) {
        U32 i(c, u32(place));
        i = ~both & i;
        h.store(place, i);
    }
    x_outside = ~both & x_outside;
    y_outside = ~both & y_outside;
    const TempMask lanes = c.scratch_mask();
    h.sign_mask(lanes, both);
    h.mask_bits(site.at.texels, lanes);
    h.or32(site.corner_lanes(), site.at.texels);
}

/// The edge's word: across x where x is outside, else across y. `beyond` is the coordinate that is
/// outside.
U32 load_edge(const TextureSite& site, const S32& beyond, const U32& x_outside) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    S32 v = (beyond >> 31) + 1;
    v += s32(x_outside & 2);
    v += s32(site.face()) << 2;
    h.load_address(site.at.texels, edge_table(c));
    c.gather(v, {site.at.texels, 0, Gp::None, 2}, v);
    return {c, std::move(v)};
}

/// Moves a coordinate of the tap to the next face where the footprint leaves its own.
void cross_edge(const TextureSite& site,
                Address place,
                unsigned axis,
                const U32& edge,
                const S32& along,
                const U32& out) {
    EmitContext& c = site.c;
    S32 to(c);
    S32 last(c);
    to = s32(edge >> kAlong[axis] & 3U);
    last = -1;
    to = (to + last) * along;
    last = s32(edge << (31 - kLast[axis])) >> 31;
    to += last;  // -1, then the size
    last &= size_operand(site);
    to += last;
    last = place;
    to = ((to ^ last) & out) ^ last;
    c.h.store(place, to);
}

/// edge = units up to the slice of the tap's face.
void choose_face(const TextureSite& site, U32& edge, const U32& out) {
    const uint32_t face = (1U << kFaceBits) - 1;
    edge = (((edge & face) - site.face()) & out) + site.slice();
    edge *= Operand::broadcast(slice_units());
}

/// ~0 where a coordinate in the frame is outside the face.
U32 outside_at(const TextureSite& site, Address place) {
    return outside(site, U32(site.c, u32(place)));
}

/// Stores the units of a tap.
void place_tap(const TextureSite& site, Gp tap) {
    EmitContext& c = site.c;
    U32 x_outside = outside_at(site, at_tap(tap_x(site), tap));
    U32 out = outside_at(site, at_tap(tap_y(site), tap));
    take_corner(site, tap, x_outside, out);
    U32 edge(c);
    {
        S32 along(c, s32(at_tap(tap_x(site), tap)));
        S32 beyond(c, s32(at_tap(tap_y(site), tap)));
        edge = u32(along ^ beyond) & x_outside;  // swaps x and y where x is outside
        along ^= edge;
        beyond ^= edge;
        out |= x_outside;
        edge.reset();  // registers are scarce here
        edge = load_edge(site, beyond, x_outside);
        x_outside.reset();
        cross_edge(site, at_tap(tap_x(site), tap), 0, edge, along, out);
        cross_edge(site, at_tap(tap_y(site), tap), 1, edge, along, out);
        choose_face(site, edge, out);
    }
    out.reset();
    S32 element(c, s32(at_tap(tap_x(site), tap)));
    S32 y(c, s32(at_tap(tap_y(site), tap)));
    spread_x(element);
    spread_y(site, y);
    element += y;
    scale_element(site, element);
    element += s32(edge);
    c.h.store(at_tap(site.element(0), tap), element);
}

/// Stores the coordinates of the taps and moves the weights to the registers of `footprint`.
void place_footprint(const TextureSite& site, const Footprint& footprint) {
    HostAssembler& h = site.c.h;
    {
        const AxisTexels x = unwrapped_texels(site, 0);
        for (unsigned tap = 0; tap < kTaps; ++tap)
            h.store(tap_number(tap_x(site), tap), tap % 2 == 0 ? x.first : x.second);
        h.move(footprint.across, x.weight);
    }
    const AxisTexels y = unwrapped_texels(site, 1);
    for (unsigned tap = 0; tap < kTaps; ++tap)
        h.store(tap_number(tap_y(site), tap), tap < 2 ? y.first : y.second);
    h.move(footprint.down, y.weight);
}

// ---------------------------------------------------------------------------------------------
// Corners: the other three texels of the footprint are on the three faces. The texel on the face
// itself is diagonally opposite, the texel across the edge in s has the same x.

constexpr uint32_t kThird = 0x3EAAAAAB;  ///< RN(1/3)

/// The mean of a register and two taps as floor((a + b + c + 1) / 3) of the bytes at even places,
/// which are at odd ones before the shift by 8.
void average_even_bytes(const TextureSite& site, U16& sum, Address b, Address c, unsigned shift) {
    constexpr uint32_t third = 0x5556;  // n / 3 of n < 2^15 is its upper half
    const U32 even(site.c, 0x00FF00FF);
    sum = u16(u32(sum) >> shift & even);
    for (const Address& other : {b, c})
        sum += u16(u32(other) >> shift & even);
    sum = multiply_high(sum + 1, third);
}

/// v = the mean of three taps, `a` diagonally across.
void average_bytes(const TextureSite& site, Vec v, Address a, Address b, Address c) {
    U16 even(site.c, v);
    U16 odd(site.c);
    even = a;
    odd = u16(even);
    average_even_bytes(site, even, b, c, 0);
    average_even_bytes(site, odd, b, c, 8);
    even |= u32(odd) << 8;
}

/// The mean of numbers, or of steps as numbers, whose sums are exact.
void average_numbers(
    const TextureSite& site, Vec v, Address a, Address b, Address c, CornerMean mean) {
    F32 sum(site.c, v);
    sum = a;
    if (mean == CornerMean::OwnFace)
        return;
    sum = sum + b + c;
    if (mean == CornerMean::Steps)
        sum = floor((sum + 1.0F) * f32(kThird));
    else
        sum *= f32(kThird);
    if (mean == CornerMean::Numbers)
        quiet_numbers(site, v);
}

/// corner_value() of each tap = average(register, the other three taps) in lanes where it is the
/// corner.
template <typename Average>
void replace_corners(const TextureSite& site, const Average& average) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    for (unsigned tap = 0; tap < kTaps; ++tap) {
        const Temp mean = c.scratch();
        const Temp v = c.scratch();
        const TempMask lanes = c.scratch_mask();
        average(Vec(mean), site.corner_value(tap ^ 3), site.corner_value(tap ^ 2),
                site.corner_value(tap ^ 1));
        h.load(v, site.corner(tap));
        h.sign_mask(lanes, v);
        h.load(v, site.corner_value(tap));
        h.select(Element::B32, v, lanes, mean, v);
        h.store(site.corner_value(tap), v);
    }
}

/// Averages the corners of byte texels, which are in the registers of the footprint.
void average_words(const TextureSite& site, const Footprint& footprint) {
    HostAssembler& h = site.c.h;
    const Label done = h.new_label();
    jump_without_corners(site, done);
    for (unsigned tap = 0; tap < kTaps; ++tap)
        h.store(site.corner_value(tap), footprint.element[tap]);
    replace_corners(
        site, [&](Vec v, Address a, Address b, Address c) { average_bytes(site, v, a, b, c); });
    for (unsigned tap = 0; tap < kTaps; ++tap)
        h.load(footprint.element[tap], site.corner_value(tap));
    h.bind(done);
}

}  // namespace

void average_corners(const TextureSite& site, CornerMean mean) {
    replace_corners(site, [&](Vec v, Address a, Address b, Address c) {
        average_numbers(site, v, a, b, c, mean);
    });
}

void jump_without_corners(const TextureSite& site, Label label) {
    site.c.h.compare32(site.corner_lanes(), 0);
    site.c.h.jump(Jump::Equal, label);
}

void filter_across_edges(const TextureSite& site, const Footprint& footprint, Taps taps) {
    EmitContext& c = site.c;
    HostAssembler& h = c.h;
    place_footprint(site, footprint);
    {
        const Scalar tap = c.scalar();
        const Label next = h.new_label();
        h.move(tap, uint64_t{0});
        h.bind(next);
        place_tap(site, tap);
        h.add64(tap, static_cast<int32_t>(kTapBytes));
        h.compare32(tap, kTaps * kTapBytes);
        h.jump(Jump::NotEqual, next);
    }
    h.load64(site.at.texels, site.level_member(offsetof(TextureLevel, data)));
    for (unsigned tap = 0; tap < kTaps; ++tap) {
        const Vec v = footprint.element[tap];
        h.load(v, site.element(tap));
        if (taps == Taps::Words)
            fetch_word(site, v, v, 0);
    }
    if (site.kind == TexelKind::Bytes)
        average_words(site, footprint);
}

}  // namespace valkyr::jit
