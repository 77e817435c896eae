// Soft float: takes doubles apart, rounds, adds and multiplies them.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/soft_double.hpp"

#include "base/float_bits.hpp"

namespace valkyr::valhall::lower {

using ir::Builder;
using ir::literal;
using ir::Operand;

namespace {

constexpr uint32_t kLargestExponent = 0x7FD;  ///< as round_and_pack counts

Operand nonzero_bit(Builder& b, Operand x) {
    return b.icmp_u32(Condition::ne, ResultType::i1, x, literal(0));
}

Wide signed_infinity(Operand sign_and_infinity) {
    return {literal(0), sign_and_infinity};
}

/// A 128-bit number.
struct Quad {
    Wide low;
    Wide high;
};

/// The 128-bit product of 64-bit numbers, by words.
Quad multiply_full(Builder& b, const Wide& x, const Wide& y) {
    const Operand zero = literal(0);
    const Wide low = multiply_words(b, x.low, y.low);
    // (2^32 - 1)^2 + 2^32 - 1 still fits.
    const Wide cross = add(b, multiply_words(b, x.low, y.high), {low.high, zero});
    const Wide middle = add(b, multiply_words(b, x.high, y.low), {cross.low, zero});
    const Wide top = add(b, multiply_words(b, x.high, y.high), {cross.high, zero});
    return {{low.low, middle.low}, add(b, top, {middle.high, zero})};
}

Quad shift_right_sticky(Builder& b, const Quad& x, Operand count) {
    // Shifts by 64 first, if at all, then by less than 64; beyond 127 all bits are sticky.
    const Operand limited = b.csel_u32(Condition::lt, count, literal(127), count, literal(127));
    const Operand by_half = b.icmp_u32(Condition::ge, ResultType::m1, limited, literal(64));
    const Operand lost = b.bit_and(by_half, nonzero_bit(b, b.bit_or(x.low.low, x.low.high)));
    const Wide high = choose(b, by_half, wide_literal(0), x.high);
    Wide low = choose(b, by_half, x.high, x.low);
    low.low = b.bit_or(low.low, lost);
    const Operand rest = b.bit_and(literal(63), limited);
    const Wide shifted = lower::shift_right_sticky(b, low, rest);
    // Bits of the high half that cross over. Two shifts, because one by 64 would not give 0.
    const Wide crossing = shift_left(b, shift_left(b, high, literal(1)), b.isub(literal(63), rest));
    return {bit_or(b, shifted, crossing), shift_right(b, high, rest)};
}

Quad add(Builder& b, const Quad& x, const Quad& y) {
    const Wide low = add(b, x.low, y.low);
    const Operand carry = compare(b, Condition::lt, false, low, x.low);
    return {low, subtract(b, add(b, x.high, y.high), both(carry))};
}

/// -x if `mask` is ~0.
Quad negate_if(Builder& b, const Quad& x, Operand mask) {
    const Quad flipped{bit_xor(b, x.low, both(mask)), bit_xor(b, x.high, both(mask))};
    const Wide one{b.bit_and(literal(1), mask), literal(0)};
    return add(b, flipped, Quad{one, wide_literal(0)});
}

/// The leading bits of a sum as round_and_pack wants them, and by how many bits it was moved.
struct Normalized {
    Wide significand;
    Operand zeros;
};
Normalized normalize(Builder& b, const Quad& x) {
    const Operand high_is_zero = is_zero(b, x.high);
    const Wide high = choose(b, high_is_zero, x.low, x.high);
    const Wide low = choose(b, high_is_zero, wide_literal(0), x.low);
    const Operand inner = leading_zeros(b, high);
    const Wide from_low =
        shift_right(b, shift_right(b, low, literal(1)), b.isub(literal(63), inner));
    Wide top = bit_or(b, shift_left(b, high, inner), from_low);
    const Wide rest = shift_left(b, low, inner);
    top.low = b.bit_or(top.low, nonzero_bit(b, b.bit_or(rest.low, rest.high)));
    return {halve_sticky(b, top), b.iadd(inner, b.bit_and(literal(64), high_is_zero))};
}

/// The exact product of two finite numbers: its leading bit is bit 126.
struct Product {
    Quad significand;
    Operand exponent;  ///< biased
    Operand sign;
    Operand is_nan, is_infinite, is_zero;
};
Product multiply_exactly(Builder& b, const DoubleParts& x, const DoubleParts& y) {
    Product product;
    const Quad raw_product = multiply_full(b, x.significand, y.significand);
    // If bit 127 is set, the product moves down one place; its lowest 22 bits are 0.
    const Operand carry = b.shift_right(raw_product.high.high, literal(31));
    const Wide low = shift_right(b, raw_product.low, carry);
    const Operand crossing = b.shift_left(b.bit_and(raw_product.high.low, carry), literal(31));
    product.significand = {{low.low, b.bit_or(low.high, crossing)},
                           shift_right(b, raw_product.high, carry)};
    product.exponent = b.iadd(b.isub(b.iadd(x.exponent, y.exponent), literal(kDoubleBias)), carry);
    product.sign = b.bit_xor(x.sign, y.sign);
    product.is_zero = b.bit_or(x.is_zero, y.is_zero);
    product.is_infinite = b.bit_or(x.is_infinite, y.is_infinite);
    product.is_nan =
        b.bit_or(b.bit_or(x.is_nan, y.is_nan), b.bit_and(product.is_zero, product.is_infinite));
    return product;
}

}  // namespace

DoubleParts unpack(Builder& b, const Wide& x) {
    DoubleParts parts;
    parts.magnitude = {x.low, b.bit_and(literal(~float_bits::kSign), x.high)};
    parts.sign = b.bit_and(literal(float_bits::kSign), x.high);
    const Wide infinity = wide_literal(kDoubleInfinity);
    parts.is_nan = compare(b, Condition::gt, false, parts.magnitude, infinity);
    parts.is_infinite = compare(b, Condition::eq, false, parts.magnitude, infinity);
    parts.is_zero = is_zero(b, parts.magnitude);
    const Operand field = b.shift_right(parts.magnitude.high, literal(20));
    const Operand implicit =
        b.csel_u32(Condition::eq, field, literal(0), literal(0), literal(1U << 20));
    const Wide mantissa{x.low,
                        b.bit_or(b.bit_and(literal(0xFFFFF), parts.magnitude.high), implicit)};
    const Operand zeros = leading_zeros(b, mantissa);
    parts.significand = shift_left(b, mantissa, zeros);
    const Operand at_least_one = b.csel_u32(Condition::gt, field, literal(1), field, literal(1));
    parts.exponent = b.isub(b.iadd(at_least_one, literal(11)), zeros);
    return parts;
}

Wide shift_right_sticky(Builder& b, const Wide& x, Operand count) {
    const Operand limited = b.csel_u32(Condition::lt, count, literal(63), count, literal(63));
    const Wide shifted = shift_right(b, x, limited);
    const Wide back = bit_xor(b, shift_left(b, shifted, limited), x);
    return {b.bit_or(shifted.low, nonzero_bit(b, b.bit_or(back.low, back.high))), shifted.high};
}

Wide halve_sticky(Builder& b, const Wide& x) {
    const Wide half = shift_right(b, x, literal(1));
    return {b.bit_or(half.low, b.bit_and(literal(1), x.low)), half.high};
}

Wide round_and_pack(Builder& b, Operand sign, Operand exponent, const Wide& significand) {
    // Subnormal results lose their lowest places.
    const Operand below =
        b.csel_s32(Condition::lt, exponent, literal(0), b.isub(literal(0), exponent), literal(0));
    const Wide kept = shift_right_sticky(b, significand, below);
    const Operand inside = b.csel_s32(Condition::gt, exponent, literal(0), exponent, literal(0));
    const Wide up = shift_right(b, add(b, kept, wide_literal(0x200)), literal(10));
    const Operand tie = b.icmp_u32(Condition::eq, ResultType::i1,
                                   b.bit_and(literal(0x3FF), kept.low), literal(0x200));
    const Wide rounded{b.bit_and(up.low, b.bit_not(tie)), up.high};
    // The leading bit adds one to the exponent; a carry out of the mantissa does, too.
    const Operand whole = b.csel_u32(Condition::eq, b.bit_or(rounded.low, rounded.high), literal(0),
                                     literal(0), b.shift_left(inside, literal(20)));
    const Wide packed{rounded.low, b.iadd(rounded.high, whole)};
    const Operand too_large =
        b.icmp_s32(Condition::gt, ResultType::m1, exponent, literal(kLargestExponent));
    const Wide limited = choose(b, too_large, wide_literal(kDoubleInfinity), packed);
    return {limited.low, b.bit_or(limited.high, sign)};
}

Wide double_add(Builder& b, const Wide& x, const Wide& y) {
    // The larger magnitude first.
    const Operand mask = literal(~float_bits::kSign);
    const Wide x_magnitude{x.low, b.bit_and(mask, x.high)};
    const Wide y_magnitude{y.low, b.bit_and(mask, y.high)};
    const Operand swap = compare(b, Condition::lt, false, x_magnitude, y_magnitude);
    const DoubleParts large = unpack(b, choose(b, swap, y, x));
    const DoubleParts small = unpack(b, choose(b, swap, x, y));
    const Operand differs = b.shift_right_signed(b.bit_xor(large.sign, small.sign), literal(31));

    // Two bits below the leading one leave room for the carry; 0 is smaller than everything.
    const Operand distance = b.isub(large.exponent, small.exponent);
    const Wide near =
        shift_right_sticky(b, shift_right(b, small.significand, literal(1)), distance);
    const Wide aligned = choose(b, small.is_zero, wide_literal(0), near);
    const Wide sum =
        add(b, shift_right(b, large.significand, literal(1)), negate_if(b, aligned, differs));
    const Operand zeros = leading_zeros(b, sum);
    const Wide significand = halve_sticky(b, shift_left(b, sum, zeros));
    const Operand vanishes = is_zero(b, sum);
    const Operand sign = choose(b, vanishes, b.bit_and(large.sign, small.sign), large.sign);
    const Wide result = round_and_pack(b, sign, b.isub(large.exponent, zeros), significand);

    const Operand special = b.icmp_u32(Condition::ge, ResultType::m1, large.magnitude.high,
                                       literal(kDoubleInfinityHigh));
    const Operand is_nan = b.bit_or(large.is_nan, b.bit_and(small.is_infinite, differs));
    const Wide infinity = signed_infinity(b.bit_or(large.sign, literal(kDoubleInfinityHigh)));
    return choose(b, is_nan, wide_literal(kDoubleNan), choose(b, special, infinity, result));
}

Wide double_multiply(Builder& b, const Wide& x, const Wide& y) {
    const Product product = multiply_exactly(b, unpack(b, x), unpack(b, y));
    const Quad& bits = product.significand;
    const Operand sticky = nonzero_bit(b, b.bit_or(bits.low.low, bits.low.high));
    const Wide significand{b.bit_or(bits.high.low, sticky), bits.high.high};
    const Wide finite = round_and_pack(b, product.sign, b.isub(product.exponent, literal(1)),
                                       choose(b, product.is_zero, wide_literal(0), significand));
    const Wide infinity = signed_infinity(b.bit_or(product.sign, literal(kDoubleInfinityHigh)));
    return choose(b, product.is_nan, wide_literal(kDoubleNan),
                  choose(b, product.is_infinite, infinity, finite));
}

Wide double_fma(Builder& b, const Wide& x, const Wide& y, const Wide& z) {
    // Far below every exponent, so that 0 is never taken for the larger operand.
    const Operand nowhere = literal(static_cast<uint32_t>(-100000));
    const Product product = multiply_exactly(b, unpack(b, x), unpack(b, y));
    const DoubleParts addend = unpack(b, z);
    const Operand product_exponent = choose(b, product.is_zero, nowhere, product.exponent);
    const Operand addend_exponent = choose(b, addend.is_zero, nowhere, addend.exponent);
    const Operand lead = b.csel_s32(Condition::gt, product_exponent, addend_exponent,
                                    product_exponent, addend_exponent);
    const Wide none = wide_literal(0);
    const Quad product_bits{choose(b, product.is_zero, none, product.significand.low),
                            choose(b, product.is_zero, none, product.significand.high)};
    const Quad addend_bits{shift_left(b, addend.significand, literal(63)),
                           shift_right(b, addend.significand, literal(1))};
    const Quad left = shift_right_sticky(b, product_bits, b.isub(lead, product_exponent));
    const Quad right = shift_right_sticky(b, addend_bits, b.isub(lead, addend_exponent));
    const Operand differs = b.shift_right_signed(b.bit_xor(product.sign, addend.sign), literal(31));
    const Quad sum = add(b, left, negate_if(b, right, differs));
    // A difference below 0 has its highest bit set; a sum may have it, too.
    const Operand negative = b.bit_and(differs, b.shift_right_signed(sum.high.high, literal(31)));
    const Quad magnitude = negate_if(b, sum, negative);
    const Normalized normal = normalize(b, magnitude);
    const Operand vanishes = is_zero(b, normal.significand);
    const Operand sign =
        choose(b, vanishes, b.bit_and(product.sign, addend.sign),
               b.bit_xor(product.sign, b.bit_and(literal(float_bits::kSign), negative)));
    const Wide finite = round_and_pack(b, sign, b.isub(lead, normal.zeros), normal.significand);

    const Operand clash = b.bit_and(b.bit_and(product.is_infinite, addend.is_infinite), differs);
    const Operand is_nan = b.bit_or(b.bit_or(product.is_nan, addend.is_nan), clash);
    const Operand infinite_sign = choose(b, product.is_infinite, product.sign, addend.sign);
    const Wide infinity = signed_infinity(b.bit_or(infinite_sign, literal(kDoubleInfinityHigh)));
    const Operand is_infinite = b.bit_or(product.is_infinite, addend.is_infinite);
    return choose(b, is_nan, wide_literal(kDoubleNan), choose(b, is_infinite, infinity, finite));
}

}  // namespace valkyr::valhall::lower
