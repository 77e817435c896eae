#!/usr/bin/env python3
# Writes tentacle.glb: a tube with a skin of eight joints that waves, on a metal dish, below a glass ball.
# SPDX-License-Identifier: MIT
"""usage: make_tentacle.py [FILE]; tentacle.glb beside this file by default"""
import json
import math
import pathlib
import struct
import sys
import zlib

JOINTS = 8
RINGS = 33
SIDES = 24
HEIGHT = 4.0
SECONDS = 4
FLOAT, UNSIGNED_SHORT, UNSIGNED_INT = 5126, 5123, 5125
COMPONENTS = {"SCALAR": 1, "VEC2": 2, "VEC3": 3, "VEC4": 4, "MAT4": 16}
FORMATS = {FLOAT: "f", UNSIGNED_SHORT: "H", UNSIGNED_INT: "I"}


class Builder:
    """Collects the JSON text and the binary chunk of a file."""

    def __init__(self):
        self.json = {"asset": {"version": "2.0"}, "scene": 0, "bufferViews": [], "accessors": []}
        self.bytes = b""

    def view(self, data):
        self.bytes += b"\0" * (-len(self.bytes) % 4)
        self.json["bufferViews"].append({"buffer": 0, "byteOffset": len(self.bytes), "byteLength": len(data)})
        self.bytes += data
        return len(self.json["bufferViews"]) - 1

    def accessor(self, kind, component, values):
        accessor = {"bufferView": self.view(struct.pack(f"<{len(values)}{FORMATS[component]}", *values)),
                    "componentType": component, "count": len(values) // COMPONENTS[kind], "type": kind}
        if kind in ("SCALAR", "VEC3"):  # readers want bounds of times and positions
            width = COMPONENTS[kind]
            accessor["min"] = [min(values[k::width]) for k in range(width)]
            accessor["max"] = [max(values[k::width]) for k in range(width)]
        self.json["accessors"].append(accessor)
        return len(self.json["accessors"]) - 1

    def write(self, path):
        self.json["buffers"] = [{"byteLength": len(self.bytes)}]
        text = json.dumps(self.json, separators=(",", ":")).encode()
        text += b" " * (-len(text) % 4)
        data = self.bytes + b"\0" * (-len(self.bytes) % 4)
        size = 12 + 8 + len(text) + 8 + len(data)
        path.write_bytes(b"glTF" + struct.pack("<II", 2, size) + struct.pack("<I4s", len(text), b"JSON") + text
                         + struct.pack("<I4s", len(data), b"BIN\0") + data)


def png(size, pixel):
    """A PNG of size x size pixels (r, g, b)."""
    rows = b"".join(b"\0" + b"".join(bytes(pixel(x, y)) for x in range(size)) for y in range(size))

    def chunk(name, data):
        return struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))

    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9))
            + chunk(b"IEND", b""))


