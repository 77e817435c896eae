// Formula trees: the types of lanes, and the trees of operations that formula.hpp builds.
// SPDX-License-Identifier: MIT
//
// A tree is a value that lives as long as its expression. Its type says which operations it has, so
// into() is compiled to calls of HostAssembler in the order that formula.hpp defines.
#pragma once

#include "base/bits.hpp"
#include "base/check.hpp"
#include "jit/context/emit_context.hpp"

#include <type_traits>

namespace valkyr::jit {

/// The numbers that the lanes of a register are.
enum class LaneType : uint8_t { F32, S32, U32, S16, U16 };

namespace formula {

/// The operations of a type. An operator that a type lacks does not compile.
template <LaneType L>
struct LaneOps;
template <>
struct LaneOps<LaneType::F32> {
    static constexpr Element element = Element::B32;
    static constexpr Binary add = Binary::AddF32;
    static constexpr Binary subtract = Binary::SubF32;
    static constexpr Binary multiply = Binary::MulF32;
    static constexpr Binary divide = Binary::DivF32;
    static constexpr Binary min = Binary::MinF32;
    static constexpr Binary max = Binary::MaxF32;
};
struct Ops32 {
    static constexpr Element element = Element::B32;
    static constexpr Binary add = Binary::AddI32;
    static constexpr Binary subtract = Binary::SubI32;
    static constexpr Binary multiply = Binary::MulI32;
    static constexpr ImmOp shift_left = ImmOp::Shl32;
    static constexpr Binary shift_left_by = Binary::ShlAnyV32;
};
template <>
struct LaneOps<LaneType::S32> : Ops32 {
    static constexpr bool is_signed = true;
    static constexpr Binary min = Binary::MinS32;
    static constexpr Binary max = Binary::MaxS32;
    static constexpr ImmOp shift_right = ImmOp::Sar32;
    static constexpr Binary shift_right_by = Binary::SarAnyV32;
};
template <>
struct LaneOps<LaneType::U32> : Ops32 {
    static constexpr bool is_signed = false;
    static constexpr Binary min = Binary::MinU32;
    static constexpr Binary max = Binary::MaxU32;
    static constexpr ImmOp shift_right = ImmOp::Shr32;
    static constexpr Binary shift_right_by = Binary::ShrAnyV32;
};
struct Ops16 {
    static constexpr Element element = Element::B16;
    static constexpr Binary add = Binary::AddI16;
    static constexpr Binary subtract = Binary::SubI16;
    static constexpr Binary multiply = Binary::MulI16;
    static constexpr ImmOp shift_left = ImmOp::Shl16;
};
template <>
struct LaneOps<LaneType::S16> : Ops16 {
    static constexpr bool is_signed = true;
    static constexpr Binary min = Binary::MinS16;
    static constexpr Binary max = Binary::MaxS16;
    static constexpr ImmOp shift_right = ImmOp::Sar16;
    static constexpr Binary multiply_high = Binary::MulHighS16;
    static constexpr Binary add_saturated = Binary::AddSatS16;
    static constexpr Binary subtract_saturated = Binary::SubSatS16;
};
template <>
struct LaneOps<LaneType::U16> : Ops16 {
    static constexpr bool is_signed = false;
    static constexpr Binary min = Binary::MinU16;
    static constexpr Binary max = Binary::MaxU16;
    static constexpr ImmOp shift_right = ImmOp::Shr16;
    static constexpr Binary multiply_high = Binary::MulHighU16;
    static constexpr Binary add_saturated = Binary::AddSatU16;
    static constexpr Binary subtract_saturated = Binary::SubSatU16;
};

// ---------------------------------------------------------------------------------------------
// Leaves

/// The base of leaves and operations, which have:
/// into(c, d)   emits the value into d
/// reads(v)     whether the value depends on this register
/// context()    the context of a variable in the tree; null if it has none
struct Node {};

/// A register, W lanes of memory or a word of memory.
template <LaneType L>
struct Leaf : Node {
    static constexpr LaneType kType = L;
    static constexpr bool kLeaf = true;
    EmitContext* owner;
    Operand value;

