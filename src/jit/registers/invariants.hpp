// Invariants: keep memory that does not change during a call in host registers.
// SPDX-License-Identifier: MIT
//
// The body is emitted before anybody knows what it asks for, so the loads stand behind it: a kernel
// jumps there once, and back.
#pragma once

#include "jit/host/host_assembler.hpp"

#include <vector>

namespace valkyr::jit {

class RegisterFile;

class Invariants {
public:
    /// Takes up to `count` host registers for itself.
    void reserve(RegisterFile& registers, unsigned count);
    [[nodiscard]] bool active() const { return !free_.empty() || !held_.empty(); }
    /// The operand's register if it is held in one or one is left, else the operand.
    Operand get(Operand memory);
    /// Emits the loads of all that was asked for.
    void load(HostAssembler& h) const;

private:
    struct Held {
        Operand value;
        Vec reg;
    };
    std::vector<Vec> free_;
    std::vector<Held> held_;
};

}  // namespace valkyr::jit
