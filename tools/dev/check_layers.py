#!/usr/bin/env python3
# Layers: checks every include against the table of rooms, cmake/rooms.txt, and that tests are built.
# SPDX-License-Identifier: MIT
"""usage: check_layers.py [SOURCE_DIR]

Prints file:line and the offending include for each one that the table does not allow, and each folder of tests
that no CMakeLists.txt adds; exit code 1 then. <valkyr/x> is the header of cmake/public_headers.txt with that name.
Exit code 2: a table itself is wrong."""
import pathlib
import re
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "packaging"))
import public_headers  # noqa: E402

TABLE = "cmake/rooms.txt"
PUBLIC = "cmake/public_headers.txt"
# Rows name folders as includes spell them: those of src without "src/".
FOLDERS = ["src", "examples", "bench", "tests"]
SUFFIXES = {".hpp", ".cpp", ".inc", ".inl", ".h"}
# Angled includes that only some folders or files may use.
LIBRARIES = {
    # A file that had a header by both of its names would have it twice.
    "valkyr/": ["examples/hello.cpp", "examples/compute.cpp"],
    "asmjit/": ["src/jit"],
    "SDL": ["src/app", "examples"],
    "imgui": ["src/app/ui", "src/app/debug/window", "src/app/demo"],
    "histedit": ["src/app/debug/console"],
    "stb/": ["examples"],
    "stb_": ["examples"],
    "qoi.h": ["examples"],
    "tiny_gltf.h": ["examples"],
    "tiny_obj": ["examples", "tests/fuzz"],
    "doctest/": ["tests"],
    "CLI/": ["src/app/cli/command_line.cpp"],
    "fmt/": ["src/app"],
    "benchmark/": ["bench"],
    "seccomp.h": ["src/app/run"],
}
INCLUDE = re.compile(r'^\s*#\s*include\s+(?:"([^"]+)"|<([^>]+)>)')


class TableError(Exception):
    pass


def read_table(path: pathlib.Path) -> dict[str, set[str]]:
    """Room -> rooms that it may include, itself among them; "x/*" is spelled out."""
    rows: dict[str, list[str]] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        room, colon, used = line.partition(":")
        if not colon or room in rows:
            raise TableError(f"{TABLE}:{number}: not a row, or its second one: {line}")
        rows[room] = used.split()
    allowed = {}
    for room, used in rows.items():
        allowed[room] = {room}
        for name in used:
            found = [r for r in rows if r == name or name.endswith("/*") and (r + "/").startswith(name[:-1])]
            if not found:
                raise TableError(f"{TABLE}: {room} names {name}, which has no row")
            allowed[room].update(found)
    return allowed


def cycle(allowed: dict[str, set[str]]) -> list[str] | None:
    """Rooms that include each other in a circle; None if there are none."""
    done: set[str] = set()

    def visit(room: str, path: list[str]) -> list[str] | None:
        if room in path:
            return path[path.index(room):] + [room]
        if room in done:
            return None
        for other in sorted(allowed[room] - {room}):
            if found := visit(other, path + [room]):
                return found
        done.add(room)
        return None

    return next((found for room in allowed if (found := visit(room, []))), None)


def room_of(name: str, rooms) -> str | None:
    """The room of a file, its name spelled as includes do."""
    folder = name.rpartition("/")[0]
    while folder and folder not in rooms:
        folder = folder.rpartition("/")[0]
    return folder or None


def wrong_include(quoted: str | None, angled: str | None, name: str, room: str, allowed, public) -> str | None:
    """Judges an include of the file `name`: a sentence about what is wrong, or None."""
    if angled:
        for prefix, owners in LIBRARIES.items():
            if angled.startswith(prefix) and not any((name + "/").startswith(owner + "/") for owner in owners):
                return f"<{angled}> is only for {', '.join(owners)}"
        if not angled.startswith("valkyr/"):
            return None
        shown = angled.removeprefix("valkyr/")
        if shown not in public:
            return f"<{angled}> is not in {PUBLIC}"
        quoted = public[shown] if "/" in public[shown] else shown  # a generated one has its room in its public name
    # Names without a folder are generated headers of the room, or lie beside the file.
    if "/" in quoted and room_of(quoted, allowed) not in allowed[room]:
        return f'{room} may not include "{quoted}"'
    return None


def violations(root: pathlib.Path, allowed: dict[str, set[str]]):
    public = {name: header for header, name in public_headers.read_table(root / PUBLIC).items()}
    for path in sorted(p for folder in FOLDERS for p in (root / folder).rglob("*")):
        if path.suffix not in SUFFIXES:
            continue
        name = path.relative_to(root).as_posix()
        room = room_of(name.removeprefix("src/"), allowed)
        if room is None:
            yield f"{name}: belongs to no room"
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
            match = INCLUDE.match(line)
            if not match:
                continue
            if wrong := wrong_include(*match.groups(), name, room, allowed, public):
                yield f"{name}:{number}: {wrong}"


def unbuilt_tests(root: pathlib.Path):
    """Folders of tests that are in no build: their tests would pass by never running."""
    for path in sorted((root / "tests").rglob("CMakeLists.txt")):
        folder = path.parent
        above = folder.parent
        while not (above / "CMakeLists.txt").exists() and above != root:
            above = above.parent
        name = folder.relative_to(above).as_posix()
        lists = above / "CMakeLists.txt"
        if lists.exists() and f"add_subdirectory({name})" not in lists.read_text(encoding="utf-8"):
            yield f"{folder.relative_to(root).as_posix()}: {lists.relative_to(root).as_posix()} does not add it"


def main() -> int:
    if len(sys.argv) > 2:
        print(__doc__, file=sys.stderr)
        return 2
    root = pathlib.Path(sys.argv[1] if len(sys.argv) == 2 else ".").resolve()
    try:
        allowed = read_table(root / TABLE)
        if circle := cycle(allowed):
            raise TableError(f"{TABLE}: a circle: {' -> '.join(circle)}")
        found = [*violations(root, allowed), *unbuilt_tests(root)]
    except (OSError, TableError, public_headers.TableError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
