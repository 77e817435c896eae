// Thread pool: runs jobs on workers that are made once; the submitting thread is worker 0.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <atomic>
#include <cstdint>
#include <memory>
#include <thread>
#include <vector>

namespace valkyr::raster {

class ThreadPool {
public:
    /// threads  workers, the submitting one included; 0 = one a processor
    /// errors   System: a thread cannot be started
    static Result<std::unique_ptr<ThreadPool>> create(unsigned threads);
    ~ThreadPool();

    [[nodiscard]] unsigned size() const noexcept {
        return static_cast<unsigned>(threads_.size()) + 1;
    }

    /// Runs job(worker) on workers 0 .. count-1 and waits for all of them. Jobs share work among
    /// themselves by atomic counters. count is clamped to size().
    template <typename Job>
    void run(unsigned count, Job&& job) {
        run_erased(
            count, [](void* context, unsigned worker) { (*static_cast<Job*>(context))(worker); },
            &job);
    }

private:
    using Call = void (*)(void* context, unsigned worker);

    ThreadPool() = default;
    void run_erased(unsigned count, Call call, void* context);
    void serve(unsigned worker);

    // The job, published by `ticket_`.
    Call call_ = nullptr;
    void* context_ = nullptr;
    unsigned count_ = 0;
    bool stop_ = false;
    alignas(128) std::atomic<uint32_t> ticket_{0};   ///< changes with every job
    alignas(128) std::atomic<uint32_t> pending_{0};  ///< workers that have not finished the job
    std::vector<std::thread> threads_;
};

}  // namespace valkyr::raster
