// Drawing test: checks pixels, queries and uploads of a client, over the socket.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <functional>
#include <map>
#include <string>
#include <unistd.h>
#include <utility>
#include <vector>

namespace valkyr::test::drawing_of_client {

using virgl::ObjectType;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kBytes = kSize * kSize * 4;
constexpr uint32_t kIndices = 4;  ///< handle of a buffer
// B8G8R8A8 as little-endian words.
constexpr uint32_t kRed = 0xFFFF0000;
constexpr uint32_t kGreen = 0xFF00FF00;
constexpr uint32_t kBlue = 0xFF0000FF;

struct Scene {
    Session session;
    GuestMemory target;
    GuestMemory vertices;

    Scene() {
        session.client->greet();
        target = session.client->create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        vertices = session.client->create(kVertices, 0, 64, 1U << 4, 192, 1, 192);
    }
    void set_vertices(size_t first, std::initializer_list<std::array<float, 2>> positions) {
        for (const auto& [x, y] : positions) {
            const std::array<float, 4> vertex{x, y, 0, 1};
            std::memcpy(vertices.bytes.data() + 16 * first++, vertex.data(), sizeof vertex);
        }
    }
    void upload() { session.client->put(kVertices, 192, 1, 192); }
    std::array<uint32_t, kSize * kSize> pixels() {
        session.client->get(kTarget, kSize, kSize);
        std::array<uint32_t, kSize * kSize> result{};
        std::memcpy(result.data(), target.bytes.data(), kBytes);
        return result;
    }
};

const uint32_t kOne = as_bits(1);
Stream& clear_blue(Stream& s) {
    return s.add(Cmd::Clear, {4, 0, 0, kOne, kOne, 0, 0, 0});
}

}  // namespace

TEST_CASE("a triangle over half the target covers the pixels whose centres are inside") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {1, -1}, {-1, 1}});
    scene.upload();
    Stream s = draw_state(kSize);
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 3);
    scene.session.client->submit(s.words);
    const auto pixels = scene.pixels();
    // Centres on the diagonal, a right edge, are outside.
    for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
            CAPTURE(x);
            CAPTURE(y);
            CHECK(pixels[y * kSize + x] == (x + y < kSize - 1 ? kRed : kBlue));
        }
    CHECK(scene.session.observer.lines().empty());
    // Reading back a window buffer presents a frame; the observer gets RGBA.
    scene.session.leave();
    REQUIRE(scene.session.observer.frames.size() == 1);
    const auto& frame = scene.session.observer.frames[0];
    CHECK(frame.width == kSize);
    CHECK(frame.rgba[0] == std::byte{255});
    CHECK(frame.rgba[2] == std::byte{0});
    CHECK(scene.session.observer.figures.draws == 1);
    CHECK(scene.session.observer.shaders == 2);
}

TEST_CASE("indexed draws start where the index buffer's offset says, whatever the draw says") {
    Scene scene;
    // Indices behind the vertices, in the same buffer: 9 9 9 0 1 2.
    scene.set_vertices(0, {{-1, -1}, {3, -1}, {-1, 3}});
    const std::array<uint16_t, 6> indices{9, 9, 9, 0, 1, 2};
    std::memcpy(scene.vertices.bytes.data() + 64, indices.data(), sizeof indices);
    scene.upload();
    Stream s = draw_state(kSize);
    color(clear_blue(s), 0, 1, 0, 1);
    s.add(Cmd::SetIndexBuffer, {kVertices, 2, 64 + 6});
    s.add(Cmd::DrawVbo, {3, 3, 4, 1, 1, 0, 0, 0, 0, 0, 2, 0});
    scene.session.client->submit(s.words);
    for (const uint32_t pixel : scene.pixels())
        CHECK(pixel == kGreen);
}

