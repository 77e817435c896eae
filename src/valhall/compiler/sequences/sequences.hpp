// Sequences: emit operations that the machine has no single instruction for.
// SPDX-License-Identifier: MIT
//
// The order of operations is fixed by docs/rules/isa-notes.md "Special functions": the sequence is
// the definition. Float operands may carry kNeg and kAbs.
#pragma once

#include "valhall/compiler/ir/builder.hpp"

namespace valkyr::valhall::lower {

/// x / y: reciprocal, product and one correction step (0.50 ulp for normal values, so that whole
/// quotients are exact); literal y are multiplied with.
ir::Operand divide(ir::Builder& b, ir::Operand x, ir::Operand y);
ir::Operand square_root(ir::Builder& b, ir::Operand x);
/// 1 / x; the square root of y if x is the reciprocal square root of y.
ir::Operand reciprocal(ir::Builder& b, ir::Operand x);
ir::Operand exp2(ir::Builder& b, ir::Operand x);
ir::Operand log2(ir::Builder& b, ir::Operand x);
/// 2^(y * log2 x); pow(x, 0) = 1, negative x gives NaN.
ir::Operand pow(ir::Builder& b, ir::Operand x, ir::Operand y);
/// Argument in radians, abs(x) < 10^6.
ir::Operand sine(ir::Builder& b, ir::Operand x);
ir::Operand cosine(ir::Builder& b, ir::Operand x);

/// High words of the 64-bit product.
ir::Operand multiply_high_unsigned(ir::Builder& b, ir::Operand x, ir::Operand y);
ir::Operand multiply_high_signed(ir::Builder& b, ir::Operand x, ir::Operand y);

struct Division {
    ir::Operand quotient;
    ir::Operand remainder;
};
/// Division by zero gives ~0 for both.
Division divide_unsigned(ir::Builder& b, ir::Operand x, ir::Operand y);
/// Truncates; the remainder has the sign of x. Division by zero: both -1 for x >= 0, else 1;
/// INT_MIN / -1 = INT_MIN.
Division divide_signed(ir::Builder& b, ir::Operand x, ir::Operand y);

}  // namespace valkyr::valhall::lower
