"""Tessellation: domains, spacings, levels, patches, outputs of patches, stages behind, resources."""
# SPDX-License-Identifier: MIT
import math

from .common import COLOR, RAINBOW, ZIGZAG, case, colored, number, target, vertices
from .geometry import CLEAR, shader as geometry_shader

VERTEX = "vertex_shader shaders/color.vert.tgsi\n"
#: Flat colours show the provoking vertex of each primitive, blue shows which side it has.
SIDES = VERTEX + """fragment_shader {
FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL IN[1], FACE, CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {0.0, 0.25, 1.0, 0.0}
  0: FSLT TEMP[0].x, IMM[0].xxxx, IN[1].xxxx
  1: MOV OUT[0].xyw, IN[0].xyww
  2: UCMP OUT[0].z, TEMP[0].xxxx, IMM[0].zzzz, IMM[0].yyyy
  3: END
}
"""
MODES = {"isolines": 1, "triangles": 4, "quads": 7}
SPACINGS = {"fractional_odd": 0, "fractional_even": 1, "equal": 2}
CORNERS = {"isolines": 4, "triangles": 3, "quads": 4}


def numbered(head: str, body: str) -> str:
    lines = [line.strip() for line in body.strip().splitlines()] + ["END"]
    return head + "\n".join(f"  {i}: {line}" for i, line in enumerate(lines)) + "\n}\n"


IMMEDIATES = "DCL TEMP[0..9]\nDCL ADDR[0..1]\nIMM[0] FLT32 {0.25, 0.5, 0.75, 1.0}\nIMM[1] UINT32 {0, 1, 2, 3}\nIMM[2] FLT32 {0.1, -0.1, 0.0, 4.0}\n"
#: The levels of CONST[0][0] and CONST[0][1].xy.
LEVELS = "MOV OUT[2], CONST[0][0]\nMOV OUT[3].xy, CONST[0][1]\n"
#: An invocation's own vertex as it is.
PASS = "UARL ADDR[1].x, SV[0].xxxx\nMOV OUT[ADDR[1].x][0], IN[ADDR[1].x][0]\nMOV OUT[ADDR[1].x][1], IN[ADDR[1].x][1]\n"


def control(made: int, body: str = PASS + LEVELS, declarations: str = "") -> str:
    """A control shader with inputs and outputs POSITION and GENERIC[0]; SV are INVOCATIONID, VERTICESIN and PRIM_ID."""
    return numbered("tess_control_shader {\nTESS_CTRL\n" f"PROPERTY TCS_VERTICES_OUT {made}\n"
                    "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL OUT[][0], POSITION\nDCL OUT[][1], GENERIC[0]\nDCL OUT[2], TESSOUTER\n"
                    "DCL OUT[3].xy, TESSINNER\nDCL SV[0], INVOCATIONID\nDCL SV[1], VERTICESIN\nDCL SV[2], PRIM_ID\nDCL CONST[0][0..1]\n"
                    + declarations + IMMEDIATES, body)


def mixed(register: int, corners: list, result: str) -> str:
    """The register of the control points, mixed by the place: three of a triangle, or four of a quad in turn around it."""
    a, b, c = corners[:3]
    if len(corners) == 3:
        return (f"MUL TEMP[0], IN[{a}][{register}], SV[0].xxxx\nMAD TEMP[0], IN[{b}][{register}], SV[0].yyyy, TEMP[0]\n"
                f"MAD {result}, IN[{c}][{register}], SV[0].zzzz, TEMP[0]\n")
    d = corners[3]
    return (f"LRP TEMP[0], SV[0].xxxx, IN[{b}][{register}], IN[{a}][{register}]\n"
            f"LRP TEMP[1], SV[0].xxxx, IN[{c}][{register}], IN[{d}][{register}]\nLRP {result}, SV[0].yyyy, TEMP[1], TEMP[0]\n")


#: Red and green follow the place.
PLACED = "MOV OUT[1].xy, SV[0]\nMOV OUT[1].zw, IMM[0].wwww\n"


def evaluation(mode: str, spacing: str = "equal", body: str = "", corners: list | None = None, declarations: str = "", cw: bool = False,
               points: bool = False) -> str:
    """An evaluation shader with inputs and outputs POSITION and GENERIC[0]; SV are TESSCOORD, PRIM_ID and VERTICESIN."""
    corners = corners or list(range(CORNERS[mode]))
    return numbered("tess_evaluation_shader {\nTESS_EVAL\n" f"PROPERTY TES_PRIM_MODE {MODES[mode]}\nPROPERTY TES_SPACING {SPACINGS[spacing]}\n"
                    f"PROPERTY TES_VERTEX_ORDER_CW {int(cw)}\nPROPERTY TES_POINT_MODE {int(points)}\n"
                    "DCL IN[][0], POSITION\nDCL IN[][1], GENERIC[0]\nDCL SV[0], TESSCOORD\nDCL SV[1], PRIM_ID\nDCL SV[2], VERTICESIN\nDCL OUT[0], POSITION\n"
                    "DCL OUT[1], GENERIC[0]\n" + declarations + IMMEDIATES, mixed(0, corners, "OUT[0]") + (body or PLACED))


def blended(mode: str) -> str:
    return mixed(1, list(range(CORNERS[mode])), "OUT[1]")


def levels(outer: list, inner: list) -> str:
    """The levels that LEVELS reads."""
    return "tess_control_constants f32 {\n  " + " ".join(map(str, [*outer, *inner, 0, 0])) + "\n}\n"


SQUARE = [(-0.9, -0.9), (0.9, -0.85), (0.85, 0.9), (-0.9, 0.8)]
TRIANGLE = [(-0.9, -0.9), (0.9, -0.7), (-0.2, 0.9)]


