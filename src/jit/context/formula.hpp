// Formulas: let emitters write operations on lane vectors as expressions.
// SPDX-License-Identifier: MIT
//
//     const F32 first = floor(u);     // leases a register and emits round_f32
//     const F32 weight = u - first;   // leases a register and emits SubF32
//     u = fma(weight, size, first);   // emits into the register of u
//
// A variable (F32, S32, ..) is a Temp whose lanes have a type; it passes as Vec, Operand or Temp.
// Operators and functions only build a tree. The declaration of a variable leases its register and
// emits the tree; assignment emits it into the register that the variable has. Operands are:
//   - variables;
//   - registers and memory without a type (Vec, Temp, Operand; an Address is W lanes), which take
//     the type of the other side; f32(x), s32(x), .. name one, also for bits of another type;
//   - numbers: a float for F32, else an integer, the value of each lane. They come from the pool.
//     A number that must be in a register is moved there, 0 and ~0 without the pool.
//
// Order. The left side of an operator is emitted before the right side. A register is read where it
// is; a left side that is none (an operation, a number, memory) is emitted into the destination.
// Every operator and function is one operation of HostAssembler: a * b + c rounds twice, fma(a, b,
// c) once, and nothing is folded or commuted. In fma(a, b, s), s comes first if it is an operation.
//
// Leases. Two shapes lease a scratch register, which ends with the assignment:
//   - an operator whose right side is an operation, if its left side is no register or is the
//     destination: for the right side, as in `d = a * b + c * e` or `d += a * b`;
//   - an operator whose left side is no register, and whose right side reads the destination: for
//     the left side, as in `d = 1.0F - d`.
// So formulas are right for every assignment of registers, and only these shapes lease.
#pragma once

#include "jit/context/formula_tree.hpp"

#include <utility>

