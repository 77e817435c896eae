// Shared work test: every item is handed out once, and a worker gets its own run first.
// SPDX-License-Identifier: MIT
#include "raster/support/shared_work.hpp"
#include "raster/support/thread_pool.hpp"

#include <atomic>
#include <doctest/doctest.h>
#include <memory>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;

namespace {

void start_evenly(SharedWork& work, unsigned runs, uint32_t count) {
    work.start(runs);
    for (unsigned i = 0; i < runs; ++i)
        work.set_run(i, {SharedWork::even_start(i, count, runs),
                         SharedWork::even_start(i + 1, count, runs)});
}

}  // namespace

TEST_CASE("shared work: even runs begin where their first item lies") {
    for (const unsigned runs : {1U, 2U, 3U, 7U, 64U})
        for (const uint32_t count : {1U, 2U, 5U, 64U, 1000U}) {
            REQUIRE(SharedWork::even_start(0, count, runs) == 0);
            REQUIRE(SharedWork::even_start(runs, count, runs) == count);
            for (uint32_t item = 0; item < count; ++item) {
                const uint32_t run = SharedWork::even_run(item, count, runs);
                REQUIRE(run < runs);
                REQUIRE(SharedWork::even_start(run, count, runs) <= item);
                REQUIRE(SharedWork::even_start(run + 1, count, runs) > item);
            }
        }
}

TEST_CASE("shared work: own items come first, then those of others") {
    SharedWork work;
    start_evenly(work, 2, 10);
    for (const uint32_t first : {5U, 7U, 9U, 0U, 2U, 4U}) {
        const auto taken = work.take(1, 2);
        CHECK(taken.first == first);
        CHECK(taken.end - taken.first == (first == 9 || first == 4 ? 1 : 2));
    }
    CHECK(work.take(1, 2).empty());
    CHECK(work.take(0, 2).empty());
}

TEST_CASE("shared work: threads get every item once") {
    constexpr uint32_t kItems = 10007;
    auto pool = ThreadPool::create(5);
    REQUIRE(pool);
    const auto work = std::make_unique<SharedWork>();
    std::vector<std::atomic<uint32_t>> taken(kItems);
    start_evenly(*work, 5, kItems);
    const auto done = pool.value()->run(5, [&](unsigned worker) {
        for (auto range = work->take(worker, 3); !range.empty(); range = work->take(worker, 3))
            for (uint32_t i = range.first; i < range.end; ++i)
                ++taken[i];
    });
    REQUIRE(done);
    uint32_t once = 0;
    for (const auto& times : taken)
        once += times == 1 ? 1 : 0;
    CHECK(once == kItems);
}
