// Program graph: holds blocks, edges and dominators of a decoded program.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/isa/instr.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace valkyr::valhall {

/// A maximal run of instructions without branches or branch targets inside.
struct BasicBlock {
    uint32_t first = 0;  ///< word indices, both inclusive
    uint32_t last = 0;
    std::vector<uint32_t> successors;  ///< block numbers
    std::vector<uint32_t> predecessors;
    bool reachable = false;
};

/// Word that a taken branch or BLEND goes to; nothing for other instructions and for indirect
/// branches. It may lie outside of the program.
std::optional<int64_t> branch_target(const Instr& instr, uint32_t word_index);

/// BRANCHZ that is always taken: `.eq` on a constant zero.
bool is_unconditional(const Instr& instr);

/// Whether lanes may disagree at a conditional branch: its condition is in a register.
bool may_diverge(const Instr& instr);

/// Graph of a program that starts at word 0. Edges lead to the next instruction, except after
/// `.end` or an unconditional branch, and to branch targets. BLEND has both edges, since its
/// descriptor decides (with `.end` only the one to the next instruction). An indirect branch has
/// only the edge to the next instruction: it calls a blend shader, which returns there unless the
/// BLEND before it ends the program. Edges out of the program are omitted.
class ProgramGraph {
public:
    explicit ProgramGraph(std::span<const Instr> program);

    [[nodiscard]] const std::vector<BasicBlock>& blocks() const { return blocks_; }
    [[nodiscard]] uint32_t block_of(uint32_t word_index) const { return block_of_[word_index]; }
    [[nodiscard]] bool reachable(uint32_t word_index) const {
        return blocks_[block_of_[word_index]].reachable;
    }
    /// Instructions that may run directly before this one (reachable ones only).
    [[nodiscard]] std::vector<uint32_t> instructions_before(uint32_t word_index) const;
    /// Every path from the start to block b goes through block a; both reachable.
    [[nodiscard]] bool dominates(uint32_t a, uint32_t b) const;

private:
    void make_blocks(std::span<const Instr> program);
    void make_edges(std::span<const Instr> program);
    void find_reachable();
    void find_dominators();

    std::vector<BasicBlock> blocks_;
    std::vector<uint32_t> block_of_;
    std::vector<uint32_t> immediate_dominator_;
    std::vector<uint32_t> order_;  ///< reverse postorder number of each block
};

/// Solves a forward data-flow problem. State has `bool join(const State&)`, which merges another
/// state into it and tells whether it changed. transfer(state, word_index) applies one instruction.
/// Returns the state at the start of every block; unreachable blocks keep a copy of `entry`.
template <typename State, typename Transfer>
std::vector<State>
solve_forward(const ProgramGraph& graph, const State& entry, const Transfer& transfer) {
    const auto& blocks = graph.blocks();
    std::vector<State> states(blocks.size(), entry);
    std::vector<bool> visited(blocks.size(), false);
    std::vector<bool> queued(blocks.size(), false);
    std::vector<uint32_t> work;
    if (!blocks.empty()) {
        work.push_back(0);
        visited[0] = true;
    }
    while (!work.empty()) {
        const uint32_t number = work.back();
        work.pop_back();
        queued[number] = false;
        State state = states[number];
        for (uint32_t word = blocks[number].first; word <= blocks[number].last; ++word)
            transfer(state, word);
        for (const uint32_t next : blocks[number].successors) {
            bool changed = !visited[next];
            if (changed)
                states[next] = state;
            else
                changed = states[next].join(state);
            visited[next] = true;
            if (changed && !queued[next]) {
                queued[next] = true;
                work.push_back(next);
            }
        }
    }
    return states;
}

}  // namespace valkyr::valhall
