#!/usr/bin/env python3
# Server process: checks which users may connect, which rights it gives up, and how it ends.
# SPDX-License-Identifier: MIT
"""usage: server_process_test.py VALKYR"""
import os
import pathlib
import resource
import shutil
import signal
import socket
import stat
import struct
import subprocess
import sys
import tempfile
import time
import unittest

VALKYR = sys.argv.pop(1) if __name__ == "__main__" else ""
SECONDS = 20
PROTOCOL_PROGRAM = str(pathlib.Path(__file__).resolve().with_name("protocol_program.py"))
THREADS_PROGRAM = str(pathlib.Path(__file__).resolve().with_name("threads_program.py"))
WINDOW_PROGRAM = str(pathlib.Path(__file__).resolve().with_name("window_program.py"))
FRAMES_PROGRAM = str(pathlib.Path(__file__).resolve().with_name("frames_program.py"))
NOBODY = 65534


def messages_of(trace: bytes):
    """Command and words of each message of a trace (src/virgl/capture/trace.hpp)."""
    at = 20
    while at + 16 <= len(trace):
        kind, _, size, _ = struct.unpack_from("<4I", trace, at)
        body = trace[at + 16:at + 16 + size]
        at += 16 + (size + 3) // 4 * 4
        if kind == 3:
            words = struct.unpack_from(f"<{size // 4}I", body)
            yield words[1], words[2:]


class Vtest:
    """A server whose socket lies in a folder that every user may enter."""

    def __init__(self, *arguments: str, stderr=subprocess.PIPE, before=None, environment=None):
        self.folder = tempfile.TemporaryDirectory()
        os.chmod(self.folder.name, 0o755)
        self.path = pathlib.Path(self.folder.name) / "socket"
        self.process = subprocess.Popen([VALKYR, "vtest", "--socket", str(self.path), *arguments],
                                        stdin=subprocess.DEVNULL, stderr=stderr, preexec_fn=before, env=environment,
                                        text=True)

    def __enter__(self):
        end = time.monotonic() + SECONDS
        while not self.answers() and self.process.poll() is None and time.monotonic() < end:
            time.sleep(0.01)
        return self

    def __exit__(self, *_):
        self.process.kill()
        self.process.communicate()
        self.folder.cleanup()

    def answers(self) -> bool:
        """Whether a server accepts this connection and does not close it at once."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(0.3)
            try:
                client.connect(str(self.path))
                return client.recv(1) != b""
            except TimeoutError:
                return True
            except OSError:
                return False

    def complain(self):
        """Sends bytes for which the server prints a message and closes the connection, and waits for that."""
        with socket.socket(socket.AF_UNIX) as client:
            client.settimeout(SECONDS)
            client.connect(str(self.path))
            client.sendall(b"\xff" * 64)
            client.recv(1)

    def processor_time(self) -> float:
        fields = pathlib.Path(f"/proc/{self.server()}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def answers_to(self, user: int) -> bool:
        child = os.fork()
        if child == 0:
            os.setuid(user)
            os._exit(0 if self.answers() else 1)
        return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0

    def server(self) -> int:
        """The ID of the server's child process."""
        children = pathlib.Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(children[0])

    def state(self, name: str) -> str:
        for line in pathlib.Path(f"/proc/{self.server()}/status").read_text().splitlines():
            if line.startswith(name + ":"):
                return line.split()[1]
        return ""

    def end(self) -> tuple[int, str]:
        _, errors = self.process.communicate(timeout=SECONDS)
        return self.process.returncode, errors


