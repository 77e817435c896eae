#!/usr/bin/env python3
# Joined files: checks that files which are compiled as one define each name once.
# SPDX-License-Identifier: MIT
"""usage: check_joined.py BUILD_DIR

Builds without a compiler cache compile several files of a target as one (cmake/ValkyrPrecompile.cmake), where names
in their anonymous namespaces clash. Builds with a cache do not see that. BUILD_DIR has the list of the groups. Reads
declarations that begin a line, as .clang-format leaves them. Prints each clash; exit code 1 then."""
import collections
import pathlib
import re
import sys

COMMENT = re.compile(r"//(?! namespace)[^\n]*|/\*.*?\*/", re.DOTALL)
END = re.compile(r"^\} +// namespace")
NAMESPACE = re.compile(r"^namespace ([\w:]+) \{")
TYPE = re.compile(r"^(?:struct|class|union|enum(?: class)?) (\w+)[^;]*$")
ALIAS = re.compile(r"^using (\w+) = (.*)")
IMPORT = re.compile(r"^using ((?:\w+::)+(\w+));")
VARIABLE = re.compile(r"^(?:inline |static )?(?:constexpr|const|thread_local) [^()=;{]*?\b(\w+)(?:\[\w*\])? ?(?:=|\{|;|$)")
FUNCTION = re.compile(r"^(?=\w)(?!using |template|return )[\w:<>,&*\[\] ]*[\w>&*\]] [*&]?(\w+)\((.*)")


def parameters(text: str) -> str:
    """Types of a list of parameters, without their names and values: overloads do not clash."""
    depth = 1
    end = 0
    for end, character in enumerate(text):
        depth += {"(": 1, ")": -1}.get(character, 0)
        if depth == 0:
            break
    listed = re.sub(r"\s+", " ", text[:end])
    return ",".join(re.sub(r"(?<=[\w>&*\]]) *\b[a-z_]\w*$", "", part.split("=")[0].strip()).replace(" ", "")
                    for part in listed.split(","))


def declarations(text: str):
    """(namespace, name, definition) of what a file's anonymous namespaces define, and of using-declarations anywhere,
    which such names would hide; functions have their parameters' types in the name. Equal aliases do not clash: their
    definition is the type, of all others it is empty."""
    lines = COMMENT.sub("", text).split("\n")
    outer = ""
    hidden = False
    for number, line in enumerate(lines):
        if line == "namespace {":
            hidden = True
        elif END.match(line):
            hidden = False
        elif match := NAMESPACE.match(line):
            outer = match[1]
        elif match := IMPORT.match(line):
            yield outer, match[2], match[1]
        elif hidden and (match := ALIAS.match(line)):
            yield outer, match[1], match[2]
        elif hidden and (match := TYPE.match(line) or VARIABLE.match(line)):
            yield outer, match[1], ""
        elif hidden and (match := FUNCTION.match(line)):
            template = lines[number - 1] if lines[number - 1].startswith("template") else ""
            rest = "\n".join([match[2], *lines[number + 1:number + 12]])
            yield outer, f"{template}{match[1]}({parameters(rest)})", ""


def groups(build: pathlib.Path):
    found: dict[tuple[str, str], list[pathlib.Path]] = collections.defaultdict(list)
    for line in (build / "joined_files.txt").read_text(encoding="utf-8").splitlines():
        target, group, path = line.split(" ", 2)
        found[target, group].append(pathlib.Path(path))
    return found


def clashes(files: list[pathlib.Path]):
    """(name, its files) of each name that two files define."""
    places: dict[tuple[str, str], dict[pathlib.Path, str]] = collections.defaultdict(dict)
    for file in files:
        for namespace, name, definition in declarations(file.read_text(encoding="utf-8")):
            places[namespace, name][file] = definition
    return [("::".join(name), sorted(where)) for name, where in places.items()
            if len(where) > 1 and ("" in where.values() or len(set(where.values())) > 1)]


def main() -> int:
    if len(sys.argv) != 2:
        sys.stderr.write(__doc__)
        return 2
    count = 0
    for (target, _), files in groups(pathlib.Path(sys.argv[1])).items():
        for name, where in clashes(files):
            print(f"{target}: {name} is defined in {' and '.join(file.name for file in where)}")
            count += 1
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())
