// Double steps: find the words of operations on doubles that become one step each.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/guest/register_access.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace valkyr::jit {

/// Whether hosts compute the operation with their doubles (emit_double.cpp).
bool has_host_double(valhall::DoubleOp op);

/// The registers that an operation reads and writes.
Access double_access(const valhall::DoubleRange& range);

/// The ranges of a program that can be one step. A range that control enters behind its first
/// word, or leaves other than behind its last one, is not one: its words are steps.
class DoubleSteps {
public:
    /// No ranges.
    DoubleSteps() = default;
    /// Takes the ranges that are operations of the host, and whose words and registers exist.
    DoubleSteps(std::span<const valhall::DoubleRange> ranges,
                std::span<const valhall::Instr> instrs);

    /// Call for every way of control from word to word.
    void pass(uint32_t from, uint32_t to);
    /// Call for every word that an indirect branch may go to.
    void arrive(uint32_t word);

    /// The range that begins with a word and is one step; null if there is none.
    [[nodiscard]] const valhall::DoubleRange* at(uint32_t word) const;

private:
    static constexpr uint32_t kNone = 0xFFFFFFFF;

    /// The number of the range that a word is in.
    [[nodiscard]] uint32_t range_of(uint32_t word) const {
        return range_of_.empty() ? kNone : range_of_[word];
    }
    void drop(uint32_t range);

    std::span<const valhall::DoubleRange> ranges_;
    std::vector<uint32_t> range_of_;  ///< by word
};

}  // namespace valkyr::jit
