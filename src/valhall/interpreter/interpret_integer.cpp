// Integer functions: execute integer instructions.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_integer.hpp"
#include "valhall/interpreter/interpret.hpp"

#include <bit>

namespace valkyr::valhall::interpret {

namespace {

/// dest = f(a, b) lane by lane, T of any width; f takes and gives T.
template <typename T, typename F>
void integer_binary(Machine& m, const Instr& i, F f) {
    if constexpr (sizeof(T) == 8) {
        const Pair a = widen64(m, i.src[0], std::is_signed_v<T>);
        const Pair b = widen64(m, i.src[1], std::is_signed_v<T>);
        Pair result;
        for (unsigned l = 0; l < kLanes; ++l)
            result.set_lane(
                l, static_cast<uint64_t>(f(static_cast<T>(a.lane(l)), static_cast<T>(b.lane(l)))));
        write_pair(m, i.dest, result);
    } else {
        write(m, i.dest, packed_map<T>(integer<T>(m, i.src[0]), integer<T>(m, i.src[1]), f));
    }
}

template <typename F>
void pair_unary(Machine& m, const Instr& i, F f) {
    const Pair a = wide_word(m, i.src[0]);
    Pair result;
    for (unsigned l = 0; l < kLanes; ++l)
        result.set_lane(l, f(a.lane(l)));
    write_pair(m, i.dest, result);
}

template <typename T>
void iadd(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::iadd(a, b, saturate); });
}

template <typename T>
void isub(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::isub(a, b, saturate); });
}

template <typename T>
void imul(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::imul(a, b, saturate); });
}

template <typename T>
void hadd(Machine& m, const Instr& i) {
    const bool round_up = i.mod(Mod::rhadd);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::hadd_integer(a, b, round_up); });
}

template <typename T>
void iadd_imm(Machine& m, const Instr& i) {
    const auto constant = static_cast<uint32_t>(i.imm[0]);
    write(m, i.dest, map(word(m, i.src[0]), [=](uint32_t x) {
              return packed<T>(x, constant, [](T a, T b) { return arith::iadd(a, b, false); });
          }));
}

template <typename T>
void iabs(Machine& m, const Instr& i) {
    // The v4s8 form has no selector; value 0 of the 8-bit selector is the identity.
    const Lanes a = integer<T>(m, i.src[0]);
    write(m, i.dest, packed_map<T>(a, a, [](T x, T) { return arith::iabs(x); }));
}

template <typename T>
void idp(Machine& m, const Instr& i) {
    const Lanes a = word(m, i.src[0]);
    const Lanes b = word(m, i.src[1]);
    const Lanes c = word(m, i.src[2]);
    const bool saturate = i.mod(Mod::saturate);
    write(m, i.dest, each([&](unsigned l) {
              return arith::dot_product<T>(a.v[l], b.v[l], c.v[l], saturate);
          }));
}

template <typename T>
void shaddx(Machine& m, const Instr& i) {
    const Pair a = wide_word(m, i.src[0]);
    const Pair b = widen64(m, i.src[1], std::is_signed_v<T>);
    const auto amount = static_cast<unsigned>(i.imm[0]) & 7;
    Pair result;
    for (unsigned l = 0; l < kLanes; ++l)
        result.set_lane(l, a.lane(l) + (b.lane(l) << amount));
    write_pair(m, i.dest, result);
}

template <typename T>
void clz(Machine& m, const Instr& i) {
    const Lanes a = sizeof(T) == 2 ? swizzle16(m, i.src[0]) : word(m, i.src[0]);
    write(m, i.dest, packed_map<T>(a, a, [](T x, T) { return arith::clz(x); }));
}

}  // namespace

