#!/usr/bin/env python3
# Checks that every include follows the arrows of docs/architecture.md.
# SPDX-License-Identifier: MIT
"""usage: check_layers.py [SOURCE_DIR]

Prints file:line and the offending include for each arrow that is not allowed; exit code 1 then."""
import pathlib
import re
import sys

# Room (folder under the source directory) -> prefixes of quoted includes that it may use.
ROOMS = {
    "src/base": ["base/"],
    "src/tgsi": ["tgsi/", "base/"],
    "src/valhall/isa": ["valhall/isa/", "valhall_isa_gen.hpp", "base/"],
    "src/valhall/compiler": ["valhall/compiler/", "valhall/isa/", "tgsi/", "base/"],
    "src/jit": ["jit/", "valhall/isa/", "base/"],
    "src/raster": ["raster/", "valhall/isa/exec_", "base/"],
    "src/virgl": ["virgl/", "raster/", "base/"],
}
# The one place where text, programs, kernels and pixels meet: files whose names begin like this.
# (shader_cache.hpp itself is the face that the rest of the room sees.)
EXTRA_PREFIX = "src/raster/shader_cache"
EXTRA_NOT = "src/raster/record/shader_cache.hpp"
EXTRA = ["tgsi/", "valhall/", "jit/"]
# Angled includes that only some folders may use.
LIBRARIES = {
    "asmjit/": ["src/jit"],
    "SDL": ["tools", "examples", "tests"],
    "stb/": ["tools", "examples", "tests"],
    "stb_": ["tools", "examples", "tests"],
    "doctest/": ["tests"],
    "CLI/": ["tools"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


def room_of(path: str) -> str | None:
    matches = [room for room in ROOMS if path.startswith(room + "/")]
    return max(matches, key=len, default=None)


def violations(root: pathlib.Path):
    folders = ["src", "tools", "examples", "tests"]
    for path in sorted(p for folder in folders for p in (root / folder).rglob("*")):
        if path.suffix not in {".hpp", ".cpp", ".inc", ".h"}:
            continue
        name = path.relative_to(root).as_posix()
        room = room_of(name)
        if name.startswith("src/") and room is None:
            yield f"{name}: belongs to no room"
            continue
        allowed = list(ROOMS.get(room, []))
        if name.startswith(EXTRA_PREFIX) and name != EXTRA_NOT:
            allowed += EXTRA
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            quoted, angled = match.groups()
            if quoted and room and not any(quoted.startswith(prefix) for prefix in allowed):
                yield f'{name}:{number}: {room} may not include "{quoted}"'
            if angled:
                for prefix, owners in LIBRARIES.items():
                    if angled.startswith(prefix) and not any(name.startswith(owner + "/") for owner in owners):
                        yield f"{name}:{number}: <{angled}> is only for {', '.join(owners)}"


def main() -> int:
    if len(sys.argv) > 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else ".").resolve()
    found = list(violations(root))
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
