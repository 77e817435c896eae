// Patch test: checks captured primitives of tessellated patches, and refused pipelines and draws.
// SPDX-License-Identifier: MIT
#include "gpu/create_device.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/raster/native_scene.hpp"
#include "tests/support/scene_kit.hpp"

#include <array>
#include <doctest/doctest.h>
#include <string>
#include <vector>

namespace valkyr::raster::test {
namespace {

using scenes::SceneKit;
using List = std::vector<float>;

constexpr const char* kPatchVertex = R"(VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0]
  2: END
)";

/// Reverses the vertices of the patch; the levels are the first vertex's value. Each invocation
/// adds 100 times the value that the next one has written, which the barrier makes visible.
constexpr const char* kControl = R"(TESS_CTRL
PROPERTY TCS_VERTICES_OUT 3
DCL IN[][0], GENERIC[0]
DCL OUT[][0], GENERIC[1]
DCL OUT[][1], GENERIC[2]
DCL OUT[2], TESSOUTER
DCL OUT[3].xy, TESSINNER
DCL OUT[4], PATCH[0]
DCL OUT[5].x, PATCH[1]
DCL SV[0], INVOCATIONID
DCL SV[1], VERTICESIN
DCL SV[2], PRIM_ID
DCL TEMP[0..1]
DCL ADDR[0..1]
IMM[0] INT32 {1, 2, 3, 0}
IMM[1] FLT32 {100.0, 1.0, 0.0, 0.0}
  0: UADD TEMP[0].x, SV[1].xxxx, -IMM[0].xxxx
  1: UADD TEMP[0].x, TEMP[0].xxxx, -SV[0].xxxx
  2: UARL ADDR[1].x, TEMP[0].xxxx
  3: UARL ADDR[0].x, SV[0].xxxx
  4: MOV OUT[ADDR[0].x][0].x, IN[ADDR[1].x][0].xxxx
  5: BARRIER
  6: UADD TEMP[0].y, SV[0].xxxx, IMM[0].xxxx
  7: UMOD TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz
  8: UARL ADDR[1].x, TEMP[0].yyyy
  9: MUL OUT[ADDR[0].x][1].x, OUT[ADDR[1].x][0].xxxx, IMM[1].xxxx
 10: MOV OUT[2], IN[0][0].xxxx
 11: MOV OUT[3].xy, IN[0][0].xxxx
 12: MOV OUT[4].y, IN[1][0].xxxx
 13: U2F OUT[5].x, SV[2].xxxx
 14: END
)";

/// Writes u, v, w, the sum of the control points, the outputs of the patch, and its number.
std::string evaluation(const char* mode, const char* more = "") {
    return std::string("TESS_EVAL\nPROPERTY TES_PRIM_MODE ") + mode + "\nPROPERTY TES_SPACING 2\n" +
           more + R"(DCL IN[][0], GENERIC[1]
DCL IN[][1], GENERIC[2]
DCL IN[2], PATCH[0]
DCL IN[3].x, PATCH[1]
DCL SV[0], TESSCOORD
DCL SV[1], PRIM_ID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[3]
DCL TEMP[0]
  0: MOV OUT[0], SV[0]
  1: MOV OUT[1].xyz, SV[0]
  2: U2F OUT[1].w, SV[1].xxxx
  3: ADD TEMP[0].x, IN[0][0].xxxx, IN[1][0].xxxx
  4: ADD OUT[2].x, TEMP[0].xxxx, IN[2][1].xxxx
  5: MOV OUT[2].y, IN[2][0].xxxx
  6: MOV OUT[2].z, IN[2].yyyy
  7: MOV OUT[2].w, IN[3].xxxx
  8: END
)";
}

/// Without a control shader: the vertices' own values.
constexpr const char* kPlain = R"(TESS_EVAL
PROPERTY TES_PRIM_MODE 4
PROPERTY TES_SPACING 2
DCL IN[][0], GENERIC[0]
DCL SV[0], TESSCOORD
DCL SV[1], VERTICESIN
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[3]
  0: MOV OUT[0], SV[0]
  1: MOV OUT[1].xyz, SV[0]
  2: U2F OUT[1].w, SV[1].xxxx
  3: MOV OUT[2].x, IN[0][0].xxxx
  4: MOV OUT[2].y, IN[1][0].xxxx
  5: MOV OUT[2].z, IN[3][0].xxxx
  6: MOV OUT[2].w, IN[0][0].wwww
  7: END
)";

/// Emits the sum of a triangle's u, and its number.
constexpr const char* kGeometry = R"(GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE POINTS
PROPERTY GS_MAX_OUTPUT_VERTICES 1
DCL IN[][0], GENERIC[0]
DCL IN[][1], PRIM_ID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[3]
DCL TEMP[0]
IMM[0] UINT32 {0, 0, 0, 0}
  0: ADD TEMP[0].x, IN[0][0].xxxx, IN[1][0].xxxx
  1: ADD OUT[1].x, TEMP[0].xxxx, IN[2][0].xxxx
  2: U2F OUT[1].w, IN[1].xxxx
  3: EMIT IMM[0].xxxx
  4: END
)";

