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

private:
    [[nodiscard]] std::optional<uint32_t> result_of(const Step& step) const;

    const GuestProgram& program_;
    std::array<std::optional<uint32_t>, kRegCount> registers_{};
};

}  // namespace valkyr::jit
