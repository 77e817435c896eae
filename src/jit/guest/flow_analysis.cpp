// Flow analysis: finds divergence, uniform branches and live registers.
// SPDX-License-Identifier: MIT
#include "jit/guest/flow_analysis.hpp"

#include "jit/guest/uniformity.hpp"

#include <algorithm>

namespace valkyr::jit {

using valhall::Effect;
using valhall::SubgroupSize;

namespace {

/// Whether lanes can take different ways at the end of the block.
bool splits(const Block& block) {
    return (block.exit == Exit::Branch && !block.uniform) ||
           (block.exit == Exit::Indirect && block.conditional);
}

/// The blocks [first, last] of a loop, whose last one jumps back to the first.
struct Loop {
    uint32_t first;
    uint32_t last;
};

std::vector<Loop> find_jumps_back(const GuestProgram& program) {
    std::vector<Loop> loops;
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        if ((block.exit == Exit::Jump || block.exit == Exit::Branch) && block.target <= b)
            loops.push_back({block.target, b});
    }
    return loops;
}

/// Finds the blocks that run while lanes may wait elsewhere. A jump that not all lanes take, or
/// that lanes take while others wait, makes lanes wait during all blocks between its ends. After a
/// forward jump the lanes that took it wait at the target; after a backward jump the others wait
/// behind the loop.
class PartialBlocks {
public:
    PartialBlocks(GuestProgram& program, Cancellation cancellation)
        : program_(program)
        , cancellation_(cancellation)
        , waits_(program.blocks.size(), false)
        , first_source_(program.blocks.size(), 0) {}

    void run() {
        for (const ResumePoint& point : program_.resume_points)
            program_.blocks[point.block].join = true;
        for (changed_ = true; changed_;) {
            changed_ = false;
            for (uint32_t b = 0; b < program_.blocks.size() && !cancellation_.requested(); ++b)
                visit(b);
        }
        find_wait_ranges();
    }

private:
    /// Lanes wait at a join from the end of a block that sends them there. If a loop has this
    /// block, the lanes that go round it run all of the loop meanwhile. After returns and BARRIERs
    /// any block may run.
    void find_wait_ranges() {
        const bool anywhere = !program_.return_points.empty() || !program_.resume_points.empty();
        const std::vector<Loop> loops = find_jumps_back(program_);
        for (uint32_t b = 0; b < program_.blocks.size() && !cancellation_.requested(); ++b)
            program_.blocks[b].wait_begin =
                anywhere || !waits_[b] ? 0 : first_behind(loops, first_source_[b]);
    }

    /// The first block that may run after block b: the next one, or the first one of the loops
    /// that have b, and of those that have their first blocks.
    static uint32_t first_behind(const std::vector<Loop>& loops, uint32_t b) {
        uint32_t first = b + 1;
        for (bool changed = true; changed;) {
            changed = false;
            for (const Loop& loop : loops) {
                if (loop.first >= first || loop.last + 1 < first)
                    continue;
                first = loop.first;
                changed = true;
            }
        }
        return first;
    }

    void visit(uint32_t b) {
        Block& block = program_.blocks[b];
        if (!splits(block) && !block.partial)
            return;
        switch (block.exit) {
        case Exit::Jump:
        case Exit::Branch: transfer(b, block.target); break;
        case Exit::Indirect:
            for (uint32_t target : program_.return_points)
                transfer(b, target);
            break;
        case Exit::End: program_.lanes_end = true; break;
        case Exit::FallThrough: break;
        case Exit::Barrier: park(b); break;
        }
    }

    /// Lanes of a partial block are parked behind it. Meanwhile the lanes that wait elsewhere go
    /// on, until they have ended or are parked as well.
    void park(uint32_t b) {
        ResumePoint& point = *std::ranges::find(program_.resume_points, b + 1, &ResumePoint::block);
        point.meanwhile = blocks_meanwhile(b);
        for (uint32_t k = 0; k < point.meanwhile.size(); ++k) {
            if (!point.meanwhile[k])
                continue;
            mark_partial(k);
            // When both groups of lanes go on, those at the later point wait for the others.
            if (k != b && program_.blocks[k].exit == Exit::Barrier)
                transfer(std::min(b, k), std::max(b, k) + 1);
        }
    }

