// Pass convert_ifs: turns short branches without side effects into straight code and selects.
// SPDX-License-Identifier: MIT
//
// Lanes rarely agree on a branch. A divergent branch executes both ways, with masks on every write,
// a jump and a join. Instructions that look at the other running lanes (implicit LOD, CLPER) stay
// where they are: their results depend on which lanes run.
#include "valhall/compiler/ir/spec.hpp"
#include "valhall/compiler/passes/passes.hpp"

namespace valkyr::valhall::ir {
namespace {

/// Cost of both branches together up to which they are converted; a plain instruction costs 1.
constexpr unsigned kMaxCost = 16;
constexpr unsigned kTooMuch = 1000;

unsigned cost_of(const Inst& inst) {
    if (inst.op == kJump)
        return 0;
    if (!is_pure(inst) || is_pseudo(inst.op))
        return kTooMuch;
    return traits(inst.op).alu ? traits(inst.op).cost : 2U * inst.def_count;
}

class IfConversion {
public:
    explicit IfConversion(Function& f)
        : f_(f)
        , next_(f.blocks.size())
        , gone_(f.blocks.size(), 0)
        , dead_(f.insts.size(), 0) {
        for (BlockId id = 0; id < next_.size(); ++id)
            next_[id] = id + 1;
    }

    void run() {
        bool changed = false;
        for (BlockId id = static_cast<BlockId>(f_.blocks.size()); id-- > 0;) {
            // Joins behind the block may make it the head of another pair of branches.
            while (gone_[id] == 0 && try_convert(id))
                changed = true;
        }
        if (changed)
            compact();
    }

private:
    struct Diamond {
        BlockId yes = kNone;
        BlockId no = kNone;
        BlockId join = kNone;
    };

    [[nodiscard]] bool find_diamond(BlockId head, Diamond& d) const;
    [[nodiscard]] bool is_side(BlockId side, BlockId head, BlockId join) const;
    [[nodiscard]] unsigned cost(BlockId block) const;
    bool try_convert(BlockId head);
    void select_phis(const Diamond& d, const Operand& condition);
    void merge(BlockId head, const Diamond& d);
    void compact();

    Function& f_;
    std::vector<BlockId> next_;  ///< the next block among the blocks that are left
    std::vector<uint8_t> gone_;
    std::vector<uint8_t> dead_;
};

bool IfConversion::is_side(BlockId side, BlockId head, BlockId join) const {
    const Block& block = f_.blocks[side];
    return block.loop == f_.blocks[head].loop && block.pred_count == 1 && block.succ[0] == join &&
           f_.insts[block.end - 1].op == kJump;
}

bool IfConversion::find_diamond(BlockId head, Diamond& d) const {
    const Block& block = f_.blocks[head];
    if (f_.insts[block.end - 1].op != kBranch)
        return false;
    d.yes = block.succ[0];
    d.no = block.succ[1];
    d.join = f_.blocks[d.yes].succ[0];
    if (d.join == kNone || d.yes != next_[head] || d.no != next_[d.yes] || d.join != next_[d.no])
        return false;
    return is_side(d.yes, head, d.join) && is_side(d.no, head, d.join) &&
           f_.blocks[d.join].pred_count == 2 && f_.blocks[d.join].loop == block.loop;
}

unsigned IfConversion::cost(BlockId block) const {
    unsigned sum = 0;
    for (uint32_t i = f_.blocks[block].first; i < f_.blocks[block].end && sum <= kMaxCost; ++i)
        sum += dead_[i] != 0 ? 0 : cost_of(f_.insts[i]);
    return sum;
}

void IfConversion::select_phis(const Diamond& d, const Operand& condition) {
    const Block& join = f_.blocks[d.join];
    const bool yes_first = f_.preds[join.pred_first] == d.yes;
    const Spec select = Spec(Op::MUX_I32).with(Mod::mux, Mux::int_zero);
    for (uint32_t i = join.first; f_.insts[i].op == kPhi; ++i) {
        Inst& phi = f_.insts[i];
        const Operand first = f_.pool[phi.staging];
        const Operand second = f_.pool[phi.staging + 1];
        phi.op = select.op;
        phi.word = select.word;
        phi.src = {yes_first ? second : first, yes_first ? first : second, condition, {}};
        phi.src_count = 3;
        phi.staging_count = 0;
    }
}

/// Makes one block of the four, which already lie one behind the other.
void IfConversion::merge(BlockId head, const Diamond& d) {
    Block& block = f_.blocks[head];
    for (const BlockId id : {head, d.yes, d.no})
        dead_[f_.blocks[id].end - 1] = 1;
    block.end = f_.blocks[d.join].end;
    block.succ = f_.blocks[d.join].succ;
    next_[head] = next_[d.join];
    for (const BlockId succ : block.succ) {
        if (succ == kNone)
            continue;
        const Block& target = f_.blocks[succ];
        for (uint32_t p = 0; p < target.pred_count; ++p) {
            if (f_.preds[target.pred_first + p] == d.join)
                f_.preds[target.pred_first + p] = head;
        }
    }
    for (Loop& loop : f_.loops) {
        if (loop.last == d.yes || loop.last == d.no || loop.last == d.join)
            loop.last = head;
    }
    for (const BlockId id : {d.yes, d.no, d.join})
        gone_[id] = 1;
}

bool IfConversion::try_convert(BlockId head) {
    Diamond d;
    if (!find_diamond(head, d) || cost(d.yes) + cost(d.no) > kMaxCost)
        return false;
    const Operand condition = f_.insts[f_.blocks[head].end - 1].src[0];
    select_phis(d, condition);
    merge(head, d);
    return true;
}

void IfConversion::compact() {
    std::vector<BlockId> number(f_.blocks.size(), kNone);
    std::vector<Block> blocks;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        if (gone_[id] != 0)
            continue;
        number[id] = static_cast<BlockId>(blocks.size());
        blocks.push_back(f_.blocks[id]);
    }
    const auto renumber = [&](BlockId& id) { id = id == kNone ? kNone : number[id]; };
    uint32_t to = 0;
    for (Block& block : blocks) {
        const uint32_t first = to;
        for (uint32_t i = block.first; i < block.end; ++i) {
            if (dead_[i] == 0)
                f_.insts[to++] = f_.insts[i];
        }
        block.first = first;
        block.end = to;
        renumber(block.succ[0]);
        renumber(block.succ[1]);
        for (uint32_t p = 0; p < block.pred_count; ++p)
            renumber(f_.preds[block.pred_first + p]);
    }
    f_.insts.resize(to);
    for (Loop& loop : f_.loops) {
        renumber(loop.first);
        renumber(loop.last);
    }
    f_.blocks.swap(blocks);
}

}  // namespace

void convert_ifs(Function& f) {
    if (f.blocks.size() > 1)
        IfConversion(f).run();
}

}  // namespace valkyr::valhall::ir
