// Conversion functions: execute conversions and packing.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_convert.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

/// The byte that a two-bit lane selector names, in bits 7..0.
Lanes lane_byte(const Machine& m, const Source& source) {
    const unsigned shift = 8 * (source.selector & 3);
    return map(word(m, source), [=](uint32_t x) { return x >> shift & 0xFF; });
}

/// Two bytes as HalfSwizzles8Bit picks them (low from bits 1..0 of the selector, high from 3..2),
/// each in the low byte of its half.
Lanes two_bytes(const Machine& m, const Source& source) {
    const unsigned low = 8 * (source.selector & 3);
    const unsigned high = 8 * (source.selector >> 2 & 3);
    return map(word(m, source),
               [=](uint32_t x) { return (x >> low & 0xFF) | (x >> high & 0xFF) << 16; });
}

uint32_t float_bits(int64_t value, RoundMode mode) {
    return as_bits(arith::integer_to_float(value, mode));
}

template <typename T>
void integer_to_f32(Machine& m, const Instr& i) {
    const RoundMode mode = rounding_of(i);
    write(m, i.dest, map(integer<T>(m, i.src[0]), [=](uint32_t x) {
              return float_bits(static_cast<T>(x), mode);
          }));
}

template <typename T>
void integer_to_v2f16(Machine& m, const Instr& i) {
    const RoundMode mode = rounding_of(i);
    const Lanes a = integer<T>(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [=](uint16_t x, uint16_t) {
              return arith::integer_to_half(static_cast<T>(x), mode);
          }));
}

template <typename T>
void half_integer_to_32(Machine& m, const Instr& i) {
    write(m, i.dest, map(swizzle16(m, i.src[0]), [](uint32_t x) {
              return static_cast<uint32_t>(int32_t{static_cast<T>(x)});
          }));
}

template <typename T>
void half_integer_to_f32(Machine& m, const Instr& i) {
    write(m, i.dest, map(swizzle16(m, i.src[0]), [](uint32_t x) {
              return float_bits(static_cast<T>(x), RoundMode::rte);  // exact
          }));
}

template <typename T>
void byte_to_32(Machine& m, const Instr& i) {
    write(m, i.dest, map(lane_byte(m, i.src[0]), [](uint32_t x) {
              return static_cast<uint32_t>(int32_t{static_cast<T>(x)});
          }));
}

template <typename T>
void byte_to_f32(Machine& m, const Instr& i) {
    write(m, i.dest, map(lane_byte(m, i.src[0]), [](uint32_t x) {
              return float_bits(static_cast<T>(x), RoundMode::rte);  // exact
          }));
}

template <typename T>
void bytes_to_v2_16(Machine& m, const Instr& i) {
    const Lanes a = two_bytes(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [](uint16_t x, uint16_t) {
              return static_cast<uint16_t>(int{static_cast<T>(x)});
          }));
}

template <typename T>
void bytes_to_v2f16(Machine& m, const Instr& i) {
    const Lanes a = two_bytes(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [](uint16_t x, uint16_t) {
              return arith::integer_to_half(static_cast<T>(x), RoundMode::rte);  // exact
          }));
}

template <typename T>
void f32_to_integer(Machine& m, const Instr& i) {
    const RoundMode mode = rounding_of(i);
    write(m, i.dest, map(f32_plain(m, i.src[0]), [=](uint32_t x) {
              return static_cast<uint32_t>(arith::saturating<T>(as_float(x), mode));
          }));
}

template <typename T>
void f16_to_integer(Machine& m, const Instr& i) {
    const RoundMode mode = rounding_of(i);
    write(m, i.dest, map(f16(m, i.src[0]), [=](uint32_t x) {
              const float value = arith::half_to_float(static_cast<uint16_t>(x));
              return static_cast<uint32_t>(arith::saturating<T>(value, mode));
          }));
}

template <typename T>
void v2f16_to_integer(Machine& m, const Instr& i) {
    const RoundMode mode = rounding_of(i);
    const Lanes a = v2f16(m, i.src[0]);
    write(m, i.dest, packed_map<uint16_t>(a, a, [=](uint16_t x, uint16_t) {
              return static_cast<uint16_t>(arith::saturating<T>(arith::half_to_float(x), mode));
          }));
}

}  // namespace

