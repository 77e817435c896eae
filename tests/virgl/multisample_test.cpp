// Multisample test: checks resolves by hand, masks, samples and refusals, over the socket.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "tests/virgl/replayed_frame.hpp"
#include "tests/virgl/stream.hpp"
#include "virgl/capture/trace.hpp"
#include "virgl/state/shader_text.hpp"

#include <array>
#include <bit>
#include <cstring>
#include <doctest/doctest.h>
#include <filesystem>
#include <string>
#include <unistd.h>

namespace valkyr::test::multisample_of_client {

using virgl::ObjectType;

namespace {

constexpr uint32_t kSize = 8;
constexpr uint32_t kBytes = kSize * kSize * 4;
constexpr uint32_t kSamples = 5;  ///< resource: four samples a pixel
constexpr uint32_t kOther = 6;    ///< another one
constexpr uint32_t kSampleSurface = 40;
constexpr uint32_t kBgra = 1;
// The standard pattern of four samples, in 1/16 pixel.
constexpr std::array<uint32_t, 4> kSampleX{6, 14, 2, 10};
constexpr std::array<uint32_t, 4> kSampleY{2, 6, 10, 14};

/// A pixel with `covered` of four samples red and the rest blue, as B8G8R8A8; means are rounded to
/// nearest.
uint32_t red_of_four(uint32_t covered) {
    const uint32_t red = (covered * 255 + 2) / 4;
    const uint32_t blue = ((4 - covered) * 255 + 2) / 4;
    return 0xFF000000 | red << 16 | blue;
}
uint32_t below(const std::array<uint32_t, 4>& positions, uint32_t edge) {
    uint32_t count = 0;
    for (const uint32_t position : positions)
        count += position < edge ? 1 : 0;
    return count;
}

/// A resource without guest storage.
void create_samples(FakeClient& client, uint32_t handle, uint32_t samples) {
    client.send({11, 12, handle, 2, kBgra, 2, kSize, kSize, 1, 1, 0, samples, 0});
}

/// State for multisampled drawing; word [2] of the rasterizer has the bits `more`, too.
Stream sample_state(uint32_t more = 0) {
    constexpr uint32_t kMultisample = 1U << 25;
    const uint32_t one = as_bits(1);
    Stream s = draw_state(kSize);
    s.add(Cmd::CreateObject, {kSampleSurface, kSamples, kBgra, 0, 0}, ObjectType::Surface);
    s.add(Cmd::SetFramebuffer, {1, 0, kSampleSurface});
    s.add(Cmd::CreateObject,
          {41, 1U << 1 | 1U << 29 | kMultisample | more, one, 0, 0, one, 0, 0, 0},
          ObjectType::Rasterizer);
    s.add(Cmd::BindObject, {41}, ObjectType::Rasterizer);
    return s;
}
Stream& clear_blue(Stream& s) {
    return s.add(Cmd::Clear, {4, 0, 0, as_bits(1), as_bits(1), 0, 0, 0});
}
Stream& blit(Stream& s, uint32_t to, uint32_t from, uint32_t filter = 0) {
    return s.add(Cmd::Blit, {0xF | filter << 8,
                             0,
                             0,
                             to,
                             0,
                             kBgra,
                             0,
                             0,
                             0,
                             kSize,
                             kSize,
                             1,
                             from,
                             0,
                             kBgra,
                             0,
                             0,
                             0,
                             kSize,
                             kSize,
                             1});
}

struct Scene {
    Session session;
    GuestMemory target;
    GuestMemory vertices;

