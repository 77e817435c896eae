// Override test: checks wireframe, fragment counts and the tile view.
// SPDX-License-Identifier: MIT
#include "app/demo/demo_target.hpp"
#include "app/demo/override_device.hpp"
#include "gpu/create_device.hpp"
#include "tgsi/rules/verifier.hpp"
#include "tgsi/text/parser.hpp"

#include <algorithm>
#include <doctest/doctest.h>
#include <set>

namespace valkyr::demos {
namespace {

using namespace app;
using examples::Image;

constexpr uint32_t kSize = 96;

DrawMode small_mode() {
    DrawMode mode;
    mode.width = mode.height = kSize;
    mode.device.threads = 1;
    return mode;
}

Image picture(const char* scene, const DrawMode& mode) {
    const auto target = DemoTarget::create(exhibit_of(*examples::find_scene(scene)), mode);
    REQUIRE_MESSAGE(target.has_value(), target.error().text);
    const auto drawn = (*target)->render(0.25);
    REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
    return (*target)->image();
}

/// Counts the fragments of each pixel of a scene on a device of its own.
std::vector<int> counts(const char* scene, bool wireframe) {
    const examples::SceneInfo& info = *examples::find_scene(scene);
    OverrideDevice device(std::move(*gpu::create_device({})), {wireframe, true});
    const auto target = examples::PictureTarget::create(device, kSize, kSize, 1, info.depth);
    REQUIRE(target.has_value());
    const auto made = info.create(device);
    REQUIRE_MESSAGE(made.has_value(), made.error().text);
    REQUIRE(device.begin_picture(target->framebuffer()).has_value());
    const auto drawn = (*made)->draw(target->framebuffer(), kSize, kSize, 0.25);
    REQUIRE_MESSAGE(drawn.has_value(), drawn.error().text);
    Image image;
    REQUIRE(target->read(device, image).has_value());
    std::vector<int> result;
    for (size_t i = 0; i < image.rgba.size(); i += 4) {
        CHECK(image.rgba[i] % 17 == 0);
        CHECK(image.rgba[i] == image.rgba[i + 2]);
        result.push_back(image.rgba[i] / 17);
    }
    return result;
}

TEST_CASE("counting shader: discards and alpha stay, the colour is a constant") {
    const std::string text = counting_shader("FRAG\n"
                                             "DCL IN[0], GENERIC[0], PERSPECTIVE\n"
                                             "DCL OUT[0].z, POSITION\n"
                                             "DCL OUT[1], COLOR\n"
                                             "IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}\n"
                                             "  0: KILL_IF IN[0].xxxx\n"
                                             "  1: MOV OUT[1], IN[0]\n"
                                             "  2: MOV OUT[0].z, IN[0].yyyy\n"
                                             "  3: END\n");
    const auto parsed = tgsi::parse(text);
    REQUIRE(parsed.ok());
    CHECK(parsed.shader.immediates.size() == 2);
    CHECK(parsed.shader.instructions.size() == 5);
    CHECK(text.find("KILL_IF IN[0].xxxx") != std::string::npos);
    CHECK(text.find("MOV OUT[1].xyz, IMM[1].xxxx\n") < text.find("END"));
    const std::string vertex = "VERT\nDCL OUT[0], POSITION\n  0: END\n";
    CHECK(counting_shader(vertex) == vertex);
    CHECK(counting_shader("FRAG\nnonsense") == "FRAG\nnonsense");
}

TEST_CASE("overdraw: a triangle has one fragment a pixel, and as many as it has pixels") {
    const Image plain = picture("triangle", small_mode());
    const std::vector<int> counted = counts("triangle", false);
    const uint8_t* background = plain.rgba.data();
    for (size_t i = 0; i < counted.size(); i++) {
        const bool covered = !std::equal(background, background + 3, &plain.rgba[4 * i]);
        CHECK(counted[i] == (covered ? 1 : 0));
    }
    CHECK(*std::max_element(counted.begin(), counted.end()) == 1);
}

TEST_CASE("overdraw: particles lie in many layers, the pictures of four targets are counted") {
    const std::vector<int> particles = counts("particles", false);
    CHECK(*std::max_element(particles.begin(), particles.end()) == 15);
    // The ambient light adds a fragment everywhere, the floor and balls below it one or more.
    const std::vector<int> deferred = counts("deferred", false);
    CHECK(*std::min_element(deferred.begin(), deferred.end()) >= 1);
    CHECK(*std::max_element(deferred.begin(), deferred.end()) > 4);
}

TEST_CASE("overdraw: discarded fragments do not count") {
    // The shader discards the corners of a ball's square, so fewer pixels are covered than by whole
    // squares.
    const std::vector<int> spheres = counts("spheres", false);
    const auto covered = std::count_if(spheres.begin(), spheres.end(), [](int n) { return n > 0; });
    const Image plain = picture("spheres", small_mode());
    ptrdiff_t seen = 0;
    for (size_t i = 0; i < plain.rgba.size(); i += 4)
        seen += std::equal(&plain.rgba[i], &plain.rgba[i] + 3, plain.rgba.data()) ? 0 : 1;
    CHECK(covered == seen);
}

TEST_CASE("wireframe: edges alone are drawn") {
    const std::vector<int> whole = counts("triangle", false);
    const std::vector<int> wires = counts("triangle", true);
    const auto covered = [](const std::vector<int>& n) {
        return std::count_if(n.begin(), n.end(), [](int i) { return i > 0; });
    };
    CHECK(covered(wires) > 150);
    CHECK(covered(wires) < 400);
    CHECK(covered(whole) > 2000);
}

TEST_CASE("samples: more of them make edges smooth") {
    std::set<uint32_t> one;
    std::set<uint32_t> four;
    DrawMode mode = small_mode();
    for (auto* colors : {&one, &four}) {
        mode.samples = colors == &one ? 1 : 4;
        const Image image = picture("outline", mode);
        for (size_t i = 0; i < image.rgba.size(); i += 4)
            colors->insert(image.rgba[i] | image.rgba[i + 1] << 8U | image.rgba[i + 2] << 16U);
    }
    CHECK(four.size() > one.size() + 50);
}

TEST_CASE("tiles: their borders are drawn, empty tiles have no tint") {
    DrawMode mode = small_mode();
    const Image plain = picture("triangle", mode);
    mode.tiles = true;
    const Image tiled = picture("triangle", mode);
    const auto pixel = [](const Image& image, size_t x, size_t y) {
        const uint8_t* p = &image.rgba[4 * (y * image.width + x)];
        return std::array<int, 3>{p[0], p[1], p[2]};
    };
    CHECK(pixel(tiled, 64, 10) != pixel(plain, 64, 10));
    CHECK(pixel(tiled, 10, 64) != pixel(plain, 10, 64));
    CHECK(pixel(tiled, 48, 50) != pixel(plain, 48, 50));  // a tile with work
}

TEST_CASE("demo target: figures and shaders of a frame") {
    const auto target =
        DemoTarget::create(exhibit_of(*examples::find_scene("torus")), small_mode());
    REQUIRE(target.has_value());
    REQUIRE((*target)->render(0).has_value());
    const FrameFigures& figures = (*target)->figures();
    CHECK(figures.statistics.triangles_in == 6400);  // 160 rings of 20 sides
    CHECK(figures.statistics.blocks_shaded > 0);
    CHECK(figures.front_ms > 0);
    CHECK(figures.tiles_ms > 0);
    CHECK(figures.frame_ms >= figures.record_ms);
    REQUIRE((*target)->shaders().size() == 2);
    CHECK((*target)->shaders()[0].name == "mesh.vert");
    CHECK((*target)->shaders()[0].tgsi_instructions == 14);
    CHECK((*target)->shaders()[1].valhall_words > 19);
}

TEST_CASE("every scene can be drawn in every way") {
    for (const examples::SceneInfo& info : examples::scenes()) {
        DrawMode mode = small_mode();
        mode.width = mode.height = 32;
        mode.tiles = true;
        for (const Overrides overrides : {Overrides{true, false}, {false, true}, {true, true}}) {
            mode.overrides = overrides;
            mode.samples = overrides.wireframe ? 2 : 0;
            (void)picture(std::string(info.name).c_str(), mode);
        }
    }
}

}  // namespace
}  // namespace valkyr::demos
