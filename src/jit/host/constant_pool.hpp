// Constant pool: collects the constants that follow the code of a kernel.
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
    /// copies  how many consecutive copies word() stores: a host without broadcast loads reads all
    ///         of them as a register
    explicit ConstantPool(unsigned copies)
        : copies_(copies) {
        buckets_.fill(-1);
    }

    /// The position of this word, aligned to the size of its copies. Equal words share a position.
    uint32_t word(uint32_t value);
    /// The position of these words, aligned to 64 bytes. Equal sequences share a position.
    uint32_t words(std::span<const uint32_t> words);
    /// The position of `count` copies of the word, aligned to 64 bytes. `count` must be equal in
    /// all calls.
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
    std::vector<uint32_t> groups_;  ///< positions returned by words()
};

}  // namespace valkyr::jit