class ServerProcess(unittest.TestCase):
    def test_sigterm_ends_it_and_removes_the_socket(self):
        for number in (signal.SIGTERM, signal.SIGINT):
            with Vtest() as server:
                self.assertTrue(server.answers())
                server.process.send_signal(number)
                self.assertEqual(server.end()[0], 0)
                self.assertFalse(server.path.exists())

    def test_sigterm_ends_it_also_at_its_first_moment(self):
        for _ in range(30):
            server = Vtest()
            while not server.path.exists() and server.process.poll() is None:
                pass
            server.process.send_signal(signal.SIGTERM)
            self.assertEqual(server.end()[0], 0)
            self.assertFalse(server.path.exists())
            server.folder.cleanup()

    def test_a_killed_server_is_reported_and_nobody_waits_for_it(self):
        with Vtest() as server:
            os.kill(server.server(), signal.SIGKILL)
            self.assertEqual(server.end()[0], 128 + signal.SIGKILL)
            self.assertFalse(server.path.exists())

    def test_a_killed_parent_takes_the_server_along(self):
        with Vtest() as server:
            child = server.server()
            server.process.kill()
            server.end()
            end = time.monotonic() + SECONDS
            while pathlib.Path(f"/proc/{child}").exists() and time.monotonic() < end:
                time.sleep(0.01)
            self.assertFalse(pathlib.Path(f"/proc/{child}").exists())

    def test_the_server_has_given_up_calls_and_privileges(self):
        with Vtest("--no-sandbox") as server:
            self.assertEqual(server.state("Seccomp"), "0")
        with Vtest() as server:
            if server.state("Seccomp") == "0":
                self.skipTest("no sandbox in this build")
            self.assertEqual(server.state("Seccomp"), "2")
            self.assertEqual(server.state("NoNewPrivs"), "1")

    def test_the_socket_is_for_its_owner(self):
        with Vtest() as server:
            self.assertEqual(stat.S_IMODE(server.path.stat().st_mode), 0o600)
        with Vtest("--allow-other") as server:
            self.assertEqual(stat.S_IMODE(server.path.stat().st_mode), 0o666)

    @unittest.skipIf(os.geteuid() != 0, "only root can be somebody else")
    def test_another_user_is_turned_away(self):
        with Vtest() as server:
            self.assertFalse(server.answers_to(NOBODY))
            # The server checks the user, too, not only the file's mode.
            os.chmod(server.path, 0o666)
            self.assertFalse(server.answers_to(NOBODY))
            self.assertTrue(server.answers())
        with Vtest("--allow-other") as server:
            self.assertTrue(server.answers_to(NOBODY))

    def test_messages_do_not_go_into_files_that_take_the_place_of_closed_streams(self):
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "trace"
            for closed in ((2,), (1, 2), (0, 1, 2)):
                with Vtest("--record", str(trace), stderr=None, before=lambda: [os.close(fd) for fd in closed]) as server:
                    server.complain()
                    self.assertTrue(server.answers())
                    server.process.send_signal(signal.SIGTERM)
                    self.assertEqual(server.end()[0], 0)
                self.assertEqual(trace.read_bytes()[:8], b"VALKYRTR")

    def test_it_goes_on_when_nobody_reads_its_messages(self):
        reader, writer = os.pipe()
        with Vtest(stderr=writer) as server:
            os.close(writer)
            os.close(reader)
            for _ in range(6):
                server.complain()
            self.assertTrue(server.answers())

    def test_it_waits_while_it_has_no_descriptors(self):
        if b"__ubsan_handle" in pathlib.Path(VALKYR).read_bytes():
            self.skipTest("the sanitizer looks at objects through a pipe, which takes descriptors")
        # A client takes two descriptors: the limits are an even and an odd number.
        for limit in (12, 13):
            with Vtest(before=lambda: resource.setrlimit(resource.RLIMIT_NOFILE, (limit, limit))) as server:
                clients = [socket.socket(socket.AF_UNIX) for _ in range(10)]
                for client in clients:
                    client.connect(str(server.path))
                start = server.processor_time()
                time.sleep(1)
                self.assertLess(server.processor_time() - start, 0.2)
                for client in clients:
                    client.close()
                end = time.monotonic() + SECONDS
                while not server.answers() and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertTrue(server.answers())

    def test_a_server_that_cannot_start_says_why(self):
        with Vtest("--record", "/no/such/folder/file") as server:
            code, errors = server.end()
            self.assertEqual(code, 1)
            self.assertIn("/no/such/folder/file", errors)


