// Soft float: orders doubles, rounds them to whole numbers, scales and converts them.
// SPDX-License-Identifier: MIT
#include "base/float_bits.hpp"
#include "valhall/compiler/sequences/soft_double.hpp"

namespace valkyr::valhall::lower {

using ir::Builder;
using ir::literal;
using ir::Operand;

namespace {

constexpr uint32_t kMagnitude = 0x7FFFFFFF;
constexpr uint32_t kOneHigh = 0x3FF00000;
/// Biases of binary64 and binary32.
constexpr uint32_t kFloatBias = 127;

Operand mask_of_sign(Builder& b, Operand x) {
    return b.shift_right_signed(x, literal(31));
}

Operand below(Builder& b, const Wide& x, const Wide& y) {
    return compare(b, Condition::lt, false, x, y);
}

/// -0 becomes +0.
Wide without_negative_zero(Builder& b, const Wide& x) {
    const Operand rest = b.bit_or(x.low, b.bit_and(literal(kMagnitude), x.high));
    return {x.low, b.csel_u32(Condition::eq, rest, literal(0), literal(0), x.high)};
}

/// The double 2^(exponent - bias) * 1.mantissa, from a significand of 32 bits with the leading bit
/// at the top; 0 for 0.
Wide pack_word(Builder& b, Operand sign, Operand exponent, Operand significand) {
    const Operand whole = b.shift_left(b.isub(exponent, literal(1)), literal(20));
    const Operand high = b.iadd(whole, b.shift_right(significand, literal(11)));
    const Operand or_zero = b.csel_u32(Condition::eq, significand, literal(0), literal(0), high);
    return {b.shift_left(significand, literal(21)), b.bit_or(or_zero, sign)};
}

/// The whole part of the magnitude as a number of 64 bits, and whether it has more.
struct WholePart {
    Wide value;
    Operand overflows;
};
WholePart whole_part(Builder& b, const DoubleParts& parts) {
    // The number is significand / 2^63 * 2^(exponent - bias); below 1 its whole part is 0.
    const Operand places = b.isub(literal(kDoubleBias + 63), parts.exponent);
    const Operand too_small = b.icmp_s32(Condition::gt, ResultType::m1, places, literal(63));
    const Wide shifted = shift_right(b, parts.significand, places);
    const Operand empty = b.bit_or(too_small, parts.is_zero);
    WholePart part;
    part.value = choose(b, empty, wide_literal(0), shifted);
    part.overflows =
        b.bit_or(parts.is_infinite, b.icmp_s32(Condition::lt, ResultType::m1, places, literal(0)));
    return part;
}

}  // namespace

Wide double_order(Builder& b, const Wide& x) {
    const Operand negative = mask_of_sign(b, x.high);
    return {b.bit_xor(x.low, negative),
            b.bit_xor(x.high, b.bit_or(literal(float_bits::kSign), negative))};
}

Operand double_is_nan(Builder& b, const Wide& x) {
    const Wide magnitude{x.low, b.bit_and(literal(kMagnitude), x.high)};
    return compare(b, Condition::gt, false, magnitude, wide_literal(kDoubleInfinity));
}

Operand double_less(Builder& b, const Wide& x, const Wide& y) {
    const Operand unordered = b.bit_or(double_is_nan(b, x), double_is_nan(b, y));
    const Operand less = below(b, double_order(b, without_negative_zero(b, x)),
                               double_order(b, without_negative_zero(b, y)));
    return b.bit_and(less, b.bit_not(unordered));
}

Operand double_equal(Builder& b, const Wide& x, const Wide& y) {
    const Operand same =
        compare(b, Condition::eq, false, without_negative_zero(b, x), without_negative_zero(b, y));
    return b.bit_and(same, b.bit_not(double_is_nan(b, x)));
}

Wide double_min_max(Builder& b, const Wide& x, const Wide& y, bool maximum) {
    const Operand x_is_nan = double_is_nan(b, x);
    const Operand y_is_nan = double_is_nan(b, y);
    const Wide x_order = double_order(b, x);
    const Wide y_order = double_order(b, y);
    const Operand take_x =
        b.bit_or(y_is_nan, maximum ? below(b, y_order, x_order) : below(b, x_order, y_order));
    const Wide number = choose(b, b.bit_and(take_x, b.bit_not(x_is_nan)), x, y);
    return choose(b, b.bit_and(x_is_nan, y_is_nan), wide_literal(kDoubleNan), number);
}

/// Clears the bits below the point, which rounds towards 0; then adds a unit where the mode asks
/// it.
Wide double_round(Builder& b, const Wide& x, DoubleRounding mode) {
    const Operand zero = literal(0);
    const Wide magnitude{x.low, b.bit_and(literal(kMagnitude), x.high)};
    const Operand sign = b.bit_and(literal(float_bits::kSign), x.high);
    const Operand exponent =
        b.isub(b.shift_right(magnitude.high, literal(20)), literal(kDoubleBias));
    const Operand is_small = mask_of_sign(b, exponent);  // below 1
    const Operand inside = b.csel_s32(Condition::gt, exponent, zero, exponent, zero);
    const Operand places = b.csel_u32(Condition::lt, inside, literal(52), inside, literal(52));
    const Wide fraction_mask = shift_right(b, wide_literal((uint64_t{1} << 52) - 1), places);
    const Wide fraction = choose(b, is_small, magnitude, bit_and(b, magnitude, fraction_mask));
    const Wide unit = add(b, fraction_mask, wide_literal(1));
    const Wide down = choose(b, is_small, wide_literal(0), subtract(b, magnitude, fraction));
    const Wide up = choose(b, is_small, wide_literal(kDoubleOne), add(b, down, unit));
    const Operand negative = mask_of_sign(b, x.high);
    const Operand inexact = b.bit_not(is_zero(b, fraction));
    Operand go_up = zero;
    if (mode == DoubleRounding::Floor) {
        go_up = b.bit_and(inexact, negative);
    } else if (mode == DoubleRounding::Ceiling) {
        go_up = b.bit_and(inexact, b.bit_not(negative));
    } else if (mode == DoubleRounding::NearestEven) {
        const Wide half = choose(b, is_small, wide_literal(kDoubleOne - (uint64_t{1} << 52)),
                                 shift_right(b, unit, literal(1)));
        const Operand is_even = b.bit_or(is_zero(b, bit_and(b, down, unit)), is_small);
        const Operand above = compare(b, Condition::gt, false, fraction, half);
        const Operand tie = compare(b, Condition::eq, false, fraction, half);
        go_up = b.bit_or(above, b.bit_and(b.bit_and(tie, inexact), b.bit_not(is_even)));
    }
    const Wide whole = choose(b, go_up, up, down);
    // From 2^52 on everything is whole; infinity, too.
    const Operand is_large = b.icmp_s32(Condition::ge, ResultType::m1, exponent, literal(52));
    const Wide number = choose(b, is_large, x, {whole.low, b.bit_or(whole.high, sign)});
    return choose(b, double_is_nan(b, x), wide_literal(kDoubleNan), number);
}

Wide double_sign(Builder& b, const Wide& x) {
    const Wide magnitude{x.low, b.bit_and(literal(kMagnitude), x.high)};
    const Operand none = b.bit_or(is_zero(b, magnitude), double_is_nan(b, x));
    const Operand one = b.bit_or(literal(kOneHigh), b.bit_and(literal(float_bits::kSign), x.high));
    return {literal(0), b.bit_and(one, b.bit_not(none))};
}

Wide double_scale(Builder& b, const Wide& x, Operand n) {
    // The exponents of any two doubles differ by less.
    const Operand high = b.csel_s32(Condition::lt, n, literal(5000), n, literal(5000));
    const Operand low = literal(static_cast<uint32_t>(-5000));
    const Operand limited = b.csel_s32(Condition::gt, high, low, high, low);
    const DoubleParts parts = unpack(b, x);
    const Operand exponent = b.isub(b.iadd(parts.exponent, limited), literal(1));
    const Wide finite =
        round_and_pack(b, parts.sign, exponent, shift_right(b, parts.significand, literal(1)));
    return choose(b, parts.is_nan, wide_literal(kDoubleNan),
                  choose(b, b.bit_or(parts.is_infinite, parts.is_zero), x, finite));
}

DoubleFraction double_split(Builder& b, const Wide& x) {
    const DoubleParts parts = unpack(b, x);
    const Operand odd = b.bit_or(parts.is_zero, b.bit_or(parts.is_infinite, parts.is_nan));
    const Wide fraction = shift_right(b, shift_left(b, parts.significand, literal(1)), literal(12));
    const Operand high =
        b.bit_or(b.bit_or(literal(kOneHigh - (1U << 20)), parts.sign), fraction.high);
    DoubleFraction result;
    result.mantissa =
        choose(b, parts.is_nan, wide_literal(kDoubleNan), choose(b, odd, x, {fraction.low, high}));
    result.exponent = choose(b, odd, literal(0), b.isub(parts.exponent, literal(kDoubleBias - 1)));
    return result;
}

Wide double_from_float(Builder& b, Operand x) {
    const Operand sign = b.bit_and(literal(float_bits::kSign), x);
    const Operand magnitude = b.bit_and(literal(kMagnitude), x);
    const Operand field = b.shift_right(magnitude, literal(23));
    const Operand implicit =
        b.csel_u32(Condition::eq, field, literal(0), literal(0), literal(1U << 23));
    const Operand mantissa = b.bit_or(b.bit_and(literal(0x7FFFFF), x), implicit);
    const Operand zeros = b.unary(Op::CLZ_U32, mantissa);
    const Operand at_least_one = b.csel_u32(Condition::gt, field, literal(1), field, literal(1));
    const Operand exponent =
        b.isub(b.iadd(at_least_one, literal(kDoubleBias - kFloatBias + 8)), zeros);
    const Wide finite = pack_word(b, sign, exponent, b.shift_left(mantissa, zeros));
    const Operand is_nan =
        b.icmp_u32(Condition::gt, ResultType::m1, magnitude, literal(0x7F800000));
    const Operand special = b.icmp_u32(Condition::eq, ResultType::m1, field, literal(0xFF));
    const Wide infinity{literal(0), b.bit_or(literal(kDoubleInfinityHigh), sign)};
    return choose(b, is_nan, wide_literal(kDoubleNan), choose(b, special, infinity, finite));
}

Wide double_from_word(Builder& b, Operand x, bool is_signed) {
    const Operand sign = is_signed ? b.bit_and(literal(float_bits::kSign), x) : literal(0);
    const Operand magnitude = is_signed ? b.unary(Op::IABS_S32, x) : x;
    const Operand zeros = b.unary(Op::CLZ_U32, magnitude);
    const Operand exponent = b.isub(literal(kDoubleBias + 31), zeros);
    return pack_word(b, sign, exponent, b.shift_left(magnitude, zeros));
}

Wide double_from_wide(Builder& b, const Wide& x, bool is_signed) {
    const Operand negative = is_signed ? mask_of_sign(b, x.high) : literal(0);
    const Wide magnitude = is_signed ? negate_if(b, x, negative) : x;
    const Operand zeros = leading_zeros(b, magnitude);
    const Wide significand = halve_sticky(b, shift_left(b, magnitude, zeros));
    const Operand exponent = b.isub(literal(kDoubleBias + 62), zeros);
    return round_and_pack(b, b.bit_and(literal(float_bits::kSign), negative), exponent,
                          significand);
}

/// As round_and_pack, in 32 bits: the leading bit of the significand is bit 30.
Operand double_to_float(Builder& b, const Wide& x) {
    const DoubleParts parts = unpack(b, x);
    const Operand lost =
        b.bit_or(parts.significand.low, b.bit_and(literal(1), parts.significand.high));
    const Operand sticky = b.icmp_u32(Condition::ne, ResultType::i1, lost, literal(0));
    const Operand top = b.bit_or(b.shift_right(parts.significand.high, literal(1)), sticky);
    const Operand exponent = b.isub(parts.exponent, literal(kDoubleBias - kFloatBias + 1));
    const Operand places =
        b.csel_s32(Condition::lt, exponent, literal(0), b.isub(literal(0), exponent), literal(0));
    const Operand limited = b.csel_u32(Condition::lt, places, literal(31), places, literal(31));
    const Operand shifted = b.shift_right(top, limited);
    const Operand back = b.bit_xor(b.shift_left(shifted, limited), top);
    const Operand kept =
        b.bit_or(shifted, b.icmp_u32(Condition::ne, ResultType::i1, back, literal(0)));
    const Operand up = b.shift_right(b.iadd(kept, literal(0x40)), literal(7));
    const Operand tie =
        b.icmp_u32(Condition::eq, ResultType::i1, b.bit_and(literal(0x7F), kept), literal(0x40));
    const Operand rounded = b.bit_and(up, b.bit_not(tie));
    const Operand inside = b.csel_s32(Condition::gt, exponent, literal(0), exponent, literal(0));
    const Operand packed = b.iadd(b.shift_left(inside, literal(23)), rounded);
    const Operand too_large = b.bit_or(
        parts.is_infinite, b.icmp_s32(Condition::gt, ResultType::m1, exponent, literal(0xFD)));
    const Operand number = b.bit_or(choose(b, too_large, literal(0x7F800000), packed), parts.sign);
    const Operand or_zero = choose(b, parts.is_zero, parts.sign, number);
    return choose(b, parts.is_nan, literal(float_bits::kQuietNan), or_zero);
}

Operand double_to_word(Builder& b, const Wide& x, bool is_signed) {
    const DoubleParts parts = unpack(b, x);
    const WholePart part = whole_part(b, parts);
    const Operand negative = mask_of_sign(b, parts.sign);
    const Operand wide = b.icmp_u32(Condition::ne, ResultType::m1, part.value.high, literal(0));
    Operand overflows = b.bit_or(part.overflows, wide);
    Operand number = part.value.low;
    if (is_signed) {
        overflows = b.bit_or(overflows, mask_of_sign(b, number));
        number = b.isub(b.bit_xor(number, negative), negative);
        // 0x7FFFFFFF, or 0x80000000 for negative ones.
        number = choose(b, overflows, b.bit_xor(literal(kMagnitude), negative), number);
    } else {
        number = choose(b, overflows, literal(0xFFFFFFFF), number);
        number = b.bit_and(number, b.bit_not(negative));
    }
    return b.bit_and(number, b.bit_not(parts.is_nan));
}

Wide double_to_wide(Builder& b, const Wide& x, bool is_signed) {
    const DoubleParts parts = unpack(b, x);
    const WholePart part = whole_part(b, parts);
    const Operand negative = mask_of_sign(b, parts.sign);
    Wide number = part.value;
    if (is_signed) {
        const Operand overflows = b.bit_or(part.overflows, mask_of_sign(b, number.high));
        const Wide limit = bit_xor(b, wide_literal(~uint64_t{0} >> 1), both(negative));
        number = choose(b, overflows, limit, negate_if(b, number, negative));
    } else {
        number = choose(b, part.overflows, wide_literal(~uint64_t{0}), number);
        number = bit_and(b, number, both(b.bit_not(negative)));
    }
    return bit_and(b, number, both(b.bit_not(parts.is_nan)));
}

}  // namespace valkyr::valhall::lower
