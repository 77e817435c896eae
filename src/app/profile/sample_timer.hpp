// Sample timer: notes what the calling thread executes, many times a second.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

namespace valkyr::profile {

/// Addresses of code that a kernel occupies; empty: no kernel runs.
struct CodeRange {
    uintptr_t begin = 0;
    uintptr_t end = 0;
    [[nodiscard]] bool contains(uintptr_t address) const { return address - begin < end - begin; }
};

/// The place of the thread when the timer fired.
struct Sample {
    uintptr_t address = 0;  ///< of the next instruction
    /// If a kernel runs and the instruction is not its own: where a routine returns to it; else 0.
    uintptr_t caller = 0;
    uintptr_t kernel = 0;  ///< CodeRange::begin of the kernel that runs; 0: none
    uint32_t weight = 1;   ///< periods that it stands for: more if the timer fired late
};

/// A timer of the thread that made it, by the clock on the wall (timer_create(2) and a signal to
/// the thread, which needs no rights). Only that thread may use it.
class SampleTimer {
public:
    /// Later samples are dropped.
    static constexpr size_t kMaxSamples = size_t{1} << 20;

    /// errors  System: the system has no timer; OutOfMemory
    static Result<std::unique_ptr<SampleTimer>> create(std::chrono::nanoseconds period);
    SampleTimer(const SampleTimer&) = delete;
    SampleTimer& operator=(const SampleTimer&) = delete;
    ~SampleTimer();

    /// Between these calls samples are kept. The timer itself never stops, so that short times in
    /// between have as many samples as they deserve.
    void start() { active_ = true; }
    void stop() { active_ = false; }
    [[nodiscard]] std::chrono::nanoseconds period() const { return period_; }
    [[nodiscard]] std::span<const Sample> samples() const { return {samples_.get(), count_}; }
    /// Whether there is no room for another sample.
    [[nodiscard]] bool is_full() const { return count_ == kMaxSamples; }
    /// The kernel that the thread runs from now on; none if the range is empty.
    void set_kernel(CodeRange range) { kernel_ = range; }

private:
    struct System;
    explicit SampleTimer(std::chrono::nanoseconds period);
    void note(uintptr_t address, uintptr_t stack, uint32_t weight) noexcept;

    std::chrono::nanoseconds period_;
    std::unique_ptr<System> system_;
    std::unique_ptr<Sample[]> samples_;
    std::atomic<bool> active_{false};
    // Written by the signal handler, which runs on the same thread.
    size_t count_ = 0;
    CodeRange kernel_;
    uintptr_t stack_end_ = 0;
};

}  // namespace valkyr::profile
