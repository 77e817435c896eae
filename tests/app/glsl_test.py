#!/usr/bin/env python3
# valkyr glsl: texts that Mesa makes of GLSL files, errors with their lines, macros, linked stages.
# SPDX-License-Identifier: MIT
"""usage: glsl_test.py VALKYR"""
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest

VALKYR = sys.argv.pop(1) if __name__ == "__main__" else ""
SECONDS = 120

FRAGMENT = """#version 330
in vec4 color;
in vec2 place;
uniform sampler2D image;
uniform vec4 tint;
out vec4 result;
void main() { result = texture(image, place) * color * tint; }
"""
VERTEX = """#version 330
in vec4 position;
in vec2 coordinate;
uniform mat4 matrix;
out vec4 color;
out vec2 place;
out vec3 unused;
void main() {
    gl_Position = matrix * position;
    color = position;
    place = coordinate;
    unused = position.xyz;
}
"""
GEOMETRY = """#version 330
layout(triangles) in;
layout(triangle_strip, max_vertices = 3) out;
in vec4 color[];
out vec4 shade;
void main() {
    for (int i = 0; i < 3; i++) {
        gl_Position = gl_in[i].gl_Position;
        shade = color[i];
        EmitVertex();
    }
    EndPrimitive();
}
"""
CONTROL = """#version 400
layout(vertices = 3) out;
void main() {
    gl_out[gl_InvocationID].gl_Position = gl_in[gl_InvocationID].gl_Position;
    gl_TessLevelOuter[0] = gl_TessLevelOuter[1] = gl_TessLevelOuter[2] = gl_TessLevelInner[0] = 2.0;
}
"""
EVALUATION = """#version 400
layout(triangles) in;
void main() { gl_Position = gl_TessCoord.x * gl_in[0].gl_Position + gl_TessCoord.y * gl_in[1].gl_Position; }
"""
COMPUTE = """#version 430
layout(local_size_x = 8) in;
layout(std430, binding = 0) buffer Words { uint words[]; };
void main() { words[gl_GlobalInvocationID.x] *= 3u; }
"""
ES = """#version 310 es
precision mediump float;
in vec4 color;
out vec4 result;
void main() { result = color; }
"""
OLD = "uniform sampler2D image;\nvoid main() { gl_FragColor = texture2D(image, gl_TexCoord[0].xy) * gl_Color; }\n"
QUARTER = "1048576000"  # the word of 0.25
MACRO = "void main() { gl_FragColor = vec4(VALUE); }\n"
WRONG = "void main() { gl_FragColor = wrong; }\n"
SOURCES = {"a.vert": VERTEX, "a.frag": FRAGMENT, "a.geom": GEOMETRY, "a.tesc": CONTROL, "a.tese": EVALUATION,
               "a.comp": COMPUTE, "es.frag": ES, "old.frag": OLD}
PROCESSORS = {"vert": "VERT", "frag": "FRAG", "geom": "GEOM", "tesc": "TESS_CTRL", "tese": "TESS_EVAL", "comp": "COMP"}


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.temporary = self.folder / "temporary"
        self.temporary.mkdir()
        # Nothing is left behind, however a test ends.
        self.addCleanup(lambda: self.assertEqual(list(self.temporary.iterdir()), []))

    def write(self, **files: str):
        for name, text in files.items():
            (self.folder / name.replace("_", ".")).write_text(text)

    def command(self, *arguments: str, **variables: str) -> dict:
        return {"args": [VALKYR, *arguments], "cwd": self.folder,
                "env": {**os.environ, "TMPDIR": str(self.temporary), **variables}}

    def start(self, *arguments: str, **variables: str) -> subprocess.CompletedProcess:
        return subprocess.run(**self.command(*arguments, **variables), capture_output=True, text=True, timeout=SECONDS)

    def refuse(self, code: int, errors: str, *arguments: str, **variables: str):
        done = self.start(*arguments, **variables)
        self.assertEqual((done.returncode, done.stdout, done.stderr), (code, "", errors))