TEST_CASE("a buffer that is written between two draws serves both") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {0, -1}, {-1, 1}, {0, -1}, {0, 1}, {-1, 1}});
    scene.upload();
    Stream s = draw_state(kSize);
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
    scene.session.client->submit(s.words);
    scene.session.client->wait(kVertices);  // the upload has been read, nothing is rendered yet
    scene.set_vertices(0, {{0, -1}, {1, -1}, {0, 1}, {1, -1}, {1, 1}, {0, 1}});
    scene.upload();
    Stream again;
    again.add(Cmd::SetSubContext, {1});
    draw(color(again, 0, 1, 0, 1), 0, 6);
    scene.session.client->submit(again.words);
    const auto pixels = scene.pixels();
    for (uint32_t i = 0; i < pixels.size(); ++i)
        CHECK(pixels[i] == (i % kSize < kSize / 2 ? kRed : kGreen));
}

TEST_CASE("a sub-context that is selected again draws with its own state, though nothing is set") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {0, -1}, {-1, 1}, {0, -1}, {0, 1}, {-1, 1}});
    scene.set_vertices(6, {{-1, -1}, {3, -1}, {-1, 3}});
    scene.upload();
    Stream s = draw_state(kSize);
    draw(color(s, 1, 0, 0, 1), 0, 6);
    Stream other = draw_state(kSize);
    other.words[1] = other.words[3] = 2;  // the sub-context that it creates and selects
    draw(color(other, 0, 1, 0, 1), 6, 3);
    s.words.insert(s.words.end(), other.words.begin(), other.words.end());
    s.add(Cmd::SetSubContext, {1});
    draw(s, 0, 6);
    scene.session.client->submit(s.words);
    const auto pixels = scene.pixels();
    for (uint32_t i = 0; i < pixels.size(); ++i)
        CHECK(pixels[i] == (i % kSize < kSize / 2 ? kRed : kGreen));
}

TEST_CASE("state that is set between two draws holds for the second alone") {
    const uint32_t quarter = as_bits(static_cast<float>(kSize) / 4);
    const uint32_t half = as_bits(static_cast<float>(kSize) / 2);
    const std::vector<std::pair<const char*, std::function<void(Stream&)>>> changes{
        {"constants", [](Stream& s) { draw(color(s, 0, 1, 0, 1), 6, 6); }},
        {"vertex buffer",
         [](Stream& s) {
             s.add(Cmd::SetVertexBuffers, {16, 96, kVertices});
             draw(s, 0, 6);
         }},
        {"viewport",
         [=](Stream& s) {
             s.add(Cmd::SetViewport,
                   {0, half, quarter, as_bits(0.5F), half, quarter, as_bits(0.5F)});
             draw(s, 6, 6);
         }},
        {"index buffer",
         [](Stream& s) {
             s.add(Cmd::SetIndexBuffer, {kIndices, 2, 0});
             s.add(Cmd::DrawVbo, {0, 6, 4, 1, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
             draw(color(s, 0, 1, 0, 1), 0, 3);
         }},
    };
    std::map<std::string, std::array<uint32_t, kSize * kSize>> pictures;
    for (const bool together : {true, false})
        for (const auto& [name, change] : changes) {
            const std::string changed(name);  // Clang 14 cannot capture structured bindings
            CAPTURE(changed);
            Scene scene;
            const GuestMemory indices =
                scene.session.client->create(kIndices, 0, 64, 1U << 5, 16, 1, 16);
            const std::array<uint16_t, 6> values{6, 7, 8, 9, 10, 11};
            std::memcpy(indices.bytes.data(), values.data(), sizeof values);
            scene.session.client->put(kIndices, 16, 1, 16);
            scene.set_vertices(0, {{-1, -1}, {0, -1}, {-1, 1}, {0, -1}, {0, 1}, {-1, 1}});
            scene.set_vertices(6, {{0, -1}, {1, -1}, {0, 1}, {1, -1}, {1, 1}, {0, 1}});
            scene.upload();
            Stream s = draw_state(kSize);
            draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
            if (!together) {
                scene.session.client->submit(s.words);
                (void)scene.pixels();  // the second draw begins a pass
                s.words.clear();
                s.add(Cmd::SetSubContext, {1});
            }
            change(s);
            scene.session.client->submit(s.words);
            const auto pixels = scene.pixels();
            CHECK(pictures.try_emplace(name, pixels).first->second == pixels);
            CHECK(std::ranges::count(pixels, kBlue) != kSize * kSize / 2);  // it drew something
        }
}

TEST_CASE("an occlusion query's result is in guest storage when a wait has been answered") {
    Scene scene;
    const GuestMemory result = scene.session.client->create(3, 0, 64, 1U << 17, 16, 1, 16);
    scene.set_vertices(0, {{-1, -1}, {1, -1}, {-1, 1}});
    scene.upload();
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kQuery, 0, 0, 3}, ObjectType::Query);
    s.add(Cmd::BeginQuery, {kQuery});
    draw(color(s, 1, 0, 0, 1), 0, 3);
    s.add(Cmd::EndQuery, {kQuery}).add(Cmd::GetQueryResult, {kQuery, 1});
    scene.session.client->submit(s.words);
    scene.session.client->wait(3);
    std::array<uint32_t, 4> words{};
    std::memcpy(words.data(), result.bytes.data(), sizeof words);
    CHECK(words == std::array<uint32_t, 4>{1, 8, 28, 0});  // 7 + 6 + ... + 1 pixels
}

