// HostAssembler for AArch64: Advanced SIMD (NEON), 4 lanes.
// SPDX-License-Identifier: MIT
//
// Kept for this class: the last four vector registers (v28 - v31) and the scalars x6, x16 and x17.
// Masks are vectors. Flags change in comparisons only.
#pragma once

#include "jit/a64_tables.hpp"
#include "jit/constant_pool.hpp"
#include "jit/host_assembler.hpp"

#include <asmjit/arm/a64assembler.h>
#include <asmjit/core.h>

namespace valkyr::jit {

class A64Assembler final : public HostAssembler {
public:
    /// Emits into `code`, which must be initialised for AArch64 and outlive this object.
    explicit A64Assembler(asmjit::CodeHolder& code);

    [[nodiscard]] const HostTraits& traits() const override;
    [[nodiscard]] asmjit::a64::Assembler& assembler() { return asm_; }

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
    using VecV = asmjit::a64::VecV;
    using GpX = asmjit::a64::GpX;
    using GpW = asmjit::a64::GpW;

    [[nodiscard]] static VecV reg(Vec v) { return VecV(v.id); }
    [[nodiscard]] static Vec vec(Mask m) { return {m.id}; }
    [[nodiscard]] static Vec scratch(unsigned i);
    [[nodiscard]] static GpX gp64(Gp r);
    [[nodiscard]] static GpW gp32(Gp r);

    // --- memory
    /// An operand for an access of `bytes` bytes; what no addressing mode covers goes to x16.
    asmjit::a64::Mem mem(Address a, unsigned bytes);
    /// d = base + offset.
    void add_offset(GpX d, GpX base, int32_t offset);
    void load_address(GpX d, Address a);
    void compare_immediate(GpW a, uint32_t value);

    // --- vectors
    void emit(Inst inst, Shape shape, Vec d, Vec a, Vec b);
    void emit(Inst inst, Shape shape, Vec d, Vec a);
    void emit(Inst inst, Shape shape, Vec d, Vec a, unsigned imm);
    Vec to_register(const Operand& operand, Vec spare);
    /// d = the word in all lanes, without memory where an instruction has it as an immediate.
    void load_constant(Vec d, uint32_t value);
    bool move_immediate(Vec d, uint32_t value);
    /// d = mask ? t : f, bit by bit.
    void choose(Vec d, Vec mask, Vec t, Vec f);
    void complement(Vec d) { emit(asmjit::a64::Inst::kIdNot_v, Shape::B16, d, d); }
    void binary_sequence(const A64Binary& row, Vec d, Vec a, Vec b);
    void multiply_high(const A64Binary& row, Vec d, Vec a, Vec b);
    void multiply_even(Vec d, Vec a, Vec b);
    void multiply_bytes(Vec d, Vec a, Vec b);
    void multiply_pairs(Vec d, Vec a, Vec b);
    void shift_lanes(const A64Binary& row, Vec d, Vec a, Vec b);
    void shift_wide_lanes(const A64Binary& row, Vec d, Vec a, Vec b);
    void pack(const A64Binary& row, Vec d, Vec a, Vec b);
    void permute_quad(Vec d, Vec a, unsigned imm);
    void gather_lane(Vec d, Vec index, unsigned lane, unsigned shift);
    Address lane_bits();

    // --- conversions
    void set_rounding(Rounding mode);
    template <typename F>
    void rounded(Rounding mode, F emit_operation);
    void min_max(Inst inst, Vec d, Vec a, Vec b, bool may_signal);
    void compare_floats(FloatCond cond, Shape shape, Vec d, Vec a, Vec b);

    void load_argument(GpX d, const Argument& argument);
    void load_arguments(std::initializer_list<Argument> arguments);
    void each_saved_pair(bool load);

    asmjit::a64::Assembler asm_;
    asmjit::Label pool_label_;
    ConstantPool pool_{4};
    int32_t lane_bits_ = -1;  ///< pool offset of 1, 2, 4, 8
    uint32_t frame_bytes_ = 0;
};

}  // namespace valkyr::jit
