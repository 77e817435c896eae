#!/usr/bin/env python3
# Documented commands: each command of README.md and the guides runs as it stands there.
# SPDX-License-Identifier: MIT
"""usage: commands_test.py BUILD_FOLDER [UNITTEST ARGUMENTS...]

tests/docs/documented.py defines commands. The commands of a document run in order in one temporary
folder with the files of the source tree; `valkyr` is that of the build. A command must end with
exit code 0 (or that of EXIT_CODES), or be in ELSEWHERE, with the reason why it cannot run here.
Programs that are not installed are left out, and a message at the end names them."""
import contextlib
import ctypes.util
import dataclasses
import os
import pathlib
import re
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest

import documented
from documented import Command, ROOT

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
SECONDS = 120  # for a command
MOMENT = 0.5  # how long a window is looked at
MOMENTS = (0.5, 5, 20)  # how long an endless program runs; the longer times are for busy machines

SHADER = "examples/shaders/lit_textured.frag.tgsi"
TRACE = "tests/virgl/glxgears.trace"
PICTURE = "tests/pictures/golden/cube_640x480.png"


@dataclasses.dataclass(frozen=True)
class Elsewhere:
    """A command that does not run here. `instead` runs in its place and may use the groups of the pattern; if
    it contains --help, the output must name every option of the command."""

    pattern: str
    reason: str
    instead: str = ""


BUILDS = "builds, and runs tests"
LISTED = "cmake --list-presets | grep '\"{0}\"' && ctest --list-presets | grep '\"{1}\"'"
# The first row whose pattern matches the whole command is used.
ELSEWHERE = [
    Elsewhere(r"(tools/(?:demo|package)\.sh)", "builds", r"bash -n \1"),
    Elsewhere(r"tools/test\.sh", BUILDS, "ctest --preset release -N"),
    Elsewhere(r"tools/test\.sh aarch64", BUILDS, "ctest --list-presets | grep '\"aarch64\"'"),
    Elsewhere(r"tools/dev/build\.sh ([a-z]+)", "builds", r"cmake --list-presets | grep '\"\1\"'"),
    Elsewhere(r"tools/dev/build\.sh (\S+) && ctest --preset (\S+)", BUILDS, LISTED.format(r"\1", r"\2")),
    Elsewhere(r"ctest (.*)", "runs tests", r"ctest \1 -N | grep 'Total Tests: [1-9]'"),
    Elsewhere(r"\.ci/run ([a-z]+)", BUILDS, r".ci/run --list | grep '^\1 '"),
    Elsewhere(r"tools/dev/fuzz\.sh \d+", "builds, and runs for minutes", "bash -n tools/dev/fuzz.sh"),
    Elsewhere(r"tools/soak\.sh .*", "builds; the CTest entry `soak` runs two rounds", "tools/soak/soak.py --help"),
    Elsewhere(r"tools/bless\.sh scenes", "shows a difference by git", "python3 tools/conformance/make_conformance.py"),
    Elsewhere(r"tools/bless\.sh (conformance) --reason TEXT", "builds", r"tools/bless.sh --list | grep '^\1 '"),
    Elsewhere(r"apt(?:-get)? (?:install|update)\b.*", "needs root and the network"),
    Elsewhere(r"(?:cmake --install|PREFIX=|cp -r \$PREFIX|cmake -B|build/hello|export PKG|RUN_PATH=|c\+\+|\./first).*",
              "tests/install/install_test.py runs it"),
    Elsewhere(r"(tools/mesa/\w+\.py) --.*", "needs piglit or many programs, and hours", r"\1 --help"),
    Elsewhere(r"(?s)#!/bin/sh\n.*\n(?:exec )(tools/mesa/piglit\.py) .*", "a job of Slurm", r"\1 --help"),
    Elsewhere(r"npm install .*", "needs the network"),
    Elsewhere(r"(tools/browser/\w+\.mjs) --modules .*", "needs Chromium and packages of npm; tests/tools runs --help"),
    Elsewhere(r"valkyr run (?:--xvfb )?-- (?:chromium|npx|firefox)\b(?:.|\n)*", "needs Chromium and packages of npm"),
    Elsewhere(r"tools/package\.sh --client", BUILDS, "bash -n tools/packaging/client.sh"),
    Elsewhere(r"tools/mesa/compare_mesa\.py.*", "the CTest entry `conformance_mesa` runs it", "tools/mesa/compare_mesa.py --help"),
    Elsewhere(r"qemu-aarch64 .*", "needs the cross build"),
    Elsewhere(r"valkyr bench( phong)?(.*)", "takes seconds to half a minute", r"valkyr bench\1 --ms 1 --frames 1 --warm 0 --size 64\2"),
    Elsewhere(r"(valkyr demo cube) --frames 60 (.*)", "draws a second of film", r"\1 --frames 3 \2"),
    Elsewhere(r"valkyr conform --hashes (--engine .*)", "draws all for minutes on the interpreter",
              r"valkyr conform --hashes 'scene/flow/*' \1"),
    Elsewhere(r"valkyr conform((?: --(?:html|junit|json) \S+)*)", "the CTest entry `conformance` draws all scenes",
              r"valkyr conform 'blend/*'\1"),
]

