#!/usr/bin/env python3
# Clang check: runs Clang's warnings or clang-tidy on C++ files, with the flags of a GCC build.
# SPDX-License-Identifier: MIT
"""usage: clang_check.py (warnings | tidy) [--build DIR] [--precompiled] [--joined] [PATH...]

warnings: Clang 14 with -fsyntax-only, warnings as errors. tidy: clang-tidy 14 by .clang-tidy.
PATH...   files or folders, from the top of the source tree; default: all that is compiled
--build   a build directory whose generated headers are up to date (default build/release)
--precompiled   warnings: in half the time, with Clang's own precompiled headers. It does not see that a file lacks
          an include of these; clang-tidy and builds with a compiler cache do
--joined   warnings: compiles files as one that builds without a compiler cache compile as one, so that names that clash
          there are found on machines that have a cache

Prints what is wrong, then the number of files; exit code 1 if a file has errors."""
import argparse
import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
GCC_ONLY = {"-Wno-restrict", "-Wno-tsan", "-Wno-maybe-uninitialized", "-Wno-stringop-overflow", "-Wno-stringop-overread",
            "-Winvalid-pch", "-g1", "--param=ggc-min-heapsize=1048576"}
GCC_STRATEGIES = ("-mmemcpy-strategy=", "-mmemset-strategy=")  # with values

LEAST_GROUP = 8  # files with equal options that are worth a precompiled header


def clang_entry(entry: dict) -> dict:
    """An entry of compile_commands.json for Clang: without output and what only GCC takes."""
    words = [w for w in shlex.split(entry["command"]) if w not in GCC_ONLY and not w.startswith(GCC_STRATEGIES)]
    if "-include" in words:  # the precompiled header: each file must include what it needs
        header = words.index("-include")
        del words[header : header + 2]
    while not words[0].endswith("++"):  # the cache and its settings
        words.pop(0)
    output = words.index("-o")
    return entry | {"command": shlex.join(["clang++-14", *words[1:output], *words[output + 2 :]])}


def files_of(entry: dict) -> list[dict]:
    """An entry for each file that is compiled together with others, or the entry itself."""
    whole = pathlib.Path(entry["file"])
    if not whole.name.startswith("unity_"):
        return [entry]
    parts = re.findall(r'#include "(.+)"', whole.read_text())
    return [entry | {"file": part, "command": entry["command"].replace(entry["file"], part)} for part in parts]


def chosen_entries(build: pathlib.Path, paths: list[str]) -> list[dict]:
    """One entry a source file of the tree, in the order of their names."""
    wanted = [ROOT / p for p in paths or ["."]]
    entries = {}
    commands = json.loads((build / "compile_commands.json").read_text())
    for entry in (part for command in commands for part in files_of(command)):
        file = pathlib.Path(entry["file"])
        if build not in file.parents and any(file == w or w in file.parents for w in wanted):
            entries.setdefault(file, clang_entry(entry))
    return [entries[file] for file in sorted(entries)]


def joined_entries(entries: list[dict], build: pathlib.Path, folder: str) -> list[dict]:
    """The entries, those of files that cmake/ValkyrPrecompile.cmake joins as one."""
    groups: dict[str, list[str]] = {}
    for line in (build / "joined_files.txt").read_text(encoding="utf-8").splitlines():
        target, group, path = line.split(" ", 2)
        groups.setdefault(f"{target}-{group}", []).append(path)
    left = {entry["file"]: entry for entry in entries}
    joined = []
    for name, paths in groups.items():
        chosen = [left.pop(path) for path in paths if path in left]
        if len(chosen) > 1:
            whole = pathlib.Path(folder, f"{name}.cpp")
            whole.write_text("".join(f'#include "{entry["file"]}"\n' for entry in chosen), encoding="utf-8")
            command = chosen[0]["command"].replace(chosen[0]["file"], str(whole))
            command += " -Wno-shadow"  # a name of one file is no mistake in another
            chosen = [chosen[0] | {"file": str(whole), "command": command}]
        joined += chosen
    return joined + list(left.values())


