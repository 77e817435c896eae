// A64 gathers: load words from an address of each lane.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/a64/a64_assembler.hpp"

#include <array>

namespace valkyr::jit {

namespace a64 = asmjit::a64;

void A64Assembler::lane_address(Vec index, unsigned lane, unsigned shift) {
    asm_.smov(a64::x16, reg(index).s(lane));
    asm_.add(a64::x16, a64::x17, a64::x16, a64::lsl(shift));
}

void A64Assembler::gather_lane(Vec d, Vec index, unsigned lane, unsigned shift) {
    lane_address(index, lane, shift);
    asm_.ld1(reg(d).s(lane), a64::ptr(a64::x16));
}

void A64Assembler::gather32(Vec d, Address base, Vec index, Mask lanes) {
    const Vec source = d == index ? scratch(0) : index;
    move(source, index);
    load_address(a64::x17, {base.base, base.offset});
    if (!lanes.valid()) {
        for (unsigned lane = 0; lane < traits().lanes; ++lane)
            gather_lane(d, source, lane, base.shift);
        return;
    }
    asm_.xtn(reg(scratch(1)).h4(), reg(vec(lanes)).s4());
    asm_.umov(a64::x6, reg(scratch(1)).d(0));
    zero(d);
    for (unsigned lane = 0; lane < traits().lanes; ++lane) {
        const asmjit::Label skip = asm_.newLabel();
        asm_.tbz(a64::x6, asmjit::Imm(16 * lane), skip);
        gather_lane(d, source, lane, base.shift);
        asm_.bind(skip);
    }
}

// LD2 and LD4 want consecutive registers, such as the scratch registers.
void A64Assembler::gather_words(std::span<const Vec> d, Address base, Vec index) {
    if (d.size() == 1)
        return gather32(d[0], base, index, Mask{});
    VALKYR_CHECK(d.size() == 2 || d.size() == 4);
    load_address(a64::x17, {base.base, base.offset});
    const auto to = [&](unsigned k, unsigned lane) { return reg(scratch(k)).s(lane); };
    for (unsigned lane = 0; lane < traits().lanes; ++lane) {
        lane_address(index, lane, base.shift);
        if (d.size() == 2)
            asm_.ld2(to(0, lane), to(1, lane), a64::ptr(a64::x16));
        else
            asm_.ld4(to(0, lane), to(1, lane), to(2, lane), to(3, lane), a64::ptr(a64::x16));
    }
    for (unsigned k = 0; k < d.size(); ++k)
        move(d[k], scratch(k));
}

template <typename Load>
void A64Assembler::gather_rows(std::span<const Vec> d, Address base, Vec index, Load load) {
    load_address(a64::x17, {base.base, base.offset});
    for (unsigned lane = 0; lane < traits().lanes; ++lane) {
        lane_address(index, lane, base.shift);
        load(reg(d[lane]));
    }
}

void A64Assembler::gather_quads(std::span<const Vec> d, Address base, Vec index) {
    gather_rows(d, base, index, [&](a64::VecV v) { asm_.ldr(v.q(), a64::ptr(a64::x16)); });
}

void A64Assembler::gather_half_quads(std::span<const Vec> d, Address base, Vec index) {
    gather_rows(d, base, index, [&](a64::VecV v) {
        asm_.ldr(v.d(), a64::ptr(a64::x16));
        asm_.fcvtl(v.s4(), v.h4());
    });
}

void A64Assembler::transpose_quads(std::span<const Vec> d) {
    const std::array<Vec, 4> t = {scratch(0), scratch(1), scratch(2), scratch(3)};
    op(Binary::UnpackLow32, t[0], d[0], d[1]);
    op(Binary::UnpackLow32, t[1], d[2], d[3]);
    op(Binary::UnpackHigh32, t[2], d[0], d[1]);
    op(Binary::UnpackHigh32, t[3], d[2], d[3]);
    op(Binary::UnpackLow64, d[0], t[0], t[1]);
    op(Binary::UnpackHigh64, d[1], t[0], t[1]);
    op(Binary::UnpackLow64, d[2], t[2], t[3]);
    op(Binary::UnpackHigh64, d[3], t[2], t[3]);
}

void A64Assembler::gather_halves(std::span<const Vec> d, Address base, Vec index) {
    VALKYR_CHECK(d.size() == 4);
    load_address(a64::x17, {base.base, base.offset});
    const auto to = [&](unsigned k, unsigned lane) { return reg(scratch(k)).h(lane); };
    for (unsigned lane = 0; lane < traits().lanes; ++lane) {
        lane_address(index, lane, base.shift);
        asm_.ld4(to(0, lane), to(1, lane), to(2, lane), to(3, lane), a64::ptr(a64::x16));
    }
    for (unsigned k = 0; k < d.size(); ++k)
        asm_.fcvtl(reg(d[k]).s4(), reg(scratch(k)).h4());
}

}  // namespace valkyr::jit
