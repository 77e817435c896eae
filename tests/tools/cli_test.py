#!/usr/bin/env python3
# The valkyr command as a user meets it: help, exit codes, clear errors, files written.
# SPDX-License-Identifier: MIT
"""usage: cli_test.py VALKYR [UNITTEST ARGUMENTS...]"""
import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALKYR = ""
COMMANDS = [
    line.split("(")[1].split(")")[0]
    for line in (ROOT / "tools/commands.inc").read_text().splitlines()
    if line.startswith("VALKYR_COMMAND(")
]


def run(*arguments: str, stdin: str = "", **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run([VALKYR, *arguments], input=stdin, capture_output=True, text=True, timeout=120,
                          env={**os.environ, **environment})


def png_size(path: pathlib.Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class Usage(unittest.TestCase):
    def test_usage_errors_exit_with_2_and_say_why(self):
        for arguments in [(), ("frobnicate",), ("info", "extra"), ("demo", "--size"), ("demo", "no-such-scene")]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(result.stdout, "", arguments)
            self.assertNotEqual(result.stderr, "", arguments)

    def test_every_command_has_help(self):
        self.assertIn("info", COMMANDS)
        top = run("--help")
        self.assertEqual(top.returncode, 0)
        for command in COMMANDS:
            self.assertIn(f"  {command} ", top.stdout)
            result = run(command, "--help")
            self.assertEqual(result.returncode, 0, command)
            self.assertIn("Usage:", result.stdout)

    def test_info_names_host_and_libraries(self):
        result = run("info")
        self.assertEqual(result.returncode, 0)
        for word in ["valkyr", "SDL", "asmjit", "host level"]:
            self.assertIn(word, result.stdout)


class Demo(unittest.TestCase):
    def test_headless_writes_a_png_of_the_size_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.png"
            result = run("demo", "--headless", "--size", "97x41", "--frames", "2", "-o", str(path))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(str(path), result.stdout)
            self.assertEqual(png_size(path), (97, 41))

    def test_bad_sizes_are_usage_errors(self):
        for size in ["0x10", "10", "10x", "x", "-1x5", "99999x2", "3x4x5", "10x20q"]:
            result = run("demo", "--headless", f"--size={size}")
            self.assertEqual(result.returncode, 2, size)
            self.assertIn(size, result.stderr)

    def test_a_picture_that_cannot_be_written_is_an_error(self):
        result = run("demo", "--headless", "--size", "8x8", "-o", "/no/such/folder/x.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("/no/such/folder/x.png", result.stderr)

    def test_no_display_hints_at_headless(self):
        result = run("demo", "--frames", "1", DISPLAY="", WAYLAND_DISPLAY="", SDL_VIDEODRIVER="x11")
        self.assertEqual(result.returncode, 1)
        self.assertIn("--headless", result.stderr)

    def test_the_window_loop_ends_after_the_frames_asked_for(self):
        result = run("demo", "--frames", "2", "--size", "32x32", SDL_VIDEODRIVER="dummy")
        self.assertEqual(result.returncode, 0, result.stderr)


if __name__ == "__main__":
    VALKYR = sys.argv.pop(1)
    unittest.main()