class Displays(unittest.TestCase):
    """Uses a fake Xvfb, which need not be installed."""

    XVFB = """#!/bin/sh
[ "$1" = -displayfd ] || exit 1
[ -e "$FOLDER/broken" ] && exit 1
echo $$ >"$FOLDER/pid"
eval "echo 77 >&$2"
exec sleep 60
"""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        xvfb = self.folder / "Xvfb"
        xvfb.write_text(self.XVFB)
        xvfb.chmod(0o755)

    def run_program(self, *program: str, path: str | None = None, **variables: str) -> subprocess.CompletedProcess:
        environment = {name: value for name, value in os.environ.items() if name != "DISPLAY"}
        environment.update(variables, FOLDER=str(self.folder), PATH=path or f"{self.folder}:{os.environ['PATH']}")
        return subprocess.run([VALKYR, "run", "--quiet", "--xvfb", "--", *program], env=environment,
                              capture_output=True, text=True, timeout=SECONDS)

    def test_a_program_gets_a_display_that_ends_with_it(self):
        done = self.run_program("/bin/sh", "-c", "echo $DISPLAY; exit 3")
        self.assertEqual((done.returncode, done.stdout), (3, ":77\n"), done.stderr)
        with self.assertRaises(ProcessLookupError):
            os.kill(int((self.folder / "pid").read_text()), 0)

    def test_a_display_that_is_there_is_taken(self):
        done = self.run_program("/bin/sh", "-c", "echo $DISPLAY", DISPLAY=":5")
        self.assertEqual((done.returncode, done.stdout), (0, ":5\n"), done.stderr)
        self.assertFalse((self.folder / "pid").exists())

    def test_a_display_that_cannot_be_had_is_an_error(self):
        done = self.run_program("/bin/true", path="/none")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Xvfb is not installed", done.stderr)
        (self.folder / "broken").touch()
        done = self.run_program("/bin/true")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Xvfb did not start", done.stderr)


