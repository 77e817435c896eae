#!/usr/bin/env python3
# valkyr replay on a recorded glxgears: usage: replay_test.py VALKYR
# SPDX-License-Identifier: MIT
import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

HERE = pathlib.Path(__file__).resolve().parent
TRACE = HERE / "glxgears.trace"
LIVE = HERE / "glxgears_2.png"  # frame 2, from --screenshot during the recording
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

    def fingerprints(self, trace):
        done = run("replay", trace, "--json", "-", "--quiet")
        self.assertEqual(done.returncode, 0, done.stderr)
        return [frame["fingerprint"] for frame in json.loads(done.stdout)["frames"]]

    def test_frames_that_were_cut_out_show_the_same(self):
        whole = self.fingerprints(TRACE)
        part, again = self.folder / "part.trace", self.folder / "again.trace"
        self.assertEqual(run("trace-trim", TRACE, part, "--frames", "2-3").returncode, 0)
        self.assertEqual(self.fingerprints(part), whole[1:3])
        self.assertEqual(run("trace-trim", part, again, "--frames", "2").returncode, 0)
        self.assertEqual(self.fingerprints(again), whole[2:3])

    def test_frames_that_cannot_be_cut_out_are_refused_and_leave_no_file(self):
        out = self.folder / "out.trace"
        cases = {("trace-trim", TRACE, out, "--frames", "2-99"): (1, "no frame 99"),
                 ("trace-trim", TRACE, out, "--frames", "99"): (1, "no frame 99"),
                 ("trace-trim", LIVE, out, "--frames", "1"): (1, "not a trace"),
                 ("trace-trim", TRACE, TRACE, "--frames", "1"): (1, "the output is the input"),
                 ("trace-trim", TRACE, "/no/folder/t.trace", "--frames", "1"): (1, "/no/folder/t.trace"),
                 ("trace-trim", TRACE, out, "--frames", "3-2"): (2, "3-2"), ("trace-trim", TRACE, out, "--frames", "0"): (2, "0"),
                 ("trace-trim", TRACE, out, "--frames", "1-2-3"): (2, "1-2-3"), ("trace-trim", TRACE, out): (2, "--frames")}
        for arguments, (code, words) in cases.items():
            done = run(*arguments)
            self.assertEqual((done.returncode, done.stdout), (code, ""), arguments)
            self.assertIn(words, done.stderr, arguments)
            self.assertFalse(out.exists(), arguments)

    def test_an_index_changes_nothing_but_the_time(self):
        trace = self.folder / "gears.trace"
        trace.write_bytes(TRACE.read_bytes())
        arguments = ("debug", trace, "--pixel", "150,150", "--draws")
        plain = [run(*arguments, "--frame", frame).stdout for frame in (1, 2, 3)]
        done = run("trace-index", trace, "--every", 1)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("gears.trace.index: ", done.stdout)
        self.assertEqual([run(*arguments, "--frame", frame).stdout for frame in (1, 2, 3)], plain)
        self.assertEqual(run(*arguments).stdout, plain[2])  # the last one
        (self.folder / "gears.trace.index").write_bytes(b"VALKYRIX")
        done = run(*arguments)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("gears.trace.index: ", done.stderr)
        self.assertEqual(run("trace-index", LIVE).returncode, 1)
        self.assertEqual(run("trace-index", trace, "--every", 0).returncode, 2)

    def timeline(self, *arguments):
        file = self.folder / "timeline.json"
        done = run("replay", TRACE, "--timeline", file, *arguments)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(file.read_text())["traceEvents"]

    def test_a_timeline_shows_commands_draws_and_tiles_by_thread(self):
        events = self.timeline("--threads", 2)
        tracks = {e["tid"]: e["args"]["name"] for e in events if e["name"] == "thread_name"}
        self.assertEqual(tracks, {0: "frames", 1: "commands, worker 0", 2: "worker 1"})
        self.assertIn("glxgears", [e["args"]["name"] for e in events if e["name"] == "process_name"])
        work = [e for e in events if e["ph"] == "X"]
        self.assertEqual([e["args"]["number"] for e in work if e["name"] == "frame"], [1, 2, 3])
        draws = [e["args"]["number"] for e in work if e["name"] == "DRAW_VBO"]
        self.assertEqual(draws, list(range(1, len(draws) // 3 + 1)) * 3)
        names = {e["name"] for e in work}
        self.assertLessEqual({"compile pipeline", "parse shader", "pass", "segment", "tile", "render", "wait for client"}, names)

    def test_events_of_a_timeline_lie_within_each_other_or_apart(self):
        events = [e for e in self.timeline("--threads", 2) if e["ph"] == "X"]
        for track in {e["tid"] for e in events}:
            ends = []
            own = [(e["ts"], e["ts"] + e["dur"]) for e in events if e["tid"] == track]
            for begin, end in sorted(own, key=lambda span: (span[0], -span[1])):
                while ends and ends[-1] <= begin + 1e-6:
                    ends.pop()
                self.assertTrue(not ends or end <= ends[-1] + 2e-3, (track, begin, end))
                ends.append(end)

    def test_a_timeline_of_some_frames_has_these_alone(self):
        events = self.timeline("--timeline-frames", 2, 2)
        self.assertEqual([e["args"]["number"] for e in events if e["name"] == "frame"], [2])
        self.assertNotIn("compile pipeline", [e["name"] for e in events])

    def test_a_timeline_that_cannot_be_written_is_an_error(self):
        for file in (self.folder / "none" / "t.json", "/dev/full"):
            done = run("replay", TRACE, "--timeline", file)
            self.assertEqual(done.returncode, 1)
            self.assertIn(str(file), done.stderr)
        self.assertEqual(run("replay", TRACE, "--timeline", "/dev/null", "--timeline-frames", 3, 2).returncode, 2)

    def test_more_threads_are_simulated(self):
        done = run("replay", TRACE, "--simulate-threads", "4,64")
        self.assertEqual(done.returncode, 0, done.stderr)
        rows = [line.split() for line in done.stdout.splitlines() if "%" in line]
        self.assertEqual([row[0] for row in rows], ["1", "4", "64"])
        for row in rows:
            self.assertAlmostEqual(sum(float(share.rstrip("%")) for share in row[3:]), 100, delta=0.5)
        self.assertEqual(run("replay", TRACE, "--simulate-threads", "0").returncode, 2)

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
