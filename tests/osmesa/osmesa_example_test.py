#!/usr/bin/env python3
# OSMesa example test: compiles the example as its user does, runs it, and compares its picture with the guide's.
# SPDX-License-Identifier: MIT
"""usage: osmesa_example_test.py VALKYR LIBRARY SOURCE_FOLDER

Exit code 77: no C compiler, OpenGL's headers or Mesa's client. The picture of the guide differs from the one that
Mesa 22.3's library draws by at most 1 of 255."""
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

valkyr, library, source = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
if shutil.which("cc") is None or not pathlib.Path("/usr/include/GL/gl.h").exists():
    print("skipped: no C compiler, or no GL/gl.h (Debian: libgl-dev)")
    sys.exit(77)
with tempfile.TemporaryDirectory() as folder:
    program, picture = f"{folder}/osmesa_tori", f"{folder}/tori.ppm"
    subprocess.run(["cc", "-Wall", "-Wextra", "-Werror", f"-I{source}/src/osmesa", f"{source}/examples/osmesa_tori.c",
                    "-o", program, str(library), "-l:libGL.so.1", "-lm"], check=True)
    kept = {k: v for k, v in os.environ.items() if k not in ("LD_PRELOAD", "VALKYR_VTEST_SOCKET", "GALLIUM_DRIVER")}
    environment = {**kept, "VALKYR_COMMAND": valkyr, "LD_LIBRARY_PATH": str(library.parent)}
    done = subprocess.run([program, picture], env=environment, capture_output=True, text=True, timeout=100)
    missing = ("Mesa's EGL is missing", "cannot open a surfaceless display", "renders with")
    if any(text in done.stderr for text in missing):
        print("skipped:", done.stderr.splitlines()[0])
        sys.exit(77)
    if done.returncode != 0:
        sys.exit(f"exit code {done.returncode}: {done.stderr}")
    sys.exit(subprocess.run([valkyr, "diff", "--tolerance", "1", picture,
                             f"{source}/docs/images/osmesa_tori.png"]).returncode)
