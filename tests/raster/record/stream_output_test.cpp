// Stream output test: checks captured values, their order, and full buffers.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <doctest/doctest.h>
#include <numeric>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;

constexpr const char* kVertex = R"(VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], INSTANCEID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[7]
DCL OUT[3], PSIZE
DCL TEMP[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: U2F TEMP[0].x, SV[0].xxxx
  3: ADD OUT[2], IN[1].wzyx, TEMP[0].xxxx
  4: ADD OUT[3].x, IN[1].xxxx, IN[1].xxxx
  5: END
)";

/// Vertex i: position (i, 0, 0, 1), value (i, i + 0.25, i + 0.5, i + 0.75).
std::vector<float> vertices(uint32_t count) {
    std::vector<float> data;
    for (uint32_t i = 0; i < count; ++i) {
        const auto f = static_cast<float>(i);
        for (const float v : {f, 0.0F, 0.0F, 1.0F, f, f + 0.25F, f + 0.5F, f + 0.75F})
            data.push_back(v);
    }
    return data;
}

struct Captured {
    std::unique_ptr<Device> device = must(gpu::create_device({}));
    SceneKit kit{*device};
    BufferRef buffer;
    StreamTargetRef target;

    explicit Captured(uint64_t bytes, uint32_t count = 16) {
        kit.shaders(kVertex, scenes::kFragmentColor);
        kit.vertices(vertices(count), {4, 4});
        kit.pipeline.rasterizer.rasterizer_discard = true;
        buffer = must(device->create_buffer(bytes));
        target = must(device->create_stream_target({buffer, 0, UINT64_MAX}));
        kit.state.stream_targets = {target};
        // Captures one component per vertex, the vertex's number.
        kit.pipeline.stream_output.elements = {{1, 0, 1, 0, 0}};
        kit.pipeline.stream_output.stride_words = {1, 0, 0, 0};
    }
    std::vector<float> read(size_t count, uint64_t offset = 0) {
        std::vector<float> values(count);
        must(device->read_buffer(buffer, offset, std::as_writable_bytes(std::span(values))));
        return values;
    }
    std::vector<float> capture(Primitive primitive, uint32_t count) {
        kit.pipeline.primitive = primitive;
        must(device->set_stream_position(target, 0));
        kit.draw(count);
        return read(target->position() / 4);
    }
};

}  // namespace

TEST_CASE("primitives are captured as lists of points, lines and triangles") {
    Captured c(4096);
    using List = std::vector<float>;
    CHECK(c.capture(Primitive::Points, 3) == List{0, 1, 2});
    CHECK(c.capture(Primitive::Lines, 5) == List{0, 1, 2, 3});
    CHECK(c.capture(Primitive::LineStrip, 4) == List{0, 1, 1, 2, 2, 3});
    CHECK(c.capture(Primitive::LineLoop, 3) == List{0, 1, 1, 2, 2, 0});
    CHECK(c.capture(Primitive::Triangles, 8) == List{0, 1, 2, 3, 4, 5});
    CHECK(c.capture(Primitive::TriangleStrip, 4) == List{0, 1, 2, 2, 1, 3});
    CHECK(c.capture(Primitive::TriangleFan, 4) == List{0, 1, 2, 0, 2, 3});
    CHECK(c.capture(Primitive::LinesAdjacency, 4) == List{1, 2});
    CHECK(c.capture(Primitive::TrianglesAdjacency, 6) == List{0, 2, 4});
    CHECK(c.capture(Primitive::Triangles, 2) == List{});
}

