#!/usr/bin/env python3
# Subcommands that run out of memory: a message and exit code 1, or the usual output; never a
# signal.
# SPDX-License-Identifier: MIT
"""usage: command_memory_test.py VALKYR LIBRARY [UNITTEST ARGUMENTS...]

LIBRARY is preloaded and refuses requests for memory by number; see failing_start.cpp.
VALKYR_MEMORY_STRIDE=1 refuses every request once, which takes hours."""
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
FOREVER = 2**64 - 1
TIMES = re.compile(rb"[0-9.]+ (ms|us|s|frames/s)\b")
RUNS = 16  # runs per command and kind of refusal, without VALKYR_MEMORY_STRIDE
VALKYR = LIBRARY = ""

TEXT = "examples/shaders/lit_textured.frag.tgsi"
PICTURE = "tests/pictures/conformance/blend/alpha_test_equal.png"
COMMANDS = [
    ("compile", TEXT, "--emit", "listing"),
    ("tgsi", TEXT),
    ("isa", "FMA.f32"),
    ("conform", "vertex/stride_zero", "--engine", "jit", "--jobs", "2"),
    ("asm", "tests/app/end.valhall"),
    ("eval", TEXT, "--input", "IN[0]=1,2,3,4", "--engine", "jit"),
    ("debug", TEXT, "--batch", "-c", "step", "-c", "info registers"),
    ("lockstep", TEXT),
    ("diff", PICTURE, PICTURE),
    ("demo", "triangle", "--size", "32x32", "-o", "/dev/null"),
    ("replay", "tests/virgl/glxgears.trace", "--frame", "1", "--quiet"),
    ("run", "--", "/bin/true"),
]


def run(command: tuple, first: int, count: int, requests_file: str = "") -> subprocess.CompletedProcess:
    # VALKYR_USER_PRELOAD tells `run` that it has already left the preloads.
    return subprocess.run([VALKYR, *command], cwd=ROOT, capture_output=True, timeout=120,
                          env={**os.environ, "LD_PRELOAD": LIBRARY, "VALKYR_USER_PRELOAD": "",
                               "VALKYR_REFUSE_FIRST": str(first),
                               "VALKYR_REFUSE_COUNT": str(count), "VALKYR_REQUESTS_FILE": requests_file})


class Commands(unittest.TestCase):
    def check(self, command: tuple, expected: bytes, first: int, count: int):
        result = run(command, first, count)
        said = (command, first, count, result.returncode, result.stderr)
        if result.returncode == 0:
            self.assertEqual(TIMES.sub(b"", result.stdout), TIMES.sub(b"", expected), said)
        else:
            # 2: memory ran out while CLI11 made its own errors.
            self.assertIn(result.returncode, (1, 2), said)
            self.assertTrue(result.stderr or result.stdout, said)

    def sweep(self, command: tuple):
        with tempfile.NamedTemporaryFile("r") as file:
            whole = run(command, FOREVER, 1, file.name)
            requests = int(file.read())
        self.assertEqual(whole.returncode, 0, whole.stderr)
        self.assertGreater(requests, 0)
        stride = int(os.environ.get("VALKYR_MEMORY_STRIDE") or requests // RUNS + 1)
        for count in (1, FOREVER):
            for first in range(1 + stride // 2, requests + 1, stride):
                self.check(command, whole.stdout, first, count)

    def test_every_command_says_that_memory_ran_out(self):
        for command in COMMANDS:
            with self.subTest(command=command[0]):
                self.sweep(command)


if __name__ == "__main__":
    VALKYR, LIBRARY = sys.argv[1:3]
    unittest.main(argv=sys.argv[:1] + sys.argv[3:])
