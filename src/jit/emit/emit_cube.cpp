// Cube emitters: choose faces and coordinates (CUBEFACE1, CUBEFACE2, CUBE_SSEL, CUBE_TSEL).
// SPDX-License-Identifier: MIT
//
// Magnitudes are compared as integers: for non-negative floats the orders agree, and NaN comes
// after infinity.
#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"
#include "jit/emit/emitter.hpp"

namespace valkyr::jit {

namespace {

/// The bits of coordinates are handled as integers.
constexpr uint32_t kMagnitude = 0x7FFFFFFF;
using float_bits::kInfinity;
using float_bits::kOne;
constexpr uint32_t kTwo = 0x40000000;
using float_bits::kQuietNan;
using float_bits::kSign;

void replace(S32& x, Mask mask, uint32_t value) {
    x = select(mask, value, x);
}

S32 magnitude(EmitContext& c, unsigned source) {
    Temp value = c.f32(source);
    S32 d(c, s32(value) & kMagnitude);
    c.done_with(value);
    return d;
}

/// The largest magnitude of the three coordinates.
S32 largest_magnitude(EmitContext& c) {
    S32 largest = magnitude(c, 0);
    for (unsigned source = 1; source < 3; ++source)
        largest = max(largest, magnitude(c, source));
    return largest;
}

/// face = base + (value < 0) where |value| is the largest magnitude; -0 counts as positive.
void choose_axis(EmitContext& c, S32& face, unsigned source, const S32& largest, uint32_t base) {
    Temp value = c.f32(source);
    S32 t(c);
    S32 own(c, 0);
    LaneMask m(c);
    m = f32(value) < f32(own);
    own = s32(where(m, 1U << 29) | base << 29);
    t = s32(value) & kMagnitude;
    m = t == largest;
    face = select(m, own, face);
    c.done_with(value);
}

/// Where bit 16 of the face word is set, infinite values become +-1, finite ones +-0; NaN stays.
void finish_coordinate(EmitContext& c, S32& d, Vec face) {
    S32 t(c);
    U32 one(c);
    LaneMask m(c);
    const TempMask collapse = c.scratch_mask();
    t = d & kMagnitude;
    m = t == kInfinity;
    one = where(m, kOne);
    m = t <= kInfinity;
    t = d & kSign;
    one |= t;
    t = s32(face) & (1U << 16);
    c.h.test_nonzero(collapse, t);
    m &= collapse;
    d = select(m, s32(one), d);
    c.canonicalise(d);
    c.write(d);
}

}  // namespace

VALKYR_EMIT(CUBEFACE1) {
    S32 d = largest_magnitude(c);
    S32 largest(c);
    LaneMask m(c);
    largest = s32(d);
    m = largest < 0x00800000;
    replace(d, m, kTwo);
    m = largest == kInfinity;
    replace(d, m, kOne);
    m = largest > kInfinity;
    replace(d, m, kQuietNan);
    c.write(d);
    c.set_quiet();
}

VALKYR_EMIT(CUBEFACE2) {
    const S32 largest = largest_magnitude(c);
    S32 face(c);
    S32 t(c, 0);
    LaneMask m(c);
    m = f32(c.f32(0)) < f32(t);
    face = s32(where(m, 1U << 29));
    choose_axis(c, face, 1, largest, 2);
    choose_axis(c, face, 2, largest, 4);
    m = largest == kInfinity;
    t = s32(where(m, 1U << 16));
    face |= t;
    m = largest > kInfinity;
    replace(face, m, 4U << 29);
    c.write(face);
}

// Faces 0, 1: z, negated on 0. Others: x, negated on 5 and 7.
VALKYR_EMIT(CUBE_SSEL) {
    const U32 face(c, c.word(2));
    S32 z(c);
    S32 x(c);
    LaneMask m(c);
    x = s32(face << 2);  // bit 31: face is odd
    z = ~x & kSign;
    x = (x & face) & kSign;
    z ^= c.f32(0);
    x ^= c.f32(1);
    m = face < 2U << 29;
    x = select(m, z, x);
    z.reset();
    m.reset();
    finish_coordinate(c, x, face);
}

// Faces 2, 3: z, negated on 3. Others: -y.
VALKYR_EMIT(CUBE_TSEL) {
    const U32 face(c, c.word(2));
    S32 z(c);
    S32 y(c);
    LaneMask m(c);
    z = s32(face << 2) & kSign;
    z ^= c.f32(1);
    y = s32(face >> 30);
    m = y == 1;
    y = s32(c.f32(0)) ^ kSign;
    y = select(m, z, y);
    z.reset();
    m.reset();
    finish_coordinate(c, y, face);
}

}  // namespace valkyr::jit