TEST_CASE("a wait is answered at its header when nothing is left to do, and not before") {
    Scene scene;
    const GuestMemory result = scene.session.client->create(3, 0, 64, 1U << 17, 16, 1, 16);
    scene.set_vertices(0, {{-1, -1}, {1, -1}, {-1, 1}});
    scene.upload();
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kQuery, 0, 0, 3}, ObjectType::Query);
    const std::vector<uint32_t> reply{1, 7, 0};
    for (uint32_t count = 1; count < 4; ++count) {
        s.add(Cmd::BeginQuery, {kQuery});
        for (uint32_t i = 0; i < count; ++i)
            draw(color(s, 1, 0, 0, 1), 0, 3);
        s.add(Cmd::EndQuery, {kQuery}).add(Cmd::GetQueryResult, {kQuery, 1});
        scene.session.client->submit(s.words);
        scene.session.client->wait(3);
        uint64_t value = 0;
        std::memcpy(&value, result.bytes.data() + 8, sizeof value);
        CHECK(value == 28 * count);
        scene.session.client->send({2, 7});
        CHECK(scene.session.client->receive_words(3) == reply);
        scene.session.client->send({3, 1});
        s = Stream();
        s.add(Cmd::SetSubContext, {1});
    }
}

TEST_CASE("a render condition leaves out draws") {
    Scene scene;
    scene.session.client->create(3, 0, 64, 1U << 17, 16, 1, 16);
    scene.set_vertices(0, {{-1, -1}, {3, -1}, {-1, 3}});
    scene.upload();
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kQuery, 0, 0, 3}, ObjectType::Query);
    s.add(Cmd::BeginQuery, {kQuery}).add(Cmd::EndQuery, {kQuery});  // nothing passes
    clear_blue(s).add(Cmd::SetRenderCondition, {kQuery, 0, 0});
    draw(color(s, 1, 0, 0, 1), 0, 3);
    scene.session.client->submit(s.words);
    CHECK(scene.pixels()[0] == kBlue);
    Stream inverted;
    inverted.add(Cmd::SetSubContext, {1}).add(Cmd::SetRenderCondition, {kQuery, 1, 0});
    draw(inverted, 0, 3);
    scene.session.client->submit(inverted.words);
    CHECK(scene.pixels()[0] == kRed);
}

