#!/usr/bin/env python3
# Mesa matrix: runs clients of several releases of Debian on Valkyr, each in a tree of its own, and prints a table.
# SPDX-License-Identifier: MIT
"""usage: matrix.py [--valkyr FILE] [--releases LIST] [--trees FOLDER] [--piglit COUNT] [-o FILE]

Needs root and debootstrap. A tree takes 1.5 GB and is made once. The server runs outside of the trees, where Mesa
looks for it, so that only clients differ. Exit code 1 if something fails that is no known difference.
"""
import argparse
import contextlib
import dataclasses
import hashlib
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import time

MIRROR = "http://deb.debian.org/debian"
PACKAGES = ["libgl1-mesa-dri", "libegl1", "libgles2", "mesa-utils", "glmark2-x11", "xvfb", "xauth", "weston", "piglit",
            "python3"]
SOCKET = "tmp/.virgl_test"  # compiled into Mesa's client
VIRPIPE = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "virpipe", "DRAW_USE_LLVM": "0"}
LLVMPIPE = {"LIBGL_ALWAYS_SOFTWARE": "1", "GALLIUM_DRIVER": "llvmpipe"}
OURS = "virgl (Valkyr)"
TESTS = pathlib.Path(__file__).resolve().parents[2] / "tests"
VERSION = "4.3"  # what a server offers, in docs/guide/opengl.md
SCENES = ["build", "texture", "shading:shading=phong", "bump", "effect2d", "desktop", "buffer", "shadow", "refract",
          "terrain", "jellyfish"]
# Checks that fail for reasons of the client, by name and release; "" stands for all releases.
KNOWN = {
    ("glxinfo", ""): "Mesa reads an unmapped window (X_GetImage, BadMatch); `valkyr run` answers for it",
}
KNOWN_TESTS = {
    "primitive-id-no-gs-quads.shader_test": "virpipe turns quads into triangles, and counts those",
    "primitive-id-no-gs-quad-strip.shader_test": "virpipe turns quads into triangles, and counts those",
}


class Tree:
    """A system of one release, with /proc and /dev while commands run."""

    def __init__(self, release: str, folder: pathlib.Path):
        self.release = release
        self.path = folder / release

    def make(self):
        done = self.path / "matrix.done"
        wanted = " ".join(PACKAGES)
        if done.is_file() and done.read_text() == wanted:
            return
        shutil.rmtree(self.path, ignore_errors=True)
        subprocess.run(["debootstrap", "--variant=minbase", self.release, str(self.path), MIRROR], check=True,
                       stdout=subprocess.DEVNULL)
        # Packages with services need the real system's files; apt must not start any.
        (self.path / "usr/sbin/policy-rc.d").write_text("#!/bin/sh\nexit 101\n")
        (self.path / "usr/sbin/policy-rc.d").chmod(0o755)
        self.run(["apt-get", "install", "-y", "-q", "--no-install-recommends", *PACKAGES], {}, 1800, check=True)
        done.write_text(wanted)

    def run(self, words, variables, seconds, check=False) -> subprocess.CompletedProcess:
        """Runs a command in the tree; one that takes too long has the exit code 124."""
        environment = {"PATH": "/usr/bin:/usr/sbin:/bin:/sbin:/usr/games", "HOME": "/root", "LC_ALL": "C.UTF-8",
                       "DEBIAN_FRONTEND": "noninteractive", "XDG_RUNTIME_DIR": "/tmp", **variables}
        # The shell stays, since some programs do not bear to be the first process of a system.
        inside = 'mount -t proc proc "$0/proc" && mount --rbind /dev "$0/dev" && chroot "$0" "$@"; exit $?'
        command = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "sh", "-c", inside, str(self.path),
                   "timeout", "-k", "5", str(seconds), *words]
        return subprocess.run(command, env=environment, text=True, errors="replace", check=check,
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT)

    def with_display(self, words, variables, seconds):
        return self.run(["xvfb-run", "-a", "-s", "-screen 0 1024x768x24", *words], variables, seconds)

    def version(self) -> str:
        text = self.run(["dpkg-query", "-W", "-f", "${Version}", "libgl1-mesa-dri"], {}, 20).stdout
        return text.split("-")[0]


