# The command under test: runs it, and the inputs that several tests of it give it.
# SPDX-License-Identifier: MIT
import os
import pathlib
import struct
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
program = ""  # the command's path: set by a test's main program


TRACE = str(ROOT / "tests/virgl/glxgears.trace")
PATCH_SCENE = str(ROOT / "tests/pictures/conformance/tessellation/barrier_17.scene")
GEOMETRY_SCENE = str(ROOT / "tests/pictures/conformance/geometry/invocations_7.scene")
SHADER = """FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL CONST[0]
  0: MAD OUT[0], IN[0], CONST[0], IN[0].xxxx
  1: END
"""
# Emits the triangle as two strips, the second one moved by CONST[0].
GEOMETRY_SHADER = """GEOM
PROPERTY GS_INPUT_PRIMITIVE TRIANGLES
PROPERTY GS_OUTPUT_PRIMITIVE TRIANGLE_STRIP
PROPERTY GS_MAX_OUTPUT_VERTICES 6
DCL IN[][0], POSITION
DCL IN[][1], GENERIC[3]
DCL IN[][2], PRIM_ID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], PRIM_ID
DCL CONST[0]
DCL TEMP[0..1]
DCL ADDR[0]
IMM[0] UINT32 {0, 1, 3, 2}
  0: MOV TEMP[0].x, IMM[0].xxxx
  1: BGNLOOP
  2:   USGE TEMP[1].x, TEMP[0].xxxx, IMM[0].wwww
  3:   UIF TEMP[1].xxxx
  4:     BRK
  5:   ENDIF
  6:   U2F TEMP[1].y, TEMP[0].xxxx
  7:   MOV TEMP[0].y, IMM[0].xxxx
  8:   BGNLOOP
  9:     USGE TEMP[1].x, TEMP[0].yyyy, IMM[0].zzzz
 10:     UIF TEMP[1].xxxx
 11:       BRK
 12:     ENDIF
 13:     UARL ADDR[0].x, TEMP[0].yyyy
 14:     MAD OUT[0], CONST[0], TEMP[1].yyyy, IN[ADDR[0].x][0]
 15:     MOV OUT[1], IN[ADDR[0].x][1]
 16:     MOV OUT[2].x, IN[2].xxxx
 17:     EMIT IMM[0].xxxx
 18:     UADD TEMP[0].y, TEMP[0].yyyy, IMM[0].yyyy
 19:   ENDLOOP
 20:   ENDPRIM IMM[0].xxxx
 21:   UADD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
 22: ENDLOOP
 23: END
"""
# Work-groups of 20: each invocation reads the number in the grid of the next one in its group.
# Seventeen vertices of however many; y becomes x of the next one.
CONTROL_SHADER = """TESS_CTRL
PROPERTY TCS_VERTICES_OUT 17
DCL IN[][0], GENERIC[0]
DCL OUT[][0], GENERIC[1]
DCL OUT[1], TESSOUTER
DCL OUT[2].xy, TESSINNER
DCL OUT[3], PATCH[1]
DCL SV[0], INVOCATIONID
DCL SV[1], VERTICESIN
DCL SV[2], PRIM_ID
DCL TEMP[0]
DCL ADDR[0..1]
IMM[0] UINT32 {1, 17, 0, 0}
  0: UARL ADDR[0].x, SV[0].xxxx
  1: UMOD TEMP[0].x, SV[0].xxxx, SV[1].xxxx
  2: UARL ADDR[1].x, TEMP[0].xxxx
  3: MOV OUT[ADDR[0].x][0], IN[ADDR[1].x][0]
  4: BARRIER
  5: UADD TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  6: UMOD TEMP[0].x, TEMP[0].xxxx, IMM[0].yyyy
  7: UARL ADDR[1].x, TEMP[0].xxxx
  8: MOV TEMP[0], OUT[ADDR[1].x][0]
  9: BARRIER
 10: MOV OUT[ADDR[0].x][0].y, TEMP[0].xxxx
 11: MOV OUT[1], IN[1][0]
 12: MOV OUT[2].xy, IN[1][0].zwww
 13: U2F OUT[3].x, SV[2].xxxx
 14: END
"""

GROUP_SHADER = """COMP
PROPERTY CS_FIXED_BLOCK_WIDTH 20
PROPERTY CS_FIXED_BLOCK_HEIGHT 1
PROPERTY CS_FIXED_BLOCK_DEPTH 1
DCL SV[0], THREAD_ID
DCL SV[1], BLOCK_ID
DCL BUFFER[0]
DCL MEMORY[0], SHARED
DCL TEMP[0..1]
IMM[0] UINT32 {4, 1, 20, 0}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: UMAD TEMP[0].y, SV[1].xxxx, IMM[0].zzzz, SV[0].xxxx
  2: STORE MEMORY[0].x, TEMP[0].xxxx, TEMP[0].yyyy
  3: MEMBAR IMM[0].yyyy
  4: BARRIER
  5: UADD TEMP[1].x, SV[0].xxxx, IMM[0].yyyy
  6: UMOD TEMP[1].x, TEMP[1].xxxx, IMM[0].zzzz
  7: UMUL TEMP[1].x, TEMP[1].xxxx, IMM[0].xxxx
  8: LOAD TEMP[1].x, MEMORY[0], TEMP[1].xxxx
  9: UMUL TEMP[0].y, TEMP[0].yyyy, IMM[0].xxxx
 10: STORE BUFFER[0].x, TEMP[0].yyyy, TEMP[1].xxxx
 11: END
"""
RACING_SHADER = GROUP_SHADER.replace("4: BARRIER", "4: NOP")


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([program, *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def png_size(path: pathlib.Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])