class Anywhere(Case):
    """These tests pass with and without Mesa."""

    def test_a_name_that_says_no_stage_is_wrong_usage(self):
        endings = ".vert, .tesc, .tese, .geom, .frag, .comp"
        self.write(a_glsl=FRAGMENT, a_frag=FRAGMENT)
        error = f"valkyr glsl: the name of a.glsl ends in none of {endings}\n"
        self.refuse(2, error, "glsl", "a.glsl")
        self.refuse(2, error, "glsl", "a.frag", "--link", "a.glsl")

    def test_a_macro_that_is_none_is_wrong_usage(self):
        self.write(a_frag=FRAGMENT)
        for define, error in [("1A=2", "'1A' is no name of a macro"), ("F(x)=x", "'F(x)' is no name of a macro"),
                              ("=1", "'' is no name of a macro"),
                              ("A=1\nB", "the value of A has a line break or a backslash"),
                              ("A=\\", "the value of A has a line break or a backslash")]:
            self.refuse(2, f"valkyr glsl: -D: {error}\n", "glsl", "a.frag", "-D", define)

    def test_two_files_need_link(self):
        self.refuse(2, "valkyr glsl: give one FILE, and other stages by --link\n", "glsl", "a.frag", "a.vert")

    def test_hidden_options_without_a_file_are_wrong_usage(self):
        for options in (["--keep", "a.trace"], ["--parts"]):
            done = self.start("glsl", *options)
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("FILE is missing", done.stderr)

    def test_a_file_that_is_not_there_is_an_error(self):
        done = self.start("glsl", "none.frag")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^valkyr glsl: error: .*none\.frag.*No such file")

    def test_without_mesa_it_says_so_and_ends_with_1(self):
        (self.folder / "libEGL.so.1").write_text("no library")
        self.write(a_frag=FRAGMENT)
        done = self.start("glsl", "a.frag", LD_LIBRARY_PATH=str(self.folder))
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^valkyr glsl: error: Mesa has no context .*libEGL\.so\.1.*; try valkyr doctor\n$")

    def test_the_client_is_no_option_for_people(self):
        self.assertNotIn("client", self.start("glsl", "--help").stdout)


class MesaCase(Case):
    """A case whose tests are skipped without Mesa."""

    @classmethod
    def setUpClass(cls):
        done = subprocess.run([VALKYR, "doctor", "--json"], capture_output=True, text=True, timeout=SECONDS)
        verdicts = {row["name"]: row["verdict"] for row in json.loads(done.stdout)}
        for name in ("EGL of Mesa", "Mesa's driver"):
            if verdicts[name] != "ok":
                raise unittest.SkipTest(f"{name} is not installed")

    def setUp(self):
        super().setUp()
        if b"__asan_init" in pathlib.Path(VALKYR).read_bytes():
            self.skipTest("the address sanitizer must be the first preload of the client")


