// SSA helpers: find definitions, uses and dominators.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/ssa.hpp"

#include "valhall/compiler/ir/value_log.hpp"

namespace valkyr::valhall::ir {

std::vector<uint32_t> find_definitions(const Function& f) {
    std::vector<uint32_t> def(f.value_count, kNone);
    for (uint32_t i = 0; i < f.insts.size(); ++i) {
        for (uint32_t k = 0; k < f.insts[i].def_count; ++k)
            def[f.insts[i].def + k] = i;
    }
    return def;
}

ValueInfo::ValueInfo(const Function& f)
    : def(find_definitions(f))
    , uses(f.value_count, 0) {
    for (const Inst& inst : f.insts) {
        for_each_operand(f, inst, [&](const Operand& operand) {
            if (operand.is_value())
                ++uses[operand.value];
        });
    }
}

void Replacements::apply(Function& f) const {
    if (!any_)
        return;
    for (Inst& inst : f.insts)
        for_each_operand(f, inst, [&](Operand& operand) { apply(operand); });
    for_each_noted(f, [&](Operand& operand) { apply(operand); });
}

Dominators::Dominators(const Function& f)
    : parent_(f.blocks.size(), 0)
    , first_(f.blocks.size(), 0)
    , size_(f.blocks.size(), 1) {
    for (BlockId id = 1; id < f.blocks.size(); ++id) {
        BlockId common = kNone;
        for (const BlockId pred : f.preds_of(f.blocks[id])) {
            if (pred >= id)
                continue;
            BlockId other = pred;
            while (common != kNone && common != other) {
                if (common > other)
                    common = parent_[common];
                else
                    other = parent_[other];
            }
            common = other;
        }
        parent_[id] = common == kNone ? 0 : common;
    }
    for (BlockId id = static_cast<BlockId>(f.blocks.size()); id-- > 1;)
        size_[parent_[id]] += size_[id];
    // Children take their places behind their parent in block order.
    std::vector<uint32_t> next(f.blocks.size(), 1);
    for (BlockId id = 1; id < f.blocks.size(); ++id) {
        first_[id] = first_[parent_[id]] + next[parent_[id]];
        next[parent_[id]] += size_[id];
    }
}

}  // namespace valkyr::valhall::ir
