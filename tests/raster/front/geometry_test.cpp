// Geometry test: checks captures, queries and primitive IDs of geometry shaders, and refusals.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <cstring>
#include <doctest/doctest.h>
#include <string>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;
using List = std::vector<float>;

constexpr const char* kPointVertex = R"(VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0]
  2: END
)";

/// Emits two vertices per point to stream 0, and one with the negative value to stream 1.
constexpr const char* kStreams = R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 3
DCL IN[][0], GENERIC[0]
DCL OUT[0], POSITION
DCL OUT[1].x, GENERIC[0]
DCL OUT[2].x, GENERIC[1], STREAM(1, 1, 1, 1)
IMM[0] UINT32 {0, 1, 0, 0}
IMM[1] FLT32 {0.5, 0.0, 0.0, 0.0}
  0: MOV OUT[1].x, IN[0][0]
  1: EMIT IMM[0].xxxx
  2: MOV OUT[2].x, -IN[0][0]
  3: EMIT IMM[0].yyyy
  4: ADD OUT[1].x, IN[0][0], IMM[1].xxxx
  5: EMIT IMM[0].xxxx
  6: END
)";

/// Emits a strip of four vertices, numbered from four times the input's number.
constexpr const char* kStrip = R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 4
PROPERTY GS_INVOCATIONS 2
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[0], POSITION
DCL OUT[1].x, GENERIC[0]
DCL TEMP[0]
IMM[0] UINT32 {0, 0, 0, 0}
IMM[1] FLT32 {1.0, 100.0, 10.0, 0.0}
  0: U2F TEMP[0].x, SV[0].xxxx
  1: MUL TEMP[0].x, TEMP[0].xxxx, IMM[1].yyyy
  2: MAD OUT[1].x, IN[0][0].xxxx, IMM[1].zzzz, TEMP[0].xxxx
  3: EMIT IMM[0].xxxx
  4: MAD TEMP[0].y, IN[0][0].xxxx, IMM[1].zzzz, TEMP[0].xxxx
  5: ADD OUT[1].x, TEMP[0].yyyy, IMM[1].xxxx
  6: EMIT IMM[0].xxxx
  7: ADD TEMP[0].z, TEMP[0].yyyy, IMM[1].xxxx
  8: ADD OUT[1].x, TEMP[0].zzzz, IMM[1].xxxx
  9: EMIT IMM[0].xxxx
 10: ADD TEMP[0].z, TEMP[0].zzzz, IMM[1].xxxx
 11: ADD OUT[1].x, TEMP[0].zzzz, IMM[1].xxxx
 12: EMIT IMM[0].xxxx
 13: END
)";

/// Emits built-in outputs for the rasterizer: 10, 20 and 30 more than the input's number.
constexpr const char* kNumbers = R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE POINTS
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], GENERIC[0]
DCL OUT[0], POSITION
DCL OUT[1].x, PRIM_ID
DCL OUT[2].x, LAYER
DCL OUT[3].x, VIEWPORT_INDEX
DCL TEMP[0]
IMM[0] UINT32 {10, 20, 30, 0}
  0: F2U TEMP[0].x, IN[0][0].xxxx
  1: UADD OUT[1].x, TEMP[0].xxxx, IMM[0].xxxx
  2: UADD OUT[2].x, TEMP[0].xxxx, IMM[0].yyyy
  3: UADD OUT[3].x, TEMP[0].xxxx, IMM[0].zzzz
  4: EMIT IMM[0].wwww
  5: END
)";

struct Captured {
    std::unique_ptr<Device> device = must(gpu::create_device({}));
    SceneKit kit{*device};
    BufferRef buffers[2];
    StreamTargetRef targets[2];

    Captured(const char* geometry, uint64_t first_bytes, uint64_t second_bytes) {
        kit.add_color();
        kit.shaders(kPointVertex, scenes::kFragmentColor);
        kit.pipeline.geometry = must(device->create_shader(geometry, "geometry"));
        List data;
        for (int i = 0; i < 2000; ++i)
            for (const float v : {static_cast<float>(i), 0.0F, 0.0F, 1.0F})
                data.push_back(v);
        kit.vertices(data, {4});
        kit.pipeline.primitive = Primitive::Points;
        kit.pipeline.rasterizer.rasterizer_discard = true;
        const uint64_t bytes[] = {first_bytes, second_bytes};
        for (size_t i = 0; i < 2; ++i) {
            buffers[i] = must(device->create_buffer(std::max<uint64_t>(bytes[i], 4)));
            targets[i] = must(device->create_stream_target({buffers[i], 0, bytes[i]}));
            kit.state.stream_targets.push_back(targets[i]);
        }
        kit.pipeline.stream_output.elements = {{1, 0, 1, 0, 0, 0}};
        kit.pipeline.stream_output.stride_words = {1, 1, 0, 0};
    }
    void capture_both() { kit.pipeline.stream_output.elements.push_back({2, 0, 1, 1, 0, 1}); }
    List read(size_t target) {
        List values(targets[target]->position() / sizeof(float));
        must(device->read_buffer(buffers[target], 0, std::as_writable_bytes(std::span(values))));
        return values;
    }
    uint64_t value(const QueryRef& query) { return must(device->query_result(query, true))->value; }
};

}  // namespace