    explicit Scene(virgl::TraceWriter* trace = nullptr)
        : session(virgl::GlLevel::Gl21, trace) {
        session.client->greet();
        target = session.client->create(kTarget, 2, kBgra, 0x8A, kSize, kSize, kBytes);
        vertices = session.client->create(kVertices, 0, 64, 1U << 4, 192, 1, 192);
        create_samples(*session.client, kSamples, 4);
    }
    /// Draws a rectangle from the corner of pixel (0, 0) to window position (x, y), as two
    /// triangles.
    void rectangle(float x, float y) {
        const float right = x / (kSize / 2) - 1;
        const float top = y / (kSize / 2) - 1;
        const std::array<std::array<float, 4>, 6> corners{{{-1, -1, 0, 1},
                                                           {right, -1, 0, 1},
                                                           {-1, top, 0, 1},
                                                           {right, -1, 0, 1},
                                                           {right, top, 0, 1},
                                                           {-1, top, 0, 1}}};
        std::memcpy(vertices.bytes.data(), corners.data(), sizeof corners);
        session.client->put(kVertices, 192, 1, 192);
    }
    std::array<uint32_t, kSize * kSize> pixels() {
        session.client->get(kTarget, kSize, kSize);
        std::array<uint32_t, kSize * kSize> result{};
        std::memcpy(result.data(), target.bytes.data(), kBytes);
        return result;
    }
};

}  // namespace

TEST_CASE("a resolved edge has the share of the samples that it covers") {
    // No sample lies at these odd sixteenths.
    for (const uint32_t edge : {1U, 3U, 7U, 11U, 15U}) {
        CAPTURE(edge);
        Scene scene;
        const float place = 3 + static_cast<float>(edge) / 16;
        scene.rectangle(place, place);
        Stream s = sample_state();
        draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
        scene.session.client->submit(blit(s, kTarget, kSamples).words);
        const auto pixels = scene.pixels();
        uint32_t corner = 0;
        for (size_t i = 0; i < 4; ++i)
            corner += kSampleX[i] < edge && kSampleY[i] < edge ? 1 : 0;
        for (uint32_t i = 0; i < kSize; ++i) {
            const uint32_t at_x = i < 3 ? 4 : i == 3 ? below(kSampleX, edge) : 0;
            const uint32_t at_y = i < 3 ? 4 : i == 3 ? below(kSampleY, edge) : 0;
            CHECK(pixels[i] == red_of_four(at_x));
            CHECK(pixels[i * kSize] == red_of_four(at_y));
        }
        CHECK(pixels[3 * kSize + 3] == red_of_four(corner));
        CHECK(scene.session.observer.lines().empty());
    }
}

TEST_CASE("the sample mask leaves out samples") {
    for (const uint32_t mask : {0U, 1U, 5U, 14U, 0xFFU}) {
        CAPTURE(mask);
        Scene scene;
        scene.rectangle(kSize, kSize);
        Stream s = sample_state();
        s.add(Cmd::SetSampleMask, {mask});
        draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
        scene.session.client->submit(blit(s, kTarget, kSamples).words);
        for (const uint32_t pixel : scene.pixels())
            CHECK(pixel == red_of_four(static_cast<uint32_t>(std::popcount(mask & 0xF))));
    }
}

TEST_CASE("samples are shaded where they lie if the state asks for it") {
    // Draws red left of window x = 3 5/16, which lies between the samples of column 3 and left of
    // its centre.
    constexpr std::string_view kWithPlace = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n"
                                            "DCL OUT[1], GENERIC[9]\n"
                                            "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0]\n"
                                            "  2: END\n";
    constexpr std::string_view kStep = "FRAG\nDCL IN[0].x, GENERIC[9], PERSPECTIVE\n"
                                       "DCL OUT[0], COLOR\nDCL TEMP[0]\n"
                                       "IMM[0] FLT32 {-0.171875, 0.0, 1.0, 0.0}\n"
                                       "  0: SLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx\n"
                                       "  1: ADD TEMP[0].z, IMM[0].zzzz, -TEMP[0].xxxx\n"
                                       "  2: MOV TEMP[0].yw, IMM[0].yyyz\n"
                                       "  3: MOV OUT[0], TEMP[0]\n  4: END\n";
    for (const uint32_t least : {1U, 4U}) {
        CAPTURE(least);
        Scene scene;
        scene.rectangle(kSize, kSize);
        constexpr uint32_t kAtSamples = 1U << 31;
        Stream s = sample_state(kAtSamples);
        s.shader(42, virgl::ShaderStage::Vertex, kWithPlace);
        s.shader(43, virgl::ShaderStage::Fragment, kStep);
        s.add(Cmd::BindShader, {42, 0}).add(Cmd::BindShader, {43, 1});
        s.add(Cmd::SetMinSamples, {least});
        draw(clear_blue(s), 0, 6);
        scene.session.client->submit(blit(s, kTarget, kSamples).words);
        const auto pixels = scene.pixels();
        CHECK(pixels[2] == red_of_four(4));
        CHECK(pixels[3] == red_of_four(least == 1 ? 0 : below(kSampleX, 5)));
        CHECK(pixels[4] == red_of_four(0));
        CHECK(scene.session.observer.lines().empty());
    }
}

TEST_CASE("copies keep every sample, and blits to samples need no filter") {
    Scene scene;
    create_samples(*scene.session.client, kOther, 4);
    scene.rectangle(3.5F, kSize);
    Stream s = sample_state();
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
    s.add(Cmd::CopyRegion, {kOther, 0, 0, 0, 0, kSamples, 0, 0, 0, 0, kSize, kSize, 1});
    clear_blue(s);
    scene.session.client->submit(blit(s, kTarget, kOther).words);
    const auto resolved = scene.pixels();
    CHECK(resolved[3] == red_of_four(2));
    // Blits one sample to all samples, with the filter that drivers use, and back.
    Stream back;
    blit(blit(back, kSamples, kTarget, 1), kTarget, kSamples, 1);
    scene.session.client->submit(back.words);
    CHECK(scene.pixels() == resolved);
    CHECK(scene.session.observer.lines().empty());
}

TEST_CASE("a resolve that scales filters the resolved texels") {
    Scene scene;
    scene.rectangle(3.5F, kSize);
    Stream s = sample_state();
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
    // Blits the left half to twice its width: columns 6 and 7 lie around the centre of column 3.
    s.add(Cmd::Blit, {0xF, 0,        0, kTarget, 0, kBgra, 0, 0, 0,     kSize, kSize,
                      1,   kSamples, 0, kBgra,   0, 0,     0, 4, kSize, 1});
    scene.session.client->submit(s.words);
    const auto pixels = scene.pixels();
    CHECK(pixels[5] == red_of_four(4));
    CHECK(pixels[6] == red_of_four(2));
    CHECK(pixels[7] == red_of_four(2));
}

TEST_CASE("samples are not transferred, and the client goes on") {
    Scene scene;
    scene.session.client->put(kSamples, kSize, kSize, kBytes);
    scene.session.client->get(kSamples, kSize, kSize);
    CHECK(scene.session.observer.lines().find("upload:") != std::string::npos);
    CHECK(scene.session.observer.lines().find("TRANSFER_GET:") != std::string::npos);
    scene.rectangle(kSize, kSize);
    Stream s = sample_state();
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
    scene.session.client->submit(blit(s, kTarget, kSamples).words);
    CHECK(scene.pixels()[0] == red_of_four(4));
}

TEST_CASE("sample counts without a pattern are refused, and what uses them does nothing") {
    Scene scene;
    create_samples(*scene.session.client, kOther, 3);
    Stream s = sample_state();
    s.add(Cmd::CreateObject, {44, kOther, kBgra, 0, 0}, ObjectType::Surface);
    s.add(Cmd::SetFramebuffer, {1, 0, 44});
    draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
    blit(blit(s, kTarget, kOther), kOther, kTarget);
    scene.session.client->submit(s.words);
    scene.session.client->wait(kTarget);
    CHECK(scene.session.observer.lines().find("3 samples") != std::string::npos);
}

TEST_CASE("attachments with unlike sample counts refuse draws, and the client goes on") {
    Scene scene;
    scene.rectangle(kSize, kSize);
    Stream s = sample_state();
    clear_blue(s);
    s.add(Cmd::SetFramebuffer, {2, 0, kSampleSurface, kSurface});
    draw(color(s, 1, 0, 0, 1), 0, 6);
    scene.session.client->submit(blit(s, kTarget, kSamples).words);
    for (const uint32_t pixel : scene.pixels())
        CHECK(pixel == red_of_four(0));
    CHECK(scene.session.observer.lines().find("samples") != std::string::npos);
}

TEST_CASE("more samples than there can be end the connection") {
    Scene scene;
    create_samples(*scene.session.client, kOther, 0x80000000);
    CHECK(scene.session.client->closed());
    CHECK(scene.session.observer.lines().find("samples") != std::string::npos);
}

TEST_CASE("a replayed trace resolves to the bytes that were drawn live") {
    const std::string path = (std::filesystem::temp_directory_path() /
                              ("valkyr-multisample-" + std::to_string(getpid())))
                                 .string();
    std::vector<std::byte> live;
    {
        auto writer = virgl::TraceWriter::create(path, virgl::GlLevel::Gl21);
        REQUIRE(writer.has_value());
        Scene scene(writer->get());
        scene.rectangle(3.5F, 5.25F);
        Stream s = sample_state();
        draw(color(clear_blue(s), 1, 0, 0, 1), 0, 6);
        scene.session.client->submit(blit(s, kTarget, kSamples).words);
        CHECK(scene.pixels()[3] == red_of_four(2));
        scene.session.leave();
        REQUIRE((*writer)->finish().has_value());
        REQUIRE(scene.session.observer.frames.size() == 1);
        live = scene.session.observer.frames[0].rgba;
    }
    CHECK(replayed_frame(path) == live);
}

TEST_CASE("only interpolated inputs move to the samples") {
    CHECK(virgl::with_sampled_inputs("FRAG\n"
                                     "DCL IN[0].xy, GENERIC[9], PERSPECTIVE\n"
                                     "DCL IN[1], COLOR, COLOR\n"
                                     "DCL IN[2], GENERIC[10], LINEAR, CENTROID\n"
                                     "DCL IN[3], GENERIC[11], CONSTANT\n"
                                     "DCL IN[4], GENERIC[12], PERSPECTIVE, SAMPLE\n"
                                     "DCL OUT[0], COLOR\n"
                                     "  0: END") ==
          "FRAG\n"
          "DCL IN[0].xy, GENERIC[9], PERSPECTIVE, SAMPLE\n"
          "DCL IN[1], COLOR, COLOR, SAMPLE\n"
          "DCL IN[2], GENERIC[10], LINEAR, SAMPLE\n"
          "DCL IN[3], GENERIC[11], CONSTANT\n"
          "DCL IN[4], GENERIC[12], PERSPECTIVE, SAMPLE\n"
          "DCL OUT[0], COLOR\n"
          "  0: END");
}

}  // namespace valkyr::test::multisample_of_client
