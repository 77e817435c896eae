// Tile texels: read and write texels of a tile buffer as 32-bit words, a register a word.
// SPDX-License-Identifier: MIT
#pragma once

#include "jit/context/lane_group.hpp"

#include <array>

namespace valkyr::jit {

/// Whether texels of this size can be split into words: 1, 2, 4, 8 or 16 bytes.
bool texels_are_words(unsigned bytes);

/// The texels of a target: pixel block b, sample s at ((b * samples) + s) * 16 * bytes.
class TexelPlace {
public:
    /// Computes the address of the current block.
    TexelPlace(EmitContext& c, const LaneGroup& group, unsigned target, unsigned bytes);

    /// Adds a number of bytes to the address.
    void move_by(Gp bytes) const { h.add64(block_, bytes); }
    /// The number of words, and registers, a texel.
    [[nodiscard]] unsigned words() const { return bytes_ < 4 ? 1 : bytes_ / 4; }
    /// Makes the words of a sample's texels readable at old_word(); zero-extends shorter texels.
    void read(unsigned sample) const;
    [[nodiscard]] Address old_word(unsigned sample, unsigned word) const;
    /// Stores words in the lanes of a mask. Call read() first. Overwrites the registers.
    void write(unsigned sample, Mask lanes, std::array<Temp, 4>& words) const;

private:
    [[nodiscard]] Address texels(unsigned sample) const;
    void read_rows(unsigned sample) const;
    void write_rows(unsigned sample, std::array<Temp, 4>& words) const;

    EmitContext& c;
    HostAssembler& h;
    const LaneGroup& group_;
    unsigned bytes_;
    Scalar block_;  ///< texels of sample 0
};

}  // namespace valkyr::jit
