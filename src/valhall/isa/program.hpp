// Program: holds machine words, and the facts that a caller needs to run them.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "valhall/isa/double_op.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace valkyr::valhall {

/// Where a 32-bit FAU word (u0, u1, ...) gets its value when a draw starts.
enum class FauKind : uint8_t {
    Unused,     ///< never read; filled with 0
    Immediate,  ///< `value` itself: a constant to the recompiler
    Constant,   ///< word `value` of constant buffer `buffer`; 0 beyond its size
    Driver,     ///< `value` is an exec::DriverValue, `buffer` its unit where it has one
    Prologue,   ///< register `value` (r0 = 0) of the prologue program's result
};

struct FauWord {
    FauKind kind = FauKind::Unused;
    uint8_t buffer = 0;
    uint32_t value = 0;
    friend bool operator==(const FauWord&, const FauWord&) = default;
};

/// A Valhall program. `words` end with the last reachable instruction (no padding needed).
struct Program {
    exec::ProgramInfo info;
    std::vector<uint64_t> words;
    std::vector<FauWord> fau;            ///< at most 256; an even number of words
    std::unique_ptr<Program> prologue;   ///< compute-stage, run once a draw with one lane; or null
    std::vector<uint32_t> source_lines;  ///< per word: line of the source text, 0 = none
    std::string source_name;             ///< for listings
    /// Ascending, none inside of another; empty for programs that the compiler did not make. A copy
    /// without them is the same program.
    std::vector<DoubleRange> double_ranges;
};

}  // namespace valkyr::valhall
