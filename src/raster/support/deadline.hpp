// Deadline: cancels work of a device that exceeds its time budget.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"
#include "exec/calls.hpp"

#include <chrono>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <thread>

namespace valkyr::raster {

/// A thread that sets exec::kOutOfTime, which all long work polls. It sleeps until the time is up,
/// or until work begins after a pause, so that begin() and end() are cheap.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    /// watch  outlives the deadline
    /// errors  System: the thread cannot be started
    static Result<std::unique_ptr<Deadline>> create(exec::LoopWatch& watch, Clock::duration budget);
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline();

    /// Starts the time of a piece of work. Pieces do not overlap.
    void begin();
    /// Ends the piece; returns whether it was out of time. The next piece gets the full budget.
    bool end();

private:
    Deadline(exec::LoopWatch& watch, Clock::duration budget)
        : watch_(watch)
        , budget_(budget) {}
    void serve();

    exec::LoopWatch& watch_;
    const Clock::duration budget_;
    std::mutex mutex_;
    std::condition_variable changed_;
    Clock::time_point start_;
    bool busy_ = false;
    bool waiting_ = false;  ///< the thread waits for a change, without a timeout
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace valkyr::raster
