# Vtest client: messages, resources and command words of the vtest protocol, good ones and bad ones.
# SPDX-License-Identifier: MIT
"""Protocol numbers are those of src/virgl/protocol/protocol.hpp."""
import array
import hashlib
import mmap
import os
import pathlib
import socket
import struct

CREATE_RENDERER, GET_CAPS, GET_CAPS2, PING, VERSION, BUSY_WAIT = 8, 1, 9, 10, 11, 7
UNREF, GET, PUT, SUBMIT, CREATE2, GET2, PUT2 = 3, 4, 5, 6, 12, 13, 14
TRACE = pathlib.Path(__file__).resolve().parents[2] / "tests/virgl/glxgears.trace"
# The last frame of that trace: the bytes of resource 1, B8G8R8X8, 300x300.
GEARS_SHA256 = "17d9d06c4147aa612e7a7dba00684c433c568141b3e26421aed9d51f569d7912"
SIZE = 8  # side of the small picture
BLUE, RED = b"\xff\x00\x00\xff", b"\x00\x00\xff\xff"  # B8G8R8A8
# A triangle over the lower left half: centres on the diagonal are outside.
TRIANGLE = b"".join(RED if x + y < SIZE - 1 else BLUE for y in range(SIZE) for x in range(SIZE))


class Lost(Exception):
    """The server closed the connection or does not answer in time."""


def words(*values: int) -> bytes:
    return struct.pack(f"<{len(values)}I", *(v & 0xFFFFFFFF for v in values))


