// Frexp: splits binary32 numbers into mantissa and exponent.
// SPDX-License-Identifier: MIT
//
// For x = s * 2^e * m with 1 <= m < 2 the exponent field of the result is 126 (Plain), 126 for odd
// e and 125 for even e (Sqrt), 127 for m < 1.5 and 126 otherwise (Log).
#include "jit/emit/frexp.hpp"

#include "base/float_bits.hpp"

namespace valkyr::jit {

namespace {

constexpr uint32_t kFraction = 0x007FFFFF;
using float_bits::kInfinity;
using float_bits::kSign;

/// d = the exponent field of the result: its highest value less one bit of a. Sqrt subtracts the
/// lowest bit of the biased exponent, Log the top fraction bit, moved up by one.
void exponent_field(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    HostAssembler& h = c.h;
    switch (mode) {
    case FrexpMode::Plain: h.move(d, c.pool(126U << 23)); return;
    case FrexpMode::Sqrt:
        // e is even where the biased exponent is odd.
        h.op(Binary::And, d, a, c.pool(0x00800000));
        break;
    case FrexpMode::Log:
        h.op(Binary::And, d, a, c.pool(0x00400000));
        h.op(Binary::AddI32, d, d, d);
        break;
    }
    const Temp top = c.constant(mode == FrexpMode::Sqrt ? 126U << 23 : 127U << 23);
    h.op(Binary::SubI32, d, top, d);
}

/// Finite nonzero values, scaled into the normal range where they are subnormal.
struct Normalised {
    Temp value;
    TempMask subnormal;
    TempMask special;
};

Normalised normalise(EmitContext& c, Vec a) {
    HostAssembler& h = c.h;
    Normalised n{c.scratch(), c.scratch_mask(), c.scratch_mask()};
    const Temp magnitude = c.scratch();
    h.op(Binary::And, magnitude, a, c.pool(~kSign));
    // magnitude - 1 as an unsigned number orders subnormals, normals, infinity and NaN, zero.
    const Temp ones = c.constant(0xFFFFFFFF);
    h.op(Binary::AddI32, magnitude, magnitude, ones);
    h.compare(IntCond::Less, Element::B32, false, n.subnormal, magnitude, c.pool(kFraction));
    h.compare(IntCond::GreaterEqual, Element::B32, false, n.special, magnitude,
              c.pool(kInfinity - 1));
    h.op(Binary::MulF32, magnitude, a, c.pool(0x4B800000));  // 2^24
    h.select(Element::B32, n.value, n.subnormal, magnitude, a);
    return n;
}

}  // namespace

void normal_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    const Temp field = c.scratch();
    exponent_field(c, field, a, mode);
    c.h.op(Binary::And, d, a, c.pool(kSign | kFraction));
    c.h.op(Binary::Or, d, d, field);
}

void frexp_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    const Normalised n = normalise(c, a);
    normal_mantissa(c, d, n.value, mode);
    c.h.select(Element::B32, d, n.special, a, d);
}

void frexp_exponent(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    HostAssembler& h = c.h;
    const Normalised n = normalise(c, a);
    // The result is e(value) - e(mantissa), from biased fields; Sqrt halves the (even) difference.
    const Temp field = c.scratch();
    exponent_field(c, field, n.value, mode);
    h.op(Binary::And, d, n.value, c.pool(kInfinity));
    h.op(Binary::SubI32, d, d, field);
    h.mask_value(Element::B32, field, n.subnormal, 24U << 23);
    h.op(Binary::SubI32, d, d, field);
    h.op(ImmOp::Sar32, d, d, mode == FrexpMode::Sqrt ? 24 : 23);
    h.zero(field);
    h.select(Element::B32, d, n.special, field, d);
}

}  // namespace valkyr::jit