TEST_CASE("a render condition leaves out clears, and blits only if they ask for it") {
    Scene scene;
    scene.session.client->create(3, 0, 64, 1U << 17, 16, 1, 16);
    const GuestMemory other = scene.session.client->create(5, 2, 1, 1U << 3, kSize, kSize, kBytes);
    std::fill_n(reinterpret_cast<uint32_t*>(other.bytes.data()), kSize * kSize, kGreen);
    scene.session.client->put(5, kSize, kSize, kBytes);
    const auto blit = [](Stream& s, uint32_t flags) {
        s.add(Cmd::Blit,
              {0xF | flags, 0, 0, kTarget, 0, 1, 0, 0, 0, 8, 8, 1, 5, 0, 1, 0, 0, 0, 8, 8, 1});
    };
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kQuery, 0, 0, 3}, ObjectType::Query);
    s.add(Cmd::BeginQuery, {kQuery}).add(Cmd::EndQuery, {kQuery});  // nothing passes
    s.add(Cmd::Clear, {4, kOne, 0, 0, kOne, 0, 0, 0});
    clear_blue(s.add(Cmd::SetRenderCondition, {kQuery, 0, 0}));
    scene.session.client->submit(s.words);
    CHECK(scene.pixels()[0] == kRed);
    Stream inverted;
    inverted.add(Cmd::SetSubContext, {1}).add(Cmd::SetRenderCondition, {kQuery, 1, 0});
    clear_blue(inverted).add(Cmd::SetRenderCondition, {kQuery, 0, 0});
    constexpr uint32_t kObeys = 1U << 11;
    blit(inverted, kObeys);
    scene.session.client->submit(inverted.words);
    CHECK(scene.pixels()[0] == kBlue);
    Stream free;
    blit(free.add(Cmd::SetSubContext, {1}), 0);
    scene.session.client->submit(free.words);
    CHECK(scene.pixels()[0] == kGreen);
}

TEST_CASE("shader text may come in parts, over several buffers") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {3, -1}, {-1, 3}});
    scene.upload();
    Stream s = draw_state(kSize);
    const std::string text = "FRAG\nDCL OUT[0], COLOR\nIMM[0] FLT32 {0x00000000, 0x3F800000, "
                             "0x00000000, 0x3F800000}\n  0: MOV OUT[0], IMM[0]\n  1: END\n";
    const auto total = static_cast<uint32_t>(text.size() + 1);
    std::vector<uint32_t> head{30, 1, total, 0, 0};
    head.resize(5 + 10);
    std::memcpy(head.data() + 5, text.data(), 40);
    s.add(Cmd::CreateObject, head, ObjectType::Shader);
    scene.session.client->submit(clear_blue(s).words);
    Stream rest;
    rest.add(Cmd::SetSubContext, {1});
    std::vector<uint32_t> tail{30, 1, 0x80000000U | 40, 0, 0};
    Stream::append_text(tail, std::string_view(text).substr(40));
    rest.add(Cmd::CreateObject, tail, ObjectType::Shader).add(Cmd::BindShader, {30, 1});
    scene.session.client->submit(draw(rest, 0, 3).words);
    CHECK(scene.pixels()[63] == kGreen);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a shader that is refused is reported once and its draws do nothing") {
    Scene scene;
    Stream s = draw_state(kSize);
    s.shader(30, virgl::ShaderStage::Fragment,
             "FRAG\nDCL OUT[0], COLOR\n  0: NONSENSE\n  1: END\n");
    clear_blue(s).add(Cmd::BindShader, {30, 1});
    draw(draw(s, 0, 3), 0, 3);
    scene.session.client->submit(s.words);
    CHECK(scene.pixels()[0] == kBlue);
    scene.session.leave();
    const std::string lines = scene.session.observer.lines();
    CHECK(lines.find("test: shader: text:3:") != std::string::npos);
    CHECK(lines.find("fragment shader was refused") == lines.rfind("fragment shader was refused"));
    CHECK(scene.session.observer.figures.refused_draws == 2);
}