def shared_options(entry: dict) -> tuple[str, ...]:
    """The options that a precompiled header must be made with."""
    words = shlex.split(entry["command"])[1:]
    words = words[: words.index("-c")]
    folders = {i + 1 for i, word in enumerate(words) if word in ("-I", "-isystem")}
    kept = [w for i, w in enumerate(words) if i not in folders and not w.startswith(("-I", "-isystem", "-O", "-g"))]
    return tuple(sorted(set(kept)))


def include_options(entry: dict) -> list[str]:
    words = shlex.split(entry["command"])
    return [part for i, word in enumerate(words) if word.startswith(("-I", "-isystem"))
            for part in words[i : i + (2 if word in ("-I", "-isystem") else 1)]]


def precompile(entries: list[dict], folder: str) -> list[dict]:
    """The entries, those of large groups with a precompiled header for their options."""
    groups: dict[tuple[str, ...], list[dict]] = {}
    changed = []
    for entry in entries:
        if f"-I{ROOT}/src" in include_options(entry):
            groups.setdefault(shared_options(entry), []).append(entry)
        else:  # a program of the installed headers, which are those of the tree under other paths
            changed.append(entry)
    for number, (options, group) in enumerate(groups.items()):
        if len(group) >= LEAST_GROUP:
            tests = any("DOCTEST" in option for option in options)
            header = ROOT / "cmake" / ("precompiled_tests.hpp" if tests else "precompiled.hpp")
            made = f"{folder}/{number}.pch"
            subprocess.run(["clang++-14", *options, *include_options(group[0]), "-x", "c++-header", header, "-o", made],
                           cwd=group[0]["directory"], check=True)
            group = [with_header(entry, made) for entry in group]
        changed += group
    return changed


def with_header(entry: dict, made: str) -> dict:
    compiler, *words = shlex.split(entry["command"])
    words = [w for w in words if not re.fullmatch("-O.", w)]  # the header has no optimization level
    return entry | {"command": shlex.join([compiler, "-include-pch", made, *words])}


def run(entry: dict, check: str, database: str) -> tuple[int, str]:
    """Exit code and messages for one file."""
    if check == "tidy":
        command = ["clang-tidy-14", "--quiet", "-p", database, entry["file"]]
    else:
        command = [w for w in shlex.split(entry["command"]) if w != "-c"] + ["-fsyntax-only"]
    result = subprocess.run(command, cwd=entry["directory"], capture_output=True, text=True)
    return result.returncode, result.stdout + (result.stderr if check == "warnings" or result.returncode else "")


def main() -> int:
    parser = argparse.ArgumentParser(usage=__doc__)
    parser.add_argument("check", choices=["warnings", "tidy"])
    parser.add_argument("--build", default="build/release")
    parser.add_argument("--precompiled", action="store_true")
    parser.add_argument("--joined", action="store_true")
    parser.add_argument("paths", nargs="*")
    options = parser.parse_intermixed_args()
    build = (ROOT / options.build).resolve()
    entries = chosen_entries(build, options.paths)
    count = len(entries)
    if not entries:
        sys.exit("clang_check.py: no compiled files there")
    failed = 0
    with tempfile.TemporaryDirectory() as database:
        pathlib.Path(database, "compile_commands.json").write_text(json.dumps(entries))
        if options.joined and options.check == "warnings":
            entries = joined_entries(entries, build, database)
        if options.precompiled and options.check == "warnings":
            entries = precompile(entries, database)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for code, messages in pool.map(lambda e: run(e, options.check, database), entries):
                failed += code != 0
                if code != 0:
                    print(messages, flush=True)
    parts = f"{count} files" if count == len(entries) else f"{count} files as {len(entries)}"
    print(f"{options.check}: {parts}, {failed} with errors")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
