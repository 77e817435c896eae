# Server: starts `valkyr vtest`, measures the process that serves, and ends it.
# SPDX-License-Identifier: MIT
import contextlib
import os
import pathlib
import resource
import signal
import socket
import subprocess
import tempfile
import time
from dataclasses import dataclass

END_SECONDS = 20  # a server that was told to end has ended by then
KIB = 1024


class Finding(Exception):
    """Something that must not happen; the text says what."""


@dataclass
class Level:
    """Resources that a server holds; idle unless said otherwise."""
    rss: int  # bytes
    size: int
    threads: int
    descriptors: int

    def __str__(self):
        return f"{self.rss >> 20} MiB of {self.size >> 20}, {self.threads} threads, {self.descriptors} descriptors"


class Server:
    """`limits`: rlimits by name, for example {"NOFILE": 24}; `closed`: descriptors that are not open at the start."""

    def __init__(self, valkyr: str, *arguments: str, limits: dict[str, int] | None = None, closed: tuple[int, ...] = (),
                 environment: dict[str, str] | None = None, stderr=None):
        self.folder = tempfile.TemporaryDirectory()
        self.path = os.path.join(self.folder.name, "socket")
        self.messages = open(os.path.join(self.folder.name, "messages"), "w+b")

        def restrict():
            for name, value in (limits or {}).items():
                resource.setrlimit(getattr(resource, "RLIMIT_" + name), (value, value))
            for fd in closed:
                os.close(fd)

        self.process = subprocess.Popen([valkyr, "vtest", "--socket", self.path, *arguments], stdin=subprocess.DEVNULL,
                                        stdout=subprocess.DEVNULL, stderr=self.messages if stderr is None else stderr,
                                        env={**os.environ, **(environment or {})}, preexec_fn=restrict)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        children = self.children()
        self.process.kill()
        self.process.wait()
        for child in children:
            with contextlib.suppress(OSError):
                os.kill(child, signal.SIGKILL)
        self.messages.close()
        self.folder.cleanup()

    def started(self) -> bool:
        """Waits until the server listens and is idle; False: the process has ended instead."""
        end = time.monotonic() + END_SECONDS
        heard = False
        while time.monotonic() < end:
            heard = heard or self.listens()
            with contextlib.suppress(Finding):
                if heard and self.level().threads == 1:
                    return True
            if self.process.poll() is not None:
                return False
            time.sleep(0.01)
        raise Finding("the server neither started nor ended")

    def listens(self) -> bool:
        with socket.socket(socket.AF_UNIX) as client:
            try:
                client.connect(self.path)
                return True
            except OSError:
                return False

    def children(self) -> list[int]:
        """The process that serves, if it lives."""
        try:
            pid = self.process.pid
            return [int(n) for n in pathlib.Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
        except OSError:
            return []

    def level(self) -> Level:
        children = self.children()
        if not children:
            raise Finding(f"the server has ended\n{self.text()}")
        folder = pathlib.Path(f"/proc/{children[0]}")
        try:
            fields = dict(line.split(":", 1) for line in (folder / "status").read_text().splitlines())
            return Level(int(fields["VmRSS"].split()[0]) * KIB, int(fields["VmSize"].split()[0]) * KIB,
                         int(fields["Threads"]), len(os.listdir(folder / "fd")))
        except (OSError, KeyError) as error:
            raise Finding(f"the server has ended ({error})\n{self.text()}") from error

    def busy_seconds(self) -> float:
        """Processor time of the process that serves."""
        fields = pathlib.Path(f"/proc/{self.children()[0]}/stat").read_text().rsplit(")", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def settle(self, threads: int, descriptors: int, seconds: float = 30) -> Level:
        """Waits until the clients' threads and descriptors are gone."""
        end = time.monotonic() + seconds
        while True:
            level = self.level()
            if level.threads <= threads and level.descriptors <= descriptors:
                return level
            if time.monotonic() > end:
                raise Finding(f"{level}: {threads} and {descriptors} were expected\n{self.text()}")
            time.sleep(0.02)

    def text(self) -> str:
        """The end of its output."""
        try:
            self.messages.flush()
            return pathlib.Path(self.messages.name).read_bytes()[-2000:].decode(errors="replace")
        except (OSError, ValueError):
            return ""

    def wait(self, what: str) -> int:
        try:
            return self.process.wait(END_SECONDS)
        except subprocess.TimeoutExpired:
            raise Finding(f"{what}: still running after {END_SECONDS} s\n{self.text()}") from None

    def end(self, expected: int = 0, number: int = signal.SIGTERM):
        """Tells the server to end; a finding unless it ends soon, with this code and no socket."""
        self.process.send_signal(number)
        code = self.wait(f"signal {number}")
        if code != expected:
            raise Finding(f"exit code {code} after signal {number}, not {expected}\n{self.text()}")
        if os.path.exists(self.path):
            raise Finding("the socket was left behind")
