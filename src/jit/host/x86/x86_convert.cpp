// X86 conversions: emit minimum, maximum, rounding, and conversions between number formats.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "base/float_bits.hpp"
#include "exec/float_environment.hpp"
#include "jit/host/x86/x86_assembler.hpp"

#include <array>

namespace valkyr::jit {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

namespace {

// Rounding control of VROUNDPS, VRNDSCALEPS, VCVTPS2PH and MXCSR, indexed by Rounding.
constexpr std::array<uint8_t, 4> kRoundingControl = {0, 2, 1, 3};

constexpr uint32_t kTwo31 = 0x4F000000;  // 2^31 as f32

unsigned rounding_control(Rounding mode) {
    return kRoundingControl[static_cast<size_t>(mode)];
}

}  // namespace

void X86Assembler::set_rounding(Rounding mode) {
    // Kernels run with kKernelMxcsr, so both values are known.
    asm_.vldmxcsr(mem(pool_word(exec::kKernelMxcsr | rounding_control(mode) << 13)));
}

/// A conversion in any rounding mode: embedded rounding, or MXCSR changed for one instruction.
void X86Assembler::convert(Inst inst, Vec d, asmjit::Operand a, Rounding mode) {
    if (mode == Rounding::Nearest) {
        asm_.emit(inst, reg(d), a);
        return;
    }
    if (avx512_) {
        embed_rounding(mode).emit(inst, reg(d), a);
        return;
    }
    set_rounding(mode);
    asm_.emit(inst, reg(d), a);
    set_rounding(Rounding::Nearest);
}

x86::Assembler& X86Assembler::embed_rounding(Rounding mode) {
    switch (mode) {
    case Rounding::Nearest: asm_.rn_sae(); break;
    case Rounding::Up: asm_.ru_sae(); break;
    case Rounding::Down: asm_.rd_sae(); break;
    case Rounding::Zero: asm_.rz_sae(); break;
    }
    return asm_;
}

/// AVX2: first replaces a NaN in a by b. The host's operation returns its second operand if the
/// first is NaN or both are equal, so it is then wrong for zeros of different signs only. Where
/// operands are equal, AND or OR with b gives the right zero and leaves other numbers as they are.
void X86Assembler::min_max_avx2(Vec d, Vec a, Vec b, bool maximum, NumOperands known) {
    const auto extreme = maximum ? I::kIdVmaxps : I::kIdVminps;
    const auto combine = maximum ? I::kIdVandps : I::kIdVorps;
    const x86::Vec s = reg(scratch(0));
    const x86::Vec t = reg(scratch(1));
    if (known.numbers) {
        asm_.emit(extreme, s, reg(a), reg(b));
        asm_.emit(extreme, t, reg(b), reg(a));
        asm_.emit(combine, reg(d), s, t);
        return;
    }
    x86::Vec number = reg(a);
    if (!known.second_is_number) {
        asm_.emit(I::kIdVcmpps, s, reg(a), reg(a), asmjit::Imm(3));
        asm_.emit(I::kIdVblendvps, s, reg(a), reg(b), s);
        number = s;
    }
    asm_.emit(I::kIdVcmpps, t, number, reg(b), asmjit::Imm(maximum ? 4 : 0));
    // The second operand of the extreme is the result for equal operands and for a NaN; the other
    // one gives the sign of a zero.
    const x86::Vec first = known.second_is_number ? number : reg(b);
    const x86::Vec second = known.second_is_number ? reg(b) : number;
    asm_.emit(maximum ? I::kIdVorps : I::kIdVandps, t, t, first);
    asm_.emit(extreme, s, first, second);
    asm_.emit(combine, reg(d), s, t);
    if (known.may_signal && !known.second_is_number)
        quiet(d);
}

/// VRANGEPS computes minNum and maxNum but returns signalling NaNs, so these are quieted first.
void X86Assembler::min_max_avx512(Vec d, Vec a, Vec b, unsigned mode, bool may_signal) {
    if (may_signal) {
        const asmjit::Operand one = word(float_bits::kOne, scratch(1));
        asm_.emit(I::kIdVmulps, reg(scratch(0)), reg(a), one);
        asm_.emit(I::kIdVmulps, reg(scratch(1)), reg(b), one);
        a = scratch(0);
        b = scratch(1);
    }
    asm_.emit(I::kIdVrangeps, reg(d), reg(a), reg(b), asmjit::Imm(mode));
}

void X86Assembler::min_max(Vec d, Vec a, Operand b, bool maximum, NumOperands known) {
    if (known.second_if_equal)
        return op(maximum ? Binary::MaxF32 : Binary::MinF32, d, a, b);
    VALKYR_DCHECK(b.is_reg());
    if (avx512_)
        min_max_avx512(d, a, b.reg, maximum ? 5 : 4, known.may_signal && !known.numbers);
    else
        min_max_avx2(d, a, b.reg, maximum, known);
}

void X86Assembler::min_num(Vec d, Vec a, Operand b, NumOperands known) {
    min_max(d, a, b, false, known);
}

void X86Assembler::max_num(Vec d, Vec a, Operand b, NumOperands known) {
    min_max(d, a, b, true, known);
}

void X86Assembler::replace_nans(Vec d, Vec a, Operand by) {
    constexpr uint8_t k6 = 6;
    const Mask nan{avx512_ ? k6 : scratch(0).id};
    compare(FloatCond::Unordered, nan, a, a);
    select(Element::B32, d, nan, by, a);
}

void X86Assembler::quiet(Vec d) {
    asm_.emit(I::kIdVmulps, reg(d), reg(d), word(float_bits::kOne, scratch(1)));
}

void X86Assembler::round_f32(Vec d, Operand a, Rounding mode) {
    asm_.emit(avx512_ ? I::kIdVrndscaleps : I::kIdVroundps, reg(d), fold(a, true, scratch(1)),
              asmjit::Imm(rounding_control(mode) | 8));
}

void X86Assembler::round_f64(Vec d, Vec a, Rounding mode) {
    asm_.emit(avx512_ ? I::kIdVrndscalepd : I::kIdVroundpd, reg(d), reg(a),
              asmjit::Imm(rounding_control(mode) | 8));
}

void X86Assembler::small_f32_to_s32(Vec d, Vec a, Rounding mode) {
    if (avx512_)
        return convert(I::kIdVcvtps2dq, d, reg(a), mode);
    if (mode != Rounding::Zero) {
        round_f32(d, a, mode);
        a = d;
    }
    asm_.emit(I::kIdVcvttps2dq, reg(d), reg(a));
}

void X86Assembler::f32_to_s32(Vec d, Vec a, Rounding mode) {
    const Vec s = avx512_ && d != a ? a : scratch(0);
    const Vec t = scratch(1);
    if (avx512_) {
        asm_.vcmpps(x86::k6, reg(a).as<x86::Zmm>(), reg(a).as<x86::Zmm>(), 7);
        if (d == a)
            move(s, a);
        asm_.k(x86::k6).z();
        convert(I::kIdVcvtps2dq, d, reg(a), mode);
        asm_.emit(I::kIdVcmpps, x86::k6, reg(s), word(kTwo31, t), asmjit::Imm(29));
        asm_.k(x86::k6).emit(I::kIdVpbroadcastd, reg(d), mem(pool_word(0x7FFFFFFF)));
        return;
    }
    round_f32(s, a, mode);
    asm_.emit(I::kIdVcmpps, reg(t), reg(a), reg(a), asmjit::Imm(7));
    asm_.emit(I::kIdVcvttps2dq, reg(d), reg(s));
    asm_.emit(I::kIdVpand, reg(d), reg(d), reg(t));
    asm_.emit(I::kIdVcmpps, reg(t), reg(s), mem(pool_lanes(kTwo31)), asmjit::Imm(29));
    asm_.emit(I::kIdVpxor, reg(d), reg(d), reg(t));
}

void X86Assembler::f32_to_u32(Vec d, Vec a, Rounding mode) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    zero(t);
    if (avx512_) {
        asm_.emit(I::kIdVmaxps, reg(s), reg(a), reg(t));  // NaN and negative to +0
        convert(I::kIdVcvtps2udq, d, reg(s), mode);       // too large: ~0
        return;
    }
    asm_.emit(I::kIdVmaxps, reg(s), reg(a), reg(t));
    if (mode != Rounding::Zero)
        round_f32(s, s, mode);
    // The conversion gives the sign bit for values from 2^31 on. These take the rest from a second
    // conversion, of the value less 2^31; it gives the sign bit again for those from 2^32 on.
    asm_.emit(I::kIdVcvttps2dq, reg(d), reg(s));
    asm_.emit(I::kIdVsubps, reg(s), reg(s), mem(pool_lanes(kTwo31)));
    asm_.emit(I::kIdVcvttps2dq, reg(t), reg(s));
    asm_.emit(I::kIdVpsrad, reg(s), reg(t), asmjit::Imm(31));
    asm_.emit(I::kIdVpor, reg(t), reg(t), reg(s));
    asm_.emit(I::kIdVpsrad, reg(s), reg(d), asmjit::Imm(31));
    asm_.emit(I::kIdVpand, reg(t), reg(t), reg(s));
    asm_.emit(I::kIdVpor, reg(d), reg(d), reg(t));
}

