"""Culling, polygon mode, clipping, scissor, offset, lines, points."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, RING, ZIGZAG, case, colored, strip, target, vertices
from .primitives import PRIMITIVES

WINDINGS = [(-0.9, -0.8, 0, 1, 1, 0.4, 0, 1), (-0.1, -0.8, 0, 1, 1, 0.4, 0, 1), (-0.5, 0.8, 0, 1, 1, 1, 0, 1),
            (0.1, 0.8, 0, 1, 0, 0.4, 1, 1), (0.9, 0.8, 0, 1, 0, 0.4, 1, 1), (0.5, -0.8, 0, 1, 0, 1, 1, 1)]
WINDINGS[3], WINDINGS[4] = WINDINGS[4], WINDINGS[3]
MIRRORED = WINDINGS[:3] + [WINDINGS[4], WINDINGS[3], WINDINGS[5]]


def raster() -> None:
    two = target() + COLOR + vertices(MIRRORED) + "clear color 0.1 0.1 0.1 1\n"
    for face in ("none", "front", "back", "front_and_back"):
        for ccw in ("on", "off"):
            case(f"raster/cull_{face}_ccw_{ccw}", f"Culling {face}, front faces counter-clockwise: {ccw}",
                 two + f"set raster.cull {face}\nset raster.front_ccw {ccw}\ndraw 6")
    for front in ("fill", "line", "point"):
        for back in ("fill", "line", "point"):
            case(f"raster/fill_{front}_{back}", f"Front faces as {front}, back faces as {back}",
                 two + f"set raster.fill_front {front}\nset raster.fill_back {back}\nset raster.point_size 3\ndraw 6")
    for kind in ("quads", "polygon"):
        case(f"raster/fill_line_{kind}", f"Outlines of {kind} have no inner edges",
             target() + COLOR + vertices(colored(PRIMITIVES[kind])) +
             f"set primitive {kind}\nset raster.fill line\nclear color 0 0 0.2 1\ndraw 8")
    case("raster/rasterizer_discard", "Rasterizer discard draws nothing", two + "set raster.rasterizer_discard on\ndraw 6")
    case("raster/half_pixel_center_off", "Pixel centres at integers",
         two + "set raster.half_pixel_center off\ndraw 6")
    for rule in ("on", "off"):
        rows = [(x, y, 0, 1, *RAINBOW[i % 3][:3], 1) for i, (x0, y0) in enumerate([(-1, -0.5), (-0.25, 0)]) for x, y in
                [(x0, y0), (x0 + 1, y0), (x0, y0 + 0.53125), (x0, y0 + 0.53125), (x0 + 1, y0), (x0 + 1, y0 + 0.53125)]]
        case(f"raster/bottom_edge_rule_{rule}", f"Edges through pixel centres, bottom edge rule {rule}",
             target("16x16") + COLOR + vertices(rows) + f"clear color 0 0 0 1\nset raster.bottom_edge_rule {rule}\ndraw 12")
    full = target() + COLOR + strip(RAINBOW) + "clear color 0.1 0.1 0.1 1\n"
    for name, scissor in (("inside", "5 3 21 17"), ("outside", "40 40 60 60"), ("cut", "-10 20 12 90"),
                          ("empty", "8 8 8 20"), ("off", "off")):
        case(f"raster/scissor_{name}", f"Scissor {scissor}", full + f"set raster.scissor {scissor}\ndraw 4")
    for name, viewport in (("part", "4 8 20 12"), ("outside", "-8 -8 32 32"), ("fraction", "3.25 5.5 17.75 20.5"),
                           ("flipped", "0 32 32 -32"), ("huge", "-1000 -1000 2064 2064")):
        case(f"raster/viewport_{name}", f"Viewport {viewport}", full + f"set viewport {viewport}\ndraw 4")
    triangle = [(-3, -0.5, 0.2, 1, 1, 0, 0, 1), (3, -0.7, 0.2, 1, 0, 1, 0, 1), (0, 4, 0.2, 1, 0, 0, 1, 1)]
    case("raster/guard_band", "A triangle far larger than the target",
         target() + COLOR + vertices([(x * 900, y * 900, z, w, r, g, b, a) for x, y, z, w, r, g, b, a in triangle]) +
         "clear color 0.1 0.1 0.1 1\ndraw 3")
    case("raster/near_clip", "A floor that passes behind the eye",
         target() + COLOR + vertices([(-30, -0.9, -2, -1, 0, 0, 0, 1), (30, -0.9, -2, -1, 1, 0, 0.3, 1),
                                      (-30, -0.9, 19, 20, 0, 1, 1, 1), (30, -0.9, 19, 20, 1, 1, 0.7, 1)]) +
         "set primitive triangle_strip\nclear color 0.1 0.1 0.1 1\ndraw 4")
    deep = strip(RAINBOW, z=[-2, 2, -2, 2])
    for clip in ("on", "off"):
        case(f"raster/depth_clip_{clip}", f"Depth from -2 to 2 with depth clipping {clip}",
             target(depth="D32_FLOAT") + COLOR + deep +
             f"set raster.depth_clip {clip}\nset depth.test on\nset depth.write on\nset depth.func always\n"
             "clear color 0.1 0.1 0.1 1\nclear depth 0.5\nshow color0 depth\ndraw 4")
    case("raster/clip_halfz", "Clip z in 0..w",
         target(depth="D32_FLOAT") + COLOR + strip(RAINBOW, z=[-0.5, 1.5, -0.5, 1.5]) +
         "set raster.clip_halfz on\nset viewport_transform 16 16 1 16 16 0\nset depth.test on\nset depth.write on\n"
         "set depth.func always\nclear color 0.1 0.1 0.1 1\nclear depth 0.5\nshow color0 depth\ndraw 4")
    case("raster/depth_range_reversed", "A viewport with near 1 and far 0",
         target(depth="D16_UNORM") + COLOR + strip(RAINBOW, z=[-1, 1, -1, 1]) +
         "set viewport 0 0 32 32 1 0\nset depth.test on\nset depth.write on\nset depth.func always\n"
         "clear color 0.1 0.1 0.1 1\nclear depth 0.5\nshow color0 depth\ndraw 4")
    for planes, lines in ((1, "0 1 0.5 0 0.2"), (3, "0 1 0.5 0 0.2|1 -1 0.7 0 0.4"), (128, "7 0.3 -1 0 0.1")):
        case(f"raster/clip_planes_{planes}", f"User clip planes {planes:#x}",
             full + f"set raster.clip_plane_enable {planes}\n" +
             "".join(f"set clip_plane {line}\n" for line in lines.split("|")) + "draw 4")
    for name, property_name, semantic in (("clip_distance", "NUM_CLIPDIST_ENABLED", "CLIPDIST"),
                                          ("cull_distance", "NUM_CULLDIST_ENABLED", "CLIPDIST")):
        rows = [(x, y, 0, 1, *c[:3], 1) for (x, y), c in zip(ZIGZAG, RAINBOW * 2)]
        case(f"raster/{name}", f"Shader outputs {semantic} as {name.replace('_', ' ')}s",
             target() + f"""vertex_shader {{
VERT
PROPERTY {property_name} 2
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].xy, {semantic}
IMM[0] FLT32 {{0.5, 0.25, 0.0, 0.0}}
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: ADD OUT[2].x, IN[0].xxxx, IMM[0].xxxx
  3: ADD OUT[2].y, -IN[0].yyyy, IMM[0].yyyy
  4: END
}}
fragment_shader shaders/color.frag.tgsi
""" + vertices(rows) + "set primitive triangle_strip\nset raster.clip_plane_enable 3\nclear color 0 0 0.2 1\ndraw 8")
    offset = (target(depth="D16_UNORM") + COLOR + strip(RAINBOW, z=[-0.5, 0.5, -0.3, 0.7]) +
              "set depth.test on\nset depth.write on\nset depth.func always\nclear color 0.1 0.1 0.1 1\nclear depth 1\n"
              "show depth\nset raster.offset_fill on\n")
    for name, units, scale, clamp in (("units", 400, 0, 0), ("scale", 0, 4, 0), ("both", -300, 2, 0),
                                      ("clamp", 900, 8, 0.02), ("clamp_negative", -900, -8, -0.02)):
        case(f"raster/offset_{name}", f"Polygon offset: units {units}, scale {scale}, clamp {clamp}",
             offset + f"set raster.offset_units {units}\nset raster.offset_scale {scale}\nset raster.offset_clamp {clamp}\n"
             "draw 4")
    for fmt in ("D24_UNORM_S8_UINT", "D32_FLOAT"):
        case(f"raster/offset_{fmt.lower()}", f"Polygon offset in units of {fmt}",
             offset.replace("D16_UNORM", fmt) + "set raster.offset_units 100000\ndraw 4")
    for mode in ("line", "point"):
        case(f"raster/offset_{mode}", f"Polygon offset of triangles drawn as {mode}s",
             offset + f"set raster.offset_fill off\nset raster.offset_{mode} on\nset raster.fill {mode}\n"
             "set raster.point_size 6\nset raster.offset_units 3000\nset raster.offset_scale 3\ndraw 4")
    star = [(0, 0)] + [(x, y) for x, y in ((0.9, 0.1), (0.8, 0.7), (0.2, 0.9), (-0.5, 0.8), (-0.9, 0.3), (-0.8, -0.5),
                                           (-0.1, -0.9), (0.6, -0.6))]
    rays = [p for tip in star[1:] for p in (star[0], tip)]
    for width in (1, 1.4, 2, 3, 5, 8):
        case(f"raster/line_width_{str(width).replace('.', '_')}", f"Lines of width {width} in all directions",
             target() + COLOR + vertices(colored(rays)) +
             f"set primitive lines\nset raster.line_width {width}\nclear color 0 0 0.2 1\ndraw 16")
    case("raster/line_last_pixel", "Lines with their last pixels",
         target() + COLOR + vertices(colored(rays)) +
         "set primitive lines\nset raster.line_last_pixel on\nclear color 0 0 0.2 1\ndraw 16")
    for size in (0.5, 1, 2, 3.5, 8, 40):
        case(f"raster/point_size_{str(size).replace('.', '_')}", f"Points of size {size}",
             target() + COLOR + vertices(colored(RING)) +
             f"set primitive points\nset raster.point_size {size}\nclear color 0 0 0.2 1\ndraw 8")
    for size in (1.4, 1.6, 2.5, 3.5):
        case(f"raster/whole_point_size_{str(size).replace('.', '_')}", f"Points of size {size}, rounded",
             target() + COLOR + vertices(colored(RING)) +
             f"set primitive points\nset raster.point_size {size}\nset raster.whole_point_size on\nclear color 0 0 0.2 1\ndraw 8")
    per_vertex = """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2].x, PSIZE
