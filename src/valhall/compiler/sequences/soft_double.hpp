// Soft float: emits IEEE binary64 operations in 32-bit integer instructions.
// SPDX-License-Identifier: MIT
//
// Round to nearest even, subnormals kept, every NaN result is 0x7FF8000000000000. Most routines are
// emitted once a process, for templates (double_sequence.hpp); loops are real loops, so that
// division stays short.
#pragma once

#include "valhall/compiler/sequences/flow.hpp"
#include "valhall/compiler/sequences/wide.hpp"

namespace valkyr::valhall::lower {

/// A double taken apart. Conditions are 0 or ~0.
struct DoubleParts {
    Wide magnitude;        ///< without the sign
    ir::Operand sign;      ///< 0 or 0x80000000
    ir::Operand exponent;  ///< biased, as if there were no subnormals; meaningless for 0, inf, NaN
    Wide significand;      ///< the leading bit is bit 63; 0 for 0
    ir::Operand is_nan;
    ir::Operand is_infinite;
    ir::Operand is_zero;
};
DoubleParts unpack(ir::Builder& b, const Wide& x);

/// Rounds significand * 2^(exponent + 1 - bias - 62), whose leading bit is bit 62, to a double. The
/// lowest bit is sticky. A significand of 0 gives 0.
Wide round_and_pack(ir::Builder& b,
                    ir::Operand sign,
                    ir::Operand exponent,
                    const Wide& significand);

/// x >> count, 0 <= count; bits that fall out are kept as the lowest one.
Wide shift_right_sticky(ir::Builder& b, const Wide& x, ir::Operand count);
/// The lower half of a 64-bit sticky shift by one.
Wide halve_sticky(ir::Builder& b, const Wide& x);

constexpr uint64_t kDoubleNan = 0x7FF8000000000000;
constexpr uint64_t kDoubleInfinity = 0x7FF0000000000000;
constexpr uint32_t kDoubleInfinityHigh = kDoubleInfinity >> 32;
constexpr uint64_t kDoubleOne = 0x3FF0000000000000;
constexpr uint32_t kDoubleBias = 1023;

Wide double_add(ir::Builder& b, const Wide& x, const Wide& y);
Wide double_multiply(ir::Builder& b, const Wide& x, const Wide& y);
/// x * y + z, rounded once.
Wide double_fma(ir::Builder& b, const Wide& x, const Wide& y, const Wide& z);
/// These two need a loop, which keeps its state in variables 0..kDoubleVariables-1 of the flow.
inline constexpr unsigned kDoubleVariables = 7;
Wide double_divide(ir::Builder& b, ir::Flow& flow, const Wide& x, const Wide& y);
Wide double_square_root(ir::Builder& b, ir::Flow& flow, const Wide& x);

/// A key whose unsigned order is that of doubles, with -0 < +0 and NaN anywhere.
Wide double_order(ir::Builder& b, const Wide& x);
/// x < y, x == y as IEEE has it.
ir::Operand double_less(ir::Builder& b, const Wide& x, const Wide& y);
ir::Operand double_equal(ir::Builder& b, const Wide& x, const Wide& y);
/// ~0 if x is NaN.
ir::Operand double_is_nan(ir::Builder& b, const Wide& x);
Wide double_min_max(ir::Builder& b, const Wide& x, const Wide& y, bool maximum);

enum class DoubleRounding : uint8_t { Truncate, Floor, Ceiling, NearestEven };
/// To a whole number that is a double.
Wide double_round(ir::Builder& b, const Wide& x, DoubleRounding mode);
Wide double_sign(ir::Builder& b, const Wide& x);
/// x * 2^n, rounded once.
Wide double_scale(ir::Builder& b, const Wide& x, ir::Operand n);
struct DoubleFraction {
    Wide mantissa;         ///< in [0.5, 1)
    ir::Operand exponent;  ///< 0 for 0, inf, NaN
};
DoubleFraction double_split(ir::Builder& b, const Wide& x);

// Conversions. To integers: truncated, limited to the range, NaN gives 0.
Wide double_from_float(ir::Builder& b, ir::Operand x);
Wide double_from_word(ir::Builder& b, ir::Operand x, bool is_signed);
Wide double_from_wide(ir::Builder& b, const Wide& x, bool is_signed);
ir::Operand double_to_float(ir::Builder& b, const Wide& x);
ir::Operand double_to_word(ir::Builder& b, const Wide& x, bool is_signed);
Wide double_to_wide(ir::Builder& b, const Wide& x, bool is_signed);

}  // namespace valkyr::valhall::lower
