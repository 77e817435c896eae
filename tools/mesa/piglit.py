#!/usr/bin/env python3
# Runs a fixed selection of piglit's quick tests on Valkyr and on Mesa's own rasterizers, side by side.
# SPDX-License-Identifier: MIT
"""Piglit on Valkyr, softpipe and llvmpipe.

The selection: of piglit's lists quick_shader and quick_gl the tests whose shaders need at most GLSL 1.20 (--glsl) and
the C programs, every --share th by a hash of the name. Tests that Valkyr skips (they need more than is advertised) are
not run on the others. Results are kept in the file of -o, so that a run can be ended and continued.

    tools/mesa/piglit.py --valkyr build/release/bin/valkyr -o piglit.json             # one test in eight
    tools/mesa/piglit.py --valkyr build/release/bin/valkyr --share 1 --match 'glsl-1.20'
    tools/mesa/piglit.py --valkyr build/release/bin/valkyr --all --failures-only -o all.json   # a quarter of an hour
"""
import argparse
import concurrent.futures
import gzip
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import threading
import time
import xml.etree.ElementTree as ElementTree
from ast import literal_eval
from pathlib import Path

PEERS = ("softpipe", "llvmpipe", "virgl")
ORDER = ("pass", "warn", "fail", "crash", "timeout", "server", "skip")
# Tests of window systems, not of rendering.
OTHER_SYSTEMS = re.compile(r"^(glx|spec@egl|spec@ext_image_dma|spec@ext_external)")
# Large families that OpenGL 2.1 skips from the first to the last; left out unless --match or a newer --glsl is given.
BEYOND = re.compile(r"^spec@(arb_gpu_shader5|arb_texture_gather|ext_framebuffer_multisample|ext_transform_feedback|glsl-1.[345]0|"
                    r"arb_texture_multisample|arb_shader_texture_image|arb_texture_barrier|arb_sample_shading|!opengl [34]|"
                    r"arb_gpu_shader_fp64|arb_copy_image|ext_gpu_shader4|arb_uniform_buffer|arb_depth_buffer_float)")


class Test:
    """A row of a list: its name and the command with what piglit adds to it."""

    def __init__(self, element):
        self.name = element.get("name")
        self.kind = element.get("type")
        options = {o.get("name"): literal_eval(o.get("value")) for o in element if o.get("value") is not None}
        self.command = list(options.get("command", []))
        self.glsl = int(round(float(options.get("shader_version") or 0) * 100))
        self.gles = options.get("api") == "gles2"
        self.off_screen = options.get("run_concurrent", True)

    def shader_file(self):
        """The file of a shader test whose program can run several; else None."""
        return self.command[1] if self.command[0].startswith("shader_runner") and len(self.command) == 2 else None

    def hash(self):
        return int.from_bytes(hashlib.sha256(self.name.encode()).digest()[:4], "little")


def read_lists(folder):
    for name in ("quick_shader", "quick_gl"):
        with gzip.open(folder / "tests" / (name + ".xml.gz")) as file:
            for element in ElementTree.parse(file).getroot():
                yield Test(element)


def select(arguments):
    wanted = None
    if arguments.tests:
        wanted = set(Path(arguments.tests).read_text().split("\n"))
    tests = []
    for test in read_lists(Path(arguments.piglit)):
        if wanted is not None:
            if test.name in wanted:
                tests.append(test)
            continue
        if test.kind not in ("gl", "shader") or OTHER_SYSTEMS.match(test.name):
            continue
        # Shader tests of OpenGL ES are not part of the figures over whole lists.
        if test.gles and not arguments.match:
            continue
        if test.kind == "shader" and test.glsl > arguments.glsl:
            continue
        if arguments.match and not re.search(arguments.match, test.name):
            continue
        if not arguments.match and arguments.glsl <= 120 and BEYOND.match(test.name):
            continue
        if test.hash() % arguments.share == arguments.part:
            tests.append(test)
    return sorted(tests, key=lambda test: test.hash())


def units_of(tests, size):
    """The tests for one command each: shader tests, in the order of names, size at a time; others alone."""
    shaders = {}
    for test in sorted(tests, key=lambda test: test.name):
        if size > 1 and test.shader_file():
            shaders.setdefault((test.command[0], test.off_screen), []).append(test)
    units = [rows[i:i + size] for rows in shaders.values() for i in range(0, len(rows), size)]
    return units + [[test] for test in tests if size == 1 or not test.shader_file()]


