// Soft float: emits IEEE binary64 operations in 32-bit integer instructions.
// SPDX-License-Identifier: MIT
//
// Round to nearest even, subnormals kept, every NaN result is 0x7FF8000000000000. Most routines are
// emitted once a process, for templates (double_sequence.hpp); loops are real loops, so that
// division stays short.
#pragma once

#include "valhall/compiler/lower/lower_tgsi.hpp"
#include "valhall/compiler/lower/wide.hpp"

namespace valkyr::valhall::lower {

/// A double taken apart. Conditions are 0 or ~0.
struct DoubleParts {
    Wide magnitude;    ///< without the sign
    Operand sign;      ///< 0 or 0x80000000
    Operand exponent;  ///< biased, as if there were no subnormals; meaningless for 0, inf, NaN
    Wide significand;  ///< the leading bit is bit 63; 0 for 0
    Operand is_nan;
    Operand is_infinite;
    Operand is_zero;
};
DoubleParts unpack(Builder& b, const Wide& x);

/// Rounds significand * 2^(exponent + 1 - bias - 62), whose leading bit is bit 62, to a double. The
/// lowest bit is sticky. A significand of 0 gives 0.
Wide round_and_pack(Builder& b, Operand sign, Operand exponent, const Wide& significand);

/// x >> count, 0 <= count; bits that fall out are kept as the lowest one.
Wide shift_right_sticky(Builder& b, const Wide& x, Operand count);
/// The lower half of a 64-bit sticky shift by one.
Wide halve_sticky(Builder& b, const Wide& x);

constexpr uint64_t kDoubleNan = 0x7FF8000000000000;
constexpr uint64_t kDoubleInfinity = 0x7FF0000000000000;
constexpr uint32_t kDoubleInfinityHigh = kDoubleInfinity >> 32;
constexpr uint64_t kDoubleOne = 0x3FF0000000000000;
constexpr uint32_t kDoubleBias = 1023;

Wide double_add(Builder& b, const Wide& x, const Wide& y);
Wide double_multiply(Builder& b, const Wide& x, const Wide& y);
/// x * y + z, rounded once.
Wide double_fma(Builder& b, const Wide& x, const Wide& y, const Wide& z);
/// These two need a loop, which keeps its state in variables 0..kDoubleVariables-1 of the flow.
inline constexpr unsigned kDoubleVariables = 7;
Wide double_divide(Builder& b, ir::Flow& flow, const Wide& x, const Wide& y);
Wide double_square_root(Builder& b, ir::Flow& flow, const Wide& x);

/// A key whose unsigned order is that of doubles, with -0 < +0 and NaN anywhere.
Wide double_order(Builder& b, const Wide& x);
/// x < y, x == y as IEEE has it.
Operand double_less(Builder& b, const Wide& x, const Wide& y);
Operand double_equal(Builder& b, const Wide& x, const Wide& y);
/// ~0 if x is NaN.
Operand double_is_nan(Builder& b, const Wide& x);
Wide double_min_max(Builder& b, const Wide& x, const Wide& y, bool maximum);

enum class DoubleRounding : uint8_t { Truncate, Floor, Ceiling, NearestEven };
/// To a whole number that is a double.
Wide double_round(Builder& b, const Wide& x, DoubleRounding mode);
Wide double_sign(Builder& b, const Wide& x);
/// x * 2^n, rounded once.
Wide double_scale(Builder& b, const Wide& x, Operand n);
struct DoubleFraction {
    Wide mantissa;     ///< in [0.5, 1)
    Operand exponent;  ///< 0 for 0, inf, NaN
};
DoubleFraction double_split(Builder& b, const Wide& x);

// Conversions. To integers: truncated, limited to the range, NaN gives 0.
Wide double_from_float(Builder& b, Operand x);
Wide double_from_word(Builder& b, Operand x, bool is_signed);
Wide double_from_wide(Builder& b, const Wide& x, bool is_signed);
Operand double_to_float(Builder& b, const Wide& x);
Operand double_to_word(Builder& b, const Wide& x, bool is_signed);
Wide double_to_wide(Builder& b, const Wide& x, bool is_signed);

}  // namespace valkyr::valhall::lower
