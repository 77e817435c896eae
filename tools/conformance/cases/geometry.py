"""Geometry shaders: primitives in and out, invocations, layers, clipping, resources."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, RING, ZIGZAG, case, colored, number, strip, target, vertices
from .primitives import PRIMITIVES

FLAT = """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
}
"""
CLEAR = "clear color 0 0 0.2 1\n"
INPUTS = {"points": "POINTS", "lines": "LINES", "line_loop": "LINES", "line_strip": "LINES", "lines_adjacency": "LINES_ADJACENCY",
          "line_strip_adjacency": "LINES_ADJACENCY", "triangles_adjacency": "TRIANGLES_ADJACENCY",
          "triangle_strip_adjacency": "TRIANGLES_ADJACENCY"}


def shader(taken: str, made: str, most: int, body: str, declarations: str = "", invocations: int = 1) -> str:
    """A geometry shader with inputs POSITION and GENERIC[0] and the same outputs; instructions get their numbers here."""
    lines = [line.strip() for line in body.strip().splitlines()] + ["END"]
    head = (f"GEOM\nPROPERTY GS_INPUT_PRIMITIVE {taken}\nPROPERTY GS_OUTPUT_PRIMITIVE {made}\nPROPERTY GS_MAX_OUTPUT_VERTICES {most}\n"
            f"PROPERTY GS_INVOCATIONS {invocations}\nDCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[0], POSITION\n"
            "DCL OUT[1], GENERIC[0]\n")
    return ("geometry_shader {\n" + head + declarations + "DCL TEMP[0..9]\nDCL ADDR[0..1]\n"
            "IMM[0] FLT32 {0.25, 0.75, 0.5, 1.0}\nIMM[1] UINT32 {0, 1, 2, 3}\nIMM[2] FLT32 {0.33333333, 0.1, -0.1, 0.0}\n" +
            "\n".join(f"  {i}: {line}" for i, line in enumerate(lines)) + "\n}\n")


def emit(vertex: str, color: str, more: str = "") -> str:
    return f"MOV OUT[0], {vertex}\nMOV OUT[1], {color}\n{more}EMIT IMM[1].xxxx\n"


CUT = "ENDPRIM IMM[1].xxxx\n"


def shrunk(vertices_: list[int], colors: list[int]) -> str:
    """A triangle a quarter smaller, with the colours of the vertices named."""
    a, b, c = vertices_
    text = f"ADD TEMP[0], IN[{a}][0], IN[{b}][0]\nADD TEMP[0], TEMP[0], IN[{c}][0]\nMUL TEMP[0], TEMP[0], IMM[2].xxxx\n"
    for v, k in zip(vertices_, colors):
        text += f"LRP TEMP[1], IMM[0].xxxx, TEMP[0], IN[{v}][0]\n" + emit("TEMP[1]", f"IN[{k}][1]")
    return text + CUT


ECHO = {
    "POINTS": ("TRIANGLE_STRIP", 3, "ADD TEMP[0], IN[0][0], IMM[2].yzww\nADD TEMP[1], IN[0][0], IMM[2].zyww\n" +
               emit("IN[0][0]", "IN[0][1]") + emit("TEMP[0]", "IN[0][1].yzxw") + emit("TEMP[1]", "IN[0][1].zxyw")),
    "LINES": ("LINE_STRIP", 4, emit("IN[0][0]", "IN[0][1]") + "ADD TEMP[0], IN[1][0], IMM[2].ywww\n" + emit("TEMP[0]", "IN[1][1]") +
              emit("IN[1][0]", "IN[0][1]") + CUT),
    "TRIANGLES": ("TRIANGLE_STRIP", 3, shrunk([0, 1, 2], [0, 1, 2])),
    "LINES_ADJACENCY": ("LINE_STRIP", 6, emit("IN[1][0]", "IN[1][1]") + emit("IN[2][0]", "IN[2][1]") + CUT +
                        "LRP TEMP[0], IMM[0].yyyy, IN[1][0], IN[0][0]\n" + emit("TEMP[0]", "IN[0][1]") + emit("IN[1][0]", "IN[0][1]") + CUT +
                        "LRP TEMP[0], IMM[0].yyyy, IN[2][0], IN[3][0]\n" + emit("TEMP[0]", "IN[3][1]") + emit("IN[2][0]", "IN[3][1]")),
    "TRIANGLES_ADJACENCY": ("TRIANGLE_STRIP", 12, shrunk([0, 2, 4], [0, 2, 4]) + shrunk([0, 1, 2], [1, 1, 1]) + shrunk([2, 3, 4], [3, 3, 3]) +
                            shrunk([4, 5, 0], [5, 5, 5])),
}


def echo(kind: str) -> str:
    taken = INPUTS.get(kind, "TRIANGLES")
    made, most, body = ECHO[taken]
    return shader(taken, made, most, body)


def inputs() -> None:
    for kind, points in PRIMITIVES.items():
        more = [ZIGZAG[i % 8] for i in range(10)] if kind == "triangle_strip_adjacency" else points
        rows = vertices([(x + 0.02 * (i // 8), y, 0, 1, *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(more)])
        for first in (False, True):
            case(f"geometry/{kind}" + ("_first" if first else ""),
                 f"A geometry shader takes {kind}; flat shading by the {'first' if first else 'last'} vertex",
                 target() + FLAT + echo(kind) + rows + f"set primitive {kind}\n" +
                 ("set raster.flat_shade_first on\n" if first else "") + CLEAR + f"draw {len(more)}")
    for kind, restart in (("triangle_strip", 255), ("line_strip_adjacency", 255), ("triangle_strip_adjacency", 255)):
        case(f"geometry/restart_{kind}", f"Restart indices in a {kind} before a geometry shader",
             target() + COLOR + echo(kind) + vertices(colored(ZIGZAG)) +
             f"indices u8 {{\n  0 1 2 3 4 5 {restart} 7 5 6 4 2 0 {restart} 1 2\n}}\nset primitive {kind}\n" + CLEAR + f"draw 16 restart={restart}")


QUAD = "".join(f"ADD TEMP[0].x, IN[0][0].xxxx, IMM[2].{'y' if i & 1 else 'z'}{'y' if i & 1 else 'z'}{'y' if i & 1 else 'z'}{'y' if i & 1 else 'z'}\n"
               f"ADD TEMP[0].y, IN[0][0].yyyy, IMM[2].{'y' if i & 2 else 'z'}{'y' if i & 2 else 'z'}{'y' if i & 2 else 'z'}{'y' if i & 2 else 'z'}\n"
               "MOV TEMP[0].zw, IN[0][0].zwww\n" + emit("TEMP[0]", f"IN[0][1].{swizzle}") for i, swizzle in enumerate(("xyzw", "yzxw", "zxyw", "xxyw")))
SPRITES = shader("POINTS", "TRIANGLE_STRIP", 4, QUAD)


def outputs() -> None:
    points = vertices(colored(RING)) + "set primitive points\n"
    states = {"": "", "culled": "set raster.cull front\n", "as_lines": "set raster.fill line\n", "as_points": "set raster.fill point\nset raster.point_size 3\n",
              "wide_lines": "set raster.fill line\nset raster.line_width 3\n"}
    for name, state in states.items():
        case("geometry/sprites" + (f"_{name}" if name else ""), "Points become quads" + (f", drawn {name.replace('_', ' ')}" if name else ""),
             target("48x48") + COLOR + SPRITES + points + state + CLEAR + "draw 8")
    case("geometry/sprites_samples_4", "Points become quads in a multisampled target",
         target("48x48", samples=4) + COLOR + SPRITES + points + CLEAR + "draw 8")
    case("geometry/sprites_blended", "Quads of a geometry shader blend in the order of their points",
         target("48x48") + COLOR + SPRITES + points + "set blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n" + CLEAR +
         vertices([(x * 0.3, y * 0.3, 0, 1, *RAINBOW[i % 4][:3], 0.5) for i, (x, y) in enumerate(RING)]) + "draw 8")
    for width in (1, 5):
        case(f"geometry/line_strip_width_{width}", f"Lines of a geometry shader, {width} wide",
             target("48x48") + COLOR + echo("lines_adjacency") + vertices(colored(RING)) + f"set primitive lines_adjacency\nset raster.line_width {width}\n" +
             CLEAR + "draw 8")
    case("geometry/line_strip_stipple", "The stipple of lines begins anew with each strip",
         target("48x48") + COLOR + echo("lines_adjacency") + vertices(colored(RING)) + "set primitive lines_adjacency\nset raster.line_stipple 0x3333\n" + CLEAR + "draw 8")
    case("geometry/sprites_stippled_lines", "Each triangle of a strip that is drawn as lines begins the stipple anew",
         target("48x48") + COLOR + SPRITES + points + "set raster.fill line\nset raster.line_stipple 0x3333\n" + CLEAR + "draw 8")
    sized = "DCL OUT[2].x, PSIZE\n"
    corners = "".join(f"MUL OUT[2].x, IMM[0].{'yzxw'[i] * 4}, CONST[0].xxxx\n" + emit(f"IN[{i}][0]", f"IN[{i}][1]") for i in range(3))
    for per_vertex in (True, False):
        case("geometry/points_" + ("sized" if per_vertex else "unsized"), "Corners as points, sized by the " + ("shader" if per_vertex else "state"),
             target("48x48") + COLOR + shader("TRIANGLES", "POINTS", 3, corners, sized + "DCL CONST[0][0]\n").replace("CONST[0].xxxx", "CONST[0][0].xxxx") +
             "geometry_constants f32 {\n  9 0 0 0\n}\n" + vertices(colored(ZIGZAG[:6])) +
             ("set raster.point_size_per_vertex on\n" if per_vertex else "set raster.point_size 4\n") + CLEAR + "draw 6")


def rectangle(half: str, changes: bool = True, upright: bool = False) -> str:
    """A strip of four vertices around a point, with sides along the axes. Red changes across it and green down, if anything does."""
    text = ""
    for i in range(4):
        right, down = (i >> 1, i & 1) if upright else (i & 1, i >> 1)
        text += f"ADD TEMP[0].x, IN[0][0].xxxx, {'' if right else '-'}{half}\nADD TEMP[0].y, IN[0][0].yyyy, {'' if down else '-'}{half}\n"
        text += "MOV TEMP[0].zw, IN[0][0].zwww\nMOV TEMP[1], IN[0][1]\n"
        if changes:
            text += f"MOV TEMP[1].x, IMM[0].{'yyyy' if right else 'xxxx'}\nMOV TEMP[1].y, IMM[0].{'wwww' if down else 'xxxx'}\n"
        text += emit("TEMP[0]", "TEMP[1]")
    return shader("POINTS", "TRIANGLE_STRIP", 4, text)


def rectangles() -> None:
    """Two triangles that are one rectangle of pixels may be drawn as one primitive."""
    points = vertices(colored(RING)) + "set primitive points\n"
    small, large = "IMM[2].yyyy", "IMM[0].yyyy"
    far = vertices([(2 * x, 2 * y, 0.2 * i - 0.6, 2, *RAINBOW[i % 4][:3], 0.5) for i, (x, y) in enumerate(RING)]) + "set primitive points\n"
    blended = "set blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n"
    for name, text, body, state in (
            ("", "with a colour that changes across and one that changes down", COLOR + rectangle(small) + points, ""),
            ("_first", "that the first vertex provokes", COLOR + rectangle(small) + points, "set raster.flat_shade_first on\n"),
            ("_upright", "whose first side is upright", COLOR + rectangle(small, upright=True) + points, ""),
            ("_flat", "of one colour each, flat", FLAT + rectangle(small, changes=False) + points, ""),
            ("_flat_changing", "that are flat, but not of one colour", FLAT + rectangle(small) + points, ""),
            ("_culled", "that are culled", COLOR + rectangle(small) + points, "set raster.cull back\n"),
            ("_as_lines", "drawn as lines", COLOR + rectangle(small) + points, "set raster.fill line\n"),
            ("_blended", "with another w, blended", COLOR + rectangle(small) + far, blended)):
        case("geometry/rectangles" + name, "Rectangles " + text, target("48x48") + body + state + CLEAR + "draw 8")
    for name, state in (("", ""), ("_blended", blended)):
        case("geometry/rectangles_large" + name, "Rectangles over many tiles" + (", blended" if name else ""),
             target("256x256") + COLOR + rectangle(large) + far + state + CLEAR + "draw 8")
    case("geometry/rectangles_depth", "Rectangles that hide each other", target("160x96", depth="D24_UNORM_S8_UINT") + COLOR + rectangle(large) + far +
         "set depth.test on\nset depth.write on\nset depth.func less\nclear depth 1\n" + CLEAR + "draw 8")
    case("geometry/rectangles_clipped", "Rectangles, some of which lie behind the far plane", target("48x48") + COLOR + rectangle(small) +
         vertices([(x, y, 0.3 * i - 1, 1, *RAINBOW[i % 4]) for i, (x, y) in enumerate(RING)]) + "set primitive points\n" + CLEAR + "draw 8")
    lowest = "vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[0], COLOR\nDCL TEMP[0]\n" + (
        "IMM[0] FLT32 {4194304.0, 0.0, 0.0, 1.0}\n  0: MUL TEMP[0], IN[0], IMM[0].xxxx\n  1: FRC OUT[0].xyz, TEMP[0]\n  2: MOV OUT[0].w, IMM[0].wwww\n  3: END\n}\n")
    case("geometry/rectangles_bits", "The last bits of varyings in rectangles", target("96x96") + lowest + rectangle(large) + far + CLEAR + "draw 8")
    case("geometry/rectangles_samples_4", "Rectangles in a multisampled target", target("48x48", samples=4) + COLOR + rectangle(small) + points + CLEAR + "draw 8")


def loop(body: str, count: str) -> str:
    """`body` for TEMP[9].x from 0 to below `count`."""
    return ("MOV TEMP[9].x, IMM[1].xxxx\nBGNLOOP :0\nUSGE TEMP[9].y, TEMP[9].xxxx, " + count + "\nUIF TEMP[9].yyyy :0\nBRK\nENDIF\n" + body +
            "UADD TEMP[9].x, TEMP[9].xxxx, IMM[1].yyyy\nENDLOOP :0\n")


ID = "DCL SV[0], INVOCATIONID\n"
#: Moves TEMP[1] by a multiple of (0.1, -0.1): TEMP[8].x times.
STEP = "U2F TEMP[8].x, TEMP[8].xxxx\nMUL TEMP[8], TEMP[8].xxxx, IMM[2].yzww\nMOV TEMP[8].zw, IMM[2].wwww\n"


def counts() -> None:
    moved = ("MOV TEMP[8].x, SV[0].xxxx\n" + STEP +
             "".join(f"ADD TEMP[1], IN[{i}][0], TEMP[8]\n" + emit("TEMP[1]", f"IN[{i}][1]") for i in range(3)))
    for invocations in (1, 2, 7, 32):
        case(f"geometry/invocations_{invocations}", f"{invocations} invocations a triangle",
             target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, moved, ID, invocations) + vertices(colored(ZIGZAG[:6])) + CLEAR + "draw 6")
    wander = "MOV TEMP[8].x, TEMP[9].xxxx\n" + STEP + "ADD TEMP[1], IN[0][0], TEMP[8]\nMOV TEMP[1].w, IMM[0].wwww\n"
    zigzag = (wander + "AND TEMP[2].x, TEMP[9].xxxx, IMM[1].yyyy\nUIF TEMP[2].xxxx :0\nADD TEMP[1].y, TEMP[1].yyyy, IMM[0].zzzz\nENDIF\n" +
              emit("TEMP[1]", "IN[0][1]"))
    start = vertices([(-0.9, 0.4, 0, 1, 1, 0.5, 0.2, 1), (-0.5, 0.0, 0, 1, 0.2, 0.6, 1, 1)]) + "set primitive points\n"
    for most in (0, 2, 3, 8, 256):
        case(f"geometry/most_{most}", f"No more than {most} vertices are emitted, whatever the shader does",
             target() + COLOR + shader("POINTS", "TRIANGLE_STRIP", most, loop(zigzag, "IMM[1].wwww".replace("IMM[1]", "CONST[0][0]")), "DCL CONST[0][0]\n") +
             "geometry_constants u32 {\n  0 0 0 " + str(min(most + 5, 260)) + "\n}\n" + start + CLEAR + "draw 2")
    case("geometry/incomplete_strips", "Strips that end with too few vertices make nothing",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 12, emit("IN[0][0]", "IN[0][1]") + CUT + emit("IN[1][0]", "IN[1][1]") +
                                   emit("IN[2][0]", "IN[2][1]") + CUT + CUT + shrunk([0, 1, 2], [2, 1, 0])) + vertices(colored(ZIGZAG[:6])) + CLEAR + "draw 6")
    case("geometry/divergent_ends", "Invocations end their strips at different vertices",
         target() + COLOR + shader("POINTS", "TRIANGLE_STRIP", 16, "UADD TEMP[3].x, SV[0].xxxx, IMM[1].wwww\n" +
                                   loop(zigzag + "USEQ TEMP[2].x, TEMP[9].xxxx, TEMP[3].xxxx\nUIF TEMP[2].xxxx :0\n" + CUT + "ENDIF\n", "CONST[0][0].xxxx"),
                                   ID + "DCL CONST[0][0]\n", 5) + "geometry_constants u32 {\n  9 0 0 0\n}\n" + start + CLEAR + "draw 2")
    case("geometry/early_return", "Lanes that return emit nothing more",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "FSLT TEMP[2].x, IN[0][0].xxxx, IMM[2].wwww\nUIF TEMP[2].xxxx :0\nRET\nENDIF\n" +
                                   shrunk([0, 1, 2], [0, 1, 2])) + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n" + CLEAR + "draw 8")
    case("geometry/kept_outputs", "Outputs keep their values over EMIT, and start as 0",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "MOV OUT[0], IN[0][0]\nMOV OUT[1].xw, IN[0][1]\nEMIT IMM[1].xxxx\nMOV OUT[0], IN[1][0]\n"
                                   "EMIT IMM[1].xxxx\nMOV OUT[0].xy, IN[2][0]\nMOV OUT[1].y, IMM[0].wwww\nEMIT IMM[1].xxxx") +
         vertices(colored(ZIGZAG[:6])) + CLEAR + "draw 6")
    case("geometry/nothing", "A geometry shader that emits nothing draws nothing",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "MOV TEMP[0], IN[0][0]") + vertices(colored(ZIGZAG[:6])) + CLEAR + "draw 6")


NUMBERED = """fragment_shader {
FRAG
DCL IN[0], PRIM_ID, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.0625, 0.5, 1.0, 0.25}
  0: U2F TEMP[0].x, IN[0].xxxx
  1: MUL OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx
  2: MOV OUT[0].yzw, IMM[0].yyyz
  3: END
}
"""


def numbers() -> None:
    vertex = "vertex_shader shaders/color.vert.tgsi\n"
    plain = shrunk([0, 1, 2], [0, 1, 2])
    own = "DCL IN[][2], PRIM_ID\nDCL OUT[2].x, PRIM_ID\n"
    written = "UADD OUT[2].x, IN[2].xxxx, IMM[1].wwww\nUADD OUT[2].x, OUT[2].xxxx, IN[2].xxxx\n".replace("UADD OUT[2].x, OUT[2].xxxx", "UADD TEMP[7].x, IN[2].xxxx")
    rows = vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n"
    case("geometry/id_passed", "The fragment shader sees the number of the input primitive",
         target() + vertex + NUMBERED + shader("TRIANGLES", "TRIANGLE_STRIP", 3, plain) + rows + CLEAR + "draw 8")
    case("geometry/id_read", "A geometry shader reads the number of its primitive",
         target() + vertex + "fragment_shader shaders/color.frag.tgsi\n" +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "U2F TEMP[5].x, IN[2].xxxx\nMUL TEMP[5].x, TEMP[5].xxxx, IMM[2].yyyy\nMOV TEMP[5].yzw, IMM[0].zzzw\n" +
                "".join(emit(f"IN[{i}][0]", "TEMP[5]") for i in range(3)), "DCL IN[][2], PRIM_ID\n") + rows + CLEAR + "draw 8")
    for first in (False, True):
        by_vertex = "".join("UMUL TEMP[6].x, IN[2].xxxx, IMM[1].zzzz\n" + emit(f"IN[{i}][0]", f"IN[{i}][1]", f"UADD OUT[2].x, TEMP[6].xxxx, IMM[1].{'xyz'[i] * 4}\n")
                            for i in range(3))
        case("geometry/id_written" + ("_first" if first else ""), "A geometry shader gives each vertex a number; the provoking one counts",
             target() + vertex + NUMBERED + shader("TRIANGLES", "TRIANGLE_STRIP", 3, by_vertex, own) + rows +
             ("set raster.flat_shade_first on\n" if first else "") + CLEAR + "draw 8")
    case("geometry/id_instances", "Numbers of primitives start again with each instance",
         target() + vertex + NUMBERED + shader("TRIANGLES", "TRIANGLE_STRIP", 3, written + plain, own.replace("DCL OUT[2].x, PRIM_ID\n", "DCL OUT[2].x, PRIM_ID\n")) +
         rows + CLEAR + "draw 8 instances=3")
    case("geometry/id_restart", "Numbers of primitives go on behind a restart index",
         target() + vertex + NUMBERED + shader("TRIANGLES", "TRIANGLE_STRIP", 3, plain) + vertices(colored(ZIGZAG)) +
         "set primitive triangle_strip\nindices u16 {\n  0 1 2 3 65535 4 5 6 7\n}\n" + CLEAR + "draw 9 restart=65535")


def layered() -> None:
    choose = "DCL OUT[2].x, LAYER\n"
    every = loop("MOV OUT[2].x, TEMP[9].xxxx\n" + shrunk([0, 1, 2], [1, 2, 0]).replace("MOV OUT[0], TEMP[1]\n", "MOV TEMP[8].x, TEMP[9].xxxx\n" + STEP +
                                                                                       "ADD OUT[0], TEMP[1], TEMP[8]\nMOV OUT[2].x, TEMP[9].xxxx\n"), "CONST[0][0].xxxx")
    kinds = {"2d_array": ("16x16", "layers=4", 4), "cube": ("16x16", "", 6), "3d": ("16x16x4", "", 4)}
    for kind, (size, more, layers) in kinds.items():
        case(f"geometry/layers_{kind}", f"A geometry shader draws each triangle to all layers of a {kind} target",
             "size 16x16\n" + f"texture slices {kind} R8G8B8A8_UNORM {size} target {more}".rstrip() + f"\nframebuffer slices+{layers}\n" + COLOR +
             shader("TRIANGLES", "TRIANGLE_STRIP", 3 * layers, every, choose + "DCL CONST[0][0]\n") + f"geometry_constants u32 {{\n  {layers} 0 0 0\n}}\n" +
             vertices(colored(ZIGZAG[:3])) + CLEAR + "draw 3\nshow " + " ".join(f"slices:0:{i}" for i in range(layers)))
    case("geometry/layers_by_invocation", "Invocations draw to layers of their own; numbers beyond the last mean the last",
         "size 16x16\ntexture slices 2d_array R8G8B8A8_UNORM 16x16 target layers=3\nframebuffer slices+3\n" + COLOR +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "".join(emit(f"IN[{i}][0]", f"IN[{i}][1]", "MOV OUT[2].x, SV[0].xxxx\n") for i in range(3)), choose + ID, 5) +
         vertices(colored(ZIGZAG[:3])) + CLEAR + "draw 3\nshow slices:0:0 slices:0:1 slices:0:2")
    sixteen = "".join(f"viewport_at {i} {number(8.5 * (i % 4))} {number(7.75 * (i // 4))} 9 {7 + i % 3}\n" for i in range(16))
    case("geometry/viewports", "Sixteen invocations, a viewport each",
         target("36x36") + sixteen + COLOR +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "".join(emit(f"IN[{i}][0]", f"IN[{i}][1]", "MOV OUT[2].x, SV[0].xxxx\n") for i in range(3)),
                "DCL OUT[2].x, VIEWPORT_INDEX\n" + ID, 16) + vertices(colored(ZIGZAG[:3])) + CLEAR + "draw 3")
    case("geometry/viewport_of_provoking", "The provoking vertex chooses the viewport of a strip's triangles",
         target("36x36") + sixteen + COLOR +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "".join(emit(f"IN[{i}][0]", f"IN[{i}][1]", f"MOV OUT[2].x, IMM[1].{'xyz'[i] * 4}\n") for i in range(3)),
                "DCL OUT[2].x, VIEWPORT_INDEX\n") + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n" + CLEAR + "draw 8")


def clipped() -> None:
    rows = vertices([(1.8 * x, 1.7 * y, 0.9 * x + 0.4, 1 + 0.5 * y, *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(ZIGZAG)]) + "set primitive triangle_strip\n"
    case("geometry/clipped", "Emitted triangles are clipped by the view volume",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrunk([0, 1, 2], [0, 1, 2])) + rows + CLEAR + "draw 8")
    case("geometry/clipped_lines", "Emitted lines are clipped by the view volume",
         target() + COLOR + echo("line_strip") + rows.replace("triangle_strip", "line_strip") + CLEAR + "draw 8")
    distance = "".join(emit(f"IN[{i}][0]", f"IN[{i}][1]", f"ADD OUT[2].x, IN[{i}][0].xxxx, IMM[0].xxxx\nADD OUT[2].y, -IN[{i}][0].yyyy, IMM[0].xxxx\n") for i in range(3))
    declared = "DCL OUT[2].xy, CLIPDIST\n"
    case("geometry/clip_distances", "Clip distances of a geometry shader",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, distance, declared) + vertices(colored(ZIGZAG)) +
         "set primitive triangle_strip\nset raster.clip_plane_enable 3\n" + CLEAR + "draw 8")
    case("geometry/cull_distances", "A triangle whose corners all have negative cull distances vanishes",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, distance, declared).replace("GEOM\n", "GEOM\nPROPERTY NUM_CLIPDIST_ENABLED 0\nPROPERTY NUM_CULLDIST_ENABLED 2\n") +
         vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n" + CLEAR + "draw 8")
    case("geometry/user_planes", "User clip planes apply to emitted positions",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrunk([0, 1, 2], [0, 1, 2])) + vertices(colored(ZIGZAG)) +
         "set primitive triangle_strip\nset raster.clip_plane_enable 1\nset clip_plane 0 1 0.5 0 0.1\n" + CLEAR + "draw 8")


def interpolated() -> None:
    for mode in ("CONSTANT", "LINEAR", "PERSPECTIVE"):
        fragment = f"fragment_shader {{\nFRAG\nDCL IN[0], GENERIC[0], {mode}\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n}}\n"
        rows = vertices([(x * (1 + 0.4 * (i % 3)), y * (1 + 0.4 * (i % 3)), 0, 1 + 0.4 * (i % 3), *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(ZIGZAG)])
        case(f"geometry/varying_{mode.lower()}", f"Varyings of a geometry shader, {mode.lower()}",
             target() + "vertex_shader shaders/color.vert.tgsi\n" + fragment + shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrunk([0, 1, 2], [0, 1, 2])) +
             rows + "set primitive triangle_strip\n" + CLEAR + "draw 8")
    two = "DCL OUT[2], COLOR\nDCL OUT[3], BCOLOR\n"
    fragment = "fragment_shader {\nFRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n}\n"
    both = "".join(emit(f"IN[{i}][0]", f"IN[{i}][1]", f"MOV OUT[2], IN[{i}][1]\nMOV OUT[3], IN[{i}][1].zxyw\n") for i in range(3))
    case("geometry/two_sided", "Front and back colours of a geometry shader",
         target() + "vertex_shader shaders/color.vert.tgsi\n" + fragment + shader("TRIANGLES", "TRIANGLE_STRIP", 3, both, two) +
         vertices(colored([RING[i] for i in (0, 1, 2, 5, 4, 3)])) + "set raster.two_sided_color on\n" + CLEAR + "draw 6")


def resources() -> None:
    rows = vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n"
    colored_by = "".join(emit(f"IN[{i}][0]", "TEMP[4]") for i in range(3))
    case("geometry/constants", "Constants of the geometry stage, by number and computed",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "UARL ADDR[0].x, IN[2].xxxx\nADD TEMP[4], CONST[0][0], CONST[1][ADDR[0].x]\n" + colored_by,
                                   "DCL IN[][2], PRIM_ID\nDCL CONST[0][0]\nDCL CONST[1][0..5]\n") +
         "geometry_constants f32 {\n  0.1 0.1 0.1 0.5\n}\ngeometry_constants 1 f32 {\n" +
         "\n".join("  " + " ".join(number(v) for v in (*RAINBOW[i % 4][:2], 0.15 * i, 0.5)) for i in range(6)) + "\n}\n" + rows + CLEAR + "draw 8")
    case("geometry/texture", "A geometry shader reads a texture",
         target() + "texture picture 2d R8G8B8A8_UNORM 8x8\nfill picture * noise 5\ngeometry_bind 0 picture\ngeometry_sampler 0 filter=nearest\n" + COLOR +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "MOV TEMP[5].xy, IN[0][0]\nMOV TEMP[5].zw, IMM[2].wwww\nTXL TEMP[4], TEMP[5], SAMP[0], 2D\n" + colored_by,
                "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n") + rows + CLEAR + "draw 8")
    case("geometry/fetched", "A geometry shader fetches from a buffer texture by the number of its primitive",
         target() + "buffer words f32 {\n" + "\n".join("  " + " ".join(number(v) for v in RAINBOW[i % 4]) for i in range(6)) +
         "\n}\ngeometry_bind_buffer 0 words R32G32B32A32_FLOAT\n" + COLOR +
         shader("TRIANGLES", "TRIANGLE_STRIP", 3, "MOV TEMP[5], IN[2].xxxx\nTXF TEMP[4], TEMP[5], SAMP[0], BUFFER\n" + colored_by,
                "DCL IN[][2], PRIM_ID\nDCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\n") + rows + CLEAR + "draw 8")
    case("geometry/computed_vertex", "A geometry shader reads its vertices by a computed number",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, loop("UARL ADDR[1].x, TEMP[9].xxxx\nMOV OUT[0], IN[ADDR[1].x][0]\nMOV OUT[1], IN[ADDR[1].x][1].zxyw\n"
                                                                           "EMIT IMM[1].xxxx\n", "IMM[1].wwww")) + rows + CLEAR + "draw 8")
    case("geometry/array", "A geometry shader keeps its vertices in an array of temporaries",
         target() + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "MOV TEMP[10], IN[0][0]\nMOV TEMP[11], IN[1][0]\nMOV TEMP[12], IN[2][0]\n" +
                                   loop("ISUB TEMP[6].x, IMM[1].zzzz, TEMP[9].xxxx\nUARL ADDR[0].x, TEMP[6].xxxx\nMOV OUT[0], TEMP[ADDR[0].x+10](1)\nMOV OUT[1], IN[0][1]\n"
                                        "EMIT IMM[1].xxxx\n".replace("ISUB TEMP[6].x, IMM[1].zzzz, TEMP[9].xxxx", "UADD TEMP[6].x, IMM[1].zzzz, -TEMP[9].xxxx"), "IMM[1].wwww"),
                                   "DCL TEMP[10..12], ARRAY(1), LOCAL\n") + rows + CLEAR + "draw 8")
    stored = "buffer words zeros 32\ngeometry_storage 0 words\n"
    case("geometry/storage", "Geometry shaders count in a buffer, which a later draw reads",
         target() + stored + COLOR + shader("TRIANGLES", "TRIANGLE_STRIP", 3, "ATOMUADD TEMP[7].x, BUFFER[0], IMM[1].xxxx, IMM[1].yyyy\n" +
                                            shrunk([0, 1, 2], [0, 1, 2]), "DCL BUFFER[0]\n") + rows + CLEAR + "draw 8\n" +
         "geometry_shader none\nstorage 0 words\nfragment_shader {\nFRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
         "IMM[1] FLT32 {0.1, 0.5, 0.5, 1.0}\n  0: LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n  1: U2F TEMP[0].x, TEMP[0].xxxx\n  2: MUL OUT[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
         "  3: MOV OUT[0].yzw, IMM[1].yyyw\n  4: END\n}\n" + strip(RAINBOW, x0=0.2, y0=-1.0, y1=-0.5) + "draw 4")


def geometry() -> None:
    inputs()
    outputs()
    rectangles()
    counts()
    numbers()
    layered()
    clipped()
    interpolated()
    resources()
