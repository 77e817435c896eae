#!/usr/bin/env python3
# Draws conformance scenes with the system's OpenGL (Mesa's llvmpipe, say) and compares the pictures with the goldens.
# SPDX-License-Identifier: MIT
"""usage: compare_mesa.py [--root DIR] [--expect FILE] [--update] [-v] [FILTER...]

Scenes whose shaders are shaders/color.* or shaders/shade.* and whose state OpenGL has are drawn on an off-screen surface
(EGL, surfaceless); all others are left out. A pixel differs if a channel differs by more than 2 of 255. FILE (default
mesa.txt in DIR) says how many pixels of a scene may: NAME COUNT; scenes that are not in it must have none. --update writes it.
Exit codes: 0 as expected, 1 more differences, 2 wrong usage, 77 no OpenGL here."""
import argparse
import fnmatch
import pathlib
import struct
import sys
import zlib

from mesa_gl import GL, NoOpenGL, Screen
from mesa_scene import Scene, Skip

TOLERANCE = 2


def read_png(path: pathlib.Path):
    """Width, height and RGBA bytes of an 8-bit RGBA or RGB picture."""
    data = path.read_bytes()
    at, packed, width, height, channels = 8, b"", 0, 0, 4
    while at < len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        body = data[at + 8:at + 8 + size]
        if kind == b"IHDR":
            width, height, _, color = struct.unpack(">IIBB", body[:10])
            channels = {2: 3, 6: 4}[color]
        elif kind == b"IDAT":
            packed += body
        at += 12 + size
    raw, stride = zlib.decompress(packed), width * channels
    rows, before = [], bytearray(stride)
    for y in range(height):
        kind, row = raw[y * (stride + 1)], bytearray(raw[y * (stride + 1) + 1:(y + 1) * (stride + 1)])
        for x in range(stride):
            left = row[x - channels] if x >= channels else 0
            corner = before[x - channels] if x >= channels else 0
            guess = left + before[x] - corner
            paeth = min((left, before[x], corner), key=lambda value: abs(guess - value))
            row[x] = (row[x] + (0, left, before[x], (left + before[x]) // 2, paeth)[kind]) & 255
        rows.append(row)
        before = row
    if channels == 3:
        rows = [b"".join(bytes(row[3 * x:3 * x + 3]) + b"\xff" for x in range(width)) for row in rows]
    return width, height, rows


def differing(golden, width: int, height: int, drawn: bytes) -> int:
    """Pixels of the golden's first `width` columns that differ."""
    _, _, rows = golden
    count = 0
    for y in range(height):
        mine, theirs = rows[y][:4 * width], drawn[4 * width * y:4 * width * (y + 1)]
        if mine == theirs:
            continue
        count += sum(max(abs(a - b) for a, b in zip(mine[4 * x:4 * x + 4], theirs[4 * x:4 * x + 4])) > TOLERANCE for x in range(width))
    return count


def read_expected(path: pathlib.Path) -> dict[str, int]:
    if not path.exists():
        return {}
    lines = (line.split() for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return {name: int(count) for name, count in lines}


def compare(screen: Screen, root: pathlib.Path, names: list[str]):
    """The number of differing pixels by scene; scenes that OpenGL does not have are left out."""
    results, skipped = {}, {}
    for name in names:
        path = root / f"{name}.scene"
        try:
            scene = Scene(path.read_text(), root)
            drawn = screen.draw(scene)
        except Skip as reason:
            skipped[name] = str(reason)
            continue
        results[name] = differing(read_png(path.with_suffix(".png")), scene.width, scene.height, drawn)
    return results, skipped


def print_table(results: dict[str, int]) -> None:
    topics = sorted({name.split("/")[0] for name in results})
    print(f"{'topic':14} {'scenes':>6} {'equal':>6} {'to 8 px':>8} {'more':>5}")
    for topic in topics + [""]:
        counts = [count for name, count in results.items() if not topic or name.startswith(topic + "/")]
        print(f"{topic or 'all':14} {len(counts):6} {sum(c == 0 for c in counts):6} {sum(0 < c <= 8 for c in counts):8} "
              f"{sum(c > 8 for c in counts):5}")


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("--root", default="tests/pictures/conformance", type=pathlib.Path)
    parser.add_argument("--expect", type=pathlib.Path)
    parser.add_argument("--update", action="store_true")
    parser.add_argument("-v", "--verbose", action="store_true")
    parser.add_argument("filters", nargs="*")
    options = parser.parse_args()
    expect = options.expect or options.root / "mesa.txt"
    names = sorted(path.relative_to(options.root).with_suffix("").as_posix() for path in options.root.rglob("*.scene"))
    wanted = [name for name in names if not options.filters or
              any(fnmatch.fnmatch(name, f) or fnmatch.fnmatch(name, f + "/*") for f in options.filters)]
    try:
        screen = Screen(GL())
    except NoOpenGL as reason:
        print(f"no OpenGL: {reason}")
        return 77
    results, skipped = compare(screen, options.root, wanted)
    expected = read_expected(expect)
    failed = {name: count for name, count in results.items() if count > expected.get(name, 0)}
    print(f"{screen.gl.renderer}: {len(results)} scenes drawn, {len(skipped)} left out")
    if options.verbose:
        for name, count in results.items():
            print(f"  {name}: {count}")
        for name, reason in skipped.items():
            print(f"  {name}: left out, {reason}")
    print_table(results)
    if options.update:
        expect.write_text("# Pixels in which the system's OpenGL may differ from the golden (tools/mesa/compare_mesa.py).\n" +
                          "".join(f"{name} {count}\n" for name, count in sorted(results.items()) if count))
        return 0
    for name, count in failed.items():
        print(f"{name}: {count} pixels differ, {expected.get(name, 0)} are expected")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
