"""Inputs and outputs of fragment shaders besides colours."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, case, quad, strip, target, vertices
from .rasterizer import MIRRORED
from .multisampling import MS_COLOR, sampled_frag
from .textures import coords


def fragment() -> None:
    def frag(declarations: str, code: str) -> str:
        return sampled_frag(declarations, code)
    skewed = vertices([(-0.9, -0.9, 0.1, 1, 1, 0, 0, 1), (3, -2, 0.9, 3, 0, 1, 0, 1), (-0.5, 1.8, -0.3, 2, 0, 0, 1, 1)])
    base = target(depth="D32_FLOAT") + "clear color 0 0 0.2 1\nclear depth 1\nset depth.test on\nset depth.write on\n"
    for mode in ("PERSPECTIVE", "LINEAR", "CONSTANT"):
        case(f"fragment/{mode.lower()}", f"Interpolation {mode}",
             base + frag(f"DCL IN[0], GENERIC[0], {mode}\n", "  0: MOV OUT[0], IN[0]\n  1: END\n") + skewed + "draw 3")
    case("fragment/nan_bits_of_vertices", "The bits of NaNs that vertices compute, flat, in an integer target",
         target("8x8", "R32G32B32A32_UINT") + "clear color 0 0 0 0\n" + "vertex_shader {\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL OUT[0], POSITION\n"
         "DCL OUT[1], GENERIC[0]\nDCL TEMP[0]\nIMM[0] FLT32 {-1e30, 1e30, 0.0, 0.0}\n  0: MOV OUT[0], IN[0]\n  1: MUL TEMP[0], IN[1], IMM[0].xyxy\n"
         "  2: MUL TEMP[0], TEMP[0], IMM[0].xxyy\n  3: MUL OUT[1], TEMP[0], IMM[0].zzzz\n  4: END\n}\n" +
         "fragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], CONSTANT\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n}\n" +
         vertices([(-1, -1, 0, 1, 1, 2, 3, 4), (3, -1, 0, 1, 5, 6, 7, 8), (-1, 3, 0, 1, -1e20, 1e20, 1e20, 0)]) + "draw 3")
    for origin in ("UPPER_LEFT", "LOWER_LEFT"):
        for center in ("HALF_INTEGER", "INTEGER"):
            case(f"fragment/position_{origin.lower()}_{center.lower()}", f"POSITION, origin {origin}, centres {center}",
                 base + frag(f"PROPERTY FS_COORD_ORIGIN {origin}\nPROPERTY FS_COORD_PIXEL_CENTER {center}\n"
                             "DCL IN[0], POSITION, LINEAR\nIMM[0] FLT32 {0.03125, 0.03125, 1.0, 0.5}\n",
                             "  0: MUL OUT[0], IN[0], IMM[0]\n  1: END\n") + skewed + "draw 3")
    case("fragment/face", "FACE, with both facings",
         target() + frag("DCL IN[0], FACE, CONSTANT\nIMM[0] FLT32 {1.0, 0.0, 0.5, 0.0}\n",
                         "  0: CMP OUT[0], IN[0].xxxx, IMM[0].xyzx, IMM[0].yxzx\n  1: END\n") + vertices(MIRRORED) +
         "clear color 0 0 0.2 1\ndraw 6")
    case("fragment/depth_out", "The output POSITION.z: a sphere that writes its depth",
         base + frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].z, POSITION\nDCL TEMP[0]\n",
                     "  0: DP2 TEMP[0].x, IN[0], IN[0]\n  1: MOV OUT[1].z, TEMP[0].xxxx\n  2: MOV OUT[0], TEMP[0].xxxx\n  3: END\n")
         + strip([(-1, -1, 0, 1), (1, -1, 0, 1), (-1, 1, 0, 1), (1, 1, 0, 1)]) + "draw 4\n" + COLOR + quad(RAINBOW, z=-0.2) +
         "draw 4\nshow color0 depth")
    case("fragment/depth_out_limits", "Depth outputs outside 0..1 are limited",
         base + frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].z, POSITION\n",
                     "  0: MOV OUT[1].z, IN[0].xxxx\n  1: MOV OUT[0], IN[0]\n  2: END\n") + "set depth.func always\n" +
         coords(-1, 2) + "draw 4\nshow depth")
    case("fragment/stencil_out", "The output STENCIL",
         target(depth="D24_UNORM_S8_UINT") + "clear color 0 0 0.2 1\nclear stencil 0\nset stencil.enable on\nset stencil.pass replace\n" +
         frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].y, STENCIL\nDCL TEMP[0]\n",
              "  0: F2U TEMP[0].x, IN[0].xxxx\n  1: MOV OUT[1].y, TEMP[0].xxxx\n  2: MOV OUT[0], IN[0]\n  3: END\n") +
         coords(0, 255) + "draw 4\nshow depth")
    case("fragment/early_tests", "FS_EARLY_DEPTH_STENCIL: discarded fragments leave their depth",
         base + frag("PROPERTY FS_EARLY_DEPTH_STENCIL 1\nDCL IN[0], GENERIC[0], LINEAR\nIMM[0] FLT32 {0.5, 0.0, 0.0, 0.0}\n"
                     "DCL TEMP[0]\n",
                     "  0: ADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\n  1: KILL_IF TEMP[0].xxxx\n  2: MOV OUT[0], IN[0]\n  3: END\n")
         + coords(0, 1) + "draw 4\nshow color0 depth")
    kill = "DCL IN[0], GENERIC[0], LINEAR\nIMM[0] FLT32 {0.5, 0.0, 0.0, 0.0}\nDCL TEMP[0]\n"
    case("fragment/kill_if", "KILL_IF: discarded fragments leave nothing",
         base + frag(kill, "  0: ADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\n  1: KILL_IF TEMP[0].xxxx\n  2: MOV OUT[0], IN[0]\n  3: END\n")
         + coords(0, 1) + "draw 4\nshow color0 depth")
    case("fragment/kill", "KILL in a branch",
         base + frag(kill, "  0: FSLT TEMP[0].x, IN[0].yyyy, IN[0].xxxx\n  1: UIF TEMP[0].xxxx\n  2:   KILL\n  3: ENDIF\n"
                     "  4: MOV OUT[0], IN[0]\n  5: END\n") + coords(0, 1) + "draw 4\nshow color0 depth")
    case("fragment/demote", "DEMOTE and READ_HELPER",
         base + frag(kill, "  0: FSLT TEMP[0].x, IN[0].yyyy, IN[0].xxxx\n  1: UIF TEMP[0].xxxx\n  2:   DEMOTE\n  3: ENDIF\n"
                     "  4: READ_HELPER TEMP[0].x\n  5: UCMP OUT[0], TEMP[0].xxxx, IMM[0].xxxx, IN[0]\n  6: END\n") +
         coords(0, 1) + "draw 4\nshow color0 depth")
    case("fragment/derivatives_in_killed_quads", "Derivatives beside discarded pixels",
         target() + frag(kill + "IMM[1] FLT32 {8.0, 0.0, 0.0, 1.0}\n",
                         "  0: ADD TEMP[0].x, IN[0].xxxx, -IMM[0].xxxx\n  1: KILL_IF TEMP[0].xxxx\n"
                         "  2: MUL TEMP[0], IN[0], IN[0].yxxx\n  3: DDX OUT[0].x, TEMP[0].xxxx\n  4: DDY OUT[0].y, TEMP[0].xxxx\n"
                         "  5: MOV OUT[0].zw, IMM[1].yyyw\n  6: END\n") + coords(0, 9) + "draw 4")
    for name, code, declarations in (
            ("interp_centroid", "INTERP_CENTROID OUT[0], IN[0]", ""),
            ("interp_sample", "INTERP_SAMPLE OUT[0], IN[0], IMM[0].xxxx", "IMM[0] INT32 {2, 0, 0, 0}\n"),
            ("interp_offset", "INTERP_OFFSET OUT[0], IN[0], IMM[0]", "IMM[0] FLT32 {0.4, -0.3, 0.0, 0.0}\n")):
        case(f"fragment/{name}", f"{name.upper()}",
             target("24x24", samples=4) + MS_COLOR + "clear color 0 0 0.2 1\n" +
             frag("DCL IN[0], GENERIC[0], PERSPECTIVE\n" + declarations, f"  0: {code}\n  1: END\n") +
             vertices([(-0.9, -0.8, 0, 1, 9, 0, -8, 1), (1.8, -1, 0, 2, -8, 9, 0, 1), (-0.1, 0.9, 0, 1, 0, -8, 9, 1)]) + "draw 3")
    case("fragment/unwritten_varying", "A varying that no vertex shader writes reads 0",
         target("8x8") + frag("DCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], GENERIC[5], LINEAR\n", "  0: ADD OUT[0], IN[0], IN[1]\n  1: END\n") +
         coords(0, 1) + "draw 4")
    case("fragment/constant_buffers", "Constant buffers, indexed by a register",
         target("16x16") + frag("DCL IN[0], GENERIC[0], LINEAR\nDCL CONST[0][0..3]\nDCL CONST[1][0..1]\nDCL ADDR[0]\nDCL TEMP[0]\n",
                                "  0: ARL ADDR[0].x, IN[0].xxxx\n  1: MOV TEMP[0], CONST[0][ADDR[0].x]\n"
                                "  2: MUL OUT[0], TEMP[0], CONST[1][1]\n  3: END\n") +
         "constants f32 {\n  1 0 0 1  0 1 0 1  0 0 1 1  1 1 1 1\n}\nconstants 1 f32 {\n  0 0 0 0  1 0.5 0.75 1\n}\n" +
         coords(-1, 6) + "draw 4")
