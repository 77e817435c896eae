// Pass fuse_compares: tests the operands of a comparison instead of its boolean result.
// SPDX-License-Identifier: MIT
//
// TGSI makes a boolean with one opcode and tests it with another (FSLT and UCMP or UIF, SLT and CMP
// or KILL_IF). Selects, comparisons with zero and discards take the comparison itself instead.
#include "base/float_bits.hpp"
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

#include <optional>

namespace valkyr::valhall::ir {
namespace {

using float_bits::kOne;

/// A comparison, and how its result is encoded.
struct Comparison {
    Op select{};  ///< the CSEL of the same type
    Condition condition{};
    ResultType result{};
    Operand left;
    Operand right;
};

class CompareFusion {
public:
    explicit CompareFusion(Function& f)
        : f_(f)
        , def_(find_definitions(f))
        , replaced_(f) {}

    void run() {
        for (Inst& inst : f_.insts) {
            if (replaced_.any())
                for_each_operand(f_, inst, [&](Operand& operand) { replaced_.apply(operand); });
            switch (inst.op) {
            case Op::MUX_I32: fuse_mux(inst); break;
            case Op::CSEL_F32: fuse_select(inst); break;
            case Op::CSEL_U32: fuse_select_integer(inst); break;
            case Op::ICMP_U32: fuse_test(inst); break;
            case Op::FCMP_F32: fuse_float_test(inst); break;
            case Op::LSHIFT_AND_I32: fuse_mask(inst); break;
            case Op::DISCARD_F32: fuse_discard(inst); break;
            default: break;
            }
        }
        // Phi inputs on back edges were visited before their values were replaced.
        if (!f_.loops.empty())
            replaced_.apply(f_);
    }

private:
    [[nodiscard]] const Inst* def_of(const Operand& operand) const {
        return operand.is_value() ? &f_.insts[def_[operand.value]] : nullptr;
    }

    /// The plain comparison (no chaining) that made this operand.
    [[nodiscard]] std::optional<Comparison> comparison(const Operand& operand) const {
        const Inst* def = def_of(operand);
        if (def == nullptr || operand.selector != kDefaultSelector)
            return std::nullopt;
        Comparison result;
        switch (def->op) {
        case Op::FCMP_F32: result.select = Op::CSEL_F32; break;
        case Op::ICMP_U32: result.select = Op::CSEL_U32; break;
        case Op::ICMP_S32: result.select = Op::CSEL_S32; break;
        default: return std::nullopt;
        }
        if (!def->src[2].is_literal(0) || get_mod(*def, Mod::and_) != 0 ||
            get_mod(*def, Mod::seq) != 0)
            return std::nullopt;
        result.condition = get_mod_as<Condition>(*def, Mod::cmp);
        result.result = get_mod_as<ResultType>(*def, Mod::result_type);
        result.left = def->src[0];
        result.right = def->src[1];
        return result;
    }

    /// CSEL takes neither modifiers nor selectors.
    [[nodiscard]] static bool fits_select(const Comparison& c) {
        const auto plain = [](const Operand& x) {
            return x.flags == 0 && x.selector == kDefaultSelector;
        };
        return plain(c.left) && plain(c.right);
    }

    static void make_select(Inst& inst, const Comparison& c, Operand yes, Operand no) {
        const Spec spec = Spec(c.select).with(Mod::cmp, c.condition);
        inst.op = spec.op;
        inst.word = spec.word;
        inst.src = {c.left, c.right, yes, no};
        inst.src_count = 4;
    }

    /// UCMP: the mask is nonzero exactly if the comparison holds.
    void fuse_mux(Inst& inst) {
        if (get_mod_as<Mux>(inst, Mod::mux) != Mux::int_zero)
            return;
        const std::optional<Comparison> c = comparison(inst.src[2]);
        if (c && fits_select(*c))
            make_select(inst, *c, inst.src[1], inst.src[0]);
    }

    /// CMP of a 0/1.0 boolean: `t > 0` is the comparison, `t < 0` never holds.
    void fuse_select(Inst& inst) {
        const std::optional<Comparison> c = comparison(inst.src[0]);
        if (!c || c->result != ResultType::f1 || !inst.src[1].is_literal(0) || !fits_select(*c))
            return;
        switch (get_mod_as<Condition>(inst, Mod::cmp)) {
        case Condition::gt:
        case Condition::ne: make_select(inst, *c, inst.src[2], inst.src[3]); break;
        case Condition::eq:
        case Condition::le: make_select(inst, *c, inst.src[3], inst.src[2]); break;
        default: break;
        }
    }