def patch(mode: str) -> str:
    """One patch."""
    return vertices(colored(TRIANGLE if mode == "triangles" else SQUARE)) + "set primitive patches\n"


def draw(mode: str, more: str = "") -> str:
    return CLEAR + f"draw {CORNERS[mode]} patch={CORNERS[mode]}" + more


WIRES = "set raster.fill line\n"
UNEVEN = levels([3.5, 5, 2.25, 7], [4.5, 3])


def domains() -> None:
    for mode in MODES:
        for spacing in SPACINGS:
            for cw in (False, True):
                if cw and mode == "isolines":
                    continue
                case(f"tessellation/{mode}_{spacing}" + ("_cw" if cw else ""),
                     f"{mode.capitalize()}, {spacing.replace('_', ' ')} spacing, {'' if cw else 'counter-'}clockwise",
                     target("48x48") + SIDES + control(CORNERS[mode]) + evaluation(mode, spacing, cw=cw) + UNEVEN + patch(mode) + draw(mode))
            case(f"tessellation/points_{mode}_{spacing}", f"The points of {mode}, {spacing.replace('_', ' ')} spacing",
                 target("48x48") + SIDES + control(CORNERS[mode]) + evaluation(mode, spacing, points=True) + UNEVEN + patch(mode) +
                 "set raster.point_size 3\n" + draw(mode))


def all_levels() -> None:
    values = {"1": 1, "2": 2, "3_5": 3.5, "7": 7, "64": 64, "0": 0, "negative": -3, "nan": "nan", "huge": "3e38", "inf": "inf", "tiny": "1e-40"}
    for mode in MODES:
        for name, value in values.items():
            case(f"tessellation/level_{name}_{mode}", f"{mode.capitalize()} whose levels are all {value}",
                 target("96x96" if mode != "isolines" else "64x64") + SIDES + control(CORNERS[mode]) + evaluation(mode) + levels([value] * 4, [value] * 2) +
                 patch(mode) + WIRES + draw(mode))
    for mode in ("triangles", "quads"):
        for spacing in ("fractional_odd", "fractional_even"):
            for name in ("1", "2", "3_5", "7", "64", "nan"):
                outer = [2.5] * 4 if name == "nan" else [values[name]] * 4
                case(f"tessellation/level_{name}_{mode}_{spacing}", f"{mode.capitalize()} whose {'inner ' if name == 'nan' else ''}levels are {values[name]}, {spacing.replace('_', ' ')}",
                     target("96x96") + SIDES + control(CORNERS[mode]) + evaluation(mode, spacing) + levels(outer, [values[name]] * 2) + patch(mode) + WIRES + draw(mode))
    for name, inner in {"1_1": [1, 1], "2_1": [2, 1], "1_2": [1, 2], "3_1": [3, 1], "5_4": [5, 4], "4_5": [4, 5], "5_3": [5, 3], "3_5": [3, 5], "5_5": [5, 5],
                        "nan_0": ["nan", 0], "9_2": [9, 2], "2_9": [2, 9]}.items():
        case(f"tessellation/inner_{name}", f"A quad whose inner levels are {inner[0]} and {inner[1]}",
             target("64x64") + SIDES + control(4) + evaluation("quads") + levels([2, 3, 4, 1], inner) + patch("quads") + WIRES + draw("quads"))
    for mode, used in (("isolines", 2), ("triangles", 3), ("quads", 4)):
        for zero in range(used - 1, min(used + 1, 4)):
            outer = [3 if i != zero else 0 for i in range(4)]
            case(f"tessellation/outer_{zero}_is_0_{mode}", f"{mode.capitalize()} with outer level {zero} 0, which is {'one' if zero < used else 'none'} of theirs",
                 target("32x32") + SIDES + control(CORNERS[mode]) + evaluation(mode) + levels(outer, [3, 3]) + patch(mode) + draw(mode))
    for mode in MODES:
        case(f"tessellation/default_levels_{mode}", f"{mode.capitalize()} without a control shader: the levels are the state's",
             target("48x48") + SIDES + evaluation(mode, "fractional_odd") + patch(mode) + "set outer_levels 2 5.5 3 4\nset inner_levels 4.25 3\n" + draw(mode))
    case("tessellation/default_levels_1", "Without a control shader and levels, patches are plain", target() + COLOR + evaluation("quads", body=blended("quads")) +
         patch("quads") + draw("quads"))


