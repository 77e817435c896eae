// Wide integers: emit 64-bit arithmetic on pairs of 32-bit values.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/compiler/ir/builder.hpp"

namespace valkyr::valhall::lower {

/// A 64-bit value: low and high word.
struct Wide {
    ir::Operand low;
    ir::Operand high;
};

inline Wide wide_literal(uint64_t bits) {
    return {ir::literal(static_cast<uint32_t>(bits)),
            ir::literal(static_cast<uint32_t>(bits >> 32))};
}

Wide add(ir::Builder& b, const Wide& x, const Wide& y);
Wide subtract(ir::Builder& b, const Wide& x, const Wide& y);
/// The low 64 bits of the product.
Wide multiply(ir::Builder& b, const Wide& x, const Wide& y);
/// The 64-bit product of two words.
Wide multiply_words(ir::Builder& b, ir::Operand x, ir::Operand y);
/// Counts modulo 64.
Wide shift_left(ir::Builder& b, const Wide& x, ir::Operand count);
Wide shift_right(ir::Builder& b, const Wide& x, ir::Operand count);
Wide shift_right_signed(ir::Builder& b, const Wide& x, ir::Operand count);
Wide bit_and(ir::Builder& b, const Wide& x, const Wide& y);
Wide bit_or(ir::Builder& b, const Wide& x, const Wide& y);
Wide bit_xor(ir::Builder& b, const Wide& x, const Wide& y);
/// A word in both halves.
inline Wide both(ir::Operand word) {
    return {word, word};
}
/// ~0 or 0.
ir::Operand
compare(ir::Builder& b, Condition condition, bool is_signed, const Wide& x, const Wide& y);
/// `condition` (0 or ~0) ? yes : no.
ir::Operand choose(ir::Builder& b, ir::Operand condition, ir::Operand yes, ir::Operand no);
Wide choose(ir::Builder& b, ir::Operand condition, const Wide& yes, const Wide& no);
/// x if `mask` is 0, -x if it is ~0.
Wide negate_if(ir::Builder& b, const Wide& x, ir::Operand mask);
/// Leading zeros, 64 for 0.
ir::Operand leading_zeros(ir::Builder& b, const Wide& x);
/// ~0 if x is 0.
ir::Operand is_zero(ir::Builder& b, const Wide& x);

}  // namespace valkyr::valhall::lower
