#!/usr/bin/env python3
# OSMesa test: runs the cases of osmesa_scene with our library, and without what it needs.
# SPDX-License-Identifier: MIT
"""usage: osmesa_test.py VALKYR LIBRARY SCENE EXPECTED

Exit code 77: Mesa's client is not installed. EXPECTED follows from the scene: the triangle is (1, 0.5, 0) at depth
0.25, the ground (0.2, 0.4, 0.6) at depth 1. Mesa 22.3's library prints the same, but that it refuses BGR, has wrong
pixels for RGB of 16 bits and for RGB with the first row on top, and returns no accumulated colors with a color mask."""
import os
import pathlib
import subprocess
import sys

valkyr, library, scene, expected = sys.argv[1:]


def run(**variables):
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "VALKYR_VTEST_SOCKET", "GALLIUM_DRIVER")}
    return subprocess.run([scene, library], env={**kept, **variables}, capture_output=True, text=True, timeout=250)


failures = []
# Without a server nothing is drawn, every context is refused, and the message says what to do.
none = run(VALKYR_COMMAND="/nowhere/valkyr")
if "Mesa's EGL is missing" in none.stderr or "libGL.so.1" in none.stderr:
    print("skipped: Mesa's client is not installed:", none.stderr.splitlines()[0])
    sys.exit(77)
if none.returncode != 1:
    failures.append(f"without a server, the first context is not refused: exit code {none.returncode}")
if "install it, or name it in VALKYR_COMMAND" not in none.stderr:
    failures.append("a missing server is not reported: " + none.stderr[:200])

got = run(VALKYR_COMMAND=valkyr)
if "cannot open a surfaceless display" in got.stderr or "renders with" in got.stderr:
    print("skipped: Mesa's client does not have virpipe:", got.stderr.splitlines()[0])
    sys.exit(77)
lines = got.stdout.splitlines()
wanted = pathlib.Path(expected).read_text(encoding="utf-8").splitlines()
if got.returncode != 0 or lines != wanted:
    failures.append(f"exit code {got.returncode}\n{got.stderr[:400]}")
    failures += [f"got    {a}\nwanted {b}" for a, b in zip(lines, wanted) if a != b]
    failures += [f"{len(lines)} lines instead of {len(wanted)}"] if len(lines) != len(wanted) else []

exported = subprocess.run(["nm", "-D", "--defined-only", library], capture_output=True, text=True).stdout.split()[2::3]
if foreign := [name for name in exported if not name.startswith(("OSMesa", "gl"))]:
    failures.append(f"exports {foreign[:5]}")
print("\n".join(failures) or f"osmesa: {len(lines)} lines as expected")
sys.exit(1 if failures else 0)
