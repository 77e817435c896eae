// Control flow handlers: every lane has its own place; jumps change it.
// SPDX-License-Identifier: MIT
#include "tgsi/arith/arith_float.hpp"
#include "tgsi/interpreter/machine.hpp"

namespace valkyr::tgsi {

void Machine::flow_if(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t value = fetch(lane, instr, 0, 0);
        // IF compares as a float: -0 is false, NaN is true.
        const bool taken = instr.opcode == Opcode::IF ? !arith::equal(value, 0) : value != 0;
        if (!taken)
            lanes_[lane].pc = program_.flow.target[pc_];
    }
}

/// ELSE (reached from the part before it), ENDLOOP, BRK, CONT, and BGNSUB (reached without a call).
void Machine::flow_jump(const Instruction&) {
    for (const uint32_t lane : running_)
        lanes_[lane].pc = program_.flow.target[pc_];
}

void Machine::flow_fall(const Instruction&) {}
void Machine::nothing(const Instruction&) {}

/// Each lane goes behind the first CASE with its value, else behind DEFAULT, else to ENDSWITCH.
void Machine::flow_switch(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        const uint32_t value = fetch(lane, instr, 0, 0);
        uint32_t fallback = kNowhere;
        uint32_t at = program_.flow.target[pc_];
        while (program_.shader.instructions[at].opcode != Opcode::ENDSWITCH) {
            const Instruction& label = program_.shader.instructions[at];
            if (label.opcode == Opcode::DEFAULT)
                fallback = at;
            else if (fetch(lane, label, 0, 0) == value)
                break;
            at = program_.flow.target[at];
            ++steps_;
        }
        const bool found = program_.shader.instructions[at].opcode == Opcode::CASE;
        lanes_[lane].pc = found || fallback == kNowhere ? at : fallback;
    }
}

void Machine::flow_call(const Instruction&) {
    for (const uint32_t lane : running_) {
        lanes_[lane].calls.push_back(pc_);
        lanes_[lane].pc = program_.flow.target[pc_];
    }
}

/// RET and ENDSUB; RET in the main program ends the lane.
void Machine::flow_return(const Instruction&) {
    for (const uint32_t lane : running_) {
        LaneState& state = lanes_[lane];
        if (state.calls.empty()) {
            state.pc = kNowhere;
        } else {
            state.pc = state.calls.back() + 1;
            state.calls.pop_back();
        }
    }
}

void Machine::flow_end(const Instruction&) {
    for (const uint32_t lane : running_)
        lanes_[lane].pc = kNowhere;
}

/// KILL and KILL_IF: the lane goes on as a helper, but leaves the innermost loop: as a helper it
/// may never meet the condition that ends the loop.
void Machine::kill(const Instruction& instr) {
    for (const uint32_t lane : running_) {
        if (instr.opcode == Opcode::KILL_IF) {
            const Word4 a = fetch4(lane, instr, 0);
            const bool negative = arith::less(a[0], 0) || arith::less(a[1], 0) ||
                                  arith::less(a[2], 0) || arith::less(a[3], 0);
            if (!negative)
                continue;
        }
        group_.invocations[lane].killed = true;
        if (program_.flow.target[pc_] != kNowhere)
            lanes_[lane].pc = program_.flow.target[pc_];
    }
}

void Machine::demote(const Instruction&) {
    for (const uint32_t lane : running_)
        group_.invocations[lane].killed = true;
}

void Machine::barrier(const Instruction&) {
    for (const uint32_t lane : running_)
        lanes_[lane].at_barrier = true;
}

/// EMIT and ENDPRIM. Vertices beyond GS_MAX_OUTPUT_VERTICES are dropped.
void Machine::emit(const Instruction& instr) {
    const bool ends = instr.opcode == Opcode::ENDPRIM;
    for (const uint32_t lane : running_) {
        Invocation& invocation = group_.invocations[lane];
        LaneState& state = lanes_[lane];
        if (!ends && state.emitted_vertices >= program_.max_emissions)
            continue;
        state.emitted_vertices += ends ? 0 : 1;
        emission_bytes_ += sizeof(Emission) + invocation.outputs.size() * sizeof(Word4);
        over_emission_limit_ |= emission_bytes_ > program_.limits.register_bytes;
        if (over_emission_limit_)
            return;
        const uint32_t stream = fetch(lane, instr, 0, 0);
        invocation.emissions.push_back(
            {ends, stream, ends ? std::vector<Word4>{} : invocation.outputs});
    }
}

}  // namespace valkyr::tgsi
