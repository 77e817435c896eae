// Hazard mode: finds reads of registers that hold no defined value, or no longer (rule V20).
// SPDX-License-Identifier: MIT
#pragma once

#include "exec/abi.hpp"
#include "valhall/isa/register_access.hpp"

#include <array>
#include <cstdint>
#include <optional>
#include <string>

namespace valkyr::valhall::interpret {

/// Follows one warp. For each lane and half of a register it knows whether the half was ever
/// written, and whether it is dead after a last-use mark; for each lane, the message slots that
/// will still write or read the register.
class Hazards {
public:
    /// defined: bit r set = register r has a value at the start.
    explicit Hazards(uint64_t defined);

    /// Checks the accesses of an instruction that is about to issue for the `running` lanes.
    /// Returns what is wrong, e.g. "read of r4 while slot 0 is pending".
    [[nodiscard]] std::optional<std::string> check(const Instr& instr, uint16_t running) const;

    /// Records the effects of an instruction, and the wait of its flow.
    void issue(const Instr& instr, uint16_t running);

private:
    struct Register {
        std::array<uint16_t, 2> undefined{};  ///< lanes, by half
        std::array<uint16_t, 2> dead{};
        uint16_t write_pending = 0;  ///< lanes
        uint16_t read_pending = 0;
        uint8_t write_slot = 0;
        uint8_t read_slot = 0;
    };

    [[nodiscard]] const char* problem(const RegisterAccess& access, uint16_t running) const;
    void record(const RegisterAccess& access, uint16_t running, uint8_t slot);
    void wait(uint8_t slots);

    std::array<Register, exec::kRegisters> registers_{};
};

}  // namespace valkyr::valhall::interpret
