// Race tap: runs a device's compute shaders by the interpreter, and reports their races.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/session/race_check.hpp"
#include "raster/record/kernel_tap.hpp"

#include <atomic>
#include <cstdint>
#include <functional>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace valkyr::debug {

/// Checks each work-group that has shared memory. One group runs at a time. Several devices may
/// share a tap, which outlives their kernels.
class RaceTap final : public raster::KernelTap {
public:
    /// Called with the text of a race, once for each pair of instructions of a program; by any
    /// thread, but one at a time.
    using Report = std::function<void(const std::string& text)>;

    explicit RaceTap(Report report)
        : report_(std::move(report)) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;
    /// Pairs of instructions that have raced.
    [[nodiscard]] uint64_t pairs();
    /// Whether memory ran out: groups were left out.
    [[nodiscard]] bool exhausted() const { return exhausted_; }

    /// Checks the groups of a call. For the kernels of this tap.
    class Checked;
    void check(const Checked& kernel, exec::ComputeCall& call);

private:
    using Pair = std::pair<uint32_t, uint32_t>;  ///< words of a program

    std::mutex mutex_;
    Report report_;
    std::map<std::vector<uint64_t>, std::set<Pair>> known_;  ///< by the words of the program
    uint64_t pairs_ = 0;
    std::atomic<bool> exhausted_ = false;
};

}  // namespace valkyr::debug
