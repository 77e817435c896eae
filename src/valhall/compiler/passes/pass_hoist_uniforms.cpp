// Pass hoist_uniforms: moves work that depends on uniforms alone into a prologue.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/ir/value_log.hpp"
#include "valhall/compiler/passes/passes.hpp"

namespace valkyr::valhall::ir {
namespace {

/// A prologue costs a call a draw; less work than this is not worth it.
constexpr unsigned kMinWork = 4;
constexpr unsigned kSpecialFunctionWork = 4;
/// Results lie in registers at the end of the prologue, all at once.
constexpr size_t kMaxHoistedUniforms = 32;

class Hoisting {
public:
    Hoisting(Function& main, Function& prologue)
        : f_(main)
        , prologue_(prologue)
        , hoisted_(main.insts.size(), 0)
        , def_(find_definitions(main))
        , result_of_(main.value_count, kNone)
        , copy_of_(main.value_count, kNone) {}

    bool run() {
        const unsigned work = mark();
        if (work < kMinWork || !collect_results())
            return false;
        build_prologue();
        replace_results();
        return true;
    }

private:
    [[nodiscard]] bool is_uniform(const Operand& operand) const {
        switch (operand.kind) {
        case OperandKind::Literal:
        case OperandKind::Uniform: return true;
        case OperandKind::Value: return hoisted_[def_[operand.value]] != 0;
        default: return false;
        }
    }

    /// Marks instructions whose operands are all uniform; returns their weight.
    unsigned mark() {
        unsigned work = 0;
        for (uint32_t i = 0; i < f_.insts.size(); ++i) {
            const Inst& inst = f_.insts[i];
            if (!traits(inst.op).alu || inst.def_count != 1 || !is_pure(inst))
                continue;
            bool uniform = true;
            for (const Operand& source : inst.sources())
                uniform = uniform && is_uniform(source);
            if (!uniform)
                continue;
            hoisted_[i] = 1;
            work += traits(inst.op).unit == Unit::Sfu ? kSpecialFunctionWork : 1;
        }
        return work;
    }

    /// Hoisted values that the rest of the program reads.
    bool collect_results() {
        for (uint32_t i = 0; i < f_.insts.size(); ++i) {
            if (hoisted_[i] != 0)
                continue;
            for_each_operand(f_, f_.insts[i], [&](const Operand& operand) {
                if (!operand.is_value() || hoisted_[def_[operand.value]] == 0 ||
                    result_of_[operand.value] != kNone)
                    return;
                result_of_[operand.value] = static_cast<uint32_t>(results_.size());
                results_.push_back(operand.value);
            });
        }
        return !results_.empty() && results_.size() <= kMaxHoistedUniforms;
    }

    void build_prologue() {
        prologue_.info.stage = exec::Stage::Compute;
        prologue_.uniforms = f_.uniforms;
        for (uint32_t i = 0; i < f_.insts.size(); ++i) {
            if (hoisted_[i] == 0)
                continue;
            Inst inst = f_.insts[i];
            for (Operand& source : inst.sources()) {
                if (source.is_value())
                    source.value = copy_of_[source.value];
            }
            copy_of_[inst.def] = prologue_.value_count;
            inst.def = prologue_.value_count++;
            prologue_.insts.push_back(inst);
        }
        Inst end;
        end.op = kEnd;
        end.staging_count = static_cast<uint16_t>(results_.size());
        for (const ValueId result : results_)
            prologue_.pool.push_back(value_operand(copy_of_[result]));
        prologue_.insts.push_back(end);
        Block block;
        block.end = static_cast<uint32_t>(prologue_.insts.size());
        prologue_.blocks.push_back(block);
    }

    void replace_results() {
        const auto first = static_cast<uint32_t>(f_.uniforms.size());
        for (uint32_t k = 0; k < results_.size(); ++k)
            f_.uniforms.push_back({FauKind::Prologue, 0, k});
        for (uint32_t i = 0; i < f_.insts.size(); ++i) {
            for_each_operand(f_, f_.insts[i], [&](Operand& operand) {
                if (hoisted_[i] != 0 || !operand.is_value() || result_of_[operand.value] == kNone)
                    return;
                name_result(operand, first);
            });
        }
        for_each_noted(f_, [&](Operand& operand) {
            if (operand.is_value() && operand.value < result_of_.size() &&
                result_of_[operand.value] != kNone)
                name_result(operand, first);
        });
    }

    void name_result(Operand& operand, uint32_t first) const {
        operand.value = first + result_of_[operand.value];
        operand.kind = OperandKind::Uniform;
    }

    Function& f_;
    Function& prologue_;
    std::vector<uint8_t> hoisted_;
    std::vector<uint32_t> def_;        ///< by value
    std::vector<uint32_t> result_of_;  ///< by value: number of the result
    std::vector<ValueId> copy_of_;     ///< by value: its copy in the prologue
    std::vector<ValueId> results_;
};

}  // namespace

bool hoist_uniforms(Function& function, Function& prologue) {
    if (function.uniforms.empty() || !Hoisting(function, prologue).run())
        return false;
    remove_dead(function);
    return true;
}

}  // namespace valkyr::valhall::ir
