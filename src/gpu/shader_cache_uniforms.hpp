// Uniform areas: fill in the words that a program's recipe asks for.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/record/pipeline.hpp"
#include "valhall/isa/program.hpp"

#include <cstdint>
#include <vector>

namespace valkyr::gpu {

using namespace raster;

/// A program's recipe, sorted by where words come from: words that no draw changes are copied in
/// one piece, and so is each run of consecutive constants.
class UniformPlan {
public:
    explicit UniformPlan(const valhall::Program& program);

    /// Fills a uniform area of size() words; `prologue` holds the registers that the prologue left,
    /// or is null.
    void fill(const FauInputs& inputs, const exec::Lanes* prologue, uint32_t* fau) const noexcept;
    [[nodiscard]] size_t size() const noexcept { return fixed_.size(); }
    /// Whether base vertex, base instance or draw number are among the words.
    [[nodiscard]] bool reads_draw_values() const noexcept { return reads_draw_values_; }

private:
    /// Words of a constant buffer.
    struct Run {
        uint32_t to = 0;
        uint32_t buffer = 0;
        uint32_t from = 0;
        uint32_t count = 0;
    };
    /// A word that is computed or comes from the prologue.
    struct Single {
        uint32_t to = 0;
        valhall::FauWord word;
    };

    void add_constant(uint32_t to, const valhall::FauWord& word);

    std::vector<uint32_t> fixed_;  ///< immediates, 0 where other words go
    std::vector<Run> runs_;
    std::vector<Single> singles_;
    bool reads_draw_values_ = false;
};

}  // namespace valkyr::gpu
