// Integer math: saturates, and computes high products and 64-bit sums.
// SPDX-License-Identifier: MIT
#include "jit/emit/integer_math.hpp"

namespace valkyr::jit {

void add_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b) {
    // a + min(b, ~a)
    const Temp room = c.constant(0xFFFFFFFF);
    c.h.op(Binary::Xor, room, room, a);
    c.h.op(Binary::MinU32, room, room, b);
    c.h.op(Binary::AddI32, d, a, room);
}

void sub_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b) {
    const Temp larger = c.scratch();
    c.h.op(Binary::MaxU32, larger, a, b);
    c.h.op(Binary::SubI32, d, larger, b);
}

namespace {

/// d = the limit of a's sign where the sign bit of `overflow` is set, else `wrapped`.
void limit_s32(EmitContext& c, Vec d, Vec a, Vec wrapped, Vec overflow) {
    const Temp limit = c.scratch();
    const TempMask m = c.scratch_mask();
    c.h.op(ImmOp::Sar32, limit, a, 31);
    c.h.op(Binary::Xor, limit, limit, c.pool(0x7FFFFFFF));
    c.h.sign_mask(m, overflow);
    c.h.select(Element::B32, d, m, limit, wrapped);
}

}  // namespace

void add_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b) {
    const Temp sum = c.scratch();
    const Temp s = c.scratch();
    Temp t = c.scratch();
    c.h.op(Binary::AddI32, sum, a, b);
    c.h.op(Binary::Xor, s, a, sum);
    c.h.op(Binary::Xor, t, b, sum);
    c.h.op(Binary::And, s, s, t);
    t.reset();
    limit_s32(c, d, a, sum, s);
}

void sub_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b) {
    const Temp difference = c.scratch();
    const Temp s = c.scratch();
    Temp t = c.scratch();
    c.h.op(Binary::SubI32, difference, a, b);
    c.h.op(Binary::Xor, s, a, difference);
    c.h.op(Binary::Xor, t, a, b);
    c.h.op(Binary::And, s, s, t);
    t.reset();
    limit_s32(c, d, a, difference, s);
}

void mul_high_u32(EmitContext& c, Vec d, Vec a, Vec b) {
    const Temp odd_a = c.scratch();
    const Temp odd_b = c.scratch();
    c.h.op(ImmOp::Shr64, odd_a, a, 32);
    c.h.op(ImmOp::Shr64, odd_b, b, 32);
    c.h.op(Binary::MulEvenU32, odd_a, odd_a, odd_b);
    c.h.op(Binary::MulEvenU32, odd_b, a, b);
    c.h.op(ImmOp::Shr64, odd_b, odd_b, 32);
    c.h.merge_odd_lanes(d, odd_b, odd_a);
}

void mul_high_s32(EmitContext& c, Vec d, Vec a, Vec b) {
    mul_high_u32(c, d, a, b);
    // Subtract b where a is negative, and a where b is negative.
    const Temp t = c.scratch();
    c.h.op(ImmOp::Sar32, t, a, 31);
    c.h.op(Binary::And, t, t, b);
    c.h.op(Binary::SubI32, d, d, t);
    c.h.op(ImmOp::Sar32, t, b, 31);
    c.h.op(Binary::And, t, t, a);
    c.h.op(Binary::SubI32, d, d, t);
}

VecPair add_u64(EmitContext& c, const VecPair& a, const VecPair& b) {
    VecPair d{c.scratch(), c.scratch()};
    const Temp ones = c.scratch();
    const TempMask carry = c.scratch_mask();
    c.h.op(Binary::AddI32, d.low, a.low, b.low);
    c.h.compare(IntCond::Less, Element::B32, false, carry, d.low, a.low);
    c.h.mask_value(Element::B32, ones, carry, 0xFFFFFFFF);
    c.h.op(Binary::AddI32, d.high, a.high, b.high);
    c.h.op(Binary::SubI32, d.high, d.high, ones);
    return d;
}

VecPair sub_u64(EmitContext& c, const VecPair& a, const VecPair& b) {
    VecPair d{c.scratch(), c.scratch()};
    const Temp ones = c.scratch();
    const TempMask borrow = c.scratch_mask();
    c.h.compare(IntCond::Less, Element::B32, false, borrow, a.low, b.low);
    c.h.op(Binary::SubI32, d.low, a.low, b.low);
    c.h.mask_value(Element::B32, ones, borrow, 0xFFFFFFFF);
    c.h.op(Binary::SubI32, d.high, a.high, b.high);
    c.h.op(Binary::AddI32, d.high, d.high, ones);
    return d;
}

}  // namespace valkyr::jit
