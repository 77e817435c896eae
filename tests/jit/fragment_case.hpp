// Fragment case: runs a fragment program on every engine and compares the tiles.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "tests/support/random.hpp"

#include <array>
#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::test {

/// Blocks of the tile that a case may touch.
inline constexpr unsigned kCaseBlocks = 20;
inline constexpr unsigned kCaseUniforms = 8;

/// A fragment program, its state and one primitive.
struct FragmentCase {
    exec::FragmentKey key;
    exec::ProgramInfo info;  ///< stage and slots; the rest follows from `text`
    std::string text;        ///< assembly
    std::array<uint32_t, kCaseUniforms> uniforms{};  ///< u0..: from the draw
    unsigned known_uniforms = 0;                     ///< how many of them are immediates
    exec::PrimitiveSetup primitive;                  ///< except `slots`
    std::array<exec::SlotPlanes, 4> slots{};
    std::vector<exec::BlockRef> blocks;
    std::vector<uint16_t> sample_masks;  ///< as in FragmentCall
    std::array<float, 4> blend_constant{};
    std::array<uint8_t, 2> stencil_reference{};
    float alpha_reference = 0;
    bool emits_depth = false;     ///< the program has ZS_EMIT: ATEST tests no depth
    uint64_t tile_seed = 0;       ///< of the random contents of the tile
    bool low_depth_codes = true;  ///< depth contents are codes of the key's format
};

/// Fills in a random primitive and coverage. The key's samples must be set; other state and the
/// program may follow later.
void make_primitive(FragmentCase& test, Random& random);

/// Runs the case on the interpreter and, at every level of this machine, recompiled without inline
/// messages and with them; then also in calls of several primitives, if the kernel takes them.
/// Empty if all leave the same tile, else a report.
std::string disagreement(const FragmentCase& test);

/// Calls of the environment that recompiled code with inline messages made in all runs of
/// disagreement() since the last call of this function.
unsigned take_routine_calls();
/// Likewise, the runs of kernels that take packed quads. Their calls of several primitives are
/// compared, too.
unsigned take_packed_runs();

}  // namespace valkyr::test
