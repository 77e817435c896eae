// Loop latency: finds code that waits for its own results instead of keeping the host busy.
// SPDX-License-Identifier: MIT
#include "jit/kernel/loop_latency.hpp"

#include <algorithm>
#include <array>

namespace valkyr::jit {

namespace {

// A model of the host: every instruction takes as long as a plain one, and two can start in a
// cycle. Quotients and roots take longer (OpInfo::latency), but their unit is busy for a part of
// that time, which further lanes cannot use. The model is cautious and does not count any of it.
constexpr unsigned kAtOnce = 2;

/// Lower bounds of the cycles of one round of a loop: by its chain of results from the previous
/// round, and by its number of instructions.
struct LoopCost {
    unsigned chain = 0;
    unsigned issue = 0;
    /// Whether half as many instructions again would fit into the chain's cycles.
    [[nodiscard]] bool waits() const { return 2 * chain >= 3 * issue; }
};

/// The cycle in which each register has its value, in a host that starts everything at once.
using Ready = std::array<unsigned, kRegCount>;

/// One more round of the blocks `head` to `last`: the last cycle in which one of `carried` is
/// ready.
unsigned run_round(const GuestProgram& program,
                   uint32_t head,
                   uint32_t last,
                   const RegSet& carried,
                   Ready& ready) {
    for (uint32_t b = head; b <= last; ++b) {
        const Block& block = program.blocks[b];
        for (uint32_t k = block.first; k < block.first + block.count; ++k) {
            const Access& access = program.steps[k].access;
            unsigned start = 0;
            access.reads.each([&](Reg r) { start = std::max(start, ready[r]); });
            access.writes.each([&](Reg r) { ready[r] = start + valhall::kPlainLatency; });
        }
    }
    unsigned end = 0;
    carried.each([&](Reg r) { end = std::max(end, ready[r]); });
    return end;
}

/// Registers of the round before that a round reads.
RegSet carried_by(const GuestProgram& program, uint32_t head, uint32_t last) {
    RegSet written;
    for (uint32_t b = head; b <= last; ++b)
        for (uint32_t k = 0; k < program.blocks[b].count; ++k)
            written |= program.steps[program.blocks[b].first + k].access.writes;
    return program.blocks[head].live_in & written;
}

LoopCost cost_of_loop(const GuestProgram& program, uint32_t head, uint32_t last) {
    // A sum over rounds, of what follows from a counter in many steps, adds one step a round: its
    // long way from the counter is only seen once. What counts is how much later a round ends than
    // the one before.
    constexpr unsigned first_rounds = 4;
    constexpr unsigned rounds = 4;
    const RegSet carried = carried_by(program, head, last);
    Ready ready{};
    unsigned begin = 0;
    unsigned end = 0;
    for (unsigned k = 0; k < first_rounds; ++k)
        begin = run_round(program, head, last, carried, ready);
    for (unsigned k = 0; k < rounds; ++k)
        end = run_round(program, head, last, carried, ready);
    unsigned count = 0;
    for (uint32_t b = head; b <= last; ++b)
        count += program.blocks[b].count;
    return {(end - begin) / rounds, (count + kAtOnce - 1) / kAtOnce};
}

/// The longest chains of results in a block.
struct ChainCost {
    unsigned cycles = 0;
    unsigned reads = 0;  ///< texture messages that follow from each other
};

bool samples_texture(const Step& step) {
    return step.message.expansion == Expansion::Texture ||
           step.message.expansion == Expansion::IndexedTexture;
}

ChainCost longest_chain(const GuestProgram& program) {
    std::array<ChainCost, kRegCount> ready{};
    ChainCost longest;
    const auto grow = [](ChainCost& cost, const ChainCost& other) {
        cost.cycles = std::max(cost.cycles, other.cycles);
        cost.reads = std::max(cost.reads, other.reads);
    };
    for (const Step& step : program.steps) {
        ChainCost result;
        step.access.reads.each([&](Reg r) { grow(result, ready[r]); });
        result.cycles +=
            std::max<unsigned>(valhall::op_info(step.instr.op).latency, valhall::kPlainLatency);
        result.reads += samples_texture(step) ? 1 : 0;
        step.access.writes.each([&](Reg r) { ready[r] = result; });
        grow(longest, result);
    }
    return longest;
}

}  // namespace

bool line_waits(const GuestProgram& program) {
    if (program.blocks.size() != 1)
        return false;
    constexpr unsigned many_reads = 3;
    constexpr unsigned long_chain = 5;  // cycles a step; lit surfaces have 2
    constexpr size_t many_steps = 32;   // of less, the processor sees several warps at once
    const size_t steps = program.steps.size();
    const ChainCost chain = longest_chain(program);
    return chain.reads >= many_reads || (steps >= many_steps && chain.cycles >= long_chain * steps);
}

bool loops_wait(const GuestProgram& program) {
    bool found = false;
    uint32_t head = 0;  // first block of the last loop
    for (uint32_t b = 0; b < program.blocks.size(); ++b) {
        const Block& block = program.blocks[b];
        const bool jumps = block.exit == Exit::Jump || block.exit == Exit::Branch;
        if (!jumps || block.target > b)
            continue;
        const bool encloses = found && block.target <= head;
        if (!encloses && !cost_of_loop(program, block.target, b).waits())
            return false;
        head = block.target;
        found = true;
    }
    return found;
}

}  // namespace valkyr::jit
