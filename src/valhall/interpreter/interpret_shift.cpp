// Shift-and-logic instructions: (A << s) op B and (A >> s) op B.
// SPDX-License-Identifier: MIT
#include "valhall/arith/arith_integer.hpp"
#include "valhall/interpreter/interpret.hpp"

namespace valkyr::valhall::interpret {

namespace {

enum class Logic : uint8_t { And, Or, Xor };
enum class Direction : uint8_t { Left, Right };

template <Logic logic>
uint64_t combine(uint64_t a, uint64_t b) {
    if constexpr (logic == Logic::And)
        return a & b;
    else if constexpr (logic == Logic::Or)
        return a | b;
    else
        return a ^ b;
}

template <Direction direction>
arith::ShiftKind kind_of(const Instr& i) {
    if (direction == Direction::Left)
        return arith::ShiftKind::Left;
    return i.mod(Mod::signed_) ? arith::ShiftKind::RightSigned : arith::ShiftKind::Right;
}

/// One 32-bit word of lanes of type U: the first count serves the low half of the word, the second
/// the upper half; a 32-bit lane takes the first.
template <typename U>
uint32_t shift_word(uint32_t a, uint32_t first, uint32_t second, arith::ShiftKind kind) {
    uint32_t result = 0;
    for (unsigned bit = 0; bit < 32; bit += sizeof(U) * 8) {
        const U shifted = arith::shift(static_cast<U>(a >> bit), bit < 16 ? first : second, kind);
        result |= uint32_t{shifted} << bit;
    }
    return result;
}

template <typename U, Direction direction, Logic logic>
void shift_logic(Machine& m, const Instr& i) {
    const arith::ShiftKind kind = kind_of<direction>(i);
    const ShiftCounts counts = shift_counts(m, i.src[1]);
    const uint64_t not_b = i.src[2].bit_not ? ~uint64_t{0} : 0;
    const uint64_t not_result = i.mod(Mod::not_result) ? ~uint64_t{0} : 0;
    if constexpr (sizeof(U) == 8) {
        const Pair a = widen64(m, i.src[0], false);
        const Pair b = wide_word(m, i.src[2]);
        Pair result;
        for (unsigned l = 0; l < kLanes; ++l) {
            const uint64_t shifted = arith::shift(a.lane(l), counts.first.v[l], kind);
            result.set_lane(l, combine<logic>(shifted, b.lane(l) ^ not_b) ^ not_result);
        }
        write_pair(m, i.dest, result);
    } else {
        const Lanes a = integer<U>(m, i.src[0]);
        const Lanes b = word(m, i.src[2]);
        write(m, i.dest, each([&](unsigned l) {
                  const uint32_t shifted =
                      shift_word<U>(a.v[l], counts.first.v[l], counts.second.v[l], kind);
                  return static_cast<uint32_t>(combine<logic>(shifted, b.v[l] ^ not_b) ^
                                               not_result);
              }));
    }
}

}  // namespace

#define VALKYR_SHIFT(type, U)                                                                      \
    VALKYR_INTERPRET_AS(LSHIFT_AND_##type, shift_logic<U, Direction::Left, Logic::And>(m, i))      \
    VALKYR_INTERPRET_AS(RSHIFT_AND_##type, shift_logic<U, Direction::Right, Logic::And>(m, i))     \
    VALKYR_INTERPRET_AS(LSHIFT_OR_##type, shift_logic<U, Direction::Left, Logic::Or>(m, i))        \
    VALKYR_INTERPRET_AS(RSHIFT_OR_##type, shift_logic<U, Direction::Right, Logic::Or>(m, i))       \
    VALKYR_INTERPRET_AS(LSHIFT_XOR_##type, shift_logic<U, Direction::Left, Logic::Xor>(m, i))      \
    VALKYR_INTERPRET_AS(RSHIFT_XOR_##type, shift_logic<U, Direction::Right, Logic::Xor>(m, i))
VALKYR_SHIFT(I32, uint32_t)
VALKYR_SHIFT(V2I16, uint16_t)
VALKYR_SHIFT(V4I8, uint8_t)
VALKYR_SHIFT(I64, uint64_t)
#undef VALKYR_SHIFT

}  // namespace valkyr::valhall::interpret
