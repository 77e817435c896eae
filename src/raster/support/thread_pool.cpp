// Thread pool: announces jobs by a counter, on which workers spin briefly and then sleep.
// SPDX-License-Identifier: MIT
#include "raster/support/thread_pool.hpp"

#include "base/caught_error.hpp"
#include "exec/float_environment.hpp"
#include "raster/config.hpp"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

namespace valkyr::raster {
namespace {

/// Times that a thread polls a counter before it sleeps: some tens of microseconds.
constexpr unsigned kSpins = 4000;

void relax() {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#endif
}

/// Waits until the counter differs from `old`.
template <typename Number>
void wait_while(const std::atomic<Number>& counter, Number old) {
    for (unsigned i = 0; i < kSpins; ++i) {
        if (counter.load(std::memory_order_acquire) != old)
            return;
        relax();
    }
    counter.wait(old, std::memory_order_acquire);
}

}  // namespace

Result<std::unique_ptr<ThreadPool>> ThreadPool::create(unsigned threads) {
    if (threads > kMaxThreads)
        return Error{Errc::OutOfRange,
                     {},
                     std::to_string(threads) + " threads, at most " + std::to_string(kMaxThreads)};
    if (threads == 0)
        threads = std::clamp(std::thread::hardware_concurrency(), 1U, kMaxThreads);
    try {
        std::unique_ptr<ThreadPool> pool(new ThreadPool);
        pool->threads_.reserve(threads - 1);
        for (unsigned worker = 1; worker < threads; ++worker)
            pool->threads_.emplace_back([raw = pool.get(), worker] { raw->serve(worker); });
        return pool;
    } catch (const std::system_error& error) {
        return Error{Errc::System, {}, std::string("starting a worker thread: ") + error.what()};
    } catch (...) {
        return caught_error();
    }
}

ThreadPool::~ThreadPool() {
    stop_ = true;
    ticket_.fetch_add(1, std::memory_order_release);
    ticket_.notify_all();
    for (std::thread& thread : threads_)
        thread.join();
}

/// Returns whether the worker joins the announced job. `seen` becomes the job's number, so that no
/// worker joins a job twice.
bool ThreadPool::enter(uint32_t& seen) noexcept {
    uint64_t gate = gate_.load(std::memory_order_acquire);
    for (;;) {
        const auto job = static_cast<uint32_t>(gate >> 32);
        if (job == seen || (gate & kClosed) != 0) {
            seen = job;
            return false;
        }
        if (gate_.compare_exchange_weak(gate, gate + 1, std::memory_order_acq_rel,
                                        std::memory_order_acquire)) {
            seen = job;
            return true;
        }
    }
}

void ThreadPool::leave() noexcept {
    const uint64_t gate = gate_.fetch_sub(1, std::memory_order_acq_rel);
    if (static_cast<uint32_t>(gate) == (kClosed | 1))
        gate_.notify_one();
}

void ThreadPool::serve(unsigned worker) {
    const exec::FloatEnvironment environment;
    for (uint32_t seen = 0;;) {
        wait_while(ticket_, seen);
        if (stop_.load(std::memory_order_acquire))
            return;
        if (!enter(seen))
            continue;
        if (worker < count_)
            call_job(worker);
        leave();
    }
}

/// Exceptions end here: if a worker unwound further, the job would never be complete.
void ThreadPool::call_job(unsigned worker) noexcept {
    try {
        call_(context_, worker);
    } catch (...) {
        Error error = caught_error();
        if (!failed_.exchange(true))
            failure_ = std::move(error);
    }
}

Result<void> ThreadPool::run_erased(unsigned count, Call call, void* context) noexcept {
    count = std::min(count, size());
    call_ = call;
    context_ = context;
    count_ = count;
    if (count > 1)
        run_on_all();
    else
        call_job(0);
    if (failed_.exchange(false))
        return std::move(failure_);
    return {};
}

void ThreadPool::run_on_all() noexcept {
    const uint32_t job = ticket_.load(std::memory_order_relaxed) + 1;
    gate_.store(uint64_t{job} << 32, std::memory_order_release);
    ticket_.store(job, std::memory_order_release);
    ticket_.notify_all();
    call_job(0);
    for (uint64_t gate = gate_.fetch_or(kClosed, std::memory_order_acq_rel) | kClosed;
         static_cast<uint32_t>(gate) != kClosed; gate = gate_.load(std::memory_order_acquire))
        wait_while(gate_, gate);
}

}  // namespace valkyr::raster
