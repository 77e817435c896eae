// A64 masks: emit comparisons and selections.
// SPDX-License-Identifier: MIT
#include "jit/host/a64/a64_assembler.hpp"

#include <array>
#include <utility>

namespace valkyr::jit {

namespace a64 = asmjit::a64;
using I = a64::Inst;

namespace {

constexpr std::array<uint32_t, 4> kLaneBits = {1, 2, 4, 8};

/// first(a, b), or'ed with second(b, a) if second is not kNone.
struct FloatRow {
    asmjit::InstId first;
    asmjit::InstId second;
    bool exchange;    ///< first(b, a)
    bool complement;  ///< of the result
};
constexpr asmjit::InstId kNone = I::kIdNone;
// Indexed by FloatCond.
constexpr std::array<FloatRow, 9> kFloatRows = {
    FloatRow{I::kIdFcmeq_v, kNone, false, false},          // Equal
    FloatRow{I::kIdFcmgt_v, kNone, false, false},          // Greater
    FloatRow{I::kIdFcmge_v, kNone, false, false},          // GreaterEqual
    FloatRow{I::kIdFcmeq_v, kNone, false, true},           // NotEqual
    FloatRow{I::kIdFcmgt_v, kNone, true, false},           // Less
    FloatRow{I::kIdFcmge_v, kNone, true, false},           // LessEqual
    FloatRow{I::kIdFcmgt_v, I::kIdFcmgt_v, false, false},  // LessGreater
    FloatRow{I::kIdFcmge_v, I::kIdFcmgt_v, false, true},   // Unordered
    FloatRow{I::kIdFcmge_v, I::kIdFcmgt_v, false, false},  // Ordered
};

// The same for b = 0: first(a, 0), or'ed with second(a, 0). kNone: there is no such instruction.
constexpr std::array<FloatRow, 9> kZeroRows = {
    FloatRow{I::kIdFcmeq_v, kNone, false, false},          // Equal
    FloatRow{I::kIdFcmgt_v, kNone, false, false},          // Greater
    FloatRow{I::kIdFcmge_v, kNone, false, false},          // GreaterEqual
    FloatRow{I::kIdFcmeq_v, kNone, false, true},           // NotEqual
    FloatRow{I::kIdFcmlt_v, kNone, false, false},          // Less
    FloatRow{I::kIdFcmle_v, kNone, false, false},          // LessEqual
    FloatRow{I::kIdFcmgt_v, I::kIdFcmlt_v, false, false},  // LessGreater
    FloatRow{kNone, kNone, false, false},                  // Unordered
    FloatRow{kNone, kNone, false, false},                  // Ordered
};

struct IntRow {
    asmjit::InstId is_signed, is_unsigned;
    bool exchange;
};
// Indexed by IntCond; NotEqual is the complement of its row.
constexpr std::array<IntRow, 6> kIntRows = {
    IntRow{I::kIdCmeq_v, I::kIdCmeq_v, false}, {I::kIdCmgt_v, I::kIdCmhi_v, false},
    {I::kIdCmge_v, I::kIdCmhs_v, false},       {I::kIdCmeq_v, I::kIdCmeq_v, false},
    {I::kIdCmgt_v, I::kIdCmhi_v, true},        {I::kIdCmge_v, I::kIdCmhs_v, true},
};

// Signed comparisons with 0, by IntCond.
constexpr std::array<asmjit::InstId, 6> kZeroConds = {I::kIdCmeq_v, I::kIdCmgt_v, I::kIdCmge_v,
                                                      I::kIdCmeq_v, I::kIdCmlt_v, I::kIdCmle_v};

Shape shape_of(Element element) {
    return static_cast<Shape>(element);
}
static_assert(static_cast<int>(Shape::B16) == static_cast<int>(Element::B8) &&
              static_cast<int>(Shape::D2) == static_cast<int>(Element::B64));

}  // namespace

void A64Assembler::compare_floats(FloatCond cond, Shape shape, Vec d, Vec a, Vec b) {
    FloatRow row = kFloatRows[static_cast<size_t>(cond)];
    if (a == b && (cond == FloatCond::Ordered || cond == FloatCond::Unordered))
        row = {I::kIdFcmeq_v, kNone, false, cond == FloatCond::Unordered};
    const Vec t = scratch(0);
    if (row.second != kNone)
        emit(row.second, shape, t, b, a);
    if (row.exchange)
        std::swap(a, b);
    emit(row.first, shape, d, a, b);
    if (row.second != kNone)
        emit(I::kIdOrr_v, Shape::B16, d, d, t);
    if (row.complement)
        complement(d);
}

void A64Assembler::compare(FloatCond cond, Mask d, Vec a, Operand b) {
    const FloatRow& row = kZeroRows[static_cast<size_t>(cond)];
    if (!is_zero(b) || row.first == kNone)
        return compare_floats(cond, Shape::S4, vec(d), a, to_register(b, scratch(3)));
    const Vec t = scratch(0);
    if (row.second != kNone)
        emit(row.second, Shape::S4, t, a, 0U);
    emit(row.first, Shape::S4, vec(d), a, 0U);
    if (row.second != kNone)
        emit(I::kIdOrr_v, Shape::B16, vec(d), vec(d), t);
    if (row.complement)
        complement(vec(d));
}

void A64Assembler::compare_f64(FloatCond cond, Mask d, Vec a, Vec b) {
    compare_floats(cond, Shape::D2, vec(d), a, b);
}

void A64Assembler::compare(
    IntCond cond, Element element, bool is_signed, Mask d, Vec a, Operand operand) {
    if (cond == IntCond::NotEqual && is_zero(operand))
        return emit(I::kIdCmtst_v, shape_of(element), vec(d), a, a);
    const IntRow& row = kIntRows[static_cast<size_t>(cond)];
    if (is_zero(operand) && (is_signed || cond == IntCond::Equal))
        return emit(kZeroConds[static_cast<size_t>(cond)], shape_of(element), vec(d), a, 0U);
    Vec b = to_register(operand, scratch(3));
    if (row.exchange)
        std::swap(a, b);
    emit(is_signed ? row.is_signed : row.is_unsigned, shape_of(element), vec(d), a, b);
    if (cond == IntCond::NotEqual)
        complement(vec(d));
}

void A64Assembler::test_nonzero(Mask d, Vec a) {
    emit(I::kIdCmtst_v, Shape::S4, vec(d), a, a);
}

void A64Assembler::sign_mask(Mask d, Vec a) {
    emit(I::kIdSshr_v, Shape::S4, vec(d), a, 31U);
}

void A64Assembler::test_bit(Mask d, Vec a, unsigned bit) {
    op(ImmOp::Shl32, vec(d), a, 31 - bit);
    sign_mask(d, vec(d));
}

void A64Assembler::mask_and(Mask d, Mask a, Mask b) {
    emit(I::kIdAnd_v, Shape::B16, vec(d), vec(a), vec(b));
}
void A64Assembler::mask_or(Mask d, Mask a, Mask b) {
    emit(I::kIdOrr_v, Shape::B16, vec(d), vec(a), vec(b));
}
void A64Assembler::mask_and_not(Mask d, Mask a, Mask b) {
    emit(I::kIdBic_v, Shape::B16, vec(d), vec(b), vec(a));
}
void A64Assembler::mask_not(Mask d, Mask a) {
    emit(I::kIdNot_v, Shape::B16, vec(d), vec(a));
}

void A64Assembler::select(Element, Vec d, Mask mask, Operand t, Vec f) {
    choose(d, vec(mask), to_register(t, scratch(3)), f);
}

void A64Assembler::select_negative(Vec d, Vec sign, Operand t, Vec f) {
    const Vec mask = scratch(2);
    emit(I::kIdSshr_v, Shape::S4, mask, sign, 31U);
    choose(d, mask, to_register(t, scratch(3)), f);
}

void A64Assembler::clear_lanes(Vec d, Mask mask, Vec a) {
    emit(I::kIdBic_v, Shape::B16, d, a, vec(mask));
}

void A64Assembler::keep_lanes(Vec d, Mask mask, Operand t) {
    emit(I::kIdAnd_v, Shape::B16, d, vec(mask), to_register(t, scratch(3)));
}

void A64Assembler::mask_value(Element, Vec d, Mask mask, uint32_t value) {
    if (value == 0xFFFFFFFF)
        return move(d, vec(mask));
    load_constant(scratch(3), value);
    emit(I::kIdAnd_v, Shape::B16, d, vec(mask), scratch(3));
}

Address A64Assembler::lane_bits() {
    if (lane_bits_ < 0)
        lane_bits_ = pool_words(kLaneBits).offset;
    return {Gp::Pool, lane_bits_};
}

void A64Assembler::mask_bits(Gp d, Mask mask) {
    const Vec s = scratch(0);
    load(s, lane_bits());
    emit(I::kIdAnd_v, Shape::B16, s, s, vec(mask));
    asm_.addv(reg(s).s(), reg(s).s4());
    asm_.fmov(gp32(d), reg(s).s());
}

void A64Assembler::mask_from_bits(Mask d, Gp bits) {
    const Vec s = scratch(0);
    load(s, lane_bits());
    asm_.dup(reg(vec(d)).s4(), gp32(bits));
    emit(I::kIdCmtst_v, Shape::S4, vec(d), vec(d), s);
}

/// Rewrites the old values of other lanes, which is safe because the arrays belong to one thread.
void A64Assembler::store_masked(Address a, Mask mask, Vec s) {
    const Vec t = scratch(0);
    const a64::Mem place = mem(a, 16);
    asm_.ldr(reg(t), place);
    emit(I::kIdBit_v, Shape::B16, t, s, vec(mask));
    asm_.str(reg(t), place);
}

void A64Assembler::load_masked(Vec d, Mask mask, Address a) {
    const Vec t = scratch(0);
    load(t, a);
    emit(I::kIdAnd_v, Shape::B16, d, t, vec(mask));
}

}  // namespace valkyr::jit
