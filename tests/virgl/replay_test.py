#!/usr/bin/env python3
# valkyr replay on a recorded glxgears: usage: replay_test.py VALKYR
# SPDX-License-Identifier: MIT
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TRACE = HERE / "glxgears.trace"
LIVE = HERE / "glxgears_2.png"  # frame 2 as --screenshot wrote it while the trace was recorded
VALKYR = sys.argv.pop(1)


def run(*arguments):
    return subprocess.run([VALKYR, *map(str, arguments)], capture_output=True, text=True)


class Replay(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def test_a_frame_is_the_one_that_was_shown_live(self):
        picture = self.folder / "frame.png"
        done = run("replay", TRACE, "--frame", 2, "-o", picture)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("2 frames in", done.stdout)
        self.assertEqual(run("diff", picture, LIVE).returncode, 0)

    def test_the_interpreter_draws_the_same_frame(self):
        picture = self.folder / "frame.png"
        self.assertEqual(run("replay", TRACE, "--frame", 2, "-o", picture, "--engine", "valhall").returncode, 0)
        self.assertEqual(run("diff", picture, LIVE).returncode, 0)

    def test_every_loop_prints_its_rate(self):
        done = run("replay", TRACE, "--loops", 3, "--stats")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(done.stdout.count("frames/s"), 3)
        self.assertIn("ns a command", done.stderr)

    def test_a_frame_that_is_not_there_is_an_error(self):
        done = run("replay", TRACE, "--frame", 99)
        self.assertEqual(done.returncode, 1)
        self.assertIn("no frame 99; the trace has ", done.stderr)

    def test_a_damaged_trace_is_an_error_with_a_place(self):
        whole = TRACE.read_bytes()
        for bytes_, text in ((whole[:-1], "at byte"), (whole[:1000], "at byte"), (b"", "not a trace"),
                             (whole[:5000] + bytes([whole[5000] ^ 1]) + whole[5001:], "checksum")):
            file = self.folder / "damaged.trace"
            file.write_bytes(bytes_)
            done = run("replay", file)
            self.assertEqual(done.returncode, 1)
            self.assertIn(text, done.stderr)
        self.assertEqual(run("replay", self.folder / "none").returncode, 1)
        self.assertEqual(run("replay").returncode, 2)

    def test_a_trace_cannot_be_written_where_there_is_no_folder(self):
        done = run("run", "--record", self.folder / "none" / "trace", "--", "true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("No such file", done.stderr)


if __name__ == "__main__":
    unittest.main()
