// Kernel body: emits the basic blocks of a program for one warp, with divergence.
// SPDX-License-Identifier: MIT
//
// Blocks are emitted in program order. Gp::Running has the bits of the running lanes, a join
// block's wait mask the bits of the lanes that wait there. A forward branch parks lanes at its
// target. A backward branch goes back with the lanes that take it and parks the others behind it.
// When no lane runs, the next join block picks up the lanes that wait there. Waiting lanes are
// therefore always ahead of running ones in program order, which is the smallest-PC-first rule.
#include "jit/kernel/body.hpp"

#include "jit/emit/emitter.hpp"
#include "jit/kernel/resume.hpp"

#include <vector>

namespace valkyr::jit {

using valhall::Mod;

namespace {

class BodyEmitter {
public:
    BodyEmitter(EmitContext& context, Label end)
        : c(context)
        , h(context.h)
        , resumption_(context, end)
        , end_(resumption_.no_lanes())
        , cancelled_(end) {
        unsigned joins = 0;
        for (const Block& block : c.program.blocks) {
            entries_.push_back(h.new_label());
            same_lanes_.push_back(h.new_label());
            join_.push_back(block.join ? joins++ : kNoJoin);
        }
    }

    void run(Label resume) {
        for (unsigned join = 0; join < c.program.joins(); ++join)
            h.store32(FrameLayout::wait_mask(join), 0);
        resumption_.start();
        if (loops()) {
            h.store32(VALKYR_FRAME(loops_left), 1);
            h.store32(VALKYR_FRAME(loop_rounds), 0);
        }
        c.regs.end_entry();
        if (weight_before(c.program.steps.size()) > kLongProgram)
            end_if_cancelled();
        // A cancelled kernel stays incomplete; the recompiler discards it.
        for (uint32_t b = 0; b < c.program.blocks.size() && !c.plan.cancellation.requested(); ++b)
            emit_block(b);
        resumption_.finish(resume, entries_, join_);
        c.block = nullptr;  // what follows the body runs whatever lanes are left
    }

private:
    static constexpr unsigned kNoJoin = 0xFFFFFFFF;
    // Code beyond these weights (weight_of()) tests exec::LoopWatch::cancelled. Real shaders are
    // rarely so long, and in long code the tests cost little.
    static constexpr uint32_t kLongProgram = 16384;  ///< a program: tests at its beginning
    static constexpr uint32_t kLongWay = 16384;      ///< straight code between two tests
    static constexpr uint32_t kLongBody = 2048;      ///< a loop's body: each round tests

    /// Whether a block branches backwards. (A call does, or its return goes to after the call.)
    [[nodiscard]] bool loops() const {
        const std::vector<Block>& blocks = c.program.blocks;
        for (uint32_t b = 0; b < blocks.size(); ++b)
            if ((blocks[b].exit == Exit::Jump || blocks[b].exit == Exit::Branch) &&
                blocks[b].target <= b)
                return true;
        return false;
    }

    void emit_block(uint32_t b) {
        const Block& block = c.program.blocks[b];
        c.block = &block;
        enter(b);
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            if (c.plan.cancellation.requested())
                return;
            emit_step(b, k);
            look_after(k);
        }
        leave(b);
    }

    /// The cost of a step in instructions; a message counts as kMessageWeight.
    static uint32_t weight_of(const Step& step) {
        constexpr uint32_t kMessageWeight = 128;
        constexpr uint32_t kDoubleWeight = 16;
        if (step.doubles)
            return kDoubleWeight;
        return valhall::is_alu(valhall::op_info(step.instr.op).unit) ? 1 : kMessageWeight;
    }
    /// The cost of the steps before step k.
    [[nodiscard]] uint32_t weight_before(size_t k) {
        if (weights_.empty()) {
            weights_.push_back(0);
            for (const Step& step : c.program.steps)
                weights_.push_back(weights_.back() + weight_of(step));
        }
        return weights_[k];
    }

    /// In long straight code, emits a test for cancellation every kLongWay.
    void look_after(uint32_t k) {
        const uint32_t weight = weight_before(size_t{k} + 1);
        if (weight - looked_at_ < kLongWay || c.branch_bits != BranchBits::None ||
            is_branch(c.program.steps[k]))
            return;
        looked_at_ = weight;
        end_if_cancelled();
    }

