#!/usr/bin/env python3
# Hostile input: every subcommand refuses files, paths and numbers that it cannot use.
# SPDX-License-Identifier: MIT
"""usage: hostile_input_test.py VALKYR

Each row of INPUTS runs with every kind of file that the subcommand must refuse, each row of OUTPUTS
with every kind of path that cannot be written, each row of NUMBERS with every invalid number.
Expected: exit code 1 (2 for usage), a message on standard error that names the file, no crash, and
an end within the time limit."""
import os
import pathlib
import random
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
VALKYR = sys.argv.pop(1) if __name__ == "__main__" else ""
SHADER = str(ROOT / "examples/shaders/phong.frag.tgsi")
TRACE = str(ROOT / "tests/virgl/glxgears.trace")
PICTURE = str(ROOT / "tests/pictures/golden/triangle.png")
SCENE = str(ROOT / "tests/pictures/conformance/flow/if.scene")
MODEL = str(ROOT / "examples/models/teapot.obj")
SECONDS = 20

# Subcommands that read a file: {} is its place.
INPUTS = [
    "asm {}",
    "check {}",
    "check --hex {}",
    "check --binary {}",
    "compile {}",
    "compile --emit html {}",
    "compile --stats {}",
    "conform --root {}",
    "debug --batch {}",
    "debug --batch -x {} " + SHADER,
    "debug --batch --pixel 1,1 {}",
    "diff {} " + PICTURE,
    "diff " + PICTURE + " {}",
    "dis {}",
    "dis --hex {}",
    "eval {}",
    "lockstep {}",
    "replay {}",
    "run -- {}",
    "tgsi {}",
    "view --headless -o /dev/null {}",
]
# These accept empty input: no text, no words, no commands.
EMPTY_IS_FINE = {"asm {}", "dis {}", "dis --hex {}", "debug --batch -x {} " + SHADER}
# These accept any bytes as words.
BINARY_IS_FINE = {"dis {}"}
# These require a directory.
WANT_DIRECTORIES = {"compile --stats {}", "conform --root {}"}

# Subcommands that write a file: {} is its place.
OUTPUTS = [
    "asm -o {} " + str(ROOT / "tests/app/end.valhall"),
    "bench clear --ms 0 --frames 1 --size 16 --json {}",
    "bench clear --ms 0 --frames 1 --size 16 --timeline {}",
    "bench clear --ms 0 --frames 1 --size 16 -o {}",
    "compile -o {} " + SHADER,
    "conform flow/if -q --junit {}",
    "conform flow/if -q --html {}",
    "conform flow/if -q --json {}",
    "debug --screenshot {} " + SHADER,
    "demo triangle --size 16x16 -o {}",
    "diff --heat {} " + PICTURE + " " + PICTURE,
    "diff --junit {} " + PICTURE + " " + PICTURE,
    "diff --json {} " + PICTURE + " " + PICTURE,
    "isa --html {}",
    "replay --frame 1 -o {} " + TRACE,
    "replay --quiet --json {} " + TRACE,
    "replay --quiet --timeline {} " + TRACE,
    "run --quiet --record {} -- true",
    "run --quiet --timeline {} -- true",
    "view --size 16x16 -o {} " + MODEL,
    "vtest --socket {}",
]

# These accept a folder that exists or can be made.
FOLDERS_ARE_FINE = {"bench clear --ms 0 --frames 1 --size 16 -o {}": {"directory"},
                    "conform flow/if -q --html {}": {"directory", "missing folder"}}