TEST_CASE("any components of any output go to any word of up to four targets") {
    Captured c(4096);
    const BufferRef second = must(c.device->create_buffer(4096));
    const StreamTargetRef other = must(c.device->create_stream_target({second, 64, UINT64_MAX}));
    c.kit.state.stream_targets = {c.target, nullptr, other};
    auto& stream = c.kit.pipeline.stream_output;
    stream.elements = {{0, 0, 4, 0, 2}, {1, 1, 2, 0, 0}, {2, 3, 1, 2, 1}, {3, 0, 1, 2, 0}};
    stream.stride_words = {7, 0, 3, 0};
    c.kit.pipeline.primitive = Primitive::Points;
    DrawInfo info;
    info.first = 2;
    info.count = 2;
    info.instance_count = 2;
    c.kit.draw(info);
    CHECK(c.target->position() == 4 * 7 * 4);
    CHECK(other->position() == 4 * 3 * 4);
    const std::vector<float> a = c.read(28);
    std::vector<float> b(12);
    must(c.device->read_buffer(second, 64, std::as_writable_bytes(std::span(b))));
    for (uint32_t i = 0; i < 4; ++i) {
        const auto id = static_cast<float>(2 + i % 2);
        const auto instance = static_cast<float>(i / 2);
        const std::vector<float> expected{id + 0.25F, id + 0.5F, id, 0, 0, 1, 0};
        CHECK(std::vector<float>(a.begin() + 7 * i, a.begin() + 7 * i + 7) == expected);
        const std::vector<float> expected_b{2 * id, id + instance, 0};
        CHECK(std::vector<float>(b.begin() + 3 * i, b.begin() + 3 * i + 3) == expected_b);
    }
}

TEST_CASE("draws append, in order, and what is captured can be drawn at once") {
    Captured c(1 << 16, 2000);
    c.kit.pipeline.primitive = Primitive::Triangles;
    c.kit.draw(1500);  // several chunks
    c.kit.draw({.first = 1500, .count = 300});
    std::vector<float> expected(1800);
    std::iota(expected.begin(), expected.end(), 0.0F);
    CHECK(c.target->position() == 1800 * 4);
    CHECK(c.read(1800) == expected);
}

TEST_CASE("chunks of a large draw are captured in order by all threads, up to the last that fits") {
    constexpr uint32_t kCount = 5000;
    constexpr uint32_t kInstances = 3;
    constexpr uint32_t kAll = (kCount - 2) * kInstances;
    std::vector<float> expected;
    for (uint32_t i = 0; i < kInstances; ++i)
        for (uint32_t p = 0; p < kCount - 2; ++p)
            for (const uint32_t v : {p + p % 2, p + 1 - p % 2, p + 2})
                expected.push_back(static_cast<float>(v));
    for (const uint32_t room : {kAll, kAll - 1, 1031U, 1U, 0U}) {
        CAPTURE(room);
        Captured c(room * 12 + 8, kCount);
        c.kit.pipeline.primitive = Primitive::TriangleStrip;
        DrawInfo info;
        info.count = kCount;
        info.instance_count = kInstances;
        c.kit.draw(info);
        CHECK(c.target->position() == room * 12);
        CHECK(c.read(room * 3) ==
              std::vector<float>(expected.begin(), expected.begin() + room * 3));
        CHECK(c.read(2, room * 12) == std::vector<float>{0, 0});
    }
}

TEST_CASE("a target that is bound twice is written in order and moves on for each binding") {
    Captured c(1 << 17, 4000);
    c.kit.state.stream_targets = {c.target, c.target};
    auto& stream = c.kit.pipeline.stream_output;
    stream.elements = {{1, 0, 1, 0, 0}, {1, 1, 1, 1, 0}};
    stream.stride_words = {1, 1, 0, 0};
    std::vector<float> expected;
    for (uint32_t i = 0; i < 4000; ++i)
        for (const float v : {static_cast<float>(i) + 0.25F, 0.0F})
            expected.push_back(v);
    CHECK(c.capture(Primitive::Points, 4000) == expected);
}

TEST_CASE("restart cuts runs, indices and base vertex count") {
    Captured c(4096);
    c.kit.pipeline.primitive = Primitive::LineStrip;
    c.kit.indices(std::vector<uint8_t>{0, 1, 255, 2, 255, 3, 4, 5});
    DrawInfo info;
    info.count = 8;
    info.base_vertex = 1;
    info.primitive_restart = true;
    info.restart_index = 255;
    c.kit.draw(info);
    CHECK(c.read(c.target->position() / 4) == std::vector<float>{1, 2, 4, 5, 5, 6});
}

