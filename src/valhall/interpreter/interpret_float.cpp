// Float instructions: FADD, FMA, FMIN, FMAX, FROUND, FREXP, LDEXP, FMA_RSCALE, FADD_LSCALE.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_exponent.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

Clamp clamp_of(const Instr& i) {
    return i.get<Clamp>(Mod::clamp);
}

arith::FrexpMode frexp_mode(const Instr& i) {
    if (i.mod(Mod::sqrt))
        return arith::FrexpMode::Sqrt;
    return i.mod(Mod::log) ? arith::FrexpMode::Log : arith::FrexpMode::Plain;
}

template <auto operation>
Lanes f32_map(const Lanes& a, const Lanes& b) {
    return each([&](unsigned l) { return as_bits(operation(as_float(a.v[l]), as_float(b.v[l]))); });
}

Lanes clamped(const Instr& i, const Lanes& value) {
    const Clamp mode = clamp_of(i);
    if (mode == Clamp::none)
        return value;
    return map(value, [=](uint32_t x) { return as_bits(arith::clamp(mode, as_float(x))); });
}

void write_f32(Machine& m, const Instr& i, const Lanes& value) {
    write(m, i.dest, clamped(i, value));
}

/// FADD.f32 and FMA.f32: a half destination gets the clamped result, converted to f16.
void write_f32_narrowing(Machine& m, const Instr& i, const Lanes& value) {
    const Lanes result = clamped(i, value);
    if (i.dest.mask == 3)
        return write(m, i.dest, result);
    write_half(m, i.dest,
               map(result, [](uint32_t x) { return uint32_t{arith::float_to_half(as_float(x))}; }));
}

void write_v2f16(Machine& m, const Instr& i, const Lanes& value) {
    const Clamp mode = clamp_of(i);
    write(m, i.dest, packed_map<uint16_t>(value, value, [=](uint16_t x, uint16_t) {
              return arith::hclamp(mode, x);
          }));
}

Lanes literal(const Instr& i) {
    return each([&](unsigned) { return static_cast<uint32_t>(i.imm[0]); });
}

template <arith::ZeroProduct zero_product>
void fma_rscale(Machine& m, const Instr& i) {
    const Lanes a = f32_plain(m, i.src[0]);
    const Lanes b = f32_plain(m, i.src[1]);
    const Lanes c = f32_plain(m, i.src[2]);
    const Lanes d = word(m, i.src[3]);
    write_f32(m, i, each([&](unsigned l) {
                  return as_bits(arith::fma_rscale(as_float(a.v[l]), as_float(b.v[l]),
                                                   as_float(c.v[l]), static_cast<int32_t>(d.v[l]),
                                                   zero_product));
              }));
}

}  // namespace

VALKYR_INTERPRET(FADD_F32) {
    write_f32_narrowing(m, i, f32_map<arith::fadd>(f32(m, i.src[0]), f32(m, i.src[1])));
}

VALKYR_INTERPRET(FADD_IMM_F32) {
    write(m, i.dest, f32_map<arith::fadd>(word(m, i.src[0]), literal(i)));
}

VALKYR_INTERPRET(FMIN_F32) {
    write_f32(m, i, f32_map<arith::fmin>(f32(m, i.src[0]), f32(m, i.src[1])));
}

VALKYR_INTERPRET(FMAX_F32) {
    write_f32(m, i, f32_map<arith::fmax>(f32(m, i.src[0]), f32(m, i.src[1])));
}

VALKYR_INTERPRET(FMA_F32) {
    const Lanes a = f32(m, i.src[0]);
    const Lanes b = f32(m, i.src[1]);
    const Lanes c = f32(m, i.src[2]);
    write_f32_narrowing(m, i, each([&](unsigned l) {
                            return as_bits(
                                arith::fma(as_float(a.v[l]), as_float(b.v[l]), as_float(c.v[l])));
                        }));
}

VALKYR_INTERPRET(FADD_V2F16) {
    write_v2f16(m, i, packed_map<uint16_t>(v2f16(m, i.src[0]), v2f16(m, i.src[1]), arith::hadd));
}

VALKYR_INTERPRET(FADD_IMM_V2F16) {
    write(m, i.dest, packed_map<uint16_t>(word(m, i.src[0]), literal(i), arith::hadd));
}

