// Spec: keeps an opcode with its modifiers, as the bits they take in the machine word.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/bits.hpp"
#include "valhall/compiler/ir/ir.hpp"

#include <array>
#include <cstdint>

namespace valkyr::valhall::ir {

/// Facts of an opcode that passes read often, copied from the instruction tables. Pseudo
/// instructions have rows, too.
struct OpTraits {
    uint64_t base = 0;                       ///< see base_word()
    std::array<BitField, kModCount> mods{};  ///< see mod_field()
    Unit unit = Unit::None;
    bool alu = false;              ///< runs on an ALU unit; false for pseudo instructions
    uint8_t cost = 0;              ///< see OpInfo::cost
    uint8_t latency = 0;           ///< see OpInfo::latency
    Effects effects;               ///< none for pseudo instructions
    uint8_t modified_sources = 0;  ///< bit i: source i takes .neg and .abs
    uint8_t wide_sources = 0;      ///< bit i: source i reads 64 bits
    // How operands are packed.
    std::array<uint8_t, 4> source_shift{};       ///< of the source's byte in the word
    std::array<uint64_t, 4> default_selector{};  ///< its default selector, in place
    uint64_t destination = 0;                    ///< the full destination mask, in place
    uint8_t destination_shift = 0;               ///< of the destination register, if there is one
    bool only_sources = false;                   ///< neither staging runs nor immediates
};
extern const std::array<OpTraits, kOpCount + kPseudoCount> kOpTraits;

inline const OpTraits& traits(Op op) {
    return kOpTraits[static_cast<unsigned>(op)];
}

/// The word of an instruction with all modifiers at their defaults (required ones 0), without
/// operands and flow. Pseudo instructions: 0.
inline uint64_t base_word(Op op) {
    return traits(op).base;
}

/// Where a modifier of `op` lies; size 0 if the instruction has none of that name.
inline BitField mod_field(Op op, Mod mod) {
    return traits(op).mods[static_cast<unsigned>(mod)];
}

/// Whether source `i` (ordinal, not slot) takes the float modifiers.
inline bool takes_modifiers(Op op, unsigned i) {
    return (traits(op).modified_sources >> i & 1) != 0;
}

struct Spec {
    Op op{};
    uint64_t word = 0;

    explicit Spec(Op opcode)
        : op(opcode)
        , word(base_word(opcode)) {}
    Spec(Op opcode, uint64_t bits)
        : op(opcode)
        , word(bits) {}

    /// This spec with one modifier set; the instruction must have that modifier.
    template <typename E>
    [[nodiscard]] Spec with(Mod mod, E value) const {
        const BitField field = mod_field(op, mod);
        const uint64_t rest = word & ~bit_mask(field.start, field.size);
        return {op, rest | place_bits(static_cast<uint64_t>(value), field.start, field.size)};
    }
};

/// A modifier of an instruction; 0 if it has none of that name.
inline uint8_t get_mod(const Inst& inst, Mod mod) {
    const BitField field = mod_field(inst.op, mod);
    return static_cast<uint8_t>(extract_bits(inst.word, field.start, field.size));
}
template <typename E>
E get_mod_as(const Inst& inst, Mod mod) {
    return static_cast<E>(get_mod(inst, mod));
}
template <typename E>
void set_mod(Inst& inst, Mod mod, E value) {
    inst.word = Spec(inst.op, inst.word).with(mod, value).word;
}

/// The table row of a source slot's operand `i` (ordinal, not slot).
inline const SourceInfo& source_info(Op op, unsigned i) {
    return op_info(op).sources[i];
}

}  // namespace valkyr::valhall::ir
