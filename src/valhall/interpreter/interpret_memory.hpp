// Memory instructions: share addresses, checks and staging writes.
// SPDX-License-Identifier: MIT
#pragma once

#include "valhall/interpreter/interpret.hpp"

#include <array>

namespace valkyr::valhall::interpret {

/// Up to 16 bytes of one lane, little-endian, unused bytes 0.
using LaneData = std::array<uint32_t, 4>;

/// Where a loaded value of fewer bits goes in its staging registers.
struct Placement {
    uint8_t words;  ///< registers written
    uint8_t shift;  ///< first bit of the first register
    uint8_t bits;   ///< bits written from there; the value is extended to fill them
};

/// Placement of a load of `bits` bits as its load_lane modifier says.
Placement load_placement(const Instr& i, unsigned bits);

/// Writes what each running lane loaded, extended by the instruction's `.unsigned` flag, to its
/// staging registers.
void write_loaded(Machine& m,
                  const Instr& i,
                  unsigned bits,
                  const Placement& placement,
                  const std::array<LaneData, kLanes>& data);

/// Running lanes whose side effects count: not helpers, unless the access is forced.
uint16_t effect_lanes(const Machine& m, bool forced);

/// Sets m.fault and returns false if `bytes` bytes at `address` must not be accessed: in the null
/// page, behind the end of thread-local storage, or not aligned to `alignment`.
bool accessible(Machine& m, const Instr& i, uint64_t address, unsigned bytes, unsigned alignment);

/// Tells the observer of accesses, if there is one.
inline void
observe(const Machine& m, LaneAccess::Kind kind, unsigned lane, uint64_t address, unsigned bytes) {
    if (m.on_access != nullptr)
        (*m.on_access)({kind, lane, address, bytes});
}

/// Alignment that an access of so many bytes needs: its size, at most 4.
constexpr unsigned access_alignment(unsigned bytes) {
    const unsigned lowest = bytes & (~bytes + 1U);
    return lowest > 4 ? 4 : lowest;
}

}  // namespace valkyr::valhall::interpret
