// Compile stats: counts for `valkyr compile --stats`, of a program or a directory.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "valhall/compiler/ir/compiler.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::app {

/// Figures of one program. Only `prologue` counts the uniform prologue.
struct ShaderStats {
    uint64_t words = 0;
    uint64_t fma = 0;  ///< instructions by unit
    uint64_t cvt = 0;
    uint64_t sfu = 0;
    uint64_t messages = 0;
    uint64_t waits = 0;      ///< instructions whose flow waits for a message
    uint64_t hidden = 0;     ///< instructions between a message and the wait for it, summed
    uint64_t registers = 0;  ///< highest one that is written or read, plus one, r48 to r63 left out
    uint64_t spills = 0;     ///< values that live in thread-local storage
    uint64_t uniforms = 0;   ///< FAU words
    uint64_t loops = 0;
    uint64_t prologue = 0;  ///< words of the uniform prologue
};

ShaderStats measure(const valhall::Program& program, const valhall::CompileStatistics& compiled);

/// A table: one line for each *.tgsi file below `directory` that compiles, in order of names; the
/// totals; and how many files could not be compiled, by reason. Statistics are the only member of
/// the options that is not read.
/// errors  System: the directory cannot be read
Result<std::string> list_stats(const std::string& directory,
                               const valhall::CompileOptions& options);

}  // namespace valkyr::app
