// Shader memory test: buffers, images and indirect draws of a client reach the rasterizer.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/state/shader_text.hpp"

#include <algorithm>
#include <array>
#include <cstring>
#include <doctest/doctest.h>
#include <string>

namespace valkyr::test::shader_memory_of_client {

using raster::TextureKind;
using virgl::ObjectType;
using virgl::ShaderStage;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kPixels = kSize * kSize;
constexpr uint32_t kBytes = kPixels * 4;
constexpr uint32_t kStorage = 5;  ///< resource: a buffer of words
constexpr uint32_t kArray = 6;    ///< resource: three layers of R32_UINT
constexpr uint32_t kR32Uint = 193;
constexpr uint32_t kLayers = 3;
constexpr uint32_t kShader = 30;
const uint32_t kOne = as_bits(1);

/// A fragment shader of these declarations and instructions. TEMP[0] is the pixel (x, y, 0, 0),
/// IMM[0] is 0, 1, 4, 8; the colour is TEMP[1] as a float.
std::string fragment(const std::string& declarations, const std::string& instructions) {
    return "FRAG\nPROPERTY FS_COORD_ORIGIN LOWER_LEFT\nDCL IN[0], POSITION, LINEAR\n"
           "DCL OUT[0], COLOR\nDCL TEMP[0..2]\n" +
           declarations +
           "IMM[0] UINT32 {0, 1, 4, 8}\nF2U TEMP[0].xy, IN[0]\nMOV TEMP[0].zw, IMM[0].xxxx\n" +
           instructions + "U2F OUT[0], TEMP[1].xxxx\nEND\n";
}

struct Scene {
    Session session{virgl::GlLevel::Es31};
    GuestMemory target;
    GuestMemory vertices;
    GuestMemory storage;
    GuestMemory array;

    Scene() {
        FakeClient& client = *session.client;
        client.greet();
        target = client.create(kTarget, 2, 1, 0x8A, kSize, kSize, kBytes);
        vertices = client.create(kVertices, 0, 64, 1U << 4, 64, 1, 64);
        storage = client.create(kStorage, 0, 64, 1U << 14, kBytes, 1, kBytes);
        client.send({11, 12, kArray, 7, kR32Uint, 1U << 3, kSize, kSize, 1, kLayers, 0, 0, 0});
        const std::array<float, 12> corners{-1, -1, 0, 1, 3, -1, 0, 1, -1, 3, 0, 1};
        std::memcpy(vertices.bytes.data(), corners.data(), sizeof corners);
        client.put(kVertices, 64, 1, 64);
        client.put(kStorage, kBytes, 1, kBytes);
    }
    /// Draws the whole target with a fragment shader, after `bindings`.
    void draw_all(const std::string& text, const Stream& bindings) {
        Stream s = draw_state(kSize);
        s.words[1] = s.words[3] = ++sub_context_;
        s.shader(kShader, ShaderStage::Fragment, text);
        s.add(Cmd::BindShader, {kShader, 1});
        s.add(Cmd::Clear, {4, 0, 0, kOne, kOne, 0, 0, 0});
        s.words.insert(s.words.end(), bindings.words.begin(), bindings.words.end());
        draw(s, 0, 3);
        session.client->submit(s.words);
    }
    std::array<uint32_t, kPixels> stored() {
        session.client->get(kStorage, kBytes, 1);
        return words_of(storage);
    }
    std::array<uint32_t, kPixels> pixels() {
        session.client->get(kTarget, kSize, kSize);
        return words_of(target);
    }
    static std::array<uint32_t, kPixels> words_of(const GuestMemory& memory) {
        std::array<uint32_t, kPixels> words{};
        std::memcpy(words.data(), memory.bytes.data(), sizeof words);
        return words;
    }

private:
    uint32_t sub_context_ = 0;
};

/// Copies a layer of the array to the target, bit by bit.
Stream& show_layer(Stream& s, uint32_t layer) {
    return s.add(Cmd::CopyRegion, {kTarget, 0, 0, 0, 0, kArray, 0, 0, 0, layer, kSize, kSize, 1});
}

const std::string kCountPixels = fragment("DCL BUFFER[2]\n",
                                          "ATOMUADD TEMP[1].x, BUFFER[2], "
                                          "IMM[0].zzzz, IMM[0].yyyy\n");
/// Stores 1 + x + 8 y at each pixel; the place of %s takes a target, or nothing.
std::string store_numbers(const std::string& declaration, const std::string& coordinate) {
    return fragment("DCL IMAGE[1]" + declaration + ", WR\n",
                    "UMAD TEMP[2], TEMP[0].yyyy, IMM[0].wwww, TEMP[0].xxxx\n"
                    "UADD TEMP[2], TEMP[2], IMM[0].yyyy\n"
                    "MOV TEMP[1].x, IMM[0].yyyy\n" +
                        coordinate);
}

}  // namespace

