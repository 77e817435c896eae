// Cube emitters: choose faces and coordinates (CUBEFACE1, CUBEFACE2, CUBE_SSEL, CUBE_TSEL).
// SPDX-License-Identifier: MIT
//
// Magnitudes are compared as integers: for non-negative floats the orders agree, and NaN comes
// after infinity.
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"

namespace valkyr::jit {

namespace {

constexpr uint32_t kMagnitude = 0x7FFFFFFF;
using float_bits::kInfinity;
using float_bits::kOne;
constexpr uint32_t kTwo = 0x40000000;
using float_bits::kQuietNan;
using float_bits::kSign;

void replace(EmitContext& c, Vec d, Mask mask, uint32_t value) {
    c.h.select(Element::B32, d, mask, c.pool(value), d);
}

Temp magnitude(EmitContext& c, unsigned source) {
    Temp value = c.f32(source);
    Temp d = c.scratch();
    c.h.op(Binary::And, d, value, c.pool(kMagnitude));
    c.done_with(value);
    return d;
}

/// face = base + (value < 0) where |value| is the largest magnitude; -0 counts as positive.
void choose_axis(EmitContext& c, Vec face, unsigned source, Vec largest, uint32_t base) {
    HostAssembler& h = c.h;
    Temp value = c.f32(source);
    const Temp t = c.scratch();
    const Temp zero = c.constant(0);
    const TempMask m = c.scratch_mask();
    h.compare(FloatCond::Less, m, value, zero);
    h.mask_value(Element::B32, zero, m, 1U << 29);
    h.op(Binary::Or, zero, zero, c.pool(base << 29));
    h.op(Binary::And, t, value, c.pool(kMagnitude));
    h.compare(IntCond::Equal, Element::B32, true, m, t, largest);
    h.select(Element::B32, face, m, zero, face);
    c.done_with(value);
}

/// Where bit 16 of the face word is set, infinite values become +-1, finite ones +-0; NaN stays.
void finish_coordinate(EmitContext& c, Vec d, Vec face) {
    HostAssembler& h = c.h;
    const Temp t = c.scratch();
    const Temp one = c.scratch();
    const TempMask m = c.scratch_mask();
    const TempMask collapse = c.scratch_mask();
    h.op(Binary::And, t, d, c.pool(kMagnitude));
    h.compare(IntCond::Equal, Element::B32, true, m, t, c.pool(kInfinity));
    h.mask_value(Element::B32, one, m, kOne);
    h.compare(IntCond::LessEqual, Element::B32, true, m, t, c.pool(kInfinity));
    h.op(Binary::And, t, d, c.pool(kSign));
    h.op(Binary::Or, one, one, t);
    h.op(Binary::And, t, face, c.pool(1U << 16));
    h.test_nonzero(collapse, t);
    h.mask_and(m, m, collapse);
    h.select(Element::B32, d, m, one, d);
    c.canonicalise(d);
    c.write(d);
}

}  // namespace

VALKYR_EMIT(CUBEFACE1) {
    HostAssembler& h = c.h;
    const Temp d = magnitude(c, 0);
    for (unsigned source = 1; source < 3; ++source) {
        const Temp m = magnitude(c, source);
        h.op(Binary::MaxS32, d, d, m);
    }
    const Temp largest = c.scratch();
    const TempMask m = c.scratch_mask();
    h.move(largest, d);
    h.compare(IntCond::Less, Element::B32, true, m, largest, c.pool(0x00800000));
    replace(c, d, m, kTwo);
    h.compare(IntCond::Equal, Element::B32, true, m, largest, c.pool(kInfinity));
    replace(c, d, m, kOne);
    h.compare(IntCond::Greater, Element::B32, true, m, largest, c.pool(kInfinity));
    replace(c, d, m, kQuietNan);
    c.write(d);
    c.set_quiet();
}

VALKYR_EMIT(CUBEFACE2) {
    HostAssembler& h = c.h;
    const Temp largest = magnitude(c, 0);
    for (unsigned source = 1; source < 3; ++source) {
        const Temp m = magnitude(c, source);
        h.op(Binary::MaxS32, largest, largest, m);
    }
    const Temp face = c.scratch();
    const Temp t = c.constant(0);
    const TempMask m = c.scratch_mask();
    h.compare(FloatCond::Less, m, c.f32(0), t);
    h.mask_value(Element::B32, face, m, 1U << 29);
    choose_axis(c, face, 1, largest, 2);
    choose_axis(c, face, 2, largest, 4);
    h.compare(IntCond::Equal, Element::B32, true, m, largest, c.pool(kInfinity));
    h.mask_value(Element::B32, t, m, 1U << 16);
    h.op(Binary::Or, face, face, t);
    h.compare(IntCond::Greater, Element::B32, true, m, largest, c.pool(kInfinity));
    replace(c, face, m, 4U << 29);
    c.write(face);
}

// Faces 0, 1: z, negated on 0. Others: x, negated on 5 and 7.
VALKYR_EMIT(CUBE_SSEL) {
    HostAssembler& h = c.h;
    const Temp face = c.word(2);
    Temp z = c.scratch();
    const Temp x = c.scratch();
    TempMask m = c.scratch_mask();
    h.op(ImmOp::Shl32, x, face, 2);  // bit 31: face is odd
    h.op(Binary::AndNot, z, x, c.pool(kSign));
    h.op(Binary::And, x, x, face);
    h.op(Binary::And, x, x, c.pool(kSign));
    h.op(Binary::Xor, z, z, c.f32(0));
    h.op(Binary::Xor, x, x, c.f32(1));
    h.compare(IntCond::Less, Element::B32, false, m, face, c.pool(2U << 29));
    h.select(Element::B32, x, m, z, x);
    z.reset();
    m.reset();
    finish_coordinate(c, x, face);
}

// Faces 2, 3: z, negated on 3. Others: -y.
VALKYR_EMIT(CUBE_TSEL) {
    HostAssembler& h = c.h;
    const Temp face = c.word(2);
    Temp z = c.scratch();
    const Temp y = c.scratch();
    TempMask m = c.scratch_mask();
    h.op(ImmOp::Shl32, z, face, 2);
    h.op(Binary::And, z, z, c.pool(kSign));
    h.op(Binary::Xor, z, z, c.f32(1));
    h.op(ImmOp::Shr32, y, face, 30);
    h.compare(IntCond::Equal, Element::B32, true, m, y, c.pool(1));
    h.op(Binary::Xor, y, c.f32(0), c.pool(kSign));
    h.select(Element::B32, y, m, z, y);
    z.reset();
    m.reset();
    finish_coordinate(c, y, face);
}

}  // namespace valkyr::jit
