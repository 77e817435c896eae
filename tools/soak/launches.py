# Launches: servers that start, serve and end under bad conditions.
# SPDX-License-Identifier: MIT
"""Each takes the program and a random.Random, starts servers of its own and raises Finding for what must not be. Exit codes
are those of README.md: 0 good, 1 an error that was named."""
import contextlib
import os
import pathlib
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time

import attacks
import vtest
from server import END_SECONDS, Finding, Server
from vtest import Client, Lost

BUSY_CLIENT = str(pathlib.Path(__file__).resolve().parent / "busy_client.py")


def check_pictures(path: str, where: str):
    try:
        if vtest.draw_triangle(path) != vtest.TRIANGLE or vtest.draw_gears(path) != vtest.GEARS_SHA256:
            raise Finding(f"{where}: a correct client got a wrong picture")
    except Lost as error:
        raise Finding(f"{where}: a correct client was not served: {error}") from error


@contextlib.contextmanager
def hostile_clients(path: str, r: random.Random, count: int):
    """Attacks on threads; waits for them at the end."""
    def attack(chosen, seed: int):
        with contextlib.suppress(Lost):
            chosen(path, random.Random(seed))

    threads = [threading.Thread(target=attack, args=(r.choice(attacks.ALL), r.getrandbits(32)), daemon=True)
               for _ in range(count)]
    for thread in threads:
        thread.start()
    yield
    for thread in threads:
        thread.join(60)


def terminated_any_time(valkyr: str, r: random.Random):
    """SIGTERM or SIGINT, once or twice, while clients of all kinds are busy."""
    with Server(valkyr) as server:
        server.started()
        with hostile_clients(server.path, r, r.randrange(0, 6)):
            time.sleep(r.choice([0.05, r.uniform(0.05, 1.5)]))
            number = r.choice([signal.SIGTERM, signal.SIGINT])
            if r.random() < 0.3:
                server.process.send_signal(number)
                time.sleep(r.uniform(0, 0.05))
            if server.process.poll() is None:
                server.end(0, number)
            elif server.process.returncode != 0:
                raise Finding(f"exit code {server.process.returncode} after signal {number}\n{server.text()}")


def few_descriptors(valkyr: str, r: random.Random):
    """A server with few descriptors turns clients away, keeps quiet while it has none, and serves again."""
    with Server(valkyr, limits={"NOFILE": r.randrange(16, 40)}) as server:
        server.started()
        level = server.level()
        clients = []
        with contextlib.suppress(Lost):
            for _ in range(60):
                clients.append(Client(server.path, 0.5))
        before = server.busy_seconds()
        time.sleep(0.5)
        used = server.busy_seconds() - before
        for client in clients:
            client.close()
        if used > 0.25:
            raise Finding(f"without descriptors the server computed for {used:.2f} of 0.5 s")
        with hostile_clients(server.path, r, 3):
            pass
        server.settle(level.threads, level.descriptors)
        check_pictures(server.path, "few descriptors")
        server.end()


def little_memory(valkyr: str, r: random.Random):
    """A server with little memory refuses what it must and does not crash."""
    limit = r.choice([64, 128, 256, 512, 1024, 2048]) << 20
    with Server(valkyr, "--threads", "1", limits={"AS": limit}) as server:
        if not server.started():
            if server.process.returncode != 1:
                raise Finding(f"{limit >> 20} MiB: exit code {server.process.returncode} at the start\n{server.text()}")
            return
        with hostile_clients(server.path, r, 4):
            pass
        if not server.children() or server.process.poll() is not None:
            raise Finding(f"{limit >> 20} MiB: the server ended, exit code {server.wait('end')}\n{server.text()}")
        server.end()


@contextlib.contextmanager
def full_disk(r: random.Random):
    """A file on a disk that is nearly full, or /dev/full."""
    if os.geteuid() == 0 and r.random() < 0.7:
        with tempfile.TemporaryDirectory() as folder:
            size = f"size={r.choice([4, 16, 64])}k"
            if subprocess.run(["mount", "-t", "tmpfs", "-o", size, "soak", folder], stderr=subprocess.DEVNULL).returncode == 0:
                try:
                    yield os.path.join(folder, "file")
                finally:
                    subprocess.run(["umount", "--lazy", folder])
                return
    yield "/dev/full"


