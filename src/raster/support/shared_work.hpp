// Shared work: hands out the items of a job; each worker gets the items of its own run first.
// SPDX-License-Identifier: MIT
#pragma once

#include "raster/config.hpp"

#include <array>
#include <atomic>
#include <cstdint>

namespace valkyr::raster {

/// Items 0 .. count - 1, divided into one run for each worker. A worker takes items from its own
/// run and, when that is empty, from the others. If a run is the same part of a surface in job
/// after job, its texels stay in the caches of the processor that wrote them.
class SharedWork {
public:
    /// Items [first, end); none if they are equal.
    struct Range {
        uint32_t first = 0;
        uint32_t end = 0;
        [[nodiscard]] bool empty() const { return first == end; }
    };

    /// Begins a job of 1 .. kMaxThreads runs, all empty. No worker may take items meanwhile.
    void start(unsigned runs) {
        runs_used_ = runs;
        for (unsigned i = 0; i < runs; ++i)
            set_run(i, {});
    }
    void set_run(unsigned run, const Range& items) {
        runs_[run].next.store(items.first, std::memory_order_relaxed);
        runs_[run].end = items.end;
    }
    /// Returns the run of item `item` of `count` if all runs are about equally long.
    [[nodiscard]] static uint32_t even_run(uint32_t item, uint32_t count, unsigned runs) {
        return static_cast<uint32_t>(uint64_t{item} * runs / count);
    }
    /// Returns the first item of such a run.
    [[nodiscard]] static uint32_t even_start(unsigned run, uint32_t count, unsigned runs) {
        return static_cast<uint32_t>((uint64_t{run} * count + runs - 1) / runs);
    }

    /// Returns up to `most` items that no other worker gets; empty when none are left.
    [[nodiscard]] Range take(unsigned worker, uint32_t most) noexcept {
        for (unsigned i = 0; i < runs_used_; ++i) {
            Run& run = runs_[(worker + i) % runs_used_];
            // The load before the increment keeps the counter near the end, however often take() is
            // called.
            if (run.next.load(std::memory_order_relaxed) >= run.end)
                continue;
            const uint32_t first = run.next.fetch_add(most, std::memory_order_relaxed);
            if (first < run.end)
                return {first, run.end - first < most ? run.end : first + most};
        }
        return {};
    }

private:
    struct alignas(128) Run {
        std::atomic<uint32_t> next{0};
        uint32_t end = 0;
    };
    std::array<Run, kMaxThreads> runs_;
    unsigned runs_used_ = 1;
};

}  // namespace valkyr::raster
