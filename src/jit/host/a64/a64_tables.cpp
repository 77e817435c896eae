// A64 tables: give every lane-vector operation its host instructions.
// SPDX-License-Identifier: MIT
#include "jit/host/a64/a64_tables.hpp"

#include "jit/host/instruction_table.hpp"

#include <array>

namespace valkyr::jit {

namespace {

using I = asmjit::a64::Inst;
using F = A64Form;
using S = Shape;
constexpr asmjit::InstId kNone = I::kIdNone;

// clang-format off
constexpr std::array kBinary = {
    A64Binary{Binary::AddF32,       F::Plain,          I::kIdFadd_v,   kNone,           S::S4},
    A64Binary{Binary::SubF32,       F::Plain,          I::kIdFsub_v,   kNone,           S::S4},
    A64Binary{Binary::MulF32,       F::Plain,          I::kIdFmul_v,   kNone,           S::S4},
    A64Binary{Binary::DivF32,       F::Plain,          I::kIdFdiv_v,   kNone,           S::S4},
    A64Binary{Binary::MinF32,       F::ChooseLess,     I::kIdFcmgt_v,  kNone,           S::S4},
    A64Binary{Binary::MaxF32,       F::ChooseGreater,  I::kIdFcmgt_v,  kNone,           S::S4},
    A64Binary{Binary::And,          F::Plain,          I::kIdAnd_v,    kNone,           S::B16},
    A64Binary{Binary::Or,           F::Plain,          I::kIdOrr_v,    kNone,           S::B16},
    A64Binary{Binary::Xor,          F::Plain,          I::kIdEor_v,    kNone,           S::B16},
    A64Binary{Binary::AndNot,       F::Exchanged,      I::kIdBic_v,    kNone,           S::B16},
    A64Binary{Binary::AddI32,       F::Plain,          I::kIdAdd_v,    kNone,           S::S4},
    A64Binary{Binary::SubI32,       F::Plain,          I::kIdSub_v,    kNone,           S::S4},
    A64Binary{Binary::MulI32,       F::Plain,          I::kIdMul_v,    kNone,           S::S4},
    A64Binary{Binary::MinS32,       F::Plain,          I::kIdSmin_v,   kNone,           S::S4},
    A64Binary{Binary::MaxS32,       F::Plain,          I::kIdSmax_v,   kNone,           S::S4},
    A64Binary{Binary::MinU32,       F::Plain,          I::kIdUmin_v,   kNone,           S::S4},
    A64Binary{Binary::MaxU32,       F::Plain,          I::kIdUmax_v,   kNone,           S::S4},
    A64Binary{Binary::AddI16,       F::Plain,          I::kIdAdd_v,    kNone,           S::H8},
    A64Binary{Binary::SubI16,       F::Plain,          I::kIdSub_v,    kNone,           S::H8},
    A64Binary{Binary::AddSatS16,    F::Plain,          I::kIdSqadd_v,  kNone,           S::H8},
    A64Binary{Binary::AddSatU16,    F::Plain,          I::kIdUqadd_v,  kNone,           S::H8},
    A64Binary{Binary::SubSatS16,    F::Plain,          I::kIdSqsub_v,  kNone,           S::H8},
    A64Binary{Binary::SubSatU16,    F::Plain,          I::kIdUqsub_v,  kNone,           S::H8},
    A64Binary{Binary::MulI16,       F::Plain,          I::kIdMul_v,    kNone,           S::H8},
    A64Binary{Binary::MulHighS16,   F::High,           I::kIdSmull_v,  I::kIdSmull2_v,  S::H8},
    A64Binary{Binary::MulHighU16,   F::High,           I::kIdUmull_v,  I::kIdUmull2_v,  S::H8},
    A64Binary{Binary::MinS16,       F::Plain,          I::kIdSmin_v,   kNone,           S::H8},
    A64Binary{Binary::MaxS16,       F::Plain,          I::kIdSmax_v,   kNone,           S::H8},
    A64Binary{Binary::MinU16,       F::Plain,          I::kIdUmin_v,   kNone,           S::H8},
    A64Binary{Binary::MaxU16,       F::Plain,          I::kIdUmax_v,   kNone,           S::H8},
    A64Binary{Binary::AvgU16,       F::Plain,          I::kIdUrhadd_v, kNone,           S::H8},
    A64Binary{Binary::AddI8,        F::Plain,          I::kIdAdd_v,    kNone,           S::B16},
    A64Binary{Binary::SubI8,        F::Plain,          I::kIdSub_v,    kNone,           S::B16},
    A64Binary{Binary::AddSatS8,     F::Plain,          I::kIdSqadd_v,  kNone,           S::B16},
    A64Binary{Binary::AddSatU8,     F::Plain,          I::kIdUqadd_v,  kNone,           S::B16},
    A64Binary{Binary::SubSatS8,     F::Plain,          I::kIdSqsub_v,  kNone,           S::B16},
    A64Binary{Binary::SubSatU8,     F::Plain,          I::kIdUqsub_v,  kNone,           S::B16},
    A64Binary{Binary::MinS8,        F::Plain,          I::kIdSmin_v,   kNone,           S::B16},
    A64Binary{Binary::MaxS8,        F::Plain,          I::kIdSmax_v,   kNone,           S::B16},
    A64Binary{Binary::MinU8,        F::Plain,          I::kIdUmin_v,   kNone,           S::B16},
    A64Binary{Binary::MaxU8,        F::Plain,          I::kIdUmax_v,   kNone,           S::B16},
    A64Binary{Binary::AvgU8,        F::Plain,          I::kIdUrhadd_v, kNone,           S::B16},
    A64Binary{Binary::AddI64,       F::Plain,          I::kIdAdd_v,    kNone,           S::D2},
    A64Binary{Binary::SubI64,       F::Plain,          I::kIdSub_v,    kNone,           S::D2},
    A64Binary{Binary::MulEvenU32,   F::Even,           I::kIdUmull_v,  kNone,           S::D2},
    A64Binary{Binary::ShlV32,       F::ShiftLeft,      I::kIdUshl_v,   kNone,           S::S4},
    A64Binary{Binary::ShrV32,       F::ShiftRight,     I::kIdUshl_v,   kNone,           S::S4},
    A64Binary{Binary::SarV32,       F::ShiftRight,     I::kIdSshl_v,   kNone,           S::S4},
    A64Binary{Binary::ShlV64,       F::ShiftLeftWide,  I::kIdUshl_v,   kNone,           S::D2},
    A64Binary{Binary::ShrV64,       F::ShiftRightWide, I::kIdUshl_v,   kNone,           S::D2},
    A64Binary{Binary::PackU16ToU8,  F::Pack,           I::kIdSqxtun_v, I::kIdSqxtun2_v, S::B16},
    A64Binary{Binary::PackS16ToS8,  F::Pack,           I::kIdSqxtn_v,  I::kIdSqxtn2_v,  S::B16},
    A64Binary{Binary::PackS32ToS16, F::Pack,           I::kIdSqxtn_v,  I::kIdSqxtn2_v,  S::H8},
    A64Binary{Binary::PackS32ToU16, F::Pack,           I::kIdSqxtun_v, I::kIdSqxtun2_v, S::H8},
    A64Binary{Binary::UnpackLow8,   F::Plain,          I::kIdZip1_v,   kNone,           S::B16},
    A64Binary{Binary::UnpackHigh8,  F::Plain,          I::kIdZip2_v,   kNone,           S::B16},
    A64Binary{Binary::UnpackLow16,  F::Plain,          I::kIdZip1_v,   kNone,           S::H8},
    A64Binary{Binary::UnpackHigh16, F::Plain,          I::kIdZip2_v,   kNone,           S::H8},
    A64Binary{Binary::UnpackLow32,  F::Plain,          I::kIdZip1_v,   kNone,           S::S4},
    A64Binary{Binary::UnpackHigh32, F::Plain,          I::kIdZip2_v,   kNone,           S::S4},
    A64Binary{Binary::UnpackLow64,  F::Plain,          I::kIdZip1_v,   kNone,           S::D2},
    A64Binary{Binary::UnpackHigh64, F::Plain,          I::kIdZip2_v,   kNone,           S::D2},
    A64Binary{Binary::ShuffleBytes, F::Plain,          I::kIdTbl_v,    kNone,           S::B16},
    A64Binary{Binary::MulAddU8S8,   F::Bytes,          I::kIdMul_v,    kNone,           S::H8},
    A64Binary{Binary::MulAddS16,    F::Pairs,          I::kIdSmull_v,  I::kIdSmull2_v,  S::H8},
    A64Binary{Binary::AddF64,       F::Plain,          I::kIdFadd_v,   kNone,           S::D2},
    A64Binary{Binary::SubF64,       F::Plain,          I::kIdFsub_v,   kNone,           S::D2},
    A64Binary{Binary::MulF64,       F::Plain,          I::kIdFmul_v,   kNone,           S::D2},
};

constexpr std::array kUnary = {
    A64Unary{Unary::SqrtF32,     I::kIdFsqrt_v,  S::S4},
    A64Unary{Unary::AbsI32,      I::kIdAbs_v,    S::S4},
    A64Unary{Unary::AbsI16,      I::kIdAbs_v,    S::H8},
    A64Unary{Unary::AbsI8,       I::kIdAbs_v,    S::B16},
    A64Unary{Unary::S32ToF32,    I::kIdScvtf_v,  S::S4},
    A64Unary{Unary::F32ToS32,    I::kIdFcvtns_v, S::S4},
};

constexpr std::array kImm = {
    A64Imm{ImmOp::Shl16,       I::kIdShl_v,  S::H8, 16, false},
    A64Imm{ImmOp::Shr16,       I::kIdUshr_v, S::H8, 16, true},
    A64Imm{ImmOp::Sar16,       I::kIdSshr_v, S::H8, 16, true},
    A64Imm{ImmOp::Shl32,       I::kIdShl_v,  S::S4, 32, false},
    A64Imm{ImmOp::Shr32,       I::kIdUshr_v, S::S4, 32, true},
    A64Imm{ImmOp::Sar32,       I::kIdSshr_v, S::S4, 32, true},
    A64Imm{ImmOp::Shl64,       I::kIdShl_v,  S::D2, 64, false},
    A64Imm{ImmOp::Shr64,       I::kIdUshr_v, S::D2, 64, true},
    A64Imm{ImmOp::QuadPermute, kNone,        S::S4, 32, false},
};
// clang-format on

static_assert(is_complete(kBinary, Binary::Count));
static_assert(is_complete(kUnary, Unary::Count));
static_assert(is_complete(kImm, ImmOp::Count));

}  // namespace

const A64Binary& a64_binary(Binary op) {
    return kBinary[static_cast<size_t>(op)];
}
const A64Unary& a64_unary(Unary op) {
    return kUnary[static_cast<size_t>(op)];
}
const A64Imm& a64_imm(ImmOp op) {
    return kImm[static_cast<size_t>(op)];
}

}  // namespace valkyr::jit
