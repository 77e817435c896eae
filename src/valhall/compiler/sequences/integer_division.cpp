// Integer division: emits high words of products, quotients and remainders in simple instructions.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/sequences.hpp"

namespace valkyr::valhall::lower {

using namespace ir;

Operand multiply_high_unsigned(Builder& b, Operand x, Operand y) {
    const auto w0 = static_cast<uint8_t>(Swizzles64Bit::w0);
    const uint32_t low =
        b.emit_message(Spec(Op::IMULD_U64), {select(x, w0), select(y, w0)}, {.def_count = 2}).def;
    return ir::value_operand(low + 1);
}

Operand multiply_high_signed(Builder& b, Operand x, Operand y) {
    const Operand high = multiply_high_unsigned(b, x, y);
    const Spec sign_and = Spec(Op::RSHIFT_AND_I32).with(Mod::signed_, 1);
    const Operand p = b.emit(sign_and, {x, ir::shift_count(31), y});
    const Operand q = b.emit(sign_and, {y, ir::shift_count(31), x});
    return b.isub(b.isub(high, p), q);
}

Division divide_unsigned(Builder& b, Operand x, Operand y) {
    const Operand estimate =
        b.f32_to_u32(b.fmul(b.unary(Op::FRCP_F32, b.unary(Op::U32_TO_F32, y)), literal(0x4F7FFFFE)),
                     RoundMode::rtz);
    const Operand error = b.isub(literal(0), b.imul(y, estimate));
    const Operand inverse = b.iadd(estimate, multiply_high_unsigned(b, estimate, error));
    Operand q = multiply_high_unsigned(b, x, inverse);
    Operand r = b.isub(x, b.imul(q, y));
    for (int step = 0; step < 2; ++step) {
        const Operand more = b.iadd(q, literal(1));
        const Operand less = b.isub(r, y);
        q = b.csel_u32(Condition::ge, r, y, more, q);
        r = b.csel_u32(Condition::ge, r, y, less, r);
    }
    const Operand ones = literal(~0U);
    return {b.csel_u32(Condition::eq, y, literal(0), ones, q),
            b.csel_u32(Condition::eq, y, literal(0), ones, r)};
}

Division divide_signed(Builder& b, Operand x, Operand y) {
    const Division magnitude =
        divide_unsigned(b, b.unary(Op::IABS_S32, x), b.unary(Op::IABS_S32, y));
    const auto with_sign = [&](Operand value, Operand mask) {
        return b.isub(b.bit_xor(value, mask), mask);
    };
    const Operand x_sign = b.shift_right_signed(x, literal(31));
    const Operand sign = b.shift_right_signed(b.bit_xor(x, y), literal(31));
    return {with_sign(magnitude.quotient, sign), with_sign(magnitude.remainder, x_sign)};
}

}  // namespace valkyr::valhall::lower
