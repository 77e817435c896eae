"""Formats of colour targets, several targets."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, case, strip, target, vertices

NUMBERS = ["R8_UNORM", "R8G8_UNORM", "R8G8B8X8_UNORM", "B8G8R8A8_UNORM", "A8R8G8B8_UNORM", "A8B8G8R8_UNORM",
           "R8_SNORM", "R8G8B8A8_SNORM", "R8G8B8A8_SRGB", "B8G8R8A8_SRGB", "R16_UNORM", "R16G16_UNORM",
           "R16G16B16A16_UNORM", "R16G16_SNORM", "R16G16B16A16_SNORM", "R16_FLOAT", "R16G16_FLOAT",
           "R16G16B16A16_FLOAT", "R32_FLOAT", "R32G32_FLOAT", "R32G32B32A32_FLOAT", "B5G6R5_UNORM", "R5G6B5_UNORM",
           "B5G5R5A1_UNORM", "B4G4R4A4_UNORM", "R10G10B10A2_UNORM", "B10G10R10A2_UNORM", "R11G11B10_FLOAT",
           "L8_UNORM", "A8_UNORM", "I8_UNORM", "L8A8_UNORM", "L16_UNORM", "R3G3B2_UNORM"]
INTEGERS = ["R8_UINT", "R8_SINT", "R8G8_UINT", "R8G8B8A8_UINT", "R8G8B8A8_SINT", "R16_UINT", "R16G16_SINT",
            "R16G16B16A16_UINT", "R16G16B16A16_SINT", "R32_UINT", "R32G32_UINT", "R32G32B32A32_UINT",
            "R32G32B32A32_SINT", "R10G10B10A2_UINT"]
WIDE = [(-0.5, 0, 2, 1), (1, 0.5, -2, 0), (0.25, 1.5, 0.001, 0.5), (100, -100, 0.75, 1.25)]
INTEGER_SHADER = """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
IMM[0] FLT32 {1000.0, 100000.0, 200.0, 0.0}
DCL TEMP[0]
  0: MUL TEMP[0], IN[0], IMM[0].xyzz
  1: F2I OUT[0], TEMP[0]
  2: END
}
"""


def targets() -> None:
    for fmt in NUMBERS:
        case(f"target/{fmt.lower()}", f"Colours of all sorts written to {fmt}",
             target("16x16", fmt) + COLOR + "clear color 0.2 0.4 0.6 0.8\n" + strip(WIDE, x0=-0.75, y0=-0.875) + "draw 4")
    for fmt in INTEGERS:
        case(f"target/{fmt.lower()}", f"Integers written to {fmt}",
             target("16x16", fmt) + INTEGER_SHADER + "clear color 1 2 3 4\n" + strip(WIDE, x0=-0.75, y0=-0.875) + "draw 4")
    for fmt, mask in (("R8G8B8A8_UINT", "rb"), ("R32G32B32A32_SINT", "g"), ("B5G6R5_UNORM", "g"),
                      ("R16G16B16A16_FLOAT", "ra"), ("R10G10B10A2_UNORM", "ba")):
        case(f"target/mask_{fmt.lower()}", f"Write mask {mask} on {fmt}",
             target("16x16", fmt) + (INTEGER_SHADER if "INT" in fmt else COLOR) + "clear color 1 2 3 4\n" +
             f"set blend.mask {mask}\n" + strip(WIDE, x0=-0.75, y0=-0.875) + "draw 4")
    case("target/clear_rect", "Clears of rectangles",
         target(depth="D24_UNORM_S8_UINT") + "clear color 0 0 0.3 1\nclear depth 1\nclear stencil 0\n"
         "clear color 1 0 0 1 rect 3 5 17 20\nclear depth 0.25 rect 10 -4 40 9\nclear stencil 200 rect 0 0 7 7\n"
         "clear color0 0 1 0 0.5 rect 16 16 17 17\nshow color0 depth")
    case("target/clear_one_of_two", "Clears of one target",
         "size 16x16\ncolor R8G8B8A8_UNORM\ncolor R8G8B8A8_UNORM\nclear color 0 0 0.3 1\nclear color1 1 0.5 0 1\n"
         "show color0 color1")
    case("target/clear_limits", "Clear values are limited to the format's range",
         target(depth="D16_UNORM") + "clear color 2 -1 0.5 9\nclear depth 3\nshow color0 depth")
    case("target/mip_level", "Drawing to a level of a texture",
         "texture t 2d R8G8B8A8_UNORM 32x32 target levels=3\nfill t * solid 0 0 0.4 1\nframebuffer t:1\n"
         "set viewport 0 0 16 16\n" + COLOR + strip(RAINBOW, x0=-0.8, y0=-0.5) + "draw 4\nshow t:0 t:1 t:2")
    case("target/layer", "Drawing to a layer of an array",
         "texture t 2d_array R8G8B8A8_UNORM 16x16 target layers=3\nfill t * solid 0 0 0.4 1\nframebuffer t:0:2\n"
         "set viewport 0 0 16 16\n" + COLOR + strip(RAINBOW, x0=-0.8, y0=-0.5) + "draw 4\nshow t:0:0 t:0:1 t:0:2")
    case("target/cube_face", "Drawing to a face of a cube map",
         "texture t cube R8G8B8A8_UNORM 16x16 target\nfill t * solid 0 0 0.4 1\nframebuffer t:0:4\n"
         "set viewport 0 0 16 16\n" + COLOR + strip(RAINBOW, x0=-0.8, y0=-0.5) + "draw 4\nshow t:0:3 t:0:4 t:0:5")
    case("target/smallest_size", "Attachments of different sizes draw to what they share",
         "texture a 2d R8G8B8A8_UNORM 32x16 target\ntexture b 2d R8G8B8A8_UNORM 20x32 target\nfill a 0 solid 0 0 0.4 1\n"
         "fill b 0 solid 0 0.4 0 1\nframebuffer a b\nset viewport 0 0 32 32\nvertex_shader shaders/color.vert.tgsi\n"
         "fragment_shader {\nFRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\n"
         "DCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n}\n" + strip(RAINBOW) + "draw 4\nshow a b")
    for size in ("1x1", "5x3", "63x64", "64x1"):
        case(f"target/size_{size}", f"A target of {size}", target(size) + COLOR + "clear color 0 0 0.3 1\n" +
             vertices([(-1, -1, 0, 1, 1, 0, 0, 1), (1, -0.9, 0, 1, 0, 1, 0, 1), (-0.8, 1, 0, 1, 0, 0, 1, 1)]) + "draw 3")
