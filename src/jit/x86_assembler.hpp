// HostAssembler for x86-64: AVX2 + FMA + F16C (8 lanes) and AVX-512 (16 lanes).
// SPDX-License-Identifier: MIT
//
// The two levels share nearly all code: asmjit picks the VEX or EVEX form from the operands. Kept
// for this class: the last two vector registers (first_scratch, second_scratch) and k6.
#pragma once

#include "jit/constant_pool.hpp"
#include "jit/host_assembler.hpp"

#include <asmjit/x86.h>

namespace valkyr::jit {

class X86Assembler final : public HostAssembler {
public:
    /// Emits into `code`, which must be initialised for x86-64 and outlive this object.
    X86Assembler(asmjit::CodeHolder& code, bool avx512);

    [[nodiscard]] const HostTraits& traits() const override { return traits_; }
    [[nodiscard]] asmjit::x86::Assembler& assembler() { return asm_; }

    void op(Binary op, Vec d, Vec a, Operand b) override;
    void op(Unary op, Vec d, Operand a) override;
    void op(ImmOp op, Vec d, Vec a, unsigned imm) override;
    void fma(Vec d, Vec a, Operand b, Operand c, bool negate_product, bool negate_addend) override;
    void fma_f64(Vec d, Vec a, Vec b, Vec c) override;
    void move(Vec d, Operand a) override;
    void zero(Vec d) override;
    void ones(Vec d) override;
    void load(Vec d, Address a) override;
    void store(Address a, Vec s) override;
    void load_quad(Vec d, Address a) override;
    void insert_quad(Vec d, unsigned q, Address a) override;
    void store_quad(Address a, unsigned q, Vec s) override;
    void broadcast_quad(Vec d, Address a) override;
    void load_bytes(Vec d, Address a) override;
    void load_halves(Vec d, Address a) override;
    void store_bytes(Address a, Vec s) override;
    void store_halves(Address a, Vec s) override;
    void extract_first(Gp d, Vec s) override;
    void permute(Vec d, Vec index, Vec a) override;
    void table16(Vec d, Vec index, Address table) override;
    void merge_odd_lanes(Vec d, Vec even, Vec odd) override;
    void merge_halves(Vec d, Vec low, Vec high) override;
    void gather32(Vec d, Address base, Vec index, Mask lanes) override;
    void widen_f64(Vec low, Vec high, Vec a) override;
    void widen_s64(Vec low, Vec high, Vec a) override;
    void narrow_f64(Vec d, Vec low, Vec high) override;

    void min_num(Vec d, Vec a, Vec b, bool may_signal) override;
    void max_num(Vec d, Vec a, Vec b, bool may_signal) override;
    void flush_subnormal(Vec d, Vec a) override;
    void round_f32(Vec d, Operand a, Rounding mode) override;
    void f32_to_s32(Vec d, Vec a, Rounding mode) override;
    void f32_to_u32(Vec d, Vec a, Rounding mode) override;
    void to_s32_or_zero(Vec d, Vec a) override;
    void s32_to_f32(Vec d, Vec a, Rounding mode) override;
    void u32_to_f32(Vec d, Vec a, Rounding mode) override;
    void f16_to_f32(Vec d, Vec a) override;
    void f32_to_f16(Vec d, Vec a, Rounding mode) override;
    void count_leading_zeros(Vec d, Vec a) override;
    void scale_f32(Vec d, Vec a, Vec n, Rounding mode) override;

    void compare(FloatCond cond, Mask d, Vec a, Operand b) override;
    void compare(IntCond cond, Element element, bool is_signed, Mask d, Vec a, Operand b) override;
    void compare_f64(FloatCond cond, Mask d, Vec a, Vec b) override;
    void test_nonzero(Mask d, Vec a) override;
    void sign_mask(Mask d, Vec a) override;
    void test_bit(Mask d, Vec a, unsigned bit) override;
    void mask_and(Mask d, Mask a, Mask b) override;
    void mask_or(Mask d, Mask a, Mask b) override;
    void mask_and_not(Mask d, Mask a, Mask b) override;
    void mask_not(Mask d, Mask a) override;
    void select(Element element, Vec d, Mask mask, Operand t, Vec f) override;
    void mask_value(Element element, Vec d, Mask mask, uint32_t value) override;
    void mask_bits(Gp d, Mask mask) override;
    void mask_from_bits(Mask d, Gp bits) override;
    void store_masked(Address a, Mask mask, Vec s) override;
    void load_masked(Vec d, Mask mask, Address a) override;

    Address pool_word(uint32_t value) override;
    Address pool_words(std::span<const uint32_t> words) override;

