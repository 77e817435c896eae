// X86 vectors: emit moves, arithmetic, permutations and memory accesses.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/x86/x86_assembler.hpp"
#include "jit/host/x86/x86_tables.hpp"

namespace valkyr::jit {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

namespace {

constexpr HostTraits kAvx2Traits = {.lanes = 8,
                                    .vectors = 14,
                                    .masks = 0,
                                    .first_mask = 0,
                                    .exec_masks = {13, 12, 0, 0},
                                    .scatters = false,
                                    .permutes_pairs = false,
                                    .combines_rows = true,
                                    .permutes_tables = false,
                                    .permutes_bytes = false,
                                    .encodes_bytes = false,
                                    .loads_lanes = false,
                                    .folds_broadcast = true};
constexpr HostTraits kAvx512Traits = {.lanes = 16,
                                      .vectors = 30,
                                      .masks = 4,
                                      .first_mask = 1,
                                      .exec_masks = {7, 5, 0, 0},
                                      .scatters = true,
                                      .permutes_pairs = true,
                                      .combines_rows = true,
                                      .permutes_tables = false,
                                      .permutes_bytes = false,
                                      .encodes_bytes = false,
                                      .loads_lanes = false,
                                      .folds_broadcast = true};

}  // namespace

X86Assembler::X86Assembler(asmjit::CodeHolder& code, bool avx512, GatherMethod method)
    : asm_(&code)
    , avx512_(avx512)
    , traits_(avx512 ? kAvx512Traits : kAvx2Traits)
    , pool_label_(asm_.newLabel())
    , pool_(avx512 ? 1 : 8) {
    traits_.loads_lanes = method == GatherMethod::Loads;
    traits_.permutes_tables = avx512;
    traits_.permutes_bytes = traits_.permutes_tables && host_permutes_bytes();
    traits_.encodes_bytes = traits_.permutes_bytes && traits_.loads_lanes;
}

x86::Vec X86Assembler::reg(Vec v) const {
    return avx512_ ? static_cast<x86::Vec>(x86::Zmm(v.id)) : static_cast<x86::Vec>(x86::Ymm(v.id));
}

x86::Vec X86Assembler::half(Vec v) const {
    return avx512_ ? static_cast<x86::Vec>(x86::Ymm(v.id)) : static_cast<x86::Vec>(x86::Xmm(v.id));
}

asmjit::Operand X86Assembler::fold(const Operand& operand, bool embeds, Vec spare) {
    switch (operand.kind) {
    case Operand::Kind::Register: return reg(operand.reg);
    case Operand::Kind::Memory: return mem(operand.address);
    case Operand::Kind::Broadcast:
        if (avx512_ && embeds)
            return mem(operand.address)._1to16();
        // Without embedded broadcasts the pool holds every word eight times.
        if (!avx512_ && operand.address.base == Gp::Pool)
            return mem(operand.address);
        return reg(to_register(operand, spare));
    }
    VALKYR_UNREACHABLE();
}

Vec X86Assembler::to_register(const Operand& operand, Vec spare) {
    if (operand.is_reg())
        return operand.reg;
    move(spare, operand);
    return spare;
}

asmjit::Operand X86Assembler::word(uint32_t value, Vec spare) {
    return fold(Operand::broadcast(pool_word(value)), true, spare);
}

void X86Assembler::op(Binary operation, Vec d, Vec a, Operand b) {
    const X86Operation& row = kX86Binary[static_cast<size_t>(operation)];
    asm_.emit(avx512_ ? row.evex : row.vex, reg(d), reg(a), fold(b, row.embeds32, scratch(1)));
}

void X86Assembler::op(Unary operation, Vec d, Operand a) {
    const X86Operation& row = kX86Unary[static_cast<size_t>(operation)];
    asm_.emit(avx512_ ? row.evex : row.vex, reg(d), fold(a, row.embeds32, scratch(1)));
}

void X86Assembler::op(ImmOp operation, Vec d, Vec a, unsigned imm) {
    asm_.emit(kX86Immediate[static_cast<size_t>(operation)], reg(d), reg(a), asmjit::Imm(imm));
}

namespace {

struct FmaForms {
    asmjit::InstId f132, f213, f231;
};
/// Indexed by negate_product + 2 * negate_addend.
constexpr FmaForms kFma[4] = {
    {I::kIdVfmadd132ps, I::kIdVfmadd213ps, I::kIdVfmadd231ps},
    {I::kIdVfnmadd132ps, I::kIdVfnmadd213ps, I::kIdVfnmadd231ps},
    {I::kIdVfmsub132ps, I::kIdVfmsub213ps, I::kIdVfmsub231ps},
    {I::kIdVfnmsub132ps, I::kIdVfnmsub213ps, I::kIdVfnmsub231ps},
};

bool is(const Operand& operand, Vec v) {
    return operand.is_reg() && operand.reg == v;
}

}  // namespace

void X86Assembler::fma(
    Vec d, Vec a, Operand b, Operand c, bool negate_product, bool negate_addend) {
    const FmaForms& forms = kFma[(negate_product ? 1 : 0) + (negate_addend ? 2 : 0)];
    // At most one operand can be in memory. The destination is an input of every form, so d becomes
    // the addend if possible.
    if (!b.is_reg() && !c.is_reg() && d == a)
        b = to_register(b, scratch(0));
    if (is(c, d)) {
        asm_.emit(forms.f231, reg(d), reg(a), fold(b, true, scratch(1)));
    } else if (d == a) {
        if (b.is_reg())
            asm_.emit(forms.f213, reg(d), reg(b.reg), fold(c, true, scratch(1)));
        else
            asm_.emit(forms.f132, reg(d), reg(c.reg), fold(b, true, scratch(1)));
    } else if (is(b, d)) {
        asm_.emit(forms.f213, reg(d), reg(a), fold(c, true, scratch(1)));
    } else if (!c.is_reg()) {
        move(d, c);
        asm_.emit(forms.f231, reg(d), reg(a), fold(b, true, scratch(1)));
    } else {
        move(d, a);
        fma(d, d, b, c, negate_product, negate_addend);
    }
}

void X86Assembler::fma_f64(Vec d, Vec a, Vec b, Vec c) {
    if (d == c)
        return void(asm_.emit(I::kIdVfmadd231pd, reg(d), reg(a), reg(b)));
    const Vec factor = d == b ? a : b;
    if (d != b)
        move(d, a);
    asm_.emit(I::kIdVfmadd213pd, reg(d), reg(factor), reg(c));
}

void X86Assembler::move(Vec d, Operand a) {
    switch (a.kind) {
    case Operand::Kind::Register:
        if (d.id != a.reg.id)
            asm_.emit(I::kIdVmovaps, reg(d), reg(a.reg));
        return;
    case Operand::Kind::Memory: load(d, a.address); return;
    case Operand::Kind::Broadcast: asm_.emit(I::kIdVbroadcastss, reg(d), mem(a.address)); return;
    }
}

void X86Assembler::zero(Vec d) {
    // The 128-bit form clears the whole register; above 15 only EVEX forms exist.
    if (d.id < 16)
        asm_.vpxor(quad(d), quad(d), quad(d));
    else
        asm_.vpxord(x86::Zmm(d.id), x86::Zmm(d.id), x86::Zmm(d.id));
}

void X86Assembler::ones(Vec d) {
    if (avx512_)
        asm_.vpternlogd(x86::Zmm(d.id), x86::Zmm(d.id), x86::Zmm(d.id), 0xFF);
    else
        asm_.vpcmpeqd(x86::Ymm(d.id), x86::Ymm(d.id), x86::Ymm(d.id));
}

void X86Assembler::load(Vec d, Address a) {
    asm_.emit(I::kIdVmovups, reg(d), mem(a));
}

void X86Assembler::store(Address a, Vec s) {
    asm_.emit(I::kIdVmovups, mem(a), reg(s));
}

void X86Assembler::load_quad(Vec d, Address a) {
    asm_.emit(I::kIdVmovups, quad(d), mem(a));
}

void X86Assembler::insert_quad(Vec d, unsigned q, Address a) {
    asm_.emit(avx512_ ? I::kIdVinsertf32x4 : I::kIdVinsertf128, reg(d), reg(d), mem(a),
              asmjit::Imm(q));
}

void X86Assembler::store_quad(Address a, unsigned q, Vec s) {
    if (q == 0)
        asm_.emit(I::kIdVmovups, mem(a), quad(s));
    else
        asm_.emit(avx512_ ? I::kIdVextractf32x4 : I::kIdVextractf128, mem(a), reg(s),
                  asmjit::Imm(q));
}

void X86Assembler::broadcast_quad(Vec d, Address a) {
    asm_.emit(avx512_ ? I::kIdVbroadcastf32x4 : I::kIdVbroadcastf128, reg(d), mem(a));
}

void X86Assembler::extract_first(Gp d, Vec s) {
    asm_.emit(I::kIdVmovd, gp32(d), quad(s));
}

void X86Assembler::broadcast_first(Vec d, Vec s) {
    asm_.emit(I::kIdVpbroadcastd, reg(d), quad(s));
}

void X86Assembler::broadcast_word(Vec d, Gp s) {
    if (avx512_)
        return void(asm_.emit(I::kIdVpbroadcastd, reg(d), gp32(s)));
    asm_.emit(I::kIdVmovd, quad(d), gp32(s));
    broadcast_first(d, d);
}

void X86Assembler::permute(Vec d, Vec index, Vec a) {
    asm_.emit(I::kIdVpermd, reg(d), reg(index), reg(a));
}

void X86Assembler::permute_pair(Vec d, Vec a, Operand b, Mask lanes) {
    VALKYR_CHECK(avx512_);
    if (lanes.valid())
        asm_.k(k(lanes));
    asm_.emit(I::kIdVpermi2d, reg(d), reg(a), fold(b, true, scratch(1)));
}

/// to = the new words of a row.
void X86Assembler::combine_words(std::optional<Binary> operation, Vec to, Vec old, Vec operand) {
    if (!operation)
        return move(to, operand);
    const X86Operation& row = kX86Binary[static_cast<size_t>(*operation)];
    asm_.emit(avx512_ ? row.evex : row.vex, reg(to), reg(old), reg(operand));
}

/// high:low = four words of a row in memory. The first four, for which the exchange waits, come
/// from the same row in a vector, which takes less time than through memory.
void X86Assembler::take_quad(
    const x86::Gp& low, const x86::Gp& high, Address row, Vec vector, unsigned quad_number) {
    if (quad_number == 0) {
        asm_.emit(I::kIdVmovq, low, quad(vector));
        asm_.emit(I::kIdVpextrq, high, quad(vector), asmjit::Imm(1));
        return;
    }
    const Address words = row.plus(static_cast<int32_t>(16 * quad_number));
    asm_.mov(low, mem(words));
    asm_.mov(high, mem(words.plus(8)));
}

/// Compares four words at Gp::Argument with rdx:rax. Replaces them by those of `next`, or loads
/// them.
void X86Assembler::exchange_quad(Address next, Vec vector, unsigned quad_number) {
    take_quad(x86::rbx, x86::rcx, next, vector, quad_number);
    x86::Mem place = mem({Gp::Argument, static_cast<int32_t>(16 * quad_number)});
    place.setSize(16);
    asm_.lock().cmpxchg16b(place, x86::rdx, x86::rax, x86::rcx, x86::rbx);
}

/// Other threads seldom change the row meanwhile, so all new words are made at once. A quad that
/// another thread changed is made and exchanged again.
void X86Assembler::combine_row(std::optional<Binary> operation, Vec d, Vec s, Address room) {
    const unsigned quads = traits_.lanes / 4;
    const Address next = room.plus(static_cast<int32_t>(4 * traits_.lanes));
    const auto combine = [&] {
        combine_words(operation, scratch(0), d, s);
        store(next, scratch(0));
    };
    std::array<asmjit::Label, 4> changed;
    std::array<asmjit::Label, 4> exchanged;
    const asmjit::Label done = asm_.newLabel();
    asm_.mov(x86::r8, x86::rbx);  // Gp::Call
    load(d, {Gp::Argument, 0});
    store(room, d);
    combine();
    for (unsigned q = 0; q < quads; ++q) {
        changed[q] = asm_.newLabel();
        exchanged[q] = asm_.newLabel();
        take_quad(x86::rax, x86::rdx, room, d, q);
        exchange_quad(next, scratch(0), q);
        asm_.jne(changed[q]);
        asm_.bind(exchanged[q]);
    }
    asm_.jmp(done);
    for (unsigned q = 0; q < quads; ++q) {
        const Address old = room.plus(static_cast<int32_t>(16 * q));
        asm_.bind(changed[q]);
        asm_.mov(mem(old), x86::rax);
        asm_.mov(mem(old.plus(8)), x86::rdx);
        load(d, room);
        combine();
        exchange_quad(next, scratch(0), q);
        asm_.jne(changed[q]);
        asm_.jmp(exchanged[q]);
    }
    asm_.bind(done);
    asm_.mov(x86::rbx, x86::r8);
}

/// Multiplies odd lanes, then even ones, and takes the upper words of both.
void X86Assembler::multiply_high(Vec d, Vec a, Vec b, bool is_signed) {
    const auto multiply = is_signed ? I::kIdVpmuldq : I::kIdVpmuludq;
    const Vec odd = scratch(0);
    const Vec even = scratch(1);
    asm_.emit(I::kIdVpsrlq, reg(odd), reg(a), asmjit::Imm(32));
    asm_.emit(I::kIdVpsrlq, reg(even), reg(b), asmjit::Imm(32));
    asm_.emit(multiply, reg(odd), reg(odd), reg(even));
    asm_.emit(multiply, reg(even), reg(a), reg(b));
    asm_.emit(I::kIdVpsrlq, reg(even), reg(even), asmjit::Imm(32));
    if (!avx512_) {
        asm_.emit(I::kIdVpblendd, reg(d), reg(even), reg(odd), asmjit::Imm(0xAA));
        return;
    }
    asm_.kmovw(x86::k6, mem(pool_word(0xAAAA)));
    asm_.k(x86::k6).emit(I::kIdVpblendmd, reg(d), reg(even), reg(odd));
}

void X86Assembler::merge_halves(Vec d, Vec low, Vec high) {
    if (!avx512_) {
        asm_.emit(I::kIdVpblendw, reg(d), reg(high), reg(low), asmjit::Imm(0x55));
        return;
    }
    // t = word ? low : high, bit by bit: truth table of C ? A : B with A = t.
    const Vec t = d == high ? scratch(0) : d;
    move(t, low);
    asm_.emit(I::kIdVpternlogd, reg(t), reg(high), mem(pool_word(0x0000FFFF))._1to16(),
              asmjit::Imm(0xE4));
    move(d, t);
}

void X86Assembler::widen(Inst inst, Vec low, Vec high, Vec a) {
    const Vec upper = scratch(0);
    asm_.emit(avx512_ ? I::kIdVextractf64x4 : I::kIdVextractf128, half(upper), reg(a),
              asmjit::Imm(1));
    asm_.emit(inst, reg(low), half(a));
    asm_.emit(inst, reg(high), half(upper));
}

void X86Assembler::widen_f64(Vec low, Vec high, Vec a) {
    widen(I::kIdVcvtps2pd, low, high, a);
}

void X86Assembler::widen_s64(Vec low, Vec high, Vec a) {
    widen(I::kIdVpmovsxdq, low, high, a);
}

void X86Assembler::narrow_f64(Vec d, Vec low, Vec high) {
    const Vec t = scratch(0);
    asm_.emit(I::kIdVcvtpd2ps, half(t), reg(high));
    asm_.emit(I::kIdVcvtpd2ps, half(d), reg(low));
    asm_.emit(avx512_ ? I::kIdVinsertf64x4 : I::kIdVinsertf128, reg(d), reg(d), half(t),
              asmjit::Imm(1));
}

void X86Assembler::pick_words(Vec d, Vec low, Vec high, unsigned word) {
    constexpr unsigned even = 0x88;
    constexpr unsigned odd = 0xDD;
    asm_.emit(I::kIdVshufps, reg(d), reg(low), reg(high), asmjit::Imm(word == 0 ? even : odd));
}

}  // namespace valkyr::jit
