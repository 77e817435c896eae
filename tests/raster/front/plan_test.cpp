// Plan test: segments hold all work in order, and the last ones are small.
// SPDX-License-Identifier: MIT
#include "raster/front/plan.hpp"

#include <doctest/doctest.h>
#include <vector>

using namespace valkyr;
using namespace valkyr::raster;

namespace {

struct TriangleDraws {
    ShapeState shape;
    std::vector<DrawRecord> records;
    std::vector<const DrawRecord*> draws;

    explicit TriangleDraws(const std::vector<uint32_t>& triangles)
        : records(triangles.size()) {
        for (size_t i = 0; i < records.size(); ++i) {
            records[i].shape = &shape;
            records[i].assembly.count = 3 * triangles[i];
            draws.push_back(&records[i]);
        }
    }
};

/// Returns the triangles of each segment. Fails unless segments hold all triangles in order.
std::vector<uint32_t> segment_sizes(const TriangleDraws& list, unsigned workers) {
    Plan plan;
    plan.start(list.draws, workers);
    std::vector<uint32_t> sizes;
    size_t draw = 0;
    uint32_t next = 0;  // triangle of that draw
    while (plan.advance()) {
        uint32_t item = 0;
        for (const SegmentPlan& segment : plan.segments()) {
            REQUIRE(segment.first_item == item);
            sizes.push_back(0);
            for (; item < segment.end_item; ++item) {
                const WorkItem& work = plan.items()[item];
                REQUIRE(work.draw == list.draws[draw]);
                REQUIRE(work.begin == next);
                sizes.back() += work.end - work.begin;
                next = work.end;
                if (3 * next == work.draw->assembly.count) {
                    ++draw;
                    next = 0;
                }
            }
        }
        REQUIRE(item == plan.items().size());
    }
    CHECK(draw == list.draws.size());
    return sizes;
}

}  // namespace

TEST_CASE("plan: segments hold all triangles in order, and the last ones are small") {
    const struct {
        unsigned workers;
        uint32_t triangles;
    } rows[] = {{2, 90000}, {3, 90000}, {16, 480000}};
    for (const auto& row : rows) {
        const unsigned workers = row.workers;
        CAPTURE(workers);
        const uint32_t half = row.triangles / 2;
        const std::vector<uint32_t> sizes =
            segment_sizes(TriangleDraws({half, 700, half - 700}), workers);
        CHECK(sizes.size() >= size_t{3} * workers);
        CHECK(sizes.size() <= size_t{8} * workers);
        CHECK(sizes.front() > 4 * sizes.back());
        // A worker that takes the last segment keeps the others waiting for a tenth of its share.
        CHECK(sizes.back() <= row.triangles / workers / 10);
    }
}

TEST_CASE("plan: one worker takes large segments, and very few triangles are one segment") {
    CHECK(segment_sizes(TriangleDraws({20000}), 1).size() == 1);
    CHECK(segment_sizes(TriangleDraws({100, 200, 300}), 1).size() == 1);
    CHECK(segment_sizes(TriangleDraws({20, 20}), 8).size() == 1);
    CHECK(segment_sizes(TriangleDraws({100000}), 1).size() == 4);
}

TEST_CASE("plan: workers share the binning of a few draws, whose triangles may be large") {
    const TriangleDraws layers(std::vector<uint32_t>(16, 2));
    CHECK(segment_sizes(layers, 2) == std::vector<uint32_t>{18, 14});
    CHECK(segment_sizes(layers, 3) == std::vector<uint32_t>{14, 14, 4});
    CHECK(segment_sizes(layers, 16).size() == 3);
    CHECK(segment_sizes(TriangleDraws({100, 200, 300}), 2) == std::vector<uint32_t>{300, 300});
}
