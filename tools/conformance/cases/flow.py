"""Flow control."""
# SPDX-License-Identifier: MIT
from .common import COLOR, case, strip, target

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
    case("flow/temporary_array_store", "A loop writes an array of temporaries at an index of each pixel, then it is summed",
         target("24x24") + head.replace("DCL TEMP[0..2]\n", "DCL TEMP[0..2]\nDCL TEMP[3..10], ARRAY(1)\nDCL ADDR[0]\n") +
         "".join(f"  {i}: {line}\n" for i, line in enumerate(
             [f"MOV TEMP[{3 + k}], IMM[0].yyyy" for k in range(8)] +
             ["MUL TEMP[0].x, |IN[0].yyyy|, IMM[0].wwww", "MOV TEMP[0].y, IMM[0].yyyy", "BGNLOOP", "FSGE TEMP[0].z, TEMP[0].yyyy, IMM[0].wwww",
              "UIF TEMP[0].zzzz", "BRK", "ENDIF", "MUL TEMP[1].x, TEMP[0].yyyy, |IN[0].xxxx|", "ADD TEMP[1].x, TEMP[1].xxxx, TEMP[0].xxxx",
              "MUL TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz", "FRC TEMP[1].x, TEMP[1].xxxx", "MUL TEMP[1].x, TEMP[1].xxxx, IMM[0].wwww",
              "ARL ADDR[0].x, TEMP[1].xxxx", "ADD TEMP[ADDR[0].x+3](1), TEMP[ADDR[0].x+3](1), IMM[0].zxyz", "ADD TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx",
              "ENDLOOP", "ADD TEMP[2], TEMP[3], TEMP[5]", "MAD TEMP[2], TEMP[4].yxxx, IMM[0].zzzz, TEMP[2].zxyx",
              "MAD OUT[0], TEMP[6].xyxx, IMM[0].zzzz, TEMP[2]", "END"])) + "}\n" + field + "draw 4")
    case("flow/temporary_array", "An array of temporaries, written and read by index",
         target("24x24") + head.replace("DCL TEMP[0..2]\n", "DCL TEMP[0..2]\nDCL TEMP[3..6], ARRAY(1)\nDCL ADDR[0]\n") +
         "".join(f"  {i}: MUL TEMP[{3 + i}], IMM[0].zzzz, IMM[0].{c}\n" for i, c in enumerate(["wyyw", "ywyw", "yyww", "wwyw"])) +
         "  4: ADD TEMP[0].x, |IN[0].xxxx|, IMM[0].yyyy\n  5: ARL ADDR[0].x, TEMP[0].xxxx\n  6: MIN TEMP[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
         "  7: MOV OUT[0], TEMP[ADDR[0].x+3](1)\n  8: END\n}\n" + field + "draw 4")
