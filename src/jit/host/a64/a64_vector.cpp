// A64 vectors: emit moves, arithmetic, permutations and memory accesses.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/a64/a64_assembler.hpp"

#include <asmjit/arm/a64utils.h>

namespace valkyr::jit {

namespace a64 = asmjit::a64;
using I = a64::Inst;

namespace {

constexpr unsigned kVectors = 28;
constexpr unsigned kVectorBytes = 16;

constexpr HostTraits kTraits = {.lanes = 4,
                                .vectors = kVectors,
                                .masks = 0,
                                .first_mask = 0,
                                .exec_masks = {27, 26, 25, 24},
                                .scatters = false,
                                .permutes_pairs = false,
                                .combines_rows = false,
                                .permutes_tables = false,
                                .permutes_bytes = false,
                                .encodes_bytes = false,
                                .loads_lanes = true,
                                .folds_broadcast = false};

a64::VecV shaped(Vec v, Shape shape) {
    const a64::VecV r(v.id);
    switch (shape) {
    case Shape::B16: return r.b16();
    case Shape::H8: return r.h8();
    case Shape::S4: return r.s4();
    case Shape::D2: return r.d2();
    }
    VALKYR_UNREACHABLE();
}

/// The lower half of a register with elements half as wide.
a64::VecD narrow(Vec v, Shape wide) {
    const a64::VecV r(v.id);
    switch (wide) {
    case Shape::H8: return r.b8();
    case Shape::S4: return r.h4();
    default: return r.s2();
    }
}

Shape wider(Shape shape) {
    return static_cast<Shape>(static_cast<uint8_t>(shape) + 1);
}

bool is(const Operand& operand, Vec v) {
    return operand.is_reg() && operand.reg == v;
}

}  // namespace

A64Assembler::A64Assembler(asmjit::CodeHolder& code)
    : asm_(&code)
    , pool_label_(asm_.newLabel()) {}

const HostTraits& A64Assembler::traits() const {
    return kTraits;
}

Vec A64Assembler::scratch(unsigned i) {
    return {static_cast<uint8_t>(kVectors + i)};
}

void A64Assembler::emit(Inst inst, Shape shape, Vec d, Vec a, Vec b) {
    asm_.emit(inst, shaped(d, shape), shaped(a, shape), shaped(b, shape));
}
void A64Assembler::emit(Inst inst, Shape shape, Vec d, Vec a) {
    asm_.emit(inst, shaped(d, shape), shaped(a, shape));
}
void A64Assembler::emit(Inst inst, Shape shape, Vec d, Vec a, unsigned imm) {
    asm_.emit(inst, shaped(d, shape), shaped(a, shape), asmjit::Imm(imm));
}

Vec A64Assembler::to_register(const Operand& operand, Vec spare) {
    if (operand.is_reg())
        return operand.reg;
    move(spare, operand);
    return spare;
}

void A64Assembler::choose(Vec d, Vec mask, Vec t, Vec f) {
    if (d == mask) {
        emit(I::kIdBsl_v, Shape::B16, d, t, f);
    } else if (d == t) {
        emit(I::kIdBif_v, Shape::B16, d, f, mask);
    } else {
        move(d, f);
        emit(I::kIdBit_v, Shape::B16, d, t, mask);
    }
}

/// Loads a word that a product takes as a lane, without copies to the other lanes.
a64::VecV A64Assembler::load_factor(const Operand& word) {
    const a64::VecV v = reg(scratch(3));
    asm_.ldr(v.s(), mem(word.address, 4));
    return v.s(0);
}

void A64Assembler::op(Binary operation, Vec d, Vec a, Operand operand) {
    if (operation == Binary::MulF32 && is_word(operand)) {
        asm_.fmul(reg(d).s4(), reg(a).s4(), load_factor(operand));
        return;
    }
    const A64Binary& row = kA64Binary[static_cast<size_t>(operation)];
    const Vec b = to_register(operand, scratch(3));
    if (row.form == A64Form::Plain)
        emit(row.inst, row.shape, d, a, b);
    else
        binary_sequence(row, d, a, b);
}

void A64Assembler::binary_sequence(const A64Binary& row, Vec d, Vec a, Vec b) {
    const Vec t = scratch(0);
    switch (row.form) {
    case A64Form::Plain: return;
    case A64Form::Exchanged: return emit(row.inst, row.shape, d, b, a);
    case A64Form::ChooseLess: emit(row.inst, row.shape, t, b, a); return choose(d, t, a, b);
    case A64Form::ChooseGreater: emit(row.inst, row.shape, t, a, b); return choose(d, t, a, b);
    case A64Form::High: return multiply_high(row, d, a, b);
    case A64Form::Negated:
        emit(I::kIdNeg_v, row.shape, t, b);
        return emit(row.inst, row.shape, d, a, t);
    case A64Form::ShiftLeft:
    case A64Form::ShiftRight: return shift_lanes(row, d, a, b);
    case A64Form::Pack: return pack(row, d, a, b);
    case A64Form::Bytes: return multiply_bytes(d, a, b);
    case A64Form::Pairs: return multiply_pairs(d, a, b);
    }
}

void A64Assembler::multiply_high(const A64Binary& row, Vec d, Vec a, Vec b) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    asm_.emit(row.inst, reg(s).s4(), reg(a).h4(), reg(b).h4());
    asm_.emit(row.upper, reg(t).s4(), reg(a).h8(), reg(b).h8());
    emit(I::kIdUzp2_v, Shape::H8, d, s, t);
}

