#!/usr/bin/env python3
# The valkyr command as a user meets it: help, exit codes, clear errors, files written.
# SPDX-License-Identifier: MIT
"""usage: cli_test.py VALKYR [UNITTEST ARGUMENTS...]"""
import json
import pathlib
import re
import shutil
import struct
import sys
import tempfile
import unittest
import xml.etree.ElementTree
import zlib

import valkyr_command
from valkyr_command import CONTROL_SHADER, GEOMETRY_SHADER, GROUP_SHADER, RACING_SHADER, ROOT, SHADER, TRACE, png_size, run

sys.path.insert(0, str(ROOT / "tests/support"))
from terminal import run_on_terminal

COMMANDS = [
    line.split("(")[1].split(")")[0].replace("_", "-")
    for line in (ROOT / "src/app/commands.inc").read_text().splitlines()
    if line.startswith("VALKYR_COMMAND(")
]


class Usage(unittest.TestCase):
    def test_usage_errors_exit_with_2_and_say_why(self):
        for arguments in [(), ("frobnicate",), ("info", "extra"), ("demo", "--size"), ("demo", "no-such-scene")]:
            result = run(*arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertEqual(result.stdout, "", arguments)
            self.assertNotEqual(result.stderr, "", arguments)

    def test_a_word_that_is_no_choice_is_answered_with_all_choices(self):
        for arguments, error in [
            (("demo", "--engine", "foo"), "--engine: foo not in {jit,valhall}"),
            (("demo", "--host", "0"), "--host: 0 not in {auto,avx2,avx512,neon}"),
            (("run", "--gl", "3", "--", "/nonexistent"), "--gl: 3 not in {2.1,3.0,3.1,3.3,es3.1,4.3}"),
            (("check", "x", "--stage", "x"), "--stage: x not in {blend,compute,fragment,geometry,vertex}"),
        ]:
            result = run(*arguments)
            self.assertEqual((result.returncode, result.stderr.splitlines()[0]), (2, error))
        self.assertEqual(run("check", "/nonexistent", "--stage", "VERTEX").returncode, 1)

    def test_values_of_the_server_that_mean_nothing_are_usage_errors(self):
        for argument, error in [
            ("--draw-budget=nan", "--draw-budget: 'nan' is not a finite number"),
            ("--no-sandbox=x", "Could not convert: --no-sandbox = x"),
        ]:
            result = run("run", argument, "--", "/nonexistent")
            self.assertEqual((result.returncode, result.stderr.splitlines()[0]), (2, error))

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

    def test_info_tells_programs_the_same(self):
        info = json.loads(run("info", "--json").stdout)
        self.assertEqual(set(info), {"version", "compiler", "build", "host_level", "available", "features", "texel_reads",
                                     "processors", "asmjit", "sdl", "cli11"})
        text = run("info").stdout
        self.assertIn(f"asmjit       {info['asmjit']}\n", text)
        self.assertIn(f"host level   {info['host_level']} ", text)
        self.assertIn(info["host_level"], [*info["available"], "none"])


class Demo(unittest.TestCase):
    def test_a_demo_with_a_trap_is_the_same_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures = [pathlib.Path(folder) / name for name in ("plain.png", "trapped.png")]
            size = ("demo", "torus", "--size", "80x60", "--frame", "3")
            self.assertEqual(run(*size, "-o", str(pictures[0])).returncode, 0)
            result = run(*size, "-o", str(pictures[1]), "--trap", "all")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(*[picture.read_bytes() for picture in pictures])

    def test_a_demo_with_log_points_is_the_same_picture(self):
        with tempfile.TemporaryDirectory() as folder:
            pictures = [pathlib.Path(folder) / name for name in ("plain.png", "logged.png")]
            size = ("demo", "torus", "--size", "80x60", "--frame", "3")
            self.assertEqual(run(*size, "-o", str(pictures[0])).returncode, 0)
            result = run(*size, "-o", str(pictures[1]), "--log", 'stage=fragment pixel=40,20 line=12: "{TEMP[0].x}"')
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertRegex(result.stdout, r'(?m)^frame 3, draw 0, fragment shader "phong.frag", pixel 40,20: 0\.\d+$')
            self.assertEqual(*[picture.read_bytes() for picture in pictures])

    def test_headless_writes_a_png_of_the_size_asked_for(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.png"
            result = run("demo", "--headless", "--size", "97x41", "--frames", "2", "-o", str(path))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(str(path), result.stdout)
            self.assertEqual(png_size(path), (97, 41))

    def test_stats_count_routine_calls_of_the_last_frame(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "x.png"
            draw = ("demo", "triangle", "--size", "64x64", "--samples", "1", "-o", str(path))
            self.assertNotIn("routine calls", run(*draw).stdout)
            two = run(*draw, "--stats", "--frames", "2", "--engine", "valhall")
            self.assertEqual(two.returncode, 0, two.stderr)
            self.assertRegex(two.stdout, r"vertices \d+, triangles \d+")
            self.assertRegex(two.stdout, r"routine calls .*blend \d+")
            one = run(*draw, "--stats", "--engine", "valhall")
            self.assertEqual(one.stdout.splitlines()[1:], two.stdout.splitlines()[1:])

    def test_every_scene_of_the_list_can_be_drawn(self):
        names = [line.split()[0] for line in run("demo", "--list").stdout.splitlines()]
        self.assertIn("triangle", names)
        with tempfile.TemporaryDirectory() as folder:
            for name in names:
                path = pathlib.Path(folder) / f"{name}.png"
                result = run("demo", name, "--size", "32x24", "-o", str(path))
                self.assertEqual(result.returncode, 0, result.stderr)
                self.assertEqual(png_size(path), (32, 24))

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


class Diff(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        root = pathlib.Path(self.folder.name)
        self.a, self.b, self.small, self.heat = (str(root / name) for name in ("a.png", "b.png", "s.png", "heat.png"))
        for path, size, frames in [(self.a, "48x32", "1"), (self.b, "48x32", "9"), (self.small, "32x32", "1")]:
            self.assertEqual(run("demo", "--headless", "--size", size, "--frames", frames, "-o", path).returncode, 0)

    def test_the_exit_code_says_same_different_or_trouble(self):
        self.assertEqual(run("diff", self.a, self.a).returncode, 0)
        different = run("diff", self.a, self.b)
        self.assertEqual((different.returncode, different.stderr), (1, ""))
        self.assertRegex(different.stdout, r"^max \d+, mean [\d.]+, \d+ of 1536 pixels differ \(first at \d+,\d+\), PSNR")
        for arguments in [(self.a,), (self.a, "/no/such.png"), (self.a, self.b, "--tolerance", "256")]:
            result = run("diff", *arguments)
            self.assertEqual((result.returncode, result.stdout), (2, ""), arguments)
            self.assertNotEqual(result.stderr, "")

    def test_thresholds_allow_differences(self):
        for option in ["--tolerance=255", "--pixels=1536"]:
            self.assertEqual(run("diff", self.a, self.b, option).returncode, 0, option)
        for option in ["--min-psnr=99", "--max-mean=0"]:
            self.assertEqual(run("diff", self.a, self.b, "--pixels=1536", option).returncode, 1, option)

    def test_different_sizes_are_named(self):
        result = run("diff", self.a, self.small)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("48x32 and 32x32", result.stderr)

    def test_the_comparison_is_a_test_for_continuous_integration(self):
        report = pathlib.Path(self.folder.name) / "report.xml"
        for other, code, failures in [(self.a, 0, 0), (self.b, 1, 1), (self.small, 1, 1), ("/no/such.png", 2, 1)]:
            self.assertEqual(run("diff", self.a, other, "--junit", str(report)).returncode, code)
            (suite,) = xml.etree.ElementTree.parse(report).getroot()
            self.assertEqual((suite.get("tests"), suite.get("failures")), ("1", str(failures)))
            self.assertEqual(suite[0].get("name"), other)
            self.assertEqual(len(suite[0].findall("failure")), failures)

    def test_programs_read_the_numbers(self):
        report = pathlib.Path(self.folder.name) / "report.json"
        for other, code in [(self.a, 0), (self.b, 1), (self.small, 1), ("/no/such.png", 2)]:
            self.assertEqual(run("diff", self.a, other, "--json", str(report)).returncode, code)
            found = json.loads(report.read_text())
            self.assertEqual((found["a"], found["b"], found["same"]), (self.a, other, code == 0))
            self.assertEqual(found["difference"] is None, other in (self.small, "/no/such.png"))
        alone = run("diff", self.a, self.b, "--json", "-").stdout
        text = run("diff", self.a, self.b, "--json", str(report)).stdout
        self.assertEqual(json.loads(alone), json.loads(report.read_text()))
        self.assertEqual(text, json.loads(alone)["message"] + "\n")
        self.assertIn(f"max {json.loads(alone)['difference']['max']}, ", text)
        self.assertIsNone(json.loads(run("diff", self.a, self.a, "--json", "-").stdout)["difference"]["psnr"])

    def test_a_heat_map_is_written(self):
        run("diff", "-q", self.a, self.b, "--heat", self.heat)
        self.assertEqual(png_size(pathlib.Path(self.heat)), (48, 32))


SUITE = ("--root", str(ROOT / "tests/pictures/conformance"))
GREEN, RED, END = "\x1b[1;32m", "\x1b[1;31m", "\x1b[0m"


class Conform(unittest.TestCase):
    def test_shards_are_all_cases_together(self):
        def listed(*arguments):
            result = run("conform", "--root", str(ROOT / "tests/pictures/conformance"), "--list", "flow/*", *arguments)
            self.assertEqual(result.returncode, 0, result.stderr)
            return result.stdout.splitlines()

        shards = [listed("--shard", f"{i}/3") for i in (1, 2, 3)]
        self.assertEqual(sorted(sum(shards, [])), sorted(listed()))
        self.assertLessEqual(max(map(len, shards)) - min(map(len, shards)), 1)
        for bad in ["0/3", "4/3", "1", "1/", "/3", "1/0", "a/b", "1/3x", "-1/3"]:
            self.assertEqual(run("conform", "--shard", bad, "flow/*").returncode, 2, bad)

    def test_cases_are_listed_and_run(self):
        listed = run("conform", "--root", str(ROOT / "tests/pictures/conformance"), "--list", "flow/*")
        self.assertEqual(listed.returncode, 0, listed.stderr)
        self.assertIn("flow/if\n", listed.stdout)
        result = run("conform", "--root", str(ROOT / "tests/pictures/conformance"), "flow/if", "--engine", "valhall,jit")
        self.assertEqual((result.returncode, result.stdout), (0, "2 passed, 0 failed, 0 skipped\n"), result.stderr)

    def test_programs_read_results_differences_and_times(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            result = run("conform", *SUITE, "flow/if", "flow/loop_*", "--engine", "valhall,jit", "--json", str(path))
            self.assertEqual(result.returncode, 0, result.stderr)
            report = json.loads(path.read_text())
        self.assertEqual(report["configurations"], ["valhall, 1 thread", "jit auto, 1 thread"])
        self.assertEqual(report["passed"], len(report["cases"]))
        self.assertEqual((report["failed"], report["skipped"]), (0, 0))
        self.assertIn(f"{report['passed']} passed, ", result.stdout)
        for case in report["cases"]:
            self.assertEqual((case["result"], case["difference"]["differing"]), ("passed", 0), case)
            self.assertGreaterEqual(case["seconds"], 0)
            self.assertIn(case["configuration"], report["configurations"])
        alone = json.loads(run("conform", *SUITE, "flow/if", "--json", "-").stdout)
        self.assertEqual([case["name"] for case in alone["cases"]], ["flow/if"])

    def test_failures_have_a_difference_and_a_colour(self):
        with tempfile.TemporaryDirectory() as root:
            shutil.copytree(ROOT / "tests/pictures/conformance", root, dirs_exist_ok=True)
            shutil.copy(f"{root}/flow/nested_if.png", f"{root}/flow/if.png")
            arguments = ("conform", "--root", root, "flow/if", "flow/nested_if")
            result = run(*arguments, "--json", "-")
            self.assertEqual(result.returncode, 1)
            report = json.loads(result.stdout)
            self.assertEqual((report["passed"], report["failed"]), (1, 1))
            failed = report["cases"][0]
            self.assertEqual((failed["name"], failed["result"]), ("flow/if", "failed"))
            self.assertGreater(failed["difference"]["differing"], 0)
            self.assertIn(f"max {failed['difference']['max']}, ", failed["message"])
            colored = run(*arguments, "--color", "always").stdout
            self.assertIn(f"{RED}FAILED{END} flow/if (", colored)
            self.assertIn(f"{GREEN}1 passed{END}, {RED}1 failed{END}, 0 skipped\n", colored)

    def test_a_terminal_shows_a_bar_that_goes_away(self):
        arguments = [valkyr_command.program, "conform", *SUITE, "flow/*"]
        result = run_on_terminal(arguments)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\rflow/\w+ \[[#.]+\] \d+ of \d+, 0:\d\d")
        self.assertTrue(result.stderr.endswith("\r\x1b[K"), result.stderr[-60:])
        self.assertRegex(result.stdout, r"^\d+ passed, 0 failed, 0 skipped\n$")
        self.assertEqual(run_on_terminal([*arguments, "-q"]).stderr, "")
        self.assertEqual(run_on_terminal(arguments, term="dumb").stderr, "")
        self.assertEqual(run(*arguments[1:]).stderr, "")

    def test_wrong_usage_exits_with_2(self):
        for arguments in [("--bless",), ("--bless", "--reason", "x", "--json", "-"), ("--engine", "none"), ("no-such-case",), ("--root", "/no/such/folder")]:
            result = run("conform", *arguments)
            self.assertEqual(result.returncode, 2, arguments)
            self.assertNotEqual(result.stderr, "")


# Options that make a command end at once.
TINY = {"bench": ("--ms", "0", "--frames", "1", "--size", "16")}
BAD_SHADER = "FRAG\nDCL OUT[0], COLOR\nMOV OUT[0], IN[0]\nFROB OUT[0]\nEND\n"


class Shaders(unittest.TestCase):
    def test_a_good_text_prints_as_it_is(self):
        result = run("tgsi", "--print", "-", stdin=SHADER)
        self.assertEqual((result.returncode, result.stdout, result.stderr), (0, SHADER, ""))

    def test_statistics_count_shaders_and_opcodes(self):
        result = run("tgsi", "--stats", "-", stdin=SHADER)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertRegex(result.stdout, r"instructions +2\n")
        self.assertRegex(result.stdout, r"MAD +1\n")

    def test_errors_name_file_line_and_column(self):
        for command in ["tgsi", "compile", "eval"]:
            result = run(command, "-", stdin=BAD_SHADER)
            self.assertEqual((result.returncode, result.stdout), (1, ""), command)
            self.assertIn('<stdin>:4:1: error: unknown opcode "FROB"', result.stderr, command)
            self.assertIn("\n    ^", result.stderr, command)

    def test_a_file_that_is_not_there_is_an_error(self):
        for command in ["tgsi", "compile", "eval", "asm", "dis", "check"]:
            result = run(command, "/no/such/file")
            self.assertEqual((result.returncode, result.stdout), (1, ""), command)
            self.assertIn("/no/such/file", result.stderr, command)

    def test_eval_runs_a_shader_on_the_values_given(self):
        result = run("eval", "-", "--input", "IN[0]=1,2,3,4", "--input", "CONST[0]=2,2,2,0.5", stdin=SHADER)
        self.assertEqual(result.returncode, 0, result.stderr)
        self.assertIn("(3, 5, 7, 3)", result.stdout)

    def test_eval_runs_a_geometry_shader_the_same_on_all_engines(self):
        values = [f"IN[{v}][{i}]={v + 1},{i},0.5,1" for v in range(3) for i in range(2)]
        values += ["CONST[0]=10,0,0,0", "IN[2]=7u"]
        arguments = [a for value in values for a in ("--input", value)]
        outputs = {}
        for engine in ["tgsi", "valhall", "jit"]:
            result = run("eval", "-", "--engine", engine, *arguments, stdin=GEOMETRY_SHADER)
            self.assertEqual(result.returncode, 0, result.stderr)
            # Valhall records mark only the begin of a strip, so the end of the last strip is not
            # printed.
            outputs[engine] = result.stdout.rstrip().removesuffix("end of primitive, stream 0").rstrip()
        self.assertEqual(outputs["tgsi"].count("vertex, stream 0"), 6)
        self.assertEqual(outputs["tgsi"].count("end of primitive"), 1)
        self.assertIn("(12, 0, 0.5, 1)", outputs["tgsi"])
        self.assertEqual(len(set(outputs.values())), 1, outputs)

    def test_eval_runs_tessellation_shaders_the_same_on_all_engines(self):
        control = ("--input", "IN[0][0]=1,2,3,4", "--input", "IN[1][0]=5,6,7,8", "--input", "IN[2][0]=9", "--input", "PRIM_ID=3u")
        for engine in ("tgsi", "valhall", "jit"):
            result = run("eval", "-", "--engine", engine, *control, stdin=CONTROL_SHADER)
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            lines = result.stdout.splitlines()
            self.assertEqual(len([line for line in lines if line.startswith("lane ")]), 17)
            # Vertex 16 is input vertex 16 % 3, and y is x of the next one, which is vertex 0.
            self.assertIn("(5, 1, 7, 8)", lines[lines.index("lane 16") + 1])
            self.assertIn("(5, 6, 7, 8)", lines[lines.index("patch") + 2])
            self.assertIn("(3, 0, 0, 0)", lines[lines.index("patch") + 4])
            result = run("eval", str(ROOT / "examples/shaders/terrain.tese.tgsi"), "--engine", engine, "--lanes", "2", "--input", "IN[0][0]=1,2,3,4",
                         "--input", "IN[1][0]=5,6,7,8", "--input", "TESSCOORD@1=0.5", "--input", "CONST[0]=1,2,3,4")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertIn("GENERIC[0]    (1, 0, 3, 0)", result.stdout)
            self.assertIn("GENERIC[0]    (1.5, 0, 2.5, 0)", result.stdout)
        result = run("lockstep", "-", *control, stdin=CONTROL_SHADER)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def evaluated(self, text: str, *arguments: str) -> str:
        """The output, which all engines share."""
        outputs = {}
        for engine in ("tgsi", "valhall", "jit"):
            result = run("eval", "-", "--engine", engine, *arguments, stdin=text)
            self.assertEqual((result.returncode, result.stderr), (0, ""), (engine, arguments))
            outputs[engine] = result.stdout
        self.assertEqual(outputs["tgsi"], outputs["valhall"], arguments)
        self.assertEqual(outputs["tgsi"], outputs["jit"], arguments)
        return outputs["tgsi"]

    def test_eval_has_the_system_values_of_fragments_on_all_engines(self):
        def shader(*properties: str) -> str:
            return "FRAG\n" + "".join(f"PROPERTY {p}\n" for p in properties) + """DCL IN[0], POSITION
DCL IN[1], FACE
DCL IN[2], PCOORD
DCL IN[3], PRIM_ID
DCL IN[4], GENERIC[0], LINEAR
DCL SV[0], SAMPLEID
DCL SV[1], SAMPLEMASK
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL OUT[2], COLOR[2]
DCL TEMP[0]
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1].xy, IN[2]
  2: MOV OUT[1].z, IN[1].xxxx
  3: MOV OUT[1].w, IN[3].xxxx
  4: MOV OUT[2], IN[4]
  5: U2F OUT[2].z, SV[0].xxxx
  6: U2F OUT[2].w, SV[1].xxxx
  7: END
"""
        text = self.evaluated(shader(), "--lanes", "16")
        self.assertIn("OUT[0] COLOR         (0.5, 0.5, 0.5, 1)", text)
        self.assertIn("OUT[0] COLOR         (3.5, 3.5, 0.5, 1)", text)
        self.assertIn("COLOR[1]      (0.5, 0.5, 1, 0)", text)
        self.assertIn("COLOR[2]      (0, 0, 0, 1)", text)
        place = [argument for lane, (x, y) in enumerate([(0, 0), (1, 0), (0, 1), (1, 1)])
                 for argument in ("--input", f"POSITION@{lane}={40.5 + x},{8.5 + y},0.{lane + 1},{lane + 2}")]
        given = ("--lanes", "4", "--input", "FACE=-1", "--input", "PRIM_ID=9u", "--input", "PCOORD@2=0.25,0.75", "--input", "GENERIC[0]@1=1,2,3,4")
        text = self.evaluated(shader(), *place, *given)
        self.assertIn("(41.5, 9.5, 0.4, 5)", text)
        self.assertIn("COLOR[1]      (0.25, 0.75, -1,", text)
        text = self.evaluated(shader("FS_COORD_ORIGIN LOWER_LEFT", "FS_COORD_PIXEL_CENTER INTEGER"), "--lanes", "4")
        self.assertIn("(1, 2, 0.5, 1)", text)
        lower = [argument.replace("8.5", "9.5") if argument.startswith("POSITION@0") else argument for argument in place]
        flipped = ("--input", "POSITION@0=4.5,99.5,0.5,1", "--input", "POSITION@1=5.5,99.5,0.5,1",
                   "--input", "POSITION@2=4.5,98.5,0.5,1", "--input", "POSITION@3=5.5,98.5,0.5,1")
        self.assertIn("(5.5, 98.5, 0.5, 1)", self.evaluated(shader("FS_COORD_ORIGIN LOWER_LEFT"), "--lanes", "4", *flipped))
        for engine in ("valhall", "jit"):
            for arguments, words in (((*lower, "--lanes", "4"), "POSITION"), (("--input", "POSITION=0.25"), "POSITION"),
                                     (("--lanes", "2", "--input", "FACE@1=-1"), "FACE"), (("--input", "FACE=2"), "FACE"),
                                     (("--input", "SAMPLEID=1u"), "SAMPLEID"), (("--lanes", "2", "--input", "PRIM_ID@1=4u"), "PRIM")):
                result = run("eval", "-", "--engine", engine, *arguments, stdin=shader())
                self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
                self.assertIn(words, result.stderr)
                self.assertIn("of compiled programs", result.stderr)

    def test_eval_has_the_system_values_of_vertices_on_all_engines(self):
        text = """VERT
DCL IN[0]
DCL SV[0], VERTEXID
DCL SV[1], INSTANCEID
DCL SV[2], BASEVERTEX
DCL SV[3], BASEINSTANCE
DCL SV[4], DRAWID
DCL SV[5], VERTEXID_NOBASE
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL OUT[2], GENERIC[1]
  0: MOV OUT[0], IN[0]
  1: U2F OUT[1].x, SV[0].xxxx
  2: U2F OUT[1].y, SV[1].xxxx
  3: U2F OUT[1].z, SV[2].xxxx
  4: U2F OUT[1].w, SV[3].xxxx
  5: U2F OUT[2].x, SV[4].xxxx
  6: U2F OUT[2].y, SV[5].xxxx
  7: MOV OUT[2].zw, IN[0]
  8: END
"""
        output = self.evaluated(text, "--lanes", "3", "--input", "IN[0]@2=5,6,7,8")
        self.assertIn("GENERIC[0]    (2, 0, 0, 0)", output)
        self.assertIn("(5, 6, 7, 8)", output)
        given = ("--lanes", "2", "--input", "IN[0]@1=5,6,7,8", "--input", "VERTEXID@0=107u", "--input", "VERTEXID@1=107u", "--input", "BASEVERTEX=100u",
                 "--input", "VERTEXID_NOBASE=7u", "--input", "INSTANCEID=3u", "--input", "BASEINSTANCE=2u", "--input", "DRAWID=4u")
        output = self.evaluated(text, *given)
        self.assertIn("GENERIC[0]    (107, 3, 100, 2)", output)
        self.assertIn("GENERIC[1]    (4, 7, 7, 8)", output)
        for engine in ("valhall", "jit"):
            for wrong in (("--input", "VERTEXID=5u"), ("--lanes", "2", "--input", "INSTANCEID@1=5u")):
                result = run("eval", "-", "--engine", engine, *wrong, stdin=text)
                self.assertEqual((result.returncode, result.stdout), (1, ""), wrong)
                self.assertIn("of compiled programs", result.stderr)

    def test_eval_samples_pictures_from_files(self):
        text = """FRAG
DCL IN[0], GENERIC[0], LINEAR
DCL OUT[0], COLOR
DCL OUT[1], COLOR[1]
DCL SAMP[1]
DCL SVIEW[1], 2D, FLOAT
DCL TEMP[0]
IMM[0] INT32 {0, 0, 0, 0}
  0: TEX OUT[0], IN[0], SAMP[1], 2D
  1: TXQ TEMP[0], IMM[0].xxxx, SAMP[1], 2D
  2: I2F OUT[1], TEMP[0]
  3: END
"""
        with tempfile.TemporaryDirectory() as folder:
            picture = str(pathlib.Path(folder) / "two.png")
            # One row: red, then a translucent blue.
            rows = b"\0" + bytes([255, 0, 0, 255, 0, 0, 255, 51]) + b"\0" + bytes([0, 255, 0, 255, 0, 0, 0, 255])
            chunk = lambda kind, data: struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
            pathlib.Path(picture).write_bytes(b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", struct.pack(">IIBBBBB", 2, 2, 8, 6, 0, 0, 0))
                                              + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))
            inputs = ("--lanes", "4", "--input", "IN[0]@0=0.25,0.75", "--input", "IN[0]@1=0.75,0.75", "--input", "IN[0]@2=1.25,0.25", "--input", "IN[0]@3=0.5,0.75")
            for engine in ("tgsi", "valhall", "jit"):
                result = run("eval", "-", "--engine", engine, "--texture", f"1={picture}", *inputs, stdin=text)
                self.assertEqual((result.returncode, result.stderr), (0, ""))
                lines = [line for line in result.stdout.splitlines() if "OUT[0]" in line]
                # Row 0 of the picture is at the top.
                for line, color in zip(lines, ("(1, 0, 0, 1)", "(0, 0, 1, 0.2", "(0, 1, 0, 1)")):
                    self.assertIn(color, line)
                self.assertIn("(2, 2, 0, 1)", result.stdout)
                result = run("eval", "-", "--engine", engine, "--texture", f"1={picture}", "--sampler", "1=linear,clamp", *inputs, stdin=text)
                self.assertIn("(0.5", [line for line in result.stdout.splitlines() if "OUT[0]" in line][3])
                for arguments, words in ((("--texture", "0=x.png"), "SAMP[0]"), (("--texture", "1=/no/file.png"), "/no/file.png"),
                                         (("--texture", "99=x"), "0 to 31"), (("--texture", "x"), "N="), (("--sampler", "1=soft"), "'soft' is none of")):
                    result = run("eval", "-", "--engine", engine, *arguments, stdin=text)
                    self.assertEqual((result.returncode, result.stdout), (1, ""), arguments)
                    self.assertIn(words, result.stderr)
            self.check_texture_instructions(picture)
            shader = pathlib.Path(folder) / "t.frag.tgsi"
            shader.write_text(text)
            result = run("debug", str(shader), "--texture", f"1={picture}", "--input", "IN[0]=0.25,0.75", "--batch", "--command", "check",
                         "--command", "goto end", "--command", "info textures")
            self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
            self.assertIn(": equal", result.stdout)

    def check_texture_instructions(self, picture: str):
        """All engines give the same for each texture instruction of a picture."""
        instructions = ("TEX OUT[0], IN[0], SAMP[1], 2D", "TXP OUT[0], IN[0].xyyw, SAMP[1], 2D",
                        "TXB OUT[0], IN[0], SAMP[1], 2D", "TXL OUT[0], IN[0], SAMP[1], 2D",
                        "TXD OUT[0], IN[0], IN[0], IN[0].yxyx, SAMP[1], 2D", "TXF OUT[0], IMM[0], SAMP[1], 2D",
                        "TXF OUT[0], IMM[0].yyyw, SAMP[1], 2D", "TXF OUT[0], IMM[0], SAMP[1], 2D, IMM[0].wxy",
                        "TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[1], 2D", "LODQ OUT[0], IN[0], SAMP[1], 2D",
                        "TEX OUT[0], IN[0], SAMP[1], 2D, IMM[0].xyw", "TXQ OUT[0], IMM[0].yyyy, SAMP[1], 2D")
        for instruction in instructions:
            text = ("FRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL OUT[0], COLOR\nDCL SAMP[1]\nDCL SVIEW[1], 2D, FLOAT\n"
                    f"IMM[0] INT32 {{1, 0, 0, 0}}\n{instruction}\nEND\n")
            inputs = [word for lane in range(8) for word in ("--input", f"IN[0]@{lane}={lane / 5 - 0.3},{lane / 7},0.5,{lane / 3}")]
            printed = set()
            for engine in ("tgsi", "valhall", "jit"):
                result = run("eval", "-", "--engine", engine, "--lanes", "8", "--texture", f"1={picture}", "--sampler", "1=linear,mirror",
                             *inputs, stdin=text)
                self.assertEqual((result.returncode, result.stderr), (0, ""), instruction)
                printed.add(result.stdout)
            self.assertEqual(len(printed), 1, (instruction, *printed))

    def test_eval_fills_buffers_from_files(self):
        with tempfile.TemporaryDirectory() as folder:
            words = pathlib.Path(folder) / "words"
            words.write_bytes(b"\7\0\0\0" * 21)
            arguments = ("--group", "0,0,0", "--shared", "80")
            for engine in ("tgsi", "valhall", "jit"):
                with_file = run("eval", "-", "--engine", engine, *arguments, "--buffer", f"0=@{words}", stdin=GROUP_SHADER)
                self.assertEqual((with_file.returncode, with_file.stderr), (0, ""))
                typed = run("eval", "-", "--engine", engine, *arguments, "--buffer", "0=7u*21", stdin=GROUP_SHADER)
                self.assertEqual(with_file.stdout, typed.stdout)
            words.write_bytes(b"123")
            for path, message in ((words, "3 bytes"), ("/no/file", "/no/file")):
                result = run("eval", "-", "--buffer", f"0=@{path}", stdin=GROUP_SHADER)
                self.assertEqual((result.returncode, result.stdout), (1, ""))
                self.assertIn(message, result.stderr)

    def test_eval_runs_a_work_group_the_same_on_all_engines(self):
        arguments = ("--group", "1,1,0", "--grid", "2,3,1", "--shared", "80", "--buffer", "0=7u,0u*41")
        outputs = {}
        for engine in ["tgsi", "valhall", "jit"]:
            result = run("eval", "-", "--engine", engine, *arguments, stdin=GROUP_SHADER)
            self.assertEqual((result.returncode, result.stderr), (0, ""), engine)
            outputs[engine] = result.stdout
        self.assertEqual(len(set(outputs.values())), 1, outputs)
        buffer, shared = outputs["jit"].split("shared memory\n")
        self.assertTrue(buffer.startswith("buffer 0\n  byte 80 "), buffer)
        words = re.findall(r"\b[0-9a-f]{8}\b", buffer)
        # Invocations 20 to 39 of the grid, each with the next one's number.
        self.assertEqual([int(word, 16) for word in words], [*range(21, 40), 20])
        self.assertEqual([int(word, 16) for word in re.findall(r"\b[0-9a-f]{8}\b", shared)], [*range(20, 40)])

    def test_eval_bounds_the_memory_of_a_work_group(self):
        for engine in ["tgsi", "valhall", "jit"]:
            result = run("eval", "-", "--engine", engine, "--shared", "8", "--buffer", "0=5u*3", stdin=GROUP_SHADER)
            self.assertEqual((result.returncode, result.stderr), (0, ""), engine)
            # Word 1 of shared memory is the last one; the others read as 0.
            self.assertEqual(re.findall(r"\b[0-9a-f]{8}\b", result.stdout), ["00000001", "00000000", "00000000", "00000000", "00000001"])

    def test_eval_refuses_work_groups_and_buffers_that_are_none(self):
        cases = {("--group", "1,2"): (2, "'1,2' is not X,Y,Z"), ("--grid", "1,1,1x"): (2, "'1,1,1x' is not X,Y,Z"),
                 ("--group", "-1,0,0"): (2, "'-1,0,0' is not X,Y,Z"), ("--shared", "32769"): (2, "not in range"),
                 ("--group", "1,0,0", "--grid", "1,1,1"): (1, "--group is not in --grid"),
                 ("--grid", "0,1,1"): (1, "1 to 65535 groups"), ("--group", "65535,0,0"): (1, "1 to 65535 groups"),
                 ("--buffer", "1=2"): (1, "--buffer 1=2: the shader declares no BUFFER[1]"),
                 ("--buffer", "0="): (1, '--buffer 0=: "" is not a value'), ("--buffer", "x"): (1, "expected N=VALUES"),
                 ("--buffer", "0=1u*x"): (1, "expected a count"), ("--buffer", "0=1u*9999999"): (1, "more than 1048576 words"),
                 ("--input", "THREAD_ID=1u"): (1, "--group and --grid say")}
        for arguments, (code, words) in cases.items():
            result = run("eval", "-", *arguments, stdin=GROUP_SHADER)
            self.assertEqual((result.returncode, result.stdout), (code, ""), arguments)
            self.assertIn(words, result.stderr, arguments)
        result = run("eval", "-", "--group", "0,0,0", stdin=SHADER)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("for COMP texts", result.stderr)

    def test_eval_finds_races_of_a_work_group(self):
        arguments = ("eval", "-", "--race-check", "--shared", "80", "--buffer", "0=0u*20")
        result = run(*arguments, stdin=GROUP_SHADER)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertTrue(result.stdout.startswith("buffer 0\n  byte 0 "), result.stdout)
        self.assertTrue(result.stdout.endswith("no races on shared memory\n"), result.stdout)
        result = run(*arguments, stdin=RACING_SHADER)
        self.assertEqual((result.returncode, result.stderr), (1, ""))
        text = result.stdout.split("races on shared memory: ")[1]
        self.assertTrue(text.startswith("1 pair of instructions\n  byte 4, before the first barrier; 20 accesses"), text)
        self.assertRegex(text, r"\n    invocation \(1,0,0\) writes: <stdin>:13, word \d+: STORE\.i32")
        self.assertRegex(text, r"\n    invocation \(0,0,0\) reads: <stdin>:19, word \d+: LOAD\.i32")
        result = run("eval", "-", "--race-check", stdin=SHADER)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn("--race-check is for COMP texts", result.stderr)

    def test_eval_refuses_values_that_are_none(self):
        for value in ["IN[0]", "IN[0]=", "IN[0]=x", "IN[=1", "IN[9]=1,2,3,4", "NOPE=1", "IN[0]@7=1"]:
            result = run("eval", "-", "--input", value, stdin=SHADER)
            self.assertIn(result.returncode, (1, 2), value)
            self.assertIn(value.split("=")[0].split("@")[0], result.stderr, value)

    def test_a_pass_that_is_not_there_cannot_be_left_out(self):
        result = run("compile", "--disable-pass", "nosuch", "-", stdin=SHADER)
        self.assertEqual((result.returncode, result.stdout), (1, ""))
        self.assertIn('no pass "nosuch"', result.stderr)
        self.assertEqual(run("compile", "--disable-pass", "schedule", "-", stdin=SHADER).returncode, 0)

    def test_compile_links_lines_words_and_host_code_in_a_page(self):
        page = run("compile", "--emit", "html", "-", stdin=SHADER)
        self.assertEqual((page.returncode, page.stderr), (0, ""))
        # Line 5 is the MAD: its words and their host code have its line number.
        line = re.search(r'<li data-line="5">.*MAD OUT\[0\]', page.stdout)
        words = re.findall(r'<li data-line="5" data-word="(\d+)">.*FMA\.f32', page.stdout)
        host = re.findall(r'<li data-line="5" data-word="(\d+)">.*vfm', page.stdout)
        self.assertTrue(line and words and host, page.stdout)
        self.assertLessEqual(set(words), set(host))
        self.assertEqual(page.stdout.count("<li"), page.stdout.count("</li>"))
        self.assertNotIn("http", page.stdout)  # the page is self-contained

    def test_compile_prints_every_stage(self):
        marks = {"tgsi": "MAD", "ir": "FMA", "valhall": "FMA.f32", "host": "vfm", "listing": "FMA.f32"}
        for emit, mark in marks.items():
            result = run("compile", "--emit", emit, "-", stdin=SHADER)
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertIn(mark, result.stdout, emit)

    def test_accesses_to_shared_memory_are_bounded_by_the_size_given(self):
        self.assertRegex(run("compile", "--help").stdout, r"--shared BYTES.*=32768")
        # The last word begins 4 bytes before the end.
        for arguments, bound in [((), 0x8000 - 3), (("--shared", "80"), 80 - 3)]:
            text = run("compile", "--emit", "ir", *arguments, "-", stdin=GROUP_SHADER).stdout
            self.assertRegex(text, rf"CSEL\.u32\.lt .*=0x{bound:X}, ", arguments)
        for emit in ["valhall", "asm", "hex", "host", "listing", "html"]:
            self.assertEqual(run("compile", "--emit", emit, "--shared", "0", "-", stdin=GROUP_SHADER).returncode, 0, emit)
        for size in ["-1", "32769", "x"]:
            result = run("compile", "--shared", size, "-", stdin=GROUP_SHADER)
            self.assertEqual((result.returncode, result.stdout), (2, ""), size)
            self.assertIn(f"--shared: Value {size} not in range 0 to 32768", result.stderr)

    def test_what_compile_prints_as_assembly_is_read_by_asm_and_check(self):
        text = run("compile", "--emit", "asm", "-", stdin=SHADER).stdout
        self.assertNotEqual(text, "")
        words = run("compile", "--emit", "hex", "-", stdin=SHADER).stdout
        self.assertEqual(run("asm", "--hex", "-", stdin=text).stdout, words)
        self.assertEqual(run("check", "--stage", "fragment", "-", stdin=text).returncode, 0)

    def test_what_compile_prints_as_hex_disassembles_to_what_it_prints_as_assembly(self):
        words = run("compile", "--emit", "hex", "-", stdin=SHADER).stdout
        self.assertEqual(run("asm", "--hex", "-", stdin=run("dis", "--hex", "--text", "-", stdin=words).stdout).stdout, words)

    def test_an_endless_shader_ends(self):
        text = "VERT\nDCL OUT[0], POSITION\nBGNLOOP\nENDLOOP\nEND\n"
        result = run("eval", "--steps", "1000", "-", stdin=text)
        self.assertEqual(result.returncode, 1)
        self.assertIn("1000 steps", result.stderr)


class Colors(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.shader = str(pathlib.Path(folder.name) / "bad.tgsi")
        pathlib.Path(self.shader).write_text(BAD_SHADER)

    def test_colour_is_for_terminals_unless_the_user_says_otherwise(self):
        # --color, NO_COLOR (None: not given), TERM; whether a terminal and a pipe get colours.
        rows = [(None, None, "xterm", True, False), (None, "", "xterm", True, False), (None, "1", "xterm", False, False),
                (None, None, "dumb", False, False), (None, None, "", False, False),
                ("auto", None, "xterm", True, False), ("auto", "1", "xterm", False, False),
                ("always", None, "xterm", True, True), ("always", "1", "dumb", True, True),
                ("never", None, "xterm", False, False)]
        for choice, no_color, term, terminal, pipe in rows:
            with self.subTest(choice=choice, no_color=no_color, term=term):
                arguments = ["tgsi", self.shader, *(["--color", choice] if choice else [])]
                environment = {} if no_color is None else {"NO_COLOR": no_color}
                on_terminal = run_on_terminal([valkyr_command.program, *arguments], term=term, environment=environment)
                in_pipe = run(*arguments, TERM=term, **environment)
                self.assertEqual((on_terminal.returncode, in_pipe.returncode), (1, 1))
                for result, colored in [(on_terminal, terminal), (in_pipe, pipe)]:
                    self.assertIn(f":4:1: {RED}error:{END} unknown" if colored else ":4:1: error: unknown", result.stderr)
                    self.assertEqual("\x1b" in result.stderr, colored)

    def test_every_command_with_the_option_colours_its_errors(self):
        commands = ["asm", "bench clear --json", "check", "compile", "conform --root", "debug --batch", "diff " + self.shader,
                    "dis", "eval", "replay", "tgsi"]
        for command in commands:
            result = run(*command.split(), "/no/such/file", "--color", "always", *TINY.get(command.split()[0], ()))
            self.assertIn(f"{RED}error:{END}", result.stderr, command)
            self.assertIn(result.returncode, (1, 2))
        self.assertEqual(run("tgsi", self.shader, "--color", "sometimes").returncode, 2)


class Replay(unittest.TestCase):
    def test_races_of_compute_shaders_are_reported_and_fail(self):
        racing = str(ROOT / "tests/app/race.trace")  # two dispatches of a shader without a barrier
        self.assertEqual(run("replay", racing, "--quiet").returncode, 0)
        result = run("replay", racing, "--quiet", "--race-check", "--loops", "2")
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr.count("valkyr replay: race on shared memory in shader 1"), 1, result.stderr)
        self.assertRegex(result.stderr, r"writes: shader 1:\d+, word \d+: STORE.*\n.* reads: shader 1:\d+, word \d+: LOAD")
        self.assertEqual(run("replay", TRACE, "--quiet", "--race-check").returncode, 0)

    def test_a_trap_names_what_makes_the_first_nan_and_fails(self):
        trace = str(ROOT / "tests/app/nan.trace")  # its second frame normalizes vectors that are 0
        with tempfile.TemporaryDirectory() as folder:
            pictures = [pathlib.Path(folder) / name for name in ("plain.png", "trapped.png")]
            self.assertEqual(run("replay", trace, "--quiet", "-o", str(pictures[0])).returncode, 0)
            arguments = ("replay", trace, "--quiet", "--loops", "2", "-o", str(pictures[1]))
            result = run(*arguments, "--trap", "all", "--trap-count", "2")
            self.assertEqual(*[picture.read_bytes() for picture in pictures])
        self.assertEqual(result.returncode, 1)
        place = r'valkyr replay: frame 2, draw 1, fragment shader "shader 4", pixel 8,6: line '
        opens = f"  valkyr debug {trace} --frame 2 --draw 1 --pixel 8,6"
        lines = result.stderr.splitlines()
        self.assertRegex(lines[0], place + r"12: RSQ [^:]*: word \d+: FRSQ.*: makes infinity of 0; in 8 lanes$")
        self.assertRegex(lines[2], place + r"13: MUL [^:]*: word \d+: FMA.*: makes NaN of 0, inf; in 8 lanes$")
        self.assertEqual([lines[1], lines[3]], [opens, opens])
        self.assertEqual(len(lines), 4)
        self.assertEqual(run(*opens.split()[1:], "--batch").returncode, 0)
        self.assertEqual(run("replay", trace, "--quiet", "--trap", "nan").stderr.count("\n"), 2)
        self.assertEqual(run("replay", trace, "--quiet", "--trap", "nan", "--frame", "1").returncode, 0)
        self.assertEqual(run("replay", TRACE, "--quiet", "--trap", "all").returncode, 0)

    def test_a_trap_needs_a_kind(self):
        for arguments in (("--trap", "zero"), ("--trap",), ("--trap-count", "2"), ("--trap", "nan", "--trap-count", "0")):
            self.assertEqual(run("replay", TRACE, *arguments).returncode, 2, arguments)
            self.assertEqual(run("demo", "triangle", *arguments).returncode, 2, arguments)
        self.assertEqual(run("replay", TRACE, "--trap", "nan", "--race-check").returncode, 2)

    def test_log_points_print_values_and_change_no_picture(self):
        trace = str(ROOT / "tests/app/nan.trace")
        spec = 'frame=2 draw=1 stage=fragment line=12 if TEMP[3].x == 0: "{TEMP[2].xyz} at {pixel}"'
        with tempfile.TemporaryDirectory() as folder:
            pictures = [pathlib.Path(folder) / name for name in ("plain.png", "logged.png")]
            self.assertEqual(run("replay", trace, "--quiet", "-o", str(pictures[0])).returncode, 0)
            result = run("replay", trace, "--loops", "2", "-o", str(pictures[1]), "--log", spec)
            self.assertEqual(*[picture.read_bytes() for picture in pictures])
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        lines = [line for line in result.stdout.splitlines() if "frames/s" not in line]
        head = 'frame 2, draw 1, fragment shader "shader 4", pixel '
        self.assertEqual(lines, [f"{head}{pixel}: 0, 0, 0 at {pixel}" for pixel in ("8,6", "9,6", "8,7", "9,7")])
        both = run("replay", trace, "--log", spec, "--log", "frame=1 stage=vertex line=7: a", "--log-limit", "1", "--json", "-")
        json.loads(both.stdout)
        self.assertIn("--log-limit 1: ", both.stderr)

    def test_a_log_point_that_cannot_be_is_a_usage_error_with_its_column(self):
        for arguments in (("replay", TRACE), ("debug", TRACE), ("demo", "triangle")):
            result = run(*arguments, "--log", 'line=3: "{TEMP[0].q}"')
            self.assertEqual((result.returncode, result.stdout), (2, ""))
            self.assertIn(f"valkyr {arguments[0]}: --log: column 11 of 'line=3: ", result.stderr)
            for more in (("--log",), ("--log-limit", "3"), ("--log", "line=1: a", "--log-limit", "0")):
                self.assertEqual(run(*arguments, *more).returncode, 2, more)
        self.assertEqual(run("replay", TRACE, "--log", "line=1: a", "--trap", "nan").returncode, 2)
        self.assertEqual(run("replay", TRACE, "--log", "line=1: a", "--race-check").returncode, 2)

    def test_programs_read_times_figures_and_frames(self):
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "report.json"
            result = run("replay", TRACE, "--loops", "2", "--json", str(path))
            self.assertEqual(result.returncode, 0, result.stderr)
            self.assertEqual(result.stdout.count("3 frames in "), 2)
            report = json.loads(path.read_text())
        self.assertEqual([loop["frames"] for loop in report["loops"]], [3, 3])
        self.assertEqual([(frame["width"], frame["height"]) for frame in report["frames"]], 3 * [(300, 300)])
        self.assertEqual(len({frame["fingerprint"] for frame in report["frames"]}), 3)
        self.assertEqual((report["figures"]["clients"], report["figures"]["frames"]), (2, 6))
        self.assertEqual(report["figures"]["draws"] % 2, 0)
        other = json.loads(run("replay", TRACE, "--engine", "valhall", "--json", "-", "--frame", "2").stdout)
        self.assertEqual(other["frames"], report["frames"][:2])

    def test_figures_are_the_same_for_people_and_programs(self):
        result = run("replay", TRACE, "--stats", "--quiet", "--json", "-")
        figures = json.loads(result.stdout)["figures"]
        for text, key in [("clients", "clients"), ("draws", "draws"), ("bytes uploaded", "bytes_uploaded")]:
            self.assertRegex(result.stderr, rf"(?m)^{text} +{figures[key]} ")

    def test_a_terminal_shows_the_frame(self):
        result = run_on_terminal([valkyr_command.program, "replay", TRACE, "--loops", "2"])
        self.assertRegex(result.stderr, r"\rframe 1 \[\.+\] 0 %, 0:0\d\x1b\[K")
        self.assertEqual(result.stdout.count("3 frames in "), 2)
        self.assertTrue(result.stderr.endswith("\r\x1b[K"), result.stderr[-60:])
        self.assertEqual(run_on_terminal([valkyr_command.program, "replay", TRACE, "--quiet"]).stderr, "")
        self.assertNotIn("frame 1 [", run("replay", TRACE).stderr)


class Bench(unittest.TestCase):
    def test_a_terminal_shows_the_scene_and_the_table_stays_whole(self):
        result = run_on_terminal([valkyr_command.program, "bench", "clear", "phong", *TINY["bench"], "--rounds", "2"], both=True)
        self.assertEqual(result.returncode, 0)
        self.assertRegex(result.stderr, r"\rclear \[\.+\] 0 of 4, 0:0\d\x1b\[K")
        self.assertRegex(result.stderr, r"\r\x1b\[Kclear +2 +\d")
        self.assertNotIn("[", run("bench", "clear", *TINY["bench"]).stderr)

    def test_json_on_standard_output_is_all_of_it(self):
        report = json.loads(run("bench", "clear", *TINY["bench"], "--json", "-").stdout)
        self.assertEqual([scene["name"] for scene in report["scenes"]], ["clear"])


if __name__ == "__main__":
    valkyr_command.program = sys.argv.pop(1)
    unittest.main()
