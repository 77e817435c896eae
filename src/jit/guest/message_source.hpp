// Message source: holds the facts that choosers of expansions read.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/kernel_source.hpp"
#include "jit/guest/known_words.hpp"

namespace valkyr::jit {

/// A message of a program after find_divergence(). Choosers read nothing else.
struct MessageSource : KernelSource {
    uint32_t at;  ///< number of the step
    const Block& block;
    const KnownWords& known;

    [[nodiscard]] const valhall::Instr& instr() const { return program.steps[at].instr; }
    /// The last step before `end` in the block that wrote a register; null if none did.
    [[nodiscard]] const Step* maker_before(uint32_t end, Reg reg) const {
        for (uint32_t k = end; k-- > block.first;)
            if (program.steps[k].access.writes.has(reg))
                return &program.steps[k];
        return nullptr;
    }
    /// The type size in the instruction's name.
    [[nodiscard]] unsigned bits() const { return valhall::op_info(instr().op).type_size; }
    [[nodiscard]] std::optional<uint32_t> known_word(unsigned source, unsigned half = 0) const {
        return known.word(program.steps[at], source, half);
    }
};

}  // namespace valkyr::jit