/// Multiplies unsigned by signed bytes. Every product fits 16 bits; sums of two saturate.
void A64Assembler::multiply_bytes(Vec d, Vec a, Vec b) {
    const Vec r = scratch(0);
    const Vec s = scratch(1);
    const Vec t = scratch(2);
    asm_.emit(I::kIdUxtl_v, reg(r).h8(), reg(a).b8());
    asm_.emit(I::kIdSxtl_v, reg(s).h8(), reg(b).b8());
    emit(I::kIdMul_v, Shape::H8, r, r, s);
    asm_.emit(I::kIdUxtl2_v, reg(s).h8(), reg(a).b16());
    asm_.emit(I::kIdSxtl2_v, reg(t).h8(), reg(b).b16());
    emit(I::kIdMul_v, Shape::H8, s, s, t);
    emit(I::kIdUzp1_v, Shape::H8, t, r, s);
    emit(I::kIdUzp2_v, Shape::H8, r, r, s);
    emit(I::kIdSqadd_v, Shape::H8, d, t, r);
}

void A64Assembler::multiply_pairs(Vec d, Vec a, Vec b) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    asm_.emit(I::kIdSmull_v, reg(s).s4(), reg(a).h4(), reg(b).h4());
    asm_.emit(I::kIdSmull2_v, reg(t).s4(), reg(a).h8(), reg(b).h8());
    emit(I::kIdAddp_v, Shape::S4, d, s, t);
}

/// Limits counts first: the host's shifts read the lowest byte of a count as a signed number.
void A64Assembler::shift_lanes(const A64Binary& row, Vec d, Vec a, Vec b) {
    const Vec t = scratch(0);
    load_constant(t, 32);
    emit(I::kIdUmin_v, Shape::S4, t, t, b);
    if (row.form == A64Form::ShiftRight)
        emit(I::kIdNeg_v, Shape::S4, t, t);
    emit(row.inst, Shape::S4, d, a, t);
}

void A64Assembler::pack(const A64Binary& row, Vec d, Vec a, Vec b) {
    const Vec t = d == b ? scratch(0) : d;
    const Shape wide = wider(row.shape);
    asm_.emit(row.inst, narrow(t, wide), shaped(a, wide));
    asm_.emit(row.upper, shaped(t, row.shape), shaped(b, wide));
    move(d, t);
}

void A64Assembler::op(Unary operation, Vec d, Operand a) {
    const A64Unary& row = kA64Unary[static_cast<size_t>(operation)];
    emit(row.inst, row.shape, d, to_register(a, scratch(3)));
}

