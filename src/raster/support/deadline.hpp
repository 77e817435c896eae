// Deadline: cancels the work of a device that takes longer than it may.
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

/// A thread that sets exec::kOutOfTime, at which all long work looks anyway. It sleeps until the
/// time is up or until there is work after a pause, so that beginning and ending are cheap.
class Deadline {
public:
    using Clock = std::chrono::steady_clock;

    /// watch  outlives the deadline
    /// errors  System: the thread cannot be started
    static Result<std::unique_ptr<Deadline>> create(exec::LoopWatch& watch, Clock::duration budget);
    Deadline(const Deadline&) = delete;
    Deadline& operator=(const Deadline&) = delete;
    ~Deadline();

    /// The time of a piece of work starts. Only one piece at a time.
    void begin();
    /// Whether the work was out of time; the next piece has all the time again.
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
    bool waiting_ = false;  ///< the thread waits for a change, not for a time
    bool stop_ = false;
    std::thread thread_;
};

}  // namespace valkyr::raster
