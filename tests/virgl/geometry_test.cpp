// Geometry test: shaders, viewports and captured vertices of a client reach the rasterizer.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/state/shader_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>

namespace valkyr::test::geometry_of_client {

using virgl::ObjectType;
using virgl::ShaderStage;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kBytes = kSize * kSize * 4;
constexpr uint32_t kRed = 0xFFFF0000;
constexpr uint32_t kBlue = 0xFF0000FF;
constexpr uint32_t kGeometry = 40;
constexpr uint32_t kCaptureBytes = 256;
constexpr uint32_t kResultBytes = 32;  // of two queries
constexpr uint32_t kCapture = 3;       // a buffer of positions
const uint32_t kOne = as_bits(1);

/// Emits a square of side 1 above and to the right of each point; "%s" stands for more
/// declarations.
constexpr std::string_view kSquares = "GEOM\n"
                                      "PROPERTY GS_INPUT_PRIMITIVE POINTS\n"
                                      "PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP\n"
                                      "PROPERTY GS_MAX_OUTPUT_VERTICES 4\n"
                                      "DCL IN[][0], POSITION\n"
                                      "DCL OUT[0], POSITION\n"
                                      "%s"
                                      "IMM[0] UINT32 {0, 1, 0, 0}\n"
                                      "IMM[1] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
                                      "  0: MOV OUT[0], IN[0][0]\n"
                                      "  1: EMIT IMM[0].xxxx\n"
                                      "  2: ADD OUT[0], IN[0][0], IMM[1].xyyy\n"
                                      "  3: EMIT IMM[0].xxxx\n"
                                      "  4: ADD OUT[0], IN[0][0], IMM[1].yxyy\n"
                                      "  5: EMIT IMM[0].xxxx\n"
                                      "  6: ADD OUT[0], IN[0][0], IMM[1].xxyy\n"
                                      "  7: EMIT IMM[0].xxxx\n"
                                      "  8: END\n";

std::string squares(const std::string& declarations) {
    std::string text(kSquares);
    return text.replace(text.find("%s"), 2, declarations);
}

struct Scene {
    Session session;
    GuestMemory target;
    GuestMemory vertices;
    GuestMemory captured;

