"""Depth and stencil tests."""
# SPDX-License-Identifier: MIT
from .common import BEHIND, COLOR, FUNCS, RAINBOW, RING, STENCIL_OPS, case, colored, quad, strip, target, vertices
from .rasterizer import MIRRORED

DEPTH = ["D16_UNORM", "D24_UNORM_S8_UINT", "D32_FLOAT", "D32_FLOAT_S8X24_UINT", "D24_UNORM_X8_UINT",
         "S8_UINT_D24_UNORM", "X8_UINT_D24_UNORM"]


def depth() -> None:
    for func in FUNCS:
        case(f"depth/func_{func}", f"Depth function {func}: a sloped quad against a level one, then against itself",
             target(depth="D24_UNORM_S8_UINT") + COLOR + "set depth.test on\nset depth.write on\nset depth.func always\n" +
             strip(BEHIND, z=0.25) + "clear color 0 0 0 1\nclear depth 1\ndraw 4\n" + f"set depth.func {func}\n" +
             quad(RAINBOW, z=[-0.5, 0.9, -0.25, 1.0]) + "draw 4\n" + quad([(1, 1, 1, 1)] * 4, z=0.25, x0=-0.5, x1=0.5) +
             "draw 4\nshow color0 depth")
    for fmt in DEPTH:
        case(f"depth/format_{fmt.lower()}", f"Depth in {fmt}",
             target("16x16", depth=fmt) + COLOR + "set depth.test on\nset depth.write on\n" +
             strip(RAINBOW, z=[-1, 0.9, -0.3, 0.4]) + "clear color 0 0 0 1\nclear depth 0.75\ndraw 4\n" +
             quad(BEHIND, z=[0.9, -1, 0.2, 0.1]) + "draw 4\nshow color0 depth")
    case("depth/write_off", "The depth test without writing",
         target(depth="D16_UNORM") + COLOR + "set depth.test on\n" + strip(RAINBOW, z=0.5) +
         "clear color 0 0 0 1\nclear depth 1\ndraw 4\n" + quad(BEHIND, z=[0.9, -1, 0.2, 0.1]) + "draw 4\nshow color0 depth")
    case("depth/write_without_test", "Without the depth test nothing is written",
         target(depth="D16_UNORM") + COLOR + "set depth.write on\n" + strip(RAINBOW, z=[-1, 0.9, -0.3, 0.4]) +
         "clear color 0 0 0 1\nclear depth 0.5\ndraw 4\nshow color0 depth")
    case("depth/no_buffer", "Without a depth buffer the test passes",
         target() + COLOR + "set depth.test on\nset depth.write on\nset depth.func never\n" + strip(RAINBOW) +
         "clear color 0 0 0 1\ndraw 4")
    case("depth/no_fragment_shader", "Depth alone, without a fragment shader or colours",
         "size 32x32\ndepth D16_UNORM\nvertex_shader shaders/color.vert.tgsi\nfragment_shader none\n"
         "set depth.test on\nset depth.write on\n" + strip(RAINBOW, z=[-1, 0.9, -0.3, 0.4]) +
         "clear depth 0.75\ndraw 4\nshow depth")


STENCIL_START = (target("24x24", depth="D24_UNORM_S8_UINT") + COLOR + "clear color 0 0 0 1\nclear depth 1\nclear stencil 0\n"
                 "set stencil.enable on\nset stencil.pass replace\nset stencil.reference 3\n" +
                 strip(BEHIND, x0=-0.75, x1=0.25, y0=-0.75) + "draw 4\nset stencil.reference 255\n" +
                 quad(BEHIND, x0=0.5, y0=-0.5) + "draw 4\n")


def stencil() -> None:
    for func in FUNCS:
        case(f"stencil/func_{func}", f"Stencil function {func} with 3 against 0, 3 and 255",
             STENCIL_START + f"set stencil.reference 3\nset stencil.func {func}\nset stencil.pass keep\n" + quad(RAINBOW) +
             "draw 4\nshow color0 depth")
    depth_test = "set depth.test on\nset depth.write on\nset depth.func less\n"
    for op in STENCIL_OPS:
        case(f"stencil/pass_{op}", f"Stencil operation {op} where all tests pass",
             STENCIL_START + f"set stencil.reference 77\nset stencil.pass {op}\n" + quad(RAINBOW, y1=0.5) + "draw 4\nshow depth")
        case(f"stencil/fail_{op}", f"Stencil operation {op} where the stencil test fails",
             STENCIL_START + f"set stencil.reference 77\nset stencil.func never\nset stencil.fail {op}\n" +
             quad(RAINBOW, y1=0.5) + "draw 4\nshow depth")
        case(f"stencil/depth_fail_{op}", f"Stencil operation {op} where the depth test fails",
             STENCIL_START + depth_test + f"set stencil.reference 77\nset stencil.pass keep\nset stencil.depth_fail {op}\n"
             "clear depth 0.5\n" + quad(RAINBOW, y1=0.5, z=[-1, 1, -0.5, 1]) + "draw 4\nshow depth")
    for mask in (0, 15, 170):
        case(f"stencil/write_mask_{mask}", f"Stencil write mask {mask:#x}",
             STENCIL_START + f"set stencil.write_mask {mask}\nset stencil.pass invert\n" + quad(RAINBOW) + "draw 4\nshow depth")
        case(f"stencil/read_mask_{mask}", f"Stencil read mask {mask:#x}",
             STENCIL_START + f"set stencil.read_mask {mask}\nset stencil.reference 171\nset stencil.func equal\n"
             "set stencil.pass keep\n" + quad(RAINBOW) + "draw 4\nshow color0")
    two = (target("24x24", depth="D24_UNORM_S8_UINT") + COLOR + vertices(MIRRORED) +
           "clear color 0.1 0.1 0.1 1\nclear stencil 16\nset stencil.enable on\nset stencil.pass increment_wrap\n")
    case("stencil/two_sided", "Back faces with their own operation and reference",
         two + "set stencil.back.enable on\nset stencil.back.func less\nset stencil.back.pass replace\n"
         "set stencil.reference 1 9\ndraw 6\nshow color0 depth")
    case("stencil/back_off", "Back faces use the front state if theirs is off", two + "draw 6\nshow color0 depth")
    for fmt in ("S8_UINT", "D32_FLOAT_S8X24_UINT", "S8_UINT_D24_UNORM"):
        case(f"stencil/format_{fmt.lower()}", f"Stencil in {fmt}",
             target("24x24", depth=fmt) + COLOR + "clear color 0 0 0 1\nclear stencil 5\nset stencil.enable on\n"
             "set stencil.pass increment_clamp\n" + strip(RAINBOW, x1=0.3) + "draw 4\n" + quad(BEHIND, y0=0) +
             "set stencil.func equal\nset stencil.reference 6\ndraw 4\nshow color0 depth")
    case("stencil/outline", "An outline: what is drawn larger where the stencil was not set",
         target(depth="D24_UNORM_S8_UINT") + COLOR + "clear color 0 0 0.2 1\nclear stencil 0\nset stencil.enable on\n"
         "set stencil.pass replace\nset stencil.reference 1\n" + vertices(colored(RING)) +
         "set primitive polygon\nset viewport 4 4 24 24\ndraw 8\nset stencil.func not_equal\nset stencil.pass keep\n"
         "set viewport 2 2 28 28\n" + vertices([(x, y, 0, 1, 1, 1, 1, 1) for x, y in RING]) + "draw 8")
