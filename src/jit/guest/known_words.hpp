// Known words: follows constants through the registers of a basic block.
// SPDX-License-Identifier: MIT
//
// It follows the rules of the register file during emission: moves of constants, and their sums
// with immediates, are constants, and registers that the kernel does not preload start as 0.
#pragma once

#include "jit/guest/guest_program.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

/// Half `half` of a source that is no register, if it is known when the kernel is made. Applies no
/// selector or modifier.
std::optional<uint32_t>
fixed_word(const GuestProgram& program, const Step& step, unsigned source, unsigned half = 0);

/// The bits that a selector above 0 of a 32-bit source takes. Swizzles32Bit has h0 and h1 at 2 and
/// 3, b0 to b3 at 4 to 7.
struct SelectedField {
    unsigned start;
    unsigned size;
};
constexpr SelectedField selected_field(unsigned selector) {
    if (selector >= 4)
        return {8 * (selector & 3), 8};
    return {16 * (selector & 1), 16};
}
/// The field of a word, zero- or sign-extended; selector 0 is the word itself.
constexpr uint32_t widened(uint32_t word, unsigned selector, bool is_signed) {
    if (selector == 0)
        return word;
    const auto [start, size] = selected_field(selector);
    const uint32_t top = word << (32 - start - size);
    return is_signed ? static_cast<uint32_t>(static_cast<int32_t>(top) >> (32 - size))
                     : top >> (32 - size);
}

/// Whether an instruction computes what its name says, without any modifier.
inline bool has_default_modifiers(const valhall::Instr& instr) {
    return instr.mods == valhall::make_instr(instr.op).mods;
}
/// Whether a source is read without NOT or a change of its sign. It may have a selector.
inline bool is_unmodified(const valhall::Source& source) {
    return !source.neg && !source.abs && !source.bit_not;
}

class KnownWords {
public:
    /// The program must have passed find_divergence().
    explicit KnownWords(const GuestProgram& program)
        : program_(program) {}

    void begin_block(uint32_t block);
    /// Applies the effect of a step whose message has its choice.
    void pass(const Step& step);

    /// Half `half` of a source of the next step: from fixed_word(), or the value of a register.
    [[nodiscard]] std::optional<uint32_t>
    word(const Step& step, unsigned source, unsigned half = 0) const;
    /// The value of a register before the next step.
    [[nodiscard]] std::optional<uint32_t> value(Reg r) const { return registers_[r]; }

private:
    [[nodiscard]] std::optional<uint32_t> result_of(const Step& step) const;

    const GuestProgram& program_;
    std::array<std::optional<uint32_t>, kRegCount> registers_{};
};

}  // namespace valkyr::jit
