// Homes: assigns places to registers that live across basic blocks.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/guest_program.hpp"
#include "jit/host/host_assembler.hpp"

#include <array>

namespace valkyr::jit {

/// The home of every register: host registers (one a part), or, where they are invalid, a slot.
/// A register that is not live at any block boundary has none.
struct Homes {
    std::array<std::array<Vec, kMaxParts>, kRegCount> vec{};
    RegSet in_registers;
    RegSet any;
};

/// Gives host registers to the most used registers, so that every block keeps some for its own
/// values.
/// parts         host registers a value
/// exec_masks    vector registers that hold execution masks in partial blocks
Homes assign_homes(const GuestProgram& program, const HostTraits& traits, unsigned parts);

}  // namespace valkyr::jit
