"""Layered targets, viewport arrays, surfaces in other formats, what a draw knows of itself."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, ZIGZAG, case, colored, number, strip, target, vertices

CHOOSING = """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL IN[2]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], LAYER
DCL OUT[3], VIEWPORT_INDEX
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: F2U OUT[2].x, IN[2].xxxx
  3: F2U OUT[3].x, IN[2].yyyy
  4: END
}
fragment_shader shaders/color.frag.tgsi
"""
SHOWING = """fragment_shader {
FRAG
DCL IN[0], LAYER, CONSTANT
DCL IN[1], VIEWPORT_INDEX, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.125, 0.0625, 0.5, 1.0}
  0: U2F TEMP[0].x, IN[0].xxxx
  1: U2F TEMP[0].y, IN[1].xxxx
  2: MUL OUT[0].xy, TEMP[0].xyyy, IMM[0].xyyy
  3: MOV OUT[0].zw, IMM[0].zwww
  4: END
}
"""


def rows(choices):
    """A triangle a choice of (layer, viewport), each a bit further to the right."""
    list_ = []
    for i, (layer, viewport) in enumerate(choices):
        for k, (x, y) in enumerate(((-1, -1), (1, -0.9), (-0.8, 1))):
            list_.append((x + 0.03 * i, y, 0, 1, *RAINBOW[(i + k) % 4][:3], 1, layer, viewport))
    return vertices(list_, (4, 4, 2)) + "clear color 0.1 0.1 0.1 1\n"


def layers() -> None:
    kinds = {"2d_array": ("16x16", "layers=4"), "cube": ("16x16", ""), "3d": ("16x16x4", ""), "1d_array": ("24x1", "layers=4")}
    for kind, (size, more) in kinds.items():
        case(f"layer/{kind}", f"Vertices choose layers of a {kind} target; numbers beyond the last mean the last",
             "size 16x16\n" + f"texture slices {kind} R8G8B8A8_UNORM {size} target {more}".rstrip() + "\nframebuffer slices:0:1+3\n" +
             CHOOSING + rows([(0, 0), (2, 0), (1, 0), (9, 0)]) + "draw 12\nshow slices:0:0 slices:0:1 slices:0:2 slices:0:3")
    case("layer/depth", "Each layer has depths of its own",
         "size 16x16\ntexture slices 2d_array R8G8B8A8_UNORM 16x16 target layers=2\n"
         "texture depths 2d_array D16_UNORM 16x16 target layers=2\nframebuffer slices+2 depth=depths+2\n"
         "set depth.test on\nset depth.write on\n" + CHOOSING + rows([(0, 0), (1, 0), (0, 0), (0, 0)]) +
         "clear depth 0.75\ndraw 12\nshow slices:0:0 slices:0:1 depths:0:0 depths:0:1")
    case("layer/instances", "Instances go to layers, seen by the fragment shader",
         "size 16x16\ntexture slices 2d_array R8G8B8A8_UNORM 16x16 target layers=5\nframebuffer slices+5\n" +
         CHOOSING.replace("DCL IN[2]\n", "DCL SV[0], INSTANCEID\n").replace("F2U OUT[2].x, IN[2].xxxx", "MOV OUT[2].x, SV[0].xxxx")
         .replace("F2U OUT[3].x, IN[2].yyyy", "MOV OUT[3].x, SV[0].yyyy").replace("fragment_shader shaders/color.frag.tgsi\n", SHOWING) +
         vertices(colored(ZIGZAG[:4])) + "set primitive triangle_strip\nclear color 0.1 0.1 0.1 1\ndraw 4 instances=5\n"
         "show slices:0:0 slices:0:1 slices:0:2 slices:0:3 slices:0:4")
    case("layer/provoking_first", "The first vertex chooses with flat shading by the first",
         "size 16x16\ntexture slices 2d_array R8G8B8A8_UNORM 16x16 target layers=3\nframebuffer slices+3\n" + CHOOSING +
         vertices([(*place, 0, 1, *RAINBOW[i % 4][:3], 1, i % 3, 0) for i, place in enumerate(ZIGZAG)], (4, 4, 2)) +
         "set primitive triangle_strip\nset raster.flat_shade_first on\nclear color 0.1 0.1 0.1 1\ndraw 8\n"
         "show slices:0:0 slices:0:1 slices:0:2")


def viewports() -> None:
    sixteen = "".join(f"viewport_at {i} {number(8.5 * (i % 4))} {number(7.75 * (i // 4))} 9 {7 + i % 3} {number(i / 32)} 1\n"
                      for i in range(16))
    draw = CHOOSING.replace("fragment_shader shaders/color.frag.tgsi\n", SHOWING) + rows([(0, i) for i in range(16)]) + "draw 48"
    case("layer/viewports_16", "Sixteen viewports, one a triangle", target("36x36") + sixteen + draw)
    case("layer/viewports_16_scissored", "Sixteen viewports with a scissor each",
         target("36x36") + sixteen + "".join(f"scissor_at {i} {9 * (i % 4)} {8 * (i // 4)} {9 * (i % 4) + 3 + i % 5} {8 * (i // 4) + 6}\n"
                                             for i in range(16)) + draw)
    case("layer/viewports_depth", "The depth range of each viewport",
         target("36x36", depth="D32_FLOAT") + sixteen + "set depth.test on\nset depth.write on\nset depth.func always\nclear depth 1\n" +
         draw + "\nshow color0 depth")
    case("layer/viewport_beyond", "A viewport number beyond the array means the first",
         target("36x36") + "viewport_at 0 2 2 12 12\nviewport_at 1 20 3 14 14\nviewport_at 2 6 20 20 14\n" + CHOOSING +
         rows([(0, 1), (0, 2), (0, 3), (0, 65535)]) + "draw 12")
    case("layer/viewport_guard_band", "Triangles much larger than their viewports stay inside them",
         target("36x36") + "viewport_at 0 2 2 12 12\nviewport_at 1 20 3 14 30\n" + CHOOSING +
         vertices([(x * 5, y * 5, 0, 1, *RAINBOW[i % 4][:3], 1, 0, i // 3) for i, (x, y) in enumerate(ZIGZAG[:6])], (4, 4, 2)) +
         "clear color 0.1 0.1 0.1 1\ndraw 6")


def surfaces() -> None:
    source = "set blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n"
    for own, drawn in (("R8G8B8A8_UNORM", "R8G8B8A8_SRGB"), ("R8G8B8A8_SRGB", "R8G8B8A8_UNORM"), ("B8G8R8A8_SRGB", "B8G8R8A8_UNORM"),
                       ("R32_FLOAT", "R8G8B8A8_UNORM"), ("R16G16_SNORM", "R10G10B10A2_UNORM"), ("R8G8B8A8_UNORM", "R11G11B10_FLOAT"),
                       ("R16G16B16A16_FLOAT", "R16G16B16A16_UNORM"), ("R8_UNORM", "A8_UNORM")):
        case(f"target/view_{own.lower()}_as_{drawn.lower()}", f"A target of {own} texels drawn to as {drawn}",
             target("24x24", own) + f"framebuffer color0@{drawn}\n" + COLOR + "clear color 0.1 0.2 0.3 1\n" + strip(RAINBOW, x1=0.4) +
             "draw 4\n" + source + strip(RAINBOW, x0=-0.3, y0=-0.5, y1=0.6) + "draw 4\nshow color0")
    case("target/srgb_write_control", "FRAMEBUFFER_SRGB switched between draws",
         target("24x24", "R8G8B8A8_SRGB") + COLOR + "clear color 0 0 0 1\n" + strip(RAINBOW, x1=-0.4) + "draw 4\n"
         "framebuffer color0@R8G8B8A8_UNORM\n" + strip(RAINBOW, x0=-0.4, x1=0.4) + "draw 4\nframebuffer color0\n" +
         strip(RAINBOW, x0=0.4) + "draw 4")


def fetches() -> None:
    code = """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL TEMP[0..1]
