// Float comparison: emits the comparisons of FCMP, CSEL and DISCARD, and bounds of numbers.
// SPDX-License-Identifier: MIT
#include "jit/emit/float_compare.hpp"

#include <array>

namespace valkyr::jit {

using valhall::Condition;

namespace {

constexpr std::array<FloatCond, 7> kConditions = {
    FloatCond::Equal, FloatCond::Greater,   FloatCond::GreaterEqual, FloatCond::NotEqual,
    FloatCond::Less,  FloatCond::LessEqual, FloatCond::LessGreater};

/// x ^ ((x >> 31) >>> 1): the signed order of this is IEEE totalOrder.
Temp total_order_key(EmitContext& c, Vec x) {
    Temp d = c.scratch();
    c.h.op(ImmOp::Sar32, d, x, 31);
    c.h.op(ImmOp::Shr32, d, d, 1);
    c.h.op(Binary::Xor, d, d, x);
    return d;
}

}  // namespace

void compare_f32(EmitContext& c, Mask d, Vec a, Operand b) {
    const auto condition = c.instr().get<Condition>(valhall::Mod::cmp);
    if (condition != Condition::total) {
        c.h.compare(kConditions[static_cast<size_t>(condition)], d, a, b);
        return;
    }
    const Temp right = c.scratch();
    c.h.move(right, b);
    const Temp x = total_order_key(c, a);
    const Temp y = total_order_key(c, right);
    c.h.compare(IntCond::LessEqual, Element::B32, true, d, x, y);
}

void limit_f32(EmitContext& c, Vec d, Vec a, Operand bound, bool maximum, bool may_signal) {
    const NumOperands known = {
        .may_signal = may_signal, .second_is_number = true, .second_if_equal = true};
    if (maximum)
        c.h.max_num(d, a, bound, known);
    else
        c.h.min_num(d, a, bound, known);
}

}  // namespace valkyr::jit
