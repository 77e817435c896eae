// Wide integers: emit pair instructions, or word sequences where they are shorter.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/sequences/wide.hpp"

namespace valkyr::valhall::lower {
namespace {

using ir::Builder;
using ir::literal;
using ir::Operand;
using ir::select;
using ir::Spec;

constexpr uint8_t kWord = static_cast<uint8_t>(Swizzles64Bit::w0);
/// Selector of lanes_8_bit: byte 0.
constexpr uint8_t kLanesB00 = static_cast<uint8_t>(Lanes8Bit::b00);

Operand as_source(Builder& b, const Wide& x) {
    return b.pair(x.low, x.high);
}

Wide pair_result(const ir::Inst& inst) {
    return {ir::value_operand(inst.def), ir::value_operand(inst.def + 1)};
}

Wide binary(Builder& b, Op op, const Wide& x, const Wide& y) {
    const Operand left = as_source(b, x);
    return pair_result(b.emit_message(Spec(op), {left, as_source(b, y)}, {.def_count = 2}));
}

Wide shift(Builder& b, const Spec& spec, const Wide& x, Operand count) {
    const Operand lanes = count.kind == ir::OperandKind::Literal && (count.value & 63) < 32
                              ? ir::shift_count(count.value & 63)
                              : select(count, kLanesB00);
    return pair_result(
        b.emit_message(spec, {as_source(b, x), lanes, literal(0)}, {.def_count = 2}));
}

}  // namespace

Wide add(Builder& b, const Wide& x, const Wide& y) {
    return binary(b, Op::IADD_U64, x, y);
}

Wide subtract(Builder& b, const Wide& x, const Wide& y) {
    return binary(b, Op::ISUB_U64, x, y);
}

Wide multiply_words(Builder& b, Operand x, Operand y) {
    return pair_result(b.emit_message(Spec(Op::IMULD_U64), {select(x, kWord), select(y, kWord)},
                                      {.def_count = 2}));
}

Wide multiply(Builder& b, const Wide& x, const Wide& y) {
    const Wide product = multiply_words(b, x.low, y.low);
    const Operand cross = b.iadd(b.imul(x.low, y.high), b.imul(x.high, y.low));
    return {product.low, b.iadd(product.high, cross)};
}

Wide shift_left(Builder& b, const Wide& x, Operand count) {
    return shift(b, Spec(Op::LSHIFT_OR_I64), x, count);
}

Wide shift_right(Builder& b, const Wide& x, Operand count) {
    return shift(b, Spec(Op::RSHIFT_OR_I64), x, count);
}

Wide shift_right_signed(Builder& b, const Wide& x, Operand count) {
    return shift(b, Spec(Op::RSHIFT_OR_I64).with(Mod::signed_, 1), x, count);
}

Wide bit_and(Builder& b, const Wide& x, const Wide& y) {
    return {b.bit_and(x.low, y.low), b.bit_and(x.high, y.high)};
}

Wide bit_or(Builder& b, const Wide& x, const Wide& y) {
    return {b.bit_or(x.low, y.low), b.bit_or(x.high, y.high)};
}

Wide bit_xor(Builder& b, const Wide& x, const Wide& y) {
    return {b.bit_xor(x.low, y.low), b.bit_xor(x.high, y.high)};
}

Operand compare(Builder& b, Condition condition, bool is_signed, const Wide& x, const Wide& y) {
    const Spec low = Spec(Op::ICMP_U32)
                         .with(Mod::cmp, condition)
                         .with(Mod::result_type, ResultType::u1)
                         .with(Mod::seq, 1);
    const Operand order = b.emit(low, {x.low, y.low, literal(0)});
    const Spec high = Spec(is_signed ? Op::ICMP_S32 : Op::ICMP_U32)
                          .with(Mod::cmp, condition)
                          .with(Mod::result_type, ResultType::m1)
                          .with(Mod::seq, 1);
    return b.emit(high, {x.high, y.high, order});
}

Operand choose(Builder& b, Operand condition, Operand yes, Operand no) {
    return b.mux(Mux::int_zero, no, yes, condition);
}

Wide choose(Builder& b, Operand condition, const Wide& yes, const Wide& no) {
    return {choose(b, condition, yes.low, no.low), choose(b, condition, yes.high, no.high)};
}

Wide negate_if(Builder& b, const Wide& x, Operand mask) {
    return subtract(b, bit_xor(b, x, both(mask)), both(mask));
}

Operand is_zero(Builder& b, const Wide& x) {
    return b.icmp_u32(Condition::eq, ResultType::m1, b.bit_or(x.low, x.high), literal(0));
}

Operand leading_zeros(Builder& b, const Wide& x) {
    const Operand high = b.unary(Op::CLZ_U32, x.high);
    const Operand low = b.iadd(b.unary(Op::CLZ_U32, x.low), literal(32));
    return b.csel_u32(Condition::eq, x.high, literal(0), low, high);
}

}  // namespace valkyr::valhall::lower
