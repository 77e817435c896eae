// X86 gathers: load words from an address of each lane, by gathers or by a load for each lane.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/x86/x86_assembler.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

void X86Assembler::gather32(Vec d, Address base, Vec index, Mask lanes) {
    const Vec source = d == index ? scratch(0) : index;
    move(source, index);
    zero(d);
    x86::Mem place = mem(base);
    place.setIndex(reg(source), base.shift);
    if (avx512_) {
        if (lanes.valid())
            asm_.kmovw(x86::k6, k(lanes));
        else
            asm_.kxnorw(x86::k6, x86::k6, x86::k6);
        asm_.k(x86::k6).emit(I::kIdVpgatherdd, reg(d), place);
    } else {
        if (lanes.valid())
            asm_.emit(I::kIdVmovaps, reg(scratch(1)), reg(vec(lanes)));
        else
            ones(scratch(1));
        asm_.emit(I::kIdVpgatherdd, reg(d), place, reg(scratch(1)));
    }
}

void X86Assembler::scatter32(Address base, Vec index, Mask lanes, Vec s) {
    VALKYR_CHECK(avx512_);
    x86::Mem place = mem(base);
    place.setIndex(reg(index), base.shift);
    asm_.kmovw(x86::k6, k(lanes));
    asm_.k(x86::k6).emit(I::kIdVpscatterdd, place, reg(s));
}

// A gather of each word, the one that overwrites the index last.
void X86Assembler::gather_each(std::span<const Vec> d, Address base, Vec index) {
    const auto word = [&](size_t k) { return base.plus(static_cast<int32_t>(4 * k)); };
    for (size_t k = 0; k < d.size(); ++k)
        if (d[k] != index)
            gather32(d[k], word(k), index, Mask{});
    if (const auto last = std::ranges::find(d, index); last != d.end())
        gather32(index, word(static_cast<size_t>(last - d.begin())), index, Mask{});
}

/// The places of two lanes of a quad. The index is in the low quad of a register.
X86Assembler::LanePair X86Assembler::lane_pair(Address base, Vec index, unsigned pair) {
    const x86::Gp first = gp64(Gp::Argument);
    const x86::Gp second = gp64(Gp::Half);
    if (pair == 0)
        asm_.emit(I::kIdVmovq, second, quad(index));
    else
        asm_.emit(I::kIdVpextrq, second, quad(index), asmjit::Imm(1));
    asm_.movsxd(first, second.r32());
    asm_.sar(second, 32);
    const x86::Gp start = gp64(base.base);
    return {x86::ptr(start, first, base.shift, base.offset),
            x86::ptr(start, second, base.shift, base.offset)};
}

/// The low quad of d = the words of four lanes.
void X86Assembler::load_words(Vec d, Address base, Vec index) {
    for (unsigned pair = 0; pair < 2; ++pair) {
        const LanePair place = lane_pair(base, index, pair);
        if (pair == 0)
            asm_.emit(I::kIdVmovd, quad(d), place.first);
        else
            asm_.emit(I::kIdVpinsrd, quad(d), quad(d), place.first, asmjit::Imm(2));
        asm_.emit(I::kIdVpinsrd, quad(d), quad(d), place.second, asmjit::Imm(2 * pair + 1));
    }
}

/// The low quad of d = two words of each lane of a pair.
void X86Assembler::load_pair(Vec d, const LanePair& place) {
    asm_.emit(I::kIdVmovq, quad(d), place.first);
    asm_.emit(I::kIdVmovhps, quad(d), quad(d), place.second);
}

/// The upper quad of d = the low one of s.
void X86Assembler::insert_upper(Vec d, Vec s) {
    asm_.emit(I::kIdVinsertf128, reg(d), reg(d), quad(s), asmjit::Imm(1));
}

void X86Assembler::gather_word(Vec d, Address base, Vec index) {
    const Vec upper = scratch(0);
    const Vec low = scratch(1);
    asm_.emit(I::kIdVextracti128, quad(upper), reg(index), asmjit::Imm(1));
    load_words(low, base, index);
    load_words(d, base, upper);  // may overwrite the index, which is not read again
    asm_.emit(I::kIdVinserti128, reg(d), reg(low), quad(d), asmjit::Imm(1));
}

/// Registers hold the pairs of words of lanes 0, 1, 4, 5 and of lanes 2, 3, 6, 7.
void X86Assembler::gather_two(std::span<const Vec> d, Address base, Vec index) {
    const Vec upper = scratch(1);
    const Vec even = scratch(0);
    const Vec odd = d[0] == index ? d[1] : d[0];
    const Vec other = d[0] == index ? d[0] : d[1];  // may be the index
    asm_.emit(I::kIdVextracti128, quad(upper), reg(index), asmjit::Imm(1));
    load_pair(even, lane_pair(base, index, 0));
    load_pair(odd, lane_pair(base, index, 1));
    load_pair(other, lane_pair(base, upper, 0));
    insert_upper(even, other);
    load_pair(upper, lane_pair(base, upper, 1));
    insert_upper(odd, upper);
    // `odd` last: it is read twice.
    for (const Vec to : {other, odd})
        asm_.emit(I::kIdVshufps, reg(to), reg(even), reg(odd),
                  asmjit::Imm(to == d[0] ? 0x88 : 0xDD));
}

