// Huge draw test: draws more instances than a portion of the plan, and many draws without waiting.
// SPDX-License-Identifier: MIT
#include "raster/front/plan.hpp"
#include "tests/raster/native_scene.hpp"

#include <algorithm>
#include <chrono>
#include <doctest/doctest.h>
#include <sys/resource.h>
#include <thread>

using namespace valkyr;
using namespace valkyr::raster;
using namespace valkyr::raster::test;

namespace {

DeviceOptions on_threads(unsigned threads) {
    DeviceOptions options;
    options.threads = threads;
    return options;
}

/// A scene of 8x8 pixels whose triangle covers them all; every fragment adds 1.
struct CountingScene : Scene {
    explicit CountingScene(unsigned threads)
        : Scene(8, 8, on_threads(threads)) {
        pipeline({}, vertex_stage({{{0, 0, 0, 1}}, {{32, 0, 0, 1}}, {{0, 32, 0, 1}}}),
                 fragment_stage(count_hit));
        clear();
    }
    /// The indices of `triangles` triangles, with a restart index behind each.
    void restart_after_each(uint32_t triangles) {
        std::vector<uint16_t> indices;
        for (uint32_t i = 0; i < triangles; ++i)
            indices.insert(indices.end(), {0, 1, 2, 0xFFFF});
        state.index_buffer = {
            must(device->create_buffer(indices.size() * 2, std::as_bytes(std::span(indices)))), 0,
            UINT64_MAX};
        state.index_type = IndexType::U16;
    }
    void draw_instances(uint32_t count, uint32_t instances, bool restart = false) {
        DrawInfo info;
        info.count = count;
        info.instance_count = instances;
        info.primitive_restart = restart;
        info.restart_index = 0xFFFF;
        must(device->draw(state, info));
    }
    /// Whether every pixel was hit `hits` times.
    bool all_are(uint32_t hits) {
        const auto pixels = read();
        return std::ranges::all_of(pixels, [&](uint32_t value) { return value == hits; });
    }
};

/// Peak memory of the process in bytes.
int64_t peak_bytes() {
    rusage usage{};
    getrusage(RUSAGE_SELF, &usage);
    return int64_t{usage.ru_maxrss} * 1024;
}

}  // namespace

TEST_CASE("every instance is drawn once, however they share work items") {
    for (const unsigned threads : {1U, 2U})
        for (const uint32_t instances : {1U, 2U, 127U, 3000U, 70001U}) {
            CAPTURE(instances);
            CountingScene scene(threads);
            scene.draw_instances(3, instances);
            CHECK(scene.all_are(instances));
        }
}

TEST_CASE("instances are drawn in order beyond a portion of the plan") {
    constexpr uint32_t kInstances = Plan::kPortionItems + 500;
    CountingScene scene(2);
    scene.restart_after_each(2);
    scene.draw_instances(8, kInstances, true);
    CHECK(scene.all_are(2 * kInstances));
}

TEST_CASE("several draws share a portion with what is left of a large one") {
    CountingScene scene(2);
    scene.restart_after_each(1);
    scene.draw_instances(4, Plan::kPortionItems + 3, true);
    scene.state.index_type = IndexType::None;
    scene.draw_instances(3, 5);
    scene.draw_instances(3, 1);
    CHECK(scene.all_are(Plan::kPortionItems + 3 + 6));
}

TEST_CASE("a draw of 2^32 - 1 instances takes no memory for them and ends when it is cancelled") {
    CountingScene scene(2);
    const int64_t before = peak_bytes();
    scene.draw_instances(1, UINT32_MAX);
    std::thread canceller([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        scene.device->cancel();
    });
    (void)scene.device->finish();
    canceller.join();
    CHECK(peak_bytes() - before < int64_t{512} << 20);
}
