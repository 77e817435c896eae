// Scheduler: chooses the lanes that run the next instruction.
// SPDX-License-Identifier: MIT
#include "tgsi/interpreter/machine.hpp"

#include <algorithm>
#include <string>

namespace valkyr::tgsi {

Machine::Machine(const InterpreterProgram& program, Group& group)
    : program_(program)
    , group_(group)
    , lanes_(group.invocations.size())
    , is_running_(group.invocations.size()) {
    const bool per_patch = program.shader.stage == Stage::TessCtrl;
    for (size_t i = 0; i < lanes_.size(); ++i) {
        lanes_[i].temporaries.resize(program.temporaries);
        lanes_[i].addresses.resize(program.addresses);
        lanes_[i].private_memory.resize(program.private_bytes);
        Invocation& invocation = group.invocations[i];
        invocation.outputs.assign(per_patch ? 0 : program.outputs, Word4{});
        invocation.emissions.clear();
        invocation.killed = false;
    }
    if (!per_patch)
        return;
    group.patch_outputs.assign(program.outputs, Word4{});
    group.vertex_outputs.assign(lanes_.size(), std::vector<Word4>(program.outputs));
}

/// Program order with calls inlined: the first place where the two chains of calls differ decides.
bool Machine::before(const LaneState& a, const LaneState& b) const {
    const auto place = [](const LaneState& lane, size_t level) {
        return level < lane.calls.size() ? lane.calls[level] : lane.pc;
    };
    const size_t levels = std::max(a.calls.size(), b.calls.size()) + 1;
    for (size_t level = 0; level < levels; ++level) {
        const uint32_t at_a = place(a, level);
        const uint32_t at_b = place(b, level);
        if (at_a != at_b)
            return at_a < at_b;
        // Both at the same CAL, one of them already inside of it: the CAL itself comes first.
        if (level >= a.calls.size() || level >= b.calls.size())
            return a.calls.size() < b.calls.size();
    }
    return false;
}

bool Machine::same_place(const LaneState& a, const LaneState& b) const {
    return a.pc == b.pc && a.calls == b.calls;
}

void Machine::release_barrier() {
    for (LaneState& lane : lanes_)
        lane.at_barrier = false;
}

bool Machine::choose_running() {
    const LaneState* first = nullptr;
    bool waiting = false;
    for (const LaneState& lane : lanes_) {
        if (lane.pc == kNowhere)
            continue;
        waiting |= lane.at_barrier;
        if (!lane.at_barrier && (first == nullptr || before(lane, *first)))
            first = &lane;
    }
    if (first == nullptr) {
        if (!waiting)
            return false;
        // All lanes that still run have come to a barrier.
        release_barrier();
        return choose_running();
    }
    pc_ = first->pc;
    running_.clear();
    for (uint32_t i = 0; i < lanes_.size(); ++i) {
        is_running_[i] = !lanes_[i].at_barrier && same_place(lanes_[i], *first) ? 1 : 0;
        if (is_running_[i] != 0)
            running_.push_back(i);
    }
    return true;
}

/// Whether the rest of the run has no observable effect: every lane is killed or a helper.
bool Machine::all_killed() const {
    bool killed = false;
    for (const Invocation& invocation : group_.invocations) {
        if (!invocation.killed && !invocation.helper)
            return false;
        killed |= invocation.killed;
    }
    return killed;
}

Result<void> Machine::limit_error(const std::string& what) const {
    return Error{Errc::OutOfRange, program_.shader.instructions[pc_].pos, what};
}

Result<void> Machine::run(StepObserver* observer) {
    const auto look = [this](uint32_t lane, const RegisterRef& reg, unsigned component) {
        return read(lane, reg, component);
    };
    while (choose_running()) {
        steps_ += running_.size();
        if (steps_ > program_.limits.steps)
            return limit_error("more than " + std::to_string(program_.limits.steps) +
                               " steps: an endless loop?");
        const Instruction& instr = program_.shader.instructions[pc_];
        if (observer != nullptr)
            observer->before(instr, running_, look);
        for (const uint32_t lane : running_)
            ++lanes_[lane].pc;
        (this->*handler_of(instr.opcode).run)(instr);
        if (over_emission_limit_)
            return limit_error("emitted vertices need more than " +
                               std::to_string(program_.limits.register_bytes) + " bytes");
        const bool kills = instr.opcode == Opcode::KILL || instr.opcode == Opcode::KILL_IF ||
                           instr.opcode == Opcode::DEMOTE;
        if (kills && all_killed())
            break;
    }
    return {};
}

}  // namespace valkyr::tgsi
