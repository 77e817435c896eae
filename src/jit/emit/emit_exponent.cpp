// Exponent emitters: split and scale numbers (FREXPM, FREXPE, LDEXP, FADD_LSCALE).
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "jit/emit/emitter.hpp"
#include "jit/emit/frexp.hpp"

namespace valkyr::jit {

using valhall::Clamp;
using valhall::Mod;

namespace {

using float_bits::kInfinity;
using float_bits::kSign;

FrexpMode frexp_mode(const EmitContext& c) {
    if (c.instr().mod(Mod::sqrt))
        return FrexpMode::Sqrt;
    return c.instr().mod(Mod::log) ? FrexpMode::Log : FrexpMode::Plain;
}

}  // namespace

VALKYR_EMIT(FREXPM_F32) {
    const Temp d = c.scratch();
    frexp_mantissa(c, d, c.f32(0), frexp_mode(c));
    c.canonicalise(d);
    c.write(d);
}

VALKYR_EMIT(FREXPE_F32) {
    const Temp d = c.scratch();
    frexp_exponent(c, d, c.f32(0), frexp_mode(c));
    c.write(d);
}

// In binary32 all nonzero halves are normal numbers. The f32 steps apply to them, and their
// mantissas are halves again.
VALKYR_EMIT(FREXPM_V2F16) {
    const auto mantissa = [&](unsigned lane) {
        const Temp a = c.f16_lane(0, lane);
        Temp d = c.scratch();
        frexp_mantissa(c, d, a, frexp_mode(c));
        return d;
    };
    const Temp low = mantissa(0);
    c.write_v2f16(low, mantissa(1), Clamp::none, Rounding::Nearest);
}

VALKYR_EMIT(FREXPE_V2F16) {
    const auto exponent = [&](unsigned lane) {
        const Temp a = c.f16_lane(0, lane);
        Temp d = c.scratch();
        frexp_exponent(c, d, a, frexp_mode(c));
        return d;
    };
    const Temp low = exponent(0);
    const Temp high = exponent(1);
    c.h.op(Binary::And, low, low, c.pool(0xFFFF));
    c.pack_halves(low, low, high);
    c.write(low);
}

VALKYR_EMIT(LDEXP_F32) {
    const Temp a = c.f32(0);
    const Temp n = c.word(1);
    const Temp d = c.scratch();
    c.h.scale_f32(d, a, n, static_cast<Rounding>(c.instr().mod(Mod::roundmode)));
    c.canonicalise(d);
    c.write(d);
}

// L(b): the mantissa of b in [0.75, 1.5); zeros, subnormals, infinities and NaN are not scaled.
VALKYR_EMIT(FADD_LSCALE_F32) {
    const Temp a = c.f32(0);
    const Temp b = c.f32(1);
    const Temp scaled = c.scratch();
    normal_mantissa(c, scaled, b, FrexpMode::Log);
    const Temp magnitude = c.scratch();
    const TempMask special = c.scratch_mask();
    c.h.op(Binary::And, magnitude, b, c.pool(~kSign));
    c.h.op(Binary::SubI32, magnitude, magnitude, c.pool(0x00800000));
    c.h.compare(IntCond::GreaterEqual, Element::B32, false, special, magnitude,
                c.pool(kInfinity - 0x00800000));
    c.h.select(Element::B32, scaled, special, b, scaled);
    c.h.op(Binary::AddF32, scaled, scaled, a);
    c.write_f32(scaled);
}

}  // namespace valkyr::jit
