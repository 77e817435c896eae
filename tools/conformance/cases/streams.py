"""Stream output: primitives of assembly, patches and geometry shaders go to buffers, which are drawn then."""
# SPDX-License-Identifier: MIT
from .common import RAINBOW, RING, ZIGZAG, case, colored, target, vertices
from .geometry import CLEAR, CUT, FLAT, emit, shader as geometry_shader
from .primitives import PRIMITIVES
from .tessellation import PASS, TRIANGLE, blended, control, evaluation, levels, patch

#: Position and colour of a vertex, in slot 0.
BOTH = "capture 0 0\ncapture 0 1 offset=16\n"
ONLY = "set raster.rasterizer_discard on\n"
#: The colours of flat primitives show the provoking vertex.
REPLAY = ("stream none\nset raster.rasterizer_discard off\ngeometry_shader none\ntess_control_shader none\ntess_evaluation_shader none\n" + FLAT +
          "attribute 0 R32G32B32A32_FLOAT\nattribute 1 R32G32B32A32_FLOAT offset=16\n")


def captured(bytes_: int, capture: str = BOTH, stride: int = 32, more: str = "") -> str:
    return f"buffer caught zeros {bytes_}\nstream 0 caught {stride}{more}\n" + capture


def replay(kind: str, count: int, more: str = "") -> str:
    """Draws the vertices of the buffer."""
    return REPLAY + f"vertex_buffer 0 32 buffer=caught\nset primitive {kind}\n" + more + f"draw {count}\n"


