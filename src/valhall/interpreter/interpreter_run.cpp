// Scheduler: runs one warp, smallest program counter first.
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpreter_run.hpp"

#include "valhall/interpreter/interpret_table.hpp"
#include "valhall/interpreter/interpreter_hazards.hpp"

#include <algorithm>
#include <limits>
#include <new>

namespace valkyr::valhall::interpret {
namespace {

/// Instructions between two looks at exec::LoopWatch::cancelled: a fraction of a millisecond.
constexpr uint64_t kStepsBetweenLooks = 1024;

}  // namespace

WarpRun::WarpRun(std::span<const Instr> program,
                 const InterpreterOptions& options,
                 WarpState& state,
                 exec::Warp& warp,
                 const CallContext& call,
                 Hazards* hazards,
                 std::vector<RunFault>* faults)
    : program_(program)
    , options_(options)
    , state_(state)
    , warp_(warp)
    , call_(call)
    , hazards_(hazards)
    , faults_(faults) {}

void WarpRun::run(bool end_without_live) {
    start();
    while (state_.alive) {
        step();
        if (end_without_live && !state_.live)
            end_lanes(state_.alive);
        if (state_.running == 0)
            start();
    }
}

exec::WarpStop WarpRun::run_to_barrier() {
    start();
    while (state_.running != 0)
        step();
    return state_.alive != 0 ? exec::WarpStop::AtBarrier : exec::WarpStop::Ended;
}

void WarpRun::start() {
    state_.live &= state_.alive;
    state_.parked = 0;
    regroup();
}

void WarpRun::step() {
    const uint32_t word_index = state_.pc[static_cast<unsigned>(std::countr_zero(state_.running))];
    if (word_index >= program_.size())
        return fault(word_index, "execution left the program");
    if (options_.step_limit != 0 && steps_ == options_.step_limit)
        return fault(word_index, "step limit reached");
    if (steps_ % kStepsBetweenLooks == 0 && warp_.draw != nullptr &&
        exec::is_cancelled(warp_.draw->watch))
        return fault(word_index, "cancelled");
    ++steps_;
    const Instr& instr = program_[word_index];
    if (!options_.on_step)
        return issue(instr, word_index);
    const WarpState before = state_;
    issue(instr, word_index);
    options_.on_step({word_index, instr, before, state_, warp_});
}

void WarpRun::issue(const Instr& instr, uint32_t word_index) {
    if (hazards_) {
        if (auto finding = hazards_->check(instr, state_.running))
            return fault(word_index, *finding);
        hazards_->issue(instr, state_.running);
    }
    for (unsigned l = 0; l < kLanes; ++l)
        if (state_.running >> l & 1)
            state_.pc[l] = word_index + 1;
    Machine machine{state_, warp_, call_, word_index, hazards_ != nullptr};
    if (options_.on_access)
        machine.on_access = &options_.on_access;
    try {
        function_of(instr.op)(machine, instr);
    } catch (const std::bad_alloc&) {
        // Only the text of a fault takes memory; kernels cannot throw.
        return fault(word_index, "out of memory");
    }
    if (machine.fault)
        return fault(word_index, *machine.fault);
    apply_flow(instr, machine);
}

void WarpRun::apply_flow(const Instr& instr, Machine& machine) {
    const Flow flow = machine.flow_ignored ? Flow::none : instr.flow;
    if (flow == Flow::end)
        end_lanes(state_.running);
    else if (flow == Flow::discard)
        end_lanes(static_cast<uint16_t>(state_.running & ~state_.live));
    if (machine.regroup || flow == Flow::reconverge || flow == Flow::end || !state_.running)
        regroup();
    if (instr.op == Op::BRANCHZ && state_.running != 0 &&
        state_.pc[static_cast<unsigned>(std::countr_zero(state_.running))] <= machine.word_index)
        count_loop(machine.word_index);
}

/// The rules of exec::LoopWatch; recompiled code counts the same branches.
void WarpRun::count_loop(uint32_t word_index) {
    if (--loops_left_ != 0)
        return;
    loops_left_ = exec::kLoopRound;
    exec::LoopWatch* watch = warp_.draw != nullptr ? warp_.draw->watch : nullptr;
    if (watch == nullptr)
        return;
    if (watch->runaway.load(std::memory_order_relaxed) != 0 ||
        watch->cancelled.load(std::memory_order_relaxed) != 0)
        return fault(word_index, "loops are not to go on");
    if (++rounds_ != watch->most_rounds)
        return;
    watch->runaway.store(1, std::memory_order_relaxed);
    fault(word_index, "loop limit reached");
}

void WarpRun::regroup() {
    const auto ready = static_cast<uint16_t>(state_.alive & ~state_.parked);
    uint32_t smallest = std::numeric_limits<uint32_t>::max();
    for (unsigned l = 0; l < kLanes; ++l)
        if (ready >> l & 1)
            smallest = std::min(smallest, state_.pc[l]);
    state_.running = 0;
    for (unsigned l = 0; l < kLanes; ++l)
        if ((ready >> l & 1) && state_.pc[l] == smallest)
            state_.running |= static_cast<uint16_t>(1U << l);
}

void WarpRun::end_lanes(uint16_t lanes) {
    state_.alive = static_cast<uint16_t>(state_.alive & ~lanes);
    state_.live = static_cast<uint16_t>(state_.live & ~lanes);
    state_.running = static_cast<uint16_t>(state_.running & ~lanes);
}

void WarpRun::fault(uint32_t word_index, std::string_view text) {
    if (faults_)
        faults_->push_back({word_index, std::string(text)});
    end_lanes(state_.alive);
}

}  // namespace valkyr::valhall::interpret
