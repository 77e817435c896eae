// Capability test: checks sizes of capability sets, and that they advertise only existing features.
// SPDX-License-Identifier: MIT
#include "tests/virgl/fake_client.hpp"
#include "virgl/protocol/capabilities.hpp"
#include "virgl/protocol/format_map.hpp"

#include <array>
#include <cstring>
#include <doctest/doctest.h>

using namespace valkyr;
using virgl::GlLevel;

namespace {

uint32_t word_at(std::span<const std::byte> bytes, size_t offset) {
    uint32_t word = 0;
    std::memcpy(&word, bytes.data() + offset, sizeof word);
    return word;
}
bool has_format(const virgl::Capset& set, size_t mask, uint32_t number) {
    return (word_at(set, mask + number / 32 * 4) >> number % 32 & 1) != 0;
}

constexpr size_t kSampler = 4;
constexpr size_t kRender = 68;

}  // namespace

TEST_CASE("the first set is OpenGL 2.1 with integers in the TGSI") {
    const auto set = virgl::capability_set(GlLevel::Gl21, 2);
    CHECK(word_at(set, 0) == 2);
    CHECK(word_at(set, 264) == 130);    // GLSL level
    CHECK(word_at(set, 288) == 0x3FF);  // primitives up to polygons
    CHECK(word_at(set, 296) == 1);      // the default uniform block only
    // SET_MIN_SAMPLES, sRGB control, transfers, mixed formats, copied transfers
    CHECK(word_at(set, 392) == (1U << 2 | 1U << 15 | 1U << 17 | 1U << 18 | 1U << 26));
    CHECK(word_at(set, 556) == 5);  // the client reads the renderer's name
    CHECK(std::memcmp(set.data() + 696, "Valkyr", 7) == 0);
    for (const uint32_t number : {1, 2, 67, 134, 100, 104}) {
        CHECK(has_format(set, kSampler, number));
        CHECK(has_format(set, kRender, number));
    }
    for (const uint32_t depth : {16, 20, 21})
        CHECK(has_format(set, kSampler, depth));
    CHECK_FALSE(has_format(set, kSampler, 17));  // Z32_UNORM: the rasterizer has no such format
}

TEST_CASE(
    "every advertised format is one of the rasterizer's, and what can be drawn can be sampled") {
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl30, GlLevel::Gl31, GlLevel::Gl33,
                                GlLevel::Es31, GlLevel::Gl43}) {
        const auto set = virgl::capability_set(level, 2);
        for (uint32_t number = 0; number < virgl::kFormatNumbers; ++number) {
            CAPTURE(number);
            if (has_format(set, kSampler, number))
                CHECK(virgl::format_of(number) != raster::Format::None);
            if (has_format(set, kRender, number))
                CHECK(has_format(set, kSampler, number));
        }
    }
}

TEST_CASE("samples lie where the standard patterns put them") {
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl30, GlLevel::Gl31, GlLevel::Gl33,
                                GlLevel::Es31, GlLevel::Gl43}) {
        const auto set = virgl::capability_set(level, 2);
        CHECK(word_at(set, 284) == 8);              // the most samples
        CHECK((word_at(set, 260) >> 14 & 1) == 1);  // multisample textures
        CHECK(word_at(set, 396) == 0x44CC);         // 2: (12, 12) (4, 4)
        CHECK(word_at(set, 400) == 0xAE2AE662);     // 4: (6, 2) (14, 6) (2, 10) (10, 14)
        CHECK(word_at(set, 404) == 0x53D97B95);     // 8: (9, 5) (7, 11) (13, 9) (5, 3)
        CHECK(word_at(set, 408) == 0xF1BF173D);     // and (3, 13) (1, 7) (11, 15) (15, 1)
    }
}

TEST_CASE("uploads go with the commands: the driver needs not end a command buffer for each") {
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl30, GlLevel::Gl31, GlLevel::Gl33,
                                GlLevel::Es31, GlLevel::Gl43}) {
        const auto set = virgl::capability_set(level, 2);
        CHECK((word_at(set, 392) >> 17 & 1) == 1);  // TRANSFER3D
        CHECK((word_at(set, 392) >> 26 & 1) == 1);  // COPY_TRANSFER3D
    }
}

TEST_CASE("drivers send markers, with which libOSMesa names its surfaces") {
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl43})
        CHECK((word_at(virgl::capability_set(level, 2), 688) >> 4 & 1) == 1);
}

TEST_CASE("shaders get the parameters of a draw from OpenGL 3.3 on") {
    CHECK((word_at(virgl::capability_set(GlLevel::Gl31, 2), 688) >> 14 & 1) == 0);
    for (const GlLevel level : {GlLevel::Gl33, GlLevel::Es31, GlLevel::Gl43})
        CHECK((word_at(virgl::capability_set(level, 2), 688) >> 14 & 1) == 1);
}

