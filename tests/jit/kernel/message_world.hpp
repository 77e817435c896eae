// Message world: answers messages of random programs with hashes, and records lanes.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/recompiler.hpp"
#include "valhall/isa/program.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::test {

inline constexpr unsigned kWorldBlocks = 3;
/// Memory of a lane (all blocks share it) and memory of all lanes, in words.
inline constexpr unsigned kLaneWords = 32;
inline constexpr unsigned kSharedWords = 32;
/// FAU words of a program in the world: u0..u3 immediates (small handles and flags), u4/u5 the
/// address of lane 0's memory, u6/u7 that of the shared memory.
inline constexpr unsigned kWorldUniforms = 8;

/// A fragment program and the pixels that it shades.
struct WorldCase {
    std::vector<uint64_t> words;
    std::array<uint16_t, kWorldBlocks> masks{};  ///< covered lanes of each block
    unsigned fixed = 0;  ///< number of first words, which compute addresses and must stay
    uint64_t seed = 1;   ///< of the routines' results
};

/// Runs the case on the interpreter and on every host level. Empty if all agree on the messages of
/// covered lanes and on memory, else a report. "interpreter: ..." if the program faults there.
std::string world_disagreement(const WorldCase& test);

/// The case with every instruction replaced by NOP that the disagreement does not need.
WorldCase reduced(WorldCase test);

}  // namespace valkyr::test