# Texts that every option with a number must refuse.
WRONG_NUMBERS = ["-1", "1e99", "18446744073709551616", "99999999999999999999999", "0x", "NaN", "", "1,2,3", "%s%n"]
NUMBERS = [
    "bench clear --frames {}",
    "bench clear --size {}",
    "bench clear --threads {}",
    "check --fau {} " + SHADER,
    "conform --jobs {}",
    "debug --batch --lanes {} " + SHADER,
    "debug --batch --pixel {} " + SCENE,
    "debug --batch --vertex {} " + SCENE,
    "debug --batch --primitive {} " + SCENE,
    "debug --batch --patch {} " + SCENE,
    "demo --headless --size {}",
    "demo --headless --size {}x16",
    "demo --headless --frames {}",
    "demo --headless --frame {}",
    "demo --headless --zoom {}",
    "diff --tolerance {} " + PICTURE + " " + PICTURE,
    "eval --lanes {} " + SHADER,
    "eval --steps {} " + SHADER,
    "eval --group {} " + SHADER,
    "eval --grid {} " + SHADER,
    "eval --buffer {} " + SHADER,
    "eval --shared {} " + SHADER,
    "compile --shared {} " + SHADER,
    "lockstep --steps {} " + SHADER,
    "replay --frame {} " + TRACE,
    "replay --loops {} " + TRACE,
    "replay --timeline-frames {} 9 " + TRACE,
    "run --record-frames {} -- true",
    "run --threads {} -- true",
]


def run(line: str, value: str) -> subprocess.CompletedProcess:
    arguments = [word.replace("{}", value) for word in line.split()]
    environment = dict(os.environ, SDL_VIDEODRIVER="dummy", ASAN_OPTIONS="exitcode=99")
    return subprocess.run([VALKYR, *arguments], capture_output=True, stdin=subprocess.DEVNULL, timeout=SECONDS, env=environment, cwd=ROOT)


class HostileInput(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        folder = pathlib.Path(cls.folder.name)
        cls.empty = str(folder / "empty")
        pathlib.Path(cls.empty).write_bytes(b"")
        cls.binary = str(folder / "binary")
        pathlib.Path(cls.binary).write_bytes(random.Random(1).randbytes(4099))
        cls.closed = str(folder / "closed")
        pathlib.Path(cls.closed).write_text("FRAG\n  0: END\n")
        os.chmod(cls.closed, 0)
        cls.read_only = folder / "read_only"
        cls.read_only.mkdir()
        (folder / "loop").symlink_to("loop")
        cls.inputs = {
            "missing": str(folder / "missing"),
            "below a file": cls.empty + "/file",
            "directory": str(folder),
            "endless link": str(folder / "loop"),
            # Opening succeeds but reading fails, as on a broken disk.
            "unreadable": "/proc/self/mem",
            "empty": cls.empty,
            "binary": cls.binary,
            "long name": "x" * 5000,
        }
        if os.geteuid() != 0:
            cls.inputs["no permission"] = cls.closed
        cls.outputs = {
            "missing folder": str(folder / "missing/file"),
            "below a file": cls.empty + "/file",
            "directory": str(folder) + "/",
            "endless link": str(folder / "loop"),
            "full disk": "/dev/full",
            "long name": str(folder / ("x" * 300)),
        }
        if os.geteuid() != 0:
            os.chmod(cls.read_only, 0o500)
            cls.outputs["no permission"] = str(cls.read_only / "file")

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check(self, line: str, value: str, codes: set[int]):
        result = run(line, value)
        message = result.stderr.decode(errors="replace")
        self.assertIn(result.returncode, codes, f"valkyr {line}\n{message}")
        self.assertNotEqual(message.strip(), "", "no message")
        self.assertNotIn("terminate called", message)
        return message

    def test_inputs(self):
        for line in INPUTS:
            for kind, path in self.inputs.items():
                if (kind == "empty" and line in EMPTY_IS_FINE or kind == "binary" and line in BINARY_IS_FINE
                        or kind == "directory" and line in WANT_DIRECTORIES):
                    continue
                with self.subTest(line=line, kind=kind):
                    message = self.check(line, path, {1, 2})
                    self.assertIn(path[:100], message)

    def test_outputs(self):
        for line in OUTPUTS:
            for kind, path in self.outputs.items():
                if kind in FOLDERS_ARE_FINE.get(line, ()):
                    continue
                with self.subTest(line=line, kind=kind):
                    message = self.check(line, path, {1, 2})
                    self.assertIn(path.rstrip("/")[:100], message)

    def test_numbers(self):
        for line in NUMBERS:
            for number in WRONG_NUMBERS:
                with self.subTest(line=line, number=number):
                    self.check(line, number, {1, 2})


if __name__ == "__main__":
    unittest.main()