# Replacements of placeholders and of names of missing files, applied in this order.
STANDS_FOR = [
    (r"\bSHADER(?:\.tgsi)?(?=\s)", SHADER),
    (r"\bDIR/0007\.tgsi\b", SHADER),
    (r"\bSHADER\.frag\b", "examples/glsl/waves.frag"),
    (r"\bmy\.geom\.tgsi\b", "examples/shaders/fur.geom.tgsi"),
    (r"\bmy\.comp\.tgsi\b", "tests/app/race.comp.tgsi"),
    (r"\bMODEL\.obj\b", "examples/models/teapot.obj"),
    (r"\bMODEL\.glb\b", "examples/models/tentacle.glb"),
    (r"/opt/mesa-[\d.]+", "system"),
    (r"\bSCENE\b", "cube"),
    (r"(valkyr (?:asm|check)) FILE\b", r"\1 program.valhall"),
    (r"(valkyr dis) FILE\b", r"\1 words.bin"),
    (r"\bWORDS\b", "words.hex"),
    (r"(valkyr tgsi) FILE\b", rf"\1 {SHADER}"),
    (r"(valkyr (?:replay|debug)) FILE\b", rf"\1 {TRACE}"),
    (r"-x FILE\b", "-x commands.txt"),
    (r"\bFILE\.trace\b", TRACE),
    (r"\bracing\.trace\b", "tests/app/race.trace"),
    (r"\bnan\.trace\b", "tests/app/nan.trace"),
    (r"--log SPEC\b", "--log 'stage=fragment line=6: x'"),
    (r"--frame N\b", "--frame 2"),
    (r"--pixel X,Y\b", "--pixel 150,150"),
    (r"\bI/N\b", "1/8"),
    (r"\bPRESET\b", "release"),
    (r"FILTER\.\.\.", "'blend/*'"),
    (r"\bPARITY\.i32\b", "POPCOUNT.i32"),
    (r"-- (?:PROGRAM|your-tests|\./run-tests)(?!\S)", "-- glxgears"),
    (r"\b(?:A|B|expected|actual)\.png\b", PICTURE),
]

HAS_MESA = ctypes.util.find_library("EGL_mesa") is not None

# Commands with other good exit codes.
EXIT_CODES = [
    (r"valkyr diff expected\.png frame\.png .*", {1}, "the program draws something else"),
    (r"valkyr eval .* --race-check .*", {1}, "the shader has a race"),
    (r"valkyr replay .* --race-check", {1}, "the shader has a race"),
    (r"valkyr replay .* --trap .*", {1}, "the shader makes a NaN"),
    (r"valkyr (?:glsl|compile|eval|debug|lockstep|tgsi) .*\.(?:vert|frag)(?: .*)?", {0 if HAS_MESA else 1}, "Mesa translates GLSL"),
    (r"valkyr doctor.*", {0, 1}, "not all systems have all that it looks for"),
]