VALKYR_INTERPRET(FMIN_V2F16) {
    write_v2f16(m, i, packed_map<uint16_t>(v2f16(m, i.src[0]), v2f16(m, i.src[1]), arith::hmin));
}

VALKYR_INTERPRET(FMAX_V2F16) {
    write_v2f16(m, i, packed_map<uint16_t>(v2f16(m, i.src[0]), v2f16(m, i.src[1]), arith::hmax));
}

VALKYR_INTERPRET(FMA_V2F16) {
    const Lanes a = v2f16(m, i.src[0]);
    const Lanes b = v2f16(m, i.src[1]);
    const Lanes c = v2f16(m, i.src[2]);
    const auto half = [](uint32_t x, unsigned shift) { return static_cast<uint16_t>(x >> shift); };
    write_v2f16(m, i, each([&](unsigned l) {
                    uint32_t result = 0;
                    for (unsigned s = 0; s < 32; s += 16)
                        result |=
                            uint32_t{arith::hfma(half(a.v[l], s), half(b.v[l], s), half(c.v[l], s))}
                            << s;
                    return result;
                }));
}

VALKYR_INTERPRET(FROUND_F32) {
    const RoundMode mode = rounding_of(i);
    write(m, i.dest, map(f32(m, i.src[0]), [=](uint32_t x) {
              return arith::round_integral(arith::kBinary32, x, mode);
          }));
}

VALKYR_INTERPRET(FROUND_V2F16) {
    const RoundMode mode = rounding_of(i);
    const Lanes a = v2f16(m, i.src[0]);
    write(m, i.dest,
          packed_map<uint16_t>(a, a, [=](uint16_t x, uint16_t) { return arith::hround(x, mode); }));
}

VALKYR_INTERPRET(FREXPM_F32) {
    const arith::FrexpMode mode = frexp_mode(i);
    write(m, i.dest, map(f32(m, i.src[0]), [=](uint32_t x) {
              return arith::frexp_mantissa(arith::kBinary32, x, mode);
          }));
}

VALKYR_INTERPRET(FREXPM_V2F16) {
    const arith::FrexpMode mode = frexp_mode(i);
    const Lanes a = v2f16(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [=](uint16_t x, uint16_t) {
              return static_cast<uint16_t>(arith::frexp_mantissa(arith::kBinary16, x, mode));
          }));
}

VALKYR_INTERPRET(FREXPE_F32) {
    const arith::FrexpMode mode = frexp_mode(i);
    write(m, i.dest, map(f32(m, i.src[0]), [=](uint32_t x) {
              return static_cast<uint32_t>(arith::frexp_exponent(arith::kBinary32, x, mode));
          }));
}

VALKYR_INTERPRET(FREXPE_V2F16) {
    const arith::FrexpMode mode = frexp_mode(i);
    const Lanes a = v2f16(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [=](uint16_t x, uint16_t) {
              return static_cast<uint16_t>(arith::frexp_exponent(arith::kBinary16, x, mode));
          }));
}

VALKYR_INTERPRET(LDEXP_F32) {
    const Lanes a = f32(m, i.src[0]);
    const Lanes b = word(m, i.src[1]);
    write(m, i.dest, each([&](unsigned l) {
              return arith::ldexp(arith::kBinary32, a.v[l], static_cast<int32_t>(b.v[l]),
                                  rounding_of(i));
          }));
}

VALKYR_INTERPRET(LDEXP_V2F16) {
    const RoundMode mode = rounding_of(i);
    const Lanes a = v2f16(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, word(m, i.src[1]), [=](uint16_t x, uint16_t exponent) {
              return static_cast<uint16_t>(
                  arith::ldexp(arith::kBinary16, x, static_cast<int16_t>(exponent), mode));
          }));
}

VALKYR_INTERPRET_AS(FMA_RSCALE_F32, fma_rscale<arith::ZeroProduct::Multiply>(m, i))
VALKYR_INTERPRET_AS(FMA_RSCALE_N_F32, fma_rscale<arith::ZeroProduct::Zero>(m, i))
VALKYR_INTERPRET_AS(FMA_RSCALE_LEFT_F32, fma_rscale<arith::ZeroProduct::Left>(m, i))

VALKYR_INTERPRET(FADD_LSCALE_F32) {
    write_f32(m, i, f32_map<arith::fadd_lscale>(f32_plain(m, i.src[0]), f32_plain(m, i.src[1])));
}

}  // namespace valkyr::valhall::interpret
