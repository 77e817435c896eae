// Hazard mode: finds reads of registers that hold no defined value, or no longer (rule V20).
// SPDX-License-Identifier: MIT
#include "valhall/interpreter/interpreter_hazards.hpp"

namespace valkyr::valhall::interpret {

namespace {

constexpr char kPending[] = "pending";

}  // namespace

Hazards::Hazards(uint64_t defined) {
    for (unsigned r = 0; r < exec::kRegisters; ++r)
        if (!(defined >> r & 1))
            registers_[r].undefined = {0xFFFF, 0xFFFF};
}

const char* Hazards::problem(const RegisterAccess& access, uint16_t running) const {
    const Register& r = registers_[access.reg];
    if (r.write_pending & running)
        return kPending;
    if (access.is_write())  // plain overwrites of a pending source are interlocked
        return nullptr;
    uint16_t undefined = 0;
    uint16_t dead = 0;
    for (unsigned half = 0; half < 2; ++half) {
        if (access.halves >> half & 1) {
            undefined |= r.undefined[half];
            dead |= r.dead[half];
        }
    }
    if (undefined & running)
        return "that has no value";
    if (dead & running)
        return "after its last use";
    if (access.last_use && (r.read_pending & running))
        return "as a last use while a message still reads it";
    return nullptr;
}

std::optional<std::string> Hazards::check(const Instr& instr, uint16_t running) const {
    for (const RegisterAccess& access : RegisterAccesses(instr)) {
        const char* what = problem(access, running);
        if (!what)
            continue;
        std::string text = access.is_write() ? "write of r" : "read of r";
        text += std::to_string(access.reg) + " ";
        if (what == kPending)
            text += "while slot " + std::to_string(registers_[access.reg].write_slot) + " is ";
        return text + what;
    }
    return std::nullopt;
}

void Hazards::record(const RegisterAccess& access, uint16_t running, uint8_t slot) {
    Register& r = registers_[access.reg];
    const auto others = static_cast<uint16_t>(~running);
    for (unsigned half = 0; half < 2; ++half) {
        if (!(access.halves >> half & 1))
            continue;
        if (access.is_write()) {
            r.undefined[half] &= others;
            r.dead[half] &= others;
        } else if (access.last_use) {
            r.dead[half] |= running;
        }
    }
    if (access.kind == AccessKind::StagingWrite) {
        r.write_pending |= running;
        r.write_slot = slot;
    } else if (access.kind == AccessKind::StagingRead) {
        r.read_pending |= running;
        r.read_slot = slot;
    }
}

void Hazards::wait(uint8_t slots) {
    for (Register& r : registers_) {
        if (slots >> r.write_slot & 1)
            r.write_pending = 0;
        if (slots >> r.read_slot & 1)
            r.read_pending = 0;
    }
}

void Hazards::issue(const Instr& instr, uint16_t running) {
    const uint8_t slot = message_slot(instr).value_or(0);
    for (const RegisterAccess& access : RegisterAccesses(instr))
        record(access, running, slot);
    if (const uint8_t slots = waited_slots(instr.flow))
        wait(slots);
}

}  // namespace valkyr::valhall::interpret
