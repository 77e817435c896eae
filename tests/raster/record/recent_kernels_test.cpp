// Recent kernels test: compares a pipeline that draws to many attachments with new pipelines.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using exec::Format;
using scenes::Mesh;
using scenes::SceneKit;

struct Attachments {
    Format color;
    Format depth;  ///< None: no such attachment
    uint32_t samples;
};

/// Attachments of which each differs from the one before in one thing.
constexpr Attachments kAttachments[] = {
    {Format::R8G8B8A8_UNORM, Format::None, 1},
    {Format::R32G32B32A32_FLOAT, Format::None, 1},
    {Format::R32G32B32A32_FLOAT, Format::D24_UNORM_S8_UINT, 1},
    {Format::R32G32B32A32_FLOAT, Format::D32_FLOAT, 1},
    {Format::R8G8B8A8_UNORM, Format::D32_FLOAT, 1},
    {Format::R8G8B8A8_UNORM, Format::D32_FLOAT, 4},
    {Format::R5G6B5_UNORM, Format::D32_FLOAT, 4},
    {Format::R5G6B5_UNORM, Format::None, 1},
};

/// A picture of two triangles that cross, with a pipeline that tests depth and blends.
class Crossing {
public:
    Crossing()
        : device_(must(gpu::create_device({})))
        , mesh_(Mesh()
                    .shaded_rectangle(-1,
                                      -1,
                                      0.5F,
                                      0.75F,
                                      0.25F,
                                      {{{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 1, 0, 1}, {0, 0, 1, 1}}})
                    .shaded_rectangle(-0.5F,
                                      -0.75F,
                                      1,
                                      1,
                                      0.5F,
                                      {{{1, 0, 1, 1}, {0, 1, 0, 1}, {1, 1, 1, 1}, {0, 0, 1, 1}}})) {
    }

    [[nodiscard]] Device& device() { return *device_; }

    /// Draws with the pipeline that another picture drew with, or with a new one if there is none.
    std::vector<scenes::Shot> draw(const Attachments& to, PipelineRef& pipeline) {
        SceneKit kit(*device_);
        kit.size(64, 64, to.samples);
        kit.add_color(to.color);
        if (to.depth != Format::None)
            kit.add_depth(to.depth);
        kit.pipeline.rasterizer.multisample = true;
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        kit.pipeline.depth_stencil.depth_func = CompareFunc::Less;
        kit.shaders(scenes::kVertexColor, scenes::kFragmentColor);
        kit.vertices(mesh_.data(), {4, 4});
        kit.clear(0, 0.25F, 0.5F, 1);
        if (!pipeline) {
            kit.draw(mesh_.count());
            pipeline = kit.state.pipeline;
        } else {
            kit.state.pipeline = pipeline;
            DrawInfo info;
            info.count = mesh_.count();
            must(device_->draw(kit.state, info));
        }
        return kit.shots();
    }

private:
    std::unique_ptr<Device> device_;
    Mesh mesh_;
};

}  // namespace

TEST_CASE("a pipeline's kernels follow the attachments of its next pass") {
    Crossing crossing;
    PipelineRef kept;
    for (const Attachments& to : kAttachments) {
        CAPTURE(static_cast<int>(to.color));
        CAPTURE(static_cast<int>(to.depth));
        CAPTURE(to.samples);
        PipelineRef anew;
        const std::vector<scenes::Shot> wanted = crossing.draw(to, anew);
        const std::vector<scenes::Shot> drawn = crossing.draw(to, kept);
        REQUIRE(drawn.size() == wanted.size());
        for (size_t i = 0; i < drawn.size(); ++i)
            CHECK(drawn[i].bytes == wanted[i].bytes);
    }
}

TEST_CASE("a pipeline's kernels count samples in a pass with a query, whatever the pass before") {
    Crossing crossing;
    const auto passed = [&](PipelineRef& pipeline) {
        const QueryRef query = must(crossing.device().create_query(QueryKind::SamplesPassed));
        must(crossing.device().begin_query(query));
        static_cast<void>(crossing.draw(kAttachments[2], pipeline));
        must(crossing.device().end_query(query));
        return must(crossing.device().query_result(query, true))->value;
    };
    PipelineRef anew;
    const uint64_t wanted = passed(anew);
    REQUIRE(wanted > 0);
    PipelineRef kept;
    for (int round = 0; round < 2; ++round) {
        static_cast<void>(crossing.draw(kAttachments[2], kept));
        CHECK(passed(kept) == wanted);
    }
}

}  // namespace valkyr::raster::test