DeviceOptions options_of(Engine engine) {
    DeviceOptions options;
    options.engine = engine;
    return options;
}

struct CapturedPatches {
    std::unique_ptr<Device> device;
    SceneKit kit{*device};
    BufferRef buffer;
    StreamTargetRef target;

    CapturedPatches(Engine engine, const char* control, const std::string& evaluation_text)
        : device(must(gpu::create_device(options_of(engine)))) {
        kit.add_color();
        kit.shaders(kPatchVertex, scenes::kFragmentColor);
        if (control != nullptr)
            kit.pipeline.tess_control = must(device->create_shader(control, "control"));
        kit.pipeline.tess_evaluation = must(device->create_shader(evaluation_text, "evaluation"));
        kit.pipeline.primitive = Primitive::Patches;
        kit.pipeline.rasterizer.rasterizer_discard = true;
        buffer = must(device->create_buffer(1 << 20));
        target = must(device->create_stream_target({buffer, 0, 1 << 20}));
        kit.state.stream_targets.push_back(target);
        kit.pipeline.stream_output.elements = {{1, 0, 4, 0, 0}, {2, 0, 4, 0, 4}};
        kit.pipeline.stream_output.stride_words = {8, 0, 0, 0};
    }
    void values(std::initializer_list<float> list) {
        List data;
        for (const float value : list)
            data.insert(data.end(), {value, 0, 0, 1});
        kit.vertices(data, {4});
    }
    /// Rows of eight numbers.
    std::vector<List> read() {
        List all(target->position() / sizeof(float));
        must(device->read_buffer(buffer, 0, std::as_writable_bytes(std::span(all))));
        std::vector<List> rows;
        for (size_t at = 0; at < all.size(); at += 8)
            rows.emplace_back(all.begin() + static_cast<std::ptrdiff_t>(at),
                              all.begin() + static_cast<std::ptrdiff_t>(at + 8));
        return rows;
    }
};

constexpr Engine kEngines[] = {Engine::Valhall, Engine::Jit};

}  // namespace

TEST_CASE("control shaders read each other's outputs, and evaluation shaders those of the patch") {
    for (const Engine engine : kEngines) {
        CapturedPatches c(engine, kControl, evaluation("4"));
        c.values({1, 5, 7, 1, 6, 8});
        c.kit.draw({.count = 6});
        // Control points 7, 5, 1 and 8, 6, 1; the third one's partner is the first.
        CHECK(c.read() == std::vector<List>{{0, 1, 0, 0, 712, 1, 5, 0},
                                            {0, 0, 1, 0, 712, 1, 5, 0},
                                            {1, 0, 0, 0, 712, 1, 5, 0},
                                            {0, 1, 0, 1, 814, 1, 6, 1},
                                            {0, 0, 1, 1, 814, 1, 6, 1},
                                            {1, 0, 0, 1, 814, 1, 6, 1}});
    }
}

TEST_CASE("patches are divided by levels of their own; culled ones make nothing, rests neither") {
    for (const Engine engine : kEngines) {
        CapturedPatches c(engine, kControl, evaluation("7"));
        c.values({0, 5, 7, 2, 6, 8, -1, 1, 1, 64, 1, 1, 3, 3});
        c.kit.draw({.count = 14});
        const std::vector<List> rows = c.read();
        constexpr size_t kSecond = 3 * 8;
        REQUIRE(rows.size() == kSecond + 3 * 8192);
        CHECK(rows[0] == List{0, 1, 0, 1, 814, 2, 6, 1});
        CHECK(rows[kSecond][3] == 3);
        CHECK(rows.back()[7] == 3);
    }
}

TEST_CASE("lines and points of a domain are captured as such") {
    for (const Engine engine : kEngines) {
        CapturedPatches lines(engine, kControl, evaluation("1"));
        lines.values({2, 5, 7});
        lines.kit.draw({.count = 3});
        std::vector<List> rows = lines.read();
        REQUIRE(rows.size() == 8);  // two lines of two segments
        CHECK(rows[1] == List{0.5F, 0, 0, 0, 712, 2, 5, 0});
        CHECK(rows[4] == List{0, 0.5F, 0, 0, 712, 2, 5, 0});
        CapturedPatches points(engine, kControl, evaluation("4", "PROPERTY TES_POINT_MODE 1\n"));
        points.values({2, 5, 7});
        points.kit.draw({.count = 3});
        rows = points.read();
        REQUIRE(rows.size() == 7);
        CHECK(rows[6][0] == 0x5555 / 65536.0F);
        CHECK(rows[6][2] == 0x5556 / 65536.0F);
    }
}

