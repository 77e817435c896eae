// Shader scenes: draw with arithmetic, control flow, constants and derivatives of TGSI shaders.
// SPDX-License-Identifier: MIT
#include "base/bits.hpp"
#include "tests/pictures/scenes/geometry.hpp"
#include "tests/pictures/scenes/scene_check.hpp"
#include "tests/pictures/scenes/shaders.hpp"

#include <doctest/doctest.h>

namespace valkyr::scenes {
namespace {

using exec::Format;

void draw_mesh(SceneKit& kit, const Mesh& mesh) {
    kit.vertices(mesh.data(), {4, 4});
    kit.draw(mesh.count());
}

/// A fragment shader of these lines, with declarations of IN[0], TEMP[0..3] and OUT[0].
std::string fragment(const std::string& declarations, const std::string& lines) {
    return "FRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0..3]\n" +
           declarations + lines;
}

void full_screen(SceneKit& kit, const std::string& shader, Format format) {
    kit.add_color(format);
    kit.clear(0, 0, 0, 0);
    kit.shaders(kVertexColor, shader);
    Mesh mesh;
    mesh.shaded_rectangle(
        -1, -1, 1, 1, 0,
        {{{-2, -1.5F, 0.1F, 1}, {3, -1, 0.2F, 2}, {2, 2.5F, 5, 0.5F}, {-1, 3, 1, 1}}});
    draw_mesh(kit, mesh);
}

TEST_CASE("every bit of operations that are defined to the bit") {
    const struct {
        const char* name;
        const char* lines;
    } rows[] = {
        {"mul-add", "  0: MUL TEMP[0], IN[0], IN[0].yzwx\n  1: ADD OUT[0], TEMP[0], IN[0]\n"},
        {"mad", "  0: MAD OUT[0], IN[0], IN[0].wzyx, -IN[0].zxyw\n"},
        {"dot", "  0: DP4 TEMP[0].x, IN[0], IN[0].yxwz\n  1: DP3 TEMP[0].y, IN[0], IN[0].zzxx\n"
                "  2: DP2 TEMP[0].z, IN[0], IN[0].wzyx\n  3: MOV TEMP[0].w, |IN[0].xxxx|\n"
                "  4: MOV OUT[0], TEMP[0]\n"},
        {"min-max", "  0: MIN TEMP[0], IN[0], IN[0].yzwx\n  1: MAX OUT[0], TEMP[0], -IN[0].zwxy\n"},
        {"round", "  0: FLR TEMP[0].x, IN[0]\n  1: CEIL TEMP[0].y, IN[0]\n"
                  "  2: TRUNC TEMP[0].z, IN[0].xxxx\n  3: ROUND TEMP[0].w, IN[0].yyyy\n"
                  "  4: FRC TEMP[1], IN[0]\n  5: ADD OUT[0], TEMP[0], TEMP[1]\n"},
        {"compare",
         "  0: SLT TEMP[0].x, IN[0].xxxx, IN[0].yyyy\n  1: SGE TEMP[0].y, IN[0].xxxx, IN[0].zzzz\n"
         "  2: CMP TEMP[0].z, IN[0].yyyy, IN[0].xxxx, IN[0].wwww\n  3: SSG TEMP[0].w, IN[0].xxxx\n"
         "  4: MOV OUT[0], TEMP[0]\n"},
        {"lrp", "  0: LRP OUT[0], IN[0].xxxx, IN[0].yzwx, IN[0].wwzz\n"},
        {"rcp", "  0: RCP TEMP[0].x, IN[0].xxxx\n  1: RCP TEMP[0].y, IN[0].yyyy\n"
                "  2: MUL OUT[0], IN[0], TEMP[0].xyxy\n"},
        {"saturate", "  0: MUL_SAT TEMP[0], IN[0], IN[0].xxyy\n  1: MAD_SAT OUT[0], TEMP[0], "
                     "-IN[0], IN[0].yyyy\n"},
        {"convert", "  0: F2I TEMP[0], IN[0]\n  1: I2F TEMP[1], TEMP[0]\n  2: F2U TEMP[2], IN[0]\n"
                    "  3: U2F TEMP[2], TEMP[2]\n  4: ADD OUT[0], TEMP[1], TEMP[2].yzwx\n"},
        {"integer",
         "  0: MUL TEMP[0], IN[0], IN[0].wwww\n  1: UADD TEMP[1], TEMP[0], IN[0]\n"
         "  2: UMUL TEMP[1], TEMP[1], TEMP[0].yzwx\n  3: XOR TEMP[1], TEMP[1], IN[0].zwxy\n"
         "  4: USHR TEMP[1], TEMP[1], TEMP[0]\n  5: U2F OUT[0], TEMP[1]\n"},
    };
    for (const auto& row : rows)
        check_scene("alu-" + std::string(row.name), [&row](SceneKit& kit) {
            std::string lines = row.lines;
            const auto count = std::count(lines.begin(), lines.end(), '\n');
            lines += "  " + std::to_string(count) + ": END\n";
            full_screen(kit, fragment("", lines), Format::R32G32B32A32_FLOAT);
        });
}

TEST_CASE("operations that are defined within a bound agree to one step of a byte") {
    const struct {
        const char* name;
        const char* lines;
    } rows[] = {
        {"rsq-sqrt", "  0: RSQ TEMP[0].x, |IN[0].xxxx|\n  1: SQRT TEMP[0].y, |IN[0].yyyy|\n"
                     "  2: DIV TEMP[0].zw, IN[0].xyxy, IN[0].zwzw\n  3: MOV OUT[0], TEMP[0]\n"},
        {"ex2-lg2", "  0: EX2 TEMP[0].x, -IN[0].zzzz\n  1: LG2 TEMP[0].y, IN[0].zzzz\n"
                    "  2: POW TEMP[0].z, IN[0].zzzz, -IN[0].wwww\n  3: MOV TEMP[0].w, IN[0]\n"
                    "  4: MOV OUT[0], TEMP[0]\n"},
        {"sin-cos", "  0: SIN TEMP[0].x, IN[0].xxxx\n  1: COS TEMP[0].y, IN[0].yyyy\n"
                    "  2: SIN TEMP[0].z, IN[0].zzzz\n  3: COS TEMP[0].w, IN[0].zzzz\n"
                    "  4: MOV OUT[0], |TEMP[0]|\n"},
        {"lit", "  0: LIT OUT[0], IN[0]\n"},
    };
    for (const auto& row : rows)
        check_scene(
            "bounded-" + std::string(row.name),
            [&row](SceneKit& kit) {
                std::string lines = row.lines;
                const auto count = std::count(lines.begin(), lines.end(), '\n');
                lines += "  " + std::to_string(count) + ": END\n";
                full_screen(kit, fragment("", lines), Format::R8G8B8A8_UNORM);
            },
            1);
}

TEST_CASE("derivatives of smooth values and across divergence") {
    check_scene("derivatives", [](SceneKit& kit) {
        full_screen(kit,
                    fragment("", "  0: DDX TEMP[0], IN[0]\n  1: DDY TEMP[1], IN[0]\n"
                                 "  2: MAD OUT[0], TEMP[0], TEMP[0], TEMP[1]\n  3: END\n"),
                    Format::R32G32B32A32_FLOAT);
    });
    check_scene("derivatives-of-triangles", [](SceneKit& kit) {
        kit.add_color(Format::R32G32B32A32_FLOAT);
        kit.clear(0, 0, 0, 0);
        kit.shaders(kVertexColor,
                    fragment("", "  0: MUL TEMP[2], IN[0], IN[0]\n"
                                 "  1: DDX TEMP[0], TEMP[2]\n  2: DDY TEMP[1], TEMP[2]\n"
                                 "  3: ADD OUT[0], TEMP[0], TEMP[1].yzwx\n  4: END\n"));
        draw_mesh(kit, small_triangles(110, 150, 0.2F));
    });
}

constexpr char kLoop[] = R"(  0: MOV TEMP[0], IMM[0].yyyy
  1: MOV TEMP[1], IMM[0].yyyy
  2: BGNLOOP
  3:   FSGE TEMP[2].x, TEMP[1].xxxx, IN[0].zzzz
  4:   UIF TEMP[2].xxxx
  5:     BRK
  6:   ENDIF
  7:   ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
  8:   FSLT TEMP[2].x, IN[0].xxxx, TEMP[1].xxxx
  9:   UIF TEMP[2].xxxx
 10:     CONT
 11:   ENDIF
 12:   MAD TEMP[0], IN[0], IMM[0].zzzz, TEMP[0]
 13: ENDLOOP
 14: MOV OUT[0], TEMP[0]
 15: END
)";

constexpr char kMandelbrot[] = R"(  0: MOV TEMP[0].xy, IN[0]
  1: MOV TEMP[1], IMM[0].yyyy
  2: BGNLOOP
  3:   FSGE TEMP[2].x, TEMP[1].xxxx, IMM[0].wwww
  4:   UIF TEMP[2].xxxx
  5:     BRK
  6:   ENDIF
  7:   MUL TEMP[3].xy, TEMP[0], TEMP[0]
  8:   ADD TEMP[3].z, TEMP[3].xxxx, TEMP[3].yyyy
  9:   FSLT TEMP[2].x, IMM[1].xxxx, TEMP[3].zzzz
 10:   UIF TEMP[2].xxxx
 11:     BRK
 12:   ENDIF
 13:   ADD TEMP[3].z, TEMP[3].xxxx, -TEMP[3].yyyy
 14:   MUL TEMP[3].w, TEMP[0].xxxx, TEMP[0].yyyy
 15:   ADD TEMP[0].x, TEMP[3].zzzz, IN[0].xxxx
 16:   MAD TEMP[0].y, TEMP[3].wwww, IMM[1].yyyy, IN[0].yyyy
 17:   ADD TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
 18: ENDLOOP
 19: MUL OUT[0], TEMP[1].xxxx, IMM[0].zzzz
 20: END
)";

