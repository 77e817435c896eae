// Program graph: finds blocks, edges and dominators of a decoded program.
// SPDX-License-Identifier: MIT
#include "valhall/isa/program_graph.hpp"

#include <algorithm>

namespace valkyr::valhall {

namespace {

constexpr uint32_t kNone = 0xFFFFFFFF;

bool is_constant_zero(const Source& source) {
    return source.kind == SourceKind::Constant && immediate_table()[source.index % 32] == 0;
}

bool ends_block(const Instr& instr) {
    return has_effect(instr.op, Effect::branch | Effect::blend) || instr.flow == Flow::end;
}

/// Whether execution may go on with the next word.
bool falls_through(std::span<const Instr> program, uint32_t word_index) {
    const Instr& instr = program[word_index];
    if (instr.op == Op::BLEND)
        return true;
    if (instr.op == Op::BRANCHZI && word_index >= 2) {
        const Instr& blend = program[word_index - 2];
        if (blend.op == Op::BLEND && blend.flow == Flow::end)
            return false;
    }
    return instr.flow != Flow::end && !is_unconditional(instr);
}

}  // namespace

std::optional<int64_t> branch_target(const Instr& instr, uint32_t word_index) {
    if (instr.op == Op::BRANCHZ || (instr.op == Op::BLEND && instr.flow != Flow::end))
        return int64_t{word_index} + 1 + instr.imm[0];
    return std::nullopt;
}

bool is_unconditional(const Instr& instr) {
    return instr.op == Op::BRANCHZ && instr.mod(Mod::eq) && is_constant_zero(instr.src[0]);
}

bool may_diverge(const Instr& instr) {
    return instr.op == Op::BRANCHZ && instr.src[0].kind == SourceKind::Register;
}

ProgramGraph::ProgramGraph(std::span<const Instr> program) {
    make_blocks(program);
    make_edges(program);
    find_reachable();
    find_dominators();
}

void ProgramGraph::make_blocks(std::span<const Instr> program) {
    std::vector<bool> leader(program.size() + 1, false);
    for (uint32_t word = 0; word < program.size(); ++word) {
        if (ends_block(program[word]))
            leader[word + 1] = true;
        const auto target = branch_target(program[word], word);
        if (target && *target >= 0 && *target < static_cast<int64_t>(program.size()))
            leader[static_cast<size_t>(*target)] = true;
    }
    block_of_.resize(program.size());
    for (uint32_t word = 0; word < program.size(); ++word) {
        if (word == 0 || leader[word])
            blocks_.push_back({word, word, {}, {}, false});
        blocks_.back().last = word;
        block_of_[word] = static_cast<uint32_t>(blocks_.size() - 1);
    }
}

void ProgramGraph::make_edges(std::span<const Instr> program) {
    const auto connect = [this](uint32_t from, uint32_t to) {
        if (std::ranges::find(blocks_[from].successors, to) != blocks_[from].successors.end())
            return;
        blocks_[from].successors.push_back(to);
        blocks_[to].predecessors.push_back(from);
    };
    for (uint32_t number = 0; number < blocks_.size(); ++number) {
        const uint32_t last = blocks_[number].last;
        const auto target = branch_target(program[last], last);
        if (falls_through(program, last) && last + 1 < program.size())
            connect(number, block_of_[last + 1]);
        if (target && *target >= 0 && *target < static_cast<int64_t>(program.size()))
            connect(number, block_of_[static_cast<size_t>(*target)]);
    }
}

void ProgramGraph::find_reachable() {
    // Depth first; numbering the blocks on the way back gives a postorder.
    struct Visit {
        uint32_t block;
        size_t next;
    };
    order_.assign(blocks_.size(), kNone);
    std::vector<Visit> stack;
    if (!blocks_.empty()) {
        stack.push_back({0, 0});
        blocks_[0].reachable = true;
    }
    uint32_t postorder = 0;
    while (!stack.empty()) {
        Visit& visit = stack.back();
        const auto& successors = blocks_[visit.block].successors;
        if (visit.next == successors.size()) {
            order_[visit.block] = postorder++;
            stack.pop_back();
            continue;
        }
        const uint32_t next = successors[visit.next++];
        if (!blocks_[next].reachable) {
            blocks_[next].reachable = true;
            stack.push_back({next, 0});
        }
    }
}

void ProgramGraph::find_dominators() {
    // Cooper, Harvey, Kennedy: intersect the dominators of the predecessors until nothing changes.
    std::vector<uint32_t> by_order;
    for (uint32_t number = 0; number < blocks_.size(); ++number)
        if (blocks_[number].reachable)
            by_order.push_back(number);
    std::ranges::sort(by_order, [&](uint32_t a, uint32_t b) { return order_[a] > order_[b]; });
    immediate_dominator_.assign(blocks_.size(), kNone);
    if (!blocks_.empty())
        immediate_dominator_[0] = 0;
    const auto common = [this](uint32_t a, uint32_t b) {
        while (a != b) {
            while (order_[a] < order_[b])
                a = immediate_dominator_[a];
            while (order_[b] < order_[a])
                b = immediate_dominator_[b];
        }
        return a;
    };
    for (bool changed = true; changed;) {
        changed = false;
        for (const uint32_t number : by_order) {
            if (number == 0)
                continue;
            uint32_t dominator = kNone;
            for (const uint32_t p : blocks_[number].predecessors)
                if (blocks_[p].reachable && immediate_dominator_[p] != kNone)
                    dominator = dominator == kNone ? p : common(p, dominator);
            changed = changed || immediate_dominator_[number] != dominator;
            immediate_dominator_[number] = dominator;
        }
    }
}

std::vector<uint32_t> ProgramGraph::instructions_before(uint32_t word_index) const {
    const BasicBlock& block = blocks_[block_of_[word_index]];
    if (word_index > block.first)
        return {word_index - 1};
    std::vector<uint32_t> words;
    for (const uint32_t p : block.predecessors)
        if (blocks_[p].reachable)
            words.push_back(blocks_[p].last);
    return words;
}

bool ProgramGraph::dominates(uint32_t a, uint32_t b) const {
    while (b != a && b != 0 && immediate_dominator_[b] != kNone)
        b = immediate_dominator_[b];
    return a == b;
}

}  // namespace valkyr::valhall
