// Pass remove_dead: drops instructions whose results no needed instruction reads.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

namespace valkyr::valhall::ir {

bool has_side_effects(const Inst& inst) {
    if (inst.def_count == 0)
        return true;
    if (inst.fixed != kNotFixed && inst.op != kPreload)
        return true;  // code outside the program reads this register
    return traits(inst.op).effects.any(Effect::coverage | kWritesMemory);
}

bool is_pure(const Inst& inst) {
    if (inst.op == kDouble)
        return true;
    if (is_pseudo(inst.op) || inst.fixed != kNotFixed || inst.def_count == 0)
        return false;
    const OpTraits& facts = traits(inst.op);
    return facts.alu ? facts.effects.empty() : facts.effects.any(Effect::unchanging);
}

namespace {

/// Marks the needed instructions from the last to the first: uses come after definitions, except in
/// phis of loops, whose inputs are looked up.
class Liveness {
public:
    explicit Liveness(const Function& f)
        : f_(f)
        , live_(f.insts.size(), 0)
        , needed_(f.value_count, 0) {
        if (!f.loops.empty())
            def_of_ = find_definitions(f);
    }

    void run() {
        for (at_ = static_cast<uint32_t>(f_.insts.size()); at_-- > 0;) {
            if (live_[at_] == 0 && (is_needed(f_.insts[at_]) || has_side_effects(f_.insts[at_])))
                keep(at_);
            while (!late_.empty()) {
                const uint32_t i = late_.back();
                late_.pop_back();
                keep(i);
            }
        }
    }

    [[nodiscard]] bool is_live(uint32_t i) const { return live_[i] != 0; }
    /// Whether a result is read.
    [[nodiscard]] bool is_needed(const Inst& inst) const {
        for (uint32_t k = 0; k < inst.def_count; ++k)
            if (needed_[inst.def + k] != 0)
                return true;
        return false;
    }

private:
    void keep(uint32_t i) {
        live_[i] = 1;
        const Inst& inst = f_.insts[i];
        if (def_of_.empty() && inst.staging_count == 0 && traits(inst.op).wide_sources == 0) {
            for (const Operand& source : inst.sources())
                if (source.is_value())
                    needed_[source.value] = 1;
            return;
        }
        for_each_operand(f_, inst, [&](const Operand& operand) {
            if (operand.is_value())
                need(operand.value);
        });
    }

    void need(ValueId value) {
        if (needed_[value] != 0)
            return;
        needed_[value] = 1;
        if (def_of_.empty())
            return;
        const uint32_t def = def_of_[value];
        if (def > at_ && live_[def] == 0) {
            live_[def] = 1;
            late_.push_back(def);
        }
    }

    const Function& f_;
    std::vector<uint8_t> live_;
    std::vector<uint8_t> needed_;   ///< by value
    std::vector<uint32_t> def_of_;  ///< by value; empty without loops
    std::vector<uint32_t> late_;    ///< needed, and behind `at_`
    uint32_t at_ = 0;
};

/// Drops the result of an atomic whose old value is not read; exchanges have no such form.
void drop_result(Inst& inst) {
    if (get_mod(inst, Mod::compare) != 0)
        return;
    const auto operation = get_mod_as<AtomicOperation>(inst, Mod::atom_opc);
    if (operation == AtomicOperation::axchg)
        return;
    const Spec spec = Spec(Op::ATOM_I32).with(Mod::atom_opc, operation);
    inst.op = spec.op;
    inst.word = spec.word;
    inst.def = kNone;
    inst.def_count = 0;
}

}  // namespace

void remove_dead(Function& f) {
    Liveness live(f);
    live.run();
    uint32_t to = 0;
    for (Block& block : f.blocks) {
        const uint32_t first = to;
        for (uint32_t i = block.first; i < block.end; ++i) {
            if (!live.is_live(i))
                continue;
            if (f.insts[i].op == Op::ATOM_RETURN_I32 && !live.is_needed(f.insts[i]))
                drop_result(f.insts[i]);
            if (to != i)
                f.insts[to] = f.insts[i];
            ++to;
        }
        block.first = first;
        block.end = to;
    }
    f.insts.resize(to);
}

}  // namespace valkyr::valhall::ir
