"""Arithmetic opcodes, one a case."""
# SPDX-License-Identifier: MIT
import pathlib
import re

from .common import COLOR, case, strip, target

BOUNDED = {"RSQ", "SQRT", "DIV", "EX2", "LG2", "POW", "SIN", "COS", "LIT", "EXP", "LOG"}
SKIPPED = {"READ_FIRST", "READ_INVOC", "VOTE_ALL", "VOTE_ANY", "VOTE_EQ", "BALLOT",  # depend on the grouping of pixels
           "ARL", "ARR", "UARL", "MOV", "TEX", "SAMP2HND"}  # in other topics, or of no meaning in a picture


def opcode_rows():
    text = (pathlib.Path(__file__).resolve().parents[3] / "src/tgsi/opcodes.inc").read_text()
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
