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

/// Bytes of thread-local storage per lane. Every run starts with equal content.
inline constexpr unsigned kMessageLocalBytes = 256;

/// A program with operands in r0..r3 and results in r8..r15.
struct MessageCase {
    std::string body;                  ///< assembly; results are waited for
    std::vector<uint32_t> immediates;  ///< u0, u1, ..: constants for the recompiler
    std::array<exec::Lanes, kMessageInputs> inputs{};
    bool vertex_only = false;  ///< the body is not valid in a fragment program
    bool pressure = false;     ///< fragment: all other registers are live behind the body
    uint16_t lanes =
        0xFFFF;  ///< lanes that run; the vertex stage runs equally many lanes from lane 0 on
    exec::ResourceTables tables;
    /// Memory that the body may change. Every run starts with equal content, and all must end with
    /// equal content.
    std::span<uint8_t> memory;
    uint64_t* message_calls = nullptr;  ///< as exec::VertexCall has it
    exec::VertexKey vertex;
    exec::FragmentKey fragment;
};

/// Runs the body in a vertex program (one lane group after the other) and in a fragment program
/// (all lanes in step). Empty if all engines give equal registers, else a report. Code of all
/// levels is emitted, including those that this machine lacks.
std::string message_disagreement(MessageCase& test);

/// Whether the recompiled vertex program of the case calls a message routine.
bool calls_routine(MessageCase& test);

/// Gather instructions in the vertex program's code of that level, which this machine may lack.
size_t gather_instructions(MessageCase& test, jit::HostLevel level, jit::GatherMethod method);

}  // namespace valkyr::test
