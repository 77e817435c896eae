// Multisample test: compares coverage with exact arithmetic.
// SPDX-License-Identifier: MIT
#include "raster/sample_positions.hpp"
#include "tests/raster/native_scene.hpp"

#include <doctest/doctest.h>
#include <random>

namespace valkyr::raster::test {
namespace {

/// Hits by [pixel][sample], outside of the tile buffer.
struct Hits {
    uint32_t width, samples;
    std::vector<uint32_t> count;
    void add(const Sample& s) { ++count[(size_t{s.y} * width + s.x) * samples + s.sample]; }
};

}  // namespace

TEST_CASE("every sample of a mesh is hit exactly once, at the standard positions") {
    constexpr uint32_t kSize = 96;
    for (const uint32_t samples : {2U, 4U, 8U, 16U}) {
        // A fan around an arbitrary point; its rim is the rectangle [3.3, 90.7] x [5.2, 88.9].
        const std::vector<TestVertex> fan{{{41.37F, 33.91F, 0, 1}, {}}, {{3.3F, 5.2F, 0, 1}, {}},
                                          {{50.1F, 5.2F, 0, 1}, {}},    {{90.7F, 5.2F, 0, 1}, {}},
                                          {{90.7F, 88.9F, 0, 1}, {}},   {{3.3F, 88.9F, 0, 1}, {}},
                                          {{3.3F, 5.2F, 0, 1}, {}}};
        Hits hits{kSize, samples, std::vector<uint32_t>(size_t{kSize} * kSize * samples)};
        Scene scene(kSize, kSize, {}, samples);
        PipelineDesc desc;
        desc.primitive = Primitive::TriangleFan;
        desc.rasterizer.multisample = true;
        scene.pipeline(desc, vertex_stage(fan),
                       fragment_stage([&](const Sample& s) { hits.add(s); },
                                      exec::Interpolation::Perspective, samples));
        scene.draw(static_cast<uint32_t>(fan.size()));
        must(scene.device->finish());
        const auto fixed = [](float v) { return std::lrint(v * 256); };
        size_t wrong = 0;
        for (uint32_t y = 0; y < kSize; ++y)
            for (uint32_t x = 0; x < kSize; ++x)
                for (uint32_t s = 0; s < samples; ++s) {
                    const SamplePosition p = sample_positions(samples)[s];
                    const long sx = 256L * x + 16L * p.x;
                    const long sy = 256L * y + 16L * p.y;
                    const bool inside = sx >= fixed(3.3F) && sx < fixed(90.7F) &&
                                        sy >= fixed(5.2F) && sy < fixed(88.9F);
                    wrong +=
                        hits.count[(size_t{y} * kSize + x) * samples + s] != (inside ? 1U : 0U);
                }
        CHECK(wrong == 0);
    }
}

TEST_CASE("reading a multisampled texture averages integers' first sample") {
    Scene scene(16, 16, {}, 4);
    scene.clear(1234);
    CHECK(scene.read() == std::vector<uint32_t>(256, 1234));
}

TEST_CASE("the sample mask removes samples") {
    constexpr uint32_t kSize = 32;
    Hits hits{kSize, 4, std::vector<uint32_t>(size_t{kSize} * kSize * 4)};
    const std::vector<TestVertex> all{
        {{-99, -99, 0, 1}, {}}, {{300, -99, 0, 1}, {}}, {{-99, 300, 0, 1}, {}}};
    Scene scene(kSize, kSize, {}, 4);
    PipelineDesc desc;
    desc.rasterizer.multisample = true;
    scene.pipeline(
        desc, vertex_stage(all),
        fragment_stage([&](const Sample& s) { hits.add(s); }, exec::Interpolation::Perspective, 4));
    scene.state.sample_mask = 0b0110;
    scene.draw(3);
    must(scene.device->finish());
    for (size_t i = 0; i < hits.count.size(); ++i)
        REQUIRE(hits.count[i] == (i % 4 == 1 || i % 4 == 2 ? 1U : 0U));
}

}  // namespace valkyr::raster::test