TEST_CASE("loops with break and continue that differ from lane to lane") {
    check_scene("loop", [](SceneKit& kit) {
        full_screen(
            kit, fragment("IMM[0] FLT32 {    0.5000,     0.0000,     0.1000,    32.0000}\n", kLoop),
            Format::R32G32B32A32_FLOAT);
    });
    check_scene("mandelbrot", [](SceneKit& kit) {
        full_screen(kit,
                    fragment("IMM[0] FLT32 {    1.0000,     0.0000,     0.0312,    32.0000}\n"
                             "IMM[1] FLT32 {    4.0000,     2.0000,     0.0000,     0.0000}\n",
                             kMandelbrot),
                    Format::R8G8B8A8_UNORM);
    });
}

constexpr char kIndirect[] = R"(FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL CONST[0][0..7]
DCL TEMP[0]
DCL TEMP[1..4], ARRAY(1), LOCAL
DCL ADDR[0]
IMM[0] FLT32 {     1.9000,     2.0000,     0.0000,     0.0000}
  0: MAD TEMP[0].x, IN[0].xxxx, IMM[0].xxxx, IMM[0].yyyy
  1: ARL ADDR[0].x, TEMP[0].xxxx
  2: MOV TEMP[1], IN[0]
  3: MOV TEMP[2], IN[0].yzwx
  4: MOV TEMP[3], IN[0].zwxy
  5: MOV TEMP[4], IN[0].wxyz
  6: MOV TEMP[0], CONST[0][ADDR[0].x]
  7: F2I TEMP[0].w, IN[0].yyyy
  8: IMAX TEMP[0].w, TEMP[0].wwww, IMM[0].zzzz
  9: UARL ADDR[0].x, TEMP[0].wwww
 10: ADD OUT[0], TEMP[0], TEMP[ADDR[0].x+1](1)
 11: END
)";

