// Guest program: decodes reachable instructions and divides them into basic blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/cancellation.hpp"
#include "base/result.hpp"
#include "jit/guest/expansion.hpp"
#include "jit/guest/register_access.hpp"

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

namespace valkyr::jit {

/// The doubles of a step that are wide: their guest registers have halves of the lanes' doubles
/// instead of words (wide_doubles.hpp).
struct WideDoubles {
    bool result = false;
    uint8_t sources = 0;  ///< bit i: source i of the operation
};

/// One reachable instruction, or the words of an operation on doubles (double_steps.hpp).
struct Step {
    valhall::Instr instr;
    Access access;
    uint32_t word_index = 0;
    MessageChoice message = {};  ///< how it becomes host code (choose_expansions.hpp)
    /// CLPER: the lanes of each quad that its lanes read (LaneWords::quad_lanes), if known and all
    /// lanes run.
    std::optional<uint8_t> quad_lanes = {};
    bool same_operands = false;  ///< TEX_FETCH: see mark_same_operands()
    bool dead = false;           ///< no step reads its result (trim.hpp)
    /// NaNs in its result become the quiet NaN: their bits can be seen (nan_bits.hpp).
    bool quiet_nans = false;
    /// The operation that the step computes with host doubles. Then `instr` is a NOP with the flow
    /// of the last word.
    std::optional<valhall::DoubleRange> doubles = {};
    WideDoubles wide = {};

    [[nodiscard]] uint32_t last_word() const {
        return doubles ? doubles->first + doubles->count - 1 : word_index;
    }
};

/// The registers that a step reads and writes, when no expansion of its message is known.
Access step_access(const Step& step, const valhall::Program& program, const KernelKey& key);

/// How a block ends.
enum class Exit : uint8_t {
    FallThrough,  ///< into the next block of the list
    Jump,         ///< all running lanes go to `target`
    Branch,       ///< some lanes go to `target`, the others fall through
    Indirect,     ///< BRANCHZI: lanes go to one of the return points; see Block::conditional
    Barrier,      ///< the running lanes are parked, and go on with the next block in the next round
    End,          ///< the running lanes end
};

/// Steps [first, first + count); blocks are in program order.
struct Block {
    uint32_t first = 0;
    uint32_t count = 0;
    Exit exit = Exit::FallThrough;
    uint32_t target = 0;       ///< block, for Jump and Branch
    bool partial = false;      ///< lanes may wait elsewhere while it runs
    bool uniform = false;      ///< its Branch takes all running lanes or none
    bool conditional = false;  ///< Indirect: lanes that do not take it fall through
    bool join = false;         ///< lanes can wait at its entry
    uint8_t loop_depth = 0;
    /// A join: the blocks [wait_begin, this one) may run while lanes wait at its entry.
    uint32_t wait_begin = 0;
    RegSet live_in;  ///< of all lanes, waiting ones included
    RegSet live_out;
    RegSet waited_for;   ///< registers that lanes waiting while it runs will read
    bool masks = false;  ///< it writes some of these: homes change in running lanes only
};

/// A block at which lanes go on after a BARRIER at the end of the block before it.
struct ResumePoint {
    uint32_t block = 0;
    /// By block: it may run while lanes are parked here. Empty: all lanes of a warp that have not
    /// ended come here together.
    std::vector<bool> meanwhile = {};

    [[nodiscard]] bool together() const { return meanwhile.empty(); }
    [[nodiscard]] bool parks_during(uint32_t b) const { return !together() && meanwhile[b]; }
};

/// A program, decoded and divided into blocks.
struct GuestProgram {
    const valhall::Program* source = nullptr;
    std::vector<Step> steps;
    std::vector<Block> blocks;
    std::vector<uint32_t> return_points;  ///< blocks that an Indirect exit may go to
    /// In program order; none if no warp has to wait at a BARRIER (barriers.hpp).
    std::vector<ResumePoint> resume_points;
    bool starts_partial = true;  ///< some lanes of a warp may not start
    bool has_partial = false;    ///< some block is partial
    bool lanes_end = false;      ///< lanes can end while others run on
    bool entry_repeats = false;  ///< some branch goes to the first block
    /// Fragment: every reader of r60 gets the initial coverage, which equals the live lanes, so
    /// that no code reads the register (trim.hpp).
    bool entry_coverage = false;
    /// Compute: entry registers that no instruction reads or writes (idle_ids.hpp).
    RegSet idle_ids;

    /// The blocks at which lanes can wait.
    [[nodiscard]] unsigned joins() const {
        return static_cast<unsigned>(std::ranges::count_if(blocks, &Block::join));
    }
    /// Some lanes may not run in a block.
    [[nodiscard]] bool needs_running_mask() const { return has_partial || lanes_end; }
    /// Whether all lanes run in a block. They do so again behind the branches that parted them.
    [[nodiscard]] bool runs_whole(const Block& b) const {
        return !starts_partial && !lanes_end && !b.partial;
    }
    [[nodiscard]] const Step& last_step(const Block& b) const {
        return steps[b.first + b.count - 1];
    }
    /// Calls f(block index) for every successor of block b.
    template <typename F>
    void each_successor(uint32_t b, F f) const;
};

/// Decodes, drops unreachable instructions and finds blocks; find_divergence() and later passes set
/// the other members.
/// host_doubles  RecompileOptions::host_doubles
/// errors  BadEncoding: a word does not decode, a branch leaves the program, or it is empty;
///         Cancelled
Result<GuestProgram> read_program(const valhall::Program& program,
                                  const KernelKey& key,
                                  bool host_doubles = true,
                                  Cancellation cancellation = {});

template <typename F>
void GuestProgram::each_successor(uint32_t b, F f) const {
    const Block& block = blocks[b];
    switch (block.exit) {
    case Exit::FallThrough:
    case Exit::Barrier: f(b + 1); break;
    case Exit::Jump: f(block.target); break;
    case Exit::Branch:
        f(b + 1);
        f(block.target);
        break;
    case Exit::Indirect:
        for (uint32_t r : return_points)
            f(r);
        if (block.conditional)
            f(b + 1);
        break;
    case Exit::End: break;
    }
}

}  // namespace valkyr::jit