TEST_CASE("blits mirror where a size is negative, copies do not convert") {
    Scene scene;
    const GuestMemory other = scene.session.client->create(5, 2, 67, 1U << 3, kSize, kSize, kBytes);
    std::memset(other.bytes.data(), 0, kBytes);
    const uint32_t texel = 0x04030201;  // R8G8B8A8: r = 1
    std::memcpy(other.bytes.data(), &texel, sizeof texel);
    scene.session.client->put(5, kSize, kSize, kBytes);
    Stream s;
    s.add(Cmd::CreateSubContext, {1}).add(Cmd::SetSubContext, {1});
    const auto minus = static_cast<uint32_t>(-8);
    s.add(Cmd::Blit, {0xF, 0, 0, kTarget, 0, 1, 8, 0, 0, minus, 8, 1, 5, 0, 67, 0, 0, 0, 8, 8, 1});
    scene.session.client->submit(s.words);
    CHECK(scene.pixels()[7] == 0x04010203);  // B8G8R8A8
    Stream copy;
    copy.add(Cmd::CopyRegion, {kTarget, 0, 2, 3, 0, 5, 0, 0, 0, 0, 1, 1, 1});
    scene.session.client->submit(copy.words);
    CHECK(scene.pixels()[3 * kSize + 2] == texel);
}

/// Binds a rasterizer with depth clip, half-pixel centres and more bits of word [2].
void bind_rasterizer(Stream& s, uint32_t bits, float point_size = 1) {
    s.add(Cmd::CreateObject,
          {30, 1U << 1 | 1U << 29 | bits, as_bits(point_size), 0, 0, kOne, 0, 0, 0},
          ObjectType::Rasterizer);
    s.add(Cmd::BindObject, {30}, ObjectType::Rasterizer);
}

