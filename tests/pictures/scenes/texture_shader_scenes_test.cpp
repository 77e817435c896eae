// Texture shader scenes: draw with bias, levels, fetch, gather, offsets, sizes; in vertices, too.
// SPDX-License-Identifier: MIT
#include "tests/pictures/scenes/texture_scenes.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using namespace textures;

constexpr char kFragmentBias[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {     3.0000,     0.0000,     0.0000,     0.0000}
  0: MOV TEMP[0].xyz, IN[0]
  1: MUL TEMP[0].w, IN[0].xxxx, IMM[0].xxxx
  2: TXB OUT[0], TEMP[0], SAMP[0], 2D
  3: END
)";

constexpr char kFragmentLevel[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {     4.0000,    -0.5000,     0.0000,     0.0000}
  0: MOV TEMP[0].xyz, IN[0]
  1: MAD TEMP[0].w, IN[0].xxxx, IMM[0].xxxx, IMM[0].yyyy
  2: TXL OUT[0], TEMP[0], SAMP[0], 2D
  3: END
)";

constexpr char kFragmentFetch[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {    20.0000,    -3.0000,     3.9000,     0.0000}
  0: MAD TEMP[0], IN[0], IMM[0].xxxx, IMM[0].yyyy
  1: MUL TEMP[0].w, IN[0].yyyy, IMM[0].zzzz
  2: F2I TEMP[0], TEMP[0]
  3: TXF OUT[0], TEMP[0], SAMP[0], 2D
  4: END
)";

constexpr char kFragmentGather[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
IMM[0] UINT32 {1, 0, 0, 0}
  0: TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D
  1: END
)";

constexpr char kFragmentOffset[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
IMM[0] INT32 {3, -2, 0, 0}
  0: TEX OUT[0], IN[0], SAMP[0], 2D, IMM[0].xyz
  1: END
)";

constexpr char kFragmentProjected[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {     1.0000,     0.5000,     0.0000,     0.0000}
  0: MOV TEMP[0].xyz, IN[0]
  1: MAD TEMP[0].w, IN[0].xxxx, IMM[0].yyyy, IMM[0].xxxx
  2: TXP OUT[0], TEMP[0], SAMP[0], 2D
  3: END
)";

constexpr char kFragmentDependent[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
  0: TEX TEMP[0], IN[0], SAMP[0], 2D
  1: ADD TEMP[0], TEMP[0], IN[0].yxzw
  2: TEX OUT[0], TEMP[0], SAMP[0], 2D
  3: END
)";

constexpr char kFragmentSize[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {     0.0100,     3.0000,     0.0000,     0.0000}
  0: MUL TEMP[0].x, IN[0].xxxx, IMM[0].yyyy
  1: F2I TEMP[0].x, TEMP[0].xxxx
  2: TXQ TEMP[0], TEMP[0].xxxx, SAMP[0], 2D
  3: I2F TEMP[0], TEMP[0]
  4: MUL OUT[0], TEMP[0], IMM[0].xxxx
  5: END
)";

TEST_CASE("texture instructions") {
    const struct {
        const char* name;
        const char* shader;
    } rows[] = {{"txb", kFragmentBias},
                {"txl", kFragmentLevel},
                {"txf", kFragmentFetch},
                {"tg4", kFragmentGather},
                {"offset", kFragmentOffset},
                {"txp", kFragmentProjected},
                {"dependent", kFragmentDependent},
                {"txq", kFragmentSize}};
    for (const auto& row : rows)
        check_scene(row.name, [&row](SceneKit& kit) {
            begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 16, 16, 4),
                  sampler_of(Filter::Linear, MipFilter::Linear), row.shader);
            draw_mesh(kit, over(0, 1.5F));
        });
}

constexpr char kFragmentDivergent[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0..1]
IMM[0] FLT32 {     8.0000,     0.5000,     0.0000,     1.0000}
  0: MUL TEMP[0].xy, IN[0], IMM[0].xxxx
  1: ADD TEMP[0].x, TEMP[0].xxxx, TEMP[0].yyyy
  2: FRC TEMP[0].x, TEMP[0].xxxx
  3: FSLT TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  4: UIF TEMP[0].xxxx
  5:   TEX TEMP[1], IN[0], SAMP[0], 2D
  6: ELSE
  7:   TEX TEMP[1], IN[0].yxzw, SAMP[0], 2D
  8: ENDIF
  9: MOV OUT[0], TEMP[1]
 10: END
)";

TEST_CASE("implicit level of detail in divergent control flow sees the running lanes only") {
    check_scene("divergent-texture", [](SceneKit& kit) {
        begin(kit, desc_2d(Format::R8G8B8A8_UNORM, 64, 64, 7),
              sampler_of(Filter::Linear, MipFilter::Linear), kFragmentDivergent);
        draw_mesh(kit, over(0, 2));
    });
}

constexpr char kVertexTexture[] = R"(VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
DCL TEMP[0]
IMM[0] FLT32 {     0.5000,     0.0000,     0.0000,     0.0000}
  0: MAD TEMP[0].xy, IN[0], IMM[0].xxxx, IMM[0].xxxx
  1: MOV TEMP[0].zw, IMM[0].yyyy
  2: TXL OUT[1], TEMP[0], SAMP[0], 2D
  3: MOV OUT[0], IN[0]
  4: END
)";

TEST_CASE("vertex shaders sample textures") {
    check_scene("vertex-texture", [](SceneKit& kit) {
        kit.add_color();
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexTexture, kFragmentColor);
        kit.state.vertex().textures = {
            {random_texture(kit, desc_2d(Format::R8G8B8A8_UNORM, 9, 9))}};
        kit.state.vertex().samplers = {sampler_of(Filter::Linear)};
        draw_mesh(kit, random_triangles(92, 12));
    });
}

}  // namespace
}  // namespace valkyr::scenes