class WithMesa(MesaCase):
    def text(self, *arguments: str, **variables: str) -> str:
        done = self.start("glsl", *arguments, **variables)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_the_text_of_each_stage_is_correct_and_compiles(self):
        for name, source in SOURCES.items():
            (self.folder / name).write_text(source)
            self.text(name, "-o", "text.tgsi")
            text = (self.folder / "text.tgsi").read_text()
            self.assertEqual(text.split()[0], PROCESSORS[name.split(".")[1]], name)
            for command in ("tgsi", "compile"):
                done = self.start(command, "text.tgsi")
                self.assertEqual((done.returncode, done.stderr), (0, ""), text)

    def test_the_text_declares_inputs_and_resources(self):
        self.write(a_frag=FRAGMENT, a_vert=VERTEX)
        text = self.text("a.frag")
        self.assertRegex(text, r"DCL IN\[0\], GENERIC\[\d+\], PERSPECTIVE\nDCL IN\[1\]\.xy, GENERIC\[\d+\], PERSPECTIVE\n")
        self.assertRegex(text, r"DCL SAMP\[0\]\nDCL SVIEW\[0\], 2D, FLOAT\nDCL CONST\[0\]\n")
        text = self.text("a.vert")
        self.assertIn("DCL IN[0]\nDCL IN[1]\n", text)
        self.assertIn("DCL CONST[0..3]\n", text)

    def test_linked_stages_have_matching_numbers_and_no_unread_outputs(self):
        self.write(a_frag=FRAGMENT, a_vert=VERTEX)
        numbers = r"(?m)^DCL {}\[\d\](?:\.\w+)?, GENERIC\[(\d+)\]"
        read = re.findall(numbers.format("IN"), self.text("a.frag", "--link", "a.vert"))
        written = re.findall(numbers.format("OUT"), self.text("a.vert", "--link", "a.frag"))
        self.assertEqual((len(read), written), (2, read))
        self.assertEqual(len(re.findall(numbers.format("OUT"), self.text("a.vert"))), 3)

    def test_errors_have_the_name_and_the_line_of_their_file(self):
        self.write(a_frag="#version 330\n\n" + WRONG, a_vert=VERTEX, b_vert="#version 330\n" + WRONG)
        done = self.start("glsl", "a.frag")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertEqual(done.stderr.splitlines()[0], "a.frag:3:30: error: `wrong' undeclared")
        done = self.start("glsl", "a.frag", "--link", "b.vert")
        self.assertEqual(done.returncode, 1)
        self.assertIn("a.frag:3:30: error: `wrong' undeclared\n", done.stderr)
        self.assertIn("b.vert:2:30: error: `wrong' undeclared\n", done.stderr)

    def test_errors_of_the_linker_and_of_versions_are_errors(self):
        self.write(a_geom=GEOMETRY, a_frag=FRAGMENT, b_frag="#version 999\nvoid main() {}\n")
        done = self.start("glsl", "a.geom", "--link", "a.frag")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "^a.geom: error: .*vertex shader")
        done = self.start("glsl", "b.frag")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, r"^b\.frag:1:\d+: error: GLSL 9\.99 is not supported")

    def test_lines_that_the_source_numbers_itself_keep_their_numbers(self):
        self.write(a_frag="#version 330\n#line 70\n" + WRONG)
        for arguments in ((), ("-D", "NAME")):
            self.assertRegex(self.start("glsl", "a.frag", *arguments).stderr, "^a.frag:70:30: error: ")

    def test_sources_that_are_no_shaders_are_errors(self):
        for text in ("", "#version", "#version 330", "\0" * 9, "/*", "#version 330\nvoid f() {}\n", "\xff\n(" * 999):
            self.write(a_frag=text)
            done = self.start("glsl", "a.frag", "-D", "NAME")
            self.assertEqual((done.returncode, done.stdout), (1, ""), text)
            self.assertRegex(done.stderr, "^a.frag:.*error: ", text)

    def test_macros_are_defined_and_lines_keep_their_numbers(self):
        for version in ("", "#version 120\n", "// a\n/* b\n#version 100 */ #version 120 /*\n */\n", "#version 330\n",
                        " # version 150 compatibility // c\n", "#version 100\nprecision mediump float;\n", "\n\n"):
            self.write(a_frag=version + MACRO, b_frag=version + "#ifdef NAME\n" + WRONG + "#endif\n")
            self.assertIn(QUARTER, self.text("a.frag", "-D", "VALUE=0.25"), version)
            self.assertEqual(self.start("glsl", "a.frag").returncode, 1)
            done = self.start("glsl", "b.frag", "-DNAME", "-D", "OTHER=1")
            line = version.count("\n") + 2
            self.assertEqual(done.stderr.splitlines()[0], f"b.frag:{line}:30: error: `wrong' undeclared", version)

    def test_variables_of_the_user_change_nothing(self):
        self.write(a_frag=FRAGMENT)
        text = self.text("a.frag")
        self.assertEqual(text, self.text("a.frag", GALLIUM_DRIVER="llvmpipe", MESA_GL_VERSION_OVERRIDE="2.1",
                                         LIBGL_ALWAYS_SOFTWARE="0", EGL_PLATFORM="x11", DISPLAY=":4711"))

    def test_a_client_without_a_driver_is_an_error(self):
        self.write(a_frag=FRAGMENT)
        done = self.start("glsl", "a.frag", LIBGL_DRIVERS_PATH="/no/such/folder")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertRegex(done.stderr, "(?m)^valkyr glsl: error: Mesa has no context on Valkyr: .*; try valkyr doctor$")

    def test_a_signal_ends_it_and_nothing_is_left(self):
        self.write(a_frag=FRAGMENT)
        process = subprocess.Popen(**self.command("glsl", "a.frag"), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        end = time.monotonic() + SECONDS
        while not list(self.temporary.glob("*/socket")) and time.monotonic() < end:
            time.sleep(0.001)
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=SECONDS)
        self.assertIn(process.returncode, (0, 1))  # It may have been done.

    def test_commands_on_texts_take_the_file(self):
        self.write(a_frag="#version 330\nin vec4 color; out vec4 result;\nvoid main() { result = color * SCALE; }\n")
        done = self.start("compile", "a.frag", "-D", "SCALE=2.0", "--emit", "tgsi")
        self.assertEqual((done.returncode, done.stdout), (0, self.text("a.frag", "-D", "SCALE=2.0")), done.stderr)
        done = self.start("eval", "a.frag", "-D", "SCALE=2.0", "--input", "IN[0]=1,2,3,4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, r"OUT\[0\] COLOR +\(?2, 4, 6, 8")
        done = self.start("tgsi", "a.frag", "-D", "SCALE=2.0", "--stats")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("FRAG", done.stdout)
        done = self.start("debug", "a.frag", "-D", "SCALE=2.0", "--input", "IN[0]=1,2,3,4", "--batch", "--command", "check")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn(": equal", done.stdout)
        done = self.start("lockstep", "a.frag", "-D", "SCALE=2.0", "--input", "IN[0]=1,2,3,4")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for command in ("compile", "eval", "tgsi", "debug", "lockstep"):
            done = self.start(command, "a.frag")
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn("a.frag:3:32: error: `SCALE' undeclared\n", done.stderr)
            self.assertIn(f"valkyr {command}: error: `valkyr glsl` has failed\n", done.stderr)


if __name__ == "__main__":
    unittest.main()