TEST_CASE("OpenGL 3.0 has integer textures, as its specification asks") {
    const auto set = virgl::capability_set(GlLevel::Gl30, 2);
    for (const uint32_t number : {177, 178, 180, 181, 182, 184, 185, 186, 188, 189, 190, 192, 193,
                                  194, 196, 197, 198, 200}) {
        CAPTURE(number);
        CHECK(has_format(set, kSampler, number));
        CHECK(has_format(set, kRender, number));
    }
}

TEST_CASE("OpenGL 3.3 comes with feedback objects, streams and parts of OpenGL 4") {
    const auto set = virgl::capability_set(GlLevel::Gl33, 2);
    const uint32_t switches = word_at(set, 260);
    // Blending by target, cube arrays, render conditions, first instances, restart, seamless cubes,
    // occlusion, pausing of feedback, multisampled textures, no depth clip, seamlessness by
    // texture, mirror clamp, LOD queries, indirect draws, sample shading, inverted conditions, fine
    // derivatives, clamped offsets, overflow queries.
    for (const unsigned bit :
         {0, 1, 2, 4, 5, 6, 10, 11, 13, 14, 16, 17, 21, 22, 25, 26, 28, 29, 30, 31}) {
        CAPTURE(bit);
        CHECK((switches >> bit & 1) == 1);
    }
    // Not supported: stencil export, doubles, tessellation, cull distances.
    for (const unsigned bit : {3, 23, 24, 27}) {
        CAPTURE(bit);
        CHECK((switches >> bit & 1) == 0);
    }
    CHECK(word_at(set, 264) == 400);     // for GL_ARB_gpu_shader5
    CHECK(word_at(set, 272) == 4);       // feedback buffers
    CHECK(word_at(set, 276) == 1);       // dual-source targets
    CHECK(word_at(set, 288) == 0x3FFF);  // primitives with adjacency
    CHECK(word_at(set, 300) == 16);      // viewports
    CHECK(word_at(set, 304) == 4);       // components of a gather
    CHECK(word_at(set, 380) == 16);      // alignment of buffer textures
    // Minimum of samples, sample counts of textures, texture barriers, sRGB control, transfers,
    // mixed formats, four streams, copied transfers, depth from 0.
    CHECK(word_at(set, 392) == (1U << 2 | 1U << 5 | 1U << 12 | 1U << 15 | 1U << 17 | 1U << 18 |
                                1U << 23 | 1U << 26 | 1U << 27));
    CHECK(word_at(set, 556) == 6);         // compatibility contexts, too
    CHECK(has_format(set, kRender, 253));  // R10G10B10A2_UINT
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl30, GlLevel::Gl31}) {
        const auto older = virgl::capability_set(level, 2);
        CHECK((word_at(older, 260) >> 13 & 1) == 0);
        CHECK((word_at(older, 392) >> 23 & 1) == 0);
        CHECK(word_at(older, 304) == 0);
        CHECK(word_at(older, 300) == 1);
    }
}

TEST_CASE("OpenGL ES 3.1 adds buffers and images of shaders, and compute shaders, to 3.3") {
    const auto set = virgl::capability_set(GlLevel::Es31, 2);
    const auto older = virgl::capability_set(GlLevel::Gl33, 2);
    // Texture views, copies between formats, memory barriers, compute shaders, no attachments, many
    // indirect draws and their number in a buffer, clears of textures.
    CHECK((word_at(set, 392) ^ word_at(older, 392)) ==
          (1U << 1 | 1U << 3 | 1U << 6 | 1U << 7 | 1U << 8 | 1U << 21 | 1U << 22 | 1U << 30));
    CHECK(word_at(set, 388) == 32);    // alignment of buffers
    CHECK(word_at(set, 428) == 2048);  // stride of attributes
    // Buffers of fragment and other shaders, images likewise, no samples in images.
    const std::array<uint32_t, 5> units{32, 32, 16, 16, 0};
    for (size_t i = 0; i < units.size(); ++i)
        CHECK(word_at(set, 432 + 4 * i) == units[i]);
    const std::array<uint32_t, 8> compute{1024, 32768, 65535, 65535, 65535, 1024, 1024, 64};
    for (size_t i = 0; i < compute.size(); ++i)
        CHECK(word_at(set, 452 + 4 * i) == compute[i]);
    for (size_t at = 500; at < 556; at += 4)
        CHECK(word_at(set, at) == 0);  // counters are buffers
    for (const size_t at : {260, 264, 268, 272, 276, 280, 284, 288, 292, 296, 300, 304, 556})
        CHECK(word_at(set, at) == word_at(older, at));
    for (const size_t at : {388, 428, 432, 440, 452})
        CHECK(word_at(older, at) == 0);
}

