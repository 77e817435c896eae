// Barrier values: finds the registers that a warp must save at its BARRIERs, and load behind them.
// SPDX-License-Identifier: MIT
#include "jit/guest/barrier_values.hpp"

#include <algorithm>

namespace valkyr::jit {

namespace {

class BarrierAnalysis {
public:
    explicit BarrierAnalysis(const GuestProgram& program)
        : program_(program)
        , accesses_(program.blocks.size())
        , changed_(program.blocks.size())
        , needed_(program.blocks.size()) {
        for (size_t b = 0; b < program.blocks.size(); ++b) {
            const Block& block = program.blocks[b];
            for (uint32_t k = block.first; k < block.first + block.count; ++k) {
                accesses_[b].reads |= program.steps[k].access.reads;
                accesses_[b].writes |= program.steps[k].access.writes;
            }
        }
    }

    BarrierValues run() {
        for (const ResumePoint& point : program_.resume_points)
            values_.first.push_back(program_.blocks[point.block].live_in);
        values_.again = values_.load = values_.first;
        if (!std::ranges::all_of(program_.resume_points, &ResumePoint::together))
            return values_;
        find_changes();
        find_needs();
        return values_;
    }

private:
    /// Calls f for the blocks to which lanes go from the end of block b without waiting.
    template <typename F>
    void each_next(uint32_t b, F f) const {
        if (program_.blocks[b].exit != Exit::Barrier)
            program_.each_successor(b, f);
    }

    /// Repeats f(block), which returns whether it has found something, until none does. Sweeps both
    /// ways, because facts spread in either direction.
    template <typename F>
    void until_settled(F f) {
        const auto count = static_cast<uint32_t>(program_.blocks.size());
        for (bool found = true; found;) {
            found = false;
            for (uint32_t b = 0; b < count; ++b)
                found |= f(b);
            for (uint32_t b = count; found && b-- > 0;)
                f(b);
        }
    }

    /// Adds registers to a set; returns whether it has grown.
    static bool add(RegSet& set, RegSet more) {
        const bool grows = !(more - set).empty();
        set |= more;
        return grows;
    }

    /// changed_: registers that lanes may have written since the last resume point, when they come
    /// to a block. Of blocks that are reached without waiting only, nothing is known.
    void find_changes() {
        std::vector<bool> resumed(program_.blocks.size());
        for (const ResumePoint& point : program_.resume_points)
            resumed[point.block] = true;
        until_settled([&](uint32_t b) {
            bool found = false;
            if (!resumed[b])
                return found;
            each_next(b, [&](uint32_t next) {
                found |= !resumed[next];
                resumed[next] = true;
                found |= add(changed_[next], changed_[b] | accesses_[b].writes);
            });
            return found;
        });
        for (size_t point = 0; point < values_.again.size(); ++point) {
            const uint32_t b = program_.resume_points[point].block - 1;
            if (resumed[b])
                values_.again[point] = values_.first[point] & (changed_[b] | accesses_[b].writes);
        }
    }

    /// needed_: registers that code from the start of a block on reads, writes or saves before it
    /// has waited.
    void find_needs() {
        for (uint32_t b = 0; b < program_.blocks.size(); ++b)
            needed_[b] = accesses_[b].reads | accesses_[b].writes;
        for (size_t point = 0; point < values_.again.size(); ++point)
            needed_[program_.resume_points[point].block - 1] |= values_.again[point];
        until_settled([&](uint32_t b) {
            bool found = false;
            each_next(b, [&](uint32_t next) { found |= add(needed_[b], needed_[next]); });
            return found;
        });
        for (size_t point = 0; point < values_.load.size(); ++point)
            values_.load[point] =
                values_.first[point] & needed_[program_.resume_points[point].block];
    }

    const GuestProgram& program_;
    std::vector<Access> accesses_;  ///< by block
    std::vector<RegSet> changed_;
    std::vector<RegSet> needed_;
    BarrierValues values_;
};

}  // namespace

BarrierValues find_barrier_values(const GuestProgram& program) {
    return BarrierAnalysis(program).run();
}

}  // namespace valkyr::jit