VALKYR_INTERPRET_AS(S32_TO_F32, integer_to_f32<int32_t>(m, i))
VALKYR_INTERPRET_AS(U32_TO_F32, integer_to_f32<uint32_t>(m, i))
VALKYR_INTERPRET_AS(V2S16_TO_V2F16, integer_to_v2f16<int16_t>(m, i))
VALKYR_INTERPRET_AS(V2U16_TO_V2F16, integer_to_v2f16<uint16_t>(m, i))
VALKYR_INTERPRET_AS(S16_TO_S32, half_integer_to_32<int16_t>(m, i))
VALKYR_INTERPRET_AS(U16_TO_U32, half_integer_to_32<uint16_t>(m, i))
VALKYR_INTERPRET_AS(S16_TO_F32, half_integer_to_f32<int16_t>(m, i))
VALKYR_INTERPRET_AS(U16_TO_F32, half_integer_to_f32<uint16_t>(m, i))
VALKYR_INTERPRET_AS(S8_TO_S32, byte_to_32<int8_t>(m, i))
VALKYR_INTERPRET_AS(U8_TO_U32, byte_to_32<uint8_t>(m, i))
VALKYR_INTERPRET_AS(S8_TO_F32, byte_to_f32<int8_t>(m, i))
VALKYR_INTERPRET_AS(U8_TO_F32, byte_to_f32<uint8_t>(m, i))
VALKYR_INTERPRET_AS(V2S8_TO_V2S16, bytes_to_v2_16<int8_t>(m, i))
VALKYR_INTERPRET_AS(V2U8_TO_V2U16, bytes_to_v2_16<uint8_t>(m, i))
VALKYR_INTERPRET_AS(V2S8_TO_V2F16, bytes_to_v2f16<int8_t>(m, i))
VALKYR_INTERPRET_AS(V2U8_TO_V2F16, bytes_to_v2f16<uint8_t>(m, i))
VALKYR_INTERPRET_AS(F32_TO_S32, f32_to_integer<int32_t>(m, i))
VALKYR_INTERPRET_AS(F32_TO_U32, f32_to_integer<uint32_t>(m, i))
VALKYR_INTERPRET_AS(F16_TO_S32, f16_to_integer<int32_t>(m, i))
VALKYR_INTERPRET_AS(F16_TO_U32, f16_to_integer<uint32_t>(m, i))
VALKYR_INTERPRET_AS(V2F16_TO_V2S16, v2f16_to_integer<int16_t>(m, i))
VALKYR_INTERPRET_AS(V2F16_TO_V2U16, v2f16_to_integer<uint16_t>(m, i))

VALKYR_INTERPRET(F16_TO_F32) {
    const Source& a = i.src[0];
    const unsigned shift = a.selector ? 16 : 0;
    write(m, i.dest, map(word(m, a), [&](uint32_t x) {
              auto half = static_cast<uint16_t>(x >> shift);
              half =
                  static_cast<uint16_t>((half & (a.abs ? 0x7FFF : 0xFFFF)) ^ (a.neg ? 0x8000 : 0));
              return as_bits(arith::canonical(arith::half_to_float(half)));
          }));
}

VALKYR_INTERPRET(V2F32_TO_V2F16) {
    const Lanes a = f32_plain(m, i.src[0]);
    const Lanes b = f32_plain(m, i.src[1]);
    const auto half = [&](uint32_t x) {
        const float clamped = arith::clamp(i.get<Clamp>(Mod::clamp), as_float(x));
        return uint32_t{arith::float_to_half(clamped, rounding_of(i))};
    };
    write(m, i.dest, each([&](unsigned l) { return half(a.v[l]) | half(b.v[l]) << 16; }));
}

VALKYR_INTERPRET(MOV_I32) {
    write(m, i.dest, word(m, i.src[0]));
}

VALKYR_INTERPRET(MKVEC_V2I16) {
    const Lanes a = swizzle16(m, i.src[0]);
    const Lanes b = swizzle16(m, i.src[1]);
    write(m, i.dest, each([&](unsigned l) { return (a.v[l] & 0xFFFF) | b.v[l] << 16; }));
}

VALKYR_INTERPRET(MKVEC_V2I8) {
    const Lanes a = lane_byte(m, i.src[0]);
    const Lanes b = lane_byte(m, i.src[1]);
    const Lanes cd = word(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) { return a.v[l] | b.v[l] << 8 | cd.v[l] << 16; }));
}

}  // namespace valkyr::valhall::interpret
