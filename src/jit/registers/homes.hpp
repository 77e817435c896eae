// Homes: assign places to guest registers that live across basic blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"
#include "jit/host/host_assembler.hpp"

#include <array>

namespace valkyr::jit {

/// The home of every guest register: host registers (one a part) or, if these are invalid, a slot.
/// A register that is live at no block boundary has no home.
struct Homes {
    std::array<std::array<Vec, kMaxParts>, kRegCount> vec{};
    RegSet in_registers;
    RegSet any;
};

/// Gives host registers to the most used guest registers, and leaves every block some for its own
/// values.
/// parts         host registers a value
/// exec_masks    vector registers that hold execution masks in partial blocks
Homes assign_homes(const GuestProgram& program, const HostTraits& traits, unsigned parts);

}  // namespace valkyr::jit
