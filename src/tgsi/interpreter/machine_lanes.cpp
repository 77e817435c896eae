// Lane handlers: execute opcodes that read other lanes: derivatives, votes, ballots, READ_*.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

bool Machine::is_running(uint32_t lane) const {
    return lane < is_running_.size() && is_running_[lane] != 0;
}

/// One difference a row (DDX) or column (DDY) of the quad; lanes that do not run count as 0.
void Machine::derivative(const Instruction& instr) {
    const bool along_x = instr.opcode == Opcode::DDX || instr.opcode == Opcode::DDX_FINE;
    const uint32_t axis = along_x ? 1 : 2;
    std::vector<Word4> values(lanes_.size() + 4);
    for (const uint32_t lane : running_)
        values[lane] = fetch4(lane, instr, 0);
    for (const uint32_t lane : running_) {
        const Word4& low = values[lane & ~axis];
        const Word4& high = values[lane | axis];
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c)
            out[c] = arith::add(high[c], low[c] ^ arith::kNegZero);
        store(lane, instr, out);
    }
}

void Machine::vote(const Instruction& instr) {
    std::vector<Word4> values(lanes_.size());
    for (const uint32_t lane : running_)
        values[lane] = fetch4(lane, instr, 0);
    for (const uint32_t lane : running_) {
        const uint32_t base = lane - lane % kSubgroupSize;
        Word4 out{};
        for (unsigned c = 0; c < 4; ++c) {
            bool any = false;
            bool all = true;
            bool same = true;
            for (uint32_t other = base; other < base + kSubgroupSize; ++other) {
                if (!is_running(other))
                    continue;
                any |= values[other][c] != 0;
                all &= values[other][c] != 0;
                same &= values[other][c] == values[lane][c];
            }
            const bool result = instr.opcode == Opcode::VOTE_ANY   ? any
                                : instr.opcode == Opcode::VOTE_ALL ? all
                                                                   : same;
            out[c] = result ? arith::kAllOnes : 0;
        }
        store(lane, instr, out);
    }
}

void Machine::ballot(const Instruction& instr) {
    std::vector<uint32_t> masks(lanes_.size() / kSubgroupSize + 1);
    for (const uint32_t lane : running_)
        if (fetch(lane, instr, 0, 0) != 0)
            masks[lane / kSubgroupSize] |= 1U << lane % kSubgroupSize;
    for (const uint32_t lane : running_)
        store(lane, instr, {masks[lane / kSubgroupSize], 0, 0, 0});
}

void Machine::read_first(const Instruction& instr) {
    std::vector<Word4> values(lanes_.size());
    for (const uint32_t lane : running_)
        values[lane] = fetch4(lane, instr, 0);
    for (const uint32_t lane : running_) {
        uint32_t first = lane - lane % kSubgroupSize;
        while (!is_running(first))
            ++first;
        store(lane, instr, values[first]);
    }
}

void Machine::read_invocation(const Instruction& instr) {
    std::vector<Word4> values(lanes_.size());
    for (const uint32_t lane : running_)
        values[lane] = fetch4(lane, instr, 0);
    std::vector<uint32_t> from(lanes_.size());
    for (const uint32_t lane : running_)
        from[lane] = lane - lane % kSubgroupSize + fetch(lane, instr, 1, 0) % kSubgroupSize;
    for (const uint32_t lane : running_)
        store(lane, instr, is_running(from[lane]) ? values[from[lane]] : Word4{});
}

}  // namespace valkyr::tgsi