TEST_CASE("strips of a geometry shader are captured as triangles, in the order of emission") {
    Captured c(kStrip, 4096, 0);
    c.kit.draw({.first = 1, .count = 2});
    CHECK(c.read(0) == List{10, 11, 12, 12, 11, 13, 110, 111, 112, 112, 111, 113,  //
                            20, 21, 22, 22, 21, 23, 120, 121, 122, 122, 121, 123});
    c.kit.pipeline.rasterizer.flat_shade_first = true;
    must(c.device->set_stream_position(c.targets[0], 0));
    c.kit.draw({.first = 1, .count = 1});
    CHECK(c.read(0) == List{10, 11, 12, 11, 13, 12, 110, 111, 112, 111, 113, 112});
}

TEST_CASE("primitive ids, layers and viewport indices are captured") {
    Captured c(kNumbers, 4096, 0);
    c.kit.pipeline.stream_output.elements = {{1, 0, 1, 0, 0}, {2, 0, 1, 0, 1}, {3, 0, 1, 0, 2}};
    c.kit.pipeline.stream_output.stride_words = {3, 0, 0, 0};
    c.kit.draw({.first = 4, .count = 2});
    std::vector<uint32_t> numbers;
    for (const float bits : c.read(0))
        numbers.push_back(as_bits(bits));
    CHECK(numbers == std::vector<uint32_t>{14, 24, 34, 15, 25, 35});
}

TEST_CASE("streams go to targets of their own, and each ends where it has no room") {
    Captured c(kStreams, 4096, 8);
    c.capture_both();
    std::vector<QueryRef> generated;
    std::vector<QueryRef> written;
    std::vector<QueryRef> overflow;
    for (uint32_t stream = 0; stream < 2; ++stream) {
        generated.push_back(must(c.device->create_query(QueryKind::PrimitivesGenerated, stream)));
        written.push_back(must(c.device->create_query(QueryKind::PrimitivesWritten, stream)));
        overflow.push_back(must(c.device->create_query(QueryKind::StreamOverflow, stream)));
    }
    for (const auto* list : {&generated, &written, &overflow})
        for (const QueryRef& query : *list)
            must(c.device->begin_query(query));
    c.kit.draw({.first = 1, .count = 3});
    for (const auto* list : {&generated, &written, &overflow})
        for (const QueryRef& query : *list)
            must(c.device->end_query(query));
    CHECK(c.read(0) == List{1, 1.5F, 2, 2.5F, 3, 3.5F});
    CHECK(c.read(1) == List{-1, -2});
    CHECK(c.value(generated[0]) == 6);
    CHECK(c.value(generated[1]) == 3);
    CHECK(c.value(written[0]) == 6);
    CHECK(c.value(written[1]) == 2);
    CHECK(c.value(overflow[0]) == 0);
    CHECK(c.value(overflow[1]) == 1);
}

TEST_CASE("primitives are counted without capture, by draws that rasterize or not") {
    for (const bool discards : {true, false}) {
        Captured c(kStreams, 4096, 4096);
        c.kit.pipeline.stream_output.elements.clear();
        c.kit.pipeline.rasterizer.rasterizer_discard = discards;
        const QueryRef query = must(c.device->create_query(QueryKind::PrimitivesGenerated, 1));
        must(c.device->begin_query(query));
        c.kit.draw(1500);
        must(c.device->end_query(query));
        CHECK(c.value(query) == 1500);
    }
}

TEST_CASE("captured primitives are counted once where they are drawn as well") {
    Captured c(kStreams, 1 << 16, 1 << 16);
    c.kit.pipeline.rasterizer.rasterizer_discard = false;
    const QueryRef query = must(c.device->create_query(QueryKind::PrimitivesGenerated));
    must(c.device->begin_query(query));
    c.kit.draw(300);
    must(c.device->end_query(query));
    CHECK(c.value(query) == 600);
    CHECK(c.read(0).size() == 600);
}

namespace {

/// A geometry program that turns a point with number n into a primitive that covers the pixel
/// (n mod 64, n / 64), and in a second invocation the pixel 32 rows below.
std::string pixel_program(const char* output, const char* offsets, int vertices, int invocations) {
    std::string text = "GEOM\nPROPERTY GS_INPUT_PRIMITIVE POINTS\nPROPERTY GS_OUTPUT_PRIMITIVE ";
    text += output;
    text += "\nPROPERTY GS_MAX_OUTPUT_VERTICES " + std::to_string(vertices);
    text += "\nPROPERTY GS_INVOCATIONS " + std::to_string(invocations);
    text += R"(
DCL IN[][0], GENERIC[0]
DCL SV[0], INVOCATIONID
DCL OUT[0], POSITION
DCL TEMP[0..1]
IMM[0] UINT32 {0, 63, 6, 32}
IMM[1] FLT32 {0.03125, 0.0, 1.0, 0.0}
)";
    text += offsets;
    text += R"(
  0: F2U TEMP[0].x, IN[0][0].xxxx
  1: AND TEMP[0].y, TEMP[0].xxxx, IMM[0].yyyy
  2: USHR TEMP[0].z, TEMP[0].xxxx, IMM[0].zzzz
  3: UMAD TEMP[0].z, SV[0].xxxx, IMM[0].wwww, TEMP[0].zzzz
  4: U2F TEMP[1].xy, TEMP[0].yzzz
)";
    int at = 5;
    const auto line = [&](const std::string& operation) {
        text += "  " + std::to_string(at++) + ": " + operation + "\n";
    };
    for (int v = 0; v < vertices; ++v) {
        line("MAD OUT[0].xy, TEMP[1].xyyy, IMM[1].xxxx, IMM[" + std::to_string(2 + v) + "].xyyy");
        line("MOV OUT[0].zw, IMM[1].yyyz");
        line("EMIT IMM[0].xxxx");
    }
    line("END");
    return text;
}