TEST_CASE("a quad drawn as lines has no diagonal") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}});
    scene.upload();
    Stream s = draw_state(kSize);
    constexpr uint32_t kLines = 1U << 10 | 1U << 12;  // both faces
    bind_rasterizer(s, kLines);
    color(clear_blue(s), 1, 0, 0, 1);
    constexpr uint32_t kQuads = 7;
    s.add(Cmd::DrawVbo, {0, 4, kQuads, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
    scene.session.client->submit(s.words);
    const auto pixels = scene.pixels();
    size_t red = 0;
    for (uint32_t y = 0; y < kSize; ++y)
        for (uint32_t x = 0; x < kSize; ++x) {
            const bool inner = x > 0 && x < kSize - 1 && y > 0 && y < kSize - 1;
            red += pixels[y * kSize + x] == kRed ? 1 : 0;
            if (inner)
                CHECK(pixels[y * kSize + x] == kBlue);
        }
    CHECK(red >= kSize);
}

TEST_CASE("sizes of points are rounded, except those of sprites") {
    constexpr uint32_t kSprites = 1U << 7;
    for (const uint32_t bits : {0U, kSprites}) {
        CAPTURE(bits);
        Scene scene;
        scene.set_vertices(0, {{0.275F, 0.275F}});  // 5.1 pixels
        scene.upload();
        Stream s = draw_state(kSize);
        bind_rasterizer(s, bits, 1.4F);
        color(clear_blue(s), 1, 0, 0, 1);
        constexpr uint32_t kPoints = 0;
        s.add(Cmd::DrawVbo, {0, 1, kPoints, 0, 1, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0});
        scene.session.client->submit(s.words);
        const auto pixels = scene.pixels();
        CHECK(std::count(pixels.begin(), pixels.end(), kRed) == (bits == 0 ? 1 : 4));
    }
}

TEST_CASE("a back colour is drawn where the shader writes no front colour") {
    Scene scene;
    scene.set_vertices(0, {{-1, -1}, {3, -1}, {-1, 3}});
    scene.upload();
    Stream s = draw_state(kSize);
    s.shader(31, virgl::ShaderStage::Vertex,
             "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL OUT[1], BCOLOR\n"
             "IMM[0] UINT32 {0, 1065353216, 0, 1065353216}\n"
             "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IMM[0].xyxy\n  2: END\n");
    s.shader(32, virgl::ShaderStage::Fragment,
             "FRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n"
             "  1: END\n");
    s.add(Cmd::BindShader, {31, 0}).add(Cmd::BindShader, {32, 1});
    // Clockwise with row 0 at the top, so back facing: counter-clockwise is the front.
    constexpr uint32_t kTwoSided = 1U << 5 | 1U << 15;
    bind_rasterizer(s, kTwoSided);
    draw(clear_blue(s), 0, 3);
    scene.session.client->submit(s.words);
    for (const uint32_t pixel : scene.pixels())
        CHECK(pixel == kGreen);
}

TEST_CASE("a linear blit of depth averages it, as levels of depth textures need") {
    Scene scene;
    constexpr uint32_t kZ16 = 16;
    const GuestMemory large = scene.session.client->create(4, 2, kZ16, 9, 4, 4, 32);
    const GuestMemory small = scene.session.client->create(5, 2, kZ16, 9, 2, 2, 8);
    std::array<uint16_t, 16> depths{};
    for (uint32_t i = 0; i < depths.size(); ++i)
        depths[i] = static_cast<uint16_t>(1000 * (i % 4) + 4000 * (i / 4));
    std::memcpy(large.bytes.data(), depths.data(), sizeof depths);
    scene.session.client->put(4, 4, 4, 32);
    Stream s;
    s.add(Cmd::Blit,
          {16 | 1U << 8, 0, 0, 5, 0, kZ16, 0, 0, 0, 2, 2, 1, 4, 0, kZ16, 0, 0, 0, 4, 4, 1});
    scene.session.client->submit(s.words);
    scene.session.client->get(5, 2, 2);
    std::array<uint16_t, 4> result{};
    std::memcpy(result.data(), small.bytes.data(), sizeof result);
    CHECK(result == std::array<uint16_t, 4>{2500, 4500, 10500, 12500});
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a texture that is too large is refused, and the client goes on") {
    Scene scene;
    constexpr uint32_t kHandle = 6;
    // A 2D array of 64 layers of 8192 x 8192 RGBA8.
    scene.session.client->send({11, 12, kHandle, 7, 67, 8, 8192, 8192, 1, 64, 0, 0, 16});
    close(scene.session.client->receive_descriptor());
    scene.session.client->wait(kHandle);
    CHECK(scene.session.observer.lines().find("resources are larger than") != std::string::npos);
}

TEST_CASE("clearing a box of a texture fills it and nothing else, however many rows it has") {
    constexpr uint32_t kHandle = 6, kWidth = 600, kHeight = 500, kTexel = 0x04030201;
    Scene scene;
    const uint32_t bytes = kWidth * kHeight * 4;
    const GuestMemory memory =
        scene.session.client->create(kHandle, 2, 67, 1U << 3, kWidth, kHeight, bytes);
    scene.session.client->put(kHandle, kWidth, kHeight, bytes);
    Stream s;
    s.add(Cmd::ClearTexture, {kHandle, 0, 1, 2, 0, kWidth - 3, kHeight - 5, 1, kTexel, 0, 0, 0});
    s.add(Cmd::ClearTexture, {kHandle, 0, 0, 0, 0, 0, kHeight, 1, ~kTexel, 0, 0, 0});
    scene.session.client->submit(s.words);
    scene.session.client->get(kHandle, kWidth, kHeight);
    size_t wrong = 0;
    for (uint32_t y = 0; y < kHeight; ++y)
        for (uint32_t x = 0; x < kWidth; ++x) {
            uint32_t texel = 0;
            std::memcpy(&texel, memory.bytes.data() + size_t{4} * (y * kWidth + x), sizeof texel);
            const bool inside = x >= 1 && x < kWidth - 2 && y >= 2 && y < kHeight - 3;
            wrong += texel != (inside ? kTexel : 0);
        }
    CHECK(wrong == 0);
    CHECK(scene.session.observer.lines().empty());
}

}  // namespace valkyr::test::drawing_of_client