WINDOWS = [r".*valkyr demo SCENE", r".*valkyr view \S+\.(?:obj|glb)(?: --animation \w+)?", r"valkyr debug .* --window"]
SERVER, SOCKET = r"valkyr vtest", pathlib.Path("/tmp/.virgl_test")
ENDLESS = ["glxgears", "glmark2"]  # drawn by Valkyr; the test ends them after a moment
NOT_ENOUGH = "no client came to frame"
OPTIONAL = ["parallel", *ENDLESS]
# Existing files in place of those that a program would have made which is not installed.
INSTEAD_OF_FILES = [(r"--record (\S+)", TRACE), (r"--screenshot \d+ (\S+)", "docs/images/demo_cube.png")]

COPIED = ["tests", "tools", "examples", "xml"]
LINKED = ["src", "docs", "cmake", ".ci", "CMakeLists.txt", "CMakePresets.json", "README.md"]


def fitting(rows, text: str):
    """The first row whose pattern, or first field, matches the text."""
    return next((row for row in rows if re.fullmatch(getattr(row, "pattern", None) or row[0], text)), None)


def substituted(text: str) -> str:
    for pattern, replacement in STANDS_FOR:
        text = re.sub(pattern, replacement, text)
    return text


class Workplace:
    """A copy of the source tree (partly links), and the environment of commands in it."""

    def __init__(self, stack: contextlib.ExitStack):
        self.folder = pathlib.Path(stack.enter_context(tempfile.TemporaryDirectory()))
        self.tree = self.folder / "tree"
        for name in COPIED:
            shutil.copytree(ROOT / name, self.tree / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        for name in LINKED:
            (self.tree / name).symlink_to(ROOT / name)
        release = self.tree / "build/release"
        release.mkdir(parents=True)
        for entry in BUILD.iterdir():
            if entry.name != "Testing":  # a log of the CTest that may be running this
                (release / entry.name).symlink_to(entry)
        self.absent = [name for name in OPTIONAL if not shutil.which(name)]
        self.display = self.start_display(stack)
        self.environment = {**os.environ, "PATH": f"{self.folder / 'bin'}:{BUILD / 'bin'}:{os.environ['PATH']}",
                            "SDL_VIDEODRIVER": "dummy", "DISPLAY": self.display, "LC_ALL": "C.UTF-8"}
        self.make_programs()
        self.make_files()
        self.first_files = set(self.tree.iterdir())

    def start_display(self, stack: contextlib.ExitStack) -> str:
        if not shutil.which("Xvfb"):
            self.absent += ["Xvfb", *(name for name in ENDLESS if name not in self.absent)]
            return ""
        server = stack.enter_context(subprocess.Popen(["Xvfb", "-displayfd", "1", "-screen", "0", "1280x1024x24"],
                                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True))
        stack.callback(server.terminate)
        return ":" + server.stdout.readline().strip()

    def make_programs(self):
        """Wraps endless programs so that they end by themselves."""
        (self.folder / "bin").mkdir()
        for name in ENDLESS:
            program = self.folder / "bin" / name
            real = f'timeout $MOMENT "{shutil.which(name)}" "$@"; [ $? = 124 ]' if name not in self.absent else "exit 0"
            program.write_text(f"#!/bin/sh\n{real}\n")
            program.chmod(0o755)

    def make_files(self):
        """Makes the files of STANDS_FOR that the source tree does not have."""
        (self.tree / "commands.txt").write_text("step\n")
        for command in (f"valkyr compile {SHADER} --emit asm > program.valhall", "valkyr asm program.valhall > words.bin",
                        "valkyr asm --hex program.valhall > words.hex"):
            result = self.run(command)
            assert result.returncode == 0, result.stderr

    def start(self, text: str, moment: float = MOMENTS[0]) -> subprocess.Popen:
        environment = {**self.environment, "MOMENT": str(moment)}
        if "--xvfb" in text or not self.display:
            del environment["DISPLAY"]
        return subprocess.Popen(["bash", "-c", "set -o pipefail\n" + text], cwd=self.tree, env=environment,
                                stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                errors="replace", start_new_session=True)

    def run(self, text: str) -> subprocess.CompletedProcess:
        """Runs a command. If an endless program did not draw enough, runs it again for longer."""
        for moment in MOMENTS:
            result = self.run_once(text, moment)
            if NOT_ENOUGH not in result.stderr or " -- true" in text:
                break
        return result

    def run_once(self, text: str, moment: float) -> subprocess.CompletedProcess:
        process = self.start(text, moment)
        try:
            output, errors = process.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            raise AssertionError(f"{text}: still runs after {SECONDS} s") from None
        return subprocess.CompletedProcess(text, process.returncode, output, errors)

    def clean(self):
        """Removes the files that the commands of a document made."""
        for path in set(self.tree.iterdir()) - self.first_files:
            shutil.rmtree(path) if path.is_dir() else path.unlink()


class Commands(unittest.TestCase):
    """A test for each document, added below."""

    @classmethod
    def setUpClass(cls):
        stack = contextlib.ExitStack()
        cls.addClassCleanup(stack.close)
        cls.place = Workplace(stack)
        cls.left_out = []

    @classmethod
    def tearDownClass(cls):
        for command in cls.left_out:
            print(f"left out, for want of {', '.join(cls.place.absent) or 'a free socket'}: {command}", file=sys.stderr)

    def check(self, result: subprocess.CompletedProcess, codes=frozenset({0})):
        self.assertIn(result.returncode, codes, f"{result.args}\n{result.stdout[-2000:]}{result.stderr[-2000:]}")

    def follow(self, document: str):
        """Runs the commands of a document in order, each once."""
        self.addCleanup(self.place.clean)
        done = set()
        with contextlib.ExitStack() as servers:
            for command in documented.commands(document, documented.read(document)):
                if command.text not in done:
                    done.add(command.text)
                    with self.subTest(str(command)):
                        self.follow_one(command, servers)

    def follow_one(self, command: Command, servers: contextlib.ExitStack):
        text = substituted(command.text)
        elsewhere = fitting(ELSEWHERE, text)
        if command.name_alone:
            self.check(self.place.run(text + " --help"))
        elif elsewhere:
            self.follow_elsewhere(elsewhere, text)
        elif fitting(zip(WINDOWS), command.text):
            self.look_at_window(text)
        elif text == SERVER:
            self.serve(command, servers)
        elif any(re.search(rf"(?:^|\s){name}(?!\S)", text) for name in self.place.absent):
            self.go_without(command, text)
        else:
            allowed = fitting(EXIT_CODES, command.text)
            self.check(self.place.run(text), allowed[1] if allowed else {0})

    def follow_elsewhere(self, row: Elsewhere, text: str):
        instead = re.fullmatch(row.pattern, text).expand(row.instead)
        if not instead:
            return
        result = self.place.run(instead)
        self.check(result)
        if instead.endswith(" --help"):
            for option in re.findall(r"(?<!\S)--[a-z-]+", re.sub(r"(?m)^#.*", "", text)):
                self.assertIn(option, result.stdout, text)

    def look_at_window(self, text: str):
        """Checks that the window stays open, and closes on request."""
        process = self.place.start("exec " + text)
        with self.assertRaises(subprocess.TimeoutExpired, msg=text):
            process.wait(timeout=MOMENT)
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, errors)

    def serve(self, command: Command, servers: contextlib.ExitStack):
        """Starts the server, which listens until the end of the document."""
        if SOCKET.exists():
            self.left_out.append(command)
            return
        process = self.place.start("exec " + command.text)
        servers.callback(self.end_server, process)
        end = time.monotonic() + SECONDS
        while not SOCKET.exists() and process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        with socket.socket(socket.AF_UNIX) as client:
            client.connect(str(SOCKET))

    def end_server(self, process: subprocess.Popen):
        os.killpg(process.pid, signal.SIGINT)
        _, errors = process.communicate(timeout=SECONDS)
        self.assertEqual(process.returncode, 0, errors)
        self.assertFalse(SOCKET.exists())

    def go_without(self, command: Command, text: str):
        """Checks the command line with a program that draws nothing."""
        self.left_out.append(command)
        if " -- " not in text:
            return
        result = self.place.run(re.sub(r" -- .*", " -- true", text.replace(" --xvfb", "")))
        self.assertTrue(result.returncode == 0 or NOT_ENOUGH in result.stderr, result.stderr)
        for option, stand_in in INSTEAD_OF_FILES:
            for name in re.findall(option, text):
                shutil.copy(self.place.tree / stand_in, self.place.tree / name)


    def test_a_wrong_command_is_found(self):
        for text in ("valkyr isa NO_SUCH", "valkyr no-such-subcommand", "no-such-program", "valkyr demo --list | false"):
            with contextlib.ExitStack() as servers, self.assertRaises(AssertionError, msg=text):
                self.follow_one(Command("x.md", 1, text), servers)