    Scene() {
        session.client->greet();
        target = session.client->create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        vertices = session.client->create(kVertices, 0, 64, 1U << 4, 64, 1, 64);
        captured = session.client->create(kCapture, 0, 64, 1U << 4 | 1U << 11, kCaptureBytes, 1,
                                          kCaptureBytes);
        const std::array<float, 8> points{-1, -1, 0, 1, 0, 0, 0, 1};
        std::memcpy(vertices.bytes.data(), points.data(), sizeof points);
        session.client->put(kVertices, 64, 1, 64);
    }
    std::array<uint32_t, kSize * kSize> pixels() {
        session.client->get(kTarget, kSize, kSize);
        std::array<uint32_t, kSize * kSize> result{};
        std::memcpy(result.data(), target.bytes.data(), kBytes);
        return result;
    }
};

Stream& clear_blue(Stream& s) {
    return s.add(Cmd::Clear, {4, 0, 0, kOne, kOne, 0, 0, 0});
}

Stream& points(Stream& s, uint32_t first, uint32_t count) {
    return s.add(Cmd::DrawVbo, {first, count, 0, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
}

/// Whether exactly the pixels of the given quarters are red: bit 0 is lower left, 1 lower right, 2
/// upper left, 3 upper right.
bool are_red(const std::array<uint32_t, kSize * kSize>& pixels, unsigned quarters) {
    for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
            const unsigned quarter = (x >= kSize / 2 ? 1 : 0) + (y >= kSize / 2 ? 2 : 0);
            const uint32_t expected = (quarters >> quarter & 1) != 0 ? kRed : kBlue;
            if (pixels[y * kSize + x] != expected)
                return false;
        }
    return true;
}

}  // namespace

TEST_CASE("a geometry shader makes squares of points until it is unbound") {
    Scene scene;
    Stream s = draw_state(kSize);
    s.shader(kGeometry, ShaderStage::Geometry, squares(""));
    s.add(Cmd::BindShader, {kGeometry, 2});
    points(color(clear_blue(s), 1, 0, 0, 1), 0, 2);
    scene.session.client->submit(s.words);
    CHECK(are_red(scene.pixels(), 0b1001));
    Stream without;
    without.add(Cmd::SetSubContext, {1}).add(Cmd::BindShader, {0, 2});
    points(clear_blue(without), 1, 1);
    scene.session.client->submit(without.words);
    const auto pixels = scene.pixels();
    CHECK(std::ranges::count(pixels, kRed) == 1);
    CHECK(std::ranges::count(pixels, kBlue) == kSize * kSize - 1);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a geometry shader chooses among sixteen viewports") {
    Scene scene;
    Stream s = draw_state(kSize);
    s.shader(kGeometry, ShaderStage::Geometry, squares("DCL OUT[1].x, VIEWPORT_INDEX\n"));
    s.add(Cmd::BindShader, {kGeometry, 2});
    // Viewport 0, the shader's default, is the lower right quarter; the other viewports are far
    // away.
    const uint32_t quarter = as_bits(kSize / 4.0F);
    std::vector<uint32_t> viewports{0};
    for (unsigned i = 0; i < 16; ++i) {
        const float x = i == 0 ? 3 * kSize / 4.0F : 1000;
        viewports.insert(viewports.end(),
                         {quarter, quarter, as_bits(0.5F), as_bits(x), quarter, as_bits(0.5F)});
    }
    s.add(Cmd::SetViewport, viewports);
    points(color(clear_blue(s), 1, 0, 0, 1), 0, 2);
    scene.session.client->submit(s.words);
    const auto pixels = scene.pixels();
    CHECK(pixels[kSize / 2] == kRed);
    CHECK(pixels[0] == kBlue);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("captured vertices are drawn by their number, which the server knows") {
    Scene scene;
    Stream s = draw_state(kSize);
    // One output: OUT[0], four components, buffer 0.
    std::vector<uint32_t> shader{
        kGeometry, 2, static_cast<uint32_t>(squares("").size()) + 1, 0, 1, 4, 0, 0, 0, 4U << 10, 0};
    Stream::append_text(shader, squares(""));
    s.add(Cmd::CreateObject, shader, ObjectType::Shader);
    s.add(Cmd::BindShader, {kGeometry, 2});
    s.add(Cmd::CreateObject, {50, kCapture, 0, kCaptureBytes}, ObjectType::StreamTarget);
    s.add(Cmd::SetStreamoutTargets, {0, 50});
    points(color(clear_blue(s), 1, 0, 0, 1), 0, 1);
    s.add(Cmd::SetStreamoutTargets, {0});
    s.add(Cmd::BindShader, {0, 2});
    s.add(Cmd::SetVertexBuffers, {16, 0, kCapture});
    clear_blue(s);
    s.add(Cmd::DrawVbo, {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, kCaptureBytes});
    scene.session.client->submit(s.words);
    CHECK(are_red(scene.pixels(), 0b0001));
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a list of stream targets that was bound before goes on, another begins at the start") {
    Scene scene;
    Stream s = draw_state(kSize);
    std::vector<uint32_t> shader{
        kGeometry, 2, static_cast<uint32_t>(squares("").size()) + 1, 0, 1, 4, 0, 0, 0, 4U << 10, 0};
    Stream::append_text(shader, squares(""));
    s.add(Cmd::CreateObject, shader, ObjectType::Shader);
    s.add(Cmd::BindShader, {kGeometry, 2});
    s.add(Cmd::CreateObject, {50, kCapture, 0, kCaptureBytes}, ObjectType::StreamTarget);
    s.add(Cmd::SetStreamoutTargets, {0, 50});
    points(color(clear_blue(s), 1, 0, 0, 1), 0, 1);
    s.add(Cmd::SetStreamoutTargets, {0});
    s.add(Cmd::SetStreamoutTargets, {0, 50});  // resumed: behind the first square
    points(s, 1, 1);
    s.add(Cmd::SetStreamoutTargets, {0});
    s.add(Cmd::BindShader, {0, 2});
    s.add(Cmd::SetVertexBuffers, {16, 0, kCapture});
    clear_blue(s);
    s.add(Cmd::DrawVbo, {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, kCaptureBytes});
    scene.session.client->submit(s.words);
    CHECK(are_red(scene.pixels(), 0b1001));
    // With a null target added, the list differs.
    Stream again;
    again.add(Cmd::SetSubContext, {1}).add(Cmd::BindShader, {kGeometry, 2});
    again.add(Cmd::SetVertexBuffers, {16, 0, kVertices});
    again.add(Cmd::SetStreamoutTargets, {0, 50, 0});
    points(again, 0, 1);
    again.add(Cmd::SetStreamoutTargets, {0});
    again.add(Cmd::BindShader, {0, 2});
    again.add(Cmd::SetVertexBuffers, {16, 0, kCapture});
    clear_blue(again);
    again.add(Cmd::DrawVbo, {0, 0, 4, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, kCaptureBytes});
    scene.session.client->submit(again.words);
    CHECK(are_red(scene.pixels(), 0b0001));
}

TEST_CASE("an overflow query of any stream sees one that is not stream 0") {
    Scene scene;
    const GuestMemory results =
        scene.session.client->create(5, 0, 64, 1U << 17, kResultBytes, 1, kResultBytes);
    Stream s = draw_state(kSize);
    // OUT[1] goes to buffer 1, whose stream has no room for a vertex.
    std::string text = squares("DCL OUT[1].x, GENERIC[9], STREAM(1, 1, 1, 1)\n");
    text.replace(text.find("TRIANGLE_STRIP"), 14, "POINTS");
    text.replace(text.find("  7: EMIT IMM[0].xxxx"), 21, "  7: EMIT IMM[0].yyyy");
    std::vector<uint32_t> shader{kGeometry,
                                 2,
                                 static_cast<uint32_t>(text.size()) + 1,
                                 0,
                                 1,
                                 0,
                                 1,
                                 0,
                                 0,
                                 1U | 1U << 10 | 1U << 13,
                                 1};
    Stream::append_text(shader, text);
    s.add(Cmd::CreateObject, shader, ObjectType::Shader);
    s.add(Cmd::BindShader, {kGeometry, 2});
    s.add(Cmd::CreateObject, {50, kCapture, 0, 0}, ObjectType::StreamTarget);
    s.add(Cmd::SetStreamoutTargets, {0, 50, 50});
    // One query counts only in stream 0, the other one in any stream.
    s.add(Cmd::CreateObject, {51, 8, 0, 5}, ObjectType::Query);
    s.add(Cmd::CreateObject, {52, 12, 16, 5}, ObjectType::Query);
    s.add(Cmd::BeginQuery, {51}).add(Cmd::BeginQuery, {52});
    points(s, 0, 1);
    s.add(Cmd::EndQuery, {51}).add(Cmd::GetQueryResult, {51, 0});
    s.add(Cmd::EndQuery, {52}).add(Cmd::GetQueryResult, {52, 0});
    scene.session.client->submit(s.words);
    scene.session.client->wait(5);
    std::array<uint32_t, kResultBytes / 4> words{};
    std::memcpy(words.data(), results.bytes.data(), sizeof words);
    // Done, 8 bytes, the result.
    CHECK(words == std::array<uint32_t, 8>{1, 8, 0, 0, 1, 8, 1, 0});
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("varyings that the driver counts as PATCH go on behind GENERIC[31]") {
    using virgl::with_generic_patches;
    CHECK(with_generic_patches("GEOM\nDCL IN[][3], PATCH\nDCL OUT[1].xy, PATCH[7]\n  0: END\n") ==
          "GEOM\nDCL IN[][3], GENERIC[32]\nDCL OUT[1].xy, GENERIC[39]\n  0: END\n");
    CHECK(with_generic_patches("FRAG\nDCL IN[3], PATCH, PERSPECTIVE\n") ==
          "FRAG\nDCL IN[3], GENERIC[32], PERSPECTIVE\n");
    CHECK(with_generic_patches("VERT\nDCL OUT[1], PATCH[300]\n") ==
          "VERT\nDCL OUT[1], PATCH[300]\n");
    CHECK(with_generic_patches("TESS_EVAL\nDCL IN[1], PATCH[1]\n") ==
          "TESS_EVAL\nDCL IN[1], PATCH[1]\n");
    // In tessellation shaders, those that are used by vertex.
    CHECK(with_generic_patches("TESS_CTRL\nDCL OUT[33], PATCH[7]\nDCL OUT[3], PATCH[1]\n"
                               "  0: MOV OUT[ADDR[1].x][33], IN[0][3]\n") ==
          "TESS_CTRL\nDCL OUT[][33], GENERIC[39]\nDCL OUT[3], PATCH[1]\n"
          "  0: MOV OUT[ADDR[1].x][33], IN[0][3]\n");
    CHECK(with_generic_patches("TESS_EVAL\nDCL IN[1], PATCH[7]\n  0: ADD OUT[1], -IN[0][1], "
                               "IN[2][0]\n") ==
          "TESS_EVAL\nDCL IN[][1], GENERIC[39]\n  0: ADD OUT[1], -IN[0][1], IN[2][0]\n");
}

TEST_CASE("doubles that are written to zw alone come from components x and y of copies") {
    using virgl::with_double_sources;
    CHECK(with_double_sources("  1: DADD TEMP[0].zw, TEMP[3], -TEMP[4]\n") ==
          "  1: DADD TEMP[0].zw, TEMP[3].xyxy, -TEMP[4].xyxy\n");
    CHECK(with_double_sources(" 12: DSQRT TEMP[0].zw, |TEMP[33]|\n") ==
          " 12: DSQRT TEMP[0].zw, |TEMP[33].xyxy|\n");
    for (const char* kept : {"  1: DADD TEMP[0].xy, TEMP[3], TEMP[4]\n",
                             "  1: DADD TEMP[0].zw, TEMP[3].zwzw, TEMP[4].xyxy\n",
                             "  1: ADD TEMP[0].zw, TEMP[3], TEMP[4]\n", "DCL TEMP[0..3]\n",
                             "  1: MOV OUT[0].zw, TEMP[3\n", "", ": .zw, ", ".zw, : "})
        CHECK(with_double_sources(kept) == kept);
}

}  // namespace valkyr::test::geometry_of_client