def message(number: int, body: bytes = b"", length: int | None = None) -> bytes:
    return words(len(body) // 4 if length is None else length, number) + body


def command(number: int, *payload: int, kind: int = 0) -> bytes:
    return words(number | kind << 8 | len(payload) << 16, *payload)


def bits(value: float) -> int:
    return struct.unpack("<I", struct.pack("<f", value))[0]


def shader(handle: int, stage: int, text: str) -> bytes:
    data = text.encode() + b"\0"
    data += bytes(-len(data) % 4)
    return command(1, handle, stage, len(text) + 1, 0, 0, *struct.unpack(f"<{len(data) // 4}I", data), kind=4)


VERTEX = "VERT\nDCL IN[0]\nDCL OUT[0], POSITION\n  0: MOV OUT[0], IN[0]\n  1: END\n"
COLOR = "FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\n  0: MOV OUT[0], CONST[0]\n  1: END\n"
ENDLESS = ("FRAG\nDCL OUT[0], COLOR\nDCL CONST[0]\nDCL TEMP[0]\n  0: BGNLOOP\n  1: ADD TEMP[0], TEMP[0], CONST[0]\n"
           "  2: IF CONST[0].yyyy\n  3: BRK\n  4: ENDIF\n  5: ENDLOOP\n  6: MOV OUT[0], TEMP[0]\n  7: END\n")


def draw_stream(fragment: str = COLOR, count: int = 3, instances: int = 1) -> bytes:
    """Clears target 1 blue and draws red triangles from vertex buffer 2."""
    half, one = bits(SIZE / 2), bits(1.0)
    return b"".join([
        command(29, 1), command(28, 1),  # sub-context 1
        command(1, 10, 1, 1, 0, 0, kind=8), command(5, 1, 0, 10),  # surface, framebuffer
        command(4, 0, half, half, bits(0.5), half, half, bits(0.5)),
        command(1, 11, 0, 0, *[15 << 27] * 8, kind=1), command(2, 11, kind=1),  # blend
        command(1, 12, 1 << 1 | 1 << 29, one, 0, 0, one, 0, 0, 0, kind=2), command(2, 12, kind=2),  # rasterizer
        command(1, 13, 0, 0, 0, 0, kind=3), command(2, 13, kind=3),  # depth and stencil
        command(1, 14, 0, 0, 0, 31, kind=5), command(2, 14, kind=5),  # vertex elements
        shader(15, 0, VERTEX), shader(16, 1, fragment), command(31, 15, 0), command(31, 16, 1),
        command(6, 16, 0, 2), command(7, 4, 0, 0, one, one, 0, 0, 0),  # vertex buffer, clear
        command(12, 1, 0, one, 0, 0, one), command(8, 0, count, 4, 0, instances, 0, 0, 0, 0, 0, 0xFFFFFFFF, 0)])


class Client:
    """One connection. Methods raise Lost when the server has gone or is silent for `patience` seconds."""

    def __init__(self, path: str, patience: float = 30):
        self.memory: dict[int, mmap.mmap] = {}
        self.socket = socket.socket(socket.AF_UNIX)
        self.socket.settimeout(patience)
        try:
            self.socket.connect(path)
        except OSError as error:
            self.socket.close()
            raise Lost(str(error)) from error

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    def close(self):
        for memory in self.memory.values():
            memory.close()
        self.memory.clear()
        self.socket.close()

    def send(self, data: bytes):
        try:
            self.socket.sendall(data)
        except OSError as error:
            raise Lost(str(error)) from error

    def receive(self, size: int) -> bytes:
        data = b""
        try:
            while len(data) < size:
                part = self.socket.recv(size - len(data))
                if not part:
                    raise Lost("closed")
                data += part
        except OSError as error:
            raise Lost(str(error)) from error
        return data

    def descriptor(self) -> int:
        found = array.array("i")
        try:
            data, ancillary, _, _ = self.socket.recvmsg(1, socket.CMSG_SPACE(4))
        except OSError as error:
            raise Lost(str(error)) from error
        for _, _, content in ancillary:
            found.frombytes(content[:4])
        if not data or not found:
            raise Lost("no descriptor")
        return found[0]

    def drain(self):
        """Throws away what has come, descriptors with it."""
        patience = self.socket.gettimeout()
        self.socket.settimeout(0)
        try:
            while True:
                data, ancillary, _, _ = self.socket.recvmsg(65536, 1024)
                if not data:
                    raise Lost("closed")
                for _, _, content in ancillary:
                    fds = array.array("i")
                    fds.frombytes(content[:len(content) // 4 * 4])
                    for fd in fds:
                        os.close(fd)
        except BlockingIOError:
            pass
        except OSError as error:
            raise Lost(str(error)) from error
        finally:
            self.socket.settimeout(patience)

    def greet(self):
        name = b"soak\0"
        self.send(words(len(name), CREATE_RENDERER) + name + message(PING) + message(BUSY_WAIT, words(0, 0)))
        self.receive(8 + 12)
        self.send(message(VERSION, words(2)))
        self.receive(12)

    def create(self, handle: int, target: int, form: int, bind: int, width: int, height: int, size: int) -> int:
        """A resource; its guest storage is mapped, and the descriptor is the caller's."""
        self.send(message(CREATE2, words(handle, target, form, bind, width, height, 1, 1, 0, 0, size)))
        fd = self.descriptor()
        self.memory[handle] = mmap.mmap(fd, size)
        return fd

    def wait(self, handle: int):
        self.send(message(BUSY_WAIT, words(handle, 1)))
        self.receive(12)

    def read_target(self):
        """Reads the small picture back, which renders it."""
        self.send(message(GET2, words(1, 0, 0, 0, 0, SIZE, SIZE, 1, SIZE * SIZE * 4, 0)))
        self.wait(1)

    def prepare(self):
        """Target 1 and a vertex buffer 2 that holds a triangle."""
        os.close(self.create(1, 2, 1, 0x8A, SIZE, SIZE, SIZE * SIZE * 4))
        os.close(self.create(2, 0, 64, 16, 192, 1, 192))
        self.memory[2][:48] = struct.pack("<12f", -1, -1, 0, 1, 1, -1, 0, 1, -1, 1, 0, 1)
        self.send(message(PUT2, words(2, 0, 0, 0, 0, 192, 1, 1, 192, 0), 10 + 48))


def draw_triangle(path: str) -> bytes:
    """The small picture."""
    with Client(path) as client:
        client.greet()
        client.prepare()
        client.send(message(SUBMIT, draw_stream()))
        client.read_target()
        return client.memory[1][:]


def read_trace(path: pathlib.Path = TRACE) -> list[tuple[int, bytes]]:
    """Chunks of a trace (src/virgl/capture/trace.hpp): kind and payload."""
    data = path.read_bytes()
    chunks, at = [], 20
    while at < len(data):
        kind, _, size, _ = struct.unpack_from("<4I", data, at)
        chunks.append((kind, data[at + 16:at + 16 + size]))
        at += 16 + size + -size % 4
    return chunks


def draw_gears(path: str) -> str:
    """Plays the trace as its program did; SHA-256 of the last frame."""
    with Client(path) as client:
        for kind, payload in read_trace():
            if kind == 2:
                resource, _, offset = struct.unpack_from("<IIQ", payload)
                client.memory[resource][offset:offset + len(payload) - 16] = payload[16:]
            if kind != 3:
                continue
            number = struct.unpack_from("<I", payload, 4)[0]
            if number == CREATE2:
                size = struct.unpack_from("<I", payload, 48)[0]
                client.send(payload)
                fd = client.descriptor()
                client.memory[struct.unpack_from("<I", payload, 8)[0]] = mmap.mmap(fd, size)
                os.close(fd)
                continue
            client.send(payload)
            if number in (GET_CAPS, GET_CAPS2):
                client.receive(struct.unpack("<II", client.receive(8))[0] - 1)
            elif number in (PING, VERSION, BUSY_WAIT):
                client.receive(8 if number == PING else 12)
        client.wait(1)
        return hashlib.sha256(client.memory[1][:]).hexdigest()
