// Pass hoist_invariants: computes in front of a loop what every round would compute alike.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/ssa.hpp"
#include "valhall/compiler/passes/passes.hpp"

namespace valkyr::valhall::ir {
namespace {

/// Values that leave one loop: each needs a register throughout.
constexpr unsigned kMaxHoisted = 16;

class Hoister {
public:
    explicit Hoister(Function& f)
        : f_(f)
        , dominators_(f)
        , def_of_(find_definitions(f))
        , home_(f.insts.size(), kNone) {
        for (BlockId id = 0; id < f.blocks.size(); ++id)
            for (uint32_t i = f.blocks[id].first; i < f.blocks[id].end; ++i)
                home_[i] = id;
    }

    void run() {
        // Inner loops first: an instruction that leaves one may leave the loop around it, too.
        for (size_t loop = f_.loops.size(); loop-- > 0;)
            visit(f_.loops[loop]);
        if (any_)
            rewrite();
    }

private:
    void visit(const Loop& loop) {
        const BlockId before = block_before(loop);
        if (before == kNone)
            return;
        unsigned hoisted = 0;
        for (BlockId id = loop.first; id <= loop.last; ++id) {
            // Work in other blocks might not run at all, and hoisting would waste it.
            if (!dominators_.dominates(id, loop.last))
                continue;
            for (uint32_t i = f_.blocks[id].first; i < f_.blocks[id].end && hoisted < kMaxHoisted;
                 ++i) {
                if (!inside(loop, home_[i]) || !is_pure(f_.insts[i]) ||
                    !is_invariant(loop, f_.insts[i]))
                    continue;
                home_[i] = before;
                hoisted += f_.insts[i].def_count;
                any_ = true;
            }
        }
    }

    static bool inside(const Loop& loop, BlockId block) {
        return loop.first <= block && block <= loop.last;
    }

    /// The block that enters the loop; it ends with a jump.
    [[nodiscard]] BlockId block_before(const Loop& loop) const {
        if (loop.first == kNone || loop.last == kNone)
            return kNone;
        for (const BlockId pred : f_.preds_of(f_.blocks[loop.first]))
            if (pred < loop.first && f_.insts[f_.blocks[pred].end - 1].op == kJump)
                return pred;
        return kNone;
    }

    bool is_invariant(const Loop& loop, const Inst& inst) const {
        bool invariant = true;
        for_each_operand(f_, inst, [&](const Operand& operand) {
            if (operand.is_value() && inside(loop, home_[def_of_[operand.value]]))
                invariant = false;
        });
        return invariant;
    }

    /// Writes the blocks anew; hoisted instructions stand in front of the jump, in the old order.
    void rewrite() {
        std::vector<std::vector<uint32_t>> arrivals(f_.blocks.size());
        for (BlockId id = 0; id < f_.blocks.size(); ++id)
            for (uint32_t i = f_.blocks[id].first; i < f_.blocks[id].end; ++i)
                if (home_[i] != id)
                    arrivals[home_[i]].push_back(i);
        std::vector<Inst> out = f_.take_spare();
        for (BlockId id = 0; id < f_.blocks.size(); ++id) {
            Block& block = f_.blocks[id];
            const auto first = static_cast<uint32_t>(out.size());
            for (uint32_t i = block.first; i < block.end; ++i) {
                if (i + 1 == block.end)
                    for (const uint32_t arrival : arrivals[id])
                        out.push_back(f_.insts[arrival]);
                if (home_[i] == id)
                    out.push_back(f_.insts[i]);
            }
            block.first = first;
            block.end = static_cast<uint32_t>(out.size());
        }
        f_.replace_insts(std::move(out));
    }

    Function& f_;
    Dominators dominators_;
    std::vector<uint32_t> def_of_;
    std::vector<BlockId> home_;  ///< by instruction
    bool any_ = false;
};

}  // namespace

void hoist_invariants(Function& f) {
    if (!f.loops.empty())
        Hoister(f).run();
}

}  // namespace valkyr::valhall::ir