def full_record(valkyr: str, r: random.Random):
    """A trace that does not fit on the disk: clients are served, and the end says so."""
    with full_disk(r) as file, Server(valkyr, "--record", file) as server:
        if server.started():
            for _ in range(3):
                check_pictures(server.path, "a full disk")
            server.end(1)
        elif server.process.returncode != 1:
            raise Finding(f"--record {file}: exit code {server.process.returncode}\n{server.text()}")
        if file not in server.text():
            raise Finding(f"--record {file}: no message names it\n{server.text()}")


def full_picture(valkyr: str, r: random.Random):
    """Pictures that do not fit on the disk."""
    with full_disk(r) as file:
        if file != "/dev/full":
            pathlib.Path(file + "2").write_bytes(b"")
            with contextlib.suppress(OSError), open(file + "2", "wb", buffering=0) as ballast:
                while True:
                    ballast.write(bytes(512))
        with Server(valkyr, "--screenshot", "1", file) as server:
            server.started()
            check_pictures(server.path, "a full disk")
            server.end(1)
        done = subprocess.run([valkyr, "replay", str(vtest.TRACE), "--frame", "1", "-o", file], capture_output=True,
                              timeout=60)
        if done.returncode != 1 or file.encode() not in done.stderr:
            raise Finding(f"replay -o {file}: exit code {done.returncode}\n{done.stderr.decode(errors='replace')}")


def closed_streams(valkyr: str, r: random.Random):
    """Without standard streams, or with a reader that has gone, messages go nowhere, least of all into files and sockets."""
    with tempfile.TemporaryDirectory() as folder:
        trace = os.path.join(folder, "trace")
        closed = r.choice([(1,), (2,), (1, 2), (0, 1, 2)])
        with Server(valkyr, "--record", trace, closed=closed) as server:
            if not server.started():
                raise Finding(f"descriptors {closed} closed: exit code {server.process.returncode}")
            with contextlib.suppress(Lost):
                attacks.random_bytes(server.path, r)
            check_pictures(server.path, f"descriptors {closed} closed")
            server.end()
        done = subprocess.run([valkyr, "replay", "--quiet", trace], capture_output=True, timeout=60)
        if done.returncode not in (0, 1) or b"checksum" in done.stderr or b"not a trace" in done.stderr:
            raise Finding(f"descriptors {closed} closed: the trace is damaged\n{done.stderr.decode(errors='replace')}")
    end, stream = os.pipe()
    with Server(valkyr, stderr=stream) as server:
        os.close(stream)
        os.close(end)
        server.started()
        for seed in range(3):
            with contextlib.suppress(Lost):
                attacks.random_bytes(server.path, random.Random(seed))
        check_pictures(server.path, "nobody reads the messages")
        server.end()


def programs(valkyr: str, r: random.Random):
    """`valkyr run`: a program that draws, one that is killed, and the end of run itself."""
    command = [valkyr, "run", "--quiet", "--", sys.executable, BUSY_CLIENT, ""]
    done = subprocess.run([*command, "3"], capture_output=True, timeout=60)
    if done.returncode != 0:
        raise Finding(f"run: exit code {done.returncode}\n{done.stderr.decode(errors='replace')}")
    done = subprocess.run([valkyr, "run", "--quiet", "--", "sh", "-c", "kill -9 $$"], capture_output=True, timeout=60)
    if done.returncode != 137:
        raise Finding(f"run: exit code {done.returncode} when the program was killed, not 137")
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(r.uniform(0.3, 1))
    process.terminate()
    try:
        # The program is told to end; it does not handle the signal.
        if process.wait(END_SECONDS) != 128 + signal.SIGTERM:
            raise Finding(f"run: exit code {process.returncode} after SIGTERM, not {128 + signal.SIGTERM}")
    except subprocess.TimeoutExpired:
        process.kill()
        raise Finding("run: still running after SIGTERM") from None


ALL = [terminated_any_time, few_descriptors, little_memory, full_record, full_picture, closed_streams, programs]