@unittest.skipUnless(shutil.which("cc"), "no C compiler")
class Preloads(unittest.TestCase):
    """Preloads a library that opens a file in each write(), and aborts the process if that fails."""

    LIBRARY = r"""
#define _GNU_SOURCE
#include <dlfcn.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

static void open_file(void) {
    int fd = open("/dev/null", O_RDONLY);
    if (fd < 0)
        abort();
    close(fd);
}

__attribute__((constructor)) static void begin(void) { open_file(); }

ssize_t write(int fd, const void* bytes, size_t size) {
    open_file();
    return ((ssize_t (*)(int, const void*, size_t))dlsym(RTLD_NEXT, "write"))(fd, bytes, size);
}
"""
    # Prints the variables that the program gets.
    PRINT = 'echo "$LD_PRELOAD ${VALKYR_USER_PRELOAD-none}"'

    def setUp(self):
        if b"__asan_init" in pathlib.Path(VALKYR).read_bytes():
            self.skipTest("the address sanitizer must be the first preload")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.library = str(pathlib.Path(folder.name) / "files.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", self.library, "-ldl"], input=self.LIBRARY,
                       text=True, check=True)
        self.environment = {**os.environ, "LD_PRELOAD": self.library}

    def run_program(self, *program: str, environment: dict, options: tuple = ()) -> subprocess.CompletedProcess:
        return subprocess.run([VALKYR, "run", "--quiet", *options, "--", *program], env=environment,
                              capture_output=True, text=True, timeout=SECONDS)

    def test_a_library_of_the_user_is_in_the_program_and_not_in_the_server(self):
        done = self.run_program("/bin/sh", "-c", f"{self.PRINT}; exit 3", environment=self.environment)
        self.assertEqual((done.returncode, done.stderr), (3, ""))
        self.assertRegex(done.stdout, f"^/[^:]*/connect.so:{self.library} none\n$")
        with Vtest(environment=self.environment) as server:
            self.assertTrue(server.answers())
            self.assertNotIn("files.so", pathlib.Path(f"/proc/{server.server()}/maps").read_text())

    def test_a_run_in_a_run_keeps_the_libraries(self):
        done = self.run_program(VALKYR, "run", "--quiet", "--", "/bin/sh", "-c", self.PRINT, environment=self.environment)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, f"^/[^:]*/connect.so:/[^:]*/connect.so:{self.library} none\n$")

    def test_a_program_has_no_other_libraries(self):
        environment = {name: value for name, value in os.environ.items() if name != "LD_PRELOAD"}
        for variables in ({}, {"LD_PRELOAD": ""}):
            done = self.run_program("/bin/sh", "-c", self.PRINT, environment={**environment, **variables})
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex(done.stdout, "^/[^:]*/connect.so none\n$")

    def test_a_client_of_a_newer_protocol_gets_numbers_for_its_resources(self):
        # Newer drivers ask for version 3, and then for 2 since the server's features are older.
        for wishes, answers in (("3,2", "3 3"), ("4", "3"), ("2", "2"), ("2,2", "2 2")):
            with self.subTest(wishes=wishes):
                done = self.run_program(sys.executable, PROTOCOL_PROGRAM, wishes, environment=self.environment)
                self.assertEqual((done.stdout, done.stderr), (f"{answers}\ngood\n", ""))

    def waits_of_frames(self, version: str) -> tuple[list, list]:
        """The numbers of the fences of FRAMES_PROGRAM, and those that it waits for at the server."""
        with tempfile.TemporaryDirectory() as folder:
            trace = pathlib.Path(folder) / "frames.trace"
            done = self.run_program(sys.executable, FRAMES_PROGRAM, version, environment=self.environment,
                                    options=("--record", str(trace)))
            self.assertEqual((done.stdout, done.stderr), ("good\n", ""))
            messages = list(messages_of(trace.read_bytes()))
        fences = [words for command, words in messages if command == 12 and words[3] == 1 << 17]
        self.assertEqual([words[10] for words in fences], [16384] + [0] * (len(fences) - 1))
        numbers = [words[0] for words in fences]
        return numbers, [words[0] for command, words in messages if command == 7 and words[0] in numbers]

    def test_a_frame_is_waited_for_once(self):
        # Frames wait for their fences until two have done so. A wait for a fence alone is missed once; where each
        # frame is finished first, all others are there. Where the server is slow, it is waited for as well.
        for version in ("2", "3"):
            with self.subTest(version=version):
                for _ in range(10):
                    fences, waits = self.waits_of_frames(version)
                    least = fences[0:2] + fences[7:9] + fences[13:20]
                    self.assertLessEqual(set(least), set(waits))
                    if waits == least:
                        break
                self.assertEqual(waits, least)

    def test_arguments_and_the_name_of_the_process_stay(self):
        words = ["", " a  b ", "\u00e4", "-"]
        done = self.run_program("/bin/sh", "-c", 'cat /proc/$PPID/comm; printf "<%s>" "$@"', "sh", *words,
                                environment=self.environment)
        self.assertEqual(done.stdout, "valkyr\n" + "".join(f"<{word}>" for word in words), done.stderr)


@unittest.skipUnless(os.geteuid() == 0, "only root gives files to other groups")
class ProgramsWithRights(unittest.TestCase):
    """Programs into which the system preloads nothing."""

    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.addCleanup(self.folder.cleanup)
        self.program = pathlib.Path(self.folder.name) / "program"
        shutil.copy("/bin/true", self.program)

    def run_program(self, mode: int, name: str) -> subprocess.CompletedProcess:
        os.chown(self.program, NOBODY, NOBODY)
        os.chmod(self.program, mode)
        environment = {**os.environ, "PATH": self.folder.name + ":" + os.environ["PATH"]}
        return subprocess.run([VALKYR, "run", "--quiet", "--", name], env=environment, capture_output=True, text=True,
                              timeout=SECONDS)

    def test_they_are_refused_by_name(self):
        for mode, whose in ((0o2755, "group"), (0o4755, "user")):
            for name in ("program", str(self.program)):
                done = self.run_program(mode, name)
                self.assertEqual(done.returncode, 1)
                self.assertIn(f"valkyr run: {self.program} runs with the rights of another {whose}", done.stderr)

    def test_a_folder_of_the_same_name_is_no_program(self):
        folder = pathlib.Path(self.folder.name) / "true"
        folder.mkdir()
        os.chown(folder, NOBODY, NOBODY)
        os.chmod(folder, 0o2755)
        self.assertEqual(self.run_program(0o755, "true").returncode, 0)

    def test_the_same_program_without_rights_runs(self):
        self.assertEqual(self.run_program(0o755, "program").returncode, 0)


