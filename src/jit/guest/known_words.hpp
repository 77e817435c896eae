// Known words: follows constants through the registers of a basic block.
// SPDX-License-Identifier: MIT
//
// These are the facts that the register file has while code is emitted: moves of constants and
// their sums with immediates are constants, and registers that a kernel does not fill start as 0.
#pragma once

#include "jit/guest/guest_program.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

/// Half `half` of a source that is no register and is known when the kernel is made. No selector or
/// modifier is applied.
std::optional<uint32_t>
fixed_word(const GuestProgram& program, const Step& step, unsigned source, unsigned half = 0);

class KnownWords {
public:
    /// After find_divergence().
    explicit KnownWords(const GuestProgram& program)
        : program_(program) {}

    void begin_block(uint32_t block);
    /// The step happens; its message has its choice.
    void pass(const Step& step);

    /// Half `half` of a source of the step that is next, as fixed_word(), or of a register.
    [[nodiscard]] std::optional<uint32_t>
    word(const Step& step, unsigned source, unsigned half = 0) const;

private:
    [[nodiscard]] std::optional<uint32_t> result_of(const Step& step) const;

    const GuestProgram& program_;
    std::array<std::optional<uint32_t>, kRegCount> registers_{};
};

}  // namespace valkyr::jit
