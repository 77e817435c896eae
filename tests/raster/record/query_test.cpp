// Query test: compares with hand-computed counts and with draws without queries.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>

namespace valkyr::raster::test {
namespace {

using scenes::Mesh;
using scenes::SceneKit;

constexpr const char* kDiscardLeft = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 { 0.5, 0, 0, 0 }
  0: SLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx
  1: MOV TEMP[0].x, -TEMP[0].xxxx
  2: KILL_IF TEMP[0].xxxx
  3: MOV OUT[0], IN[0]
  4: END
)";

std::vector<DeviceOptions> engines() {
    DeviceOptions interpreter;
    interpreter.engine = Engine::Valhall;
    interpreter.threads = 1;
    DeviceOptions two;
    two.threads = 2;
    return {interpreter, two};
}

/// The result of a query around `work`.
template <typename Work>
QueryResult counted(Device& device, QueryKind kind, Work work) {
    const QueryRef query = must(device.create_query(kind));
    must(device.begin_query(query));
    work();
    must(device.end_query(query));
    return *must(device.query_result(query, true));
}

/// A rectangle of 40x20 pixels of 64x64 at clip depth z.
Mesh rectangle(float z) {
    return Mesh().shaded_rectangle(-1, -1, 0.25F, -0.375F, z,
                                   {{{0, 0, 0, 1}, {1, 0, 0, 1}, {1, 0, 0, 1}, {0, 0, 0, 1}}});
}

void set_up(SceneKit& kit, uint32_t samples, const Mesh& mesh, const char* fragment) {
    kit.size(64, 64, samples);
    kit.add_color();
    kit.pipeline.rasterizer.multisample = samples > 1;
    kit.shaders(scenes::kVertexColor, fragment);
    kit.vertices(mesh.data(), {4, 4});
}

}  // namespace

TEST_CASE("samples that pass are counted once a sample, whatever decides about them") {
    for (const DeviceOptions& options : engines())
        for (const uint32_t samples : {1U, 4U}) {
            CAPTURE(samples);
            const auto device = must(gpu::create_device(options));
            SceneKit kit(*device);
            const Mesh mesh = rectangle(0);
            set_up(kit, samples, mesh, scenes::kFragmentColor);
            const auto draw = [&] { kit.draw(mesh.count()); };
            const auto passed = [&] {
                return counted(*device, QueryKind::SamplesPassed, draw).value;
            };
            CHECK(passed() == uint64_t{40} * 20 * samples);
            // Behind the cleared depth nothing passes, in front of it everything.
            kit.add_depth(Format::D24_UNORM_S8_UINT);
            kit.clear(0, 0, 0, 0, 0.25F);
            kit.pipeline.depth_stencil.depth_test = true;
            CHECK(passed() == 0);
            kit.clear(0, 0, 0, 0, 0.75F);
            CHECK(passed() == uint64_t{40} * 20 * samples);
            kit.pipeline.depth_stencil.depth_test = false;
            // The shader discards the left half of the columns.
            kit.shaders(scenes::kVertexColor, kDiscardLeft);
            CHECK(passed() == uint64_t{20} * 20 * samples);
            kit.pipeline.depth_stencil.depth_test = true;
            CHECK(passed() == uint64_t{20} * 20 * samples);
            kit.pipeline.depth_stencil.depth_write = true;
            CHECK(passed() == uint64_t{20} * 20 * samples);
            CHECK(passed() == 0);  // Equal depths fail Less.
        }
}

TEST_CASE("any-samples queries say yes or no") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = rectangle(0);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    CHECK(counted(*device, QueryKind::AnySamplesPassed, [&] { kit.draw(mesh.count()); }).value ==
          1);
    CHECK(counted(*device, QueryKind::AnySamplesPassed, [&] { kit.draw(0); }).value == 0);
    kit.pipeline.rasterizer.scissor = true;
    kit.state.scissor = {50, 50, 60, 60};
    CHECK(counted(*device, QueryKind::AnySamplesPassed, [&] { kit.draw(mesh.count()); }).value ==
          0);
}

