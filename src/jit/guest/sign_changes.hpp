// Sign changes: finds exclusive ORs that change at most the sign of a word.
// SPDX-License-Identifier: MIT
//
// Sines and cosines take their sign from the quadrant by an integer operation on the number. What
// is a NaN before it is a NaN behind it, so that only the readers of the result decide whether the
// bits of this NaN can be seen (nan_bits.hpp).
#pragma once

#include "base/cancellation.hpp"
#include "jit/guest/guest_program.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::jit {

constexpr uint8_t kChangesMore = 0xFF;

/// For each step the source whose word is the result apart from its sign; kChangesMore: none is.
/// Constants are followed within blocks. Runs after find_divergence(); ends early when cancelled.
std::vector<uint8_t> find_sign_changes(const GuestProgram& program, Cancellation cancellation);

}  // namespace valkyr::jit
