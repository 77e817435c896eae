#!/usr/bin/env python3
# tools/dev/progress.sh: one temporary line on a terminal, few lines in a log.
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/support"))
from terminal import run_on_terminal

CLEAR = "\r\x1b[K"
# Three parts; one fails.
PARTS = """
set -euo pipefail
. tools/dev/progress.sh
work() { echo "at work in $1"; sleep 0.1; [ "$1" != two ]; }
for part in one two three; do
    progress_during "$((number++))" 3 "$part" "$LOG" work "$part" || echo "$part: $?, $(cat "$LOG")"
done
"""
# Three lines of a build, by a clock that the lines set.
NINJA = """
. tools/dev/progress.sh
unset EPOCHREALTIME
while read -r EPOCHREALTIME line; do
    printf '%s\\n' "$line" >"$LOG"
    progress_of_ninja build <"$LOG"
done <<EOF
10.000000 [1/3] Building 1
10.099999 [2/3] Building 2
10.100000 [3/3] Building 3
EOF
"""


class Progress(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.environment = {"LOG": str(self.folder / "log"), "number": "0"}

    def on_terminal(self, script, term="xterm"):
        """Runs a script; returns its standard output, and the terminal's text from standard error."""
        result = run_on_terminal(["bash", "-c", script], cwd=ROOT, environment=self.environment, term=term)
        return result.stdout, result.stderr

    def in_pipe(self, script):
        result = subprocess.run(["bash", "-c", script], cwd=ROOT, capture_output=True, text=True, env={**os.environ, **self.environment},
                                timeout=60)
        return result.stdout, result.stderr

    def test_a_terminal_shows_the_part_and_its_number_and_is_left_clean(self):
        printed, drawn = self.on_terminal(PARTS)
        self.assertEqual(printed, "two: 1, at work in two\n")
        self.assertRegex(drawn, r"\rone \[\.{40}\] 0 of 3, 0:0\d\x1b\[K")
        self.assertRegex(drawn, r"\rthree \[#{26}\.{14}\] 2 of 3, 0:0\d\x1b\[K")
        self.assertTrue(drawn.endswith(CLEAR), drawn)

    def test_a_log_has_no_line_of_short_work(self):
        self.assertEqual(self.in_pipe(PARTS), ("two: 1, at work in two\n", ""))

    def test_a_log_has_a_line_of_long_work(self):
        started = PARTS.replace(". tools/dev/progress.sh", ". tools/dev/progress.sh; progress_shown=-60")
        self.assertRegex(self.in_pipe(started)[1], r"\Aone: 0 of 3, 0:0\d\n\Z")

    def test_a_dumb_terminal_is_a_log(self):
        self.assertEqual(self.on_terminal(PARTS, term="dumb"), ("two: 1, at work in two\n", ""))

    def test_builds_are_followed_and_passed_on(self):
        lines = "".join(f"[{i}/3] Building {i}\n" for i in (1, 2, 3))
        self.assertEqual(self.in_pipe(NINJA), (lines, ""))
        printed, drawn = self.on_terminal(NINJA)
        self.assertEqual(printed, lines)
        self.assertEqual(re.findall(r"(\d) of 3", drawn), ["1", "3"], "at most one update in a tenth of a second")
        self.assertTrue(drawn.endswith(CLEAR), drawn)

    def test_a_build_shows_progress_on_a_terminal_and_its_log_if_it_fails(self):
        fake = self.folder / "cmake"
        fake.write_text('#!/bin/sh\n[ "$1" = --build ] || exit 0\necho "${NINJA_STATUS}" >&2\n'
                        'echo "[1/2] Building"; echo "[2/2] Linking"; exit $CODE\n')
        fake.chmod(0o755)
        self.environment["PATH"] = f"{self.folder}:{os.environ['PATH']}"
        self.environment["CODE"] = "0"
        build = "tools/dev/build.sh debug"
        self.assertEqual(self.in_pipe(build), ("Building (debug) ...\n", ""))
        printed, drawn = self.on_terminal(build)
        self.assertEqual(printed, "Building (debug) ...\n")
        self.assertRegex(drawn, r"\rdebug \[#{20}\.{20}\] 1 of 2, 0:0\d\x1b\[K")
        self.environment["CODE"] = "1"
        self.assertEqual(self.in_pipe(build)[1].splitlines(),
                         ["[%f/%t] ", "[1/2] Building", "[2/2] Linking", "tools/dev/build.sh: the debug build failed"])


if __name__ == "__main__":
    unittest.main()