void A64Assembler::op(ImmOp operation, Vec d, Vec a, unsigned imm) {
    const A64Imm& row = kA64Immediate[static_cast<size_t>(operation)];
    if (row.inst == I::kIdNone)
        return permute_quad(d, a, imm);
    if (imm == 0)
        return move(d, a);
    if (imm >= row.bits && row.inst != I::kIdSshr_v)
        return zero(d);
    emit(row.inst, row.shape, d, a, imm < row.bits ? imm : row.bits);
}

namespace {

/// A permutation that one instruction makes.
struct Permutation {
    uint8_t imm;
    asmjit::InstId inst;
    Shape shape;
    uint8_t operands;  ///< 1: inst d, a; 2: inst d, a, a; 3: inst d, a, a, 8
};
constexpr Permutation kPermutations[] = {
    {0xB1, I::kIdRev64_v, Shape::S4, 1}, {0x4E, I::kIdExt_v, Shape::B16, 3},
    {0xA0, I::kIdTrn1_v, Shape::S4, 2},  {0xF5, I::kIdTrn2_v, Shape::S4, 2},
    {0x50, I::kIdZip1_v, Shape::S4, 2},  {0xFA, I::kIdZip2_v, Shape::S4, 2},
    {0x44, I::kIdZip1_v, Shape::D2, 2},  {0xEE, I::kIdZip2_v, Shape::D2, 2},
    {0x88, I::kIdUzp1_v, Shape::S4, 2},  {0xDD, I::kIdUzp2_v, Shape::S4, 2},
};

}  // namespace

void A64Assembler::permute_quad(Vec d, Vec a, unsigned imm) {
    if (imm % 0x55 == 0) {
        asm_.dup(reg(d).s4(), reg(a).s(imm / 0x55));
        return;
    }
    for (const Permutation& row : kPermutations) {
        if (row.imm != imm)
            continue;
        switch (row.operands) {
        case 1: return emit(row.inst, row.shape, d, a);
        case 2: return emit(row.inst, row.shape, d, a, a);
        default: asm_.ext(reg(d).b16(), reg(a).b16(), reg(a).b16(), asmjit::Imm(8)); return;
        }
    }
    uint32_t bytes[4];
    for (unsigned k = 0; k < 4; ++k)
        bytes[k] = 0x03020100 + 0x04040404 * (imm >> 2 * k & 3);
    load(scratch(0), pool_words(bytes));
    emit(I::kIdTbl_v, Shape::B16, d, a, scratch(0));
}

void A64Assembler::fma(
    Vec d, Vec a, Operand b, Operand c, bool negate_product, bool negate_addend) {
    const a64::VecV factor = is_word(b) ? load_factor(b) : reg(to_register(b, scratch(3))).s4();
    const Vec sum = d == a || is(b, d) ? scratch(0) : d;
    if (negate_addend)
        emit(I::kIdFneg_v, Shape::S4, sum, to_register(c, scratch(2)));
    else if (!is(c, sum))
        move(sum, c);
    asm_.emit(negate_product ? I::kIdFmls_v : I::kIdFmla_v, reg(sum).s4(), reg(a).s4(), factor);
    move(d, sum);
}

void A64Assembler::fma_f64(Vec d, Vec a, Vec b, Vec c) {
    const Vec sum = d == a || d == b ? scratch(0) : d;
    move(sum, c);
    emit(I::kIdFmla_v, Shape::D2, sum, a, b);
    move(d, sum);
}

void A64Assembler::move(Vec d, Operand a) {
    switch (a.kind) {
    case Operand::Kind::Register:
        if (d != a.reg)
            emit(I::kIdMov_v, Shape::B16, d, a.reg);
        return;
    case Operand::Kind::Memory: load(d, a.address); return;
    case Operand::Kind::Broadcast:
        if (a.address.base == Gp::Pool)
            return load_constant(d, pool_.at(static_cast<uint32_t>(a.address.offset)));
        asm_.ldr(reg(d).s(), mem(a.address, 4));
        asm_.dup(reg(d).s4(), reg(d).s(0));
        return;
    }
}

void A64Assembler::load_constant(Vec d, uint32_t value) {
    if (!move_immediate(d, value))
        load(d, pool_word(value));
}

