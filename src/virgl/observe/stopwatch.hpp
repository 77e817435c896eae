// Stopwatch: adds the time of a scope to a figure.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>

namespace valkyr::virgl {

class Stopwatch {
public:
    explicit Stopwatch(uint64_t& total_ns)
        : total_ns_(total_ns)
        , start_(std::chrono::steady_clock::now()) {}
    ~Stopwatch() {
        total_ns_ += static_cast<uint64_t>(std::chrono::duration_cast<std::chrono::nanoseconds>(
                                               std::chrono::steady_clock::now() - start_)
                                               .count());
    }
    Stopwatch(const Stopwatch&) = delete;
    Stopwatch& operator=(const Stopwatch&) = delete;

private:
    uint64_t& total_ns_;
    std::chrono::steady_clock::time_point start_;
};

}  // namespace valkyr::virgl
