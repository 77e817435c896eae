// Thread pool test: every item of every job is done once, even if workers start late.
// SPDX-License-Identifier: MIT
#include "raster/support/thread_pool.hpp"

#include <atomic>
#include <chrono>
#include <doctest/doctest.h>
#include <new>
#include <thread>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;

namespace {

/// Items of a job that workers take one by one.
struct Items {
    explicit Items(size_t count)
        : done(count) {}
    void work() {
        for (size_t i = next.fetch_add(1); i < done.size(); i = next.fetch_add(1))
            ++done[i];
    }
    std::atomic<size_t> next{0};
    std::vector<int> done;
};

}  // namespace

TEST_CASE("jobs that follow each other at once, and after pauses in which workers sleep") {
    auto pool = ThreadPool::create(4);
    REQUIRE(pool.has_value());
    for (int job = 0; job < 3000; ++job) {
        Items items(static_cast<size_t>(job % 7));
        std::atomic<int> entries[4] = {};
        const auto done = (*pool)->run(static_cast<unsigned>(job % 5), [&](unsigned worker) {
            ++entries[worker];
            items.work();
        });
        REQUIRE(done.has_value());
        for (const int times : items.done)
            REQUIRE(times == 1);
        CHECK(entries[0] == 1);
        for (unsigned worker = 1; worker < 4; ++worker)
            CHECK(entries[worker] <= (static_cast<int>(worker) < job % 5 ? 1 : 0));
        if (job % 300 == 0)
            std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
}

TEST_CASE("a job ends when worker 0 has and those that came have, not when others have woken") {
    auto pool = ThreadPool::create(3);
    REQUIRE(pool.has_value());
    std::atomic<int> inside = 0;
    for (int job = 0; job < 200; ++job) {
        REQUIRE((*pool)
                    ->run(3,
                          [&](unsigned worker) {
                              ++inside;
                              if (worker != 0)
                                  std::this_thread::sleep_for(std::chrono::microseconds(200));
                              --inside;
                          })
                    .has_value());
        CHECK(inside == 0);
    }
}

TEST_CASE("the error of a worker is that of the job, and the next job runs") {
    auto pool = ThreadPool::create(2);
    REQUIRE(pool.has_value());
    const auto failed = (*pool)->run(2, [](unsigned worker) {
        if (worker == 0)
            throw std::bad_alloc();
    });
    REQUIRE(!failed.has_value());
    CHECK(failed.error().code == Errc::OutOfMemory);
    CHECK((*pool)->run(2, [](unsigned) {}).has_value());
}