bool A64Assembler::move_immediate(Vec d, uint32_t value) {
    const a64::VecV words = reg(d).s4();
    if (a64::Utils::isByteMaskImm8(value)) {  // every byte 0 or 0xFF
        asm_.movi(reg(d).d2(), asmjit::Imm(value * 0x100000001ULL));
        return true;
    }
    if (value == (value & 0xFF) * 0x01010101U) {
        asm_.movi(reg(d).b16(), asmjit::Imm(value & 0xFF));
        return true;
    }
    for (const bool inverted : {false, true}) {
        const uint32_t v = inverted ? ~value : value;
        const auto inst = inverted ? I::kIdMvni_v : I::kIdMovi_v;
        for (unsigned shift = 0; shift < 32; shift += 8)
            if ((v & ~(0xFFU << shift)) == 0) {
                asm_.emit(inst, words, asmjit::Imm(v >> shift), asmjit::Imm(a64::lsl(shift)));
                return true;
            }
        for (unsigned shift = 8; shift <= 16; shift += 8)
            if (v >> shift <= 0xFF && (v & ((1U << shift) - 1)) == (1U << shift) - 1) {
                asm_.emit(inst, words, asmjit::Imm(v >> shift), asmjit::Imm(a64::msl(shift)));
                return true;
            }
    }
    // Do not use FMOV: asmjit 1.9 encodes a wrong destination register.
    return false;
}

void A64Assembler::zero(Vec d) {
    load_constant(d, 0);
}
void A64Assembler::ones(Vec d) {
    load_constant(d, 0xFFFFFFFF);
}
void A64Assembler::load(Vec d, Address a) {
    asm_.ldr(reg(d), mem(a, kVectorBytes));
}
void A64Assembler::store(Address a, Vec s) {
    asm_.str(reg(s), mem(a, kVectorBytes));
}
void A64Assembler::load_quad(Vec d, Address a) {
    load(d, a);
}
void A64Assembler::insert_quad(Vec d, [[maybe_unused]] unsigned q, Address a) {
    VALKYR_DCHECK(q == 0);  // a register has only quad 0
    load(d, a);
}
void A64Assembler::store_quad(Address a, [[maybe_unused]] unsigned q, Vec s) {
    VALKYR_DCHECK(q == 0);
    store(a, s);
}
void A64Assembler::broadcast_quad(Vec d, Address a) {
    load(d, a);
}

void A64Assembler::load_bytes(Vec d, Address a) {
    asm_.ldr(reg(d).s(), mem(a, 4));
    asm_.uxtl(reg(d).h8(), reg(d).b8());
    asm_.uxtl(reg(d).s4(), reg(d).h4());
}
void A64Assembler::load_halves(Vec d, Address a) {
    asm_.ldr(reg(d).d(), mem(a, 8));
    asm_.uxtl(reg(d).s4(), reg(d).h4());
}
void A64Assembler::store_bytes(Address a, Vec s) {
    const a64::VecV t = reg(scratch(0));
    asm_.xtn(t.h4(), reg(s).s4());
    asm_.xtn(t.b8(), t.h8());
    asm_.str(t.s(), mem(a, 4));
}
void A64Assembler::store_halves(Address a, Vec s) {
    const a64::VecV t = reg(scratch(0));
    asm_.xtn(t.h4(), reg(s).s4());
    asm_.str(t.d(), mem(a, 8));
}

void A64Assembler::extract_first(Gp d, Vec s) {
    asm_.fmov(gp32(d), reg(s).s());
}
void A64Assembler::broadcast_first(Vec d, Vec s) {
    asm_.dup(reg(d).s4(), reg(s).s(0));
}
void A64Assembler::broadcast_word(Vec d, Gp s) {
    asm_.dup(reg(d).s4(), gp32(s));
}

/// The look-up takes byte numbers: 4 * (index & 3) in all bytes, plus 0, 1, 2, 3.
void A64Assembler::permute(Vec d, Vec index, Vec a) {
    const Vec s = scratch(0);
    const Vec t = scratch(1);
    load_constant(s, 3);
    emit(I::kIdAnd_v, Shape::B16, t, index, s);
    load_constant(s, 0x04040404);
    emit(I::kIdMul_v, Shape::S4, t, t, s);
    load_constant(s, 0x03020100);
    emit(I::kIdOrr_v, Shape::B16, t, t, s);
    emit(I::kIdTbl_v, Shape::B16, d, a, t);
}

