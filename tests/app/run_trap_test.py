#!/usr/bin/env python3
# valkyr run --trap: names the first NaN of a running OpenGL program, and ends with 1.
# SPDX-License-Identifier: MIT
"""usage: run_trap_test.py VALKYR"""
import sys
import unittest

import gl_program
import glsl_test

# The root of 0.5 - x: a NaN in all columns but the first one.
FRAGMENT = """#version 330
uniform vec4 tint;
out vec4 result;
void main() {
    result = tint;
    result.y = VALUE;
}
"""


class RunTrap(glsl_test.MesaCase):
    def run_with(self, value: str, *options: str):
        self.write(a_vert=gl_program.VERTEX, a_frag=FRAGMENT.replace("VALUE", value))
        return self.start("run", *options, "--", sys.executable, gl_program.PATH, "a.vert", "a.frag", "2")

    def test_the_first_draw_stage_pixel_and_line_are_named(self):
        done = self.run_with("sqrt(0.5 - gl_FragCoord.x)", "--trap", "nan")
        self.assertEqual(done.returncode, 1)
        self.assertRegex(done.stderr, r'frame 1, draw 0, fragment shader "[^"]+", pixel 1,0: line \d+: ')
        self.assertRegex(done.stderr, r"makes NaN of -?1; in 480 lanes")  # 15 of 16 columns, in both draws
        self.assertEqual(done.stderr.count(": makes "), 1)
        self.assertTrue(done.stdout.startswith("64 "))  # the program ends as usual

    def test_a_program_of_numbers_ends_with_its_own_code(self):
        done = self.run_with("sqrt(gl_FragCoord.x)", "--trap", "all")
        self.assertEqual((done.returncode, done.stderr), (0, ""))

    def test_each_kind_is_found_alone(self):
        infinite = "1.0 / (gl_FragCoord.x - 0.5)"
        self.assertEqual(self.run_with(infinite, "--trap", "nan").returncode, 0)
        done = self.run_with(infinite, "--trap", "inf", "--trap-count", "5")
        self.assertEqual(done.returncode, 1)
        self.assertIn("makes infinity of 0; in 32 lanes", done.stderr)  # a column, in both draws


if __name__ == "__main__":
    glsl_test.VALKYR = sys.argv.pop(1)
    unittest.main()