TEST_CASE("OpenGL 4.3 adds tessellation, doubles and larger limits to OpenGL ES 3.1") {
    const auto set = virgl::capability_set(GlLevel::Gl43, 2);
    const auto older = virgl::capability_set(GlLevel::Es31, 2);
    CHECK((word_at(set, 260) ^ word_at(older, 260)) == (1U << 3 | 1U << 23 | 1U << 24 | 1U << 27));
    CHECK((word_at(set, 392) ^ word_at(older, 392)) ==
          (1U << 9 | 1U << 10 | 1U << 13 | 1U << 25));  // robust access, framebuffer fetch, ...
    CHECK(word_at(set, 264) == 430);
    // Newer clients offer no more than OpenGL 4.0 with less.
    CHECK(word_at(set, 268) == 2048);   // layers
    CHECK(word_at(set, 484) == 16384);  // sides of 2D textures, of 3D textures, of cubes
    CHECK(word_at(set, 488) == 2048);
    CHECK(word_at(set, 492) == 16384);
    CHECK((word_at(set, 288) ^ word_at(older, 288)) == 1U << 14);  // patches
    CHECK(word_at(set, 296) == 15);
    for (const uint32_t number : {30, 195, 199})
        CHECK(has_format(set, kSampler, number));
}

TEST_CASE("textures of the colour formats that must be drawn to are drawn to") {
    // RGBA4, RGB4, RGB565, RGB8, RGBA8 and sRGB formats (OpenGL 3.0 section 3.9.1).
    for (const GlLevel level : {GlLevel::Gl21, GlLevel::Gl30, GlLevel::Gl31, GlLevel::Gl33,
                                GlLevel::Es31, GlLevel::Gl43}) {
        const auto set = virgl::capability_set(level, 2);
        for (const uint32_t number : {1, 2, 5, 6, 7, 67, 99, 100, 101, 104, 134, 135, 230}) {
            CAPTURE(number);
            CHECK(has_format(set, kSampler, number) == has_format(set, kRender, number));
        }
    }
}

TEST_CASE("where a format with alpha is drawn to, there is one whose alpha is 1, for RGB") {
    constexpr std::array<std::array<uint32_t, 2>, 9> kPairs{{{1, 2},
                                                             {67, 134},
                                                             {100, 101},
                                                             {104, 230},
                                                             {6, 135},
                                                             {51, 234},
                                                             {94, 236},
                                                             {131, 233},
                                                             {8, 233}}};
    for (const GlLevel level :
         {GlLevel::Gl30, GlLevel::Gl31, GlLevel::Gl33, GlLevel::Es31, GlLevel::Gl43}) {
        const auto set = virgl::capability_set(level, 2);
        for (const auto& pair : kPairs) {
            const uint32_t with_alpha = pair[0];
            const uint32_t without = pair[1];
            CAPTURE(with_alpha);
            CHECK(has_format(set, kRender, with_alpha) == has_format(set, kRender, without));
        }
        CHECK(has_format(set, kRender, 239));       // RGB32F; RGBA32F is supported at any level
        CHECK_FALSE(has_format(set, kSampler, 5));  // B5G5R5A1 has no such partner
    }
}

TEST_CASE("what is drawn to at a level can be made as a render target, and with samples") {
    const auto device = test::make_device();
    const auto set = virgl::capability_set(GlLevel::Gl33, 2);
    for (uint32_t number = 0; number < virgl::kFormatNumbers; ++number) {
        CAPTURE(number);
        const raster::Format format = virgl::format_of(number);
        const bool depth = virgl::is_depth_stencil_format(format);
        if (!has_format(set, kSampler, number))
            continue;
        raster::TextureDesc desc;
        desc.format = format;
        desc.width = desc.height = 4;
        desc.render_target = has_format(set, kRender, number) || depth;
        CHECK(device->create_texture(desc).has_value());
        if (!desc.render_target)
            continue;
        desc.kind = raster::TextureKind::Tex2DMs;
        desc.samples = word_at(set, 284);
        CHECK(device->create_texture(desc).has_value());
    }
}

TEST_CASE("both sets are answered with their bytes plus one as the length") {
    test::Session session;
    session.client->greet();
    session.client->send({0, 9, 0, 1});  // both requests in one write
    CHECK(session.client->receive_words(2) == std::vector<uint32_t>{1377, 2});
    const auto second = session.client->receive(1376);
    CHECK(session.client->receive_words(2) == std::vector<uint32_t>{309, 1});
    const auto first = session.client->receive(308);
    CHECK(word_at(first, 0) == 1);
    CHECK(std::memcmp(first.data() + 4, second.data() + 4, 304) == 0);
}
