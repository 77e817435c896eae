#!/usr/bin/env python3
# Writes teapot.obj, teapot.mtl and tiles.png: a teapot of revolved profiles and bent tubes on a tray.
# SPDX-License-Identifier: MIT
"""usage: make_teapot.py [FOLDER]; the folder of this file by default"""
import math
import pathlib
import struct
import sys
import zlib

SIDES = 28

MATERIALS = """\
# Materials of teapot.obj; made by make_teapot.py.
newmtl glaze
Kd 0.10 0.32 0.42
Ks 0.70 0.70 0.70
Ns 90
newmtl brass
Kd 0.72 0.50 0.18
Ks 0.80 0.65 0.35
Ns 60
newmtl tray
Kd 0.95 0.92 0.88
Ks 0.15 0.15 0.15
Ns 20
map_Kd tiles.png
newmtl tea
Kd 0.25 0.10 0.03
Ke 0.10 0.03 0.00
"""


class Model:
    def __init__(self):
        self.lines = ["# A teapot; made by make_teapot.py.", "mtllib teapot.mtl"]
        self.places = 0

    def grid(self, name, material, rows, closed=True):
        """Faces between neighbours of a grid of points; closed: the last point of a row adjoins the first."""
        self.lines += [f"o {name}", f"usemtl {material}"]
        self.lines += [f"v {x:.3f} {y:.3f} {z:.3f}" for row in rows for x, y, z in row]
        width = len(rows[0])
        for i in range(len(rows) - 1):
            for j in range(width if closed else width - 1):
                a, b = i * width + j, i * width + (j + 1) % width
                self.lines.append("f " + " ".join(str(self.places + c + 1) for c in (a, b, b + width, a + width)))
        self.places += width * len(rows)

    def tray(self, name, material, x, z, repeat):
        """A square with a picture that repeats in x and z."""
        self.lines += [f"o {name}", f"usemtl {material}"]
        for u, v in (0, 0), (1, 0), (1, 1), (0, 1):
            self.lines += [f"v {x * (2 * u - 1):g} 0 {z * (1 - 2 * v):g}", f"vt {repeat[0] * u} {repeat[1] * v}"]
        self.lines.append("f -4/-4 -3/-3 -2/-2 -1/-1")
        self.places += 4

    def lathe(self, name, material, profile, sides=SIDES):
        """Points of radius and height, from the bottom upwards, turned around the y axis."""
        def ring(radius, height):
            turns = [2 * math.pi * side / sides for side in range(sides)]
            return [(radius * math.sin(t), height, radius * math.cos(t)) for t in turns]
        self.grid(name, material, [ring(*point) for point in profile])

    def tube(self, name, material, path, sides=14):
        """A tube along points x, y in the plane z = 0; each has a radius, and a factor of the width in z."""
        rows = []
        for i, (x, y, radius, wide) in enumerate(path):
            before, behind = path[max(i - 1, 0)], path[min(i + 1, len(path) - 1)]
            dx, dy = behind[0] - before[0], behind[1] - before[1]
            length = math.hypot(dx, dy)
            nx, ny = -dy / length, dx / length
            turns = [2 * math.pi * side / sides for side in range(sides)]
            rows.append([(x - nx * radius * math.cos(t), y - ny * radius * math.cos(t), radius * wide * math.sin(t))
                         for t in turns])
        self.grid(name, material, rows)


def curve(points, steps):
    """A smooth curve (Catmull-Rom) through points of any dimension."""
    out = []
    ends = [points[0], *points, points[-1]]
    for a, b, c, d in zip(ends, ends[1:], ends[2:], ends[3:]):
        for step in range(steps):
            t = step / steps
            out.append(tuple(0.5 * (2 * q + (r - p) * t + (2 * p - 5 * q + 4 * r - s) * t * t
                                    + (3 * q - p - 3 * r + s) * t * t * t)
                             for p, q, r, s in zip(a, b, c, d)))
    return out + [points[-1]]


def tiles(size=64):
    """A PNG: pale tiles with blue crosses."""
    rows = b""
    for y in range(size):
        rows += b"\0"
        for x in range(size):
            u, v = x % 32 - 15.5, y % 32 - 15.5
            joint = max(abs(u), abs(v)) > 14.5
            cross = abs(abs(u) - abs(v)) < 2 and max(abs(u), abs(v)) < 9
            rows += bytes((150, 142, 130) if joint else (70, 100, 150) if cross else (226, 220, 208))
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    header = struct.pack(">IIBBBBB", size, size, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 9)) + chunk(b"IEND", b"")


def teapot():
    model = Model()
    model.lathe("body", "glaze", curve([(0.0, 0.06), (0.52, 0.06), (0.92, 0.34), (1.0, 0.72), (0.8, 1.1), (0.56, 1.25)], 4))
    model.lathe("foot", "brass", [(0.62, 0.0), (0.64, 0.05), (0.56, 0.09)])
    model.lathe("rim", "brass", curve([(0.56, 1.22), (0.62, 1.27), (0.56, 1.32)], 3))
    model.lathe("tea", "tea", [(0.0, 1.2), (0.55, 1.2)])
    model.lathe("lid", "glaze", curve([(0.55, 1.3), (0.42, 1.42), (0.12, 1.5)], 4))
    model.lathe("knob", "brass", curve([(0.07, 1.48), (0.07, 1.54), (0.16, 1.64), (0.1, 1.73), (0.0, 1.75)], 4), 16)
    spout = [(0.8, 0.5, 0.24, 0.8), (1.2, 0.66, 0.17, 0.8), (1.38, 1.0, 0.11, 0.8), (1.62, 1.26, 0.09, 0.9)]
    model.tube("spout", "glaze", curve(spout, 5))
    handle = [(-0.72, 1.12, 0.07, 1.3), (-1.15, 1.2, 0.07, 1.3), (-1.46, 0.95, 0.075, 1.3), (-1.38, 0.6, 0.075, 1.3),
              (-0.94, 0.42, 0.07, 1.3)]
    model.tube("handle", "brass", curve(handle, 5))
    model.tray("tray", "tray", 2.0, 1.5, (4, 3))
    edge = [(-2.0, -1.5), (2.0, -1.5), (2.0, 1.5), (-2.0, 1.5)]
    outside = [(x * 1.04, z * 1.05) for x, z in edge]
    levels = [(outside, -0.03), (outside, 0.06), (edge, 0.06), (edge, 0.0)]
    model.grid("border", "brass", [[(x, y, z) for x, z in points] for points, y in levels])
    return model


def main():
    folder = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else pathlib.Path(__file__).parent
    (folder / "teapot.obj").write_text("\n".join(teapot().lines) + "\n")
    (folder / "teapot.mtl").write_text(MATERIALS)
    (folder / "tiles.png").write_bytes(tiles())


if __name__ == "__main__":
    main()
