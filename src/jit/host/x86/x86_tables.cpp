// X86 tables: give every lane-vector operation its VEX and EVEX instructions.
// SPDX-License-Identifier: MIT
#include "jit/host/x86/x86_tables.hpp"

#include "jit/host/instruction_table.hpp"

#include <array>

namespace valkyr::jit {

namespace {

namespace I = asmjit::x86::Inst;

// clang-format off
constexpr std::array kBinary = {
    X86Binary{Binary::AddF32,       I::kIdVaddps,     I::kIdVaddps,     true},
    X86Binary{Binary::SubF32,       I::kIdVsubps,     I::kIdVsubps,     true},
    X86Binary{Binary::MulF32,       I::kIdVmulps,     I::kIdVmulps,     true},
    X86Binary{Binary::DivF32,       I::kIdVdivps,     I::kIdVdivps,     true},
    X86Binary{Binary::MinF32,       I::kIdVminps,     I::kIdVminps,     true},
    X86Binary{Binary::MaxF32,       I::kIdVmaxps,     I::kIdVmaxps,     true},
    X86Binary{Binary::And,          I::kIdVpand,      I::kIdVpandd,     true},
    X86Binary{Binary::Or,           I::kIdVpor,       I::kIdVpord,      true},
    X86Binary{Binary::Xor,          I::kIdVpxor,      I::kIdVpxord,     true},
    X86Binary{Binary::AndNot,       I::kIdVpandn,     I::kIdVpandnd,    true},
    X86Binary{Binary::AddI32,       I::kIdVpaddd,     I::kIdVpaddd,     true},
    X86Binary{Binary::SubI32,       I::kIdVpsubd,     I::kIdVpsubd,     true},
    X86Binary{Binary::MulI32,       I::kIdVpmulld,    I::kIdVpmulld,    true},
    X86Binary{Binary::MinS32,       I::kIdVpminsd,    I::kIdVpminsd,    true},
    X86Binary{Binary::MaxS32,       I::kIdVpmaxsd,    I::kIdVpmaxsd,    true},
    X86Binary{Binary::MinU32,       I::kIdVpminud,    I::kIdVpminud,    true},
    X86Binary{Binary::MaxU32,       I::kIdVpmaxud,    I::kIdVpmaxud,    true},
    X86Binary{Binary::AddI16,       I::kIdVpaddw,     I::kIdVpaddw,     false},
    X86Binary{Binary::SubI16,       I::kIdVpsubw,     I::kIdVpsubw,     false},
    X86Binary{Binary::AddSatS16,    I::kIdVpaddsw,    I::kIdVpaddsw,    false},
    X86Binary{Binary::AddSatU16,    I::kIdVpaddusw,   I::kIdVpaddusw,   false},
    X86Binary{Binary::SubSatS16,    I::kIdVpsubsw,    I::kIdVpsubsw,    false},
    X86Binary{Binary::SubSatU16,    I::kIdVpsubusw,   I::kIdVpsubusw,   false},
    X86Binary{Binary::MulI16,       I::kIdVpmullw,    I::kIdVpmullw,    false},
    X86Binary{Binary::MulHighS16,   I::kIdVpmulhw,    I::kIdVpmulhw,    false},
    X86Binary{Binary::MulHighU16,   I::kIdVpmulhuw,   I::kIdVpmulhuw,   false},
    X86Binary{Binary::MinS16,       I::kIdVpminsw,    I::kIdVpminsw,    false},
    X86Binary{Binary::MaxS16,       I::kIdVpmaxsw,    I::kIdVpmaxsw,    false},
    X86Binary{Binary::MinU16,       I::kIdVpminuw,    I::kIdVpminuw,    false},
    X86Binary{Binary::MaxU16,       I::kIdVpmaxuw,    I::kIdVpmaxuw,    false},
    X86Binary{Binary::AvgU16,       I::kIdVpavgw,     I::kIdVpavgw,     false},
    X86Binary{Binary::AddI8,        I::kIdVpaddb,     I::kIdVpaddb,     false},
    X86Binary{Binary::SubI8,        I::kIdVpsubb,     I::kIdVpsubb,     false},
    X86Binary{Binary::AddSatS8,     I::kIdVpaddsb,    I::kIdVpaddsb,    false},
    X86Binary{Binary::AddSatU8,     I::kIdVpaddusb,   I::kIdVpaddusb,   false},
    X86Binary{Binary::SubSatS8,     I::kIdVpsubsb,    I::kIdVpsubsb,    false},
    X86Binary{Binary::SubSatU8,     I::kIdVpsubusb,   I::kIdVpsubusb,   false},
    X86Binary{Binary::MinS8,        I::kIdVpminsb,    I::kIdVpminsb,    false},
    X86Binary{Binary::MaxS8,        I::kIdVpmaxsb,    I::kIdVpmaxsb,    false},
    X86Binary{Binary::MinU8,        I::kIdVpminub,    I::kIdVpminub,    false},
    X86Binary{Binary::MaxU8,        I::kIdVpmaxub,    I::kIdVpmaxub,    false},
    X86Binary{Binary::AvgU8,        I::kIdVpavgb,     I::kIdVpavgb,     false},
    X86Binary{Binary::AddI64,       I::kIdVpaddq,     I::kIdVpaddq,     false},
    X86Binary{Binary::SubI64,       I::kIdVpsubq,     I::kIdVpsubq,     false},
    X86Binary{Binary::MulEvenU32,   I::kIdVpmuludq,   I::kIdVpmuludq,   false},
    X86Binary{Binary::ShlV32,       I::kIdVpsllvd,    I::kIdVpsllvd,    true},
    X86Binary{Binary::ShrV32,       I::kIdVpsrlvd,    I::kIdVpsrlvd,    true},
    X86Binary{Binary::SarV32,       I::kIdVpsravd,    I::kIdVpsravd,    true},
    X86Binary{Binary::ShlV64,       I::kIdVpsllvq,    I::kIdVpsllvq,    false},
    X86Binary{Binary::ShrV64,       I::kIdVpsrlvq,    I::kIdVpsrlvq,    false},
    X86Binary{Binary::PackU16ToU8,  I::kIdVpackuswb,  I::kIdVpackuswb,  false},
    X86Binary{Binary::PackS16ToS8,  I::kIdVpacksswb,  I::kIdVpacksswb,  false},
    X86Binary{Binary::PackS32ToS16, I::kIdVpackssdw,  I::kIdVpackssdw,  true},
    X86Binary{Binary::PackS32ToU16, I::kIdVpackusdw,  I::kIdVpackusdw,  true},
    X86Binary{Binary::UnpackLow8,   I::kIdVpunpcklbw, I::kIdVpunpcklbw, false},
    X86Binary{Binary::UnpackHigh8,  I::kIdVpunpckhbw, I::kIdVpunpckhbw, false},
    X86Binary{Binary::UnpackLow16,  I::kIdVpunpcklwd, I::kIdVpunpcklwd, false},
    X86Binary{Binary::UnpackHigh16, I::kIdVpunpckhwd, I::kIdVpunpckhwd, false},
    X86Binary{Binary::UnpackLow32,  I::kIdVpunpckldq, I::kIdVpunpckldq, true},
    X86Binary{Binary::UnpackHigh32, I::kIdVpunpckhdq, I::kIdVpunpckhdq, true},
    X86Binary{Binary::UnpackLow64,  I::kIdVpunpcklqdq, I::kIdVpunpcklqdq, false},
    X86Binary{Binary::UnpackHigh64, I::kIdVpunpckhqdq, I::kIdVpunpckhqdq, false},
    X86Binary{Binary::ShuffleBytes, I::kIdVpshufb,    I::kIdVpshufb,    false},
    X86Binary{Binary::MulAddU8S8,   I::kIdVpmaddubsw, I::kIdVpmaddubsw, false},
    X86Binary{Binary::MulAddS16,    I::kIdVpmaddwd,   I::kIdVpmaddwd,   false},
    X86Binary{Binary::AddF64,       I::kIdVaddpd,     I::kIdVaddpd,     false},
    X86Binary{Binary::SubF64,       I::kIdVsubpd,     I::kIdVsubpd,     false},
    X86Binary{Binary::MulF64,       I::kIdVmulpd,     I::kIdVmulpd,     false},
};

constexpr std::array kUnary = {
    X86Unary{Unary::SqrtF32,     I::kIdVsqrtps,    I::kIdVsqrtps,    true},
    X86Unary{Unary::AbsI32,      I::kIdVpabsd,     I::kIdVpabsd,     true},
    X86Unary{Unary::AbsI16,      I::kIdVpabsw,     I::kIdVpabsw,     false},
    X86Unary{Unary::AbsI8,       I::kIdVpabsb,     I::kIdVpabsb,     false},
    X86Unary{Unary::S32ToF32,    I::kIdVcvtdq2ps,  I::kIdVcvtdq2ps,  true},
    X86Unary{Unary::F32ToS32,    I::kIdVcvtps2dq,  I::kIdVcvtps2dq,  true},
};

constexpr std::array kImm = {
    X86Imm{ImmOp::Shl16, I::kIdVpsllw}, X86Imm{ImmOp::Shr16, I::kIdVpsrlw},
    X86Imm{ImmOp::Sar16, I::kIdVpsraw}, X86Imm{ImmOp::Shl32, I::kIdVpslld},
    X86Imm{ImmOp::Shr32, I::kIdVpsrld}, X86Imm{ImmOp::Sar32, I::kIdVpsrad},
    X86Imm{ImmOp::Shl64, I::kIdVpsllq}, X86Imm{ImmOp::Shr64, I::kIdVpsrlq},
    X86Imm{ImmOp::QuadPermute, I::kIdVpshufd},
};
// clang-format on

static_assert(is_complete(kBinary, Binary::Count));
static_assert(is_complete(kUnary, Unary::Count));
static_assert(is_complete(kImm, ImmOp::Count));

}  // namespace

const X86Binary& x86_binary(Binary op) {
    return kBinary[static_cast<size_t>(op)];
}
const X86Unary& x86_unary(Unary op) {
    return kUnary[static_cast<size_t>(op)];
}
const X86Imm& x86_imm(ImmOp op) {
    return kImm[static_cast<size_t>(op)];
}

}  // namespace valkyr::jit
