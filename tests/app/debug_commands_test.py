#!/usr/bin/env python3
# valkyr debug and lockstep as a user meets them: commands, listings, windows, errors.
# SPDX-License-Identifier: MIT
"""usage: debug_commands_test.py VALKYR [UNITTEST ARGUMENTS...]"""
import json
import pathlib
import re
import sys
import tempfile
import unittest

import valkyr_command
from html_tags import unclosed_tags
from valkyr_command import GEOMETRY_SCENE, GROUP_SHADER, PATCH_SCENE, RACING_SHADER, SHADER, TRACE, png_size, run

# A square of 1 / 0, in a format that keeps infinities.
INFINITY_SCENE = """title Infinities
size 8x8
color R32G32B32A32_FLOAT
vertex_shader {
VERT
DCL IN[0]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[0].zzzz
  2: END
}
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
  0: RCP OUT[0], IN[0].xxxx
  1: END
}
set primitive triangle_strip
vertices 4 f32 {
-1 -1 0 1
1 -1 0 1
-1 1 0 1
1 1 0 1
}
draw 4
"""


class Why(unittest.TestCase):
    def why(self, *arguments: str) -> str:
        result = run("why", *arguments)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def test_the_history_of_a_recorded_pixel_ends_with_its_value_and_opens_the_debugger(self):
        text = self.why(TRACE, "--frame", "2", "--pixel", "150,150")
        self.assertIn("frame 2: resource 1, texel 150,150 (B8G8R8X8_UNORM, 300x300)\n", text)
        self.assertRegex(text, r"1  clear\n +value .* -> 0, 0, 0 ")
        self.assertIn("2  draw 0, primitive 9, front facing: passed\n", text)
        self.assertIn("     blend    off\n", text)
        self.assertRegex(text, r"\nvalue: 0\.7\d+, 0\.\d+, 0 \(00 .. .. FF\)\n$")
        line = next(line for line in text.splitlines() if line.startswith("     debug "))
        result = run(*line.split()[2:], "--batch", "--command", "info hits")
        self.assertIn("draw 0, primitive 9, front facing: written", result.stdout)

    def test_the_history_of_a_demo_names_the_command_with_its_time_and_size(self):
        text = self.why("demo:cube", "--pixel", "30,30", "--size", "64x64", "--time", "0.25")
        self.assertIn("valkyr debug demo:cube --size 64x64 --time 0.25 --pixel 30,30 --draw 0 --hit ", text)
        resolved = self.why("demo:torus", "--pixel", "30,30", "--size", "64x64")
        self.assertRegex(resolved, r"resolve\n +value .*\n +from +texture 1, texel 30,30: 0\.")

    def test_json_says_what_the_text_says(self):
        torus = ("demo:torus", "--pixel", "30,30", "--size", "64x64")
        for arguments in ((TRACE, "--pixel", "150,150"), ("demo:outline", "--pixel", "260,180"), torus,
                          (*torus, "--resource", "1"), (*torus, "--resource", "1", "--sample", "2")):
            self.check_json(*arguments)
        with tempfile.TemporaryDirectory() as folder:
            scene = pathlib.Path(folder) / "x.scene"
            scene.write_text(INFINITY_SCENE)
            self.assertEqual(self.check_json(str(scene), "--pixel", "5,5")["value"][0]["color"], [None] * 4)

    def check_json(self, *arguments: str) -> dict:
        text = self.why(*arguments)
        history = json.loads(self.why(*arguments, "--json"))
        place = f"{history['what']}: {history['texture']}, texel {history['texel']['x']},{history['texel']['y']} "
        self.assertTrue(text.startswith(f"{place}({history['format']}, {history['width']}x{history['height']}"), text)
        parts = re.split(r"\n +\d+  ", text)[1:]
        self.assertEqual(len(parts), len(history["entries"]))
        for part, entry in zip(parts, history["entries"]):
            self.check_entry(part, entry)
        for sample in history["value"]:
            self.assertIn(f"({sample['bytes']})", text.splitlines()[-1])
        return history

    def check_entry(self, text: str, entry: dict):
        """The title, values, operands, colours and inputs of an entry are in its part of the text."""
        self.assertTrue(text.startswith(entry["title"]), text)
        numbers = [number for value in (entry["before"], entry["after"]) for sample in value for number in sample["color"]]
        fragment = entry.get("fragment")
        if fragment:
            self.assertIn(": " + fragment["fate"], text)
            self.assertIn("debug    " + entry["debug"], text)
            self.assertEqual(set(fragment["coverage"]) >= set(fragment["written"]), True)
            numbers += [number for color in fragment["shader"] for number in color["color"]]
            numbers += [number for given in fragment["inputs"] for number in given["values"]]
            for test in fragment["tests"]:
                self.assertIn(test["killer"], text)
                numbers += [test["value"], test["against"]]
        if "from" in entry:
            self.assertIn(f"from     {entry['from']['texture']}, texel ", text)
        for number in numbers:
            self.assertIn("inf" if number is None else f"{number:.6g}", text)

    def test_followed_sources_are_nested(self):
        shadow = ("demo:shadow", "--pixel", "40,40", "--size", "64x64", "--follow", "2")
        text = self.why(*shadow)
        self.assertRegex(text, r"\n         before 1: texture 1, texel 40,40 \(R8G8B8A8_UNORM, 64x64, 4 samples\)\n")
        self.assertRegex(text, r"\n                  before \d: texture 3, texel \d+,\d+ \(D24_UNORM_S8_UINT, 512x512\)\n")
        self.assertRegex(text, r"\n         value: .*; this texel was written by draw 1 of this scene\nvalue: ")
        source = json.loads(self.why(*shadow, "--json"))["entries"][-1]["from"]
        self.assertEqual(source["history"]["value"], source["value"])
        writer = source["history"]["entries"][source["history"]["written_by"]]
        self.assertEqual((writer["kind"], writer["draw"]), ("fragment", 1))
        read = writer["fragment"]["texels"][0]["from"]
        self.assertEqual(read["history"]["value"], read["value"])
        self.assertEqual(read["history"]["texture"], "texture 3")
        html = self.why(*shadow, "--html", "-")
        self.assertEqual(unclosed_tags(html), [])
        self.assertEqual(html.count('class="source"'), text.count(" before "))

    def test_a_page_is_whole_and_escaped(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "why.html"
            text = self.why("demo:outline", "--pixel", "260,180", "--html", str(page))
            html = page.read_text()
            self.assertEqual(unclosed_tags(html), [])
            self.assertEqual(html.count("<details"), text.count("\n     value "))
            self.assertEqual(html.count("<code>"), text.count("\n     debug "))
            self.assertIn('<span class="bad">killed by early stencil test</span>', html)
            self.assertIn("background:rgb(13,15,23)", html)
            self.assertEqual(self.why("demo:outline", "--pixel", "260,180", "--html", "-"), html)
            scene = pathlib.Path(folder) / "<b>&.scene"
            scene.write_text(INFINITY_SCENE)
            html = self.why(str(scene), "--pixel", "1,1", "--html", "-")
            self.assertEqual(unclosed_tags(html), [])
            self.assertIn("&lt;b&gt;&amp;.scene", html)
        result = run("why", "demo:cube", "--pixel", "1,1", "--html", "/no/folder/x.html")
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("/no/folder/x.html", result.stderr)

    def test_an_index_beside_the_trace_changes_no_history(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "gears.trace"
            trace.write_bytes(pathlib.Path(TRACE).read_bytes())
            plain = self.why(str(trace), "--pixel", "150,150")
            self.assertEqual(run("trace-index", str(trace), "--every", "1").returncode, 0)
            self.assertEqual(self.why(str(trace), "--pixel", "150,150"), plain)

    def test_bad_input_is_an_error_and_a_bad_command_line_another(self):
        with tempfile.TemporaryDirectory() as folder:
            cut = pathlib.Path(folder) / "cut.trace"
            cut.write_bytes(pathlib.Path(TRACE).read_bytes()[:5000])
            cases = {("no-such.trace", "--pixel", "1,1"): "no-such.trace", ("x.png", "--pixel", "1,1"): "neither demo",
                     (str(cut), "--pixel", "1,1"): "cut", (TRACE, "--pixel", "300,1"): "outside of the picture, 300x300",
                     (TRACE, "--pixel", "1,1", "--frame", "77"): "no frame 77", ("demo:cube", "--pixel", "1"): "is not X,Y",
                     ("demo:none", "--pixel", "1,1"): "no demo", (TRACE, "--pixel", "1,1", "--resource", "7"): "resource 1 (B8G8R8X8_UNORM, 300x300), resource 2",
                     ("demo:cube", "--pixel", "64,1", "--size", "64x64", "--resource", "0"): "of texture 0, 64x64 texels",
                     ("demo:cube", "--pixel", "1,1", "--frame", "2"): "--frame"}
            for arguments, words in cases.items():
                result = run("why", *arguments)
                self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
                self.assertIn(words, result.stderr, arguments)
        self.assertEqual(run("why", "demo:cube").returncode, 2)
        self.assertEqual(run("why", "demo:cube", "--pixel", "1,1", "--sample", "x").returncode, 2)
        self.assertEqual(run("why", "demo:cube", "--pixel", "1,1", "--follow", "17").returncode, 2)


class Debug(unittest.TestCase):
    def session(self, *arguments: str, stdin: str = "", **environment: str) -> str:
        result = run("debug", *arguments, "--width", "150", stdin=stdin, **environment)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        return result.stdout

    def shader(self, folder: str) -> str:
        path = pathlib.Path(folder) / "mad.frag.tgsi"
        path.write_text(SHADER)
        return str(path)

    def test_commands_of_the_command_line_and_of_scripts_are_carried_out(self):
        with tempfile.TemporaryDirectory() as folder:
            shader = self.shader(folder)
            script = pathlib.Path(folder) / "script"
            script.write_text("# to the END\nuntil 6\nview\n")
            text = self.session(shader, "--batch", "-x", str(script), "--command", "p CONST[0].x",
                                "--input", "IN[0]=3,2,3,4", "--input", "CONST[0]=2")
            self.assertIn("line 6, word", text)
            self.assertRegex(text, r"=> +6 .*END")
            self.assertRegex(text, r"\nlane 0 \(0,0\) +2\n")

    def test_commands_come_from_standard_input_and_listings_stand_side_by_side(self):
        with tempfile.TemporaryDirectory() as folder:
            text = self.session(self.shader(folder), stdin="view\nstep\nrs\nrs\ninfo mask\n")
            self.assertIn("MAD OUT[0]", text)
            self.assertIn("FMA.f32", text)
            self.assertRegex(text, r"host \((avx512|avx2|neon)\)")
            self.assertIn("at the start", text)
            self.assertNotIn("\x1b", text)  # no colours for a file

    def test_a_command_that_fails_is_named_with_its_line_and_the_exit_code_says_so(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("debug", self.shader(folder), stdin="step\nfly\nstep\n")
            self.assertEqual(result.returncode, 1)
            self.assertIn("standard input:2: error: no command 'fly'", result.stderr)
            self.assertIn("step 2 of", result.stdout)

    def test_bad_files_pixels_and_draws_are_errors(self):
        cases = {("no-such-file",): "no-such-file", ("demo:cube",): "--pixel",
                 ("demo:cube", "--pixel", "5000,1"): "640x480", ("demo:cube", "--pixel", "1"): "is not X,Y",
                 ("demo:cube", "--pixel", "3,3", "--draw", "77"): "no draw 77",
                 ("demo:none", "--pixel", "3,3"): "no demo", ("demo:triangle", "--pixel", "0,0"): "covers"}
        for arguments, words in cases.items():
            result = run("debug", *arguments, "--batch")
            self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
            self.assertIn(words, result.stderr, arguments)

    def test_a_pixel_of_a_recorded_program_is_stepped_through(self):
        text = self.session(TRACE, "--frame", "2", "--pixel", "150,150", "--batch", "--command", "info hits",
                            "--command", "step", "--command", "p IN[0].x", "--command", "check")
        self.assertIn("draw 0, primitive 9, front facing: written (--draw 0 --hit 0)", text)
        self.assertRegex(text, r"lane 12 \(150,150\) +0\.7\d")  # the red gear
        self.assertIn(": equal", text)
        self.assertNotIn("DIFFERENT", text)

    def test_a_vertex_of_a_recorded_program_is_stepped_through(self):
        text = self.session(TRACE, "--frame", "1", "--draw", "0", "--vertex", "7", "--batch", "--command", "p OUT[0].x",
                            "--command", "check")
        self.assertIn("(vertex 7)", text)
        self.assertNotIn("DIFFERENT", text)

    def test_a_primitive_of_a_geometry_shader_is_stepped_through(self):
        text = self.session(GEOMETRY_SCENE, "--primitive", "1", "--hit", "0",
                            "--batch", "--command", "info hits", "--command", "p IN[1][0].x", "--command", "check")
        self.assertIn("draw 0, invocation 1: shaded (--draw 0 --hit 1)", text)
        self.assertIn("(primitive 1, invocation 0)", text)
        self.assertIn(": equal", text)
        self.assertNotIn("DIFFERENT", text)

    def test_a_patch_is_stepped_through_its_shaders(self):
        text = self.session(PATCH_SCENE, "--patch", "1", "--hit", "0", stdin="info hits\nbreak barrier\nc\nwarp 1\np OUT[16][1].x\n"
                            "memory 2\ncheck\n")
        self.assertIn("draw 0, control shader: shaded (--draw 0 --hit 0)", text)
        self.assertRegex(text, r"evaluation shader, from point 0,1: shaded \(--draw 0 --hit 1\)")
        self.assertIn("all warps have reached the barrier", text)
        self.assertRegex(text, r"lane 0 \(patch 1, vertex 16\) +1\n")
        self.assertIn("patch records, 32 bytes", text)
        self.assertIn(": equal", text)
        self.assertNotIn("DIFFERENT", text)
        result = run("debug", PATCH_SCENE, "--patch", "1", "--batch", "--command", "memory 4")
        self.assertEqual(result.returncode, 1)
        self.assertIn("records of patches are memory 0 to 3", result.stderr + result.stdout)
        text = self.session("demo:terrain", "--patch", "300", "--batch", "--command", "p SV[0].xy", "--command", "lockstep")
        self.assertRegex(text, r"lane 0 \(patch 300, 0\.\d+,0\.\d+\) +0\.\d+ +0\.\d+\n")
        self.assertNotIn("DIFFERENT", text)

    def group(self, folder: str, text: str = "") -> str:
        path = pathlib.Path(folder) / "group.comp.tgsi"
        path.write_text(text or GROUP_SHADER)
        return str(path)

    def test_a_work_group_is_stepped_through_and_agrees_with_recompiled_code(self):
        with tempfile.TemporaryDirectory() as folder:
            place = ("--group", "1,0,0", "--grid", "2,1,1", "--shared", "80", "--buffer", "0=0u*40")
            text = self.session(self.group(folder), *place, stdin="break barrier\nc\nwarp 1\nmemory at 64 4/d\n"
                                "info warps\ngoto end\nmemory 0 at 80 1\ncheck\n")
            self.assertIn("group 1,0,0 of 2,1,1: 20 invocations in 2 warps", text)
            self.assertIn("all warps have reached the barrier of line 15", text)
            self.assertRegex(text, r"byte 64 +\*36 +\*37 +\*38 +\*39\n")
            self.assertIn(" => warp 1, from (16,0,0): is ready, line 16", text)
            self.assertRegex(text, r"byte 80 +\*00000015\n")
            self.assertIn(": equal", text)
            self.assertNotIn("DIFFERENT", text)
            result = run("lockstep", self.group(folder), *place)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("the work-group has several warps", result.stdout)
            path = pathlib.Path(folder) / "window.png"
            self.session(self.group(folder), *place, "--screenshot", str(path), DISPLAY="")
            self.assertEqual(png_size(path), (1500, 900))

    def test_races_of_a_work_group_are_listed_with_their_steps(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = ("--buffer", "0=0u*20", "--race-check", "--batch")
            self.assertIn("no races", self.session(self.group(folder), *arguments))
            result = run("debug", self.group(folder, RACING_SHADER), *arguments)
            self.assertEqual((result.returncode, result.stderr), (1, ""))
            self.assertRegex(result.stdout, r"invocation \(1,0,0\) writes: step \d+, .*group\.comp\.tgsi:13, word \d+: STORE")

    def test_work_groups_that_cannot_be_are_errors(self):
        with tempfile.TemporaryDirectory() as folder:
            cases = {("--group", "3,0,0", "--grid", "1,1,1"): "--group is not in --grid", ("--grid", "0,1,1"): "1 to 65535 groups",
                     ("--buffer", "3=1u"): "declares no BUFFER[3]", ("--input", "THREAD_ID=1u"): "--group and --grid say",
                     ("--steps", "50"): "the work-group issues more than 50 instructions"}
            for arguments, words in cases.items():
                result = run("debug", self.group(folder), *arguments, "--batch")
                self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
                self.assertIn(words, result.stderr, arguments)
            for arguments in [("--group", "0,0,0"), ("--buffer", "0=1u"), ("--race-check",)]:
                result = run("debug", self.shader(folder), *arguments, "--batch")
                self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
                self.assertIn("COMP texts", result.stderr, arguments)
            self.assertIn("more than 16 lanes", run("debug", self.shader(folder), "--lanes", "17", "--batch").stderr)

    def test_draws_of_a_frame_and_of_a_scene_are_listed(self):
        lines = run("debug", TRACE, "--draws", "--frame", "2", "--pixel", "150,150").stdout.splitlines()
        self.assertEqual(len(lines), 12)
        self.assertRegex(lines[0], r"^draw 0: triangles of 360, onto 300x300, shader \d, shader \d: has pixel 150,150: written$")
        self.assertNotIn("has", lines[1])
        lines = run("debug", "demo:cube", "--draws").stdout.splitlines()
        self.assertTrue(lines[0].startswith("draw 0: triangles of "), lines)

    def test_log_points_print_what_the_debugger_shows(self):
        lane = self.session("demo:cube", "--pixel", "320,240", "--batch", "-c", "until 14", "-c", "p TEMP[1].xyz")
        values = re.search(r"\(320,240\) +(\S+) +(\S+) +(\S+)", lane).groups()
        text = self.session("demo:cube", "--log", 'stage=fragment pixel=320,240 line=14: "{TEMP[1].xyz}"')
        self.assertEqual(text, f'draw 0, fragment shader "lit_textured.frag", pixel 320,240: {", ".join(values)}\n')
        for frame in ("1", "2"):
            text = self.session(TRACE, "--frame", frame, "--log", 'draw=0 stage=fragment pixel=150,150 line=6: "{draw}"')
            self.assertEqual(text, f'frame {frame}, draw 0, fragment shader "shader 1", pixel 150,150: 0\n')
        self.assertIn("--log is for scenes", run("debug", "examples/shaders/lit_textured.frag.tgsi", "--log", "line=1: a").stderr)
        self.assertIn("opens no debugger", run("debug", TRACE, "--pixel", "1,1", "--log", "line=1: a").stderr)
        self.assertIn("printed nothing: no shader", run("debug", TRACE, "--log", "draw=99 line=1: a").stderr)

    def test_frames_draws_pixels_and_files_that_a_trace_does_not_have_are_errors(self):
        pixel = ("--pixel", "150,150")
        cases = {(*pixel, "--frame", "99"): "no frame 99; the trace has 3", (*pixel, "--draw", "12"): "the frame has 12",
                 ("--pixel", "0,0"): "no draw of 12 covers pixel 0,0", ("--pixel", "150,300"): "300x300",
                 ("--pixel", "150,150", "--draw", "1"): "draw 1 does not cover pixel 150,150",
                 (*pixel, "--hit", "7"): "no hit 7; there are", (*pixel, "--vertex", "1"): "exclude each other",
                 ("--primitive", "1", "--vertex", "1"): "exclude each other", ("--patch", "1", "--vertex", "1"): "exclude each other",
                 ("--patch", "0"): "shades patch 0", ("--primitive", "0"): "shades primitive 0",
                 (): "--pixel"}
        for arguments, words in cases.items():
            result = run("debug", TRACE, *arguments, "--batch")
            self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
            self.assertIn(words, result.stderr, arguments)
        with tempfile.TemporaryDirectory() as folder:
            damaged = pathlib.Path(folder) / "damaged.trace"
            for keep in (0, 10, 30, 5000):
                damaged.write_bytes(pathlib.Path(TRACE).read_bytes()[:keep])
                for command in ("debug", "lockstep"):
                    result = run(command, str(damaged), *pixel)
                    self.assertEqual((result.returncode, result.stdout), (1, ""))
                    self.assertIn("damaged.trace", result.stderr)
        self.assertEqual(run("debug", "none.trace", *pixel).returncode, 1)
        self.assertEqual(run("debug", TRACE, *pixel, "--frame", "0").returncode, 2)
        self.assertIn("--draws is for scenes", run("debug", "examples/shaders/lit_textured.frag.tgsi", "--draws").stderr)
        self.assertIn("--frame is for traces", run("debug", "demo:cube", "--frame", "1", *pixel).stderr)

    def test_lockstep_compares_a_pixel_of_a_recorded_program(self):
        result = run("lockstep", TRACE, "--frame", "2", "--pixel", "150,150")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("frame 2, draw 0, pixel 150,150", result.stdout)
        self.assertIn("registers of lanes equal", result.stdout)

    def test_a_pixel_of_a_demo_is_stepped_through_and_agrees_with_recompiled_code(self):
        text = self.session("demo:cube", "--pixel", "320,240", "--batch", "--command", "goto end", "--command",
                            "info textures", "--command", "info coverage", "--command", "check")
        self.assertIn("coordinate 0", text)
        self.assertIn("BLEND to target 0", text)
        self.assertNotIn("DIFFERENT", text)

    def test_all_steps_are_exported(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "steps"
            self.session(self.shader(folder), "--batch", "--command", f"export {path}")
            self.assertRegex(path.read_text(), r"\n0 0 \d+ ffff ")

    def test_the_window_is_drawn_without_a_display(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "window.png"
            self.session(self.shader(folder), "--screenshot", str(path), DISPLAY="")
            self.assertEqual(png_size(path), (1500, 900))

    def test_no_display_for_the_window_is_a_clear_error(self):
        with tempfile.TemporaryDirectory() as folder:
            result = run("debug", self.shader(folder), "--window", SDL_VIDEODRIVER="nosuch")
            self.assertEqual(result.returncode, 1)
            self.assertIn("without --window it needs none", result.stderr)

    def test_lockstep_compares_word_by_word(self):
        with tempfile.TemporaryDirectory() as folder:
            arguments = (self.shader(folder), "--input", "IN[0]=1,2,3,4")
            result = run("lockstep", *arguments)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn(": equal", result.stdout)
            self.assertIn("registers of lanes equal", result.stdout)
            self.assertEqual(run("trace", *arguments).stdout, result.stdout)
            self.assertNotRegex(run("--help").stdout, r"(?m)^ *trace\s")


if __name__ == "__main__":
    valkyr_command.program = sys.argv.pop(1)
    unittest.main()
