// Invariants: keep memory operands that do not change during a call in host registers.
// SPDX-License-Identifier: MIT
#include "jit/registers/invariants.hpp"

#include "jit/registers/register_file.hpp"

namespace valkyr::jit {

namespace {

bool same_place(const Operand& a, const Operand& b) {
    return a.kind == b.kind && a.address.base == b.address.base &&
           a.address.offset == b.address.offset && a.address.index == b.address.index &&
           a.address.shift == b.address.shift;
}

}  // namespace

void Invariants::reserve(RegisterFile& registers, unsigned count) {
    for (unsigned k = 0; k < count; ++k)
        free_.push_back(registers.reserve());
}

Operand Invariants::get(Operand memory) {
    if (memory.is_reg())
        return memory;
    for (const Held& held : held_)
        if (same_place(held.value, memory))
            return held.reg;
    if (free_.empty())
        return memory;
    held_.push_back({memory, free_.back()});
    free_.pop_back();
    return held_.back().reg;
}

void Invariants::load(HostAssembler& h) const {
    for (const Held& held : held_)
        h.move(held.reg, held.value);
}

}  // namespace valkyr::jit
