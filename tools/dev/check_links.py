#!/usr/bin/env python3
# Links: checks that libraries of rooms use only symbols of rooms in their row of cmake/rooms.txt.
# SPDX-License-Identifier: MIT
"""usage: check_links.py BUILD_DIR [SOURCE_DIR]

A static library may leave any symbol undefined, so a room could call a function of a room above it
without including its header. Prints each such symbol; exit code 1 then. Reads the symbol tables
with nm."""
import pathlib
import re
import subprocess
import sys

from check_layers import TABLE, TableError, read_table

SYMBOL = re.compile(r"^[0-9a-f ]* (\w) (\S*valkyr\S*)$", re.MULTILINE)


def reached(room: str, allowed: dict[str, set[str]]) -> set[str]:
    """All rooms behind a room's row, itself among them."""
    seen: set[str] = set()
    todo = [room]
    while todo:
        at = todo.pop()
        if at not in seen:
            seen.add(at)
            todo += allowed[at]
    return seen


def read_symbols(build: pathlib.Path) -> tuple[dict[str, set[str]], dict[str, set[str]]]:
    """Symbol -> rooms that define it; room -> symbols that it leaves open."""
    defined: dict[str, set[str]] = {}
    wanted: dict[str, set[str]] = {}
    for library in sorted((build / "src").rglob("*.a")):
        room = library.parent.relative_to(build / "src").as_posix()
        output = subprocess.run(["nm", str(library)], capture_output=True, text=True, check=True).stdout
        for kind, symbol in SYMBOL.findall(output):
            if kind == "U":
                wanted.setdefault(room, set()).add(symbol)
            else:
                defined.setdefault(symbol, set()).add(room)
    return defined, wanted


def violations(build: pathlib.Path, allowed: dict[str, set[str]]):
    defined, wanted = read_symbols(build)
    for room in sorted(wanted.keys() & allowed.keys()):
        near = reached(room, allowed)
        for symbol in sorted(wanted[room]):
            makers = defined.get(symbol, set())
            if makers and not makers & near:
                yield f"{room} may not use {symbol} of {', '.join(sorted(makers))}"


def main() -> int:
    if len(sys.argv) not in (2, 3):
        print(__doc__, file=sys.stderr)
        return 2
    source = pathlib.Path(sys.argv[2] if len(sys.argv) == 3 else ".")
    try:
        found = list(violations(pathlib.Path(sys.argv[1]), read_table(source / TABLE)))
    except (OSError, TableError, subprocess.CalledProcessError) as error:
        print(error, file=sys.stderr)
        return 2
    for line in found:
        print(line)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