    /// Ends the warp if exec::LoopWatch::cancelled is set. Changes the flags.
    void end_if_cancelled() {
        const Label on = h.new_label();
        const Scalar watch = c.load64({Gp::Call, 0});
        const Scalar word = c.scalar();
        h.load64(watch, {watch, static_cast<int32_t>(offsetof(exec::DrawContext, watch))});
        h.move(word, uint64_t{0});
        h.compare64(watch, word);
        h.jump(Jump::Equal, on);
        h.load32(word, {watch, offsetof(exec::LoopWatch, cancelled)});
        h.test32(word);
        h.jump(Jump::NotEqual, cancelled_);
        h.bind(on);
    }

    void emit_step(uint32_t b, uint32_t k) {
        const Step& step = c.program.steps[k];
        c.begin_step(step);
        c.regs.begin_step(k);
        const bool discards = step.instr.flow == valhall::Flow::discard;
        if (discards && is_branch(step))  // equals an end after the test, which has no effects
            end_helpers(b);
        const Emitter emitter = step.doubles ? emit_double : emitter_of(step.instr.op);
        if (feeds_branch(c.program, *c.block, k))
            c.branch_bits = BranchBits::Wanted;
        if (step.dead) {
            // Nothing to emit.
        } else if (step.doubles || emits_by_part(step.instr.op)) {
            for (c.part = 0; c.part < c.parts && !c.wrote_constant; ++c.part) {
                emitter(c);
                c.regs.end_part();
            }
            c.part = 0;
        } else {
            emitter(c);
        }
        if (c.branch_bits == BranchBits::Wanted)
            c.branch_bits = BranchBits::Ready;
        if (step.instr.flow == valhall::Flow::end)
            c.export_registers();
        // leave() emits the branch, which still reads its operand.
        if (!is_branch(step))
            c.regs.end_step();
        if (discards && !is_branch(step))
            end_helpers(b);
    }

    /// Ends the running lanes that are helpers.
    void end_helpers(uint32_t b) {
        h.and32(Gp::Running, VALKYR_FRAME(live));
        h.test32(Gp::Running);
        h.jump(Jump::Equal, c.block->partial ? next_join(b) : end_);
        if (c.block->masks)
            c.load_exec_masks();
    }

    static bool is_branch(const Step& step) {
        return valhall::has_effect(step.instr.op, valhall::Effect::branch);
    }

    void enter(uint32_t b) {
        const Block& block = c.program.blocks[b];
        h.bind(entries_[b]);
        if (block.join) {
            const Address waiting = FrameLayout::wait_mask(join_[b]);
            h.or32(Gp::Running, waiting);
            h.store32(waiting, 0);
            h.test32(Gp::Running);
            h.jump(Jump::Equal, next_join(b));
        }
        if (block.masks)
            c.load_exec_masks();
        h.bind(same_lanes_[b]);
        c.regs.begin_block(b);
    }

    /// The target of block b when no lane runs: the next block at which lanes can wait.
    Label next_join(uint32_t b) const {
        for (uint32_t k = b + 1; k < c.program.blocks.size(); ++k)
            if (c.program.blocks[k].join)
                return entries_[k];
        return end_;
    }

    void leave(uint32_t b) {
        const Block& block = c.program.blocks[b];
        switch (block.exit) {
        case Exit::FallThrough: finish_block(); return;
        case Exit::End: leave_by_end(b); return;
        case Exit::Jump:
            finish_block();
            transfer_all(b, block.target);
            return;
        case Exit::Branch:
            if (block.uniform)
                leave_by_uniform_branch(b);
            else
                leave_by_branch(b);
            return;
        case Exit::Indirect: leave_by_indirect_branch(b); return;
        case Exit::Barrier: leave_by_barrier(b); return;
        }
    }

    void finish_block() {
        if (is_branch(c.program.last_step(*c.block)))
            c.regs.end_step();
        c.regs.end_block();
    }

    void leave_by_end(uint32_t b) {
        finish_block();
        if (c.block->partial) {
            h.move(Gp::Running, uint64_t{0});
            h.jump(next_join(b));
        } else if (b + 1 < c.program.blocks.size()) {
            h.jump(end_);
        }
    }

    void leave_by_barrier(uint32_t b) {
        finish_block();
        resumption_.wait_behind(b);
        if (c.block->partial)
            h.jump(next_join(b));
    }