VALKYR_INTERPRET_AS(IADD_U32, iadd<uint32_t>(m, i))
VALKYR_INTERPRET_AS(IADD_V2U16, iadd<uint16_t>(m, i))
VALKYR_INTERPRET_AS(IADD_V4U8, iadd<uint8_t>(m, i))
VALKYR_INTERPRET_AS(IADD_S32, iadd<int32_t>(m, i))
VALKYR_INTERPRET_AS(IADD_V2S16, iadd<int16_t>(m, i))
VALKYR_INTERPRET_AS(IADD_V4S8, iadd<int8_t>(m, i))
VALKYR_INTERPRET_AS(IADD_U64, iadd<uint64_t>(m, i))
VALKYR_INTERPRET_AS(IADD_S64, iadd<int64_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_U32, isub<uint32_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_V2U16, isub<uint16_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_V4U8, isub<uint8_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_S32, isub<int32_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_V2S16, isub<int16_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_V4S8, isub<int8_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_U64, isub<uint64_t>(m, i))
VALKYR_INTERPRET_AS(ISUB_S64, isub<int64_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_I32, imul<uint32_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_V2I16, imul<uint16_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_V4I8, imul<uint8_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_S32, imul<int32_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_V2S16, imul<int16_t>(m, i))
VALKYR_INTERPRET_AS(IMUL_V4S8, imul<int8_t>(m, i))
VALKYR_INTERPRET_AS(HADD_U32, hadd<uint32_t>(m, i))
VALKYR_INTERPRET_AS(HADD_V2U16, hadd<uint16_t>(m, i))
VALKYR_INTERPRET_AS(HADD_V4U8, hadd<uint8_t>(m, i))
VALKYR_INTERPRET_AS(HADD_S32, hadd<int32_t>(m, i))
VALKYR_INTERPRET_AS(HADD_V2S16, hadd<int16_t>(m, i))
VALKYR_INTERPRET_AS(HADD_V4S8, hadd<int8_t>(m, i))
VALKYR_INTERPRET_AS(IADD_IMM_I32, iadd_imm<uint32_t>(m, i))
VALKYR_INTERPRET_AS(IADD_IMM_V2I16, iadd_imm<uint16_t>(m, i))
VALKYR_INTERPRET_AS(IADD_IMM_V4I8, iadd_imm<uint8_t>(m, i))

VALKYR_INTERPRET(IMULD_U64) {
    integer_binary<uint64_t>(
        m, i, [](uint64_t a, uint64_t b) { return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF); });
}

VALKYR_INTERPRET_AS(IABS_S32, iabs<int32_t>(m, i))
VALKYR_INTERPRET_AS(IABS_V2S16, iabs<int16_t>(m, i))
VALKYR_INTERPRET_AS(IABS_V4S8, iabs<int8_t>(m, i))
VALKYR_INTERPRET_AS(IDP_V4S8, idp<int8_t>(m, i))
VALKYR_INTERPRET_AS(IDP_V4U8, idp<uint8_t>(m, i))
VALKYR_INTERPRET_AS(SHADDX_U64, shaddx<uint64_t>(m, i))
VALKYR_INTERPRET_AS(SHADDX_S64, shaddx<int64_t>(m, i))

VALKYR_INTERPRET(SEG_ADD_U64) {
    const Pair a = wide_word(m, i.src[0]);
    const Pair b = widen64(m, i.src[1], false);
    Pair result;
    for (unsigned l = 0; l < kLanes; ++l)
        result.set_lane(
            l, arith::seg_add(a.lane(l), b.lane(l), i.mod(Mod::neg), i.mod(Mod::preserve_null)));
    write_pair(m, i.dest, result);
}

VALKYR_INTERPRET_AS(CLZ_U32, clz<uint32_t>(m, i))
VALKYR_INTERPRET_AS(CLZ_V4U8, clz<uint8_t>(m, i))
VALKYR_INTERPRET_AS(CLZ_V2U16, clz<uint16_t>(m, i))

VALKYR_INTERPRET(POPCOUNT_I32) {
    write(m, i.dest, map(word(m, i.src[0]), [](uint32_t x) {
              return static_cast<uint32_t>(std::popcount(x));
          }));
}

VALKYR_INTERPRET(BITREV_I32) {
    write(m, i.dest, map(word(m, i.src[0]), arith::bit_reverse));
}

VALKYR_INTERPRET(NOT_OLD_I32) {
    write(m, i.dest, map(word(m, i.src[0]), [](uint32_t x) { return ~x; }));
}

VALKYR_INTERPRET(NOT_OLD_I64) {
    pair_unary(m, i, [](uint64_t x) { return ~x; });
}

}  // namespace valkyr::valhall::interpret
