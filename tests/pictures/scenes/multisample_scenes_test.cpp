// Multisample scenes: draw with coverage, depth, resolve, masks, centroid and per-sample shading.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;

constexpr uint32_t kSampleCounts[] = {2, 4, 8, 16};

void begin(SceneKit& kit, uint32_t samples, Format format = Format::R8G8B8A8_UNORM) {
    kit.size(64, 64, samples);
    kit.add_color(format);
    kit.clear(0.1F, 0.2F, 0.3F, 1);
    kit.shaders(kVertexColor, kFragmentColor);
    kit.pipeline.rasterizer.multisample = true;
}

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

void check_all_counts(const std::string& name,
                      const std::function<void(SceneKit&, uint32_t samples)>& scene) {
    for (const uint32_t samples : kSampleCounts)
        check_scene(name + "-" + std::to_string(samples),
                    [&](SceneKit& kit) { scene(kit, samples); });
}

TEST_CASE("edges are resolved from the standard sample positions") {
    check_all_counts("msaa-triangles", [](SceneKit& kit, uint32_t samples) {
        begin(kit, samples);
        draw_mesh(kit, random_triangles(100, 15));
        draw_mesh(kit, small_triangles(101, 100, 0.1F));
    });
}

TEST_CASE("resolve of half, float and sRGB targets") {
    for (const Format format :
         {Format::R16G16B16A16_FLOAT, Format::R8G8B8A8_SRGB, Format::R10G10B10A2_UNORM,
          Format::B5G6R5_UNORM, Format::R8G8_UNORM})
        check_scene("msaa-" + std::string(exec::format_info(format).name), [format](SceneKit& kit) {
            begin(kit, 4, format);
            draw_mesh(kit, random_triangles(102, 15));
        });
}

TEST_CASE("depth is tested at every sample, blending happens per sample") {
    check_all_counts("msaa-depth", [](SceneKit& kit, uint32_t samples) {
        begin(kit, samples);
        kit.add_depth(Format::D32_FLOAT);
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        kit.pipeline.depth_stencil.depth_test = true;
        kit.pipeline.depth_stencil.depth_write = true;
        kit.pipeline.blend.targets[0].enable = true;
        kit.pipeline.blend.targets[0].rgb_src = raster::BlendFactor::SrcAlpha;
        kit.pipeline.blend.targets[0].rgb_dst = raster::BlendFactor::InvSrcAlpha;
        draw_mesh(kit, random_triangles(103, 25));
    });
}

TEST_CASE("stencil counts per sample") {
    check_scene("msaa-stencil", [](SceneKit& kit) {
        begin(kit, 4);
        kit.add_depth(Format::D24_UNORM_S8_UINT);
        kit.clear(0.1F, 0.2F, 0.3F, 1);
        raster::StencilFace& face = kit.pipeline.depth_stencil.stencil[0];
        face.enable = true;
        face.pass = raster::StencilOp::IncrementWrap;
        draw_mesh(kit, random_triangles(104, 15));
        face.func = raster::CompareFunc::Equal;
        kit.state.stencil_reference = {2, 2};
        Mesh mesh;
        mesh.rectangle(-1, -1, 1, 1, 0, {1, 1, 0, 1});
        draw_mesh(kit, mesh);
    });
}

TEST_CASE("multisample off on a multisampled target: whole pixels") {
    check_scene("msaa-off", [](SceneKit& kit) {
        begin(kit, 4);
        kit.pipeline.rasterizer.multisample = false;
        draw_mesh(kit, random_triangles(105, 15));
    });
}

TEST_CASE("sample mask, alpha to coverage, alpha to one") {
    check_all_counts("sample-mask", [](SceneKit& kit, uint32_t samples) {
        begin(kit, samples);
        kit.state.sample_mask = 0x5A6D;
        draw_mesh(kit, random_triangles(106, 10));
    });
    check_all_counts("alpha-to-coverage", [](SceneKit& kit, uint32_t samples) {
        begin(kit, samples);
        kit.pipeline.blend.alpha_to_coverage = true;
        draw_mesh(kit, random_triangles(107, 10));
    });
    check_scene("alpha-to-one", [](SceneKit& kit) {
        begin(kit, 4);
        kit.pipeline.blend.alpha_to_one = true;
        kit.pipeline.blend.targets[0].enable = true;
        kit.pipeline.blend.targets[0].rgb_src = raster::BlendFactor::SrcAlpha;
        kit.pipeline.blend.targets[0].rgb_dst = raster::BlendFactor::InvSrcAlpha;
        draw_mesh(kit, random_triangles(108, 10));
    });
}

constexpr char kFragmentCentroid[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE, CENTROID
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

constexpr char kFragmentSample[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE, SAMPLE
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
)";

constexpr char kFragmentSampleId[] = R"(FRAG
DCL SV[0], SAMPLEID
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {     0.2500,     0.0000,     0.0000,     0.0000}
  0: U2F TEMP[0].x, SV[0].xxxx
  1: MUL OUT[0], IN[0], TEMP[0].xxxx
  2: END
)";

constexpr char kFragmentSampleMask[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], SAMPLEMASK
IMM[0] UINT32 {6, 0, 0, 0}
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1].x, IMM[0].xxxx
  2: END
)";

constexpr char kFragmentSamplePosition[] = R"(FRAG
DCL IN[0], POSITION, LINEAR
DCL IN[1], GENERIC[0], PERSPECTIVE, SAMPLE
DCL OUT[0], COLOR
  0: FRC OUT[0], IN[0]
  1: MOV OUT[0].w, IN[1]
  2: END
)";

TEST_CASE("centroid, per-sample inputs, sample ID and mask output") {
    const struct {
        const char* name;
        const char* shader;
    } rows[] = {{"centroid", kFragmentCentroid},
                {"sample", kFragmentSample},
                {"sample-id", kFragmentSampleId},
                {"sample-mask-output", kFragmentSampleMask},
                {"sample-position", kFragmentSamplePosition}};
    for (const auto& row : rows)
        check_scene(row.name, [&row](SceneKit& kit) {
            begin(kit, 4);
            kit.shaders(kVertexColor, row.shader);
            draw_mesh(kit, random_triangles(109, 12));
        });
}

}  // namespace
}  // namespace valkyr::scenes