    /// All running lanes go from the end of block b to block `to`.
    void transfer_all(uint32_t b, uint32_t to) {
        if (c.block->partial && to > b && next_join_index(b) != to) {
            h.or32(FrameLayout::wait_mask(join_[to]), Gp::Running);
            h.move(Gp::Running, uint64_t{0});
            h.jump(next_join(b));
        } else if (to <= b) {
            go_back(to);
        } else if (to != b + 1) {
            h.jump(entries_[to]);
        }
    }

    /// Goes back to block `to`, which is not after this one, if the last comparison has this
    /// result.
    void go_back_if(Jump condition, uint32_t to) {
        const Label on = h.new_label();
        h.jump(condition == Jump::Equal ? Jump::NotEqual : Jump::Equal, on);
        go_back(to);
        h.bind(on);
    }

    /// The running lanes go back to block `to`, unless exec::LoopWatch ends the warp.
    void go_back(uint32_t to) {
        // In a long body each round tests for cancellation.
        const Block& last = *c.block;
        if (weight_before(size_t{last.first} + last.count) -
                weight_before(c.program.blocks[to].first) >
            kLongBody)
            end_if_cancelled();
        const Label refill = h.new_label();
        {
            const Scalar left = c.scalar();
            h.load32(left, VALKYR_FRAME(loops_left));
            h.add32(left, -1);
            h.store32(VALKYR_FRAME(loops_left), left);
            h.test32(left);
            h.jump(Jump::NotEqual, entries_[to]);
        }
        const Scalar watch = c.load64({Gp::Call, 0});
        h.load64(watch, {watch, static_cast<int32_t>(offsetof(exec::DrawContext, watch))});
        const Scalar zero = c.scalar();
        h.move(zero, uint64_t{0});
        h.compare64(watch, zero);
        h.jump(Jump::Equal, refill);
        const Scalar ended = c.load64({watch, offsetof(exec::LoopWatch, runaway)});  // or cancelled
        h.compare64(ended, zero);
        h.jump(Jump::NotEqual, cancelled_);
        const Scalar rounds = c.scalar();
        h.load32(rounds, VALKYR_FRAME(loop_rounds));
        h.add32(rounds, 1);
        h.store32(VALKYR_FRAME(loop_rounds), rounds);
        h.compare32(rounds, {watch, offsetof(exec::LoopWatch, most_rounds)});
        h.jump(Jump::NotEqual, refill);
        h.store32({watch, offsetof(exec::LoopWatch, runaway)}, 1);
        h.jump(cancelled_);
        h.bind(refill);
        h.store32(VALKYR_FRAME(loops_left), exec::kLoopRound);
        h.jump(entries_[to]);
    }

    uint32_t next_join_index(uint32_t b) const {
        uint32_t k = b + 1;
        while (k < c.program.blocks.size() && !c.program.blocks[k].join)
            ++k;
        return k;
    }

    void leave_by_uniform_branch(uint32_t b) {
        const Block& block = c.program.blocks[b];
        const valhall::Instr& branch = c.instr();
        // Lanes that wait or have ended may have another condition: test running lanes only.
        if (c.program.needs_running_mask()) {
            const Scalar taken = taken_lanes();
            finish_block();
            h.test32(taken);
            branch_to(b, block.target, Jump::NotEqual);
            return;
        }
        const Scalar word = c.first_word(0);
        const uint32_t tested = combine_mask(branch.src[0].selector);
        if (tested != 0xFFFFFFFF)
            h.and32(word, tested);
        finish_block();
        h.test32(word);
        branch_to(b, block.target, branch.mod(Mod::eq) ? Jump::Equal : Jump::NotEqual);
    }

    void branch_to(uint32_t b, uint32_t to, Jump condition) {
        if (to <= b)
            go_back_if(condition, to);
        else
            h.jump(condition, entries_[to]);
    }

    /// The running lanes that take the branch.
    Scalar taken_lanes() {
        const valhall::Instr& branch = c.instr();
        const uint32_t tested = combine_mask(branch.src[0].selector);
        Scalar lanes = std::move(c.branch_lanes);
        for (c.part = 0; c.part < c.parts && c.branch_bits == BranchBits::None; ++c.part) {
            Temp value = c.word(0);
            if (tested != 0xFFFFFFFF) {
                Temp masked = c.scratch();
                h.op(Binary::And, masked, value, c.pool(tested));
                value = std::move(masked);
            }
            const TempMask nonzero = c.scratch_mask();
            h.test_nonzero(nonzero, value);
            c.collect_bits(lanes, nonzero);
        }
        c.part = 0;
        c.branch_bits = BranchBits::None;
        if (branch.mod(Mod::eq))
            h.and_not32(lanes, lanes, Gp::Running);
        else
            h.and32(lanes, Gp::Running);
        return lanes;
    }

