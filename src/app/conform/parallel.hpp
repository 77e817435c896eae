// Parallel: calls a function for numbers on several threads.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/caught_error.hpp"

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <thread>
#include <vector>

namespace valkyr::conform {

/// Calls work(i) for all i below `count` on `jobs` threads, or on fewer if the system refuses
/// threads. The first exception of a thread ends the work and is thrown here, when all threads have
/// ended.
template <typename Work>
void in_parallel(size_t count, unsigned jobs, Work work) {
    std::atomic<size_t> next = 0;
    std::atomic<bool> failed = false;
    std::exception_ptr failure;
    const auto loop = [&]() noexcept {
        try {
            for (size_t i = next++; i < count && !failed; i = next++)
                work(i);
        } catch (...) {
            if (!failed.exchange(true))
                failure = std::current_exception();
        }
    };
    std::vector<std::thread> threads;
    try {
        for (unsigned t = 1; t < std::min<size_t>(jobs, count); t++)
            threads.emplace_back(loop);
    } catch (...) {
        static_cast<void>(caught_error());
    }
    loop();
    for (std::thread& thread : threads)
        thread.join();
    if (failure)
        std::rethrow_exception(failure);
}

}  // namespace valkyr::conform
