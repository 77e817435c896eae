"""Stipple of lines and polygons, smooth points and lines."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, RING, ZIGZAG, case, colored, strip, target, vertices
from .primitives import PRIMITIVES

OVER = "set blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n"
CHECKS = "polygon_stipple {\n" + "\n".join("  " + ("0xAAAAAAAA" if y % 2 else "0x55555555") for y in range(32)) + "\n}\n"
NOISE = "polygon_stipple {\n" + "\n".join(f"  {(y * 2654435761 + 12345) * 40503 % 2 ** 32:#010x}" for y in range(32)) + "\n}\n"


def lines() -> None:
    for kind in ("lines", "line_strip", "line_loop", "lines_adjacency", "line_strip_adjacency"):
        points = PRIMITIVES[kind]
        for name, pattern in (("dash", "0x00FF"), ("dots", "0x5555"), ("mixed", "0x3F27 2")):
            case(f"stipple/{kind}_{name}", f"Stippled {kind}, pattern and factor {pattern}",
                 target() + COLOR + vertices(colored(points)) +
                 f"set primitive {kind}\nset raster.line_stipple {pattern}\nclear color 0 0 0.2 1\ndraw {len(points)}")
    strips = target() + COLOR + vertices(colored(ZIGZAG)) + "set primitive line_strip\nclear color 0 0 0.2 1\n"
    for width in (2, 3, 7):
        case(f"stipple/width_{width}", f"Stippled lines of width {width}",
             strips + f"set raster.line_width {width}\nset raster.line_stipple 0x0F3 3\ndraw 8")
    case("stipple/factor_256", "The greatest factor", strips + "set raster.line_stipple 0x5555 256\ndraw 8")
    case("stipple/bottom_edge_rule", "Stippled lines with the bottom edge rule",
         strips + "set raster.bottom_edge_rule on\nset raster.line_stipple 0x1357\ndraw 8")
    case("stipple/last_pixel", "Stippled lines with their last pixels",
         strips + "set raster.line_last_pixel on\nset raster.line_stipple 0x1357\ndraw 8")
    case("stipple/scissor", "Pixels that the scissor takes away are counted",
         strips + "set raster.scissor 9 9 23 23\nset raster.line_stipple 0x0F0F\ndraw 8")
    case("stipple/restart", "A restart index begins the pattern again",
         target() + COLOR + vertices(colored(RING)) + "indices u16 {\n  0 1 2 3 65535 4 5 65535 5 6 7 0\n}\n"
         "set primitive line_strip\nset raster.line_stipple 0x00FF\nclear color 0 0 0.2 1\ndraw 12 restart=65535")
    for kind in ("triangles", "quads", "polygon", "triangle_strip"):
        points = PRIMITIVES[kind]
        case(f"stipple/outline_{kind}", f"Stippled outlines of {kind}",
             target() + COLOR + vertices(colored(points)) +
             f"set primitive {kind}\nset raster.fill line\nset raster.line_stipple 0x03FF\nclear color 0 0 0.2 1\ndraw {len(points)}")
    for width in (1, 4):
        case(f"stipple/multisampled_{width}", f"Stippled multisampled lines of width {width}",
             target(samples=4) + COLOR + vertices(colored(ZIGZAG)) + "set raster.multisample on\nset primitive line_strip\n"
             f"set raster.line_width {width}\nset raster.line_stipple 0x0F3 2\nclear color 0 0 0.2 1\ndraw 8")
        case(f"stipple/smooth_{width}", f"Stippled smooth lines of width {width}",
             strips + OVER + f"set raster.line_smooth on\nset raster.line_width {width}\nset raster.line_stipple 0x0F3 2\ndraw 8")


def polygons() -> None:
    for name, pattern in (("checks", CHECKS), ("noise", NOISE)):
        for kind in ("triangles", "quads", "polygon"):
            points = PRIMITIVES[kind]
            case(f"stipple/{kind}_{name}", f"Stippled {kind}, {name}",
                 target("40x40") + COLOR + vertices(colored(points)) + pattern +
                 f"set primitive {kind}\nclear color 0 0 0.2 1\ndraw {len(points)}")
    case("stipple/polygon_whole", "A stippled rectangle over what was drawn before it",
         target("40x40") + COLOR + "clear color 0 0 0.2 1\n" + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\ndraw 8\n" +
         NOISE + strip(RAINBOW) + "draw 4")
    case("stipple/polygon_depth", "Holes of the pattern leave depth alone",
         target(depth="D16_UNORM") + COLOR + "set depth.test on\nset depth.write on\nclear color 0 0 0.2 1\nclear depth 1\n" + NOISE +
         strip(RAINBOW, z=0.1) + "draw 4\nset raster.polygon_stipple off\n" + strip(RAINBOW[::-1], z=0.5) + "draw 4\nshow color0 depth")
    case("stipple/polygon_multisampled", "Stipple takes away whole pixels of multisampled polygons",
         target(samples=4) + COLOR + vertices(colored(PRIMITIVES["triangles"])) + CHECKS +
         "set raster.multisample on\nclear color 0 0 0.2 1\ndraw 6")
    case("stipple/polygon_not_lines", "Points and lines of triangles have no polygon stipple",
         target() + COLOR + vertices(colored(PRIMITIVES["triangles"])) + CHECKS +
         "set raster.fill_front line\nset raster.fill_back point\nset raster.point_size 5\nclear color 0 0 0.2 1\ndraw 6")


def smooth() -> None:
    points = target() + COLOR + vertices(colored(RING)) + "set primitive points\nset raster.point_smooth on\nclear color 0 0 0.2 1\n" + OVER
    for size in (0.5, 1, 1.5, 3, 8, 25):
        case(f"smooth/points_{str(size).replace('.', '_')}", f"Smooth points of size {size}", points + f"set raster.point_size {size}\ndraw 8")
    case("smooth/point_sprites", "Point sprites are not smooth", points + "set raster.point_size 7\nset raster.point_sprite on\ndraw 8")
    case("smooth/points_multisampled", "Multisampled points are not smooth",
         target(samples=4) + COLOR + vertices(colored(RING)) + "set raster.multisample on\nset primitive points\n"
         "set raster.point_smooth on\nset raster.point_size 7\nclear color 0 0 0.2 1\ndraw 8")
    case("smooth/points_alpha_test", "The alpha test sees the coverage of points",
         points + "set raster.point_size 9\nset alpha.test on\nset alpha.func greater\nset alpha.reference 0.5\ndraw 8")
    case("smooth/polygon_points", "Corners of triangles as smooth points",
         target() + COLOR + vertices(colored(PRIMITIVES["triangles"])) + "set raster.fill point\nset raster.point_smooth on\n"
         "set raster.point_size 6\nclear color 0 0 0.2 1\n" + OVER + "draw 6")
    for width in (1, 2.5, 6):
        case(f"smooth/lines_{str(width).replace('.', '_')}", f"Smooth lines of width {width}",
             target() + COLOR + vertices(colored(RING)) + "set primitive line_loop\nset raster.line_smooth on\n"
             f"set raster.line_width {width}\nclear color 0 0 0.2 1\n" + OVER + "draw 8")
    corners = target(depth="D16_UNORM") + COLOR + vertices(colored(RING)) + "set depth.test on\nset depth.write on\nclear color 0 0 0.2 1\nclear depth 1\n"
    case("smooth/points_uncovered", "Smooth points write neither colour nor depth where they cover nothing",
         corners + "set primitive points\nset raster.point_smooth on\nset raster.point_size 5\ndraw 8\nshow color0 depth")
    case("smooth/lines_uncovered", "Smooth lines write neither colour nor depth where they cover nothing",
         corners + "set primitive line_loop\nset raster.line_smooth on\nset raster.line_width 3\ndraw 8\nshow color0 depth")
    case("smooth/computed_colors", "Colours of smooth lines that are written by a computed index",
         target() + "color R8G8B8A8_UNORM\n" + """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], PERSPECTIVE
DCL OUT[0..1], COLOR
DCL TEMP[0]
DCL ADDR[0]
IMM[0] FLT32 {0.5, 0.25, 1.0, 0.0}
IMM[1] UINT32 {1, 0, 0, 0}
  0: SLT TEMP[0].x, IN[0].xxxx, IMM[0].xxxx
  1: F2U TEMP[0].y, TEMP[0].xxxx
  2: UARL ADDR[0].x, TEMP[0].yyyy
  3: MOV OUT[ADDR[0].x], IN[0]
  4: XOR TEMP[0].y, TEMP[0].yyyy, IMM[1].xxxx
  5: UARL ADDR[0].x, TEMP[0].yyyy
  6: MOV OUT[ADDR[0].x], IMM[0].yxyz
  7: END
}
""" + vertices(colored(RING)) + "set primitive line_loop\nset raster.line_smooth on\nset raster.line_width 3\n"
         "clear color 0 0 0.2 1\n" + OVER + "draw 8\nshow color0 color1")


def stipple() -> None:
    lines()
    polygons()
    smooth()
