// Thread simulation: deals known pieces of work to workers.
// SPDX-License-Identifier: MIT
#include "app/cli/thread_simulation.hpp"

#include <doctest/doctest.h>

using namespace valkyr;
using namespace valkyr::raster;

namespace {

constexpr uint64_t kMs = 1'000'000;

/// Adds a frame of 22 ms with a pass that begins at 1 ms and is planned for `threads`: four
/// segments of 2 ms, then four tiles of 1, 1, 1 and 9 ms, the last one in the lower half of the
/// surface.
void add_frame(Timeline& timeline, unsigned threads) {
    timeline.reset(1);
    for (uint64_t i = 0; i < 4; ++i)
        timeline.add(0, {kTimelineSegment, (1 + 2 * i) * kMs, (3 + 2 * i) * kMs, i});
    timeline.add(0, {kTimelineFront, 1 * kMs, 9 * kMs, 4});
    for (uint64_t i = 0; i < 3; ++i)
        timeline.add(0, {kTimelineTile, (9 + i) * kMs, (10 + i) * kMs, i});
    timeline.add(0, {kTimelineTile, 12 * kMs, 21 * kMs, 9});
    timeline.add(0, {kTimelineTiles, 9 * kMs, 21 * kMs, 10});
    timeline.add(0, {kTimelinePass, 1 * kMs, 21 * kMs, threads});
}

app::SimulatedFrame simulate(unsigned threads, double wake_ms) {
    Timeline timeline;
    add_frame(timeline, threads);
    return app::simulate_threads(timeline, 0, 22 * kMs, threads, wake_ms);
}

}  // namespace

TEST_CASE("one thread takes what the recording took") {
    const app::SimulatedFrame frame = simulate(1, 0.5);
    CHECK(frame.total() == doctest::Approx(22));
    CHECK(frame.work == doctest::Approx(20));
    CHECK(frame.outside == doctest::Approx(2));
    CHECK(frame.wakes == 0);
}

TEST_CASE("two threads wait for the longest tile") {
    const app::SimulatedFrame frame = simulate(2, 0.5);
    // Segments 4 ms, tiles 9 (the other thread has the three of its half), outside 2, two wakes.
    CHECK(frame.total() == doctest::Approx(4 + 9 + 2 + 1));
    CHECK(frame.tile_idle == doctest::Approx(3));
    CHECK(frame.front_idle == doctest::Approx(0));
    CHECK(frame.wakes == doctest::Approx(1));
}

TEST_CASE("more threads than pieces do not help") {
    CHECK(simulate(8, 0).total() == doctest::Approx(2 + 9 + 2));
    CHECK(simulate(64, 0).total() == doctest::Approx(2 + 9 + 2));
}

TEST_CASE("threads share the work-groups of a dispatch, and the time between them") {
    Timeline timeline;
    timeline.reset(1);
    // Four pieces of 2 ms with 1 ms between them, 0.5 ms before and after them.
    for (uint64_t i = 0; i < 4; ++i)
        timeline.add(0, {kTimelineGroups, (1 + 3 * i) * kMs, (3 + 3 * i) * kMs, 8 * i});
    timeline.add(0, {kTimelineDispatch, kMs / 2, 12 * kMs + kMs / 2, 32});
    const app::SimulatedFrame one = app::simulate_threads(timeline, 0, 13 * kMs, 1, 0.25);
    CHECK(one.total() == doctest::Approx(13));
    CHECK(one.work == doctest::Approx(11));
    CHECK(one.passes == doctest::Approx(1));
    CHECK(one.outside == doctest::Approx(1));
    // 3 + 3 ms for one worker, 3 + 2 for the other.
    const app::SimulatedFrame two = app::simulate_threads(timeline, 0, 13 * kMs, 2, 0.25);
    CHECK(two.total() == doctest::Approx(6 + 1 + 1 + 0.25));
    CHECK(two.group_idle == doctest::Approx(0.5));
    const app::SimulatedFrame eight = app::simulate_threads(timeline, 0, 13 * kMs, 8, 0);
    CHECK(eight.total() == doctest::Approx(3 + 1 + 1));
}

TEST_CASE("lists of thread counts") {
    const auto good = app::parse_thread_counts("2,4,64");
    REQUIRE(good.has_value());
    CHECK(*good == std::vector<unsigned>{2, 4, 64});
    for (const char* text : {"", ",", "2,", "2,,4", "x", "2 4", "-1"}) {
        const auto bad = app::parse_thread_counts(text);
        REQUIRE_MESSAGE(!bad.has_value(), text);
        CHECK(bad.error().code == Errc::Syntax);
    }
    for (const char* text : {"0", "65", "99999999999999999999"}) {
        const auto bad = app::parse_thread_counts(text);
        REQUIRE_MESSAGE(!bad.has_value(), text);
        CHECK(bad.error().code == Errc::OutOfRange);
    }
}