def add_test(document: str):
    name = "test_" + re.sub(r"\W+", "_", pathlib.Path(document).stem.lower())
    setattr(Commands, name, lambda self: self.follow(document))


class Tables(unittest.TestCase):
    """Every row of the tables matches a document, and every block of a document is classified."""

    def setUp(self):
        self.texts = [command.text for name in documented.DOCUMENTS for command in documented.commands(name, documented.read(name))]

    def test_every_row_fits_a_command(self):
        chosen = [fitting(ELSEWHERE, substituted(text)) for text in self.texts]
        for row in ELSEWHERE:
            self.assertIn(row, chosen, "no document has it")
        for pattern in [*(row[0] for row in EXIT_CODES), *WINDOWS, SERVER]:
            self.assertTrue(any(re.fullmatch(pattern, text) for text in self.texts), pattern)
        for pattern, _ in STANDS_FOR:
            self.assertTrue(any(re.search(pattern, text) for text in self.texts), pattern)

    def test_every_block_is_commands_or_a_known_kind_of_text(self):
        blocks = [(name, block) for name in documented.DOCUMENTS for block in documented.texts(documented.read(name))]
        for name, block in blocks:
            self.assertTrue(any(map(block.text.startswith, documented.TEXTS)), f"{name}:{block.line}: {block.text}")
        for opening in documented.TEXTS:
            self.assertTrue(any(block.text.startswith(opening) for _, block in blocks), opening)