void X86Assembler::to_s32_or_zero(Vec d, Vec a) {
    constexpr unsigned ordered = 7;
    if (avx512_) {
        asm_.emit(I::kIdVcmpps, x86::k6, reg(a), reg(a), asmjit::Imm(ordered));
        asm_.k(x86::k6).z().emit(I::kIdVcvtps2dq, reg(d), reg(a));
        return;
    }
    const x86::Vec s = reg(scratch(0));
    asm_.emit(I::kIdVcmpps, s, reg(a), reg(a), asmjit::Imm(ordered));
    asm_.emit(I::kIdVcvtps2dq, reg(d), reg(a));
    asm_.emit(I::kIdVpand, reg(d), reg(d), s);
}

void X86Assembler::s32_to_f32(Vec d, Vec a, Rounding mode) {
    convert(I::kIdVcvtdq2ps, d, reg(a), mode);
}

void X86Assembler::u32_to_f32(Vec d, Vec a, Rounding mode) {
    if (avx512_) {
        convert(I::kIdVcvtudq2ps, d, reg(a), mode);
        return;
    }
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    asm_.emit(I::kIdVpsrld, reg(s), reg(a), asmjit::Imm(16));
    if (mode == Rounding::Nearest)
        return join_halves(d, a, s);
    // high * 2^16 + low: both halves are exact, so there is one rounding.
    asm_.emit(I::kIdVpslld, reg(t), reg(a), asmjit::Imm(16));
    asm_.emit(I::kIdVpsrld, reg(t), reg(t), asmjit::Imm(16));
    asm_.emit(I::kIdVcvtdq2ps, reg(s), reg(s));
    asm_.emit(I::kIdVcvtdq2ps, reg(d), reg(t));
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(0x47800000)));  // 65536.0
    set_rounding(mode);
    asm_.emit(I::kIdVfmadd231ps, reg(d), reg(s), reg(t));
    set_rounding(Rounding::Nearest);
}