    void load64(Gp d, Address a) override;
    void load32(Gp d, Address a) override;
    void load16(Gp d, Address a) override;
    void load8(Gp d, Address a) override;
    void store64(Address a, Gp s) override;
    void store32(Address a, Gp s) override;
    void store16(Address a, Gp s) override;
    void store8(Address a, Gp s) override;
    void store32(Address a, uint32_t value) override;
    void load_address(Gp d, Address a) override;
    void move(Gp d, Gp s) override;
    void move(Gp d, uint64_t value) override;
    void add64(Gp d, Gp s) override;
    void add64(Gp d, int32_t value) override;
    void add32(Gp d, Address word) override;
    void add32(Gp d, int32_t value) override;
    void sub32(Gp d, Gp s) override;
    void sub64(Gp d, Gp s) override;
    void mul64(Gp d, Gp s) override;
    void and32(Gp d, Gp s) override;
    void and32(Gp d, uint32_t value) override;
    void and32(Gp d, Address word) override;
    void or32(Gp d, Gp s) override;
    void or32(Gp d, Address word) override;
    void or32(Address word, Gp s) override;
    void and_not32(Gp d, Gp a, Gp b) override;
    void shift_left64(Gp d, unsigned count) override;
    void shift_right32(Gp d, unsigned count) override;
    void shift_left32_variable(Gp d, Gp count) override;
    void shift_right32_variable(Gp d, Gp count) override;
    void count_bits(Gp d, Gp s) override;
    void lowest_bit(Gp d, Gp s) override;
    void compare32(Gp a, uint32_t value) override;
    void compare32(Gp a, Address word) override;
    void compare32(Address word, uint32_t value) override;
    void compare64(Gp a, Gp b) override;
    void test32(Gp a) override;

    Label new_label() override;
    void bind(Label label) override;
    void jump(Label label) override;
    void jump(Jump cond, Label label) override;
    void call_indirect(Address function, std::initializer_list<Argument> arguments) override;
    void call(const void* function, std::initializer_list<Argument> arguments) override;
    void enter(uint32_t frame_bytes) override;
    void leave() override;
    void finish() override;
    [[nodiscard]] uint32_t offset() const override;

private:
    using Inst = asmjit::InstId;
    [[nodiscard]] asmjit::x86::Vec reg(Vec v) const;   ///< full width
    [[nodiscard]] asmjit::x86::Vec half(Vec v) const;  ///< half width
    [[nodiscard]] asmjit::x86::Xmm quad(Vec v) const { return asmjit::x86::Xmm(v.id); }
    [[nodiscard]] asmjit::x86::KReg k(Mask m) const { return asmjit::x86::KReg(m.id); }
    [[nodiscard]] Vec vec(Mask m) const { return {m.id}; }
    [[nodiscard]] asmjit::x86::Gp gp64(Gp r) const;
    [[nodiscard]] asmjit::x86::Gp gp32(Gp r) const;
    [[nodiscard]] asmjit::x86::Mem mem(Address a) const;
    [[nodiscard]] Vec scratch(unsigned i) const {
        return {static_cast<uint8_t>(traits_.vectors + i)};
    }
    /// The operand as asmjit's; a broadcast that the instruction cannot embed goes to `spare`.
    asmjit::Operand fold(const Operand& operand, bool embeds, Vec spare);
    Vec to_register(const Operand& operand, Vec spare);
    asmjit::Operand word(uint32_t value, Vec spare);
    void set_rounding(Rounding mode);
    asmjit::x86::Assembler& embed_rounding(Rounding mode);
    void convert(Inst inst, Vec d, asmjit::Operand a, Rounding mode);
    void widen(Inst inst, Vec low, Vec high, Vec a);
    void quiet(Vec d);
    Address pool_lanes(uint32_t value);
    void scale_avx2(Vec d, Vec a, Vec n, Rounding mode);
    void compare_avx2(IntCond cond, Element element, bool is_signed, Vec d, Vec a, Vec b);
    void min_max_avx512(Vec d, Vec a, Vec b, unsigned mode, bool may_signal);
    void min_max_avx2(Vec d, Vec a, Vec b, Inst extreme, Inst merge);
    void load_argument(const asmjit::x86::Gp& d, const Argument& argument);
    void load_arguments(std::initializer_list<Argument> arguments);

    asmjit::x86::Assembler asm_;
    bool avx512_;
    HostTraits traits_;
    asmjit::Label pool_label_;
    ConstantPool pool_{1};
    int32_t lane_bits_ = -1;  ///< pool offset of 1, 2, 4 ..
    uint32_t frame_bytes_ = 0;
};

}  // namespace valkyr::jit
