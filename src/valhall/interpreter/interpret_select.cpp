// Comparisons and selects: FCMP, ICMP, CSEL, MUX.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/arith/arith_half.hpp"
#include "valhall/arith/arith_integer.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

Condition condition_of(const Instr& i) {
    return i.get<Condition>(Mod::cmp);
}

/// "True" of a lane type as the result type writes it: 1, 1.0 or all ones.
template <typename U>
U truth(ResultType type) {
    constexpr uint32_t one = sizeof(U) == 4 ? float_bits::kOne : 0x3C00;
    switch (type) {
    case ResultType::i1: return 1;
    case ResultType::f1: return static_cast<U>(one);
    case ResultType::m1:
    case ResultType::u1: return static_cast<U>(~U{0});
    }
    return 0;
}

/// Combines a comparison with "the lane of C is not zero" and encodes the result.
template <typename U>
U combined(const Instr& i, bool compared, U c) {
    const bool other = c != 0;
    const bool result = i.mod(Mod::and_) ? compared && other : compared || other;
    return result ? truth<U>(i.get<ResultType>(Mod::result_type)) : U{0};
}

bool compare_half(Condition condition, uint16_t a, uint16_t b) {
    return arith::compare(condition, arith::half_to_float(a), arith::half_to_float(b));
}

/// Evaluates f(a, b, c) for every element of type U of three words.
template <typename U, typename F>
uint32_t packed3(uint32_t a, uint32_t b, uint32_t c, F f) {
    uint32_t result = 0;
    for (unsigned s = 0; s < 32; s += sizeof(U) * 8)
        result |=
            uint32_t{f(static_cast<U>(a >> s), static_cast<U>(b >> s), static_cast<U>(c >> s))}
            << s;
    return result;
}

/// Sources 2 and 3 lane by lane where compare(a, b) holds or not; the bits are untouched.
template <typename U, typename Compare>
void conditional_select(Machine& m, const Instr& i, Compare compare) {
    const Lanes a = word(m, i.src[0]);
    const Lanes b = word(m, i.src[1]);
    const Lanes if_true = word(m, i.src[2]);
    const Lanes if_false = word(m, i.src[3]);
    write(m, i.dest, each([&](unsigned l) {
              const uint32_t mask = packed<U>(a.v[l], b.v[l], [&](U x, U y) {
                  return static_cast<U>(compare(x, y) ? ~U{0} : U{0});
              });
              return (if_true.v[l] & mask) | (if_false.v[l] & ~mask);
          }));
}

/// ICMP with `.seq`: the three-way result of A and B, or the sign of C when they are equal, is the
/// operand of the condition (or, for u1, the result itself).
template <typename T>
uint32_t sequenced(const Instr& i, T a, T b, uint32_t c) {
    int32_t order = a < b ? -1 : (a > b ? 1 : 0);
    if (order == 0 && c != 0)
        order = static_cast<int32_t>(c) < 0 ? -1 : 1;
    const auto type = i.get<ResultType>(Mod::result_type);
    if (type == ResultType::u1)
        return static_cast<uint32_t>(order);
    return arith::compare_integer(condition_of(i), order, 0) ? truth<uint32_t>(type) : 0;
}

template <typename U>
bool is_float_zero(U x) {
    if constexpr (sizeof(U) == 4)
        return arith::kBinary32.is_zero(x);
    else
        return arith::kBinary16.is_zero(x);
}

template <typename U>
U mux_lane(Mux mode, U a, U b, U mask) {
    constexpr U sign = static_cast<U>(U{1} << (sizeof(U) * 8 - 1));
    switch (mode) {
    case Mux::neg: return mask & sign ? a : b;
    case Mux::int_zero: return mask == 0 ? a : b;
    case Mux::fp_zero: return is_float_zero(mask) ? a : b;
    case Mux::bit: return static_cast<U>((a & mask) | (b & ~mask));
    }
    return 0;
}