namespace valkyr::jit {

namespace formula {

template <LaneType L>
class Variable;

template <typename T>
struct TypeOf {};
template <typename T>
requires std::derived_from<T, Node>
struct TypeOf<T> {
    static constexpr LaneType value = T::kType;
};
template <LaneType L>
struct TypeOf<Variable<L>> {
    static constexpr LaneType value = L;
};

template <typename T>
concept Typed = requires {
    TypeOf<T>::value;
};
template <typename T>
concept Number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool>;
template <typename T>
concept Term =
    Typed<T> || Number<T> || std::is_same_v<T, Address> || std::is_convertible_v<const T&, Operand>;
/// The operands of an operator.
template <typename A, typename B>
concept Terms = Term<A> && Term<B> &&(Typed<A> || Typed<B>);

template <typename A, typename B>
constexpr LaneType type_of() {
    if constexpr (Typed<A>)
        return TypeOf<A>::value;
    else
        return TypeOf<B>::value;
}

/// The word whose lanes are a number.
template <LaneType L, Number T>
uint32_t word_of(T number) {
    if constexpr (L == LaneType::F32) {
        static_assert(std::is_same_v<T, float>, "write 1.0F, or f32(bits)");
        return as_bits(number);
    } else {
        static_assert(std::is_integral_v<T>, "the lanes are integers");
        const auto bits = static_cast<uint32_t>(number);
        constexpr bool halves = L == LaneType::S16 || L == LaneType::U16;
        return halves ? (bits & 0xFFFF) * 0x10001 : bits;
    }
}

/// The tree of a term, whose bits become lanes of type L.
template <LaneType L, typename T>
auto reread(const T& term) {
    if constexpr (std::is_same_v<T, uint32_t>)
        return Constant<L>(term);
    else if constexpr (std::is_same_v<T, Address>)
        return Leaf<L>(nullptr, Operand::memory(term));
    else if constexpr (!Typed<T>)
        return Leaf<L>(nullptr, term);
    else if constexpr (std::is_same_v<T, Variable<TypeOf<T>::value>>)
        return Leaf<L>(term.context(), Vec(term));
    else if constexpr (std::is_same_v<T, Leaf<TypeOf<T>::value>>)
        return Leaf<L>(term.owner, term.value);
    else if constexpr (std::is_same_v<T, Constant<TypeOf<T>::value>>)
        return Constant<L>(term.word);
    else
        return Reread<L, T>(term);
}

/// The tree of a term that has the type L or takes it.
template <LaneType L, Term T>
auto tree(const T& term) {
    if constexpr (Number<T>) {
        return Constant<L>(word_of<L>(term));
    } else {
        static_assert(type_of<T, Leaf<L>>() == L, "convert, or reread by f32(), s32(), u32(), ..");
        if constexpr (std::derived_from<T, Node>)
            return term;
        else
            return reread<L>(term);
    }
}
/// As tree(); bits of any type, and numbers as bits.
template <LaneType L, Term T>
auto bit_tree(const T& term) {
    if constexpr (Typed<T>)
        return reread<L>(term);
    else if constexpr (std::is_integral_v<T> && L == LaneType::F32)
        return Constant<L>(static_cast<uint32_t>(term));
    else
        return tree<L>(term);
}

template <Binary Op, LaneType L, typename A, typename B>
auto pair(const A& a, const B& b) {
    return Pair<L, Op, A, B>(a, b);
}
template <LaneType L, typename A, typename Emit>
auto single(const A& a, Emit emit) {
    return Single<L, A, Emit>(a, emit);
}

/// A variable of formulas: a register, leased or borrowed, whose lanes have a type. Moving a
/// variable moves its lease and emits nothing; to copy lanes, write `a = f32(b)`.
template <LaneType L>
class VALKYR_OWNER Variable : public Temp {
public:
    Variable() = default;
    /// Leases a register.
    explicit Variable(EmitContext& c)
        : Temp(c.scratch())
        , c_(&c) {}
    /// Borrows a register.
    Variable(EmitContext& c, Vec borrowed)
        : Temp(borrowed)
        , c_(&c) {}
    /// Takes over a lease.
    Variable(EmitContext& c, Temp&& taken)
        : Temp(std::move(taken))
        , c_(&c) {}
    /// Leases a register for a formula; with a context if the formula has no variable.
    template <typename F>
    requires std::derived_from<F, Node> Variable(const F& formula)  // NOLINT: implicit by design
        : Variable(*formula.context()) {
        *this = formula;
    }
    template <typename F>
    requires(std::derived_from<F, Node> || Number<F>) Variable(EmitContext& c, const F& formula)
        : Variable(c) {
        *this = formula;
    }
    Variable(Variable&&) noexcept = default;
    Variable& operator=(Variable&&) noexcept = default;
    Variable(const Variable&) = delete;
    Variable& operator=(const Variable&) = delete;
    ~Variable() = default;
    void operator=(Temp&&) = delete;  // a register that is no longer leased

    template <Term T>
    Variable& operator=(const T& term) {
        VALKYR_DCHECK(valid());
        tree<L>(term).into(*c_, *this);
        return *this;
    }
    // clang-format off
    template <Term T> Variable& operator+=(const T& b) { return *this = *this + b; }
    template <Term T> Variable& operator-=(const T& b) { return *this = *this - b; }
    template <Term T> Variable& operator*=(const T& b) { return *this = *this * b; }
    template <Term T> Variable& operator/=(const T& b) { return *this = *this / b; }
    template <Term T> Variable& operator&=(const T& b) { return *this = *this & b; }
    template <Term T> Variable& operator|=(const T& b) { return *this = *this | b; }
    template <Term T> Variable& operator^=(const T& b) { return *this = *this ^ b; }
    template <Term T> Variable& operator<<=(const T& b) { return *this = *this << b; }
    template <Term T> Variable& operator>>=(const T& b) { return *this = *this >> b; }
    // clang-format on