    Leaf(EmitContext* c, Operand v)
        : owner(c)
        , value(v) {}
    [[nodiscard]] Operand operand(EmitContext&) const { return value; }
    [[nodiscard]] Vec reg() const { return value.is_reg() ? value.reg : Vec{}; }
    [[nodiscard]] bool reads(Vec v) const { return value.is_reg() && value.reg == v; }
    [[nodiscard]] EmitContext* context() const { return owner; }
    void into(EmitContext& c, Vec d) const { c.h.move(d, value); }
};

/// The same bits in all words.
template <LaneType L>
struct Constant : Node {
    static constexpr LaneType kType = L;
    static constexpr bool kLeaf = true;
    uint32_t word;

    explicit Constant(uint32_t bits)
        : word(bits) {}
    [[nodiscard]] Operand operand(EmitContext& c) const { return c.pool(word); }
    [[nodiscard]] static Vec reg() { return {}; }
    [[nodiscard]] static bool reads(Vec) { return false; }
    [[nodiscard]] static EmitContext* context() { return nullptr; }
    void into(EmitContext& c, Vec d) const { c.move_constant(d, word); }
};

// ---------------------------------------------------------------------------------------------
// Operations

/// The register with the first operand of an operation: its own, or the destination, into which
/// other operands are emitted, or a leased one if the operation reads the destination later.
template <typename A>
Temp first_operand(EmitContext& c, const A& a, Vec d, bool d_is_read) {
    if constexpr (A::kLeaf)
        if (const Vec own = a.reg(); own.valid())
            return own;
    Temp v = d_is_read ? c.scratch() : Temp(d);
    a.into(c, v);
    return v;
}

template <LaneType L, Binary Op, typename A, typename B>
struct Pair : Node {
    static constexpr LaneType kType = L;
    static constexpr bool kLeaf = false;
    A a;
    B b;

    Pair(const A& left, const B& right)
        : a(left)
        , b(right) {}
    [[nodiscard]] bool reads(Vec v) const { return a.reads(v) || b.reads(v); }
    [[nodiscard]] EmitContext* context() const { return a.context() ? a.context() : b.context(); }
    void into(EmitContext& c, Vec d) const {
        if constexpr (B::kLeaf) {
            const Temp left = first_operand(c, a, d, b.reads(d));
            c.h.op(Op, d, left, b.operand(c));
        } else {
            if constexpr (A::kLeaf)
                if (const Vec left = a.reg(); left.valid() && left != d) {
                    b.into(c, d);
                    c.h.op(Op, d, left, d);
                    return;
                }
            const Temp left = first_operand(c, a, d, b.reads(d));
            const Temp right = c.scratch();
            b.into(c, right);
            c.h.op(Op, d, left, right);
        }
    }
};

/// An operation with one operand. Emit calls the assembler; Emit::kMemory says whether its operand
/// may be in memory.
template <LaneType L, typename A, typename Emit>
struct Single : Node {
    static constexpr LaneType kType = L;
    static constexpr bool kLeaf = false;
    A a;
    Emit emit;

    Single(const A& operand, Emit e)
        : a(operand)
        , emit(e) {}
    [[nodiscard]] bool reads(Vec v) const { return a.reads(v); }
    [[nodiscard]] EmitContext* context() const { return a.context(); }
    void into(EmitContext& c, Vec d) const {
        if constexpr (A::kLeaf && Emit::kMemory)
            emit(c.h, d, a.operand(c));
        else
            emit(c.h, d, Vec(first_operand(c, a, d, false)));
    }
};

template <Unary Op>
struct EmitUnary {
    static constexpr bool kMemory = true;
    void operator()(HostAssembler& h, Vec d, Operand a) const { h.op(Op, d, a); }
};
template <ImmOp Op>
struct EmitImm {
    static constexpr bool kMemory = false;
    unsigned number;
    void operator()(HostAssembler& h, Vec d, Vec a) const { h.op(Op, d, a, number); }
};
struct EmitRound {
    static constexpr bool kMemory = true;
    Rounding mode;
    void operator()(HostAssembler& h, Vec d, Operand a) const { h.round_f32(d, a, mode); }
};
struct EmitToIntegerOrZero {
    static constexpr bool kMemory = false;
    void operator()(HostAssembler& h, Vec d, Vec a) const { h.to_s32_or_zero(d, a); }
};

/// a * b + s with one rounding, the product negated or not. One of a and s may be an operation.
template <typename A, typename B, typename S, bool kNegate>
struct Fused : Node {
    static constexpr LaneType kType = LaneType::F32;
    static constexpr bool kLeaf = false;
    static_assert(B::kLeaf && (A::kLeaf || S::kLeaf), "name one of the operands");
    A a;
    B b;
    S s;