template <typename T>
void icmp(Machine& m, const Instr& i) {
    using U = std::make_unsigned_t<T>;
    const Lanes a = integer<T>(m, i.src[0]);
    const Lanes b = integer<T>(m, i.src[1]);
    const Lanes c = word(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              if (sizeof(T) == 4 && i.mod(Mod::seq))
                  return sequenced<T>(i, static_cast<T>(a.v[l]), static_cast<T>(b.v[l]), c.v[l]);
              return packed3<U>(a.v[l], b.v[l], c.v[l], [&](U x, U y, U z) {
                  const bool compared =
                      arith::compare_integer(condition_of(i), static_cast<T>(x), static_cast<T>(y));
                  return combined<U>(i, compared, z);
              });
          }));
}

template <typename T>
void csel(Machine& m, const Instr& i) {
    using U = std::make_unsigned_t<T>;
    conditional_select<U>(m, i, [&](U x, U y) {
        return arith::compare_integer(condition_of(i), static_cast<T>(x), static_cast<T>(y));
    });
}

template <typename U>
void mux(Machine& m, const Instr& i) {
    const auto operand = [&](const Source& source) {
        return sizeof(U) == 2 ? swizzle16(m, source) : word(m, source);
    };
    const Lanes a = operand(i.src[0]);
    const Lanes b = operand(i.src[1]);
    const Lanes mask = operand(i.src[2]);
    const auto mode = i.get<Mux>(Mod::mux);
    write(m, i.dest, each([&](unsigned l) {
              return packed3<U>(a.v[l], b.v[l], mask.v[l],
                                [=](U x, U y, U z) { return mux_lane<U>(mode, x, y, z); });
          }));
}

}  // namespace

VALKYR_INTERPRET(FCMP_F32) {
    const Lanes a = f32(m, i.src[0]);
    const Lanes b = f32(m, i.src[1]);
    const Lanes c = word(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              const bool compared =
                  arith::compare(condition_of(i), as_float(a.v[l]), as_float(b.v[l]));
              return combined<uint32_t>(i, compared, c.v[l]);
          }));
}

VALKYR_INTERPRET(FCMP_V2F16) {
    const Lanes a = v2f16(m, i.src[0]);
    const Lanes b = v2f16(m, i.src[1]);
    const Lanes c = word(m, i.src[2]);
    write(m, i.dest, each([&](unsigned l) {
              return packed3<uint16_t>(
                  a.v[l], b.v[l], c.v[l], [&](uint16_t x, uint16_t y, uint16_t z) {
                      return combined<uint16_t>(i, compare_half(condition_of(i), x, y), z);
                  });
          }));
}

VALKYR_INTERPRET_AS(ICMP_U32, icmp<uint32_t>(m, i))
VALKYR_INTERPRET_AS(ICMP_V2U16, icmp<uint16_t>(m, i))
VALKYR_INTERPRET_AS(ICMP_V4U8, icmp<uint8_t>(m, i))
VALKYR_INTERPRET_AS(ICMP_S32, icmp<int32_t>(m, i))
VALKYR_INTERPRET_AS(ICMP_V2S16, icmp<int16_t>(m, i))
VALKYR_INTERPRET_AS(ICMP_V4S8, icmp<int8_t>(m, i))

VALKYR_INTERPRET(CSEL_F32) {
    conditional_select<uint32_t>(m, i, [&](uint32_t x, uint32_t y) {
        return arith::compare(condition_of(i), as_float(x), as_float(y));
    });
}

VALKYR_INTERPRET(CSEL_V2F16) {
    conditional_select<uint16_t>(
        m, i, [&](uint16_t x, uint16_t y) { return compare_half(condition_of(i), x, y); });
}

VALKYR_INTERPRET_AS(CSEL_U32, csel<uint32_t>(m, i))
VALKYR_INTERPRET_AS(CSEL_V2U16, csel<uint16_t>(m, i))
VALKYR_INTERPRET_AS(CSEL_S32, csel<int32_t>(m, i))
VALKYR_INTERPRET_AS(CSEL_V2S16, csel<int16_t>(m, i))
VALKYR_INTERPRET_AS(MUX_I32, mux<uint32_t>(m, i))
VALKYR_INTERPRET_AS(MUX_V4I8, mux<uint8_t>(m, i))
VALKYR_INTERPRET_AS(MUX_V2I16, mux<uint16_t>(m, i))

}  // namespace valkyr::valhall::interpret
