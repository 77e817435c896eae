// Pass fuse_modifiers: moves negations, absolute values and clamps into neighbours.
// SPDX-License-Identifier: MIT
//
// A float source that takes modifiers reads through operations on the sign bit. FADD x, -0.0 is the
// identity on floats and exists to clamp: the instruction that made the value clamps it, if that
// value has no other reader. An absolute value that was written as the larger of x and -x becomes
// such an FADD: it makes the same NaN.
#include "base/float_bits.hpp"
#include "valhall/compiler/ir/builder.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <algorithm>
#include <iterator>
#include <optional>

namespace valkyr::valhall::ir {
namespace {

bool is_identity(const Inst& inst) {
    return inst.op == Op::FADD_F32 && inst.fixed == kNotFixed &&
           inst.src[1].is_literal(float_bits::kSign) && inst.src[0].selector == kDefaultSelector;
}

/// Turns the extremum of x and -x into |x| + -0.0 or -|x| + -0.0.
void simplify_extremum(Function& f, Inst& inst) {
    const bool maximum = inst.op == Op::FMAX_F32;
    Operand source = inst.src[0];
    if ((!maximum && inst.op != Op::FMIN_F32) || !source.is_value() ||
        source.selector != kDefaultSelector)
        return;
    source.flags ^= kNeg;
    if (source != inst.src[1])
        return;
    source.flags = maximum ? kAbs : kNeg | kAbs;
    const auto clamp = get_mod_as<Clamp>(inst, Mod::clamp);
    const Spec spec = Spec(Op::FADD_F32).with(Mod::clamp, clamp);
    inst.op = spec.op;
    inst.word = spec.word;
    inst.src = {source, literal(float_bits::kSign), {}, {}};
    f.note(inst.op);
}

/// The square of |x| or -x is that of x.
void simplify_square(Inst& inst) {
    if (inst.op != Op::FMA_F32 || inst.src[0] != inst.src[1])
        return;
    for (unsigned k = 0; k < 2; ++k)
        inst.src[k].flags = static_cast<uint8_t>(inst.src[k].flags & ~(kNeg | kAbs));
}

Clamp clamp_of(const Inst& inst) {
    return get_mod_as<Clamp>(inst, Mod::clamp);
}

/// `outer` applied to an operand that has modifiers itself.
uint8_t composed(uint8_t outer, uint8_t inner) {
    if ((outer & kAbs) != 0)
        return outer;
    return static_cast<uint8_t>((outer ^ inner ^ ((inner & kAbs))) | (inner & kAbs));
}

/// Packed results clamp each half, which differs from a 32-bit clamp.
bool takes_clamp(const Inst& inst) {
    return !is_pseudo(inst.op) && inst.op != Op::FEXP_F32 && inst.def_count == 1 &&
           inst.fixed == kNotFixed && mod_field(inst.op, Mod::clamp).size != 0 &&
           op_info(inst.op).name.ends_with(".f32");
}

/// An operation that Builder::resolve() turns modifiers into.
struct SignOp {
    Op op;
    uint32_t mask;
    uint8_t flags;
};
constexpr SignOp kSignOps[] = {{Op::LSHIFT_XOR_I32, float_bits::kSign, kNeg},
                               {Op::LSHIFT_AND_I32, ~float_bits::kSign, kAbs},
                               {Op::LSHIFT_OR_I32, float_bits::kSign, kNeg | kAbs}};

/// Returns the operand with modifiers that equals the result of an instruction, if there is one.
std::optional<Operand> modified_operand(const Inst& inst) {
    if (inst.fixed != kNotFixed || inst.src[0].selector != kDefaultSelector)
        return std::nullopt;
    Operand inner = inst.src[0];
    if (is_identity(inst))
        return clamp_of(inst) == Clamp::none ? std::optional(inner) : std::nullopt;
    const auto* row = std::ranges::find(kSignOps, inst.op, &SignOp::op);
    if (row == std::end(kSignOps) || get_mod(inst, Mod::not_result) != 0 ||
        inst.src[1] != shift_count(0) || !inst.src[2].is_literal(row->mask))
        return std::nullopt;
    inner.flags = row->flags;
    return inner;
}

void read_through(Function& f, Inst& inst, const ValueInfo& info) {
    if (traits(inst.op).modified_sources == 0)
        return;
    for (unsigned i = 0; i < inst.src_count; ++i) {
        Operand& source = inst.src[i];
        while (source.is_value() && source.selector == kDefaultSelector &&
               takes_modifiers(inst.op, i)) {
            const Inst& def = f.insts[info.def[source.value]];
            std::optional<Operand> inner = modified_operand(def);
            if (!inner)
                break;
            inner->flags = composed(source.flags, inner->flags);
            source = *inner;
        }
    }
}

}  // namespace

void fuse_modifiers(Function& f) {
    const bool has_extrema = f.may_have(Op::FMAX_F32) || f.may_have(Op::FMIN_F32);
    if (!f.may_have(Op::FADD_F32) && !has_extrema &&
        std::ranges::none_of(kSignOps, [&](const SignOp& s) { return f.may_have(s.op); }))
        return;
    const ValueInfo info(f);
    Replacements done(f);
    for (Inst& inst : f.insts) {
        read_through(f, inst, info);
        simplify_extremum(f, inst);
        simplify_square(inst);
        if (!is_identity(inst) || clamp_of(inst) == Clamp::none)
            continue;
        const Operand& source = inst.src[0];
        if (!source.is_value() || source.flags != 0 || info.uses[source.value] != 1)
            continue;
        Inst& maker = f.insts[info.def[source.value]];
        if (!takes_clamp(maker) || clamp_of(maker) != Clamp::none)
            continue;
        set_mod(maker, Mod::clamp, clamp_of(inst));
        done.set(inst.def, source);
    }
    done.apply(f);
}

}  // namespace valkyr::valhall::ir