class Driver:
    """Runs tests one at a time; of Valkyr, on a server that lives as long as it does not die."""

    def __init__(self, name, arguments, folder):
        self.name = name
        self.arguments = arguments
        self.socket = str(folder / f"{name}-{threading.get_ident()}")
        self.shim = str(folder / "connect.so")
        self.server = None
        self.log = None

    def start_server(self):
        if self.name == "valkyr":
            command = [self.arguments.valkyr, "vtest", "--socket", self.socket, "--gl", self.arguments.gl]
            command += self.arguments.server_argument or []
        else:
            command = ["virgl_test_server", "--multi-clients", "--use-egl-surfaceless", "--socket-path=" + self.socket]
        environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe")
        with open(self.socket + ".log", "ab") as log:
            self.server = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL, stderr=log)
        self.log = open(self.socket + ".log", errors="replace")
        for _ in range(200):
            if os.path.exists(self.socket):
                return
            time.sleep(0.02)

    def stop_server(self):
        if self.server is not None:
            self.server.kill()
            self.server.wait()
            self.server = None
            self.log.close()
        if os.path.exists(self.socket):
            os.unlink(self.socket)

    def environment(self):
        served = self.name in ("valkyr", "virgl")
        values = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", PIGLIT_PLATFORM=self.arguments.platform,
                      PIGLIT_SOURCE_DIR=self.arguments.piglit, MESA_SHADER_CACHE_DISABLE="true",
                      GALLIUM_DRIVER="virpipe" if served else self.name)
        if served:
            values.update(LD_PRELOAD=self.shim, VALKYR_VTEST_SOCKET=self.socket, VTEST_SOCKET_NAME=self.socket)
        return values

    def run(self, tests):
        """Results of tests of one command by name: of what does not pass or is skipped in company, those of it alone."""
        rows = self.run_together(tests) if len(tests) > 1 else {}
        for test in tests:
            if test.name not in rows:
                rows[test.name] = self.run_alone(test)
        return rows

    def run_together(self, tests):
        self.ensure_server()
        begin = time.time()
        command = [tests[0].command[0], *(test.shader_file() for test in tests), "-report-subtests"]
        output = self.run_program(command, tests[0].off_screen)[1]
        reports = re.findall(r'^PIGLIT: \{"subtest": \{"(.*)" : "(\w+)"\}\}$', output, re.MULTILINE)
        if self.messages() or self.server_ended():
            return {}
        seconds = round((time.time() - begin) / max(len(reports), 1), 2)
        return {test.name: {"result": result, "seconds": seconds, "text": ""}
                for test, (name, result) in zip(tests, reports)
                if name == Path(test.shader_file()).stem and result in ("pass", "skip")}

    def run_alone(self, test):
        self.ensure_server()
        begin = time.time()
        code, output = self.run_program(test.command, test.off_screen)
        result, text = ("timeout", "") if code is None else self.judge(code, output)
        seconds = time.time() - begin
        if self.server_ended():
            result, text = "server", f"the server ended with {self.server.returncode}\n" + text
        row = {"result": result, "seconds": round(seconds, 2), "text": text[-600:] if result != "pass" else ""}
        said = self.messages()
        if said:
            row["messages"] = said
        if result in ("timeout", "server"):
            self.stop_server()
        return row

    def ensure_server(self):
        if self.server_ended():
            self.stop_server()
        if self.name in ("valkyr", "virgl") and self.server is None:
            self.start_server()

    def server_ended(self):
        return self.server is not None and self.server.poll() is not None

    def messages(self):
        """Returns the messages of Valkyr's server since the last test."""
        if self.name != "valkyr" or self.server is None:
            return ""
        lines = [line for line in self.log.read().split("\n") if line]
        return "\n".join(lines)[:2000]

    def run_program(self, command, off_screen):
        """(exit code, or None when the time is over; what it printed)"""
        program = os.path.join(self.arguments.piglit, "bin", command[0])
        if not os.path.exists(program):
            return 0, 'PIGLIT: {"result": "skip"}\nnot installed'
        # A group of its own, so that a test that hangs goes with its children.
        # Without windows all drawing goes to framebuffer objects.
        off_screen = off_screen or self.arguments.platform == "surfaceless_egl"
        arguments = command[1:] + ["-auto"] + (["-fbo"] if off_screen else [])
        child = subprocess.Popen([program] + arguments, cwd=self.arguments.piglit,
                                 env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                 start_new_session=True)
        try:
            output = child.communicate(timeout=self.arguments.timeout)[0].decode(errors="replace")
            return child.returncode, output
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            return None, child.communicate()[0].decode(errors="replace")

    @staticmethod
    def judge(code, output):
        result = None
        for line in output.split("\n"):
            if line.startswith("PIGLIT:"):
                try:
                    result = json.loads(line[7:]).get("result", result)
                except ValueError:
                    pass
        if code < 0:
            return "crash", f"signal {-code}\n" + output
        return result or ("skip" if "context" in output and code == 0 else "fail"), output