    [[nodiscard]] EmitContext* context() const { return c_; }

private:
    EmitContext* c_ = nullptr;
};

// ---------------------------------------------------------------------------------------------
// Operators

#define VALKYR_FORMULA_OPERATOR(function, member, right)                                           \
    template <typename A, typename B>                                                              \
    requires Terms<A, B>                                                                           \
    auto function(const A& a, const B& b) {                                                        \
        constexpr LaneType type = type_of<A, B>();                                                 \
        return pair<member, type>(tree<type>(a), right<type>(b));                                  \
    }
VALKYR_FORMULA_OPERATOR(operator+, LaneOps<type>::add, tree)
VALKYR_FORMULA_OPERATOR(operator-, LaneOps<type>::subtract, tree)
VALKYR_FORMULA_OPERATOR(operator*, LaneOps<type>::multiply, tree)
VALKYR_FORMULA_OPERATOR(operator/, LaneOps<type>::divide, tree)
/// a < b ? a : b. For F32: b if either is a NaN or both are zeros.
VALKYR_FORMULA_OPERATOR(min, LaneOps<type>::min, tree)
/// a > b ? a : b.
VALKYR_FORMULA_OPERATOR(max, LaneOps<type>::max, tree)
/// min(a, b) of F32, where a is a number other than zero, and b no signalling NaN.
VALKYR_FORMULA_OPERATOR(min_or_nan, Binary::MinNanF32, tree)
VALKYR_FORMULA_OPERATOR(add_saturated, LaneOps<type>::add_saturated, tree)
VALKYR_FORMULA_OPERATOR(subtract_saturated, LaneOps<type>::subtract_saturated, tree)
/// The upper half of the product.
VALKYR_FORMULA_OPERATOR(multiply_high, LaneOps<type>::multiply_high, tree)
// Operations on bits have the type of the left side; the right side may have another one.
VALKYR_FORMULA_OPERATOR(operator&, Binary::And, bit_tree)
VALKYR_FORMULA_OPERATOR(operator|, Binary::Or, bit_tree)
VALKYR_FORMULA_OPERATOR(operator^, Binary::Xor, bit_tree)
/// 16-bit sums of the products of pairs of bytes, unsigned in a, signed in b.
VALKYR_FORMULA_OPERATOR(sum_byte_products, Binary::MulAddU8S8, bit_tree)
/// 32-bit sums of the products of pairs of signed 16-bit numbers.
VALKYR_FORMULA_OPERATOR(sum_products, Binary::MulAddS16, bit_tree)
/// Inside quads, byte i = a[b[i]] for b[i] < 16, 0 for b[i] >= 128.
VALKYR_FORMULA_OPERATOR(shuffle_bytes, Binary::ShuffleBytes, bit_tree)
// Pack saturated lanes inside quads: a's, then b's.
VALKYR_FORMULA_OPERATOR(pack_saturated_u16, Binary::PackS32ToU16, bit_tree)
VALKYR_FORMULA_OPERATOR(pack_saturated_u8, Binary::PackU16ToU8, bit_tree)
// Interleave 64-bit halves of quads: a's and b's lower ones, or upper ones.
VALKYR_FORMULA_OPERATOR(unpack_low64, Binary::UnpackLow64, bit_tree)
VALKYR_FORMULA_OPERATOR(unpack_high64, Binary::UnpackHigh64, bit_tree)
#undef VALKYR_FORMULA_OPERATOR

/// ~a, only in `~a & b`, which is one operation.
template <typename A>
struct Inverted {
    A a;
};
template <Typed A>
auto operator~(const A& a) {
    return Inverted<decltype(tree<TypeOf<A>::value>(a))>{tree<TypeOf<A>::value>(a)};
}
template <typename A, Term B>
auto operator&(const Inverted<A>& inverted, const B& b) {
    return pair<Binary::AndNot, A::kType>(inverted.a, bit_tree<A::kType>(b));
}

/// Shifts by a number, or by the lanes of a variable (32-bit types; counts of 32 and more give 0,
/// or the sign). A right shift of S32 keeps the sign.
template <Typed A, Term B>
auto operator<<(const A& a, const B& b) {
    constexpr LaneType type = TypeOf<A>::value;
    if constexpr (Number<B>)
        return single<type>(tree<type>(a), EmitImm<LaneOps<type>::shift_left>{unsigned(b)});
    else
        return pair<LaneOps<type>::shift_left_by, type>(tree<type>(a), bit_tree<type>(b));
}
template <Typed A, Term B>
auto operator>>(const A& a, const B& b) {
    constexpr LaneType type = TypeOf<A>::value;
    if constexpr (Number<B>)
        return single<type>(tree<type>(a), EmitImm<LaneOps<type>::shift_right>{unsigned(b)});
    else
        return pair<LaneOps<type>::shift_right_by, type>(tree<type>(a), bit_tree<type>(b));
}

// ---------------------------------------------------------------------------------------------
// Functions

inline constexpr LaneType kF32 = LaneType::F32;
inline constexpr LaneType kS32 = LaneType::S32;

template <Typed A>
auto floor(const A& a) {
    return single<kF32>(tree<kF32>(a), EmitRound{Rounding::Down});
}
template <Typed A>
auto ceil(const A& a) {
    return single<kF32>(tree<kF32>(a), EmitRound{Rounding::Up});
}
template <Typed A>
auto sqrt(const A& a) {
    return single<kF32>(tree<kF32>(a), EmitUnary<Unary::SqrtF32>{});
}
template <Typed A>
auto abs(const A& a) {
    return tree<kF32>(a) & 0x7FFFFFFFU;
}
/// The nearest float of a signed integer.
template <Term A>
auto to_f32(const A& a) {
    static_assert(type_of<A, Leaf<kS32>>() != kF32, "a float already");
    return single<kF32>(bit_tree<kS32>(a), EmitUnary<Unary::S32ToF32>{});
}
/// The nearest integer. NaN gives 0 or the least integer, numbers out of range any integer.
template <Typed A>
auto to_s32(const A& a) {
    return single<kS32>(tree<kF32>(a), EmitUnary<Unary::F32ToS32>{});
}
/// The nearest integer of a number in range; 0 of NaN.
template <Typed A>
auto to_s32_or_zero(const A& a) {
    return single<kS32>(tree<kF32>(a), EmitToIntegerOrZero{});
}
/// Lane k of each quad from lane (lanes >> 2k) & 3.
template <Typed A>
auto quad_permute(const A& a, unsigned lanes) {
    constexpr LaneType type = TypeOf<A>::value;
    return single<type>(tree<type>(a), EmitImm<ImmOp::QuadPermute>{lanes});
}

/// -a, only as the first operand of fma().
template <typename A>
struct Negated {
    A a;
};
template <Typed A>
auto operator-(const A& a) {
    return Negated<decltype(tree<kF32>(a))>{tree<kF32>(a)};
}
/// a * b + s with one rounding.
template <Term A, Term B, Term S>
requires(Typed<A> || Typed<B> || Typed<S>) auto fma(const A& a, const B& b, const S& s) {
    using Tree =
        Fused<decltype(tree<kF32>(a)), decltype(tree<kF32>(b)), decltype(tree<kF32>(s)), false>;
    return Tree(tree<kF32>(a), tree<kF32>(b), tree<kF32>(s));
}
template <typename A, Term B, Term S>
auto fma(const Negated<A>& negated, const B& b, const S& s) {
    using Tree = Fused<A, decltype(tree<kF32>(b)), decltype(tree<kF32>(s)), true>;
    return Tree(negated.a, tree<kF32>(b), tree<kF32>(s));
}

// ---------------------------------------------------------------------------------------------
// Masks

template <LaneType L, typename A, typename B>
auto comparison(FloatCond float_cond, IntCond int_cond, const A& a, const B& b) {
    if constexpr (L == kF32)
        return Comparison<FloatCond, A, B>{float_cond, a, b};
    else
        return Comparison<IntCond, A, B>{int_cond, a, b};
}
#define VALKYR_FORMULA_COMPARISON(symbol, name)                                                    \
    template <Typed A, Term B>                                                                     \
    auto operator symbol(const A& a, const B& b) {                                                 \
        constexpr LaneType type = TypeOf<A>::value;                                                \
        return comparison<type>(FloatCond::name, IntCond::name, tree<type>(a), tree<type>(b));     \
    }
VALKYR_FORMULA_COMPARISON(==, Equal)
VALKYR_FORMULA_COMPARISON(!=, NotEqual)  // true on NaN
VALKYR_FORMULA_COMPARISON(<, Less)
VALKYR_FORMULA_COMPARISON(<=, LessEqual)
VALKYR_FORMULA_COMPARISON(>, Greater)
VALKYR_FORMULA_COMPARISON(>=, GreaterEqual)
#undef VALKYR_FORMULA_COMPARISON

template <Typed A>
auto is_nan(const A& a) {
    const auto t = tree<kF32>(a);
    return Comparison<FloatCond, decltype(tree<kF32>(a)), decltype(tree<kF32>(a))>{
        FloatCond::Unordered, t, t};
}
template <Typed A>
auto is_number(const A& a) {
    const auto t = tree<kF32>(a);
    return Comparison<FloatCond, decltype(tree<kF32>(a)), decltype(tree<kF32>(a))>{
        FloatCond::Ordered, t, t};
}

/// mask ? t : f.
template <typename T, typename F>
requires Terms<T, F>
auto select(Mask mask, const T& t, const F& f) {
    constexpr LaneType type = type_of<T, F>();
    return Selected<decltype(tree<type>(t)), decltype(tree<type>(f))>(mask, tree<type>(t),
                                                                      tree<type>(f));
}
/// mask ? 0 : a. On AVX2 this is one micro-operation; select() has up to three.
template <Typed A>
auto unless(Mask mask, const A& a) {
    return Cleared<decltype(tree<TypeOf<A>::value>(a))>(mask, tree<TypeOf<A>::value>(a));
}
/// mask ? word : 0, as U32.
inline Masked where(Mask mask, uint32_t word) {
    return {mask, word};
}

/// The lanes in which a comparison is true.
class VALKYR_OWNER LaneMask : public TempMask {
public:
    LaneMask() = default;
    /// Leases a mask.
    explicit LaneMask(EmitContext& c)
        : TempMask(c.scratch_mask())
        , c_(&c) {}
    template <typename Cond, typename A, typename B>
    LaneMask(const Comparison<Cond, A, B>& lanes)  // NOLINT: implicit by design
        : LaneMask(*lanes.context()) {
        lanes.into(*c_, *this);
    }
    template <typename Cond, typename A, typename B>
    LaneMask& operator=(const Comparison<Cond, A, B>& lanes) {
        lanes.into(*c_, *this);
        return *this;
    }
    LaneMask& operator&=(Mask other) {
        c_->h.mask_and(*this, *this, other);
        return *this;
    }
    LaneMask& operator|=(Mask other) {
        c_->h.mask_or(*this, *this, other);
        return *this;
    }

private:
    EmitContext* c_ = nullptr;
};

}  // namespace formula

using F32 = formula::Variable<LaneType::F32>;
using S32 = formula::Variable<LaneType::S32>;
using U32 = formula::Variable<LaneType::U32>;
using S16 = formula::Variable<LaneType::S16>;
using U16 = formula::Variable<LaneType::U16>;
using formula::LaneMask;
using formula::to_f32;
using formula::where;

// Lanes of this type with the bits of x: an operand, a formula, or a word for all lanes.
template <formula::Term T>
auto f32(const T& x) {
    return formula::reread<LaneType::F32>(x);
}
template <formula::Term T>
auto s32(const T& x) {
    return formula::reread<LaneType::S32>(x);
}
template <formula::Term T>
auto u32(const T& x) {
    return formula::reread<LaneType::U32>(x);
}
template <formula::Term T>
auto s16(const T& x) {
    return formula::reread<LaneType::S16>(x);
}
template <formula::Term T>
auto u16(const T& x) {
    return formula::reread<LaneType::U16>(x);
}

}  // namespace valkyr::jit
