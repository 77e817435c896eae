// Constant pool: collects the constants that lie behind the code of a kernel.
// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace valkyr::jit {

/// Positions are byte offsets from the start of the pool, which is aligned to 64 bytes.
class ConstantPool {
public:
    /// copies  how often every single word is stored, one after the other: a host without broadcast
    ///         loads takes the whole group as a register
    explicit ConstantPool(unsigned copies)
        : copies_(copies) {
        buckets_.fill(-1);
    }

    /// Position of this word, aligned to its copies; equal words share it.
    uint32_t word(uint32_t value);
    /// Position of these words, aligned to 64 bytes; equal ones share it.
    uint32_t words(std::span<const uint32_t> words);
    /// Position of `count` copies of the word, aligned to 64 bytes; the same count in every call.
    uint32_t repeated(uint32_t value, unsigned count);

    /// The word at a position.
    [[nodiscard]] uint32_t at(uint32_t position) const { return contents_[position / 4]; }
    [[nodiscard]] std::span<const uint32_t> contents() const { return contents_; }

private:
    /// A known word: its value, position and the next of its bucket (-1: none).
    struct Word {
        uint32_t value;
        uint32_t position;
        int32_t next;
    };
    static constexpr unsigned kBuckets = 64;

    unsigned copies_;
    std::vector<uint32_t> contents_;
    std::vector<Word> index_;
    std::array<int32_t, kBuckets> buckets_{};  ///< first of index_, or -1
    std::vector<std::pair<uint32_t, uint32_t>> repeated_;
    std::vector<uint32_t> groups_;  ///< positions that words() gave
};

}  // namespace valkyr::jit