    Fused(const A& first, const B& second, const S& sum)
        : a(first)
        , b(second)
        , s(sum) {}
    [[nodiscard]] bool reads(Vec v) const { return a.reads(v) || b.reads(v) || s.reads(v); }
    [[nodiscard]] EmitContext* context() const {
        return a.context() ? a.context() : b.context() ? b.context() : s.context();
    }
    void into(EmitContext& c, Vec d) const {
        if constexpr (S::kLeaf) {
            const Temp first = first_operand(c, a, d, b.reads(d) || s.reads(d));
            const Operand second = b.operand(c);
            c.h.fma(d, first, second, s.operand(c), kNegate, false);
        } else {
            VALKYR_DCHECK(a.reg().valid());
            const Temp sum = first_operand(c, s, d, a.reads(d) || b.reads(d));
            c.h.fma(d, a.reg(), b.operand(c), sum, kNegate, false);
        }
    }
};

/// A value whose bits are read as another type.
template <LaneType L, typename A>
struct Reread : Node {
    static constexpr LaneType kType = L;
    static constexpr bool kLeaf = false;
    A a;

    explicit Reread(const A& of)
        : a(of) {}
    [[nodiscard]] bool reads(Vec v) const { return a.reads(v); }
    [[nodiscard]] EmitContext* context() const { return a.context(); }
    void into(EmitContext& c, Vec d) const { a.into(c, d); }
};

/// mask ? t : f.
template <typename T, typename F>
struct Selected : Node {
    static constexpr LaneType kType = F::kType;
    static constexpr bool kLeaf = false;
    static_assert(T::kLeaf && F::kLeaf, "name the operand");
    Mask mask;
    T t;
    F f;

    Selected(Mask m, const T& if_set, const F& otherwise)
        : mask(m)
        , t(if_set)
        , f(otherwise) {}
    [[nodiscard]] bool reads(Vec v) const { return t.reads(v) || f.reads(v); }
    [[nodiscard]] EmitContext* context() const { return t.context() ? t.context() : f.context(); }
    void into(EmitContext& c, Vec d) const {
        const Temp otherwise = first_operand(c, f, d, t.reads(d));
        c.h.select(LaneOps<kType>::element, d, mask, t.operand(c), otherwise);
    }
};

/// mask ? 0 : a.
template <typename A>
struct Cleared : Node {
    static constexpr LaneType kType = A::kType;
    static constexpr bool kLeaf = false;
    Mask mask;
    A a;

    Cleared(Mask m, const A& otherwise)
        : mask(m)
        , a(otherwise) {}
    [[nodiscard]] bool reads(Vec v) const { return a.reads(v); }
    [[nodiscard]] EmitContext* context() const { return a.context(); }
    void into(EmitContext& c, Vec d) const {
        const Temp kept = first_operand(c, a, d, false);
        c.h.clear_lanes(d, mask, kept);
    }
};

/// mask ? word : 0.
struct Masked : Node {
    static constexpr LaneType kType = LaneType::U32;
    static constexpr bool kLeaf = false;
    Mask mask;
    uint32_t word;

    Masked(Mask m, uint32_t bits)
        : mask(m)
        , word(bits) {}
    [[nodiscard]] static bool reads(Vec) { return false; }
    [[nodiscard]] static EmitContext* context() { return nullptr; }
    void into(EmitContext& c, Vec d) const { c.h.mask_value(Element::B32, d, mask, word); }
};

/// A comparison of a register with a leaf. It is no lane vector: LaneMask takes it.
template <typename Cond, typename A, typename B>
struct Comparison {
    static_assert(A::kLeaf && B::kLeaf, "name the operands");
    Cond cond;
    A a;
    B b;

    [[nodiscard]] EmitContext* context() const { return a.context() ? a.context() : b.context(); }
    void into(EmitContext& c, Mask m) const {
        using Ops = LaneOps<A::kType>;
        VALKYR_DCHECK(a.reg().valid());
        if constexpr (std::is_same_v<Cond, FloatCond>)
            c.h.compare(cond, m, a.reg(), b.operand(c));
        else
            c.h.compare(cond, Ops::element, Ops::is_signed, m, a.reg(), b.operand(c));
    }
};

}  // namespace formula

}  // namespace valkyr::jit
