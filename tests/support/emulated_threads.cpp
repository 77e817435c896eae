// Emulated threads: tells whether threads start, sleep, exchange values and end where tests run.
// SPDX-License-Identifier: MIT
//
// It uses nothing of Valkyr: where it hangs, the emulator and its libraries are at fault.
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <thread>
#include <vector>

namespace {

/// Four threads that sleep, and then count under a lock until the last wakes the caller.
bool round_ends() {
    std::mutex mutex;
    std::condition_variable changed;
    unsigned done = 0;
    std::vector<std::thread> threads;
    for (unsigned t = 0; t < 4; ++t)
        threads.emplace_back([&, t] {
            std::this_thread::sleep_for(std::chrono::microseconds(100 * t));
            const std::lock_guard lock(mutex);
            ++done;
            changed.notify_one();
        });
    {
        std::unique_lock lock(mutex);
        changed.wait(lock, [&] { return done == 4; });
    }
    for (std::thread& thread : threads)
        thread.join();
    return done == 4;
}

}  // namespace

int main() {
    for (unsigned round = 0; round < 100; ++round)
        if (!round_ends())
            return 1;
    return 0;
}
