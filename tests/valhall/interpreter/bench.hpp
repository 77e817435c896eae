// Bench: runs assembly text on a warp with given registers, for execution tests.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpreter.hpp"

#include <cstdint>
#include <initializer_list>
#include <string_view>
#include <vector>

namespace valkyr::valhall::test {

/// One warp and all its state. Set members, then call run(). By default all 16 lanes are alive and
/// live, and start at word 0.
struct Bench {
    explicit Bench(std::string_view assembly);

    Program program;
    InterpreterOptions options;
    WarpState state;
    exec::Warp warp;
    exec::DrawContext draw;
    std::vector<uint32_t> fau;
    std::vector<RunFault> faults;

    /// Register r of every lane.
    void set(unsigned r, uint32_t value);
    /// Register r of lane l = f(l).
    template <typename F>
    void set_lanes(unsigned r, F f) {
        for (unsigned l = 0; l < exec::kLanes; ++l)
            state.r[r].v[l] = f(l);
    }
    /// A 64-bit value in a pair of registers of every lane.
    void set_pair(unsigned r, uint64_t value);
    [[nodiscard]] uint32_t get(unsigned r, unsigned lane = 0) const { return state.r[r].v[lane]; }
    [[nodiscard]] uint64_t get_pair(unsigned r, unsigned lane = 0) const;

    /// Runs the warp to its end. Fails the test if the program is refused.
    void run();
};

/// The words of a program; fails the test if the text does not assemble.
std::vector<uint64_t> words_of(std::string_view assembly);

/// Runs one instruction and returns r0 (64 bits: r0, r1). The arguments are in r2, r4, r6, r8,
/// their upper words in r3, r5, r7, r9. r0 and r1 start as 0xCCCCCCCC.
uint64_t eval64(std::string_view instruction, std::initializer_list<uint64_t> arguments);
uint32_t eval(std::string_view instruction, std::initializer_list<uint64_t> arguments);

/// One row of a table of cases.
struct Case {
    std::string_view instruction;
    std::vector<uint64_t> arguments;
    uint64_t expected;
};
/// Checks every row; instructions that write a pair have 64-bit results.
void check_cases(std::initializer_list<Case> cases);

}  // namespace valkyr::valhall::test