class Rules(unittest.TestCase):
    """Checks which text counts as a command."""

    def found(self, text: str) -> list[str]:
        return [command.text for command in documented.commands("x.md", text.splitlines()) if not command.name_alone]

    def test_blocks_of_commands(self):
        self.assertEqual(self.found("    tools/test.sh  # why\n    A=1 valkyr info\n"), ["tools/test.sh", "A=1 valkyr info"])
        self.assertEqual(self.found("    valkyr a \\\n        b\n"), ["valkyr a \\\n    b"])
        self.assertEqual(self.found("    $ valkyr a\n    what it prints\n    $ valkyr b\n"), ["valkyr a", "valkyr b"])
        self.assertEqual(self.found("    jobs:\n      - run: valkyr a\n      - uses: b\n        - apt-get update\n"),
                         ["valkyr a", "apt-get update"])
        self.assertEqual(self.found("    #!/bin/sh\n    valkyr a\n"), ["#!/bin/sh\nvalkyr a\n"])

    def test_other_blocks(self):
        self.assertEqual(self.found("    (valkyr) check\n    valkyr\n"), [])
        self.assertEqual(self.found("```\n    valkyr a\n```\n"), [])

    def test_spans(self):
        self.assertEqual(self.found("| `valkyr info` | `valkyr run`, `valkyr trace-trim` |\n`valkyr a\nb`, `tools/test.sh`, `valkyr a ...`, `x y`\n"),
                         ["valkyr info", "valkyr a b"])


for guide in documented.DOCUMENTS:
    add_test(guide)

if __name__ == "__main__":
    unittest.main()