TEST_CASE("constants and temporaries by address") {
    check_scene("indirect", [](SceneKit& kit) {
        std::vector<uint32_t> constants;
        for (uint32_t i = 0; i < 32; i++)
            constants.push_back(as_bits(static_cast<float>(i) / 16));
        kit.state.fragment().constants = {constants};
        full_screen(kit, kIndirect, Format::R32G32B32A32_FLOAT);
    });
}

TEST_CASE("a transform from constants, changed between draws") {
    check_scene("transform", [](SceneKit& kit) {
        kit.add_color();
        kit.clear(0, 0, 0, 1);
        kit.shaders(kVertexTransform, kFragmentColor);
        const Mesh mesh = random_triangles(111, 3, 0.5F);
        kit.vertices(mesh.data(), {4, 4});
        for (int i = 0; i < 5; i++) {
            const float a = 0.3F * static_cast<float>(i);
            const float columns[16] = {
                1 - a * a / 2, a, 0,        0.1F,         -a, 1 - a * a / 2, 0.2F, 0, 0, 0,
                0.5F,          0, a - 0.7F, 0.2F - a / 2, 0,  1.2F};
            std::vector<uint32_t> words;
            for (const float f : columns)
                words.push_back(as_bits(f));
            kit.state.vertex().constants = {words};
            kit.draw(mesh.count());
        }
    });
}

TEST_CASE("discard in loops and quads with helpers") {
    check_scene("kill", [](SceneKit& kit) {
        kit.add_color();
        kit.clear(0, 0, 0, 1);
        kit.shaders(
            kVertexColor,
            fragment("IMM[0] FLT32 {   -0.3000,     8.0000,     0.0000,     1.0000}\n",
                     "  0: MUL TEMP[0], IN[0], IMM[0].yyyy\n  1: FRC TEMP[0], TEMP[0]\n"
                     "  2: ADD TEMP[0], TEMP[0], IMM[0].xxxx\n  3: KILL_IF TEMP[0].xyyy\n"
                     "  4: DDX TEMP[1], IN[0]\n  5: MAD OUT[0], TEMP[1], IMM[0].yyyy, IN[0]\n"
                     "  6: END\n"));
        draw_mesh(kit, random_triangles(112, 20));
    });
}

}  // namespace
}  // namespace valkyr::scenes
