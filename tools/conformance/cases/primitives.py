"""Primitive kinds, restart, system values, divisors."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RING, SHADE, ZIGZAG, case, colored, target, vertices

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
    unused = ["  9 9 9 9 9 9 9 9"] * 3
    behind = small.replace("{\n", "{\n" + "\n".join(unused) + "\n", 1)
    for value in ("BASEVERTEX", "VERTEXID_NOBASE"):
        name = "primitive/" + value.lower()
        indices = "indices u16 {\n  0 1 2\n}\n"
        case(f"{name}_first", f"{value} without indices, behind a first vertex: there is no base vertex",
             target() + shader % value + behind + "clear color 0 0 0.2 1\ndraw 3 first=3")
        case(f"{name}_indexed", f"{value} with a base vertex",
             target() + shader % value + behind + indices + "clear color 0 0 0.2 1\ndraw 3 base_vertex=3")
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