class Runner:
    def __init__(self, arguments, folder):
        self.arguments = arguments
        self.folder = folder
        self.drivers = threading.local()
        self.all_drivers = []
        self.lock = threading.Lock()
        self.results = {}
        if arguments.output and os.path.exists(arguments.output):
            self.results = json.loads(Path(arguments.output).read_text())
        self.end = time.time() + arguments.seconds if arguments.seconds else None

    def run_unit(self, name, tests):
        if self.end and time.time() > self.end:
            return False
        driver = getattr(self.drivers, name, None)
        if driver is None:
            driver = Driver(name, self.arguments, self.folder)
            setattr(self.drivers, name, driver)
            self.all_drivers.append(driver)
        rows = driver.run(tests)
        with self.lock:
            self.results.setdefault(name, {}).update(rows)
        if self.arguments.verbose:
            for test, row in rows.items():
                print(name, row["result"], test, flush=True)
        return True

    def wanted(self, name, test):
        known = self.results.get(name, {}).get(test.name)
        if name != "valkyr":
            ours = self.results.get("valkyr", {}).get(test.name)
            if ours is None or (ours["result"] == "skip" and not self.arguments.with_skips):
                return False
            if self.arguments.failures_only and ours["result"] in ("pass", "warn"):
                return False
        elif self.arguments.again and known and re.search(self.arguments.again, known["result"]):
            return True
        return known is None

    def run(self, tests):
        """False if the time was over before the end."""
        complete = True
        with concurrent.futures.ThreadPoolExecutor(self.arguments.jobs) as pool:
            for name in self.arguments.drivers.split(","):
                wanted = [test for test in tests if self.wanted(name, test)]
                units = units_of(wanted, self.arguments.group)
                complete &= all(list(pool.map(lambda unit, name=name: self.run_unit(name, unit), units)))
        for driver in self.all_drivers:
            driver.stop_server()
        if self.arguments.output:
            Path(self.arguments.output).write_text(json.dumps(self.results, indent=0, sort_keys=True))
        return complete


def print_counts(results, names, drivers):
    print("| driver | " + " | ".join(ORDER) + " |")
    print("|---|" + "---:|" * len(ORDER))
    for driver in drivers:
        counts = dict.fromkeys(ORDER, 0)
        for name in names:
            result = results.get(driver, {}).get(name)
            if result:
                counts[result["result"]] = counts.get(result["result"], 0) + 1
        print(f"| {driver} | " + " | ".join(str(counts[key]) for key in ORDER) + " |")


def passed(results, driver, name):
    return results.get(driver, {}).get(name, {}).get("result") in ("pass", "warn")


def print_comparison(results, names, drivers, failures_only, with_skips):
    """Prints for each peer how many of its passed tests Valkyr passes, and the names of the others.
    Returns the lowest share. A test that was not run on a peer because Valkyr passes it counts as
    passed there."""
    lowest = 1.0
    missing = {}
    for peer in drivers:
        if peer == "valkyr":
            continue
        theirs = [name for name in names if name in results.get("valkyr", {}) and
                  (passed(results, peer, name) or
                   (failures_only and passed(results, "valkyr", name) and name not in results.get(peer, {})))]
        both = [name for name in theirs if passed(results, "valkyr", name)]
        share = len(both) / len(theirs) if theirs else 1.0
        lowest = min(lowest, share)
        of = "tests" if with_skips else "tests that Valkyr does not skip"
        print(f"{peer} passes {len(theirs)} of the {of}; Valkyr passes {len(both)} of them: {share:.2%}")
        for name in theirs:
            if not passed(results, "valkyr", name):
                missing.setdefault(name, []).append(peer)
    print(f"\n{len(missing)} tests pass elsewhere and not on Valkyr:")
    for name, peers in sorted(missing.items()):
        print(f"  {results['valkyr'][name]['result']:8} {name}  ({', '.join(peers)})")
    return lowest