TEST_CASE("queries that overlap count their own draws and change no picture") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = scenes::random_triangles(4, 40);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    kit.clear(0, 0, 0, 1);
    kit.draw(mesh.count());
    const auto plain = kit.shots();
    kit.clear(0, 0, 0, 1);
    const QueryRef a = must(device->create_query(QueryKind::SamplesPassed));
    const QueryRef b = must(device->create_query(QueryKind::SamplesPassed));
    must(device->begin_query(a));
    kit.draw({.first = 0, .count = 60});
    must(device->begin_query(b));
    kit.draw({.first = 60, .count = 30});
    must(device->end_query(a));
    kit.draw({.first = 90, .count = 30});
    must(device->end_query(b));
    const uint64_t in_a = must(device->query_result(a, true))->value;
    const uint64_t in_b = must(device->query_result(b, true))->value;
    CHECK(kit.shots()[0].bytes == plain[0].bytes);
    const auto part = [&](uint32_t first, uint32_t count) {
        return counted(*device, QueryKind::SamplesPassed,
                       [&] { kit.draw({.first = first, .count = count}); })
            .value;
    };
    CHECK(in_a == part(0, 90));
    CHECK(in_b == part(60, 60));
    CHECK(in_a > 0);
    CHECK(in_b > 0);
}

TEST_CASE("assembly counts vertices and primitives, restart and instances included") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = scenes::random_triangles(1, 10);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    kit.pipeline.primitive = Primitive::TriangleStrip;
    kit.indices(std::vector<uint16_t>{0, 1, 2, 3, 0xFFFF, 4, 5, 0xFFFF, 6, 7, 8});
    DrawInfo info;
    info.count = 11;
    info.instance_count = 3;
    info.primitive_restart = true;
    info.restart_index = 0xFFFF;
    const auto draw = [&] { kit.draw(info); };
    CHECK(counted(*device, QueryKind::PrimitivesGenerated, draw).value == 3 * (2 + 0 + 1));
    const PipelineStatistics s = counted(*device, QueryKind::PipelineStatistics, draw).statistics;
    CHECK(s.input_vertices == 3 * 9);
    CHECK(s.input_primitives == 3 * 3);
    CHECK(s.clip_input == 3 * 3);
    CHECK(s.clip_output <= s.clip_input);
    CHECK(s.vertex_invocations >= 3 * 7);
    CHECK(s.fragment_invocations > 0);
    kit.pipeline.rasterizer.rasterizer_discard = true;
    const PipelineStatistics discarded =
        counted(*device, QueryKind::PipelineStatistics, draw).statistics;
    CHECK(discarded.input_primitives == 3 * 3);
    CHECK(discarded.clip_input == 0);
    CHECK(discarded.fragment_invocations == 0);
}

TEST_CASE("primitives outside one plane do not leave the clipper, fragments are covered pixels") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    Mesh mesh = rectangle(0);
    mesh.rectangle(2, 2, 3, 3, 7, {0, 0, 0, 1});  // beyond the far plane
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    const PipelineStatistics s =
        counted(*device, QueryKind::PipelineStatistics, [&] { kit.draw(mesh.count()); }).statistics;
    CHECK(s.input_vertices == 12);
    CHECK(s.clip_input == 4);
    CHECK(s.clip_output == 2);
    CHECK(s.fragment_invocations == 40 * 20);
}

TEST_CASE("times do not run backwards") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = rectangle(0);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    const auto stamp = [&] {
        const QueryRef query = must(device->create_query(QueryKind::Timestamp));
        must(device->end_query(query));
        return must(device->query_result(query, false))->value;
    };
    const uint64_t before = stamp();
    const uint64_t elapsed =
        counted(*device, QueryKind::TimeElapsed, [&] { kit.draw(mesh.count()); }).value;
    const uint64_t after = stamp();
    CHECK(before > 0);
    CHECK(elapsed > 0);
    CHECK(after - before >= elapsed);
}

TEST_CASE("results are there when the pass has been rendered, and queries begin again from 0") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = rectangle(0);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    const QueryRef query = must(device->create_query(QueryKind::SamplesPassed));
    for (int round = 0; round < 2; ++round) {
        must(device->begin_query(query));
        CHECK(!device->begin_query(query).has_value());
        kit.draw(mesh.count());
        CHECK(!device->query_result(query, false).has_value());
        must(device->end_query(query));
        CHECK(!must(device->query_result(query, false)).has_value());
        must(device->finish());
        CHECK(must(device->query_result(query, false))->value == 800);
        CHECK(!device->end_query(query).has_value());
    }
}

TEST_CASE("a fence is passed when what was recorded before it is done") {
    const auto device = must(gpu::create_device({}));
    SceneKit kit(*device);
    const Mesh mesh = rectangle(0);
    set_up(kit, 1, mesh, scenes::kFragmentColor);
    CHECK(must(device->check_fence(must(device->insert_fence()), false)));
    kit.draw(mesh.count());
    const FenceRef fence = must(device->insert_fence());
    CHECK_FALSE(must(device->check_fence(fence, false)));
    CHECK(must(device->check_fence(fence, true)));
    CHECK(must(device->check_fence(fence, false)));
    const auto other = must(gpu::create_device({}));
    CHECK(!other->check_fence(fence, true).has_value());
}

}  // namespace valkyr::raster::test