    /// The blocks that may run while lanes are parked behind block b: those that other lanes wait
    /// at now, and all that they can come to.
    [[nodiscard]] std::vector<bool> blocks_meanwhile(uint32_t b) const {
        const std::vector<Block>& blocks = program_.blocks;
        std::vector<bool> reached(blocks.size(), false);
        std::vector<uint32_t> work;
        const auto reach = [&](uint32_t k) {
            if (!reached[k])
                work.push_back(k);
            reached[k] = true;
        };
        for (uint32_t k = b + 1; k < blocks.size(); ++k) {
            if (waits_[k])
                reach(k);
            if (!blocks[k].partial)
                break;
        }
        while (!work.empty()) {
            const uint32_t k = work.back();
            work.pop_back();
            if (blocks[k].exit != Exit::Barrier)
                program_.each_successor(k, reach);
        }
        return reached;
    }

    void transfer(uint32_t from, uint32_t to) {
        const bool forward = to > from;
        mark_join(forward ? to : from + 1, from);
        for (uint32_t b = forward ? from + 1 : to; b < (forward ? to : from + 1); ++b)
            mark_partial(b);
    }

    /// source  the block at whose end lanes begin to wait
    void mark_join(uint32_t b, uint32_t source) {
        if (b >= program_.blocks.size())
            return;
        first_source_[b] = waits_[b] ? std::min(first_source_[b], source) : source;
        changed_ |= !waits_[b];
        program_.blocks[b].join = true;
        waits_[b] = true;
    }

    void mark_partial(uint32_t b) {
        if (program_.blocks[b].partial)
            return;
        program_.blocks[b].partial = true;
        program_.has_partial = true;
        changed_ = true;
    }

    GuestProgram& program_;
    Cancellation cancellation_;
    /// By block: lanes can wait there for others between two rounds.
    std::vector<bool> waits_;
    /// By block that lanes can wait at: the first one that sends them there.
    std::vector<uint32_t> first_source_;
    bool changed_ = false;
};

void find_loops(GuestProgram& program) {
    for (const Loop& loop : find_jumps_back(program))
        for (uint32_t k = loop.first; k <= loop.last; ++k)
            program.blocks[k].loop_depth =
                static_cast<uint8_t>(std::min(program.blocks[k].loop_depth + 1, 8));
}

/// Whether only covered quads may start: the program could observe uncovered quads, or these could
/// loop for ever.
bool needs_exact_start(const GuestProgram& program) {
    if (program.source->info.stage != exec::Stage::Fragment)
        return true;
    const auto loops = [](const Block& block) { return block.loop_depth > 0; };
    const auto observes = [](const Step& step) {
        const valhall::Instr& instr = step.instr;
        const bool beyond_quads =
            is_cross_lane(instr.op) &&
            instr.get<valhall::SubgroupSize>(valhall::Mod::subgroup) > SubgroupSize::subgroup4;
        // Helpers perform forced stores, but pixels of uncovered quads must not.
        return beyond_quads || has_effect(instr.op, Effect::load | Effect::store);
    };
    return std::ranges::any_of(program.blocks, loops) ||
           std::ranges::any_of(program.steps, observes);
}

/// The registers that a block reads before it writes them, and those that it writes.
struct BlockAccess {
    RegSet exposed;
    RegSet written;
};

std::vector<BlockAccess> block_accesses(const GuestProgram& program) {
    std::vector<BlockAccess> result;
    result.reserve(program.blocks.size());
    for (const Block& block : program.blocks) {
        BlockAccess access;
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            access.exposed |= program.steps[k].access.reads - access.written;
            access.written |= program.steps[k].access.writes;
        }
        result.push_back(access);
    }
    return result;
}

class Liveness {
public:
    Liveness(GuestProgram& program, Cancellation cancellation)
        : program_(program)
        , cancellation_(cancellation)
        , access_(block_accesses(program)) {}

    /// Solves liveness for the running lanes or, if `waiting`, for all lanes that share the
    /// registers.
    void solve(bool waiting) {
        for (Block& block : program_.blocks)
            block.live_in = block.live_out = {};
        for (bool changed = true; changed && !cancellation_.requested();) {
            changed = false;
            for (size_t k = program_.blocks.size(); k-- > 0;)
                changed |= update(static_cast<uint32_t>(k), waiting);
        }
    }

