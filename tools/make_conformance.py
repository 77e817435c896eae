#!/usr/bin/env python3
# Writes the conformance cases that are rows of a table: one file a row. The files are checked in.
# SPDX-License-Identifier: MIT
"""usage: make_conformance.py [DIRECTORY]    (default tests/conformance)

Goldens are not written here: conform_reference --bless does that."""
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
OUT = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "tests/conformance"

COLOR = "vertex_shader shaders/color.vert.tgsi\nfragment_shader shaders/color.frag.tgsi\n"
SHADE = "vertex_shader shaders/shade.vert.tgsi\nfragment_shader shaders/shade.frag.tgsi\n"
written = set()


def case(name: str, title: str, text: str) -> None:
    """One scene file; `name` is TOPIC/NAME."""
    assert name not in written, name
    written.add(name)
    path = OUT / f"{name}.scene"
    path.parent.mkdir(parents=True, exist_ok=True)
    content = f"title {title}\n{text.strip()}\n"
    if not path.exists() or path.read_text() != content:
        path.write_text(content)


def target(size: str = "32x32", fmt: str = "R8G8B8A8_UNORM", depth: str = "", samples: int = 1) -> str:
    text = f"size {size}" + (f" samples {samples}" if samples > 1 else "") + f"\ncolor {fmt}\n"
    return text + (f"depth {depth}\n" if depth else "")


def number(value: float) -> str:
    return f"{value:g}"


def vertices(rows, components=(4, 4)) -> str:
    """Rows of numbers as a block."""
    lines = "\n".join("  " + " ".join(number(v) for v in row) for row in rows)
    return f"vertices {' '.join(map(str, components))} f32 {{\n{lines}\n}}\n"


def quad(colors, z=0.0, x0=-1.0, y0=-1.0, x1=1.0, y1=1.0) -> str:
    """A triangle strip with a colour a corner: lower left, lower right, upper left, upper right."""
    z = z if isinstance(z, (list, tuple)) else [z] * 4
    places = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]
    return vertices([(*places[i], z[i], 1, *colors[i]) for i in range(4)])


def strip(colors, **place) -> str:
    return quad(colors, **place) + "set primitive triangle_strip\n"


RAINBOW = [(1, 0, 0, 1), (0, 1, 0, 0.75), (0, 0, 1, 0.5), (1, 1, 0, 0.25)]
SOURCE = [(1, 0.2, 0.1, 0), (0.9, 0.8, 0.1, 1), (0.2, 0.3, 1, 0), (0.6, 1, 0.8, 1)]
BEHIND = [(0.1, 0.1, 0.9, 0.1), (0.2, 0.9, 0.3, 0.3), (0.9, 0.2, 0.2, 0.7), (1, 1, 1, 1)]

FUNCS = ["never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"]
STENCIL_OPS = ["keep", "zero", "replace", "increment_clamp", "decrement_clamp", "increment_wrap", "decrement_wrap",
               "invert"]
FACTORS = ["zero", "one", "src_color", "src_alpha", "dst_color", "dst_alpha", "inv_src_color", "inv_src_alpha",
           "inv_dst_color", "inv_dst_alpha", "const_color", "const_alpha", "inv_const_color", "inv_const_alpha",
           "src_alpha_saturate"]
DUAL = ["src1_color", "src1_alpha", "inv_src1_color", "inv_src1_alpha"]
EQUATIONS = ["add", "subtract", "reverse_subtract", "min", "max"]
LOGIC = ["clear", "nor", "and_inverted", "copy_inverted", "and_reverse", "invert", "xor", "nand", "and", "equiv", "noop",
         "or_inverted", "copy", "or_reverse", "or", "set"]
WRAPS = ["repeat", "clamp_to_edge", "clamp_to_border", "mirror_repeat", "mirror_clamp_to_edge",
         "mirror_clamp_to_border", "clamp", "mirror_clamp"]


# --- primitives -------------------------------------------------------------------------------

RING = [(-0.9, -0.8), (-0.2, -0.9), (0.7, -0.7), (0.9, 0.1), (0.6, 0.8), (-0.1, 0.9), (-0.8, 0.6), (-0.6, 0.0)]
ZIGZAG = [(-0.9, -0.6), (-0.8, 0.7), (-0.4, -0.8), (-0.3, 0.6), (0.1, -0.6), (0.2, 0.8), (0.6, -0.7), (0.8, 0.5)]


