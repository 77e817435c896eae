// Frexp: splits binary32 numbers into mantissa and exponent.
// SPDX-License-Identifier: MIT
//
// For x = s * 2^e * m with 1 <= m < 2 the exponent field of the result is 126 (Plain), 126 for odd
// e and 125 for even e (Sqrt), 127 for m < 1.5 and 126 otherwise (Log).
#include "jit/emit/frexp.hpp"

#include "base/float_bits.hpp"
#include "jit/context/formula.hpp"

namespace valkyr::jit {

namespace {

constexpr uint32_t kFraction = 0x007FFFFF;
using float_bits::kInfinity;
using float_bits::kSign;

/// d = the exponent field of the result: its highest value less one bit of a. Sqrt subtracts the
/// lowest bit of the biased exponent, Log the top fraction bit, moved up by one.
void exponent_field(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    U32 field(c, d);
    switch (mode) {
    case FrexpMode::Plain: field = 126U << 23; return;
    case FrexpMode::Sqrt:
        // e is even where the biased exponent is odd.
        field = u32(a) & 0x00800000;
        break;
    case FrexpMode::Log:
        field = u32(a) & 0x00400000;
        field += field;
        break;
    }
    field = (mode == FrexpMode::Sqrt ? 126U << 23 : 127U << 23) - field;
}

/// Finite nonzero values, scaled into the normal range where they are subnormal.
struct Normalised {
    F32 value;
    LaneMask subnormal;
    LaneMask special;
};

Normalised normalise(EmitContext& c, Vec a) {
    Normalised n{F32(c), LaneMask(c), LaneMask(c)};
    U32 magnitude(c, u32(a) & ~kSign);
    // magnitude - 1 as an unsigned number orders subnormals, normals, infinity and NaN, zero.
    magnitude += U32(c, ~0U);
    n.subnormal = magnitude < kFraction;
    n.special = magnitude >= kInfinity - 1;
    F32 normal(c, magnitude);
    normal = f32(a) * 0x1p24F;
    n.value = select(n.subnormal, normal, a);
    return n;
}

}  // namespace

void normal_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    const Temp field = c.scratch();
    exponent_field(c, field, a, mode);
    U32 mantissa(c, d);
    mantissa = (u32(a) & (kSign | kFraction)) | field;
}

void frexp_mantissa(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    const Normalised n = normalise(c, a);
    normal_mantissa(c, d, n.value, mode);
    c.h.select(Element::B32, d, n.special, a, d);
}

void frexp_exponent(EmitContext& c, Vec d, Vec a, FrexpMode mode) {
    const Normalised n = normalise(c, a);
    // The result is e(value) - e(mantissa), from biased fields; Sqrt halves the (even) difference.
    S32 field(c);
    exponent_field(c, field, n.value, mode);
    S32 exponent(c, d);
    exponent = (s32(n.value) & kInfinity) - field;
    field = s32(where(n.subnormal, 24U << 23));
    exponent = (exponent - field) >> (mode == FrexpMode::Sqrt ? 24 : 23);
    field = 0;
    exponent = select(n.special, field, exponent);
}

}  // namespace valkyr::jit
