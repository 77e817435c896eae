# Attacks: play hostile clients of a server that other clients use at the same time.
# SPDX-License-Identifier: MIT
"""Each takes the socket's path and a random.Random, and ends by itself. Lost is no failure: the server may close a
connection that breaks the protocol. An attack that notices an error itself raises Finding."""
import contextlib
import fcntl
import functools
import os
import pathlib
import random
import signal
import socket
import struct
import subprocess
import sys
import time

import vtest
from server import Finding
from vtest import Client, Lost, message, words

HERE = pathlib.Path(__file__).resolve().parent
TRACE = vtest.read_trace()
PATIENCE = 10  # seconds that a hostile client waits
# Values that bounds are written for.
EDGES = [0, 1, 2, 3, 4, 7, 8, 15, 16, 63, 64, 255, 256, 4095, 4096, 65535, 65536, 1 << 20, (1 << 28) - 1, 1 << 28,
         (1 << 31) - 1, 1 << 31, (1 << 32) - 4, (1 << 32) - 1]


def number(r: random.Random) -> int:
    return r.choice([r.randrange(20), r.randrange(400), r.choice(EDGES), r.getrandbits(32)])


def repeated(attack):
    """The attack some times, as the server ends most of them soon."""
    @functools.wraps(attack)
    def run(path: str, r: random.Random):
        for _ in range(r.randrange(1, 30)):
            with contextlib.suppress(Lost):
                attack(path, r)
    return run


@repeated
def random_bytes(path: str, r: random.Random):
    with Client(path, PATIENCE) as client:
        if r.random() < 0.5:
            client.greet()
        for _ in range(r.randrange(1, 20)):
            client.send(r.randbytes(r.randrange(1, 5000)))
            client.drain()


@repeated
def random_messages(path: str, r: random.Random):
    """Good headers, any numbers behind them."""
    with Client(path, PATIENCE) as client:
        client.greet()
        for _ in range(r.randrange(1, 60)):
            body = words(*(number(r) for _ in range(r.randrange(14))))
            length = r.choice([None, None, None, number(r)])
            client.send(message(r.choice([r.randrange(1, 40), vtest.CREATE2, vtest.GET2, vtest.PUT2]), body, length))
            client.drain()


def random_command(r: random.Random) -> bytes:
    sizes = {1: [5, 6, 9, 11], 2: [1], 3: [1], 4: [7], 5: [2, 3], 6: [3, 6], 7: [8], 8: [12], 12: [2, 6], 16: [21], 17: [13],
             43: [13], 47: [12]}
    name = r.choice([*sizes, r.randrange(64)])
    count = r.choice(sizes.get(name, [r.randrange(14)])) + r.choice([0, 0, 0, 0, 0, 1])
    return vtest.command(name, *(number(r) for _ in range(count)), kind=r.randrange(12) if name <= 3 else 0)


@repeated
def random_commands(path: str, r: random.Random):
    """Command words at random, behind and between those of a good picture."""
    with Client(path, PATIENCE) as client:
        client.greet()
        client.prepare()
        for _ in range(r.randrange(1, 6)):
            stream = vtest.draw_stream() if r.random() < 0.3 else b""
            stream += b"".join(random_command(r) for _ in range(r.randrange(1, 4)))
            client.send(message(vtest.SUBMIT, stream))
            client.drain()
        client.read_target()


@repeated
def random_resources(path: str, r: random.Random):
    """Resources of any shape whose shared memory is too small, tries to shrink it, transfers of any box."""
    with Client(path, PATIENCE) as client:
        client.greet()
        for handle in range(1, r.randrange(2, 40)):
            size = r.choice([1, 4, 64, 4096, 65536, r.randrange(1, 1 << 22)])
            shape = (r.choice([1, 2, 67, 64, 16, 31, number(r)]), number(r))
            if r.random() < 0.7:
                shape = (r.choice([1, 2, 67, 64]), 0x8A)
            width, height = r.choice([(8, 8), (300, 300), (4096, 4096), (number(r), number(r))])
            fd = client.create(handle, r.choice([0, 2, 2, 2, r.randrange(10)]), *shape, width, height, size)
            shrink(fd, size)
            client.memory[handle][:64] = r.randbytes(min(64, size)).ljust(min(64, size))[:64] if size < 64 else r.randbytes(64)
            box = r.choice([(0, 0, 0, width, height, 1), tuple(number(r) for _ in range(6))])
            body = words(handle, number(r) if r.random() < 0.2 else 0, *box, size, r.choice([0, 0, number(r)]))
            client.send(message(r.choice([vtest.PUT2, vtest.GET2]), body, 10))
            if r.random() < 0.3:
                client.send(message(vtest.UNREF, words(handle)))
        client.wait(1)


