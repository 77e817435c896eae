// A64 scalars: emit scalar operations, addresses, jumps, calls, frame and constant pool.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/a64/a64_assembler.hpp"

#include <array>
#include <asmjit/arm/a64utils.h>
#include <bit>

namespace valkyr::jit {

namespace a64 = asmjit::a64;
using I = a64::Inst;
using asmjit::Imm;

namespace {

// Registers of the Gp roles. x19 to x25 and x29 survive calls (AAPCS64). x7 to x15 do not, and no
// argument of a routine is in them. x25 is the base of the constant pool.
constexpr std::array<uint8_t, 17> kGpIds = {29, 19, 20, 21, 22, 23, 24, 7, 8,
                                            9,  10, 11, 12, 13, 14, 15, 25};

[[maybe_unused]] constexpr unsigned kMaxArguments = 6;

using Cond = asmjit::arm::CondCode;
// Indexed by Jump.
constexpr std::array<Cond, 7> kConditions = {Cond::kEQ, Cond::kNE, Cond::kLO, Cond::kHS,
                                             Cond::kHI, Cond::kLS, Cond::kLT};

/// Whether an addition takes the value as its immediate: 12 bits, or 12 bits from bit 12 on.
constexpr bool is_add_immediate(uint64_t value) {
    return value < 0x1000 || ((value & 0xFFF) == 0 && value < 0x1000000);
}

// The registers that enter() saves: pairs of scalars, then the lower halves of v8 to v15.
struct SavedPair {
    uint8_t first, second;
    bool is_vector;
};
constexpr std::array<SavedPair, 9> kSavedPairs = {
    SavedPair{29, 30, false}, {19, 20, false}, {21, 22, false},
    {23, 24, false},          {25, 26, false}, {8, 9, true},
    {10, 11, true},           {12, 13, true},  {14, 15, true}};
constexpr int32_t kSavedBytes = 16 * static_cast<int32_t>(kSavedPairs.size());

}  // namespace

a64::GpX A64Assembler::gp64(Gp r) {
    return a64::GpX(kGpIds[static_cast<size_t>(r)]);
}

a64::GpW A64Assembler::gp32(Gp r) {
    return a64::GpW(kGpIds[static_cast<size_t>(r)]);
}

// ---------------------------------------------------------------------------------------------
// Addresses

void A64Assembler::add_offset(GpX d, GpX base, int32_t offset) {
    const uint64_t size = offset < 0 ? -static_cast<int64_t>(offset) : offset;
    const auto inst = offset < 0 ? I::kIdSub : I::kIdAdd;
    if (size >= 0x1000000) {
        asm_.mov(a64::x6, Imm(size));
        asm_.emit(inst, d, base, a64::x6);
        return;
    }
    if (size >= 0x1000) {
        asm_.emit(inst, d, base, Imm(size & ~uint64_t{0xFFF}));
        base = d;
    }
    if ((size & 0xFFF) != 0 || size == 0)
        asm_.emit(inst, d, base, Imm(size & 0xFFF));
}

a64::Mem A64Assembler::mem(Address a, unsigned bytes) {
    GpX base = gp64(a.base);
    if (a.index != Gp::None) {
        const bool scales = a.shift == 0 || 1U << a.shift == bytes;
        if (a.offset == 0 && scales)
            return a64::ptr(base, gp64(a.index), a64::lsl(a.shift));
        asm_.add(a64::x16, base, gp64(a.index), a64::lsl(a.shift));
        base = a64::x16;
    }
    const auto size = static_cast<int32_t>(bytes);
    const bool scaled = a.offset >= 0 && a.offset % size == 0 && a.offset / size < 0x1000;
    if (scaled || (a.offset >= -256 && a.offset < 256))
        return a64::ptr(base, a.offset);
    add_offset(a64::x16, base, a.offset);
    return a64::ptr(a64::x16);
}

void A64Assembler::load_address(GpX d, Address a) {
    GpX base = gp64(a.base);
    if (a.index != Gp::None) {
        asm_.add(d, base, gp64(a.index), a64::lsl(a.shift));
        base = d;
    }
    if (a.offset != 0)
        add_offset(d, base, a.offset);
    else if (base.id() != d.id())
        asm_.mov(d, base);
}

Address A64Assembler::pool_word(uint32_t value) {
    return {Gp::Pool, static_cast<int32_t>(pool_.word(value))};
}

Address A64Assembler::pool_words(std::span<const uint32_t> words) {
    return {Gp::Pool, static_cast<int32_t>(pool_.words(words))};
}

// ---------------------------------------------------------------------------------------------
// Scalars

void A64Assembler::load64(Gp d, Address a) {
    asm_.ldr(gp64(d), mem(a, 8));
}
void A64Assembler::load32(Gp d, Address a) {
    asm_.ldr(gp32(d), mem(a, 4));
}
void A64Assembler::load16(Gp d, Address a) {
    asm_.ldrh(gp32(d), mem(a, 2));
}
void A64Assembler::load8(Gp d, Address a) {
    asm_.ldrb(gp32(d), mem(a, 1));
}
void A64Assembler::store64(Address a, Gp s) {
    asm_.str(gp64(s), mem(a, 8));
}
void A64Assembler::store32(Address a, Gp s) {
    asm_.str(gp32(s), mem(a, 4));
}
void A64Assembler::store16(Address a, Gp s) {
    asm_.strh(gp32(s), mem(a, 2));
}
void A64Assembler::store8(Address a, Gp s) {
    asm_.strb(gp32(s), mem(a, 1));
}
void A64Assembler::store32(Address a, uint32_t value) {
    if (value != 0)
        asm_.mov(a64::w17, Imm(value));
    asm_.str(value != 0 ? a64::w17 : a64::wzr, mem(a, 4));
}
void A64Assembler::load_address(Gp d, Address a) {
    load_address(gp64(d), a);
}
void A64Assembler::move(Gp d, Gp s) {
    if (d != s)
        asm_.mov(gp64(d), gp64(s));
}
void A64Assembler::move(Gp d, uint64_t value) {
    if (value <= 0xFFFFFFFF)
        asm_.mov(gp32(d), Imm(value));
    else
        asm_.mov(gp64(d), Imm(value));
}
void A64Assembler::add64(Gp d, Gp s) {
    asm_.add(gp64(d), gp64(d), gp64(s));
}
void A64Assembler::add64(Gp d, int32_t value) {
    add_offset(gp64(d), gp64(d), value);
}
void A64Assembler::add32(Gp d, Address word) {
    asm_.ldr(a64::w17, mem(word, 4));
    asm_.add(gp32(d), gp32(d), a64::w17);
}
void A64Assembler::add32(Gp d, int32_t value) {
    const uint64_t size = value < 0 ? -static_cast<int64_t>(value) : value;
    const auto inst = value < 0 ? I::kIdSub : I::kIdAdd;
    if (is_add_immediate(size)) {
        asm_.emit(inst, gp32(d), gp32(d), Imm(size));
        return;
    }
    asm_.mov(a64::w16, Imm(static_cast<uint32_t>(value)));
    asm_.add(gp32(d), gp32(d), a64::w16);
}
void A64Assembler::sub32(Gp d, Gp s) {
    asm_.sub(gp32(d), gp32(d), gp32(s));
}
void A64Assembler::sub64(Gp d, Gp s) {
    asm_.sub(gp64(d), gp64(d), gp64(s));
}
void A64Assembler::mul64(Gp d, Gp s) {
    asm_.mul(gp64(d), gp64(d), gp64(s));
}
void A64Assembler::and32(Gp d, Gp s) {
    asm_.and_(gp32(d), gp32(d), gp32(s));
}
void A64Assembler::and32(Gp d, uint32_t value) {
    if (a64::Utils::isLogicalImm(value, 32)) {
        asm_.and_(gp32(d), gp32(d), Imm(value));
        return;
    }
    asm_.mov(a64::w16, Imm(value));
    asm_.and_(gp32(d), gp32(d), a64::w16);
}
void A64Assembler::and32(Gp d, Address word) {
    asm_.ldr(a64::w17, mem(word, 4));
    asm_.and_(gp32(d), gp32(d), a64::w17);
}
void A64Assembler::or32(Gp d, Gp s) {
    asm_.orr(gp32(d), gp32(d), gp32(s));
}
void A64Assembler::or32(Gp d, Address word) {
    asm_.ldr(a64::w17, mem(word, 4));
    asm_.orr(gp32(d), gp32(d), a64::w17);
}
void A64Assembler::or32(Address word, Gp s) {
    const a64::Mem place = mem(word, 4);
    asm_.ldr(a64::w17, place);
    asm_.orr(a64::w17, a64::w17, gp32(s));
    asm_.str(a64::w17, place);
}
void A64Assembler::xor32(Gp d, Gp s) {
    asm_.eor(gp32(d), gp32(d), gp32(s));
}
void A64Assembler::and_not32(Gp d, Gp a, Gp b) {
    asm_.bic(gp32(d), gp32(b), gp32(a));
}
void A64Assembler::shift_left64(Gp d, unsigned count) {
    if (count != 0)
        asm_.lsl(gp64(d), gp64(d), Imm(count));
}
void A64Assembler::shift_right32(Gp d, unsigned count) {
    if (count != 0)
        asm_.lsr(gp32(d), gp32(d), Imm(count));
}
void A64Assembler::shift_left32_variable(Gp d, Gp count) {
    asm_.lsl(gp32(d), gp32(d), gp32(count));
}
void A64Assembler::shift_right32_variable(Gp d, Gp count) {
    asm_.lsr(gp32(d), gp32(d), gp32(count));
}
void A64Assembler::lowest_bit(Gp d, Gp s) {
    asm_.rbit(gp32(d), gp32(s));
    asm_.clz(gp32(d), gp32(d));
}
void A64Assembler::count_bits(Gp d, Gp s) {
    const a64::VecV t = reg(scratch(0));
    asm_.fmov(t.s(), gp32(s));
    asm_.cnt(t.b8(), t.b8());
    asm_.addv(t.b(), t.b8());
    asm_.fmov(gp32(d), t.s());
}
void A64Assembler::compare_immediate(GpW a, uint32_t value) {
    if (is_add_immediate(value)) {
        asm_.cmp(a, Imm(value));
        return;
    }
    asm_.mov(a64::w16, Imm(value));
    asm_.cmp(a, a64::w16);
}
void A64Assembler::compare32(Gp a, Gp b) {
    asm_.cmp(gp32(a), gp32(b));
}
void A64Assembler::compare32(Gp a, uint32_t value) {
    compare_immediate(gp32(a), value);
}
void A64Assembler::compare32(Gp a, Address word) {
    asm_.ldr(a64::w17, mem(word, 4));
    asm_.cmp(gp32(a), a64::w17);
}
void A64Assembler::compare32(Address word, uint32_t value) {
    asm_.ldr(a64::w17, mem(word, 4));
    compare_immediate(a64::w17, value);
}
void A64Assembler::compare64(Gp a, Gp b) {
    asm_.cmp(gp64(a), gp64(b));
}
void A64Assembler::test32(Gp a) {
    test32(a, a);
}
void A64Assembler::test32(Gp a, Gp b) {
    asm_.tst(gp32(a), gp32(b));
}

// ---------------------------------------------------------------------------------------------
// Atomics: enter() has saved x30, which takes the result of the exclusive store.

void A64Assembler::exchange32(Gp d, Address word) {
    load_address(a64::x16, word);
    const asmjit::Label again = asm_.newLabel();
    asm_.bind(again);
    asm_.ldaxr(a64::w17, a64::ptr(a64::x16));
    asm_.stlxr(a64::w30, gp32(d), a64::ptr(a64::x16));
    asm_.cbnz(a64::w30, again);
    asm_.mov(gp32(d), a64::w17);
}
void A64Assembler::exchange_add32(Gp d, Address word) {
    load_address(a64::x16, word);
    const asmjit::Label again = asm_.newLabel();
    asm_.bind(again);
    asm_.ldaxr(a64::w17, a64::ptr(a64::x16));
    asm_.add(a64::w6, a64::w17, gp32(d));
    asm_.stlxr(a64::w30, a64::w6, a64::ptr(a64::x16));
    asm_.cbnz(a64::w30, again);
    asm_.mov(gp32(d), a64::w17);
}
void A64Assembler::compare_exchange32(Gp expected, Address word, Gp desired) {
    load_address(a64::x16, word);
    const asmjit::Label again = asm_.newLabel();
    const asmjit::Label done = asm_.newLabel();
    asm_.bind(again);
    asm_.ldaxr(a64::w17, a64::ptr(a64::x16));
    asm_.cmp(a64::w17, gp32(expected));
    asm_.b_ne(done);
    asm_.stlxr(a64::w30, gp32(desired), a64::ptr(a64::x16));
    asm_.cbnz(a64::w30, again);
    asm_.bind(done);
    asm_.mov(gp32(expected), a64::w17);
}

// ---------------------------------------------------------------------------------------------
// Flow

Label A64Assembler::new_label() {
    return {asm_.newLabel().id()};
}
void A64Assembler::bind(Label label) {
    asm_.bind(asmjit::Label(label.id));
}
void A64Assembler::jump(Label label) {
    asm_.b(asmjit::Label(label.id));
}
void A64Assembler::jump(Jump cond, Label label) {
    asm_.b(kConditions[static_cast<size_t>(cond)], asmjit::Label(label.id));
}

void A64Assembler::load_arguments(std::initializer_list<Argument> arguments) {
    VALKYR_DCHECK(arguments.size() <= kMaxArguments);
    uint32_t number = 0;
    for (const Argument& argument : arguments)
        load_argument(GpX(number++), argument);
}

void A64Assembler::load_argument(GpX d, const Argument& argument) {
    switch (argument.kind) {
    case Argument::Kind::Effective: load_address(d, argument.address); break;
    case Argument::Kind::Load64: asm_.ldr(d, mem(argument.address, 8)); break;
    case Argument::Kind::Load32: asm_.ldr(d.w(), mem(argument.address, 4)); break;
    case Argument::Kind::Scalar: asm_.mov(d, gp64(Gp::Argument)); break;
    case Argument::Kind::Constant: asm_.mov(d, Imm(argument.value)); break;
    }
}

void A64Assembler::call_indirect(Address function, std::initializer_list<Argument> arguments) {
    asm_.ldr(a64::x17, mem(function, 8));
    load_arguments(arguments);
    asm_.blr(a64::x17);
}

void A64Assembler::call(const void* function, std::initializer_list<Argument> arguments) {
    load_arguments(arguments);
    asm_.mov(a64::x17, Imm(std::bit_cast<uint64_t>(function)));
    asm_.blr(a64::x17);
}

void A64Assembler::each_saved_pair(bool load) {
    int32_t offset = 0;
    for (const SavedPair& pair : kSavedPairs) {
        const a64::Mem place = a64::ptr(a64::sp, offset);
        if (pair.is_vector)
            asm_.emit(load ? I::kIdLdp_v : I::kIdStp_v, a64::VecD(pair.first),
                      a64::VecD(pair.second), place);
        else
            asm_.emit(load ? I::kIdLdp : I::kIdStp, GpX(pair.first), GpX(pair.second), place);
        offset += 16;
    }
}

void A64Assembler::enter(uint32_t frame_bytes) {
    VALKYR_CHECK(frame_bytes % 64 == 0);
    frame_bytes_ = frame_bytes + 64;  // the caller's stack pointer is on top
    asm_.sub(a64::sp, a64::sp, Imm(kSavedBytes));
    each_saved_pair(false);
    asm_.mov(gp64(Gp::Call), a64::x1);
    asm_.mov(a64::x17, a64::sp);
    add_offset(a64::x16, a64::x17, -static_cast<int32_t>(frame_bytes_));
    asm_.and_(a64::x16, a64::x16, Imm(~uint64_t{63}));
    asm_.mov(a64::sp, a64::x16);
    asm_.mov(gp64(Gp::Frame), a64::x16);
    asm_.str(a64::x17, mem({Gp::Frame, static_cast<int32_t>(frame_bytes_ - 8)}, 8));
    asm_.adr(gp64(Gp::Pool), pool_label_);
}

void A64Assembler::leave() {
    asm_.ldr(a64::x17, mem({Gp::Frame, static_cast<int32_t>(frame_bytes_ - 8)}, 8));
    asm_.mov(a64::sp, a64::x17);
    each_saved_pair(true);
    asm_.add(a64::sp, a64::sp, Imm(kSavedBytes));
    asm_.ret(a64::x30);
}

void A64Assembler::finish() {
    asm_.align(asmjit::AlignMode::kZero, 64);
    asm_.bind(pool_label_);
    const std::span<const uint32_t> constants = pool_.contents();
    asm_.embed(constants.data(), constants.size_bytes());
}

uint32_t A64Assembler::offset() const {
    return static_cast<uint32_t>(asm_.offset());
}

}  // namespace valkyr::jit