def colored(points):
    return [(x, y, 0, 1, *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(points)]


PRIMITIVES = {
    "points": RING, "lines": RING, "line_loop": RING, "line_strip": RING, "triangles": ZIGZAG[:6],
    "triangle_strip": ZIGZAG, "triangle_fan": RING, "quads": [RING[i] for i in (0, 1, 5, 6, 2, 3, 4, 5)],
    "quad_strip": ZIGZAG, "polygon": RING, "lines_adjacency": RING, "line_strip_adjacency": RING,
    "triangles_adjacency": [ZIGZAG[i] for i in (0, 3, 1, 4, 2, 5)],
    "triangle_strip_adjacency": [ZIGZAG[i] for i in (0, 7, 1, 6, 2, 5, 3, 4)],
}


def primitives() -> None:
    for kind, points in PRIMITIVES.items():
        size = "set raster.point_size 5\n" if kind == "points" else ""
        base = (target() + COLOR + vertices(colored(points)) + f"set primitive {kind}\n{size}" + "clear color 0 0 0.2 1\n")
        case(f"primitive/{kind}", f"Primitive kind {kind}", base + f"draw {len(points)}")
        if kind in ("points",):
            continue
        flat = (target() + SHADE + vertices(colored(points)) + f"set primitive {kind}\nset raster.flat_shade on\n"
                "clear color 0 0 0.2 1\n")
        case(f"primitive/{kind}_flat_last", f"{kind}, flat shading by the last vertex", flat + f"draw {len(points)}")
        case(f"primitive/{kind}_flat_first", f"{kind}, flat shading by the first vertex",
             flat + f"set raster.flat_shade_first on\ndraw {len(points)}")
    for kind, restart in (("u8", 255), ("u16", 65535), ("u32", 4294967295)):
        for primitive in ("triangle_strip", "line_loop", "triangle_fan"):
            case(f"primitive/restart_{kind}_{primitive}", f"Primitive restart with {kind} indices in a {primitive}",
                 target() + COLOR + vertices(colored(ZIGZAG)) +
                 f"indices {kind} {{\n  0 1 2 3 {restart} 4 5 {restart} 7 5 6 4\n}}\nset primitive {primitive}\n"
                 f"clear color 0 0 0.2 1\ndraw 12 restart={restart}")
    case("primitive/restart_off", "Without primitive restart the restart index is an index like any other",
         target() + COLOR + vertices(colored(ZIGZAG)) +
         "indices u16 {\n  0 1 2 65535 3 4\n}\nset primitive triangle_strip\nclear color 0 0 0.2 1\ndraw 6")
    case("primitive/base_vertex", "Indices with a base vertex and a first index",
         target() + COLOR + vertices(colored(ZIGZAG)) +
         "indices u16 {\n  9 9 0 1 2 1 2 3\n}\nclear color 0 0 0.2 1\ndraw 6 first=2 base_vertex=4")
    case("primitive/base_vertex_negative", "Indices with a negative base vertex",
         target() + COLOR + vertices(colored(ZIGZAG)) +
         "indices u8 {\n  10 11 12\n}\nclear color 0 0 0.2 1\ndraw 3 base_vertex=-10")
    case("primitive/index_out_of_buffer", "Indices past the end of the index buffer count as 0",
         target() + COLOR + vertices(colored(ZIGZAG)) +
         "indices u16 {\n  1 2 3 7\n}\nset primitive triangle_fan\nclear color 0 0 0.2 1\ndraw 6")
    case("primitive/vertex_out_of_buffer", "Vertices past the end of the buffer read as 0",
         target() + COLOR + vertices(colored(ZIGZAG[:4])) + "set primitive triangle_strip\nclear color 0 0 0.2 1\ndraw 6")
    case("primitive/incomplete", "Incomplete triangles vanish",
         target() + COLOR + vertices(colored(ZIGZAG)) + "clear color 0 0 0.2 1\ndraw 5")
    case("primitive/first", "A draw that begins at vertex 3",
         target() + COLOR + vertices(colored(ZIGZAG)) + "clear color 0 0 0.2 1\ndraw 3 first=3")
    shader = """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], %s
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
"""
    small = vertices([(-0.9, -0.8, 0, 1, 1, 1, 0, 1), (-0.6, -0.8, 0, 1, 1, 0.5, 1, 1), (-0.8, -0.4, 0, 1, 0.5, 1, 1, 1)])
    for value, draw in (("INSTANCEID", "draw 3 instances=6"), ("INSTANCEID", "draw 3 instances=3 first_instance=2"),
                        ("BASEINSTANCE", "draw 3 instances=2 first_instance=4"),
                        ("VERTEXID", "draw 3"), ("BASEVERTEX", "draw 3")):
        name = value.lower() + ("_offset" if "first_instance=2" in draw else "")
        case(f"primitive/{name}", f"System value {value}", target() + shader % value + small + f"clear color 0 0 0.2 1\n{draw}")
    case("primitive/primid", "The input PRIM_ID in the fragment shader",
         target() + """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], PRIM_ID, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.125, 0.25, 1.0, 0.0}
  0: U2F TEMP[0].x, IN[0].xxxx
  1: MUL OUT[0].xy, TEMP[0].xxxx, IMM[0].xyyy
  2: MOV OUT[0].zw, IMM[0].zzzz
  3: END
}
""" + vertices(colored(RING)) + "set primitive triangle_fan\nclear color 0 0 0.2 1\ndraw 8")
    for divisor in (1, 2, 3):
        case(f"primitive/divisor_{divisor}", f"An attribute with divisor {divisor}",
             target() + "vertex_shader shaders/color.vert.tgsi\nfragment_shader shaders/color.frag.tgsi\n"
             "vertex_buffer 0 8 f32 {\n  -1 -1  1 -1  -1 1  1 1\n}\n"
             "vertex_buffer 1 4 u8 {\n  255 0 0 255  0 255 0 255  0 0 255 255  255 255 0 255  0 255 255 255\n}\n"
             "attribute 0 R32G32_FLOAT\n"
             f"attribute 1 R8G8B8A8_UNORM slot=1 divisor={divisor}\nset primitive triangle_strip\n"
             "set blend.enable on\nset blend.rgb add const_alpha inv_const_alpha\nset blend.color 0 0 0 0.5\n"
             "clear color 0 0 0.2 1\ndraw 4 instances=5")


# --- rasterizer state -------------------------------------------------------------------------

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


# --- depth and stencil ------------------------------------------------------------------------

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


# --- blending ---------------------------------------------------------------------------------

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


# --- target formats ---------------------------------------------------------------------------

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


# --- multisampling ----------------------------------------------------------------------------

MS_COLOR = "set raster.multisample on\n"


def sampled_frag(declaration: str, code: str) -> str:
    return ("vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\n" + declaration + "DCL OUT[0], COLOR\n" + code +
            "}\n")


def multisample() -> None:
    triangles = vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n"
    for samples in (2, 4, 8, 16):
        base = target("24x24", samples=samples) + MS_COLOR + "clear color 0 0 0.2 1\n"
        case(f"multisample/triangles_{samples}", f"Triangles with {samples} samples, resolved",
             base + COLOR + triangles + "draw 8")
        case(f"multisample/lines_{samples}", f"Lines with {samples} samples are rectangles",
             base + COLOR + vertices(colored(RING)) + "set primitive line_loop\nset raster.line_width 2.5\ndraw 8")
        case(f"multisample/points_{samples}", f"Points with {samples} samples",
             base + COLOR + vertices(colored(RING)) + "set primitive points\nset raster.point_size 4.3\ndraw 8")
        case(f"multisample/off_{samples}", f"Multisampling off on a target of {samples} samples",
             base + COLOR + triangles + "set raster.multisample off\ndraw 8")
        case(f"multisample/sample_mask_{samples}", f"Sample mask 0x35 on {samples} samples",
             base + COLOR + triangles + "set sample_mask 0x35\ndraw 8")
        case(f"multisample/alpha_to_coverage_{samples}", f"Alpha to coverage with {samples} samples",
             base + COLOR + strip([(1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 1, 0.2), (1, 0, 0, 0.8)]) +
             "set blend.alpha_to_coverage on\ndraw 4")
        case(f"multisample/depth_{samples}", f"Two crossing quads, depth of {samples} samples",
             target("24x24", depth="D24_UNORM_S8_UINT", samples=samples) + MS_COLOR +
             "clear color 0 0 0.2 1\nclear depth 1\nset depth.test on\nset depth.write on\n" + COLOR +
             strip([(1, 0.5, 0, 1)] * 4, z=[-0.9, 0.9, -0.8, 0.5]) + "draw 4\n" +
             quad([(0, 0.5, 1, 1)] * 4, z=[0.9, -0.9, 0.1, -0.2]) + "draw 4\nshow color0 depth")
        case(f"multisample/per_sample_{samples}", f"Shading {samples} times a pixel: SAMPLEID",
             base + sampled_frag("DCL SV[0], SAMPLEID\nDCL TEMP[0]\nIMM[0] FLT32 {0.0625, 1.0, 0.5, 0.0}\n",
                                 "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: MUL OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                 "  2: MOV OUT[0].yzw, IMM[0].zzyy\n  3: END\n") + triangles + "draw 8")
        case(f"multisample/sample_position_{samples}", f"SAMPLEPOS of {samples} samples",
             base + sampled_frag("DCL SV[0], SAMPLEPOS\nIMM[0] FLT32 {0.0, 1.0, 0.5, 0.0}\n",
                                 "  0: MOV OUT[0].xy, SV[0].xyyy\n  1: MOV OUT[0].zw, IMM[0].xxxy\n  2: END\n") +
             triangles + "draw 8")
    base = target("24x24", samples=4) + MS_COLOR + "clear color 0 0 0.2 1\n"
    for location in ("CENTER", "CENTROID", "SAMPLE"):
        for interpolation in ("LINEAR", "PERSPECTIVE"):
            place = "" if location == "CENTER" else f", {location}"
            case(f"multisample/{interpolation.lower()}_{location.lower()}",
                 f"A varying, {interpolation}, at {location}",
                 base + sampled_frag(f"DCL IN[0], GENERIC[0], {interpolation}{place}\n", "  0: MOV OUT[0], IN[0]\n  1: END\n") +
                 vertices([(-0.9, -0.8, 0, 1, 9, 0, -8, 1), (1.8, -1, 0, 2, -8, 9, 0, 1), (-0.1, 0.9, 0, 1, 0, -8, 9, 1)]) +
                 "draw 3")
    mask = "DCL SV[0], SAMPLEMASK\nDCL TEMP[0]\nIMM[0] FLT32 {0.0625, 1.0, 0.0, 0.0}\n"
    case("multisample/sample_mask_in", "The system value SAMPLEMASK",
         base + sampled_frag(mask, "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: MUL OUT[0].xyz, TEMP[0].xxxx, IMM[0].xxxx\n"
                             "  2: MOV OUT[0].w, IMM[0].yyyy\n  3: END\n") + triangles + "draw 8")
    case("multisample/sample_mask_out", "The output SAMPLEMASK",
         base + sampled_frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].x, SAMPLEMASK\nDCL TEMP[0]\n"
                             "IMM[0] FLT32 {16.0, 1.0, 0.0, 0.0}\n",
                             "  0: MUL TEMP[0].x, IN[0].wwww, IMM[0].xxxx\n  1: F2U OUT[1].x, TEMP[0].xxxx\n"
                             "  2: MOV OUT[0], IMM[0].yyyy\n  3: END\n") +
         strip([(1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1)]) + "draw 4")
    case("multisample/alpha_to_one", "Alpha to one after alpha to coverage",
         base + COLOR + strip(RAINBOW) + "set blend.alpha_to_coverage on\nset blend.alpha_to_one on\ndraw 4")
    case("multisample/alpha_to_coverage_one_sample", "Alpha to coverage does nothing with one sample",
         target("24x24") + MS_COLOR + "clear color 0 0 0.2 1\n" + COLOR + strip(RAINBOW) +
         "set blend.alpha_to_coverage on\ndraw 4")
    case("multisample/blend", "Blending of four samples",
         base + COLOR + triangles + "set blend.enable on\nset blend.rgb add one one\ndraw 8\n" + quad(RAINBOW) + "draw 4")
    for fmt in ("R8_UNORM", "R8G8B8A8_SRGB", "R16G16B16A16_FLOAT", "R10G10B10A2_UNORM", "R8G8B8A8_SNORM", "R16_UNORM"):
        case(f"multisample/resolve_{fmt.lower()}", f"Resolving {fmt}",
             target("16x16", fmt, samples=4) + MS_COLOR + "clear color 0.1 0.2 0.3 1\n" + COLOR + triangles + "draw 8")
    fetch = target("16x16") + sampled_frag(
        "DCL SV[0], POSITION\nDCL SAMP[0]\nDCL SVIEW[0], 2D_MSAA, FLOAT\nDCL TEMP[0]\nDCL CONST[0][0]\n",
        "  0: F2I TEMP[0].xy, SV[0].xyyy\n  1: MOV TEMP[0].w, CONST[0][0].xxxx\n"
        "  2: TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA\n  3: END\n").replace("DCL SV[0], POSITION", "DCL IN[0], POSITION, LINEAR").replace("SV[0].xyyy", "IN[0].xyyy")
    for sample in range(4):
        case(f"multisample/fetch_{sample}", f"Fetching sample {sample} of a multisampled texture",
             "texture t 2d_ms R8G8B8A8_UNORM 16x16 target samples=4\nframebuffer t\nset viewport 0 0 16 16\n" + MS_COLOR +
             "clear color 0 0 0.2 1\n" + COLOR + triangles + "draw 8\nset raster.multisample off\n" +
             f"size 16x16\ncolor R8G8B8A8_UNORM\nframebuffer color0\nbind 0 t\nsampler 0 filter=nearest\n"
             f"constants u32 {{\n  {sample} 0 0 0\n}}\n" + fetch.replace("size 16x16\ncolor R8G8B8A8_UNORM\n", "") +
             strip(RAINBOW) + "draw 4\nshow color0")


# --- textures ---------------------------------------------------------------------------------

def textured(target_name: str, code: str, kind: str = "FLOAT", declarations: str = "", use: str = "PERSPECTIVE") -> str:
    return ("vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\n"
            f"DCL IN[0], GENERIC[0], {use}\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], {target_name}, {kind}\n"
            "DCL TEMP[0..2]\n" + declarations + code + "}\n")


def tex(target_name: str, operands: str = "IN[0]", op: str = "TEX", suffix: str = "", **rest) -> str:
    return textured(target_name, f"  0: {op} OUT[0], {operands}, SAMP[0], {target_name}{suffix}\n  1: END\n", **rest)


def coords(low, high, z=0.0, w=1.0) -> str:
    """Texture coordinates from `low` to `high` in both directions over the whole target."""
    return strip([(low, low, z, w), (high, low, z, w), (low, high, z, w), (high, high, z, w)])


def texture() -> None:
    small = "texture t 2d R8G8B8A8_UNORM 4x4\nfill t 0 noise 5\nbind 0 t\n"
    for wrap in WRAPS:
        for filter_ in ("nearest", "linear"):
            case(f"texture/wrap_{wrap}_{filter_}", f"Wrap mode {wrap}, {filter_}",
                 target() + tex("2D") + small + f"sampler 0 wrap={wrap} filter={filter_} border=0.1,0.9,0.4,1\n" +
                 coords(-1.7, 2.6) + "draw 4")
        case(f"texture/wrap_1d_{wrap}", f"Wrap mode {wrap} in 1D",
             target("32x8") + tex("1D") + "texture t 1d R8G8B8A8_UNORM 5\nfill t 0 noise 5\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6) + "draw 4")
        case(f"texture/wrap_float_{wrap}", f"Wrap mode {wrap}, linear, on a float format",
             target("16x16") + tex("2D") + "texture t 2d R32G32B32A32_FLOAT 4x4\nfill t 0 noise 5\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6) + "draw 4")
    for wrap in WRAPS[:6]:
        case(f"texture/wrap_3d_{wrap}", f"Wrap mode {wrap} in the depth of a 3D texture",
             target("24x24") + tex("3D", "IN[0].zzxx") + "texture t 3d R8G8B8A8_UNORM 3x2x4\nfill t 0 noise 9\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6, 0.3) + "draw 4")
    mips = ("texture t 2d R8G8B8A8_UNORM 16x16 levels=5\nfill t * noise 3\nfill t 1 solid 1 0 0 1\nfill t 2 checker 1 0 1 0 1 0 0.3 0 1\n"
            "fill t 3 solid 0 0.3 1 1\nfill t 4 solid 1 1 0 1\nbind 0 t\n")
    floor = vertices([(-1, -1, 0, 1, 0, 0, 0, 1), (1, -1, 0, 1, 2, 0, 0, 1), (-8, 8, 0, 8, 0, 12, 0, 1),
                      (8, 8, 0, 8, 2, 12, 0, 1)]) + "set primitive triangle_strip\n"
    for mag in ("nearest", "linear"):
        for minimum in ("nearest", "linear"):
            for mip in ("none", "nearest", "linear"):
                case(f"texture/filter_{mag}_{minimum}_{mip}", f"Magnified {mag}, minified {minimum}, levels {mip}",
                     target() + tex("2D") + mips + f"sampler 0 mag={mag} min={minimum} mip={mip}\n" + floor + "draw 4")
    for name, keys in (("bias_up", "lod_bias=1.5"), ("bias_down", "lod_bias=-2.25"), ("min_2", "min_lod=2"),
                       ("max_1", "max_lod=1"), ("min_fraction", "min_lod=1.4 max_lod=2.6"), ("aniso_4", "aniso=4"),
                       ("aniso_16", "aniso=16")):
        case(f"texture/lod_{name}", f"Sampler with {keys}",
             target() + tex("2D") + mips + f"sampler 0 mip=linear {keys}\n" + floor + "draw 4")
    case("texture/view_levels", "A view of levels 1 and 2",
         target() + tex("2D") + mips + "bind 0 t levels=1,2\nsampler 0 mip=linear\n" + floor + "draw 4")
    for op, operands in (("TXL", "IN[0]"), ("TXB", "IN[0]")):
        case(f"texture/{op.lower()}", f"{op}: level or bias from w",
             target() + tex("2D", operands, op) + mips + "sampler 0 mip=linear\n" +
             strip([(0, 0, 0, -1), (1, 0, 0, 1), (0, 1, 0, 3), (1, 1, 0, 5)]) + "draw 4")
    case("texture/tex_lz", "TEX_LZ: level 0", target() + tex("2D", op="TEX_LZ") + mips + "sampler 0 mip=linear\n" + floor + "draw 4")
    case("texture/txd", "TXD: explicit derivatives",
         "tolerance 1 TXD is defined within an error bound\n" + target() +
         textured("2D", "  0: MUL TEMP[0], IN[0], IMM[0].xxxx\n  1: MUL TEMP[1], IN[0].yxxx, IMM[0].yyyy\n"
                  "  2: TXD OUT[0], IN[0], TEMP[0], TEMP[1], SAMP[0], 2D\n  3: END\n",
                  declarations="IMM[0] FLT32 {0.125, 0.0625, 0.0, 0.0}\n") + mips + "sampler 0 mip=nearest\n" +
         coords(0, 2) + "draw 4")
    case("texture/txp", "TXP: a projected coordinate",
         target() + tex("2D", op="TXP") + small + "sampler 0\n" +
         strip([(0, 0, 0, 1), (2, 0, 0, 2), (0, 1, 0, 1), (4, 4, 0, 4)]) + "draw 4")
    case("texture/lodq", "LODQ: level and level of detail, scaled",
         "tolerance 1 LODQ is defined within an error bound\n" + target() +
         textured("2D", "  0: LODQ TEMP[0].xy, IN[0], SAMP[0], 2D\n  1: MUL OUT[0], TEMP[0].xyyy, IMM[0].xxxx\n  2: END\n",
                  declarations="IMM[0] FLT32 {0.125, 0.0, 0.0, 0.0}\n") + mips + "sampler 0 mip=linear\n" + floor + "draw 4")
    case("texture/txq", "TXQ: sizes of levels",
         target("8x8", "R16G16B16A16_UINT") +
         textured("2D", "  0: F2I TEMP[0].x, IN[0].xxxx\n  1: TXQ OUT[0], TEMP[0].xxxx, SAMP[0], 2D\n  2: END\n", kind="FLOAT") +
         "texture t 2d R8_UNORM 20x12 levels=4\nfill t * noise 1\nbind 0 t\nsampler 0\n" + coords(0, 6) + "draw 4")
    for op in ("TXF", "TXF_LZ"):
        case(f"texture/{op.lower()}", f"{op}: texels by integers, outside reads zero bits",
             target("24x24") + textured("2D", "  0: F2I TEMP[0], IN[0]\n" f"  1: {op} OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n") +
             small + "sampler 0\n" + strip([(-1, -1, 0, 0), (6, -1, 0, 0), (-1, 6, 0, 0), (6, 6, 0, 0)]) + "draw 4")
    case("texture/txf_level", "TXF with a level", target() +
         textured("2D", "  0: F2I TEMP[0], IN[0]\n  1: TXF OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n") + mips + "sampler 0\n" +
         strip([(0, 0, 0, 0), (8, 0, 0, 0), (0, 8, 0, 5), (8, 8, 0, 5)]) + "draw 4")
    for name, offset in (("zero", (0, 0)), ("positive", (1, 3)), ("negative", (-8, -2)), ("limits", (7, -8))):
        immediates = f"IMM[0] INT32 {{{offset[0]}, {offset[1]}, 0, 0}}\n"
        for filter_ in ("nearest", "linear"):
            case(f"texture/offset_{name}_{filter_}", f"Texel offsets {offset}, {filter_}",
                 target() + tex("2D", suffix=", IMM[0].xyz", declarations=immediates) + small +
                 f"sampler 0 filter={filter_} wrap=clamp_to_edge\n" + coords(-0.5, 1.5) + "draw 4")
    for component in range(4):
        case(f"texture/gather_{component}", f"TG4 of component {component}",
             target() + textured("2D", "  0: TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D\n  1: END\n",
                                 declarations=f"IMM[0] INT32 {{{component}, 0, 0, 0}}\n") + small + "sampler 0\n" +
             coords(-0.3, 1.3) + "draw 4")
    case("texture/gather_offset", "TG4 with an offset",
         target() + textured("2D", "  0: TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].yzx\n  1: END\n",
                             declarations="IMM[0] INT32 {0, 2, -1, 0}\n") + small + "sampler 0 wrap=clamp_to_edge\n" +
         coords(-0.3, 1.3) + "draw 4")
    for func in FUNCS:
        for filter_ in ("nearest", "linear"):
            case(f"texture/compare_{func}_{filter_}", f"Shadow comparison {func}, {filter_}",
                 target("24x24") + tex("SHADOW2D") + "texture t 2d D24_UNORM_S8_UINT 4x4\nfill t 0 gradient\nbind 0 t\n"
                 f"sampler 0 compare={func} filter={filter_} wrap=clamp_to_edge\n" +
                 strip([(0, 0, 0.33333, 1), (1, 0, 0.33333, 1), (0, 1, 0.9, 1), (1, 1, 0.4, 1)]) + "draw 4")
    for fmt in ("D16_UNORM", "D32_FLOAT"):
        case(f"texture/compare_{fmt.lower()}", f"Shadow comparison on {fmt}, references outside 0..1",
             target("24x24") + tex("SHADOW2D") + f"texture t 2d {fmt} 4x4\nfill t 0 gradient\nbind 0 t\n"
             "sampler 0 compare=less_equal wrap=clamp_to_border border=0.5,0,0,0\n" +
             strip([(-0.5, -0.5, -1, 1), (1.5, -0.5, 2, 1), (-0.5, 1.5, 0.5, 1), (1.5, 1.5, 1.2, 1)]) + "draw 4")
    case("texture/depth_as_color", "A depth texture without comparison",
         target() + tex("2D") + "texture t 2d D32_FLOAT 4x4\nfill t 0 gradient\nbind 0 t\nsampler 0\n" + coords(0, 1) + "draw 4")
    for swizzle in ("wzyx", "xxxx", "01zw", "yyy1", "w0x1"):
        case(f"texture/swizzle_{swizzle}", f"View swizzle {swizzle}",
             target("16x16") + tex("2D") + small + f"bind 0 t swizzle={swizzle}\nsampler 0\n" + coords(0, 1) + "draw 4")
    directions = strip([(-1.2, -1.1, 0.6, 1), (1.3, -1.2, 0.7, 1), (-1.2, 1.1, 0.8, 1), (1.1, 1.3, 0.5, 1)])
    cube = "texture t cube R8G8B8A8_UNORM 4x4 levels=3\nfill t * noise 8\nbind 0 t\n"
    for seamless in ("on", "off"):
        for filter_ in ("nearest", "linear"):
            case(f"texture/cube_seamless_{seamless}_{filter_}", f"Cube map, seamless {seamless}, {filter_}",
                 target() + tex("CUBE") + cube + f"sampler 0 seamless={seamless} filter={filter_} wrap=clamp_to_edge\n" +
                 directions + "draw 4")
    for axis, swizzle in enumerate(("zxyw", "xzyw", "xyzw")):
        for sign in ("", "-"):
            case(f"texture/cube_face_{'xyz'[axis]}{'n' if sign else 'p'}", f"Cube map around {sign or '+'}{'xyz'[axis]}",
                 target() + textured("CUBE", f"  0: MOV TEMP[0], IN[0].{swizzle}\n" +
                                     (f"  1: MOV TEMP[0].{'xyz'[axis]}, -TEMP[0].{'xyz'[axis] * 4}\n" if sign else
                                      "  1: MOV TEMP[0].w, TEMP[0].wwww\n") +
                                     "  2: TEX OUT[0], TEMP[0], SAMP[0], CUBE\n  3: END\n") + cube +
                 "sampler 0 mip=linear\n" + directions + "draw 4")
    layer = strip([(0, 0, -0.6, 1), (1, 0, 4.3, 1), (0, 1, -0.6, 1), (1, 1, 4.3, 1)])
    case("texture/array_1d", "1D array: layers are rounded and limited",
         target() + tex("1D_ARRAY", "IN[0].xzzz") + "texture t 1d_array R8G8B8A8_UNORM 4 layers=4\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         layer + "draw 4")
    case("texture/array_2d", "2D array: layers are rounded and limited",
         target() + tex("2D_ARRAY") + "texture t 2d_array R8G8B8A8_UNORM 4x4 layers=4\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         layer + "draw 4")
    case("texture/array_2d_view", "2D array: a view of layers 1 and 2",
         target() + tex("2D_ARRAY") + "texture t 2d_array R8G8B8A8_UNORM 4x4 layers=4\nfill t 0 noise 2\n"
         "bind 0 t layers=1,2\nsampler 0\n" + layer + "draw 4")
    case("texture/array_cube", "Cube array",
         target() + tex("CUBEARRAY") + "texture t cube_array R8G8B8A8_UNORM 4x4 layers=12\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         strip([(-1, -1, 0.6, -1), (1, -1, 0.7, 2), (-1, 1, 0.8, -1), (1, 1, 0.5, 2)]) + "draw 4")
    case("texture/array_shadow", "Shadow comparison in a 2D array",
         target() + tex("SHADOW2D_ARRAY") + "texture t 2d_array D16_UNORM 4x4 layers=3\nfill t 0 noise 2\nbind 0 t\n"
         "sampler 0 compare=less\n" + strip([(0, 0, -0.6, 0.2), (1, 0, 2.3, 0.5), (0, 1, -0.6, 0.5), (1, 1, 2.3, 0.8)]) + "draw 4")
    case("texture/cube_shadow", "Shadow comparison in a cube map",
         target() + tex("SHADOWCUBE") + "texture t cube D16_UNORM 4x4\nfill t 0 noise 2\nbind 0 t\nsampler 0 compare=less\n" +
         directions.replace(" 1\n", " 0.5\n") + "draw 4")
    for filter_ in ("nearest", "linear"):
        case(f"texture/rect_{filter_}", f"Rectangle texture, {filter_}: coordinates in texels",
             target() + tex("RECT") + "texture t rect R8G8B8A8_UNORM 5x3\nfill t 0 noise 4\nbind 0 t\n"
             f"sampler 0 filter={filter_} wrap=clamp_to_edge\n" + coords(-1, 6) + "draw 4")
        case(f"texture/unnormalized_{filter_}", f"Unnormalised coordinates, {filter_}",
             target() + tex("2D") + small + f"sampler 0 filter={filter_} wrap=clamp_to_border normalized=off\n" + coords(-1, 6) +
             "draw 4")
        case(f"texture/3d_{filter_}", f"3D texture, {filter_}",
             target() + tex("3D") + "texture t 3d R8G8B8A8_UNORM 4x4x4\nfill t 0 noise 6\nbind 0 t\n"
             f"sampler 0 filter={filter_}\n" + strip([(0, 0, 0, 1), (1, 0, 0.3, 1), (0, 1, 0.7, 1), (1, 1, 1.5, 1)]) + "draw 4")
    case("texture/unbound", "Nothing bound reads 0, 0, 0, 1",
         target("8x8") + tex("2D") + "bind 0 none\nsampler 0\nclear color 1 1 1 0\n" + coords(0, 1) + "draw 4")
    case("texture/nan_coordinates", "Coordinates that are infinite or not numbers",
         target("16x16") + textured("2D", "  0: RCP TEMP[0].x, IMM[0].xxxx\n  1: MUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"
                                    "  2: CMP TEMP[1].x, IN[0].xxxx, TEMP[0].xxxx, IN[0].xxxx\n"
                                    "  3: CMP TEMP[1].y, IN[0].yyyy, TEMP[0].yyyy, IN[0].yyyy\n"
                                    "  4: TEX OUT[0], TEMP[1], SAMP[0], 2D\n  5: END\n",
                                    declarations="IMM[0] FLT32 {0.0, 0.0, 0.0, 0.0}\n") + small + "sampler 0\n" + coords(-1, 1) + "draw 4")
    case("texture/vertex_texture", "A texture in the vertex shader",
         target() + """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: MOV OUT[0], IN[0]
  1: TXL OUT[1], IN[1], SAMP[0], 2D
  2: END
}
fragment_shader shaders/color.frag.tgsi
""" + small.replace("bind", "vertex_bind") + "vertex_sampler 0 filter=nearest\n" +
         strip([(0.1, 0.1, 0, 0), (0.9, 0.1, 0, 0), (0.1, 0.9, 0, 0), (0.9, 0.9, 0, 0)]) + "draw 4")
    case("texture/two_units", "Two units, multiplied",
         target() + textured("2D", "  0: TEX TEMP[0], IN[0], SAMP[0], 2D\n  1: TEX TEMP[1], IN[0].yxxx, SAMP[1], 2D\n"
                             "  2: MUL OUT[0], TEMP[0], TEMP[1]\n  3: END\n", declarations="DCL SAMP[1]\nDCL SVIEW[1], 2D, FLOAT\n") +
         small + "texture u 2d R8G8B8A8_UNORM 8x8\nfill u 0 checker 2 1 1 1 1 0.3 0.3 0.3 1\nbind 1 u\nsampler 0\n"
         "sampler 1 filter=nearest\n" + coords(0, 1) + "draw 4")
    case("texture/render_then_sample", "A picture that was drawn is a texture of the next draw",
         "texture t 2d R8G8B8A8_UNORM 16x16 target\nframebuffer t\nset viewport 0 0 16 16\nclear color 0 0 0.5 1\n" + COLOR +
         vertices(colored(RING)) + "set primitive polygon\ndraw 8\nsize 32x32\ncolor R8G8B8A8_UNORM\nframebuffer color0\n"
         "bind 0 t\nsampler 0\n" + tex("2D") + coords(-0.5, 2.5) + "draw 4\nshow color0")


SAMPLED = [f for f in NUMBERS if f not in ("L16_UNORM",)] + [
    "L16_UNORM", "R8G8B8_UNORM", "R16G16B16_UNORM", "R32G32B32_FLOAT", "L8A8_SRGB", "L16A16_UNORM", "A16_UNORM",
    "I16_FLOAT", "B10G10R10A2_UNORM", "R10G10B10A2_SNORM", "A1B5G5R5_UNORM", "A4R4G4B4_UNORM", "B2G3R3_UNORM",
    "R16_SNORM", "R32G32_UNORM", "X8R8G8B8_SRGB"]
BLOCKS = ["BC1_RGB_UNORM", "BC1_RGBA_UNORM", "BC2_RGBA_UNORM", "BC3_RGBA_UNORM", "BC1_RGBA_SRGB", "BC3_RGBA_SRGB",
          "BC4_R_UNORM", "BC4_R_SNORM", "BC5_RG_UNORM", "BC5_RG_SNORM", "LATC1_L_UNORM", "LATC2_LA_UNORM"]


def formats() -> None:
    for fmt in dict.fromkeys(SAMPLED):
        for filter_ in ("nearest", "linear"):
            low = "-1" if "SNORM" in fmt else "-0.25" if "FLOAT" in fmt else "0"
            case(f"format/{fmt.lower()}_{filter_}", f"Sampling {fmt}, {filter_}",
                 target("16x16") + tex("2D") + f"texture t 2d {fmt} 5x5\nfill t 0 noise 21 range {low} 1\nbind 0 t\n"
                 f"sampler 0 filter={filter_}\n" + coords(0, 1) + "draw 4")
    for fmt in INTEGERS:
        kind = "UINT" if "UINT" in fmt else "SINT"
        case(f"format/{fmt.lower()}", f"Fetching {fmt}",
             target("16x16", "R32G32B32A32_" + kind) +
             textured("2D", "  0: F2I TEMP[0], IN[0]\n  1: TXF OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n", kind=kind) +
             f"texture t 2d {fmt} 8x8\nfill t 0 random 77\nbind 0 t\nsampler 0 filter=nearest\n" +
             strip([(0, 0, 0, 0), (8, 0, 0, 0), (0, 8, 0, 0), (8, 8, 0, 0)]) + "draw 4")
    for fmt in ("R9G9B9E5_FLOAT",):
        case(f"format/{fmt.lower()}", f"Sampling {fmt}",
             target("16x16") + tex("2D") + f"texture t 2d {fmt} 4x4\nfill t 0 data u32 {{\n" +
             "".join(f"  {(16 - i % 3) << 27 | (i * 29 % 512) << 18 | (i * 67 % 512) << 9 | i * 31 % 512}\n" for i in range(16)) +
             "}\nbind 0 t\nsampler 0\n" + coords(0, 1) + "draw 4")
    for fmt in BLOCKS:
        case(f"format/{fmt.lower()}", f"Compressed blocks of random bits in {fmt}",
             target("32x32") + tex("2D") + f"texture t 2d {fmt} 30x30\nfill t 0 random 12\nbind 0 t\n"
             "sampler 0 filter=nearest\n" + coords(0, 1) + "draw 4")
    view = "texture t 2d R8G8B8A8_UNORM 4x4\nfill t 0 noise 5\nsampler 0\n"
    for fmt in ("R8G8B8A8_SRGB", "B8G8R8A8_UNORM", "R8G8B8X8_UNORM", "R8G8B8A8_SNORM"):
        case(f"format/view_as_{fmt.lower()}", f"R8G8B8A8_UNORM seen as {fmt}",
             target("16x16") + tex("2D") + view + f"bind 0 t format={fmt}\n" + coords(0, 1) + "draw 4")


# --- vertex formats ---------------------------------------------------------------------------

VERTEX_FORMATS = ["R8G8B8A8_UNORM", "R8G8B8A8_SNORM", "R8G8B8A8_USCALED", "R8G8B8A8_SSCALED", "B8G8R8A8_UNORM",
                  "R16G16B16A16_UNORM", "R16G16B16A16_SNORM", "R16G16B16A16_SSCALED", "R16G16B16A16_USCALED",
                  "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT", "R32G32B32A32_UNORM", "R32G32B32A32_SNORM",
                  "R32G32B32A32_SSCALED", "R64G64B64A64_FLOAT", "R10G10B10A2_UNORM", "R10G10B10A2_SNORM",
                  "R10G10B10A2_USCALED", "B10G10R10A2_UNORM", "R11G11B10_FLOAT", "R8_UNORM", "R8G8_UNORM", "R8G8B8_UNORM",
                  "R16_FLOAT", "R16G16_UNORM", "R16G16B16_SNORM", "R32_FLOAT", "R32G32_FLOAT", "R32G32B32_FLOAT"]


def vertex_formats() -> None:
    bits = {"8": 1, "16": 2, "32": 4, "64": 8, "10": None, "11": None}
    for fmt in VERTEX_FORMATS:
        first = re.match(r"[RB](\d+)", fmt).group(1)
        channels = len(re.findall(r"[RGBA]\d", fmt))
        size = 4 if bits[first] is None else bits[first] * channels
        data = [(37 * i * i + 101 * i + 13) % 256 for i in range(4 * size)]
        if "FLOAT" in fmt and first in ("16", "64"):
            width = bits[first]
            for i in range(4 * channels):
                data[i * width + width - 1] = 0x3F if first == "64" else (0x34 + i % 8)
                if first == "64":
                    data[i * width + width - 2] = 0xA0 + 8 * (i % 8)
        if fmt.startswith("R32") and "FLOAT" in fmt:
            for i in range(4 * channels):
                data[i * 4 + 3], data[i * 4 + 2] = 0x3E, (i * 37) % 256
        rows = "\n".join("  " + "".join(f"{b:02x}" for b in data[i * size:(i + 1) * size]) for i in range(4))
        scale = {"USCALED": "0.004", "SSCALED": "0.008"}.get(fmt.rsplit("_")[-1], "1")
        case(f"vertex/{fmt.lower()}", f"Attributes in {fmt}",
             target("16x16") + COLOR.replace("shaders/color.vert.tgsi", """{
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] FLT32 {%s, 0.0, 0.0, 0.0}
  0: MOV OUT[0], IN[0]
  1: MUL OUT[1], IN[1], IMM[0].xxxx
  2: END
}""" % scale) + "vertex_buffer 0 8 f32 {\n  -1 -1  1 -1  -1 1  1 1\n}\n" + f"vertex_buffer 1 {size} hex {{\n{rows}\n}}\n"
             f"attribute 0 R32G32_FLOAT\nattribute 1 {fmt} slot=1\nset primitive triangle_strip\ndraw 4")
    for fmt in ("R8G8B8A8_UINT", "R8G8B8A8_SINT", "R16G16B16A16_UINT", "R16G16_SINT", "R32_UINT", "R32G32B32A32_SINT"):
        size = {"8": 4, "16": 8, "32": 16}[re.match(r"R(\d+)", fmt).group(1)]
        size = {"R16G16_SINT": 4, "R32_UINT": 4}.get(fmt, size)
        data = "\n".join("  " + "".join(f"{(91 * j * j + 57 * i + 200) % 256:02x}" for j in range(i * size, (i + 1) * size))
                         for i in range(4))
        kind = "SINT" if "SINT" in fmt else "UINT"
        case(f"vertex/{fmt.lower()}", f"Integer attributes in {fmt}",
             target("8x8", "R32G32B32A32_" + kind) + """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
}
vertex_buffer 0 8 f32 {
  -1 -1  1 -1  -1 1  1 1
}
""" + f"vertex_buffer 1 {size} hex {{\n{data}\n}}\nattribute 0 R32G32_FLOAT\nattribute 1 {fmt} slot=1\n"
             "set primitive triangle_strip\nclear color 0 0 0 0\ndraw 4")
    case("vertex/offsets", "A buffer offset, an attribute offset and a stride with a gap",
         target("16x16") + COLOR + "vertex_buffer 0 12 offset=8 f32 {\n  9 9  -1 -1 9  1 -1 9  -1 1 9  1 1 9\n}\n"
         "vertex_buffer 1 6 hex {\n  0000ff000040 000000ff0080 00000000ff60 0000ffff00ff\n}\n"
         "attribute 0 R32G32_FLOAT\nattribute 1 R8G8B8A8_UNORM slot=1 offset=2\nset primitive triangle_strip\ndraw 4")
    case("vertex/stride_zero", "A stride of 0: all vertices read the same",
         target("16x16") + COLOR + "vertex_buffer 0 8 f32 {\n  -1 -1  1 -1  -1 1  1 1\n}\nvertex_buffer 1 0 u8 {\n  255 128 0 255\n}\n"
         "attribute 0 R32G32_FLOAT\nattribute 1 R8G8B8A8_UNORM slot=1\nset primitive triangle_strip\ndraw 4")


# --- fragment inputs and outputs --------------------------------------------------------------

def fragment() -> None:
    def frag(declarations: str, code: str) -> str:
        return sampled_frag(declarations, code)
    skewed = vertices([(-0.9, -0.9, 0.1, 1, 1, 0, 0, 1), (3, -2, 0.9, 3, 0, 1, 0, 1), (-0.5, 1.8, -0.3, 2, 0, 0, 1, 1)])
    base = target(depth="D32_FLOAT") + "clear color 0 0 0.2 1\nclear depth 1\nset depth.test on\nset depth.write on\n"
    for mode in ("PERSPECTIVE", "LINEAR", "CONSTANT"):
        case(f"fragment/{mode.lower()}", f"Interpolation {mode}",
             base + frag(f"DCL IN[0], GENERIC[0], {mode}\n", "  0: MOV OUT[0], IN[0]\n  1: END\n") + skewed + "draw 3")
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


# --- blits ------------------------------------------------------------------------------------

def blits() -> None:
    source = "texture s 2d R8G8B8A8_UNORM 16x16\nfill s 0 noise 31\n"
    out = target() + "clear color 0 0 0.3 1\n" + source
    for name, boxes in (("copy", "s 0,0,16,16 color0 4,4,16,16"), ("grow", "s 2,2,8,8 color0 0,0,32,32"),
                        ("shrink", "s 0,0,16,16 color0 3,3,7,5"), ("mirror_x", "s 16,0,-16,16 color0 0,0,24,24"),
                        ("mirror_y", "s 0,0,16,16 color0 2,30,20,-20"), ("mirror_both", "s 16,16,-16,-16 color0 28,28,-24,-24"),
                        ("outside", "s 8,8,8,8 color0 -8,-8,24,24")):
        for filter_ in ("nearest", "linear"):
            case(f"blit/{name}_{filter_}", f"A blit ({name}), {filter_}", out + f"blit {boxes} filter={filter_}")
    case("blit/mask", "A blit of red and alpha only", out + "blit s 0,0,16,16 color0 0,0,32,32 mask=ra")
    case("blit/scissor", "A blit with a scissor", out + "blit s 0,0,16,16 color0 0,0,32,32 scissor=5,7,20,31")
    for fmt in ("B5G6R5_UNORM", "R16G16B16A16_FLOAT", "R8G8B8A8_SRGB", "R8_UNORM", "R10G10B10A2_UNORM", "R8G8B8A8_SNORM"):
        case(f"blit/to_{fmt.lower()}", f"A converting blit to {fmt}",
             target("16x16", fmt) + source + "blit s 0,0,16,16 color0 0,0,16,16")
        case(f"blit/from_{fmt.lower()}", f"A converting blit from {fmt}",
             target("16x16") + f"texture s 2d {fmt} 16x16\nfill s 0 noise 31\nblit s 0,0,16,16 color0 0,0,16,16")
    for keep in ("depth", "stencil"):
        case(f"blit/{keep}_off", f"A blit of depth and stencil without {keep}",
             "size 16x16\ndepth D24_UNORM_S8_UINT\nclear depth 0.5\nclear stencil 9\ntexture s 2d D24_UNORM_S8_UINT 16x16\n"
             f"fill s 0 random 3\nblit s 0,0,16,16 depth 0,0,16,16 {keep}=off\nshow depth")
    for samples in (2, 4):
        case(f"blit/resolve_{samples}", f"A blit that resolves {samples} samples",
             f"texture m 2d_ms R8G8B8A8_UNORM 24x24 target samples={samples}\nframebuffer m\nset viewport 0 0 24 24\n" + MS_COLOR +
             "clear color 0 0 0.2 1\n" + COLOR + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\ndraw 8\n"
             "size 24x24\ncolor R8G8B8A8_UNORM\nblit m 0,0,24,24 color0 0,0,24,24\nshow color0")
    case("blit/level", "A blit from level to level",
         "texture t 2d R8G8B8A8_UNORM 16x16 target levels=3\nfill t * noise 3\nblit t:0 0,0,16,16 t:2 0,0,4,4 filter=linear\nshow t:0 t:1 t:2")
    case("blit/layer", "A blit from layer to layer",
         "texture t 2d_array R8G8B8A8_UNORM 16x16 target layers=3\nfill t * noise 3\nblit t:0:0 0,0,16,16 t:0:2 16,0,-16,16\n"
         "show t:0:0 t:0:1 t:0:2")


# --- opcodes ----------------------------------------------------------------------------------

BOUNDED = {"RSQ", "SQRT", "DIV", "EX2", "LG2", "POW", "SIN", "COS", "LIT", "EXP", "LOG"}
SKIPPED = {"READ_FIRST", "READ_INVOC", "VOTE_ALL", "VOTE_ANY", "VOTE_EQ", "BALLOT",  # depend on the grouping of pixels
           "ARL", "ARR", "UARL", "MOV", "TEX", "SAMP2HND"}  # in other topics, or of no meaning in a picture


def opcode_rows():
    text = (ROOT / "src/tgsi/opcodes.inc").read_text()
    pattern = r'VALKYR_TGSI_OPCODE\((\w+),\s*(\w+),\s*(\w+),\s*"(\w*)",\s*"(\w*)",\s*(\w+)'
    return re.findall(pattern, text)


def opcodes() -> None:
    """Plain arithmetic: x from -4 to 4 across, y up; z and w fall and rise."""
    field = strip([(-4, -4, 3, 0.5), (4, -4, -2, 1.5), (-4, 4, 1, -2), (4, 4, 0.25, 4)])
    for op, kind, rule, results, sources, stage in opcode_rows():
        if kind != "Plain" or rule in ("Other", "None") or op in SKIPPED or not sources or not results:
            continue
        if stage not in ("Any", "Fragment") or set(sources) - set("FIUXDLQ"):
            continue
        lines, operands = [], []
        for i, letter in enumerate(sources):
            register = f"TEMP[{i}]"
            operand_source = "IN[0]" if i == 0 else f"IN[0].{'xyzw'[i % 4:] + 'xyzw'[:i % 4]}"
            if letter in "FX":
                lines.append(f"MOV {register}, {operand_source}")
            elif letter in "IU":
                scale = "IMM[0].yyyy" if i and op in ("SHL", "USHR", "ISHR", "UBFE", "IBFE", "BFI", "LDEXP", "DLDEXP", "U64SHL",
                                                      "U64SHR", "I64SHR") else "IMM[0].xxxx"
                lines += [f"MUL {register}, {operand_source}, {scale}", f"F2I {register}, {register}"]
            else:
                wide = {"D": "F2D", "L": "D2I64", "Q": "D2I64"}[letter]
                lines.append(f"F2D {register}, {operand_source if i == 0 else 'IN[0].yxxx'}")
                if letter != "D":
                    lines += [f"DMUL {register}, {register}, IMM[1]", f"{wide} {register}, {register}"]
            operands.append(register)
        mask = {"Narrow": ".xy", "WideCompare": ".xz"}.get(rule, "")
        destinations = ["TEMP[4]" + mask] + (["TEMP[5]"] if len(results) > 1 else [])
        lines.append(f"{op} {', '.join(destinations)}, {', '.join(operands)}")
        exact = op not in BOUNDED
        float_result = results[0] in "F"
        if not exact:
            lines.append("MAD OUT[0], TEMP[4], IMM[0].zzzz, IMM[0].wwww")
            fmt = "R8G8B8A8_UNORM"
        else:
            lines.append("MOV OUT[0], TEMP[4]")
            fmt = "R32G32B32A32_FLOAT" if float_result else "R32G32B32A32_UINT"
        if len(results) > 1:
            lines.append("MOV OUT[1], TEMP[5]")
        code = "".join(f"  {i}: {line}\n" for i, line in enumerate(lines + ["END"]))
        header = f"tolerance 1 {op} is defined within an error bound\n" if not exact else ""
        second = "DCL OUT[1], COLOR[1]\n" if len(results) > 1 else ""
        case(f"opcode/{op.lower()}", f"Opcode {op}",
             header + target("12x12", fmt) + ("color R32G32B32A32_UINT\n" if second else "") +
             "vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\n"
             "DCL OUT[0], COLOR\n" + second + "DCL TEMP[0..5]\nIMM[0] FLT32 {1000.0, 4.0, 0.125, 0.5}\n"
             "IMM[1] FLT64 {100000000000.0, 100000000000.0}\n" + code + "}\n" + field +
             f"draw 4{chr(10) + 'show color0 color1' if second else ''}")


FLOW = {
    "if": ("IF and ELSE", ["IF IN[0].xxxx", "MOV OUT[0], IMM[0].xyyx", "ELSE", "MOV OUT[0], IMM[0].yxyx", "ENDIF"]),
    "uif": ("UIF on a comparison", ["FSLT TEMP[0].x, IN[0].xxxx, IN[0].yyyy", "UIF TEMP[0].xxxx", "MOV OUT[0], IMM[0].xyyx", "ELSE",
                                    "MOV OUT[0], IMM[0].yxyx", "ENDIF"]),
    "nested_if": ("IF inside IF", ["FSLT TEMP[0].x, IN[0].xxxx, IMM[0].yyyy", "FSLT TEMP[0].y, IN[0].yyyy, IMM[0].yyyy", "UIF TEMP[0].xxxx",
                                   "UIF TEMP[0].yyyy", "MOV OUT[0], IMM[0].xyyx", "ELSE", "MOV OUT[0], IMM[0].yxyx", "ENDIF", "ELSE",
                                   "MOV OUT[0], IMM[0].yyxx", "ENDIF"]),
    "loop_break": ("BGNLOOP and BRK: a count for each pixel",
                   ["MOV TEMP[0], IMM[0].yyyy", "BGNLOOP", "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].zzzz",
                    "ADD TEMP[0].y, |IN[0].xxxx|, |IN[0].yyyy|", "MUL TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz",
                    "FSLT TEMP[0].z, TEMP[0].yyyy, TEMP[0].xxxx", "UIF TEMP[0].zzzz", "BRK", "ENDIF", "ENDLOOP",
                    "MOV OUT[0], TEMP[0].xxxx"]),
    "loop_continue": ("CONT: odd rounds leave out the sum",
                      ["MOV TEMP[0], IMM[0].yyyy", "BGNLOOP", "ADD TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx",
                       "FSLT TEMP[0].z, IMM[0].wwww, TEMP[0].xxxx", "UIF TEMP[0].zzzz", "BRK", "ENDIF", "FLR TEMP[1].x, TEMP[0].xxxx",
                       "MUL TEMP[1].y, TEMP[0].xxxx, IN[0].xxxx", "FSLT TEMP[0].z, TEMP[1].yyyy, IN[0].yyyy", "UIF TEMP[0].zzzz", "CONT",
                       "ENDIF", "ADD TEMP[0].y, TEMP[0].yyyy, IMM[0].zzzz", "ENDLOOP", "MOV OUT[0], TEMP[0].yyyy"]),
    "switch": ("SWITCH with CASE, fall-through and DEFAULT",
               ["F2I TEMP[0].x, IN[0].xxxx", "SWITCH TEMP[0].xxxx", "CASE IMM[1].xxxx", "MOV OUT[0], IMM[0].xyyx", "BRK", "CASE IMM[1].yyyy",
                "CASE IMM[1].zzzz", "MOV OUT[0], IMM[0].yxyx", "BRK", "DEFAULT", "MOV OUT[0], IMM[0].yyxx", "BRK", "ENDSWITCH"]),
    "call": ("CAL and RET", None),
    "temporary_array": ("An array of temporaries, indexed", None),
}


def flow() -> None:
    field = strip([(-4, -4, 3, 0.5), (4, -4, -2, 1.5), (-4, 4, 1, -2), (4, 4, 0.25, 4)])
    head = ("vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\n"
            "DCL TEMP[0..2]\nIMM[0] FLT32 {1.0, 0.0, 0.125, 8.0}\nIMM[1] INT32 {0, 1, 2, 3}\n")
    for name, (title, lines) in FLOW.items():
        if lines is None:
            continue
        code = "".join(f"  {i}: {line}\n" for i, line in enumerate(lines + ["END"]))
        case(f"flow/{name}", title, target("24x24") + head + code + "}\n" + field + "draw 4")
    case("flow/call", "CAL of a subroutine from two places",
         target("24x24") + head + "  0: MOV TEMP[0], IN[0]\n  1: CAL :6\n  2: IF IN[0].xxxx\n  3:   CAL :6\n  4: ENDIF\n  5: MOV OUT[0], TEMP[0]\n"
         "  6: RET\n  7: BGNSUB\n  8: MUL TEMP[0], TEMP[0], IMM[0].zzzz\n  9: ADD TEMP[0], TEMP[0], IMM[0].zzzz\n 10: RET\n 11: ENDSUB\n 12: END\n"
         .replace(":6", ":7") + "}\n" + field + "draw 4")
    case("flow/temporary_array", "An array of temporaries, written and read by index",
         target("24x24") + head.replace("DCL TEMP[0..2]\n", "DCL TEMP[0..2]\nDCL TEMP[3..6], ARRAY(1)\nDCL ADDR[0]\n") +
         "".join(f"  {i}: MUL TEMP[{3 + i}], IMM[0].zzzz, IMM[0].{c}\n" for i, c in enumerate(["wyyw", "ywyw", "yyww", "wwyw"])) +
         "  4: ADD TEMP[0].x, |IN[0].xxxx|, IMM[0].yyyy\n  5: ARL ADDR[0].x, TEMP[0].xxxx\n  6: MIN TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
         "  7: MOV OUT[0], TEMP[ADDR[0].x+3](1)\n  8: END\n}\n" + field + "draw 4")


def remove_old() -> None:
    """Files of tables that have gone; cases written by hand begin with a comment."""
    for path in OUT.rglob("*.scene"):
        name = path.relative_to(OUT).with_suffix("").as_posix()
        if name not in written and not path.read_text().startswith("#"):
            path.unlink()


if __name__ == "__main__":
    for topic in (primitives, raster, depth, stencil, blend, targets, multisample, texture, formats, vertex_formats, fragment, blits,
                  opcodes, flow):
        topic()
    remove_old()
    print(f"{len(written)} cases in {OUT}")
