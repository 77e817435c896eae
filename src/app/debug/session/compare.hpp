// Does recompiled code compute what the interpreter computes: a whole run, or word by word.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/recording.hpp"

#include <optional>

namespace valkyr::debug {

/// Makes the kernel under test; what it returns keeps the kernel alive.
using MakeKernel = std::function<Result<std::shared_ptr<const jit::CompiledKernel>>(
    const valhall::Program& program, const WarpCase& warp)>;

/// One kind of recompiled code.
struct HostEngine {
    std::string name;  ///< "avx512", "avx2, messages by routine"
    MakeKernel make;
};

/// All kinds that this processor runs: every host level, with messages expanded inline and as
/// calls.
std::vector<HostEngine> host_engines();

/// The first thing that differs.
struct Difference {
    std::string what;  ///< result or register: "colour 0", "r12"
    unsigned lane = 0;
    uint32_t byte = 0;      ///< of the lane's part
    uint32_t expected = 0;  ///< by the interpreter; the word around the first different byte
    uint32_t actual = 0;
};
std::string describe(const Difference& difference);

/// The first part that differs between two runs of the same case.
std::optional<Difference> find_difference(const WarpResult& expected, const WarpResult& actual);

struct CheckLine {
    std::string engine;
    std::optional<Error> refused;  ///< the engine cannot run the program
    std::optional<Difference> difference;
};

/// "avx512: equal", a line.
std::string check_text(const CheckLine& line);

/// Whether programs like this one can be run again: those that write to memory that others see
/// cannot. errors  Unsupported, with the reason
Result<void> can_run_again(const WarpCase& warp);

/// Runs the case by each engine and compares all results with the interpreter's.
/// errors   as can_run_again()
Result<std::vector<CheckLine>>
check(const WarpCase& warp, const Recording& recording, const std::vector<HostEngine>& engines);

/// Where two engines part.
struct LockstepDifference {
    uint32_t word = 0;  ///< the first word after which some lane has another register
    Difference difference;
};

struct LockstepReport {
    uint32_t words = 0;      ///< compared
    uint64_t registers = 0;  ///< compared, each lane counted
    uint32_t refused = 0;    ///< words behind which the engine cannot run the cut program
    std::string refusal;     ///< why, of the first of them
    std::optional<LockstepDifference> difference;
};

/// Runs the interpreter and recompiled code in step: for each word of the program in turn, every
/// lane is stopped where it first leaves the words up to that one, and its registers are compared.
/// Stops at the first difference.
/// errors   as can_run_again(); what the engine reports, but for Unsupported, which is counted;
///          OutOfRange: no room for the registers in thread-local storage
Result<LockstepReport> compare_lockstep(const WarpCase& warp, const HostEngine& engine);

/// A line or two for people. words: mnemonics, by word
std::string lockstep_text(const HostEngine& engine,
                          const LockstepReport& report,
                          const std::vector<std::string>& words);

/// The program up to and including `word`; lanes that go on from there store r0 to r63 to the last
/// kDumpBytes of their thread-local storage and end. For compare_lockstep().
Result<valhall::Program> cut_program(const valhall::Program& program, uint32_t word);
inline constexpr uint32_t kDumpBytes = 256;

}  // namespace valkyr::debug
