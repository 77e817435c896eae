// Register access: finds which registers an instruction reads and writes.
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/specials.hpp"
#include "jit/guest/reg_set.hpp"
#include "jit/recompiler.hpp"
#include "valhall/isa/instr.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <optional>

namespace valkyr::jit {

/// Registers that one instruction reads and writes. A partial write (a half, a byte) also reads.
struct Access {
    RegSet reads;
    RegSet writes;
};

Access
register_access(const valhall::Instr& instr, const valhall::Program& program, const KernelKey& key);

/// Whether the kernel returns r0 to r63 as they are when the program ends.
bool returns_registers(const valhall::Program& program, const KernelKey& key);
/// Whether any target blends with the second colour.
bool reads_second_color(const KernelKey& key);

/// Half `half` (0 or 1) of an operand whose value is fixed when the kernel is made: a table
/// constant or an immediate FAU word. No selector or modifier is applied.
std::optional<uint32_t>
known_value(const valhall::Program& program, const valhall::Source& source, unsigned half = 0);

/// Whether source `index` of the instruction is read as 64 bits.
bool reads_pair(const valhall::Instr& instr, unsigned index);

/// Whether a BRANCHZ or BRANCHZI is taken; Never for all other instructions.
enum class BranchTest : uint8_t { Never, Sometimes, Always };
BranchTest branch_test(const valhall::Program& program, const valhall::Instr& instr);

/// CLPER and WMASK: the result depends on other lanes.
inline bool is_cross_lane(valhall::Op op) {
    return valhall::has_effect(op, valhall::Effect::lanes);
}

/// The bits of a word that a `combine` selector tests.
uint32_t combine_mask(uint8_t selector);

}  // namespace valkyr::jit
