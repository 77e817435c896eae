// Constant division: emits products instead of divisions by constants.
// SPDX-License-Identifier: MIT
//
// T. Granlund, P. Montgomery, "Division by invariant integers using multiplication" (1994): with
// 2^k >= d the number m = floor(2^(32 + k) / d) + 1 has 33 bits, and floor(x * m / 2^(32 + k)) is
// the quotient of every x of 32 bits. One bit less is enough for numbers up to 2^31.
#include "valhall/compiler/sequences/constant_division.hpp"

#include <bit>

namespace valkyr::valhall::lower {
namespace {

using ir::Builder;
using ir::literal;
using ir::Operand;

/// The least k with 2^k >= d; d is not 0.
unsigned log2_above(uint32_t d) {
    return static_cast<unsigned>(std::bit_width(d - 1));
}

/// floor(2^(32 + shift) / d) + 1
uint64_t fixed_reciprocal(uint32_t d, unsigned shift) {
    // Two steps, as 2^64 has no room.
    const uint64_t high = (uint64_t{1} << shift) / d;
    const uint64_t rest = (uint64_t{1} << shift) % d;
    return (high << 32) + (rest << 32) / d + 1;
}

Operand shifted(Builder& b, Operand x, unsigned count) {
    return count == 0 ? x : b.shift_right(x, literal(count));
}

Operand remainder(Builder& b, Operand x, Operand quotient, uint32_t d) {
    return b.isub(x, b.imul(quotient, literal(d)));
}

/// The quotient of any x by d, which is no power of two and less than 2^31.
Operand quotient_of_32_bits(Builder& b, Operand x, uint32_t d) {
    const unsigned k = log2_above(d);
    // A factor of 32 bits may do; it is exact enough if its error is at most 2^(k - 1).
    const uint64_t small = fixed_reciprocal(d, k - 1);
    if (small * d - (uint64_t{1} << (31 + k)) <= uint64_t{1} << (k - 1))
        return shifted(b, multiply_high_unsigned(b, x, literal(static_cast<uint32_t>(small))),
                       k - 1);
    // m = 2^32 + low: (x * m) / 2^32 = high + x, whose 33 bits are halved without carry.
    const auto low = static_cast<uint32_t>(fixed_reciprocal(d, k));
    const Operand high = multiply_high_unsigned(b, x, literal(low));
    const Operand half = b.iadd(b.shift_right(b.isub(x, high), literal(1)), high);
    return shifted(b, half, k - 1);
}

/// The quotient of x <= 2^31 by d, which is no power of two.
Operand quotient_of_31_bits(Builder& b, Operand x, uint32_t d) {
    const unsigned k = log2_above(d) - 1;
    return shifted(
        b, multiply_high_unsigned(b, x, literal(static_cast<uint32_t>(fixed_reciprocal(d, k)))), k);
}

}  // namespace

std::optional<Division> divide_by_constant(Builder& b, Operand x, uint32_t d) {
    if (d == 0)
        return std::nullopt;
    if (std::has_single_bit(d))
        return Division{shifted(b, x, static_cast<unsigned>(std::countr_zero(d))),
                        b.bit_and(x, literal(d - 1))};
    if (d > uint32_t{1} << 31) {  // once or not at all
        const Operand divisor = literal(d);
        return Division{b.csel_u32(Condition::ge, x, divisor, literal(1), literal(0)),
                        b.csel_u32(Condition::ge, x, divisor, b.isub(x, divisor), x)};
    }
    const Operand quotient = quotient_of_32_bits(b, x, d);
    return Division{quotient, remainder(b, x, quotient, d)};
}

std::optional<Division> divide_by_constant_signed(Builder& b, Operand x, int32_t d) {
    if (d == 0 || d == -1)
        return std::nullopt;
    const uint32_t magnitude = d < 0 ? 0U - static_cast<uint32_t>(d) : static_cast<uint32_t>(d);
    const Operand sign = b.shift_right_signed(x, literal(31));
    Operand quotient{};
    if (std::has_single_bit(magnitude)) {
        // Negative numbers are rounded up: d - 1 is added to them.
        const auto k = static_cast<unsigned>(std::countr_zero(magnitude));
        const Operand biased = b.iadd(x, b.bit_and(sign, literal(magnitude - 1)));
        quotient = b.shift_right_signed(biased, literal(k));
    } else {
        const Operand positive = quotient_of_31_bits(b, b.unary(Op::IABS_S32, x), magnitude);
        quotient = b.isub(b.bit_xor(positive, sign), sign);
    }
    const Operand rest = remainder(b, x, quotient, magnitude);
    return Division{d < 0 ? b.isub(literal(0), quotient) : quotient, rest};
}

}  // namespace valkyr::valhall::lower
