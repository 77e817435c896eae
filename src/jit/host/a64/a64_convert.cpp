// A64 conversions: emit minimum, maximum, rounding, and conversions between number formats.
// SPDX-License-Identifier: MIT
//
// Kernels run with FPCR 0 (exec/abi.hpp): nearest even, subnormals kept, NaN payloads kept.
#include "jit/host/a64/a64_assembler.hpp"

#include <array>

namespace valkyr::jit {

namespace a64 = asmjit::a64;
using I = a64::Inst;

namespace {

// Indexed by Rounding: Nearest, Up, Down, Zero.
using ByRounding = std::array<asmjit::InstId, 4>;
constexpr ByRounding kRound = {I::kIdFrintn_v, I::kIdFrintp_v, I::kIdFrintm_v, I::kIdFrintz_v};
constexpr ByRounding kToSigned = {I::kIdFcvtns_v, I::kIdFcvtps_v, I::kIdFcvtms_v, I::kIdFcvtzs_v};
constexpr ByRounding kToUnsigned = {I::kIdFcvtnu_v, I::kIdFcvtpu_v, I::kIdFcvtmu_v, I::kIdFcvtzu_v};

asmjit::InstId by(const ByRounding& table, Rounding mode) {
    return table[static_cast<size_t>(mode)];
}

}  // namespace

/// FPCR.RMode numbers the directions like Rounding.
void A64Assembler::set_rounding(Rounding mode) {
    constexpr unsigned rmode_bit = 22;
    const asmjit::Imm fpcr(a64::Predicate::SysReg::kFPCR);
    if (mode == Rounding::Nearest) {
        asm_.msr(fpcr, a64::xzr);
        return;
    }
    asm_.mov(a64::x16, asmjit::Imm(static_cast<uint64_t>(mode) << rmode_bit));
    asm_.msr(fpcr, a64::x16);
}

template <typename F>
void A64Assembler::rounded(Rounding mode, F emit_operation) {
    if (mode != Rounding::Nearest)
        set_rounding(mode);
    emit_operation();
    if (mode != Rounding::Nearest)
        set_rounding(Rounding::Nearest);
}

/// For numbers and quiet NaNs, FMINNM and FMAXNM are minNum and maxNum.
void A64Assembler::min_max(Binary simple, Inst inst, Vec d, Vec a, Operand b, NumOperands known) {
    const bool may_signal = known.may_signal && !known.numbers;
    if (may_signal && known.second_if_equal)
        return op(simple, d, a, b);
    Vec other = to_register(b, scratch(3));
    if (may_signal) {
        emit(I::kIdFmax_v, Shape::S4, scratch(0), a, a);
        emit(I::kIdFmax_v, Shape::S4, scratch(1), other, other);
        a = scratch(0);
        other = scratch(1);
    }
    emit(inst, Shape::S4, d, a, other);
}

void A64Assembler::min_num(Vec d, Vec a, Operand b, NumOperands known) {
    min_max(Binary::MinF32, I::kIdFminnm_v, d, a, b, known);
}

void A64Assembler::max_num(Vec d, Vec a, Operand b, NumOperands known) {
    min_max(Binary::MaxF32, I::kIdFmaxnm_v, d, a, b, known);
}

void A64Assembler::replace_nans(Vec d, Vec a, Operand by) {
    const Vec number = scratch(0);
    emit(I::kIdFcmeq_v, Shape::S4, number, a, a);
    choose(d, number, a, to_register(by, scratch(3)));
}

void A64Assembler::round_f32(Vec d, Operand a, Rounding mode) {
    emit(by(kRound, mode), Shape::S4, d, to_register(a, scratch(3)));
}

void A64Assembler::round_f64(Vec d, Vec a, Rounding mode) {
    emit(by(kRound, mode), Shape::D2, d, a);
}

void A64Assembler::f32_to_s32(Vec d, Vec a, Rounding mode) {
    emit(by(kToSigned, mode), Shape::S4, d, a);
}

void A64Assembler::small_f32_to_s32(Vec d, Vec a, Rounding mode) {
    f32_to_s32(d, a, mode);
}

void A64Assembler::f32_to_u32(Vec d, Vec a, Rounding mode) {
    emit(by(kToUnsigned, mode), Shape::S4, d, a);
}

void A64Assembler::to_s32_or_zero(Vec d, Vec a) {
    f32_to_s32(d, a, Rounding::Nearest);
}

void A64Assembler::s32_to_f32(Vec d, Vec a, Rounding mode) {
    rounded(mode, [&] { emit(I::kIdScvtf_v, Shape::S4, d, a); });
}

void A64Assembler::u32_to_f32(Vec d, Vec a, Rounding mode) {
    rounded(mode, [&] { emit(I::kIdUcvtf_v, Shape::S4, d, a); });
}

void A64Assembler::f16_to_f32(Vec d, Vec a, unsigned which) {
    if (which == 0)
        asm_.xtn(reg(d).h4(), reg(a).s4());
    else
        asm_.shrn(reg(d).h4(), reg(a).s4(), asmjit::Imm(16));
    asm_.fcvtl(reg(d).s4(), reg(d).h4());
}

void A64Assembler::f32_to_f16(Vec d, Vec a, Rounding mode) {
    rounded(mode, [&] { asm_.fcvtn(reg(d).h4(), reg(a).s4()); });
    asm_.uxtl(reg(d).s4(), reg(d).h4());
}

void A64Assembler::count_leading_zeros(Vec d, Vec a) {
    emit(I::kIdClz_v, Shape::S4, d, a);
}

void A64Assembler::count_ones(Vec d, Vec a) {
    asm_.cnt(reg(d).b16(), reg(a).b16());
    asm_.uaddlp(reg(d).h8(), reg(d).b16());
    asm_.uaddlp(reg(d).s4(), reg(d).h8());
}

/// Scales in double precision, where a * 2^n is exact for |n| <= 511. Beyond, the result no longer
/// depends on n.
void A64Assembler::scale_f32(Vec d, Vec a, Vec n, Rounding mode) {
    const Vec low = scratch(0);
    const Vec high = scratch(1);
    const Vec s = scratch(2);
    const Vec t = scratch(3);
    load_constant(s, 511);
    emit(I::kIdSmin_v, Shape::S4, s, s, n);
    load_constant(t, ~511U);
    emit(I::kIdSmax_v, Shape::S4, s, s, t);
    load_constant(t, 1023);
    emit(I::kIdAdd_v, Shape::S4, s, s, t);
    // Make 2^n: the exponent goes to the upper word of a 64-bit element.
    emit(I::kIdShl_v, Shape::S4, s, s, 20U);
    zero(t);
    emit(I::kIdZip1_v, Shape::S4, low, t, s);
    emit(I::kIdZip2_v, Shape::S4, high, t, s);
    asm_.fcvtl(reg(s).d2(), reg(a).s2());
    asm_.fcvtl2(reg(t).d2(), reg(a).s4());
    emit(I::kIdFmul_v, Shape::D2, low, low, s);
    emit(I::kIdFmul_v, Shape::D2, high, high, t);
    rounded(mode, [&] {
        asm_.fcvtn(reg(d).s2(), reg(low).d2());
        asm_.fcvtn2(reg(d).s4(), reg(high).d2());
    });
}

}  // namespace valkyr::jit