void X86Assembler::join_halves(Vec d, Vec low, Vec high) {
    constexpr int upper_halves = 0xAA;
    const auto replace = [&](Vec to, Vec half, uint32_t number) {
        asm_.emit(I::kIdVpblendw, reg(to), reg(half), mem(pool_lanes(number)),
                  asmjit::Imm(upper_halves));
    };
    const Vec t = scratch(1);
    replace(t, low, 0x4B000000);                                                 // 2^23 + low
    replace(high, high, 0x53000000);                                             // 2^39 + high 2^16
    asm_.emit(I::kIdVsubps, reg(high), reg(high), mem(pool_lanes(0x53000080)));  // 2^39 + 2^23
    asm_.emit(I::kIdVaddps, reg(d), reg(high), reg(t));
}

void X86Assembler::f16_to_f32(Vec d, Vec a, unsigned which) {
    const Vec s = scratch(0);
    if (!avx512_) {
        // The halves of a quad become its lower eight bytes.
        constexpr std::array<uint32_t, 8> low = {0x05040100, 0x0D0C0908, 0, 0,
                                                 0x05040100, 0x0D0C0908, 0, 0};
        constexpr std::array<uint32_t, 8> high = {0x07060302, 0x0F0E0B0A, 0, 0,
                                                  0x07060302, 0x0F0E0B0A, 0, 0};
        asm_.emit(I::kIdVpshufb, reg(s), reg(a), mem(pool_words(which == 0 ? low : high)));
        asm_.emit(I::kIdVpermq, reg(s), reg(s), asmjit::Imm(8));
    } else if (which == 0) {
        asm_.emit(I::kIdVpmovdw, half(s), reg(a));
    } else {
        asm_.emit(I::kIdVpsrld, reg(s), reg(a), asmjit::Imm(16));
        asm_.emit(I::kIdVpmovdw, half(s), reg(s));
    }
    asm_.emit(I::kIdVcvtph2ps, reg(d), half(s));
}

