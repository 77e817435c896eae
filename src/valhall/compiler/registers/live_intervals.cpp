// Live intervals: walk forward once, and look loop ends up in the loop tree.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/registers/live_intervals.hpp"

#include "valhall/compiler/ir/spec.hpp"

#include <algorithm>

namespace valkyr::valhall::ir {
namespace {

class IntervalFinder {
public:
    explicit IntervalFinder(const Function& f)
        : f_(f) {
        result_.start.assign(f.value_count, kNone);
        result_.end.assign(f.value_count, 0);
        result_.uses.assign(f.value_count, 0);
    }

    LiveIntervals run() {
        for (const Block& block : f_.blocks) {
            for (uint32_t i = block.first; i < block.end && !f_.cancellation.requested(); ++i) {
                visit(block, i);
                define(f_.insts[i], i);
            }
        }
        return std::move(result_);
    }

private:
    /// A phi at the head of a loop may have read the value already, on the back edge.
    void define(const Inst& inst, uint32_t i) {
        for (uint32_t k = 0; k < inst.def_count; ++k) {
            result_.start[inst.def + k] = i;
            result_.end[inst.def + k] = std::max(result_.end[inst.def + k], i);
        }
    }

    void visit(const Block& block, uint32_t i) {
        const Inst& inst = f_.insts[i];
        if (inst.op == kPhi) {
            const std::span<const BlockId> preds = f_.preds_of(block);
            for (uint32_t k = 0; k < inst.staging_count; ++k) {
                const Block& pred = f_.blocks[preds[k]];
                use(f_.pool[inst.staging + k], pred.end - 1, pred.loop);
            }
            return;
        }
        if (inst.staging_count != 0 || traits(inst.op).wide_sources != 0) {
            for_each_operand(f_, inst,
                             [&](const Operand& operand) { use(operand, i, block.loop); });
            return;
        }
        for (const Operand& source : inst.sources())
            use(source, i, block.loop);
    }

    void use(const Operand& operand, uint32_t at, uint32_t loop) {
        if (!operand.is_value())
            return;
        uint32_t& end = result_.end[operand.value];
        end = std::max(end, at);
        if (loop == kNone) {
            ++result_.uses[operand.value];
            return;
        }
        uint32_t weight = 1;
        for (; loop != kNone; loop = f_.loops[loop].parent) {
            weight = std::min(weight * 8, 4096U);
            if (result_.start[operand.value] < f_.blocks[f_.loops[loop].first].first)
                end = std::max(end, f_.blocks[f_.loops[loop].last].end - 1);
        }
        result_.uses[operand.value] += weight;
    }

    const Function& f_;
    LiveIntervals result_;
};

}  // namespace

LiveIntervals find_live_intervals(const Function& function) {
    return IntervalFinder(function).run();
}

}  // namespace valkyr::valhall::ir
