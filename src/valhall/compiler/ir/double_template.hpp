// Double template: holds words of an operation on doubles, with gaps for operands.
// SPDX-License-Identifier: MIT
//
// A template reads its sources, each in a register of its own, until its last two words write the
// results. Up to there it writes scratch registers only, so results may replace sources.
#pragma once

#include "valhall/isa/double_op.hpp"

#include <array>
#include <cstdint>
#include <vector>

namespace valkyr::valhall::ir {

/// Numbers of registers in a template: two results, the sources, pairs of scratch registers.
inline constexpr unsigned kTemplateResults = 0;
inline constexpr unsigned kTemplateSources = 2;
inline constexpr unsigned kTemplateScratch = kTemplateSources + kMaxDoubleSources;

struct DoubleTemplate {
    /// A gap: an operand that is still to be filled in.
    struct Gap {
        uint16_t word = 0;
        uint8_t shift = 0;     ///< place of the number in the word
        uint8_t number = 0;    ///< of a template's register or uniform
        bool uniform = false;  ///< fills in the page, too
    };
    std::vector<uint64_t> words;  ///< with zeros in the gaps
    std::vector<Gap> gaps;
    std::vector<uint32_t> literals;  ///< contents of the uniforms, in 64-bit slots
    unsigned scratch_pairs = 0;      ///< even-aligned pairs of registers
    bool loops = false;              ///< has branches
};

/// Gives the template of an operation; it lives until the end of the process.
using FindTemplate = const DoubleTemplate& (*)(DoubleOp);

}  // namespace valkyr::valhall::ir
