#!/usr/bin/env python3
# Recordings keep GLSL: which the debugger shows, trims keep and options leave out.
# SPDX-License-Identifier: MIT
"""usage: record_glsl_test.py VALKYR"""
import json
import sys
import unittest

import gl_program
import glsl_test

FRAGMENT = """#version 330
uniform vec4 tint;
out vec4 result;
void main() {
    vec4 color = tint;
    color.x = sin(gl_FragCoord.x);
    if (color.w < 0.125)
        discard;
    result = color;
}
"""
NAMES = "GLSL program 1, FRAG"
UNKNOWN = "the GLSL of this shader is not known\n"


class RecordedGlsl(glsl_test.MesaCase):
    def setUp(self):
        super().setUp()
        self.write(a_vert=gl_program.VERTEX, a_frag=FRAGMENT)

    def record(self, *options: str, **variables: str):
        done = self.start("run", "--quiet", "--record", "a.trace", *options, "--", sys.executable, gl_program.PATH, "a.vert",
                          "a.frag", **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout.split()[1:], ["128", "191", "255"])

    def debug(self, *commands: str, trace: str = "a.trace") -> str:
        words = [word for command in commands for word in ("-c", command)]
        done = self.start("debug", trace, "--pixel", "3,3", "--batch", "--width", "160", *words)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_debugger_knows_source_names_and_lines(self):
        self.record()
        known = self.debug("info glsl")
        self.assertRegex(known, NAMES + r"( \(another form .*\))?, 10 lines; of ")
        self.assertRegex(known, r"CONST\[0\]\[0\] +tint\n")
        self.assertRegex(known, r"OUT\[0\] +result\n")
        self.assertIn("0.5", self.debug("print tint.y"))
        # The words of line 6 compute the sine; the breakpoint is where the text has it.
        self.assertRegex(self.debug("break glsl 6"), r"breakpoint 1 at line \d+\n")
        self.assertIn("GLSL line 6: color.x = sin(gl_FragCoord.x);", self.debug("view"))
        self.assertIn("=>  6     color.x = sin(gl_FragCoord.x);", self.debug("list glsl 5"))

    def test_the_profiler_has_the_lines(self):
        self.record("--gl", "3.3")
        done = self.start("profile", "a.trace", "--seconds", "0.05", "--json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        kernels = [kernel for kernel in json.loads(done.stdout)["kernels"] if kernel["stage"] == "fragment"]
        self.assertEqual(len(kernels), 1)
        self.assertRegex(kernels[0]["glsl"]["source"], NAMES)
        lines = {line["line"]: line for line in kernels[0]["glsl"]["lines"]}
        self.assertEqual(lines[6]["text"], "    color.x = sin(gl_FragCoord.x);")
        self.assertEqual(lines[6]["lanes"] - lines[6]["helper_lanes"], 16 * 16)
        self.assertEqual(lines[1]["warps"], 0)
        text = self.start("profile", "a.trace", "--seconds", "0.05", "--by", "glsl", "--html", "a.html").stdout
        self.assertRegex(text, r"\n +[0-9.]* %? +\d+ +16\.0 +6     color\.x = sin\(gl_FragCoord\.x\);\n")
        self.assertIn("color.x = sin(gl_FragCoord.x);", (self.folder / "a.html").read_text())

    def test_a_trim_keeps_it(self):
        self.record()
        done = self.start("trace-trim", "a.trace", "b.trace", "--frames", "1-1")
        if done.returncode != 0:  # the program has shown no frame
            self.assertIn("no frame 1", done.stderr)
            self.skipTest("a pbuffer shows no frames with this Mesa")
        self.assertIn(NAMES, self.debug("info glsl", trace="b.trace"))

    def test_it_can_be_left_out(self):
        self.record("--no-glsl")
        self.assertEqual(self.debug("info glsl"), UNKNOWN)

    def test_a_folder_of_the_user_is_left_alone(self):
        captured = self.folder / "captured"
        captured.mkdir()
        self.record(MESA_SHADER_CAPTURE_PATH=str(captured))
        self.assertEqual(self.debug("info glsl"), UNKNOWN)
        self.assertEqual([file.suffix for file in captured.iterdir()], [".shader_test"])

    def test_wrong_lines_and_places_are_errors(self):
        self.record()
        for command, error in [("list glsl 99", "the GLSL has lines 1 to 10"),
                               ("break glsl 1", "nothing was found that comes from line '1' of the GLSL"),
                               ("break glsl x", "nothing was found that comes from line 'x' of the GLSL")]:
            done = self.start("debug", "a.trace", "--pixel", "3,3", "--batch", "-c", command)
            self.assertEqual(done.returncode, 1)
            self.assertIn(error, done.stdout + done.stderr)


if __name__ == "__main__":
    glsl_test.VALKYR = sys.argv.pop(1)
    unittest.main()
