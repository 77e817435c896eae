// Barriers: end blocks at the BARRIERs of a compute program at which a warp may have to wait.
// SPDX-License-Identifier: MIT
#include "jit/guest/barriers.hpp"

#include "exec/work_groups.hpp"

#include <utility>

namespace valkyr::jit {

namespace {

/// Whether lanes go on behind this step, but not before others have come to it.
bool is_barrier(const Step& step) {
    return has_effect(step.instr.op, valhall::Effect::barrier) &&
           step.instr.flow != valhall::Flow::end;
}

/// Divides the blocks of a program.
class BlockSplitter {
public:
    explicit BlockSplitter(GuestProgram& program)
        : program_(program)
        , old_(std::exchange(program.blocks, {})) {}

    void run() {
        program_.has_partial = false;
        std::vector<uint32_t> moved;  // by old block: the first of its new blocks
        for (const Block& block : old_) {
            moved.push_back(static_cast<uint32_t>(program_.blocks.size()));
            split(block);
        }
        for (Block& block : program_.blocks)
            if (block.exit == Exit::Jump || block.exit == Exit::Branch)
                block.target = moved[block.target];
        for (uint32_t& point : program_.return_points)
            point = moved[point];
    }

private:
    void split(const Block& block) {
        const uint32_t end = block.first + block.count;
        uint32_t first = block.first;
        for (uint32_t k = first; k < end; ++k) {
            if (!is_barrier(program_.steps[k]))
                continue;
            add(first, k + 1).exit = Exit::Barrier;
            program_.resume_points.push_back({static_cast<uint32_t>(program_.blocks.size())});
            first = k + 1;
        }
        if (first == end)
            return;
        Block& rest = add(first, end);
        rest.exit = block.exit;
        rest.target = block.target;
        rest.conditional = block.conditional;
    }

    /// Adds a block of the steps [first, end) without any flow facts.
    Block& add(uint32_t first, uint32_t end) {
        Block& block = program_.blocks.emplace_back();
        block.first = first;
        block.count = end - first;
        return block;
    }

    GuestProgram& program_;
    std::vector<Block> old_;
};

}  // namespace

bool may_wait(const GuestProgram& program) {
    const exec::ProgramInfo& info = program.source->info;
    if (info.stage != exec::Stage::Compute)
        return false;
    const uint32_t invocations = exec::group_invocations(info.compute.block);
    const bool one_warp = invocations != 0 && invocations <= exec::kLanes;
    for (const Block& block : program.blocks)
        for (uint32_t k = block.first; k < block.first + block.count; ++k)
            if (is_barrier(program.steps[k]) && (!one_warp || block.partial))
                return true;
    return false;
}

void end_blocks_at_barriers(GuestProgram& program) {
    BlockSplitter(program).run();
}

}  // namespace valkyr::jit