@unittest.skipUnless(shutil.which("glxinfo") and shutil.which("xvfb-run"), "glxinfo or xvfb-run is not installed")
class Programs(unittest.TestCase):
    def test_a_window_that_is_not_mapped_has_a_front_buffer(self):
        # glxinfo makes a window that is not mapped; Mesa reads its content from the display.
        command = ["xvfb-run", "-a", VALKYR, "run", "--quiet", "--", "glxinfo", "-B"]
        result = subprocess.run(command, capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stderr), (0, ""))
        self.assertIn("virgl (Valkyr)", result.stdout)

    def check_threads(self, how: str):
        result = subprocess.run([VALKYR, "run", "--quiet", "--", sys.executable, THREADS_PROGRAM, how],
                                capture_output=True, text=True, timeout=120)
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)

    def test_threads_draw_with_contexts_of_one_display(self):
        self.check_threads("together")

    def test_threads_lose_the_processor_within_a_creation(self):
        # On a busy core, a thread waits between the parts of a creation, and others make resources.
        cores = os.sched_getaffinity(0)
        self.addCleanup(os.sched_setaffinity, 0, cores)
        os.sched_setaffinity(0, {max(cores)})
        for _ in range(6):
            busy = subprocess.Popen([sys.executable, "-c", "while True: pass"])
            self.addCleanup(busy.wait)
            self.addCleanup(busy.kill)
        for _ in range(2):
            self.check_threads("together")

    def test_threads_load_the_driver_one_after_the_other(self):
        self.check_threads("apart")

    def test_a_program_puts_another_file_in_the_place_of_the_socket(self):
        program = """
import os, sys
sys.path.insert(0, sys.argv[1])
import gl_program
gl_program.make_context()
sockets = [fd for fd in map(int, os.listdir("/proc/self/fd"))
           if os.path.exists(f"/proc/self/fd/{fd}") and os.readlink(f"/proc/self/fd/{fd}").startswith("socket:")]
for fd in sockets:
    reader, writer = os.pipe()
    os.dup2(reader, fd)
    os.write(writer, b"bytes of a pipe")
    print(os.read(fd, 100).decode(), flush=True)
os._exit(0 if sockets else 1)
"""
        result = subprocess.run([VALKYR, "run", "--quiet", "--", sys.executable, "-c", program,
                                 os.path.dirname(WINDOW_PROGRAM)], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((result.returncode, set(result.stdout.splitlines())), (0, {"bytes of a pipe"}), result.stderr)

    def test_a_window_shows_the_memory_of_its_resource(self):
        with subprocess.Popen(["Xvfb", "-displayfd", "1"], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
                              text=True) as display:
            self.addCleanup(display.kill)
            number = display.stdout.readline().strip()
            result = subprocess.run(
                [VALKYR, "run", "--quiet", "--", sys.executable, WINDOW_PROGRAM, str(display.pid)],
                env=dict(os.environ, DISPLAY=f":{number}"), capture_output=True, text=True, timeout=120)
            display.terminate()
        self.assertEqual((result.returncode, result.stderr), (0, ""), result.stdout)
        # Rows of 64 texels lie alike in both; rows of 50 do not, so that window has a memory of its own.
        self.assertEqual(result.stdout, "Glx 64: 0\nGlx 50: 1\nEgl 64: 0\nEgl 50: 1\n")


if __name__ == "__main__":
    unittest.main()
