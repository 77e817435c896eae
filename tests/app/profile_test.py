#!/usr/bin/env python3
# valkyr profile: times add up, counts are exact, and bad input is refused.
# SPDX-License-Identifier: MIT
"""usage: profile_test.py VALKYR [UNITTEST ARGUMENTS...]"""
import json
import pathlib
import struct
import sys
import tempfile
import unittest
import zlib

import valkyr_command
from html_tags import unclosed_tags
from valkyr_command import ROOT, TRACE, run

SQUARES = str(ROOT / "tests/pictures/conformance/blend/equation_add.scene")  # two draws of 16x16 pixels


HEAD_BYTES = 20
END = 5  # the kind of the last chunk (virgl/capture/trace.hpp)


def begin_of_trace(data: bytes, count: int) -> bytes:
    """The first chunks of a trace, as a trace."""
    at = HEAD_BYTES
    for _ in range(count):
        at += 16 + (struct.unpack_from("<I", data, at + 8)[0] + 3) // 4 * 4
    fields = struct.pack("<III", END, 0, 0)
    return data[:at] + fields + struct.pack("<I", zlib.crc32(struct.pack("<I", count) + fields))


def count_of_chunks(data: bytes) -> int:
    count = 0
    at = HEAD_BYTES
    while struct.unpack_from("<I", data, at)[0] != END:
        at += 16 + (struct.unpack_from("<I", data, at + 8)[0] + 3) // 4 * 4
        count += 1
    return count


