"""Blend equations and factors, logic operations, masks, FBFETCH."""
# SPDX-License-Identifier: MIT
from .common import BEHIND, COLOR, DUAL, EQUATIONS, FACTORS, FUNCS, LOGIC, RAINBOW, SOURCE, case, quad, strip, target


def blended(lines: str, fmt: str = "R8G8B8A8_UNORM", size: str = "16x16", shaders: str = COLOR, source=None) -> str:
    """A gradient behind, a gradient turned by 90 degrees blended over it."""
    turned = [BEHIND[i] for i in (1, 3, 0, 2)]
    return (target(size, fmt) + COLOR + strip(turned) + "clear color 0 0 0 0\ndraw 4\n" + shaders +
            "set blend.enable on\n" + lines + quad(source or SOURCE) + "draw 4")


def blend() -> None:
    for equation in EQUATIONS:
        case(f"blend/equation_{equation}", f"Blend equation {equation}",
             blended(f"set blend.rgb {equation} one one\nset blend.alpha {equation} one one\n"))
        case(f"blend/equation_{equation}_float", f"Blend equation {equation} on a float target",
             blended(f"set blend.rgb {equation} src_alpha dst_alpha\nset blend.alpha {equation} one one\n",
                     "R16G16B16A16_FLOAT"))
    color = "set blend.color 0.25 0.75 0.5 0.4\n"
    for factor in FACTORS:
        case(f"blend/src_{factor}", f"Source factor {factor}",
             blended(color + f"set blend.rgb add {factor} zero\nset blend.alpha add {factor} zero\n"))
        if factor != "src_alpha_saturate":
            case(f"blend/dst_{factor}", f"Destination factor {factor}",
                 blended(color + f"set blend.rgb add zero {factor}\nset blend.alpha add zero {factor}\n"))
        case(f"blend/srgb_{factor}", f"Source factor {factor} on an sRGB target",
             blended(color + f"set blend.rgb add {factor} one\nset blend.alpha add {factor} zero\n", "R8G8B8A8_SRGB"))
    dual = """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0].yzwx
  2: END
}
"""
    for factor in DUAL:
        case(f"blend/src_{factor}", f"Dual source: source factor {factor}",
             blended(f"set blend.rgb add {factor} zero\nset blend.alpha add {factor} zero\n", shaders=dual))
        case(f"blend/dst_{factor}", f"Dual source: destination factor {factor}",
             blended(f"set blend.rgb add one {factor}\nset blend.alpha add zero {factor}\n", shaders=dual))
    over = "set blend.rgb add src_alpha inv_src_alpha\nset blend.alpha add one inv_src_alpha\n"
    for fmt in ("R8_UNORM", "R8G8_UNORM", "B8G8R8A8_UNORM", "B8G8R8X8_UNORM", "B5G6R5_UNORM", "B5G5R5A1_UNORM",
                "B4G4R4A4_UNORM", "R10G10B10A2_UNORM", "R16G16B16A16_UNORM", "R8G8B8A8_SNORM", "R11G11B10_FLOAT",
                "R32G32B32A32_FLOAT", "R16_FLOAT", "L8A8_UNORM", "A8_UNORM", "I8_UNORM"):
        case(f"blend/format_{fmt.lower()}", f"Source over destination on {fmt}", blended(over, fmt))
    case("blend/separate_alpha", "Different equations and factors for colour and alpha",
         blended("set blend.rgb reverse_subtract src_color dst_alpha\nset blend.alpha max zero one\n"))
    case("blend/constant_out_of_range", "A blend colour outside 0..1 is limited on normalised targets",
         blended("set blend.color 2 -1 0.5 7\nset blend.rgb add const_color inv_const_color\n"))
    case("blend/source_out_of_range", "Sources outside 0..1 are limited first",
         blended(over, source=[(3, -1, 0.5, 2), (0.5, 2, -2, -1), (1.5, 0.5, 0.5, 0.5), (0, 0, 9, 1)]))
    for mask in ("none", "r", "g", "b", "a", "rg", "rgb", "ba"):
        case(f"blend/mask_{mask}", f"Write mask {mask}", blended(f"set blend.enable off\nset blend.mask {mask}\n"))
    case("blend/mask_blended", "A write mask with blending", blended(over + "set blend.mask gb\n"))
    for op in LOGIC:
        case(f"blend/logic_{op}", f"Logic operation {op}", blended(f"set blend.enable off\nset blend.logic_op {op}\n"))
    case("blend/logic_over_blending", "Logic operations win over blending",
         blended(over + "set blend.logic_op xor\n"))
    case("blend/logic_float", "Logic operations leave float targets alone, without blending",
         blended(over + "set blend.logic_op xor\n", "R16G16B16A16_FLOAT"))
    case("blend/logic_565", "Logic operation xor on B5G6R5", blended("set blend.logic_op xor\n", "B5G6R5_UNORM"))
    mrt = """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL OUT[2], COLOR[2]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0].yzxw
  2: MOV OUT[2], IN[0].zxyw
  3: END
}
"""
    three = "size 16x16\ncolor R8G8B8A8_UNORM\ncolor R8G8B8A8_UNORM\ncolor %s\nclear color 0.5 0.25 0 1\n" + mrt
    show = "draw 4\nshow color0 color1 color2"
    case("blend/targets", "Three targets with one blend state", three % "R8G8B8A8_UNORM" + strip(RAINBOW) +
         "set blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n" + show)
    case("blend/targets_independent", "Three targets with a blend state each",
         three % "R8G8B8A8_UNORM" + strip(RAINBOW) + "set blend.independent on\nset blend.0.mask rb\n"
         "set blend.1.enable on\nset blend.1.rgb max one one\nset blend.2.enable on\nset blend.2.rgb subtract dst_color one\n"
         + show)
    case("blend/targets_dependent", "Without independent blending target 0's state holds for all",
         three % "R8G8B8A8_UNORM" + strip(RAINBOW) + "set blend.0.mask rb\nset blend.1.enable on\n"
         "set blend.1.rgb max one one\n" + show)
    case("blend/targets_formats", "Targets of different formats", three % "R16G16_FLOAT" + strip(RAINBOW) +
         "set blend.enable on\nset blend.rgb add one one\n" + show)
    case("blend/targets_gap", "A gap among the targets",
         three % "R8G8B8A8_UNORM" + "framebuffer color0 none color2\n" + strip(RAINBOW) + show)
    eight = "".join(f"DCL OUT[{i}], COLOR[{i}]\n" for i in range(8))
    moves = "".join(f"  {i}: MUL OUT[{i}], IN[0], IMM[{i // 4}].{'xyzw'[i % 4] * 4}\n" for i in range(8))
    case("blend/targets_eight", "Eight targets",
         "size 16x16\n" + "color R8G8B8A8_UNORM\n" * 8 + "vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\n"
         "DCL IN[0], GENERIC[0], PERSPECTIVE\n" + eight + "IMM[0] FLT32 {1.0, 0.875, 0.75, 0.625}\n"
         "IMM[1] FLT32 {0.5, 0.375, 0.25, 0.125}\n" + moves + "  8: END\n}\n" + strip(RAINBOW) +
         "clear color 0 0 0 1\ndraw 4\nshow " + " ".join(f"color{i}" for i in range(8)))
    case("blend/color0_to_all", "FS_COLOR0_WRITES_ALL_CBUFS",
         "size 16x16\ncolor R8G8B8A8_UNORM\ncolor R8G8B8A8_UNORM\nvertex_shader shaders/color.vert.tgsi\nfragment_shader {\n"
         "FRAG\nPROPERTY FS_COLOR0_WRITES_ALL_CBUFS 1\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\n"
         "  0: MOV OUT[0], IN[0]\n  1: END\n}\n" + strip(RAINBOW) + "clear color 0 0 0 1\ndraw 4\nshow color0 color1")
    for func in FUNCS:
        case(f"blend/alpha_test_{func}", f"Alpha test {func} 0.5",
             target() + COLOR + strip(RAINBOW) + f"set alpha.test on\nset alpha.func {func}\nset alpha.reference 0.5\n"
             "clear color 0 0 0.3 1\ndraw 4\n" + quad([(1, 1, 1, 0.5)] * 4, x0=-0.3, x1=0.3, y0=-0.3, y1=0.3) + "draw 4")