TEST_CASE(
    "without a control shader the vertices are the control points, and the levels the state's") {
    for (const Engine engine : kEngines) {
        CapturedPatches c(engine, nullptr, kPlain);
        c.values({1, 2, 3, 4, 5, 6, 7, 8});
        c.kit.state.outer_levels = {1, 1, 1, 9};
        c.kit.state.inner_levels = {1, 9};
        c.kit.draw({.count = 8, .patch_vertices = 4});
        std::vector<List> rows = c.read();
        REQUIRE(rows.size() == 6);
        CHECK(rows[0] == List{0, 1, 0, 4, 1, 2, 4, 1});
        CHECK(rows[3] == List{0, 1, 0, 4, 5, 6, 8, 1});
        // A patch of three vertices has no fourth: 0.
        must(c.device->set_stream_position(c.target, 0));
        c.kit.draw({.count = 3, .patch_vertices = 3});
        rows = c.read();
        REQUIRE(rows.size() == 3);
        CHECK(rows[0] == List{0, 1, 0, 3, 1, 2, 0, 1});
        must(c.device->set_stream_position(c.target, 0));
        c.kit.state.outer_levels = {1, 0, 1, 1};
        c.kit.draw({.count = 8, .patch_vertices = 4});
        CHECK(c.read().empty());
    }
}

TEST_CASE("a geometry shader takes the triangles of patches, with the patch's number") {
    for (const Engine engine : kEngines) {
        CapturedPatches c(engine, kControl, evaluation("4"));
        c.kit.pipeline.geometry = must(c.device->create_shader(kGeometry, "geometry"));
        c.values({0, 0, 0, 64, 2, 3, 1, 2, 3});
        c.kit.draw({.first = 0, .count = 9});
        const std::vector<List> rows = c.read();
        REQUIRE(rows.size() == 6144 + 1);
        CHECK(rows[0][3] == 1);
        CHECK(rows[6144][0] == 1);
        CHECK(rows[6144][3] == 2);
    }
}

TEST_CASE("evaluation shaders with effects run once a point") {
    for (const Engine engine : kEngines) {
        CapturedPatches c(engine, nullptr, R"(TESS_EVAL
PROPERTY TES_PRIM_MODE 4
PROPERTY TES_SPACING 2
DCL IN[][0], GENERIC[0]
DCL SV[0], TESSCOORD
DCL BUFFER[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[3]
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 0, 0}
  0: ATOMUADD TEMP[0].x, BUFFER[0], IMM[0].xxxx, IMM[0].yyyy
  1: MOV OUT[0], SV[0]
  2: MOV OUT[1], SV[0]
  3: MOV OUT[2], IN[0][0]
  4: END
)");
        const BufferRef counter = must(c.device->create_buffer(4));
        c.kit.state.stage(DrawStage::TessEvaluation).storage = {{counter, 0, 4}};
        c.values({1, 1, 1, 2, 2, 2});
        c.kit.state.outer_levels = {4, 4, 4, 4};
        c.kit.state.inner_levels = {8, 8};
        const auto count_points = [&](uint32_t vertices) {
            must(c.device->write_buffer(counter, 0, std::array<std::byte, 4>{}));
            c.kit.draw({.count = vertices});
            uint32_t count = 0;
            must(c.device->read_buffer(counter, 0, std::as_writable_bytes(std::span(&count, 1))));
            return count;
        };
        CHECK(count_points(6) == 2 * (12 + 18 + 12 + 6 + 1));
        // Too many triangles for a chunk: rings of 3 times 64, 62, 60 ... segments, and the centre.
        c.kit.state.outer_levels = {64, 64, 64, 64};
        c.kit.state.inner_levels = {64, 64};
        CHECK(count_points(6) == 2 * (3 * 32 * 33 + 1));
    }
}

TEST_CASE("tessellation shaders and patches go together only") {
    CapturedPatches c(Engine::Jit, kControl, evaluation("4"));
    c.values({1, 1, 1});
    const auto refused = [&] { return !c.device->create_pipeline(c.kit.pipeline).has_value(); };
    CHECK_FALSE(refused());
    c.kit.pipeline.primitive = Primitive::Triangles;
    CHECK(refused());
    c.kit.pipeline.primitive = Primitive::Patches;
    c.kit.pipeline.tess_evaluation = nullptr;
    CHECK(refused());
    c.kit.pipeline.tess_evaluation = c.kit.pipeline.vertex;
    CHECK(refused());
    c.kit.pipeline.tess_evaluation = must(c.device->create_shader(evaluation("4"), "evaluation"));
    c.kit.pipeline.geometry = must(c.device->create_shader(kGeometry, "geometry"));
    CHECK_FALSE(refused());
    c.kit.pipeline.tess_evaluation = must(c.device->create_shader(evaluation("1"), "lines"));
    CHECK(refused());
    c.kit.pipeline.geometry = nullptr;
    c.kit.state.pipeline = must(c.device->create_pipeline(c.kit.pipeline));
    for (const uint32_t vertices : {0U, 33U})
        CHECK_FALSE(
            c.device->draw(c.kit.state, {.count = 3, .patch_vertices = vertices}).has_value());
}

}  // namespace valkyr::raster::test
