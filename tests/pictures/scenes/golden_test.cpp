// Golden test: the PNG, the reference renderer and every engine agree to the byte.
// SPDX-License-Identifier: MIT
//
// VALKYR_BLESS=1 rewrites tests/pictures/golden/*.png from the reference renderer. The text file
// beside each PNG has its justification.
#include "examples/image_io.hpp"
#include "examples/scene.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"
#include "tests/support/picture_diff.hpp"

#include <cstdlib>
#include <doctest/doctest.h>
#include <filesystem>

namespace valkyr::scenes {
namespace {

constexpr char kDirectory[] = "tests/pictures/golden/";

/// Compares the first colour target with the PNG of that name, after comparing all engines.
void check_golden(const std::string& name, const SceneFunction& scene) {
    const Shot shot = check_scene(name, scene)[0];
    REQUIRE(shot.format == exec::Format::R8G8B8A8_UNORM);
    const std::string path = kDirectory + name + ".png";
    if (std::getenv("VALKYR_BLESS") != nullptr)
        REQUIRE(examples::write_image(path, {shot.width, shot.height, shot.bytes}).has_value());
    const Result<examples::Image> golden = examples::read_image(path);
    REQUIRE(golden.has_value());
    const Shot expected{shot.name, shot.format, golden->width, golden->height, golden->rgba};
    const std::optional<std::string> difference = first_difference(expected, shot, 0);
    if (difference) {
        write_difference(name + "-golden", expected, shot);
        FAIL_CHECK(path << ": " << *difference);
    }
    CHECK(std::filesystem::exists(kDirectory + name + ".txt"));
}

/// A frame of a demo scene of examples/.
SceneFunction demo(const char* scene_name, uint32_t width, uint32_t height, double seconds) {
    return [=](SceneKit& kit) {
        const examples::SceneInfo* info = examples::find_scene(scene_name);
        REQUIRE(info != nullptr);
        kit.size(width, height);
        kit.add_color();
        kit.add_depth(exec::Format::D32_FLOAT);
        const auto scene = info->create(kit.device());
        REQUIRE(scene.has_value());
        REQUIRE((*scene)->draw(kit.state.framebuffer, width, height, seconds).has_value());
    };
}

TEST_CASE("golden: one triangle") {
    check_golden("triangle", [](SceneKit& kit) {
        kit.size(64, 64);
        kit.add_color();
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        kit.shaders(kVertexColor, kFragmentColor);
        kit.vertices({-0.8F, -0.7F, 0, 1, 1,     0,     0, 1, 0.9F, -0.3F, 0, 1,
                      0,     1,     0, 1, -0.1F, 0.85F, 0, 1, 0,    0,     1, 1},
                     {4, 4});
        kit.draw(3);
    });
}

TEST_CASE("golden: a floor plane through the eye, depth-tested triangles over it") {
    check_golden("floor_and_triangles", [](SceneKit& kit) {
        kit.size(96, 96);
        kit.add_color();
        kit.add_depth(exec::Format::D24_UNORM_S8_UINT);
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        kit.shaders(kVertexColor, kFragmentColor);
        kit.pipeline.depth_stencil.depth_test = kit.pipeline.depth_stencil.depth_write = true;
        const Mesh floor = floor_plane();
        kit.vertices(floor.data(), {4, 4});
        kit.draw(floor.count());
        const Mesh triangles = random_triangles(200, 10, 0.9F);
        kit.vertices(triangles.data(), {4, 4});
        kit.draw(triangles.count());
    });
}

TEST_CASE("golden: the demo cubes") {
    check_golden("cube_96x72", demo("cube", 96, 72, 0));
    check_golden("cube_96x72_later", demo("cube", 96, 72, 1.25));
    check_golden("cube_640x480", demo("cube", 640, 480, 0));
}

}  // namespace
}  // namespace valkyr::scenes
