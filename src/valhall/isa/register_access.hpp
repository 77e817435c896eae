// Register access: lists the registers that an instruction reads and writes, half by half.
// SPDX-License-Identifier: MIT
//
// Hazard mode, validator and analyses of programs all take their answer from here.
#pragma once

#include "valhall/isa/instr.hpp"

#include <array>
#include <cstdint>
#include <optional>

namespace valkyr::valhall {

enum class AccessKind : uint8_t {
    Source,        ///< read as an operand when the instruction issues
    StagingRead,   ///< read while the message runs
    Destination,   ///< written when the instruction issues
    StagingWrite,  ///< written when the message completes
};

struct RegisterAccess {
    uint8_t reg = 0;
    uint8_t halves = 3;  ///< bit 0 low, bit 1 high
    AccessKind kind = AccessKind::Source;
    bool last_use = false;

    [[nodiscard]] bool is_write() const {
        return kind == AccessKind::Destination || kind == AccessKind::StagingWrite;
    }
};

/// The accesses of one instruction, reads before writes.
class RegisterAccesses {
public:
    explicit RegisterAccesses(const Instr& instr);

    [[nodiscard]] auto begin() const { return list_.begin(); }
    [[nodiscard]] auto end() const { return list_.begin() + count_; }

private:
    void add(unsigned reg, uint8_t halves, AccessKind kind, bool last_use = false);
    void add_source(const Instr& instr, unsigned index);
    void add_staging(const Instr& instr, unsigned index, AccessKind kind);

    std::array<RegisterAccess, 32> list_{};
    unsigned count_ = 0;
};

/// Dependency slot of a message instruction: its slot modifier, or slot 0 for a message that has
/// none. Nothing for ALU instructions.
std::optional<uint8_t> message_slot(const Instr& instr);

/// Bit s set: the flow waits for slot s (0, 1, 2, 6 or 7).
constexpr uint8_t waited_slots(Flow flow) {
    const auto value = static_cast<uint8_t>(flow);
    if (value <= 7)
        return value;
    if (flow == Flow::wait0126)
        return 0x47;
    return flow == Flow::wait ? 0xC7 : 0;
}

/// Whether the instruction has this modifier.
bool has_modifier(Op op, Mod mod);

}  // namespace valkyr::valhall
