#!/usr/bin/env python3
# A client of the vtest protocol for tests: ends frames as Mesa does, and waits for other fences.
# SPDX-License-Identifier: MIT
"""usage: frames_program.py VERSION
Asks for this version of the protocol; resources have numbers from here with 2, and from the server with 3. Draws frames of a window, waits for a fence alone and for another resource in a fence's place, and
draws frames again. Prints "good" if each frame has the pixels that were put into it."""
import sys

from protocol_program import BUFFER, BUSY_WAIT, CREATE_RESOURCE, R8, TRANSFER_GET, TRANSFER_PUT, Client

TEXTURE_2D, BGRA8, DISPLAY_TARGET, CUSTOM = 2, 1, 1 << 7, 1 << 17
WINDOW, SIDE, BYTES = 1, 16, 16 * 16 * 4
FENCE_BYTES = 8


class Program:
    def __init__(self):
        self.client = Client()
        self.asks = self.client.version(int(sys.argv[1])) >= 3
        self.number = 0
        self.window = self.create(TEXTURE_2D, BGRA8, DISPLAY_TARGET, SIDE, SIDE, BYTES)

    def create(self, target: int, form: int, bind: int, width: int, height: int, size: int):
        self.number += 1
        self.client.send(CREATE_RESOURCE, 0 if self.asks else self.number, target, form, bind, width, height, 1, 1, 0,
                         0, size)
        if self.asks:
            assert self.client.read(2) == (1, CREATE_RESOURCE)
            self.number, = self.client.read(1)
        return self.client.memory(size)

    def fence(self) -> int:
        memory = self.create(BUFFER, R8, CUSTOM, FENCE_BYTES, 1, FENCE_BYTES)
        assert len(memory[:]) == FENCE_BYTES
        return self.number

    def transfer(self, command: int):
        self.client.send(command, WINDOW, 0, 0, 0, 0, SIDE, SIDE, 1, BYTES, 0)

    def wait(self, number: int):
        self.client.send(BUSY_WAIT, number, 1)
        assert self.client.read(2) == (1, BUSY_WAIT)
        assert self.client.read(1) == (0,)

    def frame(self, value: int, finishes: bool = False) -> bool:
        pixels = bytes([value]) * BYTES
        self.window[:] = pixels
        self.transfer(TRANSFER_PUT)
        if finishes:
            self.wait(self.fence())
            self.transfer(TRANSFER_PUT)
        self.wait(self.fence())
        self.window[:] = bytes(BYTES)
        self.transfer(TRANSFER_GET)
        self.wait(WINDOW)
        return self.window[:] == pixels


def main() -> int:
    program = Program()
    good = all(program.frame(i) for i in range(6))
    program.wait(program.fence())  # taken for a frame's
    program.transfer(TRANSFER_PUT)
    good = good and all(program.frame(i) for i in range(7, 11))
    program.fence()
    program.wait(WINDOW)  # in the place of the fence's wait
    good = good and all(program.frame(i, finishes=True) for i in range(20, 24))
    print("good" if good else "a frame has other pixels")
    return 0


if __name__ == "__main__":
    sys.exit(main())