void X86Assembler::f32_to_f16(Vec d, Vec a, Rounding mode) {
    const Vec s = scratch(0);
    asm_.emit(I::kIdVcvtps2ph, half(s), reg(a), asmjit::Imm(rounding_control(mode)));
    asm_.emit(I::kIdVpmovzxwd, reg(d), half(s));
}

void X86Assembler::load_bytes(Vec d, Address a) {
    asm_.emit(I::kIdVpmovzxbd, reg(d), mem(a));
}

void X86Assembler::load_halves(Vec d, Address a) {
    asm_.emit(I::kIdVpmovzxwd, reg(d), mem(a));
}

void X86Assembler::store_bytes(Address a, Vec s) {
    if (avx512_) {
        asm_.emit(I::kIdVpmovdb, mem(a), reg(s));
        return;
    }
    const Vec t = scratch(0);
    asm_.emit(I::kIdVpackusdw, reg(t), reg(s), reg(s));
    asm_.emit(I::kIdVpermq, reg(t), reg(t), asmjit::Imm(8));
    asm_.emit(I::kIdVpackuswb, quad(t), quad(t), quad(t));
    asm_.emit(I::kIdVmovq, mem(a), quad(t));
}

void X86Assembler::store_halves(Address a, Vec s) {
    if (avx512_) {
        asm_.emit(I::kIdVpmovdw, mem(a), reg(s));
        return;
    }
    const Vec t = scratch(0);
    asm_.emit(I::kIdVpackusdw, reg(t), reg(s), reg(s));
    asm_.emit(I::kIdVpermq, reg(t), reg(t), asmjit::Imm(8));
    asm_.emit(I::kIdVmovups, mem(a), quad(t));
}

void X86Assembler::count_leading_zeros(Vec d, Vec a) {
    if (avx512_) {
        asm_.emit(I::kIdVplzcntd, reg(d), reg(a));
        return;
    }
    // Take the exponent of the value as a float. The bit below its top bit is cleared first, so
    // that the conversion cannot round up to the next power of two. If the top bit is set, the
    // number is negative, and its sign makes the field exceed 158.
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    asm_.emit(I::kIdVpsrld, reg(s), reg(a), asmjit::Imm(1));
    asm_.emit(I::kIdVpandn, reg(s), reg(s), reg(a));
    asm_.emit(I::kIdVcvtdq2ps, reg(s), reg(s));
    asm_.emit(I::kIdVpsrld, reg(s), reg(s), asmjit::Imm(23));
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(158)));
    asm_.emit(I::kIdVpsubd, reg(s), reg(t), reg(s));
    asm_.emit(I::kIdVpxor, reg(t), reg(t), reg(t));
    asm_.emit(I::kIdVpmaxsd, reg(s), reg(s), reg(t));
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(32)));
    asm_.emit(I::kIdVpminsd, reg(d), reg(s), reg(t));
}