void A64Assembler::table16(Vec d, Vec index, Address table) {
    const Vec s = scratch(0);
    load_constant(s, 15);
    emit(I::kIdAnd_v, Shape::B16, d, index, s);
    load_constant(s, 0x04040404);
    emit(I::kIdMul_v, Shape::S4, d, d, s);
    load_constant(s, 0x03020100);
    emit(I::kIdOrr_v, Shape::B16, d, d, s);
    load_address(a64::x16, table);
    asm_.ld1(reg(scratch(0)).b16(), reg(scratch(1)).b16(), reg(scratch(2)).b16(),
             reg(scratch(3)).b16(), a64::ptr(a64::x16));
    asm_.tbl(reg(d).b16(), reg(scratch(0)).b16(), reg(scratch(1)).b16(), reg(scratch(2)).b16(),
             reg(scratch(3)).b16(), reg(d).b16());
}

void A64Assembler::table256(Vec, Vec, Address) {
    VALKYR_CHECK(false);  // traits().permutes_tables
}

void A64Assembler::table256_bytes(std::span<const Vec, 3>, Vec, Address) {
    VALKYR_CHECK(false);  // traits().permutes_bytes
}

void A64Assembler::encode_bytes(Vec, std::span<const Vec, 3>, Address, std::span<const Vec, 5>) {
    VALKYR_CHECK(false);  // traits().encodes_bytes
}

void A64Assembler::multiply_high(Vec d, Vec a, Vec b, bool is_signed) {
    const a64::VecV low = reg(scratch(0));
    const a64::VecV high = reg(scratch(1));
    asm_.emit(is_signed ? I::kIdSmull_v : I::kIdUmull_v, low.d2(), reg(a).s2(), reg(b).s2());
    asm_.emit(is_signed ? I::kIdSmull2_v : I::kIdUmull2_v, high.d2(), reg(a).s4(), reg(b).s4());
    asm_.uzp2(reg(d).s4(), low.s4(), high.s4());
}

void A64Assembler::merge_halves(Vec d, Vec low, Vec high) {
    const Vec s = scratch(0);
    load_constant(s, 0x0000FFFF);
    choose(d, s, low, high);
}

/// Loads lane by lane; lanes outside the mask touch no memory. x17 is the base, x6 the mask with 16
/// bits a lane.
void A64Assembler::scatter32(Address, Vec, Mask, Vec) {
    VALKYR_CHECK(false);  // traits().scatters
}

void A64Assembler::permute_pair(Vec, Vec, Operand, Mask) {
    VALKYR_CHECK(false);  // traits().permutes_pairs
}
void A64Assembler::combine_row(std::optional<Binary>, Vec, Vec, Address) {
    VALKYR_CHECK(false);  // traits().combines_rows
}

// Write `high` last: it may be the source.
void A64Assembler::widen_f64(Vec low, Vec high, Vec a) {
    const Vec source = low == a ? scratch(0) : a;
    move(source, a);
    asm_.fcvtl(reg(low).d2(), reg(source).s2());
    asm_.fcvtl2(reg(high).d2(), reg(source).s4());
}

void A64Assembler::widen_s64(Vec low, Vec high, Vec a) {
    const Vec source = low == a ? scratch(0) : a;
    move(source, a);
    asm_.sxtl(reg(low).d2(), reg(source).s2());
    asm_.sxtl2(reg(high).d2(), reg(source).s4());
}

void A64Assembler::narrow_f64(Vec d, Vec low, Vec high) {
    const Vec t = d == high ? scratch(0) : d;
    asm_.fcvtn(reg(t).s2(), reg(low).d2());
    asm_.fcvtn2(reg(t).s4(), reg(high).d2());
    move(d, t);
}

void A64Assembler::pick_words(Vec d, Vec low, Vec high, unsigned word) {
    emit(word == 0 ? I::kIdUzp1_v : I::kIdUzp2_v, Shape::S4, d, low, high);
}

}  // namespace valkyr::jit
