#!/usr/bin/env python3
# Public headers: writes the tree of headers that is installed, where they include each other as <valkyr/...>.
# SPDX-License-Identifier: MIT
"""usage: public_headers.py TABLE FOLDER ROOT...

TABLE    cmake/public_headers.txt: the headers, as this project includes them, and their names behind <valkyr/
FOLDER   the tree: files without a row in the table are removed, unchanged files are not touched
ROOT     folders that the names of the table are looked up in

Prints file:line for each header of this project that is included and is not in the table; exit code 1 then."""
import pathlib
import re
import sys

INCLUDE = re.compile(r'^(\s*#\s*include\s+)(?:"([^"]+)"|<([^>]+)>)')


class TableError(Exception):
    pass


def read_table(path: pathlib.Path) -> dict[str, str]:
    """Name in this project -> name behind <valkyr/."""
    names: dict[str, str] = {}
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line = line.split("#")[0].strip()
        if not line:
            continue
        header, _, public = (part.strip() for part in line.partition(":"))
        public = public or header
        if header in names or public in names.values():
            raise TableError(f"{path}:{number}: the second row of {header}")
        names[header] = public
    return names


def find(header: str, roots: list[pathlib.Path]) -> pathlib.Path:
    for root in roots:
        if (root / header).is_file():
            return root / header
    raise TableError(f"{header}: no such header in {', '.join(map(str, roots))}")


def rewrite(path: pathlib.Path, names: dict[str, str]) -> tuple[str, list[str]]:
    """A header's public text, and what is wrong with it."""
    lines, wrong = [], []
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(keepends=True), 1):
        if match := INCLUDE.match(line):
            start, quoted, angled = match.groups()
            if quoted in names:
                line = f"{start}<valkyr/{names[quoted]}>{line[match.end():]}"
            elif quoted or "/" in angled:  # the standard library has no folders
                wrong.append(f"{path}:{number}: a public header includes {quoted or angled}, which is none")
        lines.append(line)
    return "".join(lines), wrong


def write_tree(folder: pathlib.Path, texts: dict[str, str]) -> None:
    for old in sorted(folder.rglob("*"), reverse=True):
        if old.is_dir() and not any(old.iterdir()):
            old.rmdir()
        elif old.is_file() and old.relative_to(folder).as_posix() not in texts:
            old.unlink()
    for name, text in texts.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def main() -> int:
    if len(sys.argv) < 4:
        print(__doc__, file=sys.stderr)
        return 2
    table, folder, *roots = map(pathlib.Path, sys.argv[1:])
    texts, wrong = {}, []
    try:
        names = read_table(table)
        for header, public in names.items():
            texts[public], found = rewrite(find(header, roots), names)
            wrong += found
    except (OSError, TableError) as error:
        print(error, file=sys.stderr)
        return 1
    for line in wrong:
        print(line, file=sys.stderr)
    if wrong:
        return 1
    write_tree(folder, texts)
    return 0


if __name__ == "__main__":
    sys.exit(main())