def shrink(fd: int, size: int):
    """Shared memory that shrank would kill the server when it is read."""
    try:
        with contextlib.suppress(OSError):
            fcntl.fcntl(fd, 1033, 8)  # F_ADD_SEALS: no more writes
        for new in (0, size // 2):
            with contextlib.suppress(OSError):
                os.ftruncate(fd, new)
        if os.fstat(fd).st_size < size:
            raise Finding("a client may shrink the memory that it shares with the server")
    finally:
        os.close(fd)


def mutated(payload: bytes, r: random.Random) -> bytes:
    """A message with some words changed, more likely behind the header; it may get longer or shorter."""
    data = bytearray(payload)
    for _ in range(r.randrange(1, 4)):
        at = r.randrange(0 if r.random() < 0.05 else 8, max(9, len(data)))
        if at + 4 <= len(data):
            at &= ~3
            word = struct.unpack_from("<I", data, at)[0]
            word = r.choice([word ^ 1 << r.randrange(32), word + r.choice([-1, 1]), number(r)])
            struct.pack_into("<I", data, at, word & 0xFFFFFFFF)
    if r.random() < 0.05:
        del data[r.randrange(len(data)):]
    return bytes(data)


@repeated
def mutated_trace(path: str, r: random.Random):
    """A recorded program whose messages are changed, left out or sent twice somewhere."""
    share = r.choice([0.02, 0.1, 0.5])
    with Client(path, PATIENCE) as client:
        for kind, payload in TRACE:
            if kind != 3 or r.random() < share / 10:
                continue
            for _ in range(2 if r.random() < share / 10 else 1):
                client.send(mutated(payload, r) if r.random() < share else payload)
                client.drain()
        client.drain()


def whole_trace() -> bytes:
    return b"".join(payload for kind, payload in TRACE if kind == 3)


@repeated
def cut_trace(path: str, r: random.Random):
    """A recorded program that leaves in the middle of a message."""
    data = whole_trace()
    with Client(path, PATIENCE) as client:
        client.send(data[:r.randrange(1, len(data))])
        if r.random() < 0.5:
            client.drain()


def cut_upload(path: str, r: random.Random):
    """An upload in a message that announces more than comes."""
    with Client(path, PATIENCE) as client:
        client.greet()
        client.prepare()
        size = r.choice([256, 1 << 16, 1 << 24, 1 << 28])
        client.send(message(vtest.PUT, words(2, 0, 0, 0, 0, 0, 0, 192, 1, 1, size), 11 + size // 4))
        client.send(r.randbytes(r.randrange(1, 1 << 16)))


def killed_client(path: str, r: random.Random):
    """A process of its own that is killed while it draws."""
    process = subprocess.Popen([sys.executable, str(HERE / "busy_client.py"), path], stdout=subprocess.DEVNULL,
                               stderr=subprocess.DEVNULL)
    time.sleep(r.uniform(0.05, 0.6))
    process.send_signal(signal.SIGKILL)
    process.wait()


def silent(path: str, r: random.Random):
    """Half a message, then nothing for a while."""
    data = whole_trace()
    with Client(path, PATIENCE) as client:
        client.send(data[:r.randrange(1, 3000)])
        time.sleep(r.uniform(0.1, 1))


def never_reads(path: str, r: random.Random):
    """Asks again and again, and does not read the answers."""
    with Client(path, 1) as client:
        client.greet()
        client.prepare()
        client.send(message(vtest.SUBMIT, vtest.draw_stream()))
        question = message(vtest.GET, words(1, 0, 32, 256, 0, 0, 0, 8, 8, 1, 256)) + message(vtest.GET_CAPS2)
        for _ in range(r.randrange(10, 5000)):
            client.send(question)


def endless_shader(path: str, r: random.Random):
    """A shader that never ends; the client waits a little, or leaves at once."""
    with Client(path, r.uniform(0.05, 1.5)) as client:
        client.greet()
        client.prepare()
        client.send(message(vtest.SUBMIT, vtest.draw_stream(vtest.ENDLESS)))
        client.read_target()


def huge_draw(path: str, r: random.Random):
    """A draw of too many vertices; the client waits a little."""
    with Client(path, r.uniform(0.05, 1)) as client:
        client.greet()
        client.prepare()
        count, instances = r.choice([(1 << 31, 1), (3, 1 << 30), (1 << 20, 1 << 11), (30000000, 1)])
        client.send(message(vtest.SUBMIT, vtest.draw_stream(vtest.COLOR, count, instances)))
        client.read_target()


def crowd(path: str, r: random.Random):
    """Many connections at once; some of them send a few bytes."""
    clients = []
    try:
        for _ in range(r.choice([20, 100, 400])):
            clients.append(Client(path, 0.5))
            if r.random() < 0.3:
                clients[-1].send(whole_trace()[:r.randrange(1, 400)])
    finally:
        for client in clients:
            client.close()


def hoard(path: str, r: random.Random):
    """Takes as much memory as one client may have."""
    with Client(path, PATIENCE) as client:
        client.greet()
        for handle in range(1, r.randrange(2, 60)):
            os.close(client.create(handle, 0, 64, 16, 1 << 26, 1, 1 << 26))
            client.memory[handle][:4096] = bytes(4096)
            if r.random() < 0.1:
                client.send(message(vtest.PUT2, words(handle, 0, 0, 0, 0, 1 << 20, 1, 1, 1 << 20, 0), 10))
        client.wait(1)


def gifts(path: str, r: random.Random):
    """Descriptors in places where the protocol has none."""
    with Client(path, PATIENCE) as client, open(os.devnull, "rb") as null:
        data = whole_trace()
        for at in range(0, r.randrange(100, 4000), 50):
            try:
                socket.send_fds(client.socket, [data[at:at + 50]], [null.fileno()] * r.randrange(1, 30))
            except OSError as error:
                raise Lost(str(error)) from error
            client.drain()


ALL = [random_bytes, random_messages, random_commands, random_resources, mutated_trace, cut_trace, cut_upload, killed_client,
       silent, never_reads, endless_shader, huge_draw, crowd, hoard, gifts]