/// The low quad of d = four words, or four halves as f32.
void X86Assembler::load_row(Vec d, const x86::Mem& place, bool halves) {
    asm_.emit(halves ? I::kIdVcvtph2ps : I::kIdVmovups, quad(d), place);
}

/// Loads the rows of lanes k and 4 + k into register k.
void X86Assembler::gather_rows_256(std::span<const Vec> d, Address base, Vec index, bool halves) {
    Vec from = index;
    if (std::ranges::find(d, index) != d.end()) {
        from = scratch(0);
        move(from, index);
    }
    for (unsigned pair = 0; pair < 2; ++pair) {
        const LanePair place = lane_pair(base, from, pair);
        load_row(d[2 * pair], place.first, halves);
        load_row(d[2 * pair + 1], place.second, halves);
    }
    asm_.emit(I::kIdVextracti128, quad(scratch(0)), reg(from), asmjit::Imm(1));
    const auto add_row = [&](Vec row, const x86::Mem& place) {
        if (!halves) {
            asm_.emit(I::kIdVinsertf128, reg(row), reg(row), place, asmjit::Imm(1));
            return;
        }
        load_row(scratch(1), place, true);
        insert_upper(row, scratch(1));
    };
    for (unsigned pair = 0; pair < 2; ++pair) {
        const LanePair place = lane_pair(base, scratch(0), pair);
        add_row(d[2 * pair], place.first);
        add_row(d[2 * pair + 1], place.second);
    }
}

/// As gather_rows_256() for sixteen lanes. Their indexes go through the stack: taking them out of
/// the register needs more instructions than storing it and loading each. The stack stays aligned,
/// so that no index lies across two lines of the cache.
void X86Assembler::gather_rows_512(std::span<const Vec> d, Address base, Vec index, bool halves) {
    constexpr int kRoom = 2 * 64 - 8;  // besides the register that begin_loads() has pushed
    asm_.sub(x86::rsp, kRoom);
    asm_.emit(I::kIdVmovups, x86::ptr(x86::rsp), reg(index));
    for (unsigned row = 0; row < 4; ++row)
        for (unsigned part = 0; part < 4; ++part) {
            const x86::Gp at = gp64((row + part) % 2 == 0 ? Gp::Argument : Gp::Half);
            asm_.movsxd(at, x86::dword_ptr(x86::rsp, static_cast<int>(4 * (4 * part + row))));
            const x86::Mem place = x86::ptr(gp64(base.base), at, base.shift, base.offset);
            if (part == 0) {
                load_row(d[row], place, halves);
                continue;
            }
            if (halves)
                load_row(scratch(0), place, true);
            asmjit::Operand from = place;
            if (halves)
                from = quad(scratch(0));
            asm_.emit(I::kIdVinsertf32x4, reg(d[row]), reg(d[row]), from, asmjit::Imm(part));
        }
    asm_.add(x86::rsp, kRoom);
}

void X86Assembler::transpose_quads(std::span<const Vec> d) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    op(Binary::UnpackLow32, s, d[0], d[1]);
    op(Binary::UnpackHigh32, d[0], d[0], d[1]);
    op(Binary::UnpackLow32, t, d[2], d[3]);
    op(Binary::UnpackHigh32, d[2], d[2], d[3]);
    op(Binary::UnpackHigh64, d[1], s, t);
    op(Binary::UnpackLow64, s, s, t);
    op(Binary::UnpackHigh64, d[3], d[0], d[2]);
    op(Binary::UnpackLow64, d[2], d[0], d[2]);
    move(d[0], s);
}

/// Saves the register that holds addresses of lanes, besides Gp::Argument.
void X86Assembler::begin_loads(Address base) {
    VALKYR_CHECK(base.index == Gp::None && base.base != Gp::Argument && base.base != Gp::Half &&
                 base.base != Gp::Frame);
    asm_.push(gp64(Gp::Half));
}

/// Quad q of d[k] = the row of lane 4q + k.
void X86Assembler::gather_rows(std::span<const Vec> d, Address base, Vec index, bool halves) {
    VALKYR_CHECK(d.size() == 4);
    begin_loads(base);
    avx512_ ? gather_rows_512(d, base, index, halves) : gather_rows_256(d, base, index, halves);
    asm_.pop(gp64(Gp::Half));
}

void X86Assembler::gather_quads(std::span<const Vec> d, Address base, Vec index) {
    gather_rows(d, base, index, false);
}

void X86Assembler::gather_half_quads(std::span<const Vec> d, Address base, Vec index) {
    VALKYR_CHECK(traits_.loads_lanes);
    gather_rows(d, base, index, true);
}

void X86Assembler::gather_words(std::span<const Vec> d, Address base, Vec index) {
    VALKYR_CHECK(d.size() == 1 || d.size() == 2 || d.size() == 4);
    // Four words of a lane are one load, where gathers would load each of them.
    if (d.size() == 4) {
        gather_rows(d, base, index, false);
        transpose_quads(d);
        return;
    }
    // One or two words of sixteen lanes cost more loads than a gather has steps.
    if (!traits_.loads_lanes || avx512_)
        return gather_each(d, base, index);
    begin_loads(base);
    if (d.size() == 1)
        gather_word(d[0], base, index);
    else
        gather_two(d, base, index);
    asm_.pop(gp64(Gp::Half));
}

void X86Assembler::gather_halves(std::span<const Vec> d, Address base, Vec index) {
    gather_half_quads(d, base, index);
    transpose_quads(d);
}

}  // namespace valkyr::jit
