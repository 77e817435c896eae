// Compare: checks recompiled code against the interpreter, by whole runs or word by word.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/recording.hpp"

#include <optional>

namespace valkyr::debug {

/// Makes the kernel under test; the returned pointer keeps its memory alive.
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
    std::string what;              ///< result or register: "colour 0", "r12"
    std::optional<unsigned> lane;  ///< none: of memory that all lanes share
    uint32_t byte = 0;             ///< of the lane's part
    uint32_t expected = 0;         ///< by the interpreter; the word around the first different byte
    uint32_t actual = 0;
};
std::string describe(const Difference& difference);

/// The first part that differs between two runs of a case.
std::optional<Difference> find_difference(const WarpResult& expected, const WarpResult& actual);

struct CheckLine {
    std::string engine;
    std::optional<Error> refused;  ///< the engine cannot run the program
    std::optional<Difference> difference;
};

/// "avx512: equal", a line.
std::string check_text(const CheckLine& line);

/// Checks that the program can run a second time. Programs that write to buffers or images cannot.
/// errors  Unsupported, with the reason
Result<void> can_run_again(const WarpCase& warp);

/// Runs the case by each engine and compares all results with the interpreter's.
/// errors   as can_run_again()
Result<std::vector<CheckLine>>
check(const WarpCase& warp, const Recording& recording, const std::vector<HostEngine>& engines);

/// Where two engines first differ.
struct LockstepDifference {
    uint32_t word = 0;  ///< the first word after which some lane has another register
    Difference difference;
};

struct LockstepReport {
    uint32_t words = 0;      ///< compared
    uint64_t registers = 0;  ///< compared, each lane counted
    uint32_t refused = 0;    ///< words behind which the engine cannot run the cut program
    std::string refusal;     ///< reason of the first refusal
    std::optional<LockstepDifference> difference;
};

/// Runs the interpreter and recompiled code in lock-step. For each word of the program in turn,
/// every lane stops where it first leaves the words up to this word, and its registers are
/// compared. The comparison ends at the first difference.
/// errors   as can_run_again(); those of the engine, except Unsupported, which is counted;
///          OutOfRange: no room for the registers in thread-local storage
Result<LockstepReport> compare_lockstep(const WarpCase& warp, const HostEngine& engine);

/// The report as one or two lines of text. words: mnemonics, by word
std::string lockstep_text(const HostEngine& engine,
                          const LockstepReport& report,
                          const std::vector<std::string>& words);

/// The program up to and including `word`. Lanes that would continue behind it store r0 to r63 to
/// the last kDumpBytes of their thread-local storage and end. Used by compare_lockstep().
Result<valhall::Program> cut_program(const valhall::Program& program, uint32_t word);
inline constexpr uint32_t kDumpBytes = 256;

}  // namespace valkyr::debug
