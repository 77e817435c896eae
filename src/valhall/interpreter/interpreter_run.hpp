// Scheduler: runs one warp, smallest program counter first.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/work_groups.hpp"
#include "valhall/interpreter/interpret.hpp"

#include <cstdint>
#include <span>
#include <string_view>
#include <vector>

namespace valkyr::valhall::interpret {

class Hazards;

/// One warp on its way through a program. At `.reconverge`, at every branch and at `.end` the
/// group that runs next is the set of live lanes with the smallest program counter.
class WarpRun {
public:
    /// All references outlive the object. hazards may be null; faults may be null.
    WarpRun(std::span<const Instr> program,
            const InterpreterOptions& options,
            WarpState& state,
            exec::Warp& warp,
            const CallContext& call,
            Hazards* hazards,
            std::vector<RunFault>* faults);

    /// Runs until no lane is alive, or a fault ends the warp. With end_without_live the warp also
    /// ends when only helper lanes are left, since they have no observable effect.
    void run(bool end_without_live);

    /// Starts the warp, or releases its parked lanes; runs until no lane is alive or every lane
    /// that is alive is parked.
    exec::WarpStop run_to_barrier();

private:
    void start();
    void step();
    void issue(const Instr& instr, uint32_t word_index);
    void apply_flow(const Instr& instr, Machine& machine);
    void regroup();
    void count_loop(uint32_t word_index);
    void end_lanes(uint16_t lanes);
    void fault(uint32_t word_index, std::string_view text);

    std::span<const Instr> program_;
    const InterpreterOptions& options_;
    WarpState& state_;
    exec::Warp& warp_;
    const CallContext& call_;
    Hazards* hazards_;
    std::vector<RunFault>* faults_;
    uint64_t steps_ = 0;
    uint32_t loops_left_ = 1;  ///< until the next look at the watch
    uint32_t rounds_ = 0;
};

}  // namespace valkyr::valhall::interpret
