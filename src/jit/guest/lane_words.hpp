// Lane words: follows words that depend on the lane's number only through a basic block.
// SPDX-License-Identifier: MIT
//
// Derivatives take the words of other lanes of their quad. The lane operands of these CLPERs are
// made from lane_id and constants, so that recompiled code can permute by an immediate.
#pragma once

#include "jit/guest/known_words.hpp"

#include <array>
#include <optional>

namespace valkyr::jit {

class LaneWords {
public:
    using Row = std::array<uint32_t, exec::kLanes>;  ///< a word for each lane of the warp

    void begin_block() { rows_.fill(std::nullopt); }
    /// Applies the effect of a step.
    /// known  the constants before the step
    void pass(const Step& step, const KnownWords& known);

    /// The lanes of its quad that each lane of a quad reads with this CLPER, two bits each, lane 0
    /// in the lowest; nullopt: it is no CLPER of quads, or its operand is not known.
    [[nodiscard]] std::optional<uint8_t> quad_lanes(const Step& step,
                                                    const KnownWords& known) const;

private:
    /// A source of 32 bits with its selector.
    [[nodiscard]] std::optional<Row>
    source(const Step& step, unsigned source, const KnownWords& known) const;
    [[nodiscard]] std::optional<Row> result_of(const Step& step, const KnownWords& known) const;

    std::array<std::optional<Row>, kRegCount> rows_{};
};

}  // namespace valkyr::jit