def skin_color(x, y):
    light = (x // 8 + y // 8) % 2
    return (210, 96, 40) if light else (120, 30, 48)


def bump(x, y):
    """A normal map of round bumps, four a side; green is up."""
    u, v = (x % 16 - 7.5) / 8, (y % 16 - 7.5) / 8
    square = u * u + v * v
    nx, ny = (u * 0.6, -v * 0.6) if square < 1 else (0, 0)
    nz = math.sqrt(1 - nx * nx - ny * ny)
    return tuple(round(255 * (0.5 + n / 2)) for n in (nx, ny, nz))


def grid(columns, rows):
    """Indices of two triangles a cell of a grid of (columns + 1) x (rows + 1) vertices."""
    out = []
    for row in range(rows):
        for column in range(columns):
            a = row * (columns + 1) + column
            b = a + columns + 1
            out += [a, b, a + 1, a + 1, b, b + 1]
    return out


def surface(profile, sides):
    """A surface of revolution around y: positions, normals, coordinates, indices.

    profile  (radius, height, normal's part outwards, normal's part upwards), from below
    """
    positions, normals, coordinates = [], [], []
    for row, (radius, height, outwards, upwards) in enumerate(profile):
        for side in range(sides + 1):
            angle = 2 * math.pi * side / sides
            positions += [radius * math.cos(angle), height, -radius * math.sin(angle)]
            normals += [outwards * math.cos(angle), upwards, -outwards * math.sin(angle)]
            coordinates += [2 * side / sides, 1 - row / (len(profile) - 1)]
    flipped = []
    indices = grid(sides, len(profile) - 1)
    for i in range(0, len(indices), 3):
        flipped += [indices[i], indices[i + 2], indices[i + 1]]
    return positions, normals, coordinates, flipped


def tentacle_profile():
    rows = []
    for ring in range(RINGS):
        part = ring / (RINGS - 1)
        rows.append((0.55 * (1 - part) ** 0.8 + 0.02, HEIGHT * part, 0.99, 0.14))
    return rows


def ball_profile(radius, middle):
    return [(radius * math.sin(a), middle - radius * math.cos(a), math.sin(a), -math.cos(a))
            for a in (math.pi * i / 16 for i in range(17))]


def dish_profile():
    return [(0, -0.3, 0, -1), (1.6, -0.3, 0, -1), (1.6, -0.3, 0.8, -0.6), (1.9, 0.1, 0.8, -0.6), (1.9, 0.1, -0.7, 0.7),
            (1.5, -0.1, -0.6, 0.8), (0, -0.15, 0, 1)]


def attributes_of(builder, profile):
    positions, normals, coordinates, indices = surface(profile, SIDES)
    attributes = {"POSITION": builder.accessor("VEC3", FLOAT, positions),
                  "NORMAL": builder.accessor("VEC3", FLOAT, normals),
                  "TEXCOORD_0": builder.accessor("VEC2", FLOAT, coordinates)}
    return positions, attributes, builder.accessor("SCALAR", UNSIGNED_INT, indices)


def skinned_mesh(builder):
    positions, attributes, indices = attributes_of(builder, tentacle_profile())
    joints, weights = [], []
    for height in positions[1::3]:
        place = height / HEIGHT * (JOINTS - 1)
        joint = min(int(place), JOINTS - 2)
        joints += [joint, joint + 1, 0, 0]
        weights += [1 - (place - joint), place - joint, 0, 0]
    attributes["JOINTS_0"] = builder.accessor("VEC4", UNSIGNED_SHORT, joints)
    attributes["WEIGHTS_0"] = builder.accessor("VEC4", FLOAT, weights)
    return {"primitives": [{"attributes": attributes, "indices": indices, "material": 0}]}


def plain_mesh(builder, profile, material):
    _, attributes, indices = attributes_of(builder, profile)
    return {"primitives": [{"attributes": attributes, "indices": indices, "material": material}]}


def materials():
    return [
        {"name": "skin", "pbrMetallicRoughness": {"baseColorTexture": {"index": 0}, "metallicFactor": 0,
                                                  "roughnessFactor": 0.45},
         "normalTexture": {"index": 1}},
        {"name": "brass", "pbrMetallicRoughness": {"baseColorFactor": [0.78, 0.57, 0.2, 1], "metallicFactor": 1,
                                                   "roughnessFactor": 0.25}},
        {"name": "glass", "alphaMode": "BLEND",
         "pbrMetallicRoughness": {"baseColorFactor": [0.5, 0.8, 1, 0.35], "metallicFactor": 0, "roughnessFactor": 0.1}},
    ]


def inverse_bind_matrices():
    out = []
    for joint in range(JOINTS):
        out += [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, -HEIGHT * joint / (JOINTS - 1), 0, 1]
    return out


def wave(builder):
    """An animation that bends each joint a little later than the one below it."""
    steps = 16
    times = builder.accessor("SCALAR", FLOAT, [SECONDS * i / steps for i in range(steps + 1)])
    samplers, channels = [], []
    for joint in range(1, JOINTS):
        rotations = []
        for i in range(steps + 1):
            phase = 2 * math.pi * i / steps - 0.7 * joint
            x, z = 0.16 * math.sin(phase) / 2, 0.16 * math.cos(phase) / 2
            rotations += [x, 0, z, math.sqrt(1 - x * x - z * z)]
        samplers.append({"input": times, "output": builder.accessor("VEC4", FLOAT, rotations)})
        channels.append({"sampler": joint - 1, "target": {"node": 1 + joint, "path": "rotation"}})
    return {"name": "wave", "samplers": samplers, "channels": channels}


def main():
    builder = Builder()
    file = builder.json
    pictures = [png(64, skin_color), png(64, bump)]
    file["images"] = [{"mimeType": "image/png", "bufferView": builder.view(picture)} for picture in pictures]
    file["samplers"] = [{"magFilter": 9729, "minFilter": 9987}]
    file["textures"] = [{"source": i, "sampler": 0} for i in range(len(pictures))]
    file["materials"] = materials()
    file["meshes"] = [skinned_mesh(builder), plain_mesh(builder, dish_profile(), 1),
                      plain_mesh(builder, ball_profile(0.5, 0), 2)]
    joints = list(range(1, 1 + JOINTS))
    file["nodes"] = [{"name": "tentacle", "mesh": 0, "skin": 0}]
    for joint in joints:
        node = {"name": f"joint{joint}", "translation": [0, HEIGHT / (JOINTS - 1) if joint > 1 else 0, 0]}
        if joint < JOINTS:
            node["children"] = [joint + 1]
        file["nodes"].append(node)
    file["nodes"] += [{"name": "dish", "mesh": 1}, {"name": "ball", "mesh": 2, "translation": [0, HEIGHT + 0.5, 0]}]
    file["skins"] = [{"joints": joints,
                      "inverseBindMatrices": builder.accessor("MAT4", FLOAT, inverse_bind_matrices())}]
    file["animations"] = [wave(builder)]
    file["scenes"] = [{"nodes": [0, 1, JOINTS + 1, JOINTS + 2]}]
    builder.write(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else pathlib.Path(__file__).with_name("tentacle.glb")))


main()
