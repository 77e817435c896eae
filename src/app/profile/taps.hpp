// Taps: tell the sample timer which kernel runs, and count what kernels execute.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/profile/kernel_table.hpp"
#include "app/profile/sample_timer.hpp"

namespace valkyr::profile {

/// The code of a kernel of some device.
struct PlacedKernel {
    CodeRange code;
    size_t number = 0;  ///< in the table
};

/// Lets the timer know the kernel that runs. Kernels stay where they are until the tap ends.
class TimeTap final : public raster::KernelTap {
public:
    /// Both must outlive the tap, which outlives the device.
    TimeTap(KernelTable& table, SampleTimer& timer)
        : table_(table)
        , timer_(timer) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;
    /// Recompiled kernels by their first byte.
    [[nodiscard]] const std::map<uintptr_t, PlacedKernel>& placed() const { return placed_; }

private:
    KernelTable& table_;
    SampleTimer& timer_;
    std::map<uintptr_t, PlacedKernel> placed_;
    std::vector<raster::KernelRef> kept_;  ///< so that no other kernel gets the same address
};

/// How often the lanes of warps executed a word.
struct WordCount {
    uint64_t warps = 0;
    uint64_t lanes = 0;    ///< that executed it
    uint64_t helpers = 0;  ///< of these: helper lanes of fragment programs
};

/// While armed, the interpreter runs the kernels of a device, and their words are counted; else
/// recompiled code runs. The device must have one thread.
class CountTap final : public raster::KernelTap {
public:
    explicit CountTap(KernelTable& table)
        : table_(table) {}

    raster::KernelRef wrap(const valhall::Program& program,
                           const exec::VertexKey* vertex,
                           const exec::FragmentKey* fragment,
                           raster::KernelRef kernel) override;
    void arm(bool armed) { armed_ = armed; }
    /// By number of the kernel and word; kernels that did not run may be missing.
    [[nodiscard]] const std::vector<std::vector<WordCount>>& counts() const { return counts_; }
    /// Whether memory ran out: counts are missing.
    [[nodiscard]] bool failed() const { return failed_; }

private:
    class Counted;
    KernelTable& table_;
    bool armed_ = false;
    bool failed_ = false;  ///< an interpreter ran out of memory
    std::vector<std::vector<WordCount>> counts_;
};

}  // namespace valkyr::profile
