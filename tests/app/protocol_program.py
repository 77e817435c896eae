#!/usr/bin/env python3
# A client of the vtest protocol for tests: asks for numbers of resources, as newer drivers do.
# SPDX-License-Identifier: MIT
"""usage: protocol_program.py WISHES
Asks for each protocol version of the comma-separated WISHES in turn, and prints the answers. Two
threads then make resources on the socket, and read back what they write into them; with an answer
below 3, one resource gets a number from here. Prints "good" if each found its own bytes."""
import array
import mmap
import os
import socket
import struct
import sys
import threading

BUSY_WAIT, CREATE_RENDERER, PING, VERSION, CREATE_RESOURCE = 7, 8, 10, 11, 12
TRANSFER_GET, TRANSFER_PUT, UNREF = 13, 14, 3
BUFFER, R8, VERTEX_BUFFER = 0, 64, 1 << 4
ROUNDS, BYTES = 200, 64


class Client:
    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect("/tmp/.virgl_test")
        self.fd = self.socket.fileno()
        name = b"protocol_program\0"
        os.write(self.fd, struct.pack("2I", len(name), CREATE_RENDERER))
        os.write(self.fd, name)

    def send(self, command: int, *words: int):
        # As Mesa's driver: the header alone, then what follows.
        os.write(self.fd, struct.pack("2I", len(words), command))
        if words:
            os.write(self.fd, struct.pack(f"{len(words)}I", *words))

    def read(self, count: int) -> tuple:
        return struct.unpack(f"{count}I", os.read(self.fd, 4 * count))

    def version(self, wish: int) -> int:
        self.send(PING)
        self.send(BUSY_WAIT, 0, 0)
        assert self.read(2) == (0, PING)
        assert self.read(2) == (1, BUSY_WAIT)
        self.read(1)
        self.send(VERSION, wish)
        assert self.read(2) == (1, VERSION)
        return self.read(1)[0]

    def create(self, number: int, asks: bool, size: int) -> tuple:
        """The number of a new buffer, and its memory."""
        self.send(CREATE_RESOURCE, number, BUFFER, R8, VERTEX_BUFFER, BYTES, 1, 1, 1, 0, 0, size)
        if asks:
            assert self.read(2) == (1, CREATE_RESOURCE)
            number, = self.read(1)
        return number, self.memory(size) if size else None

    def memory(self, size: int) -> mmap.mmap:
        """The memory whose descriptor comes next."""
        descriptors = array.array("i")
        _, parts, _, _ = self.socket.recvmsg(1, socket.CMSG_LEN(descriptors.itemsize))
        descriptors.frombytes(parts[0][2])
        memory = mmap.mmap(descriptors[0], size)
        os.close(descriptors[0])
        return memory

    def wait(self, number: int):
        self.send(BUSY_WAIT, number, 1)
        assert self.read(2) == (1, BUSY_WAIT)
        self.read(1)


def draw(client: Client, name: int, results: list):
    for i in range(ROUNDS):
        client.send(UNREF, client.create(0, True, 0)[0])
        number, memory = client.create(0, True, BYTES)
        own = bytes([name * 50 + i % 50]) * BYTES
        memory[:] = own
        client.send(TRANSFER_PUT, number, 0, 0, 0, 0, BYTES, 1, 1, BYTES, 0)
        client.wait(number)
        memory[:] = bytes(BYTES)
        client.send(TRANSFER_GET, number, 0, 0, 0, 0, BYTES, 1, 1, BYTES, 0)
        client.wait(number)
        if memory[:] != own:
            return
        client.send(UNREF, number)
    results.append(name)


def main() -> int:
    client = Client()
    wishes = [int(wish) for wish in sys.argv[1].split(",")]
    answers = [client.version(wish) for wish in wishes]
    print(*answers)
    if answers[-1] < 3:
        client.create(7, False, BYTES)
        client.wait(7)
        print("good")
        return 0
    results = []
    threads = [threading.Thread(target=draw, args=(client, name, results)) for name in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("good" if sorted(results) == [1, 2] else results)
    return 0


if __name__ == "__main__":
    sys.exit(main())