IMM[0] FLT32 {0.75, 0.25, 1.0, 0.5}
  0: FBFETCH TEMP[0], OUT[0]
  1: MUL TEMP[1], TEMP[0].zxyw, IMM[0].xxxx
  2: MAD OUT[0], IN[0], IMM[0].yyyy, TEMP[1]
  3: END
}
"""
    for fmt in ("R8G8B8A8_UNORM", "B8G8R8A8_SRGB", "R10G10B10A2_UNORM", "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT", "R8_UNORM"):
        case(f"blend/fbfetch_{fmt.lower()}", f"FBFETCH from {fmt}",
             target("24x24", fmt) + COLOR + "clear color 0.9 0.4 0.2 1\n" + strip(RAINBOW, x1=0.2) + "draw 4\n" + code +
             strip(RAINBOW, y0=-0.4, x0=-0.7) + "draw 4\ndraw 4")
    case("primitive/drawid", "System value DRAWID",
         target() + """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], DRAWID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL TEMP[0]
IMM[0] FLT32 {0.25, 0.0, -0.75, 0.125}
  0: U2F TEMP[0].x, SV[0].xxxx
  1: MAD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx, IN[0].xxxx
  2: MAD OUT[0].y, TEMP[0].xxxx, IMM[0].wwww, IN[0].yyyy
  3: MOV OUT[0].zw, IN[0].zwww
  4: MAD OUT[1], TEMP[0].xxxx, -IMM[0].xxxx, IN[1]
  5: END
}
fragment_shader shaders/color.frag.tgsi
""" + vertices([(-0.9, -0.8, 0, 1, 1, 1, 0, 1), (-0.6, -0.8, 0, 1, 1, 0.5, 1, 1), (-0.8, -0.4, 0, 1, 0.5, 1, 1, 1)]) +
         "clear color 0 0 0.2 1\ndraw 3 draw_id=1\ndraw 3\ndraw 3 draw_id=5")


def layered() -> None:
    layers()
    viewports()
    surfaces()
    fetches()