@contextlib.contextmanager
def server(valkyr: str, tree: Tree, *options: str):
    path = tree.path / SOCKET
    path.unlink(missing_ok=True)
    process = subprocess.Popen([valkyr, "vtest", "--quiet", "--socket", str(path), *options])
    try:
        for _ in range(200):
            if path.exists():
                break
            time.sleep(0.05)
        else:
            raise RuntimeError(f"{valkyr} vtest does not listen")
        yield
    finally:
        process.terminate()
        process.wait(30)


@dataclasses.dataclass
class Outcome:
    good: bool
    text: str


def last_line(text: str) -> str:
    """The last line of an error, else the last line."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"(?i)error|fail", line)]
    return (errors or lines or ["no output"])[-1][:80]


def glxinfo(tree, _):
    done = tree.with_display(["glxinfo", "-B"], VIRPIPE, 60)
    version = re.search(r"OpenGL core profile version string: (\S+)", done.stdout)
    if OURS in done.stdout and version:
        return Outcome(True, f"core {version[1]}")
    return Outcome(False, last_line(done.stdout))


def opengl_version(tree, _):
    """Which version a context has that was made without attributes. Mesa offers less if limits fall short of it."""
    shutil.copy(TESTS / "app/gl_program.py", tree.path / "tmp")
    program = ("import sys, ctypes; sys.path.insert(0, '/tmp'); import gl_program; gl_program.make_context(); "
               "print('version', gl_program.function('glGetString', ctypes.c_char_p, ctypes.c_uint)(0x1F02).decode())")
    done = tree.run(["python3", "-c", program], VIRPIPE, 60)
    version = re.search(r"^version (\S+)", done.stdout, re.MULTILINE)
    return Outcome(version[1] == VERSION, version[1]) if version else Outcome(False, last_line(done.stdout))


def frames_of(pattern, words, wayland=False):
    """A check that a program which runs until it is killed counts frames."""
    def check(tree, _):
        if wayland:
            shell = ("weston --socket=matrix --idle-time=0 --backend=headless >/tmp/weston.log 2>&1 || "
                     "weston --socket=matrix --idle-time=0 --backend=headless-backend.so >>/tmp/weston.log 2>&1 & "
                     'sleep 3; WAYLAND_DISPLAY=matrix timeout 12 stdbuf -oL "$@"; tail -n 1 /tmp/weston.log')
            done = tree.run(["sh", "-c", shell, "sh", *words], VIRPIPE, 40)
        else:
            done = tree.with_display(["timeout", "12", "stdbuf", "-oL", *words], VIRPIPE, 40)
        found = re.findall(pattern, done.stdout)
        return Outcome(True, f"{float(found[-1]):.0f} frames/s") if found else Outcome(False, last_line(done.stdout))
    return check


def glmark2(tree, _):
    words = ["glmark2", "--validate"]
    for scene in SCENES:
        words += ["-b", scene]
    done = tree.with_display(words, VIRPIPE, 240)
    results = re.findall(r"Validation: (\w+)", done.stdout)
    failed = results.count("Failure")
    if OURS not in done.stdout or len(results) != len(SCENES):
        return Outcome(False, last_line(done.stdout))
    return Outcome(failed == 0, f"{results.count('Success')} of {len(results)} succeed, "
                                f"{results.count('Unknown')} unknown, {failed} fail")


def two_threads(tree, valkyr):
    """A program of two threads, with the library that `valkyr run` preloads."""
    for name in ("gl_program.py", "threads_program.py"):
        shutil.copy(TESTS / "app" / name, tree.path / "tmp" / name)
    library = "/tmp/connect.so"
    subprocess.run([valkyr, "run", "--quiet", "--", "sh", "-c", 'cp "${LD_PRELOAD%%:*}" "$0"',
                    str(tree.path) + library], check=True)
    good = 0
    for how in ("together", "apart") * 5:
        done = tree.run(["env", f"LD_PRELOAD={library}", f"VALKYR_VTEST_SOCKET=/{SOCKET}",
                         "python3", "/tmp/threads_program.py", how], VIRPIPE, 60)
        good += done.returncode == 0
    return Outcome(good == 10, f"{good} of 10 runs")


def osmesa(tree, valkyr):
    """The cases of our libOSMesa."""
    build = pathlib.Path(valkyr).resolve().parents[1]
    for name in ("lib/libOSMesa.so.8", "bin/osmesa_scene"):
        if not (build / name).is_file():
            return Outcome(False, f"there is no {build / name}")
        shutil.copy(build / name, tree.path / "tmp")
    done = tree.run(["/tmp/osmesa_scene", "/tmp/libOSMesa.so.8"], {"VALKYR_VTEST_SOCKET": f"/{SOCKET}"}, 60)
    lines = done.stdout.splitlines()
    wanted = (TESTS / "osmesa/expected.txt").read_text(encoding="utf-8").splitlines()
    missing = [line for line in wanted if line not in lines]
    if missing:
        return Outcome(False, f"{len(missing)} of {len(wanted)} lines differ: {missing[0]}")
    return Outcome(True, f"{len(wanted)} lines as expected")


def recording(tree, valkyr):
    """A program is recorded with the client, and its trace drawn again without one."""
    with tempfile.TemporaryDirectory() as folder:
        trace = pathlib.Path(folder) / "x.trace"
        with server(valkyr, tree, "--record", str(trace), "--record-frames", "20"):
            tree.with_display(["timeout", "4", "glxgears"], VIRPIPE, 40)
        done = subprocess.run([valkyr, "replay", str(trace), "--json", "-", "--quiet"], capture_output=True, text=True)
        if done.returncode != 0:
            return Outcome(False, last_line(done.stderr))
        return Outcome(True, f"{trace.stat().st_size // 1024} kB, replayed")


def shader_tests(tree: Tree, count: int) -> list[str]:
    """Shader tests of piglit, chosen by a hash of their names, so that releases share most of them."""
    root = next(tree.path.glob("usr/lib/*/piglit"), None)
    if root is None:
        return []
    tests = [str(path.relative_to(tree.path)) for path in (root / "tests").rglob("*.shader_test")]
    return sorted(tests, key=lambda name: hashlib.sha256(pathlib.Path(name).name.encode()).digest())[:count]


def run_shader_tests(tree: Tree, tests: list[str], variables: dict) -> dict[str, str]:
    """The results by test. All run in one shell, one program each; a crash has no result."""
    (tree.path / "tmp/tests").write_text("\n".join(tests) + "\n")
    shell = """
    runner=$(ls /usr/lib/*/piglit/bin/shader_runner)
    while read -r test; do
        echo "== $test"; timeout 30 "$runner" "/$test" -auto -fbo 2>&1 | grep '^PIGLIT: {"result"'
    done </tmp/tests"""
    done = tree.run(["sh", "-c", shell], {**variables, "PIGLIT_PLATFORM": "surfaceless_egl"}, 20 * 60)
    results = dict.fromkeys(tests, "crash")
    test = ""
    for line in done.stdout.splitlines():
        if line.startswith("== "):
            test = line[3:]
        elif line.startswith("PIGLIT: "):
            with contextlib.suppress(json.JSONDecodeError):
                results[test] = json.loads(line[8:])["result"]
    return results


def piglit(count):
    def check(tree, _):
        tests = shader_tests(tree, count)
        if not tests:
            return Outcome(False, "piglit is not there")
        ours = run_shader_tests(tree, tests, VIRPIPE)
        worse = [test for test, result in ours.items() if result not in ("pass", "skip")]
        peers = run_shader_tests(tree, worse, LLVMPIPE) if worse else {}
        worse = [pathlib.Path(test).name for test in worse if peers[test] == "pass"]
        known = [name for name in worse if name in KNOWN_TESTS]
        worse = [name for name in worse if name not in KNOWN_TESTS]
        results = list(ours.values())
        text = f"{results.count('pass')} pass, {results.count('skip')} skip, {len(worse)} worse than llvmpipe"
        text += "".join(f"; known: {name}" for name in known)
        return Outcome(not worse and "pass" in results, text + (": " + ", ".join(worse[:4]) if worse else ""))
    return check


def checks_of(options) -> dict:
    return {
        "OpenGL version": opengl_version,
        "glxinfo": glxinfo,
        "glxgears": frames_of(r"= ([\d.]+) FPS", ["glxgears"]),
        "es2gears": frames_of(r"= ([\d.]+) FPS", ["es2gears_x11"]),
        "Wayland: es2gears": frames_of(r"= ([\d.]+) FPS", ["es2gears_wayland"], wayland=True),
        "Wayland: weston-simple-egl": frames_of(r": ([\d.]+) fps", ["weston-simple-egl"], wayland=True),
        "glmark2 --validate": glmark2,
        "two threads, as under `valkyr run`": two_threads,
        "OSMesa": osmesa,
        "record, replay": recording,
        f"piglit, {options.piglit} shader tests": piglit(options.piglit),
    }


def examine(tree: Tree, options) -> dict[str, Outcome]:
    outcomes = {}
    for name, check in checks_of(options).items():
        print(f"{tree.release}: {name}", file=sys.stderr)
        if check is recording:
            outcomes[name] = recording(tree, options.valkyr)
            continue
        with server(options.valkyr, tree):
            outcomes[name] = check(tree, options.valkyr)
    return outcomes


def is_known(name: str, release: str) -> bool:
    return (name, release) in KNOWN or (name, "") in KNOWN


def table(results: dict[str, dict[str, Outcome]], versions: dict[str, str], options) -> str:
    lines = ["| check | " + " | ".join(f"{release}, Mesa {versions[release]}" for release in results) + " |",
             "|---|" + "---|" * len(results)]
    for name in checks_of(options):
        cells = []
        for release, outcomes in results.items():
            outcome = outcomes[name]
            mark = "" if outcome.good else "known: " if is_known(name, release) else "**fails**: "
            cells.append(mark + outcome.text)
        lines.append(f"| {name} | " + " | ".join(cells) + " |")
    lines += ["", *(f"Known difference, {name}, {release or 'all'}: {why}." for (name, release), why in KNOWN.items()
                    if release == "" or release in results),
              *(f"Known difference, {name}: {why}." for name, why in KNOWN_TESTS.items())]
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--valkyr", default="build/release/bin/valkyr")
    parser.add_argument("--releases", default="bookworm,trixie,sid", help="of Debian (default %(default)s)")
    parser.add_argument("--trees", type=pathlib.Path, default=pathlib.Path("build/matrix"), help="default %(default)s")
    parser.add_argument("--piglit", type=int, default=200, metavar="COUNT", help="shader tests (default %(default)s)")
    parser.add_argument("-o", "--output", type=pathlib.Path, help="the table also goes to this file")
    options = parser.parse_args()
    options.valkyr = os.path.abspath(options.valkyr)
    if os.geteuid() != 0 or shutil.which("debootstrap") is None:
        print("matrix.py: needs root, and debootstrap (Debian: debootstrap)", file=sys.stderr)
        return 2
    if not os.access(options.valkyr, os.X_OK):
        print(f"matrix.py: there is no command {options.valkyr}", file=sys.stderr)
        return 2
    options.trees = options.trees.resolve()
    options.trees.mkdir(parents=True, exist_ok=True)
    results, versions, failed = {}, {}, False
    for release in options.releases.split(","):
        tree = Tree(release, options.trees)
        print(f"{release}: making its tree, if there is none", file=sys.stderr)
        try:
            tree.make()
        except subprocess.CalledProcessError as error:
            print(f"matrix.py: {release}: no tree: {last_line(error.stdout or str(error))}", file=sys.stderr)
            failed = True
            continue
        versions[release] = tree.version()
        results[release] = examine(tree, options)
    text = table(results, versions, options)
    print(text, end="")
    if options.output:
        options.output.write_text(text)
    good = all(outcome.good or is_known(name, release)
               for release, outcomes in results.items() for name, outcome in outcomes.items())
    return 0 if good and not failed else 1


if __name__ == "__main__":
    sys.exit(main())
