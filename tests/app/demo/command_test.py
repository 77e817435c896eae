#!/usr/bin/env python3
# valkyr-demo: has the subcommands that show pictures, and no library that only other subcommands
# need.
# SPDX-License-Identifier: MIT
"""usage: command_test.py VALKYR_DEMO [UNITTEST ARGUMENTS...]"""
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

VALKYR_DEMO = ""


def run(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run([VALKYR_DEMO, *arguments], capture_output=True, text=True, timeout=120)


class DemoCommand(unittest.TestCase):
    def test_it_has_three_subcommands(self):
        subcommands = run("--help").stdout.split("Subcommands:\n")[1]
        self.assertEqual(re.findall(r"^  (\w+)", subcommands, re.MULTILINE), ["demo", "view", "info"])
        self.assertEqual(run("conform", "--list").returncode, 2)

    def test_it_draws_a_scene(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "cube.png"
            result = run("demo", "--headless", "--size", "64x48", "-o", str(path))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertTrue(path.read_bytes().startswith(b"\x89PNG"))

    def test_rooms_that_demos_do_not_need_are_not_linked(self):
        names = subprocess.run(["nm", "-C", VALKYR_DEMO], capture_output=True, text=True, check=True).stdout
        self.assertIn("valkyr::raster::", names)
        for room in ("virgl", "conform", "debug::Debugger", "debug::Console", "bench"):
            self.assertNotIn(f"valkyr::{room}::", names)


if __name__ == "__main__":
    VALKYR_DEMO = sys.argv.pop(1)
    unittest.main()
