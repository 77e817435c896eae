#!/usr/bin/env python3
# Citations: checks that comments and documents name files that exist, and how they open.
# SPDX-License-Identifier: MIT
"""usage: check_citations.py [SOURCE_DIR [PATH...]]

Checks all files of the source tree, or those below some paths. Prints file:line and a sentence for each of

- a path with a slash and a known suffix that names no file of the tree, in a comment or a document; it
  may be relative to the top, to src, or to a folder above the file that says it; * and {a,b} mean
  what they mean in a shell;
- a name of a source file or script, without a slash, that no file of the tree has;
- a link of a document to no file, or to no heading;
- a C++ file whose first line is not "// Noun: does X.", or whose second is not the licence;
- a document that is cited by a number, which no reader can find ("document 7.4", "erratum 3");
- a line of a comment or a document that opens with What, Who, Whoever, Those or Of;
- a line of a document with more than 100 columns that is no table, picture or code.

Exit code 1 if there are any."""
import ast
import fnmatch
import functools
import pathlib
import re
import sys
from collections.abc import Iterator

FOLDERS = [".ci", "bench", "cmake", "docs", "examples", "src", "tests", "tools", "xml"]
CPP = {".hpp", ".cpp", ".inl", ".inc"}
SCRIPTS = {".py", ".sh", ".txt", ".cmake", ".scene", ""}
LICENCE = "SPDX-License-Identifier: MIT"

PATH = re.compile(
    r"(?<![\w/.$}<>~:@-])([\w.*{][\w.*{},+-]*/(?:[\w.*{},+-]+/)*[\w.*{},+-]*"
    r"\.(?:hpp|cpp|inl|inc|md|txt|py|sh|cmake|tgsi|scene|png|xml|s|json|in))(?![\w/])"
)
NAME = re.compile(r"(?<![\w/.$}<>~:@*-])([a-z][\w*-]*\.(?:hpp|cpp|inl|inc|py|sh|md))(?![\w/])")
# Names that stand for others (NAME, ...), and files that builds make.
PLACEHOLDER = re.compile(r"[A-Z]{3,}(?!\w*\.md)|\bbuild/|_gen\.|^\.\.\.")
LINK = re.compile(r"\]\(([^)\s]+)\)")
CODE_SPAN = re.compile(r"`[^`]*`")
CPP_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"|\'(?:[^\'\\]|\\.)+\'')
FIRST_LINE = re.compile(r"// [A-Z][^:]*: \S.*\.")
NUMBERED = re.compile(r"\b(?:[Dd]ocuments?|[Ee]rrat(?:um|a)) [A-Z]?\d")
COLUMNS = 100
UNBROKEN = re.compile(r"    |\s*\||\[?!\[")  # code, tables and pictures
OPENING = re.compile(r"[\s>*#|/<!-]*(?:\d+\. )?[*`]*(What|Who|Whoever|Those|Of)\b")

Line = tuple[int, str]


def cpp_comments(lines: list[str]) -> Iterator[Line]:
    raw = ""  # the end of the raw string that a line is in
    for number, line in enumerate(lines, 1):
        if raw:
            if raw in line:
                raw = ""
            continue
        code = CPP_TEXT.sub('""', line)
        opened = re.search(r'R"(\w*)\(', line)
        if opened and f"){opened[1]}\"" not in line:
            raw = f"){opened[1]}\""
        elif "//" in code:
            yield number, code[code.index("//") :].lstrip("/<! ")


def hash_comments(lines: list[str]) -> Iterator[Line]:
    for number, line in enumerate(lines, 1):
        found = re.search(r"(?:^|\s)#(?!!)\s?(.*)", line)
        if found:
            yield number, found[1]


def docstrings(lines: list[str]) -> Iterator[Line]:
    for node in ast.walk(ast.parse("\n".join(lines))):
        if isinstance(node, (ast.Module, ast.ClassDef, ast.FunctionDef)) and ast.get_docstring(node):
            text = node.body[0]
            for number in range(text.lineno, text.end_lineno + 1):
                yield number, lines[number - 1].strip().strip('"')


def prose(path: pathlib.Path, lines: list[str]) -> Iterator[Line]:
    """The lines of a file that people read: comments, or all of a document."""
    if path.suffix == ".md":
        yield from enumerate(lines, 1)
    elif path.suffix in CPP or path.suffix == ".s":
        yield from cpp_comments(lines)
    else:
        yield from hash_comments(lines)
        if path.suffix == ".py":
            yield from docstrings(lines)


