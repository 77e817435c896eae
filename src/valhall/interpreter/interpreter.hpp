// Interpreter: executes Valhall programs, one warp at a time, lane by lane.
// SPDX-License-Identifier: MIT
//
// The oracle for recompiled code. Plain and slow. Rules: docs/rules/isa-notes.md.
#pragma once

#include "base/result.hpp"
#include "valhall/isa/instr.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace valkyr::valhall {

/// The state of one warp between two instructions.
struct WarpState {
    std::array<exec::Lanes, exec::kRegisters> r{};
    std::array<uint32_t, exec::kLanes> pc{};  ///< word index of each lane's next instruction
    uint16_t alive = 0;                       ///< lanes that have not ended
    uint16_t live = 0;                        ///< alive and not helpers
    uint16_t running = 0;                     ///< the group that issues
    uint16_t parked = 0;                      ///< lanes that wait at a BARRIER
};

/// One instruction that a warp has executed, with the states around it; valid during the call.
struct StepEvent {
    uint32_t word_index;
    const Instr& instr;
    const WarpState& before;
    const WarpState& after;
    const exec::Warp& warp;  ///< tells block and sample, for tools that follow one warp of several
};

/// An access of one lane to memory by LOAD, STORE or an atomic.
struct LaneAccess {
    enum class Kind : uint8_t { Read, Write, Atomic };
    Kind kind = Kind::Read;
    unsigned lane = 0;
    uint64_t address = 0;
    unsigned bytes = 0;
};

/// How an interpreter runs programs.
struct InterpreterOptions {
    bool hazards = false;     ///< poison pending destinations and last-used registers (V20)
    uint64_t step_limit = 0;  ///< instructions a warp may issue; 0 = no limit
    std::function<void(const StepEvent&)> on_step;  ///< observes every step, if not empty
    /// Observes the accesses of a step, thread-local storage included, before on_step observes the
    /// step.
    std::function<void(const LaneAccess&)> on_access = {};
};

/// Reason why a run ended before `.end` in every lane.
struct RunFault {
    uint32_t word_index = 0;
    std::string text;  ///< e.g. "read of r4 while slot 0 is pending", "step limit reached"
};

/// A decoded program, ready to run; wraps it as an exec::Kernel with the calling convention of
/// recompiled code. Immutable, so one object serves any number of threads.
class Interpreter {
public:
    /// Decodes the words (zero words at the end are padding).
    /// errors  BadEncoding: a word does not decode; Unsupported: an instruction without an adopted
    ///         meaning (executable.hpp); OutOfRange: a uniform at or past program.fau.size(). The
    ///         place is the line of the source text if the program knows it.
    static Result<Interpreter> create(const Program& program, InterpreterOptions options = {});

    /// Runs one call. Compute calls: the warps of a group wait for each other at BARRIERs
    /// (exec/work_groups.hpp). Faults (hazards, step limit, misaligned access) are appended to
    /// `faults` if not null and end the warp.
    void run(exec::VertexCall& call, std::vector<RunFault>* faults = nullptr) const;
    void run(exec::GeometryCall& call, std::vector<RunFault>* faults = nullptr) const;
    void run(exec::FragmentCall& call, std::vector<RunFault>* faults = nullptr) const;
    void run(exec::ComputeCall& call, std::vector<RunFault>* faults = nullptr) const;

    /// Runs one warp from a given state until no lane is alive: for tests, the debugger and random
    /// programs. At a BARRIER the lanes of the warp wait for each other. The state's pc, alive and
    /// live say where it starts; `running` is chosen from them. All registers count as defined.
    /// warp.draw may be null if the program reads nothing of it.
    void
    run_warp(WarpState& state, exec::Warp& warp, std::vector<RunFault>* faults = nullptr) const;

    /// This interpreter as a kernel; valid while *this lives and stays where it is.
    [[nodiscard]] exec::Kernel kernel() const;
    [[nodiscard]] const std::vector<Instr>& instructions() const { return instrs_; }

private:
    exec::ProgramInfo info_;
    std::vector<Instr> instrs_;
    uint32_t fau_words_ = 0;
    InterpreterOptions options_;
};

}  // namespace valkyr::valhall
