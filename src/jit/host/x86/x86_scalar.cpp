// X86 scalars: emit scalar operations, jumps, calls, frame and constant pool.
// SPDX-License-Identifier: MIT
#include "base/check.hpp"
#include "jit/host/x86/x86_assembler.hpp"

#include <array>
#include <bit>

namespace valkyr::jit {

namespace x86 = asmjit::x86;
namespace I = x86::Inst;

namespace {

// Registers of the Gp roles. In System V, rbx, rbp and r12 to r15 survive calls.
constexpr std::array<uint8_t, 16> kGpIds = {
    x86::Gp::kIdSp,  x86::Gp::kIdBx,  x86::Gp::kIdR12, x86::Gp::kIdR13,
    x86::Gp::kIdR14, x86::Gp::kIdR15, x86::Gp::kIdBp,  x86::Gp::kIdR11,
    x86::Gp::kIdSi,  x86::Gp::kIdAx,  x86::Gp::kIdCx,  x86::Gp::kIdDx,
    x86::Gp::kIdDi,  x86::Gp::kIdR8,  x86::Gp::kIdR9,  x86::Gp::kIdR10};

constexpr std::array<uint8_t, 6> kArgumentIds = {x86::Gp::kIdDi, x86::Gp::kIdSi, x86::Gp::kIdDx,
                                                 x86::Gp::kIdCx, x86::Gp::kIdR8, x86::Gp::kIdR9};

constexpr std::array<uint8_t, 6> kSavedIds = {x86::Gp::kIdBp,  x86::Gp::kIdBx,  x86::Gp::kIdR12,
                                              x86::Gp::kIdR13, x86::Gp::kIdR14, x86::Gp::kIdR15};

constexpr std::array<asmjit::InstId, 7> kJumps = {I::kIdJe, I::kIdJne, I::kIdJb, I::kIdJae,
                                                  I::kIdJa, I::kIdJbe, I::kIdJl};

}  // namespace

x86::Gp X86Assembler::gp64(Gp r) const {
    return x86::gpq(kGpIds[static_cast<size_t>(r)]);
}

x86::Gp X86Assembler::gp32(Gp r) const {
    return x86::gpd(kGpIds[static_cast<size_t>(r)]);
}

x86::Mem X86Assembler::mem(Address a) const {
    if (a.base == Gp::Pool) {
        VALKYR_DCHECK(a.index == Gp::None);
        return x86::ptr(pool_label_, a.offset);
    }
    if (a.index == Gp::None)
        return x86::ptr(gp64(a.base), a.offset);
    return x86::ptr(gp64(a.base), gp64(a.index), a.shift, a.offset);
}

Address X86Assembler::pool_word(uint32_t value) {
    return {Gp::Pool, static_cast<int32_t>(pool_.word(value))};
}

Address X86Assembler::pool_words(std::span<const uint32_t> words) {
    return {Gp::Pool, static_cast<int32_t>(pool_.words(words))};
}

/// A whole AVX2 register of one value in memory, for operations that are short of scratch
/// registers.
Address X86Assembler::pool_lanes(uint32_t value) {
    return {Gp::Pool, static_cast<int32_t>(pool_.repeated(value, 8))};
}

void X86Assembler::load64(Gp d, Address a) {
    asm_.mov(gp64(d), mem(a));
}
void X86Assembler::load32(Gp d, Address a) {
    asm_.mov(gp32(d), mem(a));
}
void X86Assembler::load16(Gp d, Address a) {
    x86::Mem place = mem(a);
    place.setSize(2);
    asm_.movzx(gp32(d), place);
}
void X86Assembler::load8(Gp d, Address a) {
    x86::Mem place = mem(a);
    place.setSize(1);
    asm_.movzx(gp32(d), place);
}
void X86Assembler::store64(Address a, Gp s) {
    asm_.mov(mem(a), gp64(s));
}
void X86Assembler::store32(Address a, Gp s) {
    asm_.mov(mem(a), gp32(s));
}
void X86Assembler::store16(Address a, Gp s) {
    asm_.mov(mem(a), gp64(s).r16());
}
void X86Assembler::store8(Address a, Gp s) {
    asm_.mov(mem(a), gp64(s).r8());
}
void X86Assembler::store32(Address a, uint32_t value) {
    x86::Mem place = mem(a);
    place.setSize(4);
    asm_.mov(place, asmjit::Imm(static_cast<int32_t>(value)));
}
void X86Assembler::load_address(Gp d, Address a) {
    asm_.lea(gp64(d), mem(a));
}
void X86Assembler::move(Gp d, Gp s) {
    if (d != s)
        asm_.mov(gp64(d), gp64(s));
}
void X86Assembler::move(Gp d, uint64_t value) {
    if (value == 0)
        asm_.xor_(gp32(d), gp32(d));
    else if (value <= 0xFFFFFFFF)
        asm_.mov(gp32(d), asmjit::Imm(static_cast<uint32_t>(value)));
    else
        asm_.mov(gp64(d), asmjit::Imm(value));
}
void X86Assembler::add64(Gp d, Gp s) {
    asm_.add(gp64(d), gp64(s));
}
void X86Assembler::add64(Gp d, int32_t value) {
    asm_.add(gp64(d), asmjit::Imm(value));
}
void X86Assembler::add32(Gp d, Address word) {
    asm_.add(gp32(d), mem(word));
}
void X86Assembler::add32(Gp d, int32_t value) {
    asm_.add(gp32(d), asmjit::Imm(value));
}
void X86Assembler::sub32(Gp d, Gp s) {
    asm_.sub(gp32(d), gp32(s));
}
void X86Assembler::sub64(Gp d, Gp s) {
    asm_.sub(gp64(d), gp64(s));
}
void X86Assembler::mul64(Gp d, Gp s) {
    asm_.imul(gp64(d), gp64(s));
}
void X86Assembler::and32(Gp d, Gp s) {
    asm_.and_(gp32(d), gp32(s));
}
void X86Assembler::and32(Gp d, uint32_t value) {
    asm_.and_(gp32(d), asmjit::Imm(static_cast<int32_t>(value)));
}
void X86Assembler::and32(Gp d, Address word) {
    asm_.and_(gp32(d), mem(word));
}
void X86Assembler::or32(Gp d, Gp s) {
    asm_.or_(gp32(d), gp32(s));
}
void X86Assembler::or32(Gp d, Address word) {
    asm_.or_(gp32(d), mem(word));
}
void X86Assembler::or32(Address word, Gp s) {
    asm_.or_(mem(word), gp32(s));
}
void X86Assembler::xor32(Gp d, Gp s) {
    asm_.xor_(gp32(d), gp32(s));
}
void X86Assembler::and_not32(Gp d, Gp a, Gp b) {
    asm_.andn(gp32(d), gp32(a), gp32(b));
}
void X86Assembler::shift_left64(Gp d, unsigned count) {
    if (count != 0)
        asm_.shl(gp64(d), asmjit::Imm(count));
}
void X86Assembler::shift_right32(Gp d, unsigned count) {
    if (count != 0)
        asm_.shr(gp32(d), asmjit::Imm(count));
}
void X86Assembler::shift_left32_variable(Gp d, Gp count) {
    asm_.shlx(gp32(d), gp32(d), gp32(count));
}
void X86Assembler::shift_right32_variable(Gp d, Gp count) {
    asm_.shrx(gp32(d), gp32(d), gp32(count));
}
void X86Assembler::lowest_bit(Gp d, Gp s) {
    asm_.tzcnt(gp32(d), gp32(s));
}
void X86Assembler::count_bits(Gp d, Gp s) {
    asm_.popcnt(gp32(d), gp32(s));
}
void X86Assembler::compare32(Gp a, Gp b) {
    asm_.cmp(gp32(a), gp32(b));
}
void X86Assembler::compare32(Gp a, uint32_t value) {
    asm_.cmp(gp32(a), asmjit::Imm(static_cast<int32_t>(value)));
}
void X86Assembler::compare32(Gp a, Address word) {
    asm_.cmp(gp32(a), mem(word));
}
void X86Assembler::compare32(Address word, uint32_t value) {
    x86::Mem place = mem(word);
    place.setSize(4);
    asm_.cmp(place, asmjit::Imm(static_cast<int32_t>(value)));
}
void X86Assembler::compare64(Gp a, Gp b) {
    asm_.cmp(gp64(a), gp64(b));
}
void X86Assembler::test32(Gp a) {
    test32(a, a);
}
void X86Assembler::test32(Gp a, Gp b) {
    asm_.test(gp32(a), gp32(b));
}

void X86Assembler::exchange32(Gp d, Address word) {
    asm_.xchg(mem(word), gp32(d));
}
void X86Assembler::exchange_add32(Gp d, Address word) {
    asm_.lock().xadd(mem(word), gp32(d));
}
// The instruction compares with eax, so its value changes places with `expected`.
void X86Assembler::compare_exchange32(Gp expected, Address word, Gp desired) {
    const x86::Gp old = gp64(expected);
    if (old.id() == x86::rax.id()) {
        asm_.lock().cmpxchg(mem(word), gp32(desired));
        return;
    }
    const auto moved = [&](const x86::Gp& r) { return r.id() == x86::rax.id() ? old : r; };
    x86::Mem place = mem(word);
    if (place.hasBaseReg())
        place.setBase(moved(gp64(word.base)));
    if (place.hasIndexReg())
        place.setIndex(moved(gp64(word.index)), word.shift);
    asm_.xchg(x86::rax, old);
    asm_.lock().cmpxchg(place, moved(gp64(desired)).r32());
    asm_.xchg(x86::rax, old);
}

Label X86Assembler::new_label() {
    return {asm_.newLabel().id()};
}
void X86Assembler::bind(Label label) {
    asm_.bind(asmjit::Label(label.id));
}
void X86Assembler::jump(Label label) {
    asm_.jmp(asmjit::Label(label.id));
}
void X86Assembler::jump(Jump cond, Label label) {
    asm_.emit(kJumps[static_cast<size_t>(cond)], asmjit::Label(label.id));
}

void X86Assembler::load_arguments(std::initializer_list<Argument> arguments) {
    VALKYR_DCHECK(arguments.size() <= kArgumentIds.size());
    const Argument* const first = arguments.begin();
    // Gp::Argument is itself an argument register: move it first, before it is overwritten.
    for (size_t i = 0; i < arguments.size(); ++i)
        if (first[i].kind == Argument::Kind::Scalar && gp64(Gp::Argument).id() != kArgumentIds[i])
            asm_.mov(x86::gpq(kArgumentIds[i]), gp64(Gp::Argument));
    for (size_t i = 0; i < arguments.size(); ++i)
        load_argument(x86::gpq(kArgumentIds[i]), first[i]);
}

void X86Assembler::load_argument(const x86::Gp& d, const Argument& argument) {
    switch (argument.kind) {
    case Argument::Kind::Effective: asm_.lea(d, mem(argument.address)); break;
    case Argument::Kind::Load64: asm_.mov(d, mem(argument.address)); break;
    case Argument::Kind::Load32: asm_.mov(d.r32(), mem(argument.address)); break;
    case Argument::Kind::Scalar: break;
    case Argument::Kind::Constant:
        if (argument.value == 0)
            asm_.xor_(d.r32(), d.r32());
        else
            asm_.mov(d, asmjit::Imm(argument.value));
        break;
    }
}

// vzeroupper: routines use SSE, being compiled for any x86-64. With dirty upper halves, every SSE
// instruction would depend on the previous one.
void X86Assembler::call_indirect(Address function, std::initializer_list<Argument> arguments) {
    asm_.mov(x86::r10, mem(function));
    load_arguments(arguments);
    asm_.vzeroupper();
    asm_.call(x86::r10);
}

void X86Assembler::call(const void* function, std::initializer_list<Argument> arguments) {
    load_arguments(arguments);
    asm_.mov(x86::r10, asmjit::Imm(std::bit_cast<uint64_t>(function)));
    asm_.vzeroupper();
    asm_.call(x86::r10);
}

void X86Assembler::enter(uint32_t frame_bytes) {
    VALKYR_CHECK(frame_bytes % 64 == 0);
    frame_bytes_ = frame_bytes + 64;  // the caller's stack pointer is on top
    for (uint8_t id : kSavedIds)
        asm_.push(x86::gpq(id));
    asm_.mov(x86::rbx, x86::rsi);
    asm_.mov(x86::rax, x86::rsp);
    asm_.and_(x86::rsp, asmjit::Imm(-64));
    asm_.sub(x86::rsp, asmjit::Imm(frame_bytes_));
    asm_.mov(x86::ptr(x86::rsp, static_cast<int32_t>(frame_bytes_ - 8)), x86::rax);
}

void X86Assembler::leave() {
    asm_.mov(x86::rsp, x86::ptr(x86::rsp, static_cast<int32_t>(frame_bytes_ - 8)));
    for (size_t i = kSavedIds.size(); i-- > 0;)
        asm_.pop(x86::gpq(kSavedIds[i]));
    asm_.vzeroupper();
    asm_.ret();
}

void X86Assembler::finish() {
    asm_.align(asmjit::AlignMode::kZero, 64);
    asm_.bind(pool_label_);
    const std::span<const uint32_t> constants = pool_.contents();
    asm_.embed(constants.data(), constants.size_bytes());
}

uint32_t X86Assembler::offset() const {
    return static_cast<uint32_t>(asm_.offset());
}

}  // namespace valkyr::jit