def thirds(size: int) -> list:
    """Three vertices of a patch, far from each other."""
    return [0, size // 3, 2 * size // 3]


def rings(size: int, count: int) -> list:
    """`count` vertices: patches of `size` on circles."""
    rows = []
    for i in range(count):
        angle = 2 * math.pi * (i % size) / size + i // size
        rows.append((round(0.5 * math.cos(angle) - 0.4 + 0.4 * (i // size), 3), round(0.6 * math.sin(angle) + 0.3 - 0.3 * (i // size), 3), 0, 1,
                     *RAINBOW[i % 3 if size != 3 else (i + i // 3) % 4][:3], 1))
    return rows


def sizes() -> None:
    """Patches of all sizes; three of their vertices are a triangle's corners."""
    for size in (1, 2, 3, 4, 5, 7, 8, 15, 16, 17, 31, 32):
        rows = rings(size, 2 * size + 1)
        shapes = thirds(size)
        # Few vertices are no triangle: its corners then lie beside the first one.
        text = ("MAD OUT[0].xy, SV[0], IMM[0].yyyy, IN[0][0]\n" if size < 3 else "") + mixed(1, shapes, "OUT[1]")
        case(f"tessellation/vertices_{size}", f"Patches of {size} vertices, as many in the output",
             target() + COLOR + control(size) + evaluation("triangles", body=text, corners=shapes) + levels([3] * 4, [3, 3]) + vertices(rows) +
             "set primitive patches\n" + CLEAR + f"draw {2 * size + (1 if size > 1 else 0)} patch={size}")
        case(f"tessellation/vertices_{size}_plain", f"Patches of {size} vertices without a control shader",
             target() + COLOR + evaluation("triangles", body=text, corners=shapes) + "set outer_levels 2 3 2 1\n" + vertices(rows) +
             "set primitive patches\n" + CLEAR + f"draw {2 * size} patch={size}")
    for taken, made in ((3, 1), (1, 4), (4, 3), (3, 7), (2, 17), (9, 32), (32, 3)):
        # A vertex is moved to the right and upwards, by its number in quarters and halves.
        body = ("UMOD TEMP[2].x, SV[0].xxxx, SV[1].xxxx\nUARL ADDR[0].x, TEMP[2].xxxx\nUARL ADDR[1].x, SV[0].xxxx\nU2F TEMP[2].x, SV[0].xxxx\n"
                "MUL TEMP[2].xy, TEMP[2].xxxx, IMM[0].xyyy\nFRC TEMP[2].xy, TEMP[2]\nMOV TEMP[3], IMM[2].zzzz\nMUL TEMP[3].xy, TEMP[2], IMM[0].zzzz\n"
                "ADD OUT[ADDR[1].x][0], IN[ADDR[0].x][0], TEMP[3]\n"
                "MOV OUT[ADDR[1].x][1], IN[ADDR[0].x][1]\n") + LEVELS
        corners = thirds(made)
        triangle = ("MAD OUT[0].xy, SV[0], IMM[0].yyyy, IN[0][0]\n" if made < 3 else "") + mixed(1, corners, "OUT[1]")
        case(f"tessellation/vertices_{taken}_to_{made}", f"A control shader makes {made} vertices of {taken}",
             target() + COLOR + control(made, body) + evaluation("triangles", body=triangle, corners=corners) + levels([4] * 4, [4, 4]) +
             vertices(rings(taken, 2 * taken)) + "set primitive patches\n" + CLEAR + f"draw {2 * taken} patch={taken}")
    case("tessellation/vertices_beyond", "Vertices beyond the patch read as 0",
         target() + COLOR + control(3, PASS + "UADD TEMP[2].x, SV[0].xxxx, IMM[1].zzzz\nUARL ADDR[0].x, TEMP[2].xxxx\nMOV OUT[ADDR[1].x][1], IN[ADDR[0].x][1]\n" + LEVELS) +
         evaluation("triangles", body=blended("triangles")) + levels([4] * 4, [4, 4]) + patch("triangles") + draw("triangles"))
    case("tessellation/rest", "A rest of vertices makes no patch", target() + COLOR + control(3) + evaluation("triangles", body=blended("triangles")) +
         levels([2] * 4, [2, 2]) + vertices(colored(ZIGZAG)) + "set primitive patches\n" + CLEAR + "draw 8 patch=3")


PATCHES = "DCL OUT[4], PATCH[0]\nDCL OUT[5].xy, PATCH[1]\nDCL OUT[6], PATCH[2]\n"
READ_PATCHES = "DCL IN[2], PATCH[0]\nDCL IN[3].xy, PATCH[1]\nDCL IN[4], PATCH[2]\n"


def outputs() -> None:
    base = target("48x48") + COLOR
    two = vertices(colored(ZIGZAG[:6])) + "set primitive patches\n" + CLEAR + "draw 6 patch=3"
    four = levels([4] * 4, [4, 4])
    written = PASS + LEVELS + "MOV OUT[4], IN[1][1]\nMOV OUT[5].xy, IN[2][1]\nADD OUT[6], IN[0][1], IMM[0].xxxx\n"
    case("tessellation/patch_outputs", "Outputs of the patch", base + control(3, written, PATCHES) +
         evaluation("triangles", body="MUL TEMP[2], IN[2], SV[0].xxxx\nMAD TEMP[2].xy, IN[3], SV[0].yyyy, TEMP[2]\nMAD OUT[1], IN[4], SV[0].zzzz, TEMP[2]\n",
                    declarations=READ_PATCHES) + four + two)
    case("tessellation/patch_outputs_indexed", "Outputs of the patch by a computed number, written and read",
         base + control(3, PASS + LEVELS + "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x+4], IN[ADDR[1].x][1]\n",
                        "DCL OUT[4], PATCH[0]\nDCL OUT[5], PATCH[1]\nDCL OUT[6], PATCH[2]\n") +
         evaluation("triangles", body="MUL TEMP[2].x, SV[0].xxxx, IMM[2].wwww\nMIN TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\nADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].xxxx\n"
                    "F2U TEMP[2].x, TEMP[2].xxxx\nUARL ADDR[0].x, TEMP[2].xxxx\nMOV OUT[1], IN[ADDR[0].x+2]\n",
                    declarations="DCL IN[2], PATCH[0]\nDCL IN[3], PATCH[1]\nDCL IN[4], PATCH[2]\n") + four + two)
    case("tessellation/patch_outputs_unwritten", "Outputs of the patch that no invocation writes are 0",
         base + control(3, PASS + LEVELS + "MOV OUT[4].x, IMM[0].wwww\n", PATCHES) +
         evaluation("triangles", body="ADD TEMP[2], IN[2], IN[4]\nADD OUT[1], TEMP[2], IN[3].xyxy\n", declarations=READ_PATCHES) + four + two)
    case("tessellation/patch_outputs_read_back", "Invocations read the patch's outputs of others behind a barrier",
         base + control(3, "UARL ADDR[1].x, SV[0].xxxx\nMOV OUT[ADDR[1].x][0], IN[ADDR[1].x][0]\n" + LEVELS +
                        "UARL ADDR[0].x, SV[0].xxxx\nMOV OUT[ADDR[0].x+4].xyzw, IN[ADDR[1].x][1]\nBARRIER\nBARRIER\n"
                        "ADD TEMP[2], OUT[4], OUT[5]\nADD TEMP[2], TEMP[2], OUT[6]\nMUL OUT[ADDR[1].x][1], TEMP[2], IMM[0].yyyy\n",
                        "DCL OUT[4], PATCH[0]\nDCL OUT[5], PATCH[1]\nDCL OUT[6], PATCH[2]\n") +
         evaluation("triangles", body=blended("triangles")) + four + two)
    for size in (3, 4, 8, 16, 17, 32):
        body = (PASS + "BARRIER\nUADD TEMP[2].x, SV[0].xxxx, IMM[1].yyyy\nUMOD TEMP[2].x, TEMP[2].xxxx, SV[1].xxxx\nUARL ADDR[0].x, TEMP[2].xxxx\n"
                "ADD TEMP[3], OUT[ADDR[0].x][1], OUT[ADDR[1].x][1]\nBARRIER\nMUL OUT[ADDR[1].x][1], TEMP[3], IMM[0].yyyy\nBARRIER\n"
                "MOV TEMP[3].x, OUT[0][1].xxxx\nMAD OUT[2], TEMP[3].xxxx, IMM[2].wwww, IMM[0].wwww\nMOV OUT[3].xy, IMM[2].wwww\n")
        corners = thirds(size)
        case(f"tessellation/barrier_{size}", f"{size} invocations mix the outputs of their neighbours, behind barriers",
             base + control(size, body) + evaluation("triangles", body=mixed(1, corners, "OUT[1]"), corners=corners) +
             vertices(rings(size, 3 * size)) +
             "set primitive patches\n" + CLEAR + f"draw {3 * size} patch={size}")
    case("tessellation/levels_by_invocation", "Each invocation writes an outer level of its own; the last one writes the inner ones",
         base + control(4, PASS + "U2F TEMP[2].x, SV[0].xxxx\nADD TEMP[2].x, TEMP[2].xxxx, IMM[0].wwww\n" + "".join(
             f"USEQ TEMP[3].x, SV[0].xxxx, IMM[1].{c * 4}\nUIF TEMP[3].xxxx :0\nMOV OUT[2].{c}, TEMP[2].xxxx\nMOV OUT[3].xy, TEMP[2].xxxx\nENDIF\n" for c in "xyzw")) +
         evaluation("quads", body=blended("quads")) + patch("quads") + WIRES + draw("quads"))
    case("tessellation/levels_read", "Levels as the control shader wrote them, read by the evaluation shader",
         base + control(4) + evaluation("quads", body="MUL OUT[1].xyz, SV[3], IMM[2].xxxx\nMAD OUT[1].y, SV[4].yyyy, IMM[2].xxxx, SV[0].xxxx\nMOV OUT[1].w, IMM[0].wwww\n",
                                        declarations="DCL SV[3], TESSOUTER\nDCL SV[4], TESSINNER\n") + levels([2.5, 70, 3, 4], [3, 0.25]) + patch("quads") + draw("quads"))
    case("tessellation/early_return", "Invocations that return early; others wait at a barrier",
         base + control(3, PASS + LEVELS + "USEQ TEMP[2].x, SV[0].xxxx, IMM[1].yyyy\nUIF TEMP[2].xxxx :0\nRET\nENDIF\nBARRIER\nMOV OUT[ADDR[1].x][1].y, OUT[1][1].yyyy\n") +
         evaluation("triangles", body=blended("triangles")) + four + two)
    case("tessellation/unread_outputs", "Outputs that the next stage does not read", base + control(3, PASS + LEVELS + "MOV OUT[ADDR[1].x][7], IN[ADDR[1].x][1]\nMOV OUT[8], IN[0][1]\n",
                                                                                                   "DCL OUT[][7], GENERIC[9]\nDCL OUT[8], PATCH[5]\n") +
         evaluation("triangles", body=blended("triangles")) + four + two)


def numbers() -> None:
    """Numbers of patches."""
    by_id = "UMOD TEMP[2].x, {}, IMM[1].wwww\nU2F TEMP[2].x, TEMP[2].xxxx\nMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].yyyy\nMOV {}.x, TEMP[2].xxxx\nMOV {}.yzw, IMM[0].zxxw\n"
    four = levels([2, 2, 1, 1], [1, 1])
    rows = vertices(colored([(x * 0.8, y * 0.8) for x, y in ZIGZAG] + [(y * 0.9, x * 0.4) for x, y in ZIGZAG[:4]]))
    strip = rows + "set primitive patches\n" + CLEAR
    in_control = PASS + by_id.format("SV[2].xxxx", "OUT[ADDR[1].x][1]", "OUT[ADDR[1].x][1]") + LEVELS
    in_evaluation = by_id.format("SV[1].xxxx", "OUT[1]", "OUT[1]")
    case("tessellation/id_in_control", "The patch's number in a control shader", target() + COLOR + control(3, in_control) + evaluation("triangles", body=blended("triangles")) +
         four + strip + "draw 12 patch=3")
    case("tessellation/id_in_evaluation", "The patch's number in an evaluation shader", target() + COLOR + control(3) + evaluation("triangles", body=in_evaluation) + four + strip +
         "draw 12 patch=3")
    fragment = ("fragment_shader {\nFRAG\nDCL IN[0].x, PRIM_ID, CONSTANT\nDCL OUT[0], COLOR\nDCL TEMP[0..2]\nIMM[0] FLT32 {0.25, 0.5, 0.75, 1.0}\nIMM[1] UINT32 {0, 1, 2, 3}\n"
                "  0: UMOD TEMP[2].x, IN[0].xxxx, IMM[1].wwww\n  1: U2F TEMP[2].x, TEMP[2].xxxx\n  2: MUL OUT[0].x, TEMP[2].xxxx, IMM[0].yyyy\n  3: MOV OUT[0].yzw, IMM[0].zxxw\n  4: END\n}\n")
    shaders = target() + VERTEX + fragment + control(3) + evaluation("triangles")
    case("tessellation/id_in_fragment", "The patch's number in a fragment shader", shaders + four + strip + "draw 12 patch=3")
    case("tessellation/id_instances", "Numbers of patches begin anew with each instance",
         target() + VERTEX.replace("shaders/color.vert.tgsi", "{\nVERT\nDCL IN[0]\nDCL IN[1]\nDCL SV[0], INSTANCEID\nDCL OUT[0], POSITION\nDCL OUT[1], GENERIC[0]\nDCL TEMP[0]\n"
                                   "IMM[0] FLT32 {0.2, -0.3, 0.0, 0.0}\n  0: U2F TEMP[0].x, SV[0].xxxx\n  1: MAD OUT[0], TEMP[0].xxxx, IMM[0], IN[0]\n  2: MOV OUT[1], IN[1]\n  3: END\n}") +
         fragment + control(3) + evaluation("triangles") + four + strip + "draw 12 patch=3 instances=3")
    case("tessellation/id_restart", "Numbers of patches go on behind a restart index; an unfinished patch makes nothing",
         shaders + four + rows + "set primitive patches\nindices u16 {\n  0 1 2 3 4 65535 5 6 7 65535 8 9 10\n}\n" + CLEAR + "draw 13 patch=3 restart=65535")
    for kind, restart in (("u8", 255), ("u16", 65535), ("u32", 4294967295)):
        case(f"tessellation/indexed_{kind}", f"Patches of {kind} indices, with a base vertex; the restart index is off and an index as others",
             shaders + four + rows + f"set primitive patches\nindices {kind} {{\n  9 9 2 1 0 {restart} 3 4 5 6 7\n}}\n" + CLEAR + "draw 9 patch=3 first=2 base_vertex=1")
    case("tessellation/first", "A draw that begins at vertex 2", shaders + four + strip + "draw 10 patch=3 first=2")
    for indexed in (False, True):
        record = "9 1 0 0" if not indexed else "9 1 2 1 0"
        case("tessellation/indirect" + ("_indexed" if indexed else ""), "An indirect draw of patches",
             shaders + four + rows + "set primitive patches\n" + ("indices u16 {\n  0 0 2 1 0 3 4 5 6 7 8\n}\n" if indexed else "") +
             f"buffer record u32 {{\n  {record}\n}}\n" + CLEAR + "draw_indirect record 0 patch=3")
    case("tessellation/instances", "Instanced patches with an attribute for each instance",
         target() + COLOR + control(3) + evaluation("triangles", body=blended("triangles")) + four +
         "vertex_buffer 0 16 f32 {\n" + "\n".join(f"  {number(x)} {number(y)} 0 1" for x, y in ZIGZAG[:6]) + "\n}\nattribute 0 R32G32B32A32_FLOAT\n"
         "vertex_buffer 1 16 f32 {\n  1 0 0 1\n  0 1 0 1\n  0 0 1 1\n}\nattribute 1 R32G32B32A32_FLOAT slot=1 divisor=1\nset primitive patches\n"
         "set blend.enable on\nset blend.rgb add one one\n" + CLEAR + "draw 6 patch=3 instances=3")


def behind() -> None:
    """Geometry shaders, and rasterization, of divided patches."""
    emit = "MOV OUT[0], {}\nMOV OUT[1], {}\nEMIT IMM[1].xxxx\n"
    shrunk = ("ADD TEMP[0], IN[0][0], IN[1][0]\nADD TEMP[0], TEMP[0], IN[2][0]\nMUL TEMP[0], TEMP[0], IMM[2].xxxx\n" +
              "".join(f"LRP TEMP[1], IMM[0].yyyy, IN[{i}][0], TEMP[0]\n" + emit.format("TEMP[1]", f"IN[{i}][1]") for i in range(3)))
    base = target("48x48") + COLOR
    uneven = UNEVEN
    for mode in ("triangles", "quads"):
        case(f"tessellation/geometry_{mode}", f"A geometry shader shrinks the triangles of {mode}",
             base + control(CORNERS[mode]) + evaluation(mode, "fractional_even") + geometry_shader("TRIANGLES", "TRIANGLE_STRIP", 3, shrunk) + uneven + patch(mode) + draw(mode))
    case("tessellation/geometry_isolines", "A geometry shader cuts lines",
         base + control(4) + evaluation("isolines") + geometry_shader("LINES", "LINE_STRIP", 2, emit.format("IN[0][0]", "IN[0][1]") +
         "LRP TEMP[0], IMM[0].xxxx, IN[0][0], IN[1][0]\n" + emit.format("TEMP[0]", "IN[1][1]")) + levels([6, 4, 1, 1], [1, 1]) + patch("isolines") + draw("isolines"))
    case("tessellation/geometry_points", "A geometry shader makes triangles of points",
         base + control(3) + evaluation("triangles", points=True) + geometry_shader("POINTS", "TRIANGLE_STRIP", 3, "ADD TEMP[0], IN[0][0], IMM[2].yyww\nADD TEMP[1], IN[0][0], IMM[2].zyww\n" +
         emit.format("IN[0][0]", "IN[0][1]") + emit.format("TEMP[0]", "IN[0][1].yzxw") + emit.format("TEMP[1]", "IN[0][1].zxyw")) + uneven + patch("triangles") + draw("triangles"))
    case("tessellation/geometry_ids", "A geometry shader behind tessellation sees the patch's number",
         base + control(3) + evaluation("triangles") + geometry_shader("TRIANGLES", "TRIANGLE_STRIP", 3,
         "U2F TEMP[2].x, IN[2].xxxx\nMUL TEMP[2].x, TEMP[2].xxxx, IMM[0].xxxx\n" + "".join(emit.format(f"IN[{i}][0]", "TEMP[2].xxxx") for i in range(3)), "DCL IN[][2], PRIM_ID\n") +
         levels([2] * 4, [2, 2]) + vertices(colored(ZIGZAG + ZIGZAG[:4])) + "set primitive patches\n" + CLEAR + "draw 12 patch=3")
    case("tessellation/geometry_strips", "A geometry shader with invocations emits strips for each triangle of a large patch",
         base + control(4) + evaluation("quads") + geometry_shader("TRIANGLES", "TRIANGLE_STRIP", 4, "U2F TEMP[2].x, SV[0].xxxx\nMUL TEMP[2], TEMP[2].xxxx, IMM[2].yzww\n" +
         "".join(f"ADD TEMP[1], IN[{i % 3}][0], TEMP[2]\n" + emit.format("TEMP[1]", f"IN[{i % 3}][1]") for i in range(4)), "DCL SV[0], INVOCATIONID\n", 2) +
         levels([33, 40, 21, 50], [40, 41]) + patch("quads") + draw("quads"))
    for samples, state, text in ((4, "", "filled"), (4, WIRES, "as lines"), (4, "set raster.sample_shading on\n", "shaded by sample")):
        case("tessellation/samples_4_" + text.replace(" ", "_"), f"Patches in a multisampled target, {text}",
             target("48x48", samples=samples) + COLOR + control(4) + evaluation("quads", "fractional_odd") + UNEVEN + patch("quads") + state + draw("quads"))
    for name, state in {"wide_lines": WIRES + "set raster.line_width 3\n", "as_points": "set raster.fill point\nset raster.point_size 3\n", "stippled": WIRES + "set raster.line_stipple 0x3333\n",
                        "first_provokes": "set raster.flat_shade_first on\n", "culled": "set raster.cull back\n", "culled_front": "set raster.cull front\n"}.items():
        case(f"tessellation/drawn_{name}", f"A divided quad, drawn {name.replace('_', ' ')}",
             target("48x48") + SIDES + control(4) + evaluation("quads", "fractional_odd") + UNEVEN + patch("quads") + state + draw("quads"))
    for name, state in {"stippled": "set raster.line_stipple 0x0F0F\n", "wide": "set raster.line_width 3\n", "first_provokes": "set raster.flat_shade_first on\n"}.items():
        case(f"tessellation/isolines_{name}", f"Isolines, {name.replace('_', ' ')}", target("48x48") + SIDES + control(4) + evaluation("isolines") +
             levels([5, 3, 1, 1], [1, 1]) + patch("isolines") + state + draw("isolines"))
    sized = "MUL TEMP[3].x, SV[0].xxxx, IMM[2].wwww\nADD OUT[2].x, TEMP[3].xxxx, IMM[0].wwww\n"
    case("tessellation/point_sizes", "Points sized by the evaluation shader",
         target("48x48") + COLOR + control(4) + evaluation("quads", body=PLACED + sized, declarations="DCL OUT[2].x, PSIZE\n", points=True) + UNEVEN + patch("quads") +
         "set raster.point_size_per_vertex on\n" + draw("quads"))
    placed = PLACED + "MOV TEMP[4], SV[0]\nADD OUT[2].x, -TEMP[4].xxxx, IMM[0].zzzz\nADD OUT[2].y, TEMP[4].yyyy, -IMM[0].xxxx\n"
    case("tessellation/clip_distances", "Clip distances of an evaluation shader",
         target("48x48") + COLOR + control(4) + evaluation("quads", body=placed, declarations="DCL OUT[2].xy, CLIPDIST\n") + UNEVEN + patch("quads") +
         "set raster.clip_plane_enable 3\n" + draw("quads"))
    case("tessellation/cull_distances", "Triangles whose corners all have negative cull distances vanish",
         target("48x48") + COLOR + control(4) + evaluation("quads", body=placed, declarations="DCL OUT[2].xy, CLIPDIST\n").replace(
             "TESS_EVAL\n", "TESS_EVAL\nPROPERTY NUM_CLIPDIST_ENABLED 0\nPROPERTY NUM_CULLDIST_ENABLED 2\n") + levels([8] * 4, [8, 8]) + patch("quads") + draw("quads"))
    case("tessellation/user_planes", "User clip planes apply to evaluated positions",
         target("48x48") + COLOR + control(4) + evaluation("quads") + UNEVEN + patch("quads") + "set raster.clip_plane_enable 1\nset clip_plane 0 1 0.5 0 0.1\n" + draw("quads"))
    far = vertices([(2.2 * x, 2 * y, 0.9 * x, 1 + 0.6 * y, *RAINBOW[i][:3], 1) for i, (x, y) in enumerate(SQUARE)]) + "set primitive patches\n"
    for mode in ("quads", "isolines"):
        case(f"tessellation/clipped_{mode}", f"Divided {mode} are clipped by the view volume",
             target("48x48") + COLOR + control(4) + evaluation(mode, body=blended(mode)) + levels([9] * 4, [9, 9]) + far + draw(mode))
    case("tessellation/order", "Primitives of a patch blend in their order, patches too",
         target("48x48") + COLOR + control(4) + evaluation("quads", body=PLACED.replace("IMM[0].wwww", "IMM[0].yyyy") + "MOV TEMP[3], SV[0]\nMUL TEMP[3].x, TEMP[3].xxxx, IMM[2].wwww\n"
                                                             "FRC OUT[0].x, TEMP[3].xxxx\n") + levels([7] * 4, [7, 7]) + vertices(colored(SQUARE + SQUARE[::-1])) +
         "set primitive patches\nset blend.enable on\nset blend.rgb add src_alpha inv_src_alpha\n" + CLEAR + "draw 8 patch=4")
    case("tessellation/depth", "A curved patch that hides itself", target("48x48", depth="D24_UNORM_S8_UINT") + COLOR + control(4) +
         evaluation("quads", body=PLACED + "MOV TEMP[3], SV[0]\nADD TEMP[3].xy, TEMP[3], -IMM[0].yyyy\nMUL TEMP[4].x, TEMP[3].xxxx, TEMP[3].xxxx\nMAD TEMP[4].x, TEMP[3].yyyy, TEMP[3].yyyy, TEMP[4].xxxx\n"
                    "MUL OUT[0].z, TEMP[4].xxxx, IMM[2].wwww\nMUL TEMP[5].x, TEMP[3].xxxx, TEMP[4].xxxx\nMUL OUT[0].x, TEMP[5].xxxx, IMM[2].wwww\n") + levels([12] * 4, [12, 12]) + patch("quads") +
         "set depth.test on\nset depth.write on\nset depth.func less\nclear depth 1\n" + draw("quads"))
    two = "DCL OUT[2], COLOR\nDCL OUT[3], BCOLOR\n"
    fragment = "fragment_shader {\nFRAG\nDCL IN[0], COLOR, COLOR\nDCL OUT[0], COLOR\n  0: MOV OUT[0], IN[0]\n  1: END\n}\n"
    for cw in (False, True):
        case("tessellation/two_sided" + ("_cw" if cw else ""), "Front and back colours of an evaluation shader",
             target("48x48") + VERTEX + fragment + control(4) + evaluation("quads", body="MOV OUT[1], SV[0]\nMOV OUT[2], SV[0].xyxy\nMOV OUT[3], SV[0].yxxy\n", declarations=two, cw=cw) +
             UNEVEN + patch("quads") + "set raster.two_sided_color on\n" + draw("quads"))


def grids() -> None:
    """Many patches with common edges."""
    def grid(n: int) -> str:
        rows = []
        for y in range(n):
            for x in range(n):
                for dx, dy in ((0, 0), (1, 0), (1, 1), (0, 1)):
                    u, v = (x + dx) / n, (y + dy) / n
                    rows.append((1.9 * u - 0.95 + 0.3 * v * (1 - v), 1.9 * v - 0.95 + 0.2 * u * (1 - u), 0, 1, u, v, 1 - u, 1))
        return vertices(rows) + "set primitive patches\n" + CLEAR + f"draw {4 * n * n} patch=4"
    # The level of an edge is a function of its ends: neighbours have equal ones. Edges run from corner 3 to 0, 0 to 1, 1 to 2, 3 to 2.
    edges = "".join(f"ADD TEMP[2], IN[{a}][1], IN[{b}][1]\nADD TEMP[2].x, TEMP[2].xxxx, TEMP[2].yyyy\nMAD OUT[2].{c}, TEMP[2].xxxx, CONST[0][0].xxxx, CONST[0][0].yyyy\n"
                    for c, a, b in (("x", 3, 0), ("y", 0, 1), ("z", 1, 2), ("w", 3, 2)))
    for spacing in SPACINGS:
        for name, n, scale, first in (("", 5, 1.7, 1.25), ("_fine", 2, 15, 2.3)):
            case(f"tessellation/grid_{spacing}{name}", f"Patches whose levels change from edge to edge, {spacing.replace('_', ' ')}",
                 target("96x96") + COLOR + control(4, PASS + edges + "MOV OUT[3].xy, CONST[0][1]\n") + evaluation("quads", spacing, body=blended("quads")) +
                 levels([scale, first, 0, 0], [3 * scale, 2 * scale]) + WIRES + grid(n))
    case("tessellation/grid_additive", "No pixel of a grid is drawn twice or not at all", target("96x96") + COLOR + control(4, PASS + edges + "MOV OUT[3].xy, CONST[0][1]\n") +
         evaluation("quads", "fractional_odd", body="MOV OUT[1], IMM[0].yyyy\n") + levels([4.1, 1.3, 0, 0], [5, 6.5]) + "set blend.enable on\nset blend.rgb add one one\n" + grid(4))


def resources() -> None:
    base = target("48x48") + COLOR
    four = levels([6] * 4, [6, 6])
    noise = "texture picture 2d R8G8B8A8_UNORM 8x8\nfill picture * noise 5\n"
    fetch = "MOV TEMP[5].xy, SV[0]\nMOV TEMP[5].zw, IMM[2].zzzz\nTXL TEMP[6], TEMP[5], SAMP[0], 2D\n"
    sampled = "DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n"
    case("tessellation/displaced", "An evaluation shader moves its points by a texture", target("48x48") + noise + COLOR + control(4) +
         evaluation("quads", body=fetch + "MOV OUT[1], TEMP[6]\nADD TEMP[6].xy, TEMP[6], -IMM[0].yyyy\nMUL TEMP[7].xy, TEMP[6], IMM[0].xxxx\nADD TEMP[7].xy, TEMP[7], IN[0][0]\n" +
                    "LRP TEMP[8].x, SV[0].xxxx, IN[2][0].xxxx, TEMP[7].xxxx\nLRP TEMP[8].y, SV[0].yyyy, IN[2][0].yyyy, TEMP[7].yyyy\nMOV OUT[0].xy, TEMP[8]\n", declarations=sampled) +
         "tess_evaluation_bind 0 picture\ntess_evaluation_sampler 0 filter=linear\n" + four + patch("quads") + draw("quads"))
    case("tessellation/control_texture", "A control shader reads its levels from a texture", target("48x48") + noise + SIDES +
         control(4, PASS + "MOV TEMP[5], IMM[2].zzzz\nMOV TEMP[5].x, IN[0][1].xxxx\nTXL TEMP[6], TEMP[5], SAMP[0], 2D\nMUL TEMP[6], TEMP[6], IMM[2].wwww\nADD OUT[2], TEMP[6], IMM[0].wwww\n"
                 "MOV OUT[3].xy, TEMP[6]\n", sampled) + evaluation("quads", "fractional_even") + "tess_control_bind 0 picture\ntess_control_sampler 0 filter=nearest\n" + patch("quads") + draw("quads"))
    case("tessellation/evaluation_constants", "Constants of the evaluation stage, by number and computed", base + control(4) +
         evaluation("quads", body="MUL TEMP[2].x, SV[0].xxxx, IMM[2].wwww\nF2U TEMP[2].x, TEMP[2].xxxx\nUARL ADDR[0].x, TEMP[2].xxxx\nADD OUT[1], CONST[0][0], CONST[1][ADDR[0].x]\n",
                    declarations="DCL CONST[0][0]\nDCL CONST[1][0..4]\n") + "tess_evaluation_constants f32 {\n  0.1 0.1 0.1 0.5\n}\ntess_evaluation_constants 1 f32 {\n" +
         "\n".join("  " + " ".join(number(v) for v in (*RAINBOW[i % 4][:2], 0.15 * i, 0.5)) for i in range(5)) + "\n}\n" + four + patch("quads") + draw("quads"))
    case("tessellation/fetched", "An evaluation shader fetches from a buffer texture by the patch's number", target("48x48") + "buffer words f32 {\n" +
         "\n".join("  " + " ".join(number(v) for v in RAINBOW[i % 4]) for i in range(3)) + "\n}\ntess_evaluation_bind_buffer 0 words R32G32B32A32_FLOAT\n" + COLOR + control(3) +
         evaluation("triangles", body="MOV TEMP[5], SV[1].xxxx\nTXF TEMP[6], TEMP[5], SAMP[0], BUFFER\nMOV OUT[1], TEMP[6]\n", declarations="DCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\n") + four +
         vertices(colored(ZIGZAG)) + "set primitive patches\n" + CLEAR + "draw 6 patch=3")
    # Behind the draw of patches, a quad is drawn as bright as the count in the buffer.
    read = ("tess_control_shader none\ntess_evaluation_shader none\nstorage 0 words\nfragment_shader {\nFRAG\nDCL OUT[0], COLOR\nDCL BUFFER[0]\nDCL TEMP[0]\nIMM[0] UINT32 {0, 0, 0, 0}\n"
            "IMM[1] FLT32 {0.0078125, 0.5, 0.5, 1.0}\n  0: LOAD TEMP[0].x, BUFFER[0], IMM[0].xxxx\n  1: U2F TEMP[0].x, TEMP[0].xxxx\n  2: MUL OUT[0].x, TEMP[0].xxxx, IMM[1].xxxx\n"
            "  3: MOV OUT[0].yzw, IMM[1].yyyw\n  4: END\n}\nvertices 4 4 f32 {\n  0.2 -1 0 1 1 1 1 1\n  1 -1 0 1 1 1 1 1\n  0.2 -0.5 0 1 1 1 1 1\n  1 -0.5 0 1 1 1 1 1\n}\n"
            "set primitive triangle_strip\ndraw 4")
    count = "ATOMUADD TEMP[7].x, BUFFER[0], IMM[1].xxxx, IMM[1].yyyy\n"
    stored = "buffer words zeros 32\n"
    for stage, first, second, declared in (("control", count + PASS + LEVELS, PLACED, ("DCL BUFFER[0]\n", "")), ("evaluation", PASS + LEVELS, count + PLACED, ("", "DCL BUFFER[0]\n"))):
        case(f"tessellation/storage_of_{stage}", f"{stage.capitalize()} shaders count in a buffer, once a{'n invocation' if stage == 'control' else ' point'}; a later draw reads it",
             target("48x48") + stored + COLOR + control(4, first, declared[0]) + evaluation("quads", body=second, declarations=declared[1]) + f"tess_{stage}_storage 0 words\n" +
             levels([6] * 4, [5, 6]) + vertices(colored(SQUARE + SQUARE[1:] + SQUARE[:1])) + "set primitive patches\n" + CLEAR + "draw 8 patch=4\n" + read)
    case("tessellation/counters", "Atomic counters of a control shader; a later draw reads them", target("48x48") + stored + COLOR +
         control(4, "ATOMUADD TEMP[7].x, HWATOMIC[0][0], IMM[1].xxxx, IMM[1].wwww\n" + PASS + LEVELS, "DCL HWATOMIC[0][0]\n") + evaluation("quads") + "tess_control_counters 0 words\n" + four + patch("quads") + draw("quads") + "\n" + read)


def tessellation() -> None:
    domains()
    all_levels()
    sizes()
    outputs()
    numbers()
    behind()
    grids()
    resources()
