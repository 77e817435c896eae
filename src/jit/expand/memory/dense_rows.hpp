// Dense rows: access words of all lanes that lie one behind the other in memory.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/expand/memory/lane_rows.hpp"

#include <array>

namespace valkyr::jit {

/// Temporaries that load_dense() and store_dense() take.
inline constexpr unsigned kDenseTemporaries = 5;

/// Bytes from lane to lane: rows of three words are aligned as in arrays of vec3.
constexpr uint32_t dense_stride(unsigned words) {
    return words == 3 ? 16 : 4 * words;
}

/// Whether the level has code for so many words.
bool loads_dense(const EmitContext& c, unsigned words);
bool stores_dense(const EmitContext& c, unsigned words);

/// Addresses of a part whose lanes all run.
struct LaneStarts {
    Scalar address;  ///< of lane 0
    Temp distance;   ///< bytes from the lower word of lane 0
    TempMask apart;  ///< lanes with another upper word
};

/// Jumps if not all lanes of the part are in `lanes`, or if lane 0 names thread-local storage.
LaneStarts find_starts(EmitContext& c, const VecPair& address, Gp lanes, Label otherwise);
/// Jumps if the lanes do not have these distances from lane 0, which ascend.
void require_distances(EmitContext& c,
                       const LaneStarts& starts,
                       const std::array<uint32_t, exec::kLanes>& distances,
                       Label otherwise);
/// Jump if the lanes' rows do not lie one behind the other; if the lanes' addresses differ.
void require_dense(EmitContext& c, const LaneStarts& starts, unsigned words, Label otherwise);
void require_equal(EmitContext& c, const LaneStarts& starts, Label otherwise);
/// Jumps if the lanes' words are not those of one block of W words, aligned to its size, in an
/// order in which lane k has the word k ^ n, for any n. low  the lower words of the addresses
void require_block(EmitContext& c, const LaneStarts& starts, Vec low, Label otherwise);

/// Loads word k of each lane's row into register k. Lane 0's row is at base + offset.
void load_dense(EmitContext& c, Gp base, int32_t offset, const FourVecs& results, unsigned words);
/// The inverse of load_dense().
void store_dense(EmitContext& c, Gp base, int32_t offset, const FourVecs& data, unsigned words);

}  // namespace valkyr::jit
