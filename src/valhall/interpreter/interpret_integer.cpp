// Integer instructions.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_integer.hpp"
#include "valhall/interpreter/interpret_ops.hpp"

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

}  // namespace

#define VALKYR_FOR_LANE_TYPES(name)                                                                \
    template void name<uint32_t>(Machine&, const Instr&);                                          \
    template void name<uint16_t>(Machine&, const Instr&);                                          \
    template void name<uint8_t>(Machine&, const Instr&);                                           \
    template void name<int32_t>(Machine&, const Instr&);                                           \
    template void name<int16_t>(Machine&, const Instr&);                                           \
    template void name<int8_t>(Machine&, const Instr&)

template <typename T>
void iadd(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::iadd(a, b, saturate); });
}
VALKYR_FOR_LANE_TYPES(iadd);
template void iadd<uint64_t>(Machine&, const Instr&);
template void iadd<int64_t>(Machine&, const Instr&);

template <typename T>
void isub(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::isub(a, b, saturate); });
}
VALKYR_FOR_LANE_TYPES(isub);
template void isub<uint64_t>(Machine&, const Instr&);
template void isub<int64_t>(Machine&, const Instr&);

template <typename T>
void imul(Machine& m, const Instr& i) {
    const bool saturate = i.mod(Mod::saturate);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::imul(a, b, saturate); });
}
VALKYR_FOR_LANE_TYPES(imul);

template <typename T>
void hadd(Machine& m, const Instr& i) {
    const bool round_up = i.mod(Mod::rhadd);
    integer_binary<T>(m, i, [=](T a, T b) { return arith::hadd_integer(a, b, round_up); });
}
VALKYR_FOR_LANE_TYPES(hadd);

#undef VALKYR_FOR_LANE_TYPES

template <typename T>
void iadd_imm(Machine& m, const Instr& i) {
    const auto constant = static_cast<uint32_t>(i.imm[0]);
    write(m, i.dest, map(word(m, i.src[0]), [=](uint32_t x) {
              return packed<T>(x, constant, [](T a, T b) { return arith::iadd(a, b, false); });
          }));
}
template void iadd_imm<uint32_t>(Machine&, const Instr&);
template void iadd_imm<uint16_t>(Machine&, const Instr&);
template void iadd_imm<uint8_t>(Machine&, const Instr&);

void imuld(Machine& m, const Instr& i) {
    integer_binary<uint64_t>(
        m, i, [](uint64_t a, uint64_t b) { return (a & 0xFFFFFFFF) * (b & 0xFFFFFFFF); });
}

template <typename T>
void iabs(Machine& m, const Instr& i) {
    // The v4s8 form has no selector; value 0 of the 8-bit selector is the identity.
    const Lanes a = integer<T>(m, i.src[0]);
    write(m, i.dest, packed_map<T>(a, a, [](T x, T) { return arith::iabs(x); }));
}
template void iabs<int32_t>(Machine&, const Instr&);
template void iabs<int16_t>(Machine&, const Instr&);
template void iabs<int8_t>(Machine&, const Instr&);

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
template void idp<int8_t>(Machine&, const Instr&);
template void idp<uint8_t>(Machine&, const Instr&);

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
template void shaddx<uint64_t>(Machine&, const Instr&);
template void shaddx<int64_t>(Machine&, const Instr&);

void seg_add(Machine& m, const Instr& i) {
    const Pair a = wide_word(m, i.src[0]);
    const Pair b = widen64(m, i.src[1], false);
    Pair result;
    for (unsigned l = 0; l < kLanes; ++l)
        result.set_lane(
            l, arith::seg_add(a.lane(l), b.lane(l), i.mod(Mod::neg), i.mod(Mod::preserve_null)));
    write_pair(m, i.dest, result);
}

template <typename T>
void clz(Machine& m, const Instr& i) {
    const Lanes a = sizeof(T) == 2 ? swizzle16(m, i.src[0]) : word(m, i.src[0]);
    write(m, i.dest, packed_map<T>(a, a, [](T x, T) { return arith::clz(x); }));
}
template void clz<uint32_t>(Machine&, const Instr&);
template void clz<uint16_t>(Machine&, const Instr&);
template void clz<uint8_t>(Machine&, const Instr&);

void popcount(Machine& m, const Instr& i) {
    write(m, i.dest, map(word(m, i.src[0]), [](uint32_t x) {
              return static_cast<uint32_t>(std::popcount(x));
          }));
}

void bitrev(Machine& m, const Instr& i) {
    write(m, i.dest, map(word(m, i.src[0]), arith::bit_reverse));
}

void not_old_i32(Machine& m, const Instr& i) {
    write(m, i.dest, map(word(m, i.src[0]), [](uint32_t x) { return ~x; }));
}

void not_old_i64(Machine& m, const Instr& i) {
    pair_unary(m, i, [](uint64_t x) { return ~x; });
}

}  // namespace valkyr::valhall::interpret
