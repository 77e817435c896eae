// Deadline: implements the thread that waits until the time budget is used up.
// SPDX-License-Identifier: MIT
#include "raster/support/deadline.hpp"

#include <string>
#include <system_error>

namespace valkyr::raster {

Result<std::unique_ptr<Deadline>> Deadline::create(exec::LoopWatch& watch, Clock::duration budget) {
    std::unique_ptr<Deadline> deadline(new Deadline(watch, budget));
    try {
        deadline->thread_ = std::thread([raw = deadline.get()] { raw->serve(); });
    } catch (const std::system_error& error) {
        return Error{Errc::System, {}, std::string("starting a thread: ") + error.what()};
    }
    return deadline;
}

Deadline::~Deadline() {
    if (!thread_.joinable())
        return;
    {
        const std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_one();
    thread_.join();
}

void Deadline::begin() {
    const std::lock_guard lock(mutex_);
    start_ = Clock::now();
    busy_ = true;
    if (waiting_)
        changed_.notify_one();
}

bool Deadline::end() {
    const std::lock_guard lock(mutex_);
    busy_ = false;
    const uint32_t before = watch_.cancelled.fetch_and(~uint32_t{exec::kOutOfTime});
    return (before & exec::kOutOfTime) != 0;
}

void Deadline::serve() {
    std::unique_lock lock(mutex_);
    while (!stop_) {
        // Work that began after this start is checked again when its own time may be up.
        const Clock::time_point until = start_ + budget_;
        if (busy_ && Clock::now() >= until)
            watch_.cancelled |= exec::kOutOfTime;
        waiting_ = !busy_ || (watch_.cancelled & exec::kOutOfTime) != 0;
        if (waiting_)
            changed_.wait(lock);
        else
            changed_.wait_until(lock, until);
    }
}

}  // namespace valkyr::raster
