// Message run: runs a program with messages on every engine and compares registers.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/recompiler.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <span>
#include <string>
#include <vector>

namespace valkyr::test {

inline constexpr unsigned kMessageInputs = 4;   ///< r0..r3: the operands
inline constexpr unsigned kMessageOutputs = 8;  ///< r8..r15: the results

/// Bytes of thread-local storage that each lane has; every run finds the same numbers there.
inline constexpr unsigned kMessageLocalBytes = 256;

/// A program that gets its operands in r0..r3 and leaves results in r8..r15.
struct MessageCase {
    std::string body;                  ///< assembly; results are waited for
    std::vector<uint32_t> immediates;  ///< u0, u1, ..: known to the recompiler
    std::array<exec::Lanes, kMessageInputs> inputs{};
    bool vertex_only = false;  ///< the body means nothing in a fragment program
    bool pressure = false;     ///< fragment: all other registers hold something behind the body
    uint16_t lanes = 0xFFFF;   ///< that run; the vertex stage runs as many of the first lanes
    exec::ResourceTables tables;
    /// Bytes that the body may change: every run finds the same ones, and all must leave the same.
    std::span<uint8_t> memory;
    uint64_t* message_calls = nullptr;  ///< as exec::VertexCall has it
    exec::VertexKey vertex;
    exec::FragmentKey fragment;
};

/// Runs the body in a vertex program (one lane group after the other) and in a fragment program
/// (all lanes in step). Empty if every engine gives the same registers, else a report. Code of all
/// levels is emitted, those included that this machine lacks.
std::string message_disagreement(MessageCase& test);

/// Whether the recompiled vertex program of the case calls a message routine.
bool calls_routine(MessageCase& test);

}  // namespace valkyr::test
