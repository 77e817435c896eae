// X86 assembler: emits lane-vector operations for AVX2 (8 lanes) and AVX-512 (16 lanes).
// SPDX-License-Identifier: MIT
//
// The two levels share nearly all code: asmjit picks the VEX or EVEX form from the operands. This
// class reserves the last two vector registers (first_scratch, second_scratch) and k6.
#pragma once

#include "base/host_level.hpp"
#include "jit/host/constant_pool.hpp"
#include "jit/host/host_assembler.hpp"

#include <asmjit/x86.h>

namespace valkyr::jit {

class X86Assembler final : public HostAssembler {
public:
    /// Emits into `code`, which must be initialised for x86-64 and outlive this object.
    X86Assembler(asmjit::CodeHolder& code, bool avx512, GatherMethod method);

    [[nodiscard]] const HostTraits& traits() const override { return traits_; }
    [[nodiscard]] asmjit::x86::Assembler& assembler() { return asm_; }

#include "jit/host/host_assembler_overrides.inc"

private:
    using Inst = asmjit::InstId;
    [[nodiscard]] asmjit::x86::Vec reg(Vec v) const;   ///< full width
    [[nodiscard]] asmjit::x86::Vec half(Vec v) const;  ///< half width
    [[nodiscard]] asmjit::x86::Xmm quad(Vec v) const {
        return asmjit::x86::Xmm(v.id);
    }
    [[nodiscard]] asmjit::x86::KReg k(Mask m) const {
        return asmjit::x86::KReg(m.id);
    }
    void emit(Inst inst, Vec d, Vec a, Vec b);
    void shift(Inst inst, Vec d, Vec a, unsigned bits);
    void line_codes(std::span<const Vec, 3> values, Address tables, std::span<const Vec, 5> spare);
    void table128_plane(Vec bytes, Vec indices, Address plane, Vec spare);
    void table256_plane(Vec bytes, Vec indices, Address plane, Vec spare, bool upper);
    [[nodiscard]] Vec vec(Mask m) const {
        return {m.id};
    }
    [[nodiscard]] asmjit::x86::Gp gp64(Gp r) const;
    [[nodiscard]] asmjit::x86::Gp gp32(Gp r) const;
    [[nodiscard]] asmjit::x86::Mem mem(Address a) const;
    [[nodiscard]] Vec scratch(unsigned i) const {
        return {static_cast<uint8_t>(traits_.vectors + i)};
    }
    /// Converts to asmjit's operand. A broadcast that the instruction cannot embed is loaded into
    /// `spare`.
    asmjit::Operand fold(const Operand& operand, bool embeds, Vec spare);
    Vec to_register(const Operand& operand, Vec spare);
    asmjit::Operand word(uint32_t value, Vec spare);
    void set_rounding(Rounding mode);
    /// d = low 16 bits of `low` + high 2^16, rounded once; the upper half of `high` is 0.
    /// Overwrites `high`.
    void join_halves(Vec d, Vec low, Vec high);
    asmjit::x86::Assembler& embed_rounding(Rounding mode);
    void convert(Inst inst, Vec d, asmjit::Operand a, Rounding mode);
    void widen(Inst inst, Vec low, Vec high, Vec a);
    void quiet(Vec d);
    void combine_words(std::optional<Binary> operation, Vec to, Vec old, Vec operand);
    void take_quad(const asmjit::x86::Gp& low,
                   const asmjit::x86::Gp& high,
                   Address row,
                   Vec vector,
                   unsigned quad_number);
    void exchange_quad(Address next, Vec vector, unsigned quad_number);
    struct LanePair {
        asmjit::x86::Mem first, second;
    };
    LanePair lane_pair(Address base, Vec index, unsigned pair);
    void load_words(Vec d, Address base, Vec index);
    void load_pair(Vec d, const LanePair& place);
    void insert_upper(Vec d, Vec s);
    void gather_each(std::span<const Vec> d, Address base, Vec index);
    void gather_word(Vec d, Address base, Vec index);
    void gather_two(std::span<const Vec> d, Address base, Vec index);
    void load_row(Vec d, const asmjit::x86::Mem& place, bool halves);
    void gather_rows(std::span<const Vec> d, Address base, Vec index, bool halves);
    void gather_rows_256(std::span<const Vec> d, Address base, Vec index, bool halves);
    void gather_rows_512(std::span<const Vec> d, Address base, Vec index, bool halves);
    void begin_loads(Address base);
    Address pool_lanes(uint32_t value);
    void scale_avx2(Vec d, Vec a, Vec n, Rounding mode);
    void
    compare_avx2(IntCond cond, Element element, bool is_signed, Vec d, Vec a, const Operand& b);
    void min_max_avx512(Vec d, Vec a, Vec b, unsigned mode, bool may_signal);
    void min_max(Vec d, Vec a, Operand b, bool maximum, NumOperands known);
    void min_max_avx2(Vec d, Vec a, Vec b, bool maximum, NumOperands known);
    void load_argument(const asmjit::x86::Gp& d, const Argument& argument);
    void load_arguments(std::initializer_list<Argument> arguments);

    asmjit::x86::Assembler asm_;
    bool avx512_;
    HostTraits traits_;
    asmjit::Label pool_label_;
    ConstantPool pool_;
    int32_t lane_bits_ = -1;  ///< pool offset of 1, 2, 4 ..
    uint32_t frame_bytes_ = 0;
};

}  // namespace valkyr::jit