/// Draws points with the numbers 0, 1, and so on by a geometry program; returns the primitive IDs
/// that the fragment shader sees in 64x64 pixels.
std::vector<uint32_t> drawn_ids(const std::string& program, uint32_t points, unsigned threads) {
    DeviceOptions options;
    options.threads = threads;
    const auto device = must(gpu::create_device(options));
    SceneKit kit(*device);
    kit.size(64, 64);
    kit.add_color(exec::Format::R32_UINT);
    kit.clear_words({0xFFFF, 0, 0, 0});
    kit.shaders(kPointVertex, "FRAG\nDCL IN[0], PRIM_ID, CONSTANT\nDCL OUT[0], COLOR\n"
                              "  0: MOV OUT[0], IN[0].xxxx\n  1: END\n");
    kit.pipeline.geometry = must(device->create_shader(program, "geometry"));
    kit.pipeline.primitive = Primitive::Points;
    List data;
    for (uint32_t i = 0; i < points; ++i)
        for (const float v : {static_cast<float>(i), 0.0F, 0.0F, 1.0F})
            data.push_back(v);
    kit.vertices(data, {4});
    kit.draw(points);
    const std::vector<uint8_t> bytes = kit.shots()[0].bytes;
    std::vector<uint32_t> pixels(size_t{64} * 64);
    REQUIRE(bytes.size() == pixels.size() * sizeof(uint32_t));
    std::memcpy(pixels.data(), bytes.data(), bytes.size());
    return pixels;
}

}  // namespace

TEST_CASE("fragment shaders see the input's number in all primitives of many chunks") {
    // Places around a pixel centre, in clip space of 64 pixels.
    constexpr const char* kOffsets = "IMM[2] FLT32 {-0.99375, -0.99375, 0.0, 0.0}\n"
                                     "IMM[3] FLT32 {-0.96875, -0.99375, 0.0, 0.0}\n"
                                     "IMM[4] FLT32 {-0.99375, -0.96875, 0.0, 0.0}\n"
                                     "IMM[5] FLT32 {-0.96875, -0.96875, 0.0, 0.0}\n";
    constexpr const char* kLine = "IMM[2] FLT32 {-0.99375, -0.984375, 0.0, 0.0}\n"
                                  "IMM[3] FLT32 {-0.968, -0.984375, 0.0, 0.0}\n";
    const struct {
        const char* output;
        const char* offsets;
        int vertices;
    } kinds[] = {
        {"TRIANGLE_STRIP", kOffsets, 3}, {"TRIANGLE_STRIP", kOffsets, 4}, {"LINE_STRIP", kLine, 2}};
    for (const auto& kind : kinds)
        for (const uint32_t invocations : {1U, 2U})
            for (const unsigned threads : {1U, 2U}) {
                const std::string program = pixel_program(kind.output, kind.offsets, kind.vertices,
                                                          static_cast<int>(invocations));
                CAPTURE(program);
                CAPTURE(threads);
                const uint32_t points = 64 * 64 / invocations;
                const std::vector<uint32_t> pixels = drawn_ids(program, points, threads);
                uint32_t wrong = 0;
                for (uint32_t i = 0; i < pixels.size(); ++i)
                    wrong += pixels[i] == i % points ? 0 : 1;
                CHECK(wrong == 0);
            }
}

TEST_CASE("pipelines whose primitives a geometry shader does not take are refused") {
    Captured c(kStreams, 4096, 4096);
    const auto code = [&](Primitive primitive) {
        c.kit.pipeline.primitive = primitive;
        const auto made = c.device->create_pipeline(c.kit.pipeline);
        REQUIRE_FALSE(made.has_value());
        return made.error().code;
    };
    CHECK(code(Primitive::Triangles) == Errc::InvalidState);
    CHECK(code(Primitive::LineStripAdjacency) == Errc::InvalidState);
    c.kit.pipeline.geometry = c.kit.pipeline.vertex;
    CHECK(code(Primitive::Points) == Errc::InvalidState);
    CHECK_FALSE(c.device->create_query(QueryKind::PrimitivesGenerated, 4).has_value());
}

}  // namespace valkyr::raster::test