TEST_CASE("a primitive without room is not written, nor is any after it") {
    Captured c(4 * 7);  // two triangles and one vertex
    const QueryRef generated = must(c.device->create_query(QueryKind::PrimitivesGenerated));
    const QueryRef written = must(c.device->create_query(QueryKind::PrimitivesWritten));
    const QueryRef overflow = must(c.device->create_query(QueryKind::StreamOverflow));
    for (const QueryRef& q : {generated, written, overflow})
        must(c.device->begin_query(q));
    c.kit.draw(12);
    for (const QueryRef& q : {generated, written, overflow})
        must(c.device->end_query(q));
    CHECK(must(c.device->query_result(generated, true))->value == 4);
    CHECK(must(c.device->query_result(written, true))->value == 2);
    CHECK(must(c.device->query_result(overflow, true))->value == 1);
    CHECK(c.target->position() == 24);
    CHECK(c.read(7) == std::vector<float>{0, 1, 2, 3, 4, 5, 0});
}

TEST_CASE("capturing and drawing at once gives the picture of drawing alone") {
    std::vector<uint8_t> pictures[2];
    for (const bool captures : {false, true}) {
        Captured c(4096);
        c.kit.size(32, 32);
        c.kit.add_color();
        c.kit.clear(0, 0, 0, 1);
        c.kit.vertices({-1, -1, 0, 1, 1, 0, 0, 1, 1, -1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 1, 0, 0, 1, 1},
                       {4, 4});
        c.kit.pipeline.rasterizer.rasterizer_discard = false;
        if (!captures)
            c.kit.pipeline.stream_output = {};
        c.kit.draw(3);
        pictures[captures ? 1 : 0] = c.kit.shots()[0].bytes;
        CHECK(c.target->position() == (captures ? 12 : 0));
    }
    CHECK(pictures[0] == pictures[1]);
    CHECK(pictures[0] != std::vector<uint8_t>(pictures[0].size(), 0));
}

TEST_CASE("captured vertices may have side effects, drawn or not, with or without room") {
    constexpr const char* kCounting = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL BUFFER[0]
DCL TEMP[0]
IMM[0] UINT32 { 0, 1, 0, 0 }
  0: ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
  1: MOV OUT[0], IN[0]
  2: MOV OUT[1], IN[1]
  3: END
)";
    for (const bool discard : {true, false})
        for (const uint64_t room : {uint64_t{4096}, uint64_t{8}}) {
            CAPTURE(discard);
            CAPTURE(room);
            Captured c(room);
            c.kit.add_color();
            c.kit.shaders(kCounting, scenes::kFragmentColor);
            c.kit.pipeline.rasterizer.rasterizer_discard = discard;
            const BufferRef counter = must(c.device->create_buffer(4));
            c.kit.state.vertex().storage = {{counter, 0, UINT64_MAX}};
            const std::vector<float> captured = c.capture(Primitive::Points, 5);
            CHECK(captured.size() == (room == 8 ? 2 : 5));
            CHECK(captured[1] == 1);
            uint32_t runs = 0;
            must(c.device->read_buffer(counter, 0, std::as_writable_bytes(std::span(&runs, 1))));
            // Every vertex is shaded once; drawn vertices are shaded once more, whether they were
            // captured or not.
            if (discard)
                CHECK(runs == 5);
            else
                CHECK(runs >= 5);
        }
}

TEST_CASE("captures that cannot be are refused") {
    Captured c(64);
    const auto refused = [&] { return !c.device->create_pipeline(c.kit.pipeline).has_value(); };
    auto& stream = c.kit.pipeline.stream_output;
    CHECK_FALSE(refused());
    stream.elements = {{9, 0, 1, 0, 0}};
    CHECK(refused());  // no such output
    stream.elements = {{1, 3, 2, 0, 0}};
    CHECK(refused());  // a fifth component
    stream.elements = {{1, 0, 2, 0, 0}};
    CHECK(refused());  // more than the stride
    stream.elements = {{1, 0, 1, 4, 0}};
    CHECK(refused());  // no such slot
    stream.elements = {{1, 0, 1, 0, 0}};
    c.kit.state.pipeline = must(c.device->create_pipeline(c.kit.pipeline));
    c.kit.state.stream_targets.clear();
    CHECK(!c.device->draw(c.kit.state, {.first = 0, .count = 3}).has_value());
    CHECK(!c.device->create_stream_target({c.buffer, 65, 4}).has_value());
    CHECK(!c.device->set_stream_position(c.target, 68).has_value());
}

}  // namespace valkyr::raster::test
