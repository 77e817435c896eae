// Thread pool: runs jobs on workers that are created once; the submitting thread is worker 0.
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
    /// threads  workers, the submitting thread included; 0 = one for each processor
    /// errors   System: a thread cannot be started; OutOfMemory
    static Result<std::unique_ptr<ThreadPool>> create(unsigned threads);
    ~ThreadPool();

    [[nodiscard]] unsigned size() const noexcept {
        return static_cast<unsigned>(threads_.size()) + 1;
    }

    /// Runs job(worker) on worker 0 and on those workers of 1 .. count-1 that wake before worker 0
    /// has finished, and waits for them: a sleeping worker need not wake for a short job. Jobs
    /// share work among their workers by atomic counters; worker 0 returns when no work is left.
    /// count is clamped to size().
    /// errors  OutOfMemory, System: the job ended by an exception on some worker; the other workers
    ///         finished, and the first error is returned
    template <typename Job>
    [[nodiscard]] Result<void> run(unsigned count, Job&& job) noexcept {
        return run_erased(
            count, [](void* context, unsigned worker) { (*static_cast<Job*>(context))(worker); },
            &job);
    }

private:
    using Call = void (*)(void* context, unsigned worker);
    static constexpr uint64_t kClosed = uint64_t{1} << 31;

    ThreadPool() = default;
    Result<void> run_erased(unsigned count, Call call, void* context) noexcept;
    void run_on_all() noexcept;
    bool enter(uint32_t& seen) noexcept;
    void leave() noexcept;
    void call_job(unsigned worker) noexcept;
    void serve(unsigned worker);

    // The job, published by `gate_` and written while no worker is inside.
    Call call_ = nullptr;
    void* context_ = nullptr;
    unsigned count_ = 0;
    std::atomic<bool> stop_{false};
    std::atomic<bool> failed_{false};               ///< a worker has set failure_ or is about to
    Error failure_;                                 ///< read when all workers have finished
    alignas(128) std::atomic<uint32_t> ticket_{0};  ///< changes with every job
    /// Upper half: job number. Lower half: workers inside, and kClosed if no worker may enter.
    alignas(128) std::atomic<uint64_t> gate_{kClosed};
    std::vector<std::thread> threads_;
};

}  // namespace valkyr::raster