    void leave_by_branch(uint32_t b) {
        const uint32_t target = c.block->target;
        const Scalar taken = taken_lanes();
        finish_block();
        if (target > b) {
            if (leaves_loop(b))
                skip_if_none_leaves(b, taken);
            h.or32(FrameLayout::wait_mask(join_[target]), taken);
            h.and_not32(Gp::Running, taken, Gp::Running);
            h.test32(Gp::Running);
            h.jump(Jump::Equal, next_join(b));
        } else {
            run_only(taken, b + 1);
            h.test32(Gp::Running);
            go_back_if(Jump::NotEqual, target);
        }
    }

    /// Continues with `lanes` only; parks the other running lanes at block `others`.
    void run_only(Gp lanes, uint32_t others) {
        const Scalar rest = c.scalar();
        h.and_not32(rest, lanes, Gp::Running);
        h.or32(FrameLayout::wait_mask(join_[others]), rest);
        h.move(Gp::Running, lanes);
    }

    /// Whether the branch at the end of block b leaves a loop. Usually no lane takes such a branch.
    [[nodiscard]] bool leaves_loop(uint32_t b) const {
        const std::vector<Block>& blocks = c.program.blocks;
        return blocks[blocks[b].target].loop_depth < blocks[b].loop_depth;
    }

    /// If no lane takes the branch, jumps to the next block without changing any mask.
    void skip_if_none_leaves(uint32_t b, Gp taken) {
        const Block& next = c.program.blocks[b + 1];
        const bool same = !next.join && (!next.masks || c.block->masks);
        h.test32(taken);
        h.jump(Jump::Equal, same ? same_lanes_[b + 1] : entries_[b + 1]);
    }

    /// The lanes that take the branch go to the return point at their address, or to the end if no
    /// return point has it.
    void leave_by_indirect_branch(uint32_t b) {
        const bool conditional = c.block->conditional;
        const Label none = h.new_label();
        const Scalar to = c.uniform_word(1);
        Scalar taken;
        if (conditional)
            taken = taken_lanes();
        finish_block();
        if (conditional) {
            h.test32(taken);
            h.jump(Jump::Equal, none);
        }
        for (uint32_t point : c.program.return_points) {
            const Label next = h.new_label();
            const uint32_t word = c.program.steps[c.program.blocks[point].first].word_index;
            h.compare32(to, 8 * word);
            h.jump(Jump::NotEqual, next);
            if (conditional)
                transfer_some(b, point, taken);
            else
                transfer_by_address(b, point);
            h.bind(next);
        }
        h.jump(end_);
        h.bind(none);
    }

    /// All running lanes go to a return point, at which other lanes may wait.
    void transfer_by_address(uint32_t b, uint32_t point) {
        if (!c.block->partial || point <= b)
            return h.jump(entries_[point]);
        h.or32(FrameLayout::wait_mask(join_[point]), Gp::Running);
        h.move(Gp::Running, uint64_t{0});
        h.jump(next_join(b));
    }

    /// The lanes `taken` go to a return point, the others to the next block.
    void transfer_some(uint32_t b, uint32_t point, Gp taken) {
        if (point > b) {
            h.or32(FrameLayout::wait_mask(join_[point]), taken);
            h.and_not32(Gp::Running, taken, Gp::Running);
            h.test32(Gp::Running);
            h.jump(Jump::Equal, next_join(b));
            h.jump(entries_[b + 1]);
        } else {
            run_only(taken, b + 1);
            h.jump(entries_[point]);
        }
    }

    EmitContext& c;
    HostAssembler& h;
    Resumption resumption_;
    Label end_;        ///< no lane runs any more
    Label cancelled_;  ///< the warp ends, whatever its lanes do
    std::vector<Label> entries_;
    std::vector<uint32_t> weights_;  ///< prefix sums for weight_before()
    uint32_t looked_at_ = 0;
    std::vector<Label> same_lanes_;  ///< after the entry: execution masks are loaded already
    std::vector<unsigned> join_;     ///< by block: number of its wait mask
};

}  // namespace

void emit_body(EmitContext& c, Label end, Label resume) {
    BodyEmitter(c, end).run(resume);
}

}  // namespace valkyr::jit
