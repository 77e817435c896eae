// Integer math: saturates, and computes 64-bit sums.
// SPDX-License-Identifier: MIT
#include "jit/emit/integer_math.hpp"

#include "jit/context/formula.hpp"

namespace valkyr::jit {

void add_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b) {
    const U32 room(c, min(~0U ^ u32(a), b));  // up to the largest number
    U32 sum(c, d);
    sum = u32(a) + room;
}

void sub_saturate_u32(EmitContext& c, Vec d, Vec a, Vec b) {
    const U32 larger(c, max(u32(a), b));
    U32 difference(c, d);
    difference = larger - b;
}

namespace {

/// d = the limit of a's sign where the sign bit of `overflow` is set, else `wrapped`.
void limit_s32(EmitContext& c, Vec d, Vec a, Vec wrapped, Vec overflow) {
    const S32 limit(c, s32(a) >> 31 ^ 0x7FFFFFFF);
    const TempMask m = c.scratch_mask();
    c.h.sign_mask(m, overflow);
    S32 sum(c, d);
    sum = select(m, limit, wrapped);
}

}  // namespace

void add_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b) {
    const S32 sum(c, s32(a) + b);
    const S32 overflow = (s32(a) ^ sum) & (s32(b) ^ sum);
    limit_s32(c, d, a, sum, overflow);
}

void sub_saturate_s32(EmitContext& c, Vec d, Vec a, Vec b) {
    const S32 difference(c, s32(a) - b);
    const S32 overflow = (s32(a) ^ difference) & (s32(a) ^ b);
    limit_s32(c, d, a, difference, overflow);
}

VecPair add_u64(EmitContext& c, const VecPair& a, const VecPair& b) {
    U32 low(c);
    U32 high(c);
    U32 minus_carry(c);
    LaneMask carries(c);
    low = u32(a.low) + b.low;
    carries = low < a.low;
    minus_carry = where(carries, ~0U);
    high = u32(a.high) + b.high - minus_carry;
    return {std::move(low), std::move(high)};
}

VecPair sub_u64(EmitContext& c, const VecPair& a, const VecPair& b) {
    U32 low(c);
    U32 high(c);
    U32 minus_borrow(c);
    LaneMask borrows(c);
    borrows = u32(a.low) < b.low;
    low = u32(a.low) - b.low;
    minus_borrow = where(borrows, ~0U);
    high = u32(a.high) - b.high + minus_borrow;
    return {std::move(low), std::move(high)};
}

}  // namespace valkyr::jit