/// Looks up the counts of nibbles, then sums those of bytes.
void X86Assembler::count_ones(Vec d, Vec a) {
    constexpr std::array<uint32_t, 4> counts = {0x02010100, 0x03020201, 0x03020201, 0x04030302};
    std::array<uint32_t, 16> table;
    for (unsigned k = 0; k < table.size(); ++k)
        table[k] = counts[k % 4];
    const Vec low = scratch(0);
    op(Binary::And, low, a, Operand::broadcast(pool_word(0x0F0F0F0F)));
    op(ImmOp::Shr32, d, a, 4);
    op(Binary::And, d, d, Operand::broadcast(pool_word(0x0F0F0F0F)));
    load(scratch(1), pool_words(table));
    op(Binary::ShuffleBytes, low, scratch(1), low);
    op(Binary::ShuffleBytes, d, scratch(1), d);
    op(Binary::AddI8, d, d, low);
    op(Binary::MulAddU8S8, d, d, Operand::broadcast(pool_word(0x01010101)));
    op(Binary::MulAddS16, d, d, Operand::broadcast(pool_word(0x00010001)));
}

/// AVX2: scales in double precision, half a register at a time; a * 2^n is exact for |n| <= 700.
void X86Assembler::scale_avx2(Vec d, Vec a, Vec n, Rounding mode) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    const x86::Mem low = x86::ptr(x86::rsp, -64);  // the red zone, which no code uses across calls
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(700)));
    asm_.emit(I::kIdVpminsd, reg(s), reg(n), reg(t));
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(static_cast<uint32_t>(-700))));
    asm_.emit(I::kIdVpmaxsd, reg(s), reg(s), reg(t));
    asm_.emit(I::kIdVbroadcastss, reg(t), mem(pool_word(1023)));
    asm_.emit(I::kIdVpaddd, reg(s), reg(s), reg(t));
    asm_.emit(I::kIdVmovups, low, reg(s));
    x86::Mem upper = low;
    upper.addOffset(16);
    if (mode != Rounding::Nearest)
        set_rounding(mode);
    for (unsigned part = 0; part < 2; ++part) {
        // Part 0 goes through memory, too, so that d may be a.
        asm_.emit(I::kIdVpmovzxdq, reg(s), part == 0 ? low : upper);
        asm_.emit(I::kIdVpsllq, reg(s), reg(s), asmjit::Imm(52));
        asm_.emit(I::kIdVextractf128, quad(t), reg(a), asmjit::Imm(part));
        asm_.emit(I::kIdVcvtps2pd, reg(t), quad(t));
        asm_.emit(I::kIdVmulpd, reg(s), reg(s), reg(t));
        asm_.emit(I::kIdVcvtpd2ps, quad(s), reg(s));
        asm_.emit(I::kIdVmovups, part == 0 ? low : upper, quad(s));
    }
    if (mode != Rounding::Nearest)
        set_rounding(Rounding::Nearest);
    asm_.emit(I::kIdVmovups, reg(d), low);
}

void X86Assembler::scale_f32(Vec d, Vec a, Vec n, Rounding mode) {
    if (!avx512_) {
        scale_avx2(d, a, n, mode);
        return;
    }
    const Vec s = scratch(0);
    asm_.emit(I::kIdVcvtdq2ps, reg(s), reg(n));
    if (mode != Rounding::Nearest)
        embed_rounding(mode);
    asm_.emit(I::kIdVscalefps, reg(d), reg(a), reg(s));
}

}  // namespace valkyr::jit
