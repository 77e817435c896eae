// Invariants: keep memory operands that do not change during a call in host registers.
// SPDX-License-Identifier: MIT
//
// Emitting the body shows which operands it uses, so the loads follow the body: a kernel jumps
// there once, and back.
#pragma once

#include "jit/host/host_assembler.hpp"

#include <vector>

namespace valkyr::jit {

class RegisterFile;

class Invariants {
public:
    /// Reserves up to `count` host registers.
    void reserve(RegisterFile& registers, unsigned count);
    [[nodiscard]] bool active() const { return !free_.empty() || !held_.empty(); }
    /// The register that holds the operand, if there is or can be one; else the operand itself.
    Operand get(Operand memory);
    /// Emits the loads of all registers that get() has assigned.
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
