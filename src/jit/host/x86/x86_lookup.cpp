// X86 look-ups: emit permutations of tables in memory.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "exec/srgb_segments.hpp"
#include "jit/host/x86/x86_assembler.hpp"

#include <array>
#include <bit>
#include <cstddef>

namespace valkyr::jit {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

namespace {

/// For each quad: byte k of lane i = byte i of the four bytes of lane k, k = 0 .. 2; byte 3 = 0.
constexpr std::array<uint32_t, 16> kTexelOrder = [] {
    std::array<uint32_t, 16> order{};
    for (uint32_t lane = 0; lane < order.size(); ++lane)
        order[lane] = 0x80080400 + lane % 4 * 0x10101;
    return order;
}();

constexpr std::array<uint32_t, 16> row_of(uint32_t word) {
    std::array<uint32_t, 16> row{};
    row.fill(word);
    return row;
}

}  // namespace

void X86Assembler::emit(Inst inst, Vec d, Vec a, Vec b) {
    asm_.emit(inst, reg(d), reg(a), reg(b));
}
void X86Assembler::shift(Inst inst, Vec d, Vec a, unsigned bits) {
    asm_.emit(inst, reg(d), reg(a), asmjit::Imm(bits));
}

void X86Assembler::table16(Vec d, Vec index, Address table) {
    if (avx512_) {
        asm_.emit(I::kIdVpermd, reg(d), reg(index), mem(table));
        return;
    }
    const x86::Vec s = reg(scratch(0));
    const x86::Vec t = reg(scratch(1));
    asm_.emit(I::kIdVpermd, s, reg(index), mem(table));
    asm_.emit(I::kIdVpermd, t, reg(index), mem(table.plus(32)));
    asm_.emit(I::kIdVpslld, reg(d), reg(index), asmjit::Imm(28));
    asm_.emit(I::kIdVblendvps, reg(d), s, t, reg(d));
}

/// The lanes of each group of 32 words take theirs from two registers.
void X86Assembler::table256(Vec d, Vec index, Address table) {
    VALKYR_CHECK(traits_.permutes_tables);
    constexpr unsigned kGroup = 32;
    constexpr int kBytes = 4 * kGroup;
    const x86::Vec group = reg(scratch(0));
    const x86::Vec low = reg(scratch(1));
    asm_.emit(I::kIdVpsrld, group, reg(index), asmjit::Imm(5));
    move(d, index);
    for (int number = 0; number < 256 / static_cast<int>(kGroup); ++number) {
        if (number == 0)
            asm_.emit(I::kIdVptestnmd, x86::k6, group, group);
        else
            asm_.emit(I::kIdVpcmpeqd, x86::k6, group,
                      mem(pool_word(static_cast<uint32_t>(number)))._1to16());
        const Address words = table.plus(number * kBytes);
        asm_.emit(I::kIdVmovups, low, mem(words));
        asm_.k(x86::k6).emit(I::kIdVpermi2ps, reg(d), low, mem(words.plus(kBytes / 2)));
    }
}

/// bytes = the byte of a plane of 128 for each byte of `indices`.
void X86Assembler::table128_plane(Vec bytes, Vec indices, Address plane, Vec spare) {
    constexpr int kRegister = 64;
    move(bytes, indices);
    asm_.emit(I::kIdVmovups, reg(spare), mem(plane));
    asm_.emit(I::kIdVpermi2b, reg(bytes), reg(spare), mem(plane.plus(kRegister)));
}

/// bytes = the byte of one plane for each byte of `indices`. k6 has the upper half of the indices
/// (`upper`) or the lower one, and has the other one afterwards.
void X86Assembler::table256_plane(Vec bytes, Vec indices, Address plane, Vec spare, bool upper) {
    constexpr int kHalf = 128;
    constexpr int kRegister = 64;
    move(bytes, indices);
    for (int k = 0; k < 2; ++k) {
        const Address half = plane.plus(upper != (k != 0) ? kHalf : 0);
        if (k != 0)
            asm_.emit(I::kIdKnotq, x86::k6, x86::k6);
        asm_.emit(I::kIdVmovups, reg(spare), mem(half));
        asm_.k(x86::k6).emit(I::kIdVpermi2b, reg(bytes), reg(spare), mem(half.plus(kRegister)));
    }
}

// The planes of a lane are a square of 4 x 4 bytes: its columns become words by two steps of
// unpacking, and a quad of words by texels becomes one by channels by two more.
void X86Assembler::table256_bytes(std::span<const Vec, 3> d, Vec indices, Address planes) {
    VALKYR_CHECK(traits_.permutes_bytes);
    constexpr int kPlane = 256;
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    const std::array<Vec, 4> bytes = {d[0], d[1], d[2], s};
    asm_.emit(I::kIdVpmovb2m, x86::k6, reg(indices));
    for (int k = 0; k < 4; ++k)
        table256_plane(bytes[k], indices, planes.plus(k * kPlane), t, k % 2 == 0);
    emit(I::kIdVpunpcklbw, t, d[0], d[1]);
    emit(I::kIdVpunpckhbw, d[0], d[0], d[1]);
    emit(I::kIdVpunpcklbw, d[1], d[2], s);
    emit(I::kIdVpunpckhbw, d[2], d[2], s);
    emit(I::kIdVpunpcklwd, s, t, d[1]);        // lane 0 of each quad
    emit(I::kIdVpunpckhwd, t, t, d[1]);        // lane 1
    emit(I::kIdVpunpcklwd, d[1], d[0], d[2]);  // lane 2
    emit(I::kIdVpunpckhwd, d[0], d[0], d[2]);  // lane 3
    emit(I::kIdVpunpckldq, d[2], s, t);
    emit(I::kIdVpunpckhdq, s, s, t);
    emit(I::kIdVpunpckldq, t, d[1], d[0]);
    emit(I::kIdVpunpckhdq, d[1], d[1], d[0]);
    emit(I::kIdVpunpcklqdq, d[0], d[2], t);
    emit(I::kIdVpunpckhqdq, t, d[2], t);
    emit(I::kIdVpunpcklqdq, d[2], s, d[1]);
    move(d[1], t);
}

/// spare[2] = the codes that lines give for values, or one less: a byte of each, four lanes of
/// value 0 in a quad, then of 1, of 2, and of 2 again.
void X86Assembler::line_codes(std::span<const Vec, 3> values,
                              Address tables,
                              std::span<const Vec, 5> spare) {
    constexpr uint32_t kPair = 0x10001;  // a 16-bit number in both halves of a word
    constexpr unsigned kHalfBits = std::countr_zero(exec::kSrgbSegmentHalves);
    const auto [a, b, p, q, r] = std::array{spare[0], spare[1], spare[2], spare[3], spare[4]};
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    const Address slopes = tables.plus(offsetof(exec::SrgbSegments, slope));
    const Address base = pool_words(row_of(exec::kSrgbSegmentBase * kPair));
    const Address rest = pool_words(row_of((exec::kSrgbSegmentHalves - 1) * kPair));

    // Upper halves from the first segment on: of values 0 and 1 in a, of value 2 in b.
    shift(I::kIdVpsrld, a, values[0], 16);
    shift(I::kIdVpsrld, b, values[1], 16);
    emit(I::kIdVpackusdw, a, a, b);
    shift(I::kIdVpsrld, b, values[2], 16);
    emit(I::kIdVpackusdw, b, b, b);
    for (const Vec v : {a, b})
        asm_.emit(I::kIdVpsubw, reg(v), reg(v), mem(base));
    shift(I::kIdVpsrlw, p, a, kHalfBits);
    shift(I::kIdVpsrlw, q, b, kHalfBits);
    emit(I::kIdVpackuswb, p, p, q);

    // Places where segments begin in q and s, slopes in p and r.
    table128_plane(q, p, tables.plus(offsetof(exec::SrgbSegments, first)), t);
    table128_plane(r, p, tables.plus(offsetof(exec::SrgbSegments, first) + exec::kSrgbSegments), t);
    table128_plane(p, p, slopes, t);
    emit(I::kIdVpunpckhbw, s, q, r);
    emit(I::kIdVpunpcklbw, q, q, r);
    zero(t);
    emit(I::kIdVpunpckhbw, r, p, t);
    emit(I::kIdVpunpcklbw, p, p, t);

    // Codes are the upper bytes of first places + slope * halves.
    for (const Vec v : {a, b})
        asm_.emit(I::kIdVpandd, reg(v), reg(v), mem(rest));
    emit(I::kIdVpmullw, p, p, a);
    emit(I::kIdVpmullw, r, r, b);
    emit(I::kIdVpaddw, q, q, p);
    emit(I::kIdVpaddw, s, s, r);
    shift(I::kIdVpsrlw, q, q, 8);
    shift(I::kIdVpsrlw, s, s, 8);
    emit(I::kIdVpackuswb, p, q, s);
}

// Unpacking the bytes of four planes makes words of the values' lanes from those of line_codes().
void X86Assembler::encode_bytes(Vec d,
                                std::span<const Vec, 3> values,
                                Address tables,
                                std::span<const Vec, 5> spare) {
    VALKYR_CHECK(traits_.encodes_bytes);
    constexpr int kPlane = 256;
    const auto [a, b, p, q, r] = std::array{spare[0], spare[1], spare[2], spare[3], spare[4]};
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    line_codes(values, tables, spare);

    // The last numbers with these codes: of values 0, 1 and 2 in b, s and a.
    const Address planes = tables.plus(offsetof(exec::SrgbSegments, last));
    const std::array<Vec, 4> bytes = {a, b, q, r};
    asm_.emit(I::kIdVpmovb2m, x86::k6, reg(p));
    for (int k = 0; k < 4; ++k)
        table256_plane(bytes[k], p, planes.plus(k * kPlane), t, k % 2 == 0);
    emit(I::kIdVpunpcklbw, s, a, b);
    emit(I::kIdVpunpckhbw, a, a, b);
    emit(I::kIdVpunpcklbw, t, q, r);
    emit(I::kIdVpunpckhbw, q, q, r);
    emit(I::kIdVpunpcklwd, b, s, t);
    emit(I::kIdVpunpckhwd, s, s, t);
    emit(I::kIdVpunpcklwd, a, a, q);

    // Larger values have codes that are one more.
    emit(I::kIdVpsubd, b, b, values[0]);
    emit(I::kIdVpsubd, s, s, values[1]);
    emit(I::kIdVpsubd, a, a, values[2]);
    emit(I::kIdVpackssdw, b, b, s);
    emit(I::kIdVpackssdw, a, a, a);
    emit(I::kIdVpacksswb, b, b, a);
    asm_.emit(I::kIdVpmovb2m, x86::k6, reg(b));
    asm_.k(x86::k6).emit(I::kIdVpsubb, reg(p), reg(p), mem(pool_words(row_of(0xFFFFFFFF))));
    asm_.emit(I::kIdVpshufb, reg(d), reg(p), mem(pool_words(kTexelOrder)));
}

}  // namespace valkyr::jit