TEST_CASE("fragments count in the range of a shader buffer, which is clipped to the resource") {
    Scene scene;
    Stream bindings;
    bindings.add(Cmd::SetShaderBuffers, {1, 1, 0, 4, kVertices, 16, 0xFFFFFFFF, kStorage});
    scene.draw_all(kCountPixels, bindings);
    const auto words = scene.stored();
    CHECK(words[5] == kPixels);  // 16 bytes and 4 behind the start
    CHECK(std::ranges::count(words, 0U) == kPixels - 1);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("ranges behind a resource, textures and unbound slots are buffers of no bytes") {
    Scene scene;
    const std::string size =
        fragment("DCL BUFFER[0]\n", "RESQ TEMP[1].x, BUFFER[0]\n"
                                    "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0]\n");
    for (const std::array<uint32_t, 3> range :
         {std::array<uint32_t, 3>{0xFFFFFFF0, 16, kStorage}, {0, 16, kTarget}, {4, 16, 0}}) {
        Stream bindings;
        bindings.add(Cmd::SetShaderBuffers, {1, 0, 0, kBytes, kStorage});
        bindings.add(Cmd::SetShaderBuffers, {1, 0, range[0], range[1], range[2]});
        bindings.add(Cmd::SetShaderBuffers, {1, 0});  // changes nothing
        scene.draw_all(size, bindings);
        for (const uint32_t pixel : scene.pixels())
            CHECK(pixel == 0);
    }
    CHECK(std::ranges::count(scene.stored(), 0U) == kPixels);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a vertex shader's buffer is its own") {
    Scene scene;
    const std::string vertex = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\nDCL BUFFER[0]\n"
                               "IMM[0] UINT32 {0, 1, 7, 0}\n"
                               "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].zzzz\n"
                               "MOV OUT[0], IN[0]\nEND\n";
    Stream bindings;
    bindings.shader(31, ShaderStage::Vertex, vertex).add(Cmd::BindShader, {31, 0});
    bindings.add(Cmd::SetShaderBuffers, {0, 0, 8, 4, kStorage});
    bindings.add(Cmd::SetShaderBuffers, {1, 2, 0, 64, kStorage});
    scene.draw_all(kCountPixels, bindings);
    const auto words = scene.stored();
    CHECK(words[1] == kPixels);
    CHECK(words[2] == 7);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("one layer of an array is 2D where the shader says so") {
    Scene scene;
    const std::string text =
        store_numbers(", 2D, PIPE_FORMAT_R32_UINT",
                      "STORE IMAGE[1], TEMP[0], TEMP[2], 2D, PIPE_FORMAT_R32_UINT\n");
    Stream bindings;
    bindings.add(Cmd::SetShaderImages, {1, 1, kR32Uint, 2, 2 | 2U << 16, 0, kArray});
    scene.draw_all(text, bindings);
    Stream show;
    scene.session.client->submit(show_layer(show, 2).words);
    auto words = scene.pixels();
    for (uint32_t i = 0; i < kPixels; ++i)
        CHECK(words[i] == i + 1);
    Stream other;
    scene.session.client->submit(show_layer(other, 1).words);
    words = scene.pixels();
    CHECK(std::ranges::count(words, 0U) == kPixels);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a shader that is bound later decides the kind of an image that was bound before") {
    Scene scene;
    const std::string layered =
        store_numbers(", 2D_ARRAY, PIPE_FORMAT_NONE",
                      "MOV TEMP[0].z, IMM[0].yyyy\nSTORE IMAGE[1], TEMP[0], TEMP[2], 2D_ARRAY\n");
    Stream bindings;
    bindings.add(Cmd::SetShaderImages, {1, 1, kR32Uint, 2, 2U << 16, 0, kArray});
    draw(bindings, 0, 3);  // the shader has no image 1 yet
    bindings.shader(31, ShaderStage::Fragment, layered).add(Cmd::BindShader, {31, 1});
    scene.draw_all(kCountPixels, bindings);
    Stream show;
    scene.session.client->submit(show_layer(show, 1).words);
    CHECK(scene.pixels()[9] == 10);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("an image without a target in its declaration is a range of a buffer") {
    Scene scene;
    const std::string text = store_numbers("", "STORE IMAGE[1], TEMP[0].xxxx, TEMP[2]\n");
    Stream bindings;
    bindings.add(Cmd::SetShaderImages, {1, 1, kR32Uint, 2, 16, 24, kStorage});
    scene.draw_all(text, bindings);
    const auto words = scene.stored();
    CHECK(words[3] == 0);
    for (uint32_t x = 0; x < 6; ++x)
        CHECK(words[4 + x] % kSize == (x + 1) % kSize);
    CHECK(words[10] == 0);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("images that the shader does not declare are not looked at") {
    Scene scene;
    Stream bindings;
    bindings.add(Cmd::SetShaderBuffers, {1, 2, 0, 64, kStorage});
    // The target itself, a level that is not there, a format of another size.
    bindings.add(Cmd::SetShaderImages,
                 {1, 0, 0, 3, 0, 0, kTarget, 0, 3, 0, 9, kTarget, 31, 3, 0, 0, kTarget});
    scene.draw_all(kCountPixels, bindings);
    CHECK(scene.stored()[1] == kPixels);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE(
    "a draw writes to an attachment that is also its image, and keeps what the image stores") {
    // Green goes to a pixel of the image, which has the target's own format, and white to the
    // target.
    const auto shader = [](const std::string& instructions) {
        std::string text =
            fragment("DCL IMAGE[1], 2D, PIPE_FORMAT_NONE, WR\n",
                     "MOV TEMP[1].x, IMM[0].yyyy\nAND TEMP[2].x, TEMP[0].xxxx, IMM[0].yyyy\n" +
                         instructions);
        return text.insert(text.find("F2U"), "IMM[1] FLT32 {0.0, 1.0, 0.0, 1.0}\n"
                                             "IMM[2] UINT32 {100, 0, 0, 0}\n");
    };
    const std::string odd_ones =
        shader("STORE IMAGE[1], TEMP[0], IMM[1], 2D\nUIF TEMP[2].xxxx\nKILL\nENDIF\n");
    const std::string outside = shader("STORE IMAGE[1], IMM[2].xyyy, IMM[1], 2D\n");
    for (const bool draws_later : {false, true}) {
        Scene scene;
        Stream bindings;
        bindings.add(Cmd::SetShaderImages, {1, 1, 0, 2, 0, 0, kTarget});
        if (draws_later) {
            bindings.shader(31, ShaderStage::Fragment, odd_ones).add(Cmd::BindShader, {31, 1});
            draw(bindings, 0, 3);
            bindings.add(Cmd::BindShader, {kShader, 1});
        }
        scene.draw_all(draws_later ? outside : odd_ones, bindings);
        const auto pixels = scene.pixels();
        for (uint32_t i = 0; i < kPixels; ++i)
            CHECK(pixels[i] == (draws_later || i % 2 == 0 ? 0xFFFFFFFF : 0xFF00FF00));
        CHECK(scene.session.observer.lines() == "");
    }
}

TEST_CASE("an image that cannot be a view is refused by name, and the draw has no effect") {
    const std::string text =
        store_numbers(", 2D, PIPE_FORMAT_R32_UINT", "STORE IMAGE[1], TEMP[0], TEMP[2], 2D\n");
    struct Case {
        std::array<uint32_t, 5> image;
        const char* line;
    };
    for (const Case& c :
         {Case{{kR32Uint, 2, 0, 9, kArray}, "level 9 of 1"},
          Case{{kR32Uint, 2, 7 | 7U << 16, 0, kArray}, "layer 7 of 3"},
          Case{{31, 2, 0, 0, kArray}, "R32G32B32A32_FLOAT on texels of"},
          Case{{kR32Uint, 2, 0, 64, kStorage}, "not a kind or format of a buffer"}}) {
        Scene scene;
        CAPTURE(c.line);
        Stream bindings;
        bindings.add(Cmd::SetShaderImages,
                     {1, 1, c.image[0], c.image[1], c.image[2], c.image[3], c.image[4]});
        scene.draw_all(text, bindings);
        CHECK(scene.pixels()[0] == 0xFF0000FF);
        CHECK(scene.session.observer.lines().find(c.line) != std::string::npos);
    }
}

TEST_CASE("draws whose parameters a shader wrote find them, up to the number in a buffer") {
    Scene scene;
    // The first draw stores count 3, instances 1, first 0 at byte 20, twice, and one draw at byte
    // 0.
    std::string text =
        fragment("DCL BUFFER[0]\n", "MOV TEMP[1], IMM[0].xyxx\nMOV TEMP[1].x, IMM[1].xxxx\n"
                                    "STORE BUFFER[0], IMM[1].yyyy, TEMP[1]\n"
                                    "STORE BUFFER[0], IMM[1].zzzz, TEMP[1]\n"
                                    "STORE BUFFER[0].x, IMM[0].xxxx, IMM[0].yyyy\n");
    text.insert(text.find("F2U"), "IMM[1] UINT32 {3, 20, 36, 0}\n");
    Stream bindings;
    bindings.add(Cmd::SetShaderBuffers, {1, 0, 0, 64, kStorage});
    draw(bindings, 0, 3);
    bindings.shader(31, ShaderStage::Fragment, kCountPixels).add(Cmd::BindShader, {31, 1});
    bindings.add(Cmd::SetShaderBuffers, {1, 2, 128, 64, kStorage});
    // Two draws at most, at stride 16; the number of draws is at byte 0.
    bindings.add(Cmd::DrawVbo,
                 {0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, kStorage, 20, 16, 2, 0, kStorage});
    bindings.add(Cmd::DrawVbo,
                 {0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, kStorage, 20, 0, 2, 0, 0});
    bindings.add(Cmd::BindShader, {16, 1});
    scene.draw_all(text, bindings);
    CHECK(scene.stored()[33] == 3 * kPixels);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("declarations of images get the items that the driver leaves out") {
    const std::string text = "FRAG\nDCL IMAGE[0], WR\nDCL IMAGE[1], PIPE_FORMAT_R32_UINT\n"
                             "DCL IMAGE[2], 2D, WR\nDCL IMAGE[3], CUBE, PIPE_FORMAT_R8_UNORM, WR\n"
                             "DCL IMAGE[4]\n  0: END\n";
    CHECK(virgl::with_image_targets(text) == "FRAG\nDCL IMAGE[0], BUFFER, PIPE_FORMAT_NONE, WR\n"
                                             "DCL IMAGE[1], BUFFER, PIPE_FORMAT_R32_UINT\n"
                                             "DCL IMAGE[2], 2D, PIPE_FORMAT_NONE, WR\n"
                                             "DCL IMAGE[3], CUBE, PIPE_FORMAT_R8_UNORM, WR\n"
                                             "DCL IMAGE[4], BUFFER, PIPE_FORMAT_NONE\n  0: END\n");
    const virgl::DeclaredImages images = virgl::declared_images(text);
    CHECK(images.mask == 0b11111);
    CHECK(images.kinds[1] == TextureKind::Buffer);
    CHECK(images.kinds[2] == TextureKind::Tex2D);
    CHECK(images.kinds[3] == TextureKind::Cube);
}

TEST_CASE("damaged declarations of images name none, and numbers are limited") {
    CHECK(virgl::declared_images("DCL IMAGE[2..3], 2D_ARRAY\n").mask == 0b1100);
    CHECK(virgl::declared_images("DCL IMAGE[0..4294967295], 2D\n").mask == 0xFFFF);
    CHECK(virgl::declared_images("DCL IMAGE[16], 2D\n").mask == 0);
    CHECK(virgl::declared_images("DCL IMAGE[99999999999999999999], 2D\n").mask == 0);
    CHECK(virgl::declared_images("DCL IMAGE[x], 2D\nDCL IMAGE[\nDCL IMAGE[").mask == 0);
    CHECK(virgl::with_image_targets("DCL IMAGE[") == "DCL IMAGE[");
}

}  // namespace valkyr::test::shader_memory_of_client
