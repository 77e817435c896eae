// Instr: holds one decoded Valhall instruction.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/export.hpp"
#include "valhall/isa/isa.hpp"

#include <array>
#include <cstdint>

namespace valkyr::valhall {

/// Kind of operand that a source byte names (bits 7..5 of the byte).
enum class SourceKind : uint8_t { Register, Uniform, Constant, Special };

/// One source operand with its selectors.
struct Source {
    SourceKind kind = SourceKind::Register;
    uint8_t index = 0;      ///< register 0..63; uniform word 0..255; constant table index 0..31;
                            ///< special: 16 * page + k
    uint8_t word = 0;       ///< specials only: 32-bit half 0 or 1
    bool last_use = false;  ///< "^": registers only; no effect on results
    bool neg = false;
    bool abs = false;      ///< applied before neg
    bool bit_not = false;  ///< ".not"
    uint8_t selector = 0;  ///< raw value of the slot's selector field (swizzle, widen, lane, ...)
    friend bool operator==(const Source&, const Source&) = default;
};

/// Destination register and which halves are written (bit 0 low, bit 1 high).
struct Destination {
    uint8_t reg = 0;
    uint8_t mask = 3;
    friend bool operator==(const Destination&, const Destination&) = default;
};

/// A run of consecutive staging registers; count 0 = empty (base is 0 then).
struct Staging {
    uint8_t base = 0;
    uint8_t count = 0;
    friend bool operator==(const Staging&, const Staging&) = default;
};

/// A decoded instruction. op_info(op) says which members are used. Sources, staging runs and
/// immediates are in the order of the text; modifier values are raw field values, indexed by Mod,
/// and hold the field's default where nothing was written.
struct Instr {
    Op op{};
    Flow flow = Flow::none;
    Destination dest;
    std::array<Staging, 2> staging{};
    std::array<Source, 4> src{};
    std::array<int64_t, 2> imm{};
    std::array<uint8_t, kModCount> mods{};

    [[nodiscard]] uint8_t mod(Mod m) const { return mods[static_cast<unsigned>(m)]; }
    void set_mod(Mod m, uint8_t value) { mods[static_cast<unsigned>(m)] = value; }
    /// The modifier as its enumeration, e.g. instr.get<Clamp>(Mod::clamp).
    template <typename E>
    [[nodiscard]] E get(Mod m) const {
        return static_cast<E>(mod(m));
    }
    friend bool operator==(const Instr&, const Instr&) = default;
};

/// An instruction with every modifier and selector at its default (required ones at 0).
VALKYR_API Instr make_instr(Op op);

}  // namespace valkyr::valhall
