// A64 assembler: emits lane-vector operations as Advanced SIMD (NEON), 4 lanes.
// SPDX-License-Identifier: MIT
//
// This class reserves the vector registers v28 to v31 and the scalars x6, x16 and x17. Masks are
// vectors. Only comparisons change the flags.
#pragma once

#include "jit/host/a64/a64_tables.hpp"
#include "jit/host/constant_pool.hpp"
#include "jit/host/host_assembler.hpp"

#include <asmjit/arm/a64assembler.h>
#include <asmjit/core.h>

namespace valkyr::jit {

class A64Assembler final : public HostAssembler {
public:
    /// Emits into `code`, which must be initialised for AArch64 and outlive this object.
    explicit A64Assembler(asmjit::CodeHolder& code);

    [[nodiscard]] const HostTraits& traits() const override;
    [[nodiscard]] asmjit::a64::Assembler& assembler() { return asm_; }

#include "jit/host/host_assembler_overrides.inc"

private:
    using Inst = asmjit::InstId;
    using VecV = asmjit::a64::VecV;
    using GpX = asmjit::a64::GpX;
    using GpW = asmjit::a64::GpW;

    [[nodiscard]] static VecV reg(Vec v) {
        return VecV(v.id);
    }
    [[nodiscard]] static Vec vec(Mask m) {
        return {m.id};
    }
    [[nodiscard]] static Vec scratch(unsigned i);
    [[nodiscard]] static GpX gp64(Gp r);
    [[nodiscard]] static GpW gp32(Gp r);

    // --- memory
    /// An operand for an access of `bytes` bytes. If no addressing mode has the address, it is
    /// computed in x16.
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
    VecV load_factor(const Operand& word);
    /// Whether it is a word of memory for all lanes that is no constant.
    [[nodiscard]] static bool is_word(const Operand& operand) {
        return operand.kind == Operand::Kind::Broadcast && operand.address.base != Gp::Pool;
    }
    /// Whether it is the word 0 of the pool.
    [[nodiscard]] bool is_zero(const Operand& operand) const {
        return operand.kind == Operand::Kind::Broadcast && operand.address.base == Gp::Pool &&
               pool_.at(static_cast<uint32_t>(operand.address.offset)) == 0;
    }
    /// d = the word in all lanes, as an immediate if an instruction has it, else from the pool.
    void load_constant(Vec d, uint32_t value);
    bool move_immediate(Vec d, uint32_t value);
    /// d = mask ? t : f, bit by bit.
    void choose(Vec d, Vec mask, Vec t, Vec f);
    void complement(Vec d) {
        emit(asmjit::a64::Inst::kIdNot_v, Shape::B16, d, d);
    }
    void binary_sequence(const A64Binary& row, Vec d, Vec a, Vec b);
    void multiply_high(const A64Binary& row, Vec d, Vec a, Vec b);
    void multiply_bytes(Vec d, Vec a, Vec b);
    void multiply_pairs(Vec d, Vec a, Vec b);
    void shift_lanes(const A64Binary& row, Vec d, Vec a, Vec b);
    void pack(const A64Binary& row, Vec d, Vec a, Vec b);
    void permute_quad(Vec d, Vec a, unsigned imm);
    void lane_address(Vec index, unsigned lane, unsigned shift);
    template <typename Load>
    void gather_rows(std::span<const Vec> d, Address base, Vec index, Load load);
    void gather_lane(Vec d, Vec index, unsigned lane, unsigned shift);
    Address lane_bits();

    // --- conversions
    void set_rounding(Rounding mode);
    template <typename F>
    void rounded(Rounding mode, F emit_operation);
    void min_max(Binary simple, Inst inst, Vec d, Vec a, Operand b, NumOperands known);
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