@functools.cache
def alternatives(name: str) -> list[str]:
    """The names that {a,b} stands for."""
    found = re.search(r"\{([^{}]*)\}", name)
    if not found:
        return [name]
    return [n for part in found[1].split(",") for n in alternatives(name[: found.start()] + part + name[found.end() :])]


@functools.cache
def exists(root: pathlib.Path, folder: pathlib.Path, name: str) -> bool:
    """Whether a file of that name can be found from a folder, the top, src, or (as scenes do) their root."""
    starts = [root, root / "src", root / "tests/pictures/conformance", folder, *(p for p in folder.parents if root in p.parents)]
    return any(any(start.glob(name)) if "*" in name else (start / name).is_file() for start in starts)


@functools.cache
def names(root: pathlib.Path) -> frozenset[str]:
    """The names of all files, without their folders."""
    return frozenset(p.name for p in files(root, []))


def anchors(path: pathlib.Path) -> set[str]:
    """The names of a document's headings in links, as GitHub makes them."""
    headings = (line.lstrip("# ") for line in path.read_text(encoding="utf-8").splitlines() if re.match(r"#+ ", line))
    return {re.sub(r"[^\w -]", "", h.lower()).strip().replace(" ", "-") for h in headings}


def wrong_link(path: pathlib.Path, target: str) -> bool:
    if re.match(r"\w+:", target):
        return False
    name, _, anchor = target.partition("#")
    linked = (path.parent / name) if name else path
    return not linked.exists() or bool(anchor and linked.suffix == ".md" and anchor not in anchors(linked))


def check_prose(root: pathlib.Path, path: pathlib.Path, number: int, text: str) -> Iterator[str]:
    opening = OPENING.match(text)
    if opening:
        yield f"{number}: opens with {opening[1]}"
    numbered = NUMBERED.search(text)
    if numbered and path.suffix != ".py":
        yield f"{number}: cites something by a number: {numbered[0]}"
    for cited in PATH.findall(text):
        for name in alternatives(cited):
            if not PLACEHOLDER.search(name) and not exists(root, path.parent, name):
                yield f"{number}: no such file: {name}"
    for name in NAME.findall(text):
        if not PLACEHOLDER.search(name) and not fnmatch.filter(names(root), name):
            yield f"{number}: no file of that name: {name}"
    if path.suffix == ".md" and not text.startswith("    "):  # four blanks: code
        for target in LINK.findall(CODE_SPAN.sub('', text)):
            if wrong_link(path, target):
                yield f"{number}: the link leads nowhere: {target}"


def too_long(lines: list[str]) -> Iterator[int]:
    """Numbers of lines of a document that should be broken."""
    fenced = False
    for number, line in enumerate(lines, 1):
        fenced ^= line.lstrip().startswith("```")
        if len(line) > COLUMNS and not fenced and not UNBROKEN.match(line):
            yield number


def check_file(root: pathlib.Path, path: pathlib.Path) -> Iterator[str]:
    """Sentences "line: text" about a file."""
    lines = path.read_text(encoding="utf-8").splitlines()
    if path.suffix in CPP:
        if not lines or not FIRST_LINE.match(lines[0]):
            yield '1: not "// Noun: does X."'
        if len(lines) < 2 or lines[1] != "// " + LICENCE:
            yield f"2: not the licence ({LICENCE})"
    if path.suffix == ".md":
        yield from (f"{number}: longer than {COLUMNS} columns" for number in too_long(lines))
    for number, text in prose(path, lines):
        yield from check_prose(root, path, number, text)


def readable(path: pathlib.Path) -> bool:
    return path.is_file() and (path.suffix in CPP | SCRIPTS | {".md", ".s"}) and "corpus-" not in str(path)


def files(root: pathlib.Path, below: list[str]) -> list[pathlib.Path]:
    found = [p for folder in FOLDERS for p in (root / folder).rglob("*")] + list(root.glob("*"))
    chosen = [p for p in found if not below or any(p == root / b or root / b in p.parents for b in below)]
    return sorted(filter(readable, chosen))


def main() -> int:
    root = pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".").resolve()
    wrong = [f"{p.relative_to(root)}:{text}" for p in files(root, sys.argv[2:]) for text in check_file(root, p)]
    for line in wrong:
        print(line)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