    /// Runs after solve(false). Waiting lanes are at joins behind the running block.
    void find_waited_for() {
        std::vector<Block>& blocks = program_.blocks;
        for (uint32_t b = 0; b < blocks.size(); ++b)
            blocks[b].waited_for = blocks[b].partial ? parked(b) : RegSet{};
        for (uint32_t b = 0; b < blocks.size() && !cancellation_.requested(); ++b)
            for (uint32_t k = blocks[b].join ? blocks[b].wait_begin : b; k < b; ++k)
                if (blocks[k].partial)
                    blocks[k].waited_for |= blocks[b].live_in;
    }

    void find_masks() {
        for (size_t b = 0; b < program_.blocks.size(); ++b) {
            Block& block = program_.blocks[b];
            RegSet changed = access_[b].written;
            changed &= block.live_out;
            changed &= block.waited_for;
            block.masks = !changed.empty();
        }
    }

    /// Drops registers that no path to the block has written, nor to a BARRIER behind which lanes
    /// may wait apart from those that run the block: they hold no value.
    void drop_undefined(RegSet entry) {
        std::vector<RegSet> defined(program_.blocks.size());
        defined[0] = entry;
        for (bool changed = true; changed && !cancellation_.requested();) {
            changed = false;
            const auto add = [&](uint32_t to, RegSet more) {
                const RegSet all = defined[to] | more;
                changed |= !(all == defined[to]);
                defined[to] = all;
            };
            RegSet apart;
            for (const ResumePoint& point : program_.resume_points)
                if (!point.together())
                    apart |= defined[point.block];
            for (uint32_t b = 0; b < defined.size(); ++b) {
                if (program_.blocks[b].partial)
                    add(b, apart);
                each_way(b, true, [&](uint32_t to) { add(to, defined[b] | access_[b].written); });
            }
        }
        for (uint32_t b = 0; b < defined.size(); ++b) {
            program_.blocks[b].live_in &= defined[b];
            program_.blocks[b].live_out &= defined[b] | access_[b].written;
        }
    }

private:
    /// Calls f for the successors, and for the next block if lanes may wait there or behind it.
    template <typename F>
    void each_way(uint32_t b, bool waiting, F f) const {
        program_.each_successor(b, f);
        if (waiting && program_.blocks[b].partial && b + 1 < program_.blocks.size())
            f(b + 1);
    }

    /// The registers that lanes will read which may be parked while block b runs.
    [[nodiscard]] RegSet parked(uint32_t b) const {
        RegSet registers;
        for (const ResumePoint& point : program_.resume_points)
            if (point.parks_during(b))
                registers |= program_.blocks[point.block].live_in;
        return registers;
    }

    bool update(uint32_t b, bool waiting) {
        Block& block = program_.blocks[b];
        RegSet out = waiting ? parked(b) : RegSet{};
        each_way(b, waiting, [&](uint32_t to) { out |= program_.blocks[to].live_in; });
        // A write in running lanes only does not end the life of waiting lanes' values.
        const RegSet killed = waiting ? access_[b].written - block.waited_for : access_[b].written;
        const RegSet in = access_[b].exposed | (out - killed);
        const bool changed = !(in == block.live_in) || !(out == block.live_out);
        block.live_in = in;
        block.live_out = out;
        return changed;
    }

    GuestProgram& program_;
    Cancellation cancellation_;
    std::vector<BlockAccess> access_;
};

}  // namespace

void find_divergence(GuestProgram& program, Cancellation cancellation) {
    find_loops(program);
    program.starts_partial = needs_exact_start(program);
    program.lanes_end =
        std::any_of(program.steps.begin(), program.steps.end(),
                    [](const Step& step) { return step.instr.flow == valhall::Flow::discard; });
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        program.blocks[b].uniform = program.blocks[b].exit == Exit::Branch;
        program.each_successor(b, [&](uint32_t to) { program.entry_repeats |= to == 0; });
    }
    // Divergence makes values non-uniform, which makes more branches divergent.
    do
        PartialBlocks(program, cancellation).run();
    while (!cancellation.requested() && !confirm_uniform_branches(program, cancellation));
    mark_same_operands(program, cancellation);
}

FlowFacts find_liveness(GuestProgram& program, Cancellation cancellation) {
    Liveness liveness(program, cancellation);
    liveness.solve(false);
    const FlowFacts facts{program.blocks.front().live_in};
    if (program.has_partial) {
        liveness.find_waited_for();
        liveness.solve(true);
        liveness.drop_undefined(facts.entry_live);
        liveness.find_masks();
    }
    return facts;
}

}  // namespace valkyr::jit