def assembled(kind: str, n: int) -> tuple[str, int]:
    """The kind of list that assembly makes of n vertices, and its vertices."""
    return {"points": ("points", n), "lines": ("lines", n), "line_loop": ("lines", 2 * n), "line_strip": ("lines", 2 * n - 2),
            "triangles": ("triangles", n), "quads": ("triangles", n // 4 * 6), "quad_strip": ("triangles", (n - 2) // 2 * 6),
            "lines_adjacency": ("lines", n // 4 * 2), "line_strip_adjacency": ("lines", 2 * (n - 3)), "triangles_adjacency": ("triangles", n // 2),
            "triangle_strip_adjacency": ("triangles", (n - 4) // 2 * 3)}.get(kind, ("triangles", 3 * (n - 2)))


def of_assembly() -> None:
    for kind, points in PRIMITIVES.items():
        made, count = assembled(kind, len(points))
        for first in ("off", "on"):
            case(f"stream/{kind}_{'first' if first == 'on' else 'last'}", f"Captured: {kind}, flat_shade_first {first}",
                 target() + CLEAR + FLAT + vertices(colored(points)) + captured(32 * (count + 2)) + ONLY +
                 f"set primitive {kind}\nset raster.point_size 5\nset raster.flat_shade_first {first}\ndraw {len(points)}\n" + replay(made, count))
    strip = target() + CLEAR + FLAT + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n"
    case("stream/drawn_too", "A strip is captured and drawn; what was captured is drawn over it, mirrored",
         strip + captured(32 * 18) + "draw 8\n" + replay("triangles", 18, "set viewport_transform -10 10 0.5 16 16 0.5\n"))
    case("stream/appended", "Draws append: two of parts of a strip, and two instances of another part, with indices and restart",
         strip + captured(32 * 30) + ONLY + "draw 3\ndraw 4 first=4\nindices u16 {\n  2 3 4 65535 3 4 5\n}\ndraw 7 instances=2 restart=65535\n"
         "indices none\n" + replay("triangles", 21))
    case("stream/full", "A buffer for four triangles and a half takes four; those of the next draw fit no more",
         strip + captured(32 * 18, more=" size=432") + ONLY + "draw 8\ndraw 3\n" + replay("triangles", 18))
    case("stream/parts", "Components of outputs go to three slots in two buffers; drawing reads each from its own",
         strip + "buffer caught zeros 448\nbuffer more zeros 288\nstream 0 caught 12\nstream 1 more 16\nstream 3 caught 12 offset=224\n"
         "capture 0 0 first=1 components=3 offset=0\ncapture 1 1 components=2 offset=8\ncapture 1 1 first=2 components=2\n"
         "capture 3 0 components=1 offset=8\ncapture 3 1 first=1 components=2\n" + ONLY + "draw 8\n" + REPLAY.replace(
             FLAT, """vertex_shader {
VERT
DCL IN[0..3]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0].x, IN[2].xxxx
  1: MOV OUT[0].yzw, IN[0].xxyz
  2: MOV OUT[1].xyw, IN[1].zwww
  3: MOV OUT[1].z, IN[3].xxxx
  4: END
}
""" + FLAT.split("\n", 1)[1]) +
         "attribute 0 R32G32B32_FLOAT\nattribute 1 R32G32B32A32_FLOAT slot=1\nattribute 2 R32_FLOAT slot=3 offset=8\n"
         "attribute 3 R32G32_FLOAT slot=3\nvertex_buffer 0 12 buffer=caught\nvertex_buffer 1 16 buffer=more\n"
         "vertex_buffer 3 12 buffer=caught offset=224\nset primitive triangles\ndraw 18\n")


def of_geometry() -> None:
    points = vertices([(x, y, 0, 1, *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(RING)]) + "set primitive points\n"
    quad = "".join(f"ADD TEMP[0].xy, IN[0][0], IMM[2].{places}\nMOV TEMP[0].zw, IN[0][0]\n" + emit("TEMP[0]", f"IN[0][1].{color}")
                   for places, color in (("zzww", "xyzw"), ("yzww", "yzxw"), ("zyww", "zxyw"), ("yyww", "xxyw")))
    for first in ("off", "on"):
        case(f"stream/geometry_strip_{'first' if first == 'on' else 'last'}",
             f"A geometry shader's strips are captured as triangles, flat_shade_first {first}",
             target() + CLEAR + FLAT + points + geometry_shader("POINTS", "TRIANGLE_STRIP", 4, quad) + captured(32 * 48) + ONLY +
             f"set raster.flat_shade_first {first}\ndraw 8\n" + replay("triangles", 48))
    moved = ("MUL TEMP[2], IN[0][0], IMM[0].zzww\nU2F TEMP[1].xy, SV[0].xxxx\nMAD TEMP[2].xy, TEMP[1], IMM[0].xxxx, TEMP[2]\n" +
             emit("IN[0][0]", "IN[0][1]") + emit("TEMP[2]", "IN[0][1].yzxw") + CUT + emit("TEMP[2]", "IN[0][1].zxyw") + CUT)
    case("stream/geometry_invocations", "Line strips of three invocations and two instances; those of one vertex are none",
         target() + CLEAR + FLAT + points + geometry_shader("POINTS", "LINE_STRIP", 3, moved, "DCL SV[0], INVOCATIONID\n", invocations=3) +
         captured(32 * 96) + ONLY + "draw 8 instances=2\n" + replay("lines", 96))
    streams = "".join(f"MUL OUT[{2 * s}], IN[0][0], IMM[{0 if s < 2 else 2}].{'zzww' if s % 2 else 'yyww'}\nMOV OUT[{2 * s + 1}], IN[0][1].{color}\n"
                      f"EMIT IMM[1].{'xyzw'[s] * 4}\n" + (f"MOV OUT[{2 * s}].x, -OUT[{2 * s}].xxxx\nEMIT IMM[1].wwww\n" if s == 3 else "")
                      for s, color in enumerate(("xyzw", "yzxw", "zxyw", "xxyw")))
    streams = streams.replace("IMM[2].yyww", "IMM[0].xxww").replace("IMM[2].zzww", "IMM[0].wwww").replace("-OUT[6].xxxx", "-IN[0][0].xxxx")
    outputs = "".join(f"DCL OUT[{2 * s}], GENERIC[{2 * s + 5}], STREAM({s}, {s}, {s}, {s})\n"
                      f"DCL OUT[{2 * s + 1}], GENERIC[{2 * s + 6}], STREAM({s}, {s}, {s}, {s})\n" for s in range(1, 4))
    case("stream/geometry_streams", "Points of four streams go to four ranges of a buffer, the last of which is too small",
         target() + CLEAR + FLAT + points + geometry_shader("POINTS", "POINTS", 5, streams, outputs) + "buffer caught zeros 1216\n" +
         "".join(f"stream {s} caught 32 offset={256 * s}{' size=420' if s == 3 else ''}\ncapture {s} {2 * s} stream={s}\n"
                 f"capture {s} {2 * s + 1} offset=16 stream={s}\n" for s in range(4)) +
         ONLY + "draw 8\n" + replay("points", 38, "set raster.point_size 3\n"))


def of_patches() -> None:
    for mode, made, count in (("triangles", "triangles", 72), ("quads", "triangles", 72), ("isolines", "lines", 24)):
        for cw in (False, True):
            case(f"stream/patches_{mode}{'_cw' if cw else ''}", f"Divided {mode} are captured, clockwise {int(cw)}",
                 target() + CLEAR + FLAT + patch(mode) + control(3 if mode == "triangles" else 4) +
                 evaluation(mode, body=blended(mode), cw=cw) + levels([3, 4, 2, 5], [3, 4]) + captured(32 * 96) + ONLY +
                 f"draw {3 if mode == 'triangles' else 4} patch={3 if mode == 'triangles' else 4}\n" + replay(made, count))
    case("stream/patches_points", "The points of a divided quad are captured, each once",
         target() + CLEAR + FLAT + patch("quads") + control(4) + evaluation("quads", "fractional_odd", points=True) +
         levels([3, 4, 2, 5], [3, 4]) + captured(32 * 40) + ONLY + "draw 4 patch=4\n" + replay("points", 40, "set raster.point_size 3\n"))
    shrink = ("ADD TEMP[0], IN[0][0], IN[1][0]\nADD TEMP[0], TEMP[0], IN[2][0]\nMUL TEMP[0], TEMP[0], IMM[2].xxxx\n" +
              "".join(f"LRP TEMP[1], IMM[0].xxxx, TEMP[0], IN[{v}][0]\n" + emit("TEMP[1]", f"IN[{v}][1]") for v in (0, 1, 2)) + CUT)
    two = vertices(colored(TRIANGLE) + [(-x, -y, z, w, b, r, g, a) for x, y, z, w, r, g, b, a in colored(TRIANGLE)]) + "set primitive patches\n"
    case("stream/patches_geometry", "A geometry shader behind two patches and two instances; all is captured and drawn over it, smaller",
         target() + CLEAR + FLAT + two + control(3) + evaluation("triangles", body=blended("triangles")) + levels([3, 2, 4, 1], [3, 1]) +
         geometry_shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrink) + captured(32 * 200) + "draw 6 patch=3 instances=2\n" +
         replay("triangles", 200, "set viewport_transform 8 8 0.5 16 16 0.5\n"))
    # Alpha is the level of a patch; those of many triangles are divided in several chunks.
    rows = [(x, y, 0, 1, x * y, y, -x, level) for level, y0 in ((1, -0.9), (24, -0.5), (3, -0.1), (20, 0.2), (12, 0.6))
            for x, y in ((-0.9, y0), (0.9, y0 + 0.1), (0.8, y0 + 0.3), (-0.8, y0 + 0.2))]
    large = vertices(rows) + "set primitive patches\n" + control(4, PASS + "MOV OUT[2], IN[0][1].wwww\nMOV OUT[3].xy, IN[0][1].wwww\n")
    for name, stage, title in (("", "", "alone"), ("_geometry", geometry_shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrink), "before a geometry shader")):
        draws = target() + CLEAR + FLAT + large + evaluation("quads", "fractional_even", body=blended("quads")) + stage
        case(f"stream/patches_many{name}", f"Small patches and such of many triangles, {title}: what is captured is drawn",
             draws + captured(32 * 7500) + ONLY + "draw 20 patch=4\n" + replay("triangles", 7500))
        case(f"tessellation/many{name}", f"Small patches and such of many triangles, {title}", draws + "draw 20 patch=4\n")
    case("stream/patches_full", "A buffer for five triangles of a patch takes no more",
         target() + CLEAR + FLAT + patch("quads") + control(4) + evaluation("quads", body=blended("quads")) + levels([3, 3, 3, 3], [3, 3]) +
         captured(32 * 60, more=" size=500") + ONLY + "draw 4 patch=4\n" + replay("triangles", 60))


def stream() -> None:
    of_assembly()
    of_geometry()
    of_patches()
