// IR verifier: has one function a rule.
// SPDX-License-Identifier: MIT
#include "valhall/compiler/ir/ir_verify.hpp"

#include "valhall/compiler/ir/ir_print.hpp"
#include "valhall/compiler/ir/spec.hpp"

#include <algorithm>

namespace valkyr::valhall::ir {
namespace {

class Verifier {
public:
    explicit Verifier(const Function& f)
        : f_(f) {}

    std::string run() {
        check_blocks();
        if (error_.empty())
            check_edges();
        if (error_.empty())
            find_definitions();
        if (error_.empty())
            find_dominators();
        for (BlockId id = 0; id < f_.blocks.size() && error_.empty(); ++id)
            check_instructions(id);
        return error_;
    }

private:
    void fail(const std::string& text) {
        if (error_.empty())
            error_ = text;
    }
    void fail(uint32_t inst, const std::string& text) {
        fail(text + ": " + print(f_, f_.insts[inst]));
    }

    void check_blocks();
    void check_edges();
    void check_edge(BlockId from, BlockId to, bool branch);
    void find_definitions();
    void find_dominators();
    void check_instructions(BlockId id);
    void check_shape(uint32_t i);
    void check_use(const Operand& operand, BlockId block, uint32_t at);
    [[nodiscard]] bool dominates(BlockId a, BlockId b) const;

    const Function& f_;
    std::string error_;
    std::vector<uint32_t> def_inst_;
    std::vector<BlockId> def_block_;
    std::vector<BlockId> idom_;
};

void Verifier::check_blocks() {
    uint32_t next = 0;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        const Block& block = f_.blocks[id];
        if (block.first != next || block.end <= block.first)
            return fail("block b" + std::to_string(id) + " is empty or out of order");
        next = block.end;
        for (uint32_t i = block.first; i < block.end; ++i) {
            if (is_terminator(f_.insts[i].op) != (i + 1 == block.end))
                return fail(i, "misplaced terminator, or none");
            const bool late = i > block.first && f_.insts[i - 1].op != kPhi;
            if (f_.insts[i].op == kPhi && late)
                return fail(i, "phi behind other instructions");
            if (f_.insts[i].op == kPhi && f_.insts[i].staging_count != block.pred_count)
                return fail(i, "phi inputs and predecessors differ in number");
        }
    }
    if (next != f_.insts.size())
        fail("instructions behind the last block");
}

void Verifier::check_edge(BlockId from, BlockId to, bool branch) {
    if (to >= f_.blocks.size())
        return fail("edge to nowhere from b" + std::to_string(from));
    const auto preds = f_.preds_of(f_.blocks[to]);
    if (std::ranges::count(preds, from) != 1)
        return fail("b" + std::to_string(to) + " does not list its predecessor b" +
                    std::to_string(from));
    if (branch && preds.size() != 1)
        return fail("critical edge from b" + std::to_string(from) + " to b" + std::to_string(to));
    if (to <= from) {
        const bool is_loop = std::ranges::any_of(
            f_.loops, [&](const Loop& loop) { return loop.first == to && loop.last == from; });
        if (!is_loop)
            fail("jump back that is no loop, from b" + std::to_string(from));
    }
}

void Verifier::check_edges() {
    size_t edges = 0;
    size_t listed = 0;
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        const Block& block = f_.blocks[id];
        listed += block.pred_count;
        const Op op = f_.insts[block.end - 1].op;
        const unsigned successors = op == kBranch ? 2 : op == kJump ? 1 : 0;
        for (unsigned s = 0; s < successors; ++s)
            check_edge(id, block.succ[s], op == kBranch);
        edges += successors;
    }
    if (edges != listed)
        fail("a block lists a predecessor that does not lead to it");
}

void Verifier::find_definitions() {
    def_inst_.assign(f_.value_count, kNone);
    def_block_.assign(f_.value_count, kNone);
    for (BlockId id = 0; id < f_.blocks.size(); ++id) {
        for (uint32_t i = f_.blocks[id].first; i < f_.blocks[id].end; ++i) {
            for (uint32_t k = 0; k < f_.insts[i].def_count; ++k) {
                const ValueId v = f_.insts[i].def + k;
                if (v >= f_.value_count || def_inst_[v] != kNone)
                    return fail(i, "value defined twice or out of range");
                def_inst_[v] = i;
                def_block_[v] = id;
            }
        }
    }
}

/// Immediate dominators; blocks are in an order in which only loops jump back, so one sweep over
/// the forward edges is exact.
void Verifier::find_dominators() {
    idom_.assign(f_.blocks.size(), 0);
    for (BlockId id = 1; id < f_.blocks.size(); ++id) {
        BlockId common = kNone;
        for (const BlockId pred : f_.preds_of(f_.blocks[id])) {
            if (pred >= id)
                continue;
            BlockId other = pred;
            while (common != kNone && common != other) {
                if (common > other)
                    common = idom_[common];
                else
                    other = idom_[other];
            }
            common = other;
        }
        if (common == kNone)
            return fail("block b" + std::to_string(id) + " is never reached");
        idom_[id] = common;
    }
}

bool Verifier::dominates(BlockId a, BlockId b) const {
    while (b > a)
        b = idom_[b];
    return a == b;
}

void Verifier::check_use(const Operand& operand, BlockId block, uint32_t at) {
    if (!operand.is_value())
        return;
    if (operand.value >= f_.value_count || def_inst_[operand.value] == kNone)
        return fail(at, "use of an undefined value");
    const BlockId def = def_block_[operand.value];
    const bool before = def != block || def_inst_[operand.value] < at;
    if (!dominates(def, block) || !before)
        fail(at, "use of %" + std::to_string(operand.value) + " where it is not defined");
}

void Verifier::check_shape(uint32_t i) {
    const Inst& inst = f_.insts[i];
    if (inst.op == kDouble) {
        const DoubleOpInfo& info = double_op_info(double_op(inst));
        if (inst.staging_count != info.source_words || inst.def_count != info.result_words)
            return fail(i, "wrong number of source or result words");
    }
    if (is_pseudo(inst.op))
        return;
    const OpInfo& info = op_info(inst.op);
    if (inst.src_count != info.sources.size())
        return fail(i, "wrong number of sources");
    bool reads = false;
    bool writes = info.has_dest;
    for (const StagingInfo& run : info.staging) {
        reads = reads || run.read;
        writes = writes || run.write;
    }
    if (reads != (inst.staging_count != 0) || writes != (inst.def_count != 0))
        return fail(i, "wrong number of staging operands or results");
    for (unsigned s = 0; s < inst.src_count; ++s) {
        const bool modified = (inst.src[s].flags & (kNeg | kAbs)) != 0;
        if (modified && info.sources[s].neg.size == 0)
            return fail(i, "float modifier on a source that takes none");
    }
}

void Verifier::check_instructions(BlockId id) {
    const Block& block = f_.blocks[id];
    for (uint32_t i = block.first; i < block.end && error_.empty(); ++i) {
        const Inst& inst = f_.insts[i];
        check_shape(i);
        if (inst.op == kPhi) {
            for (uint32_t k = 0; k < inst.staging_count; ++k) {
                const BlockId pred = f_.preds[block.pred_first + k];
                check_use(f_.pool[inst.staging + k], pred, f_.blocks[pred].end);
            }
        } else {
            for_each_operand(f_, inst, [&](const Operand& operand) { check_use(operand, id, i); });
        }
    }
}

}  // namespace

std::string verify(const Function& function) {
    return Verifier(function).run();
}

}  // namespace valkyr::valhall::ir