class Profile(unittest.TestCase):
    def profile(self, *arguments: str) -> dict:
        result = run("profile", *arguments, "--json")
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        return json.loads(result.stdout)

    def check_sums(self, profile: dict):
        """The parts of the frame add up to the whole, at every level."""
        self.assertGreater(profile["samples"], 200)
        self.assertAlmostEqual(profile["sampled_seconds"] / profile["seconds"], 1, delta=0.05)
        parts = sum(kernel["seconds"] for kernel in profile["kernels"])
        parts += sum(function["seconds"] for function in profile["functions"])
        self.assertAlmostEqual(parts / profile["sampled_seconds"], 1, delta=1e-4)
        for kernel in profile["kernels"]:
            words = sum(word["seconds"] for word in kernel["words"])
            lines = sum(line["seconds"] for line in kernel["lines"])
            host = sum(instruction["seconds"] for instruction in kernel["host"])
            slack = 1e-4 * profile["seconds"]
            self.assertLessEqual(lines, words + slack)
            self.assertLessEqual(words, host + slack)
            self.assertLessEqual(host, kernel["seconds"] + slack)

    def test_times_of_a_demo_add_up_and_belong_to_its_shaders(self):
        profile = self.profile("demo:noise", "--size", "320x240", "--seconds", "0.4", "--mali", "g57")
        self.check_sums(profile)
        busiest = profile["kernels"][0]
        self.assertEqual(busiest["stage"], "fragment")
        self.assertGreater(busiest["seconds"], profile["seconds"] / 2)  # noise at every pixel
        self.assertGreater(max(line["seconds"] for line in busiest["lines"]), 0)
        self.assertIn(busiest["mali"]["bound_by"], ("FMA", "CVT", "SFU"))
        self.assertEqual(sum(word["lanes"] for word in busiest["words"] if word["text"].startswith("BLEND")), 320 * 240)

    def test_counts_are_those_of_the_frame_whatever_was_timed(self):
        for seconds in ("0.05", "0.3"):
            profile = self.profile(SQUARES, "--seconds", seconds)
            blends = [word for kernel in profile["kernels"] for word in kernel["words"]
                      if kernel["stage"] == "fragment" and word["text"].startswith("BLEND")]
            # Two triangles share the four blocks of a square's diagonal.
            self.assertEqual(sum(word["warps"] for word in blends), 2 * (16 + 4))
            self.assertEqual(sum(word["lanes"] - word["helper_lanes"] for word in blends), 2 * 256)

    def test_one_draw_is_timed_and_counted_alone(self):
        profile = self.profile(SQUARES, "--seconds", "0.05", "--draw", "1", "--draws")
        blends = [word for kernel in profile["kernels"] for word in kernel["words"]
                  if kernel["stage"] == "fragment" and word["text"].startswith("BLEND")]
        self.assertEqual(sum(word["warps"] for word in blends), 16 + 4)
        self.assertEqual(len(profile["draws"]), 2)
        self.assertEqual(profile["draws"][0]["what"], "triangle strip of 4")

    def test_a_frame_of_a_recorded_program_has_the_lines_of_its_shaders(self):
        profile = self.profile(TRACE, "--frame", "2", "--seconds", "0.2", "--draws")
        self.check_sums(profile)
        self.assertEqual(profile["what"], TRACE + ", frame 2")
        self.assertGreater(len(profile["draws"]), 2)
        lines = [line for kernel in profile["kernels"] for line in kernel["lines"] if line["warps"]]
        self.assertTrue(any("END" in line["text"] for line in lines))

    def test_text_says_as_much_as_was_asked_for(self):
        texts = {}
        for detail in ("shader", "line", "word", "host"):
            result = run("profile", SQUARES, "--seconds", "0.05", "--by", detail, "--mali", "g78")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            texts[detail] = result.stdout
            self.assertIn("outside of shaders", result.stdout)
            self.assertIn("Mali-G78", result.stdout)
        self.assertNotIn("MOV OUT[0]", texts["shader"])
        self.assertRegex(texts["line"], r" 20 +12\.8 +4 +0: MOV OUT\[0\]")
        self.assertNotIn("BLEND.slot0", texts["line"])
        self.assertIn("BLEND.slot0", texts["word"])
        self.assertLess(len(texts["word"]), len(texts["host"]))

    def test_a_page_is_whole(self):
        with tempfile.TemporaryDirectory() as folder:
            page = pathlib.Path(folder) / "profile.html"
            result = run("profile", TRACE, "--seconds", "0.05", "--html", str(page), "--draws", "--mali", "g57")
            self.assertEqual((result.returncode, result.stderr), (0, ""))
            self.assertEqual(unclosed_tags(page.read_text()), [])

    def test_a_trace_without_a_shown_frame_is_one(self):
        data = pathlib.Path(TRACE).read_bytes()
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / "begin.trace"
            unshown, shown = 0, count_of_chunks(data)
            while shown - unshown > 1:
                middle = (unshown + shown) // 2
                path.write_bytes(begin_of_trace(data, middle))
                # Its rate may end with "0 frames/s".
                if run("replay", str(path)).stdout.startswith("0 frames in"):
                    unshown = middle
                else:
                    shown = middle
            path.write_bytes(begin_of_trace(data, unshown))
            profile = self.profile(str(path), "--seconds", "0.05")
            self.assertTrue(any(kernel["words"] for kernel in profile["kernels"]))
            result = run("profile", str(path), "--frame", "2")
            self.assertEqual(result.returncode, 1)
            self.assertIn("no frame 2", result.stderr)

    def test_bad_input_is_refused(self):
        cases = {("no.trace",): (1, "no.trace"), ("demo:none",): (1, "no demo"), ("shader.tgsi",): (1, "no *.trace"),
                 (TRACE, "--frame", "99"): (1, "no frame 99"), (SQUARES, "--frame", "1"): (1, "--frame is for traces"),
                 (SQUARES, "--draw", "2", "--seconds", "0.05"): (1, "no draw 2"), (SQUARES, "--mali", "t604"): (2, "--mali"),
                 (SQUARES, "--by", "pixel"): (2, "--by"), (SQUARES, "--seconds", "0"): (2, "--seconds"), (): (2, "FILE"),
                 (SQUARES, "--seconds", "0.05", "--html", "/no/folder/x.html"): (1, "/no/folder/x.html")}
        for arguments, (code, words) in cases.items():
            result = run("profile", *arguments)
            self.assertEqual((result.returncode, result.stdout), (code, ""), arguments)
            self.assertIn(words, result.stderr, arguments)


if __name__ == "__main__":
    valkyr_command.program = sys.argv.pop(1)
    unittest.main()