def take_shim(valkyr, folder):
    """`valkyr run` carries the library that leads Mesa to a socket."""
    target = folder / "connect.so"
    subprocess.run([valkyr, "run", "--quiet", "--", "sh", "-c", f'cp "${{LD_PRELOAD%%:*}}" {target}'], check=True)


def shard_of(text):
    """(I, N) of I/N with I from 1 to N."""
    match = re.fullmatch(r"([1-9]\d*)/([1-9]\d*)", text)
    if not match or int(match[1]) > int(match[2]):
        raise argparse.ArgumentTypeError("not I/N with I from 1 to N")
    return int(match[1]), int(match[2])


def parse_arguments():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--valkyr", default="valkyr", help="the command")
    add("--server-argument", action="append", help="passed to valkyr vtest")
    add("--piglit", default="/usr/lib/x86_64-linux-gnu/piglit", help="folder of piglit")
    add("--platform", default="surfaceless_egl", help="of piglit: surfaceless_egl, mixed_glx_egl, ...")
    add("--gl", default="4.3", help="OpenGL version that Valkyr offers")
    add("--glsl", type=int, default=120, help="newest shading language of the shader tests, 120 for 1.20")
    add("--match", help="only tests whose names match this expression")
    add("--tests", help="a file of names instead of the selection")
    add("--share", type=int, default=8, help="take one test in so many")
    add("--part", type=int, default=0, help="which of them, 0 to share - 1")
    add("--shard", type=shard_of, metavar="I/N", help="part I of N of all tests, for N machines or jobs: --share N --part I-1")
    add("--all", action="store_true", help="every test of the selection: --share 1")
    add("--failures-only", action="store_true", help="run on the others only what Valkyr does not pass")
    add("--with-skips", action="store_true", help="run on the others what Valkyr skips, too")
    add("--drivers", default="valkyr,softpipe,llvmpipe", help="valkyr and any of " + ", ".join(PEERS) +
        " (virgl: Debian's virgl_test_server on llvmpipe)")
    add("--jobs", type=int, default=1, help="tests side by side")
    add("--group", type=int, default=1, help="shader tests that a program runs one after the other; what does not pass "
        "or is skipped there is run again alone")
    add("--timeout", type=float, default=30, help="seconds for a test")
    add("--seconds", type=float, help="stop after so many; the next run with the same -o continues")
    add("--again", help="run tests of Valkyr again whose result matches this expression")
    add("-o", "--output", help="file of results; what stands in it is not run again")
    add("--least", type=float, help="exit with 1 if Valkyr passes a smaller share (0 to 1) of a peer's tests")
    add("-v", "--verbose", action="store_true")
    return parser.parse_args()


def main():
    arguments = parse_arguments()
    if arguments.all:
        arguments.share, arguments.part = 1, 0
    if arguments.shard:
        arguments.part, arguments.share = arguments.shard[0] - 1, arguments.shard[1]
    if not os.path.isdir(arguments.piglit):
        print(f"piglit.py: no piglit in {arguments.piglit}", file=sys.stderr)
        return 2
    tests = select(arguments)
    drivers = arguments.drivers.split(",")
    with tempfile.TemporaryDirectory(prefix="valkyr-piglit-") as folder:
        take_shim(arguments.valkyr, Path(folder))
        runner = Runner(arguments, Path(folder))
        complete = runner.run(tests)
    names = [test.name for test in tests]
    print_counts(runner.results, names, drivers)
    lowest = print_comparison(runner.results, names, drivers, arguments.failures_only, arguments.with_skips)
    if not complete:
        print("not all tests were run: time is over, run again to continue")
    return 1 if arguments.least is not None and lowest < arguments.least else 0


if __name__ == "__main__":
    sys.exit(main())
