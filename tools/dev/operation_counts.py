#!/usr/bin/env python3
# Operation counts: prints how many host instructions an operation of a shader is on each level.
# SPDX-License-Identifier: MIT
"""usage: operation_counts.py VALKYR [--limit RATIO]

VALKYR   the command
--limit  exit code 1 if an operation takes more than RATIO times as many NEON as AVX2 instructions

Counted are the instructions of the loop over a call's pixels, in a fragment shader with the
operation, less those of the shader without it. Constants that the code loads before the loop do not
count."""
import argparse
import re
import subprocess
import sys

LEVELS = {"avx512": "AVX-512", "avx2": "AVX2", "neon": "NEON"}

# x, y, z and w stand for the components of a vector of products, whose NaNs are quiet.
OPERATIONS = {
    "RSQ": "RSQ T.x, x",
    "RCP": "RCP T.x, x",
    "RCP of RSQ": "RSQ T.x, x; RCP T.x, x",
    "SQRT": "SQRT T.x, x",
    "DIV": "DIV T.x, x, y",
    "DIV by 3": "DIV T.x, x, IMM[0].xxxx",
    "DIV by 4": "DIV T.x, x, IMM[0].yyyy",
    "EX2": "EX2 T.x, x",
    "LG2": "LG2 T.x, x",
    "POW": "POW T.x, x, y",
    "POW, exponent 2.2": "POW T.x, x, IMM[0].zzzz",
    "POW, exponent 5": "POW T.x, x, IMM[0].wwww",
    "POW, exponent 0.5": "POW T.x, x, IMM[1].xxxx",
    "POW, exponent 1": "POW T.x, x, IMM[1].yyyy",
    "SIN": "SIN T.x, x",
    "COS": "COS T.x, x",
    "SSG": "SSG T.x, x",
    "MIN, MAX": "MAX T.x, x, y",
    "MAX x, -x": "MAX T.x, x, -x",
    "MIN of MAX x, 0 and 1": "MAX T.x, x, IMM[1].zzzz; MIN T.x, x, IMM[1].yyyy",
    "LRP": "LRP T.x, x, y, z",
    "CMP": "CMP T.x, x, y, z",
    "SLT": "SLT T.x, x, y",
    "FSLT": "FSLT T.x, x, y",
    "FRC": "FRC T.x, x",
    "FLR, CEIL, TRUNC, ROUND": "FLR T.x, x",
    "normalize: DP3, RSQ, MUL": "DP3 T.w, T.xyzz, T.xyzz; RSQ T.w, w; MUL T.xyz, T.xyzz, T.wwww",
    "DDX, DDY": "DDX T.x, x",
    "F2I": "F2I T.x, x",
    "F2U": "F2U T.x, x",
    "I2F": "I2F T.x, x",
    "U2F": "U2F T.x, x",
    "IMIN, IMAX, UMIN, UMAX": "IMAX T.x, x, y",
    "UMUL": "UMUL T.x, x, y",
    "UMUL_HI": "UMUL_HI T.x, x, y",
    "IMUL_HI": "IMUL_HI T.x, x, y",
    "UDIV": "UDIV T.x, x, y",
    "IDIV": "IDIV T.x, x, y",
    "SHL": "SHL T.x, x, y",
    "USHR, ISHR": "USHR T.x, x, y",
    "UBFE": "UBFE T.x, x, y, z",
    "BFI": "BFI T.x, x, y, z, w",
    "BREV": "BREV T.x, x",
    "POPC": "POPC T.x, x",
    "LSB": "LSB T.x, x",
    "UMSB": "UMSB T.x, x",
    "UCMP": "UCMP T.x, x, y, z",
    "USEQ": "USEQ T.x, x, y",
    "PK2H": "PK2H T.x, T.xyxy",
    "UP2H": "UP2H T.xy, x",
    "LDEXP": "LDEXP T.x, x, y",
    "DADD": "DADD T.xy, T.xyxy, T.zwzw",
    "DMUL": "DMUL T.xy, T.xyxy, T.zwzw",
    "DSQRT": "DSQRT T.xy, T.xyxy",
}

SHADER = """FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
DCL TEMP[0]
IMM[0] FLT32 {3.0, 4.0, 2.2, 5.0}
IMM[1] FLT32 {0.5, 1.0, 0.0, 1.0}
  MUL TEMP[0], IN[0], IN[0]
%s
  MOV OUT[0], TEMP[0]
  END
"""


def shader_with(operation: str) -> str:
    """The text of the shader with the operation, which may be none."""
    lines = re.sub(r"(?<![\w.])([xyzw])(?=[,;]|$)", lambda m: "T." + m[1] * 4, operation)
    return SHADER % "\n".join(lines.replace("T.", "TEMP[0].").split(";"))


def loop_length(listing: str) -> int:
    """The instructions from the head of the outermost loop to the first jump back to it."""
    instructions, labels = [], {}
    for line in listing.splitlines():
        if label := re.fullmatch(r"\s*[0-9a-f]+  (L\d+):", line):
            labels[label[1]] = len(instructions)
        elif instruction := re.match(r"\s*[0-9a-f]+  ([a-z].*)", line):
            instructions.append(instruction[1])
    back = []
    for at, instruction in enumerate(instructions):
        jump = re.fullmatch(r"[bjct].*\b(L\d+)", instruction)
        if jump and labels.get(jump[1], at + 1) <= at:
            back.append((labels[jump[1]], at))
    head = min(back)[0]
    return min(at for target, at in back if target == head) - head


def count(valkyr: str, level: str, operation: str) -> int:
    command = [valkyr, "compile", "-", "--emit", "host", "--host", level, "--color", "never"]
    run = subprocess.run(command, input=shader_with(operation), capture_output=True, text=True,
                         check=False)
    if run.returncode != 0:
        sys.exit(f"operation_counts.py: '{operation}' on {level}: {run.stderr.strip()}")
    return loop_length(run.stdout)


def main() -> int:
    parser = argparse.ArgumentParser(description="Counts the host instructions of operations.")
    parser.add_argument("valkyr", help="the command")
    parser.add_argument("--limit", type=float, metavar="RATIO",
                        help="most NEON instructions an AVX2 one")
    arguments = parser.parse_args()
    without = {level: count(arguments.valkyr, level, "") for level in LEVELS}
    print("| operation | " + " | ".join(LEVELS.values()) + " |\n|---|---|---|---|")
    beyond = []
    for name, operation in OPERATIONS.items():
        counts = {level: count(arguments.valkyr, level, operation) - without[level]
                  for level in LEVELS}
        print(f"| {name} | " + " | ".join(str(number) for number in counts.values()) + " |")
        if arguments.limit and counts["neon"] > arguments.limit * counts["avx2"]:
            beyond.append(f"{name}: {counts['neon']} on NEON, {counts['avx2']} on AVX2")
    for line in beyond:
        print(f"operation_counts.py: {line}", file=sys.stderr)
    return 1 if beyond else 0


if __name__ == "__main__":
    sys.exit(main())