IMM[0] FLT32 {6.0, 7.0, 0.0, 0.0}
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MAD OUT[2].x, IN[0].xxxx, IMM[0].xxxx, IMM[0].yyyy
  3: END
}
fragment_shader shaders/color.frag.tgsi
"""
    for use in ("on", "off"):
        case(f"raster/point_size_per_vertex_{use}", f"Point sizes of the shader: {use}",
             target() + per_vertex + vertices(colored(RING)) +
             f"set primitive points\nset raster.point_size 3\nset raster.point_size_per_vertex {use}\n"
             "clear color 0 0 0.2 1\ndraw 8")
    for origin in ("on", "off"):
        case(f"raster/point_sprite_lower_left_{origin}", f"Point sprites, origin lower left: {origin}",
             target() + "vertex_shader shaders/color.vert.tgsi\nfragment_shader shaders/color.frag.tgsi\n" +
             vertices(colored(RING[::2])) +
             "set primitive points\nset raster.point_size 11\nset raster.point_sprite on\nset raster.sprite_texcoords 1\n"
             f"set raster.sprite_origin_lower_left {origin}\nclear color 0 0 0.2 1\ndraw 4")
    case("raster/point_coordinate", "The input PCOORD",
         target() + """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], PCOORD, LINEAR
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
}
""" + vertices(colored(RING[::2])) +
         "set primitive points\nset raster.point_size 13\nset raster.point_sprite on\nclear color 0 0 0.2 1\ndraw 4")
    two_sided = """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], COLOR
DCL OUT[2], BCOLOR
IMM[0] FLT32 {1.0, 0.0, 0.0, 0.0}
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: ADD OUT[2], IMM[0].xxxx, -IN[1]
  3: END
}
fragment_shader shaders/shade.frag.tgsi
"""
    for use in ("on", "off"):
        case(f"raster/two_sided_color_{use}", f"Two-sided colour {use}",
             target() + two_sided + vertices(MIRRORED) +
             f"set raster.two_sided_color {use}\nclear color 0.1 0.1 0.1 1\ndraw 6")
