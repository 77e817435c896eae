#!/usr/bin/env python3
# Build times: prints what a build spent its time on: the slowest files, folders, and headers.
# SPDX-License-Identifier: MIT
"""usage: build_times.py [BUILD_FOLDER] [--rows N] [--json]

BUILD_FOLDER  a folder that Ninja built in (default build/release)
--rows        rows of each table (default 20)
--json        one object instead of tables, for programs

Files and folders: seconds from start to end of each command, by Ninja's log; with as many commands
at once as Ninja runs, a command waits for others, too. Headers: how many files read each, and the
text of it that all of them read together, by the dependencies that the compiler told. A header within
precompiled ones counts once for each of these, as if every file used them."""
import argparse
import collections
import json
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def command_seconds(log: str) -> dict[str, float]:
    """The last time of each output, from the text of a .ninja_log."""
    seconds = {}
    for line in log.splitlines():
        if line.startswith("#"):
            continue
        start, end, _, output, _ = line.split("\t")
        seconds[output] = (int(end) - int(start)) / 1000
    return seconds


def folder_of(output: str) -> str:
    """The folder whose list of files makes an output: it stands before CMake's own."""
    folder, found, _ = output.partition("CMakeFiles/")
    return (folder if found else str(pathlib.PurePath(output).parent)).rstrip("/") or "."


def header_readers(dependencies: str) -> collections.Counter:
    """How many outputs read each file, from what `ninja -t deps` prints."""
    readers, precompiled = collections.Counter(), collections.Counter()
    for block in dependencies.split("\n\n"):
        lines = block.splitlines()
        if lines and "(VALID)" in lines[0]:
            counter = precompiled if lines[0].split(":")[0].endswith(".gch") else readers
            counter.update(line.strip() for line in lines[2:])  # The file that is compiled stands first.
    return collections.Counter({**readers, **precompiled})


def shown_path(path: pathlib.Path) -> str:
    return str(path.relative_to(ROOT)) if ROOT in path.parents else str(path)


def report(build: pathlib.Path, rows: int) -> dict:
    """All tables: lists of rows with the names of their columns as keys."""
    seconds = command_seconds((build / ".ninja_log").read_text())
    dependencies = subprocess.run(["ninja", "-C", str(build), "-t", "deps"], capture_output=True, text=True, check=True)
    folders = collections.defaultdict(list)
    for output, time in seconds.items():
        folders[folder_of(output)].append(time)
    headers = []
    for header, readers in header_readers(dependencies.stdout).items():
        path = (build / header).resolve()
        if path.exists():
            headers.append({"MB": readers * path.stat().st_size / 1e6, "files": readers, "header": shown_path(path)})
    return {
        "seconds": sum(seconds.values()),
        "commands": len(seconds),
        "slowest commands": sorted(({"s": t, "output": o} for o, t in seconds.items()), key=lambda r: -r["s"])[:rows],
        "slowest folders": sorted(
            ({"s": sum(t), "commands": len(t), "folder": f} for f, t in folders.items()), key=lambda r: -r["s"])[:rows],
        "headers read most": sorted(headers, key=lambda r: -r["MB"])[:rows],
    }


def print_table(title: str, rows: list[dict]) -> None:
    print(f"\n{title}")
    if rows:
        print("  " + "".join(f"{name:>9}  " if not isinstance(value, str) else name for name, value in rows[0].items()))
    for row in rows:
        cells = [value if isinstance(value, str) else f"{value:9.1f}  " if isinstance(value, float) else f"{value:9}  "
                 for value in row.values()]
        print("  " + "".join(cells))


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("build", nargs="?", default=str(ROOT / "build" / "release"))
    parser.add_argument("--rows", type=int, default=20)
    parser.add_argument("--json", action="store_true")
    options = parser.parse_args()
    build = pathlib.Path(options.build)
    if not (build / ".ninja_log").exists():
        print(f"build_times.py: error: {build} has no .ninja_log: build there first", file=sys.stderr)
        return 1
    tables = report(build.resolve(), max(options.rows, 0))
    if options.json:
        print(json.dumps(tables, indent=1))
        return 0
    print(f"{tables.pop('commands')} commands, {tables.pop('seconds'):.0f} s")
    for title, rows in tables.items():
        print_table(title, rows)
    return 0


if __name__ == "__main__":
    sys.exit(main())