    void fuse_select_integer(Inst& inst) {
        const std::optional<Comparison> c = comparison(inst.src[0]);
        if (!c || !inst.src[1].is_literal(0) || !fits_select(*c))
            return;
        const auto condition = get_mod_as<Condition>(inst, Mod::cmp);
        if (condition == Condition::ne)
            make_select(inst, *c, inst.src[2], inst.src[3]);
        else if (condition == Condition::eq)
            make_select(inst, *c, inst.src[3], inst.src[2]);
    }

    /// Copies the comparison that made `from` into `inst`, with the result encoding of `inst`.
    void copy_comparison(Inst& inst, const Operand& from, ResultType result) {
        const Inst& def = *def_of(from);
        inst.op = def.op;
        inst.src = def.src;
        inst.src_count = def.src_count;
        inst.word = Spec(def.op, def.word).with(Mod::result_type, result).word;
    }

    /// `t != 0` of a boolean is the boolean.
    void fuse_test(Inst& inst) {
        const std::optional<Comparison> outer = comparison(value_operand(inst.def));
        const std::optional<Comparison> c = comparison(inst.src[0]);
        if (!c || !outer || inst.src[0].flags != 0 || !inst.src[1].is_literal(0) ||
            outer->condition != Condition::ne)
            return;
        if (c->result == outer->result)
            replaced_.set(inst.def, inst.src[0]);
        else
            copy_comparison(inst, inst.src[0], outer->result);
    }

    /// IF of a 0/1.0 boolean.
    void fuse_float_test(Inst& inst) {
        const std::optional<Comparison> outer = comparison(value_operand(inst.def));
        const std::optional<Comparison> c = comparison(inst.src[0]);
        if (!c || !outer || c->result != ResultType::f1 || !inst.src[1].is_literal(0))
            return;
        const bool positive = (inst.src[0].flags & kNeg) == 0;
        const bool holds =
            outer->condition == Condition::ne ||
            (positive ? outer->condition == Condition::gt : outer->condition == Condition::lt);
        if (holds)
            copy_comparison(inst, inst.src[0], outer->result);
    }

    /// Boolean AND 1.0 (or 1): the comparison encodes that itself.
    void fuse_mask(Inst& inst) {
        if (get_mod(inst, Mod::not_result) != 0 || !(inst.src[1] == shift_zero()))
            return;
        for (unsigned side = 0; side < 2; ++side) {
            const Operand& boolean = inst.src[side == 0 ? 0 : 2];
            const Operand& mask = inst.src[side == 0 ? 2 : 0];
            const std::optional<Comparison> c = comparison(boolean);
            if (!c || c->result != ResultType::m1 || boolean.flags != 0)
                continue;
            if (mask.is_literal(kOne)) {
                copy_comparison(inst, boolean, ResultType::f1);
                return;
            }
            if (mask.is_literal(1)) {
                copy_comparison(inst, boolean, ResultType::i1);
                return;
            }
        }
    }

    /// KILL_IF of a negated 0/1.0 boolean.
    void fuse_discard(Inst& inst) {
        const std::optional<Comparison> c = comparison(inst.src[0]);
        if (!c || c->select != Op::CSEL_F32 || c->result != ResultType::f1 ||
            inst.src[0].flags != kNeg || !inst.src[1].is_literal(0) ||
            get_mod_as<Condition>(inst, Mod::cmp) != Condition::lt)
            return;
        inst.src[0] = c->left;
        inst.src[1] = c->right;
        set_mod(inst, Mod::cmp, c->condition);
    }

    static Operand shift_zero() { return select(literal(0), static_cast<uint8_t>(Lanes8Bit::b00)); }

    Function& f_;
    std::vector<uint32_t> def_;  ///< by value
    Replacements replaced_;
};

}  // namespace

void fuse_compares(Function& f) {
    if (f.may_have(Op::FCMP_F32) || f.may_have(Op::ICMP_U32) || f.may_have(Op::ICMP_S32))
        CompareFusion(f).run();
}

}  // namespace valkyr::valhall::ir
