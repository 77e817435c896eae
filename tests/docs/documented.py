# Documented text: finds code blocks and commands in README.md and the guides.
# SPDX-License-Identifier: MIT
"""A text opens as a command if its first word, behind a prompt "$ " and assignments NAME=value, is a name of
PROGRAMS or a path of FOLDERS.

A block (indented by four blanks) whose first line opens as a command consists of commands, line by
line; a line that ends in a backslash continues on the next. In a session, where the first line has
a prompt, the lines without one are output. A block that opens with "#!" is one command, a script.
Fenced blocks (```cpp) are never commands.

In YAML (a block whose first line is a single word and a colon) the commands are the texts that open so behind "- " and "run: ".

A code span (`valkyr isa FMA.f32`) is a command if it opens so and has arguments. "valkyr NAME" alone names a
subcommand; it is a command only in the first cell of a table row. A span that contains "..." is no command.

A comment at the end of a line, behind " # ", does not belong to the command."""
import dataclasses
import pathlib
import re
from collections.abc import Iterator

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCUMENTS = ["README.md", *sorted(f"docs/guide/{path.name}" for path in (ROOT / "docs/guide").glob("*.md"))]

PROGRAMS = {"valkyr", "apt", "apt-get", "c++", "cmake", "cp", "ctest", "echo", "export", "npm", "parallel", "python3",
            "qemu-aarch64", "valkyr-demo"}
# Beginnings of blocks that contain no commands.
TEXTS = {
    "TGSI text -> ": "a diagram",
    "title ": "a conformance scene",
    "(valkyr) ": "a session in the debugger",
    "step, s [N] ": "commands of the debugger",
    "jobs:\n": "YAML of GitHub",
    "opengl:\n": "YAML of GitLab",
    "cmake_minimum_required(": "CMake's language",
    "#include ": "C++",
}
FOLDERS = re.compile(r"(tools|tests|build|\.ci)/\S")
ASSIGNMENTS = re.compile(r"(?:[A-Z_]+=\S*\s+)*")
SPAN = re.compile(r"`([^`]+)`")
NAME_ALONE = re.compile(r"valkyr [a-z-]+")
YAML = re.compile(r"[a-z]+:\n")
YAML_ITEM = re.compile(r"\s*(?:- )?(?:run: )?")
COMMENT = re.compile(r"\s+# .*")


@dataclasses.dataclass(frozen=True)
class Block:
    """An indented code block, without its indentation."""

    heading: str
    line: int
    text: str


@dataclasses.dataclass(frozen=True)
class Command:
    """A command and its place."""

    document: str
    line: int
    text: str
    name_alone: bool = False  # "valkyr NAME" in a sentence: names a subcommand

    def __str__(self) -> str:
        return f"{self.document}:{self.line}: {self.text}"


def read(document: str) -> list[str]:
    return (ROOT / document).read_text(encoding="utf-8").splitlines()


def without_fenced(lines: list[str]) -> Iterator[str]:
    """The lines, with empty ones in place of fenced blocks."""
    fenced = False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
            line = ""
        yield "" if fenced else line


def blocks(lines: list[str]) -> list[Block]:
    found, heading, start = [], "", None
    lines = [*without_fenced(lines), "end"]
    for number, line in enumerate(lines, 1):
        if start is None and line.startswith("#"):
            heading = line.lstrip("# ")
        if start is None and line.startswith("    "):
            start = number
        elif start is not None and line and not line.startswith("    "):
            text = "\n".join(part[4:] for part in lines[start - 1 : number - 1]).rstrip("\n") + "\n"
            found.append(Block(heading, start, text))
            start = None
            if line.startswith("#"):
                heading = line.lstrip("# ")
    return found


def opens_a_command(text: str) -> bool:
    text = text.removeprefix("$ ")
    assignments = ASSIGNMENTS.match(text + " ")[0]
    first = text[len(assignments) :].split(maxsplit=1)[:1]
    if not first:
        return bool(assignments)
    return first[0] in PROGRAMS or FOLDERS.match(first[0]) is not None


def commands_of_block(document: str, block: Block) -> list[Command]:
    """The commands of a block; none if it is of another kind."""
    if block.text.startswith("#!"):
        return [Command(document, block.line, block.text)]
    numbered = list(enumerate(block.text.splitlines(), block.line))
    if YAML.match(block.text):
        items = ((number, YAML_ITEM.sub("", line, count=1)) for number, line in numbered)
        return [Command(document, number, item) for number, item in items if opens_a_command(item)]
    if not opens_a_command(block.text):
        return []
    if block.text.startswith("$ "):
        numbered = [(number, line[2:]) for number, line in numbered if line.startswith("$ ")]
    found, whole = [], ""
    for number, line in numbered:
        whole += COMMENT.sub("", line)
        if whole.endswith("\\"):
            whole += "\n"
        elif whole:
            found.append(Command(document, number - whole.count("\n"), whole))
            whole = ""
    return found


def commands_of_spans(document: str, lines: list[str]) -> Iterator[Command]:
    """The commands in code spans, which may be broken over two lines."""
    text = "\n".join("" if line.startswith("    ") else line for line in without_fenced(lines))
    for span in SPAN.finditer(text):
        command = " ".join(span[1].split())
        if not opens_a_command(command) or "..." in command:
            continue
        before = text[text.rfind("\n", 0, span.start()) + 1 : span.start()]
        first_cell = before.startswith("|") and before.count("|") == 1
        alone = NAME_ALONE.fullmatch(command) is not None and not first_cell
        if " " in command:
            yield Command(document, text.count("\n", 0, span.start()) + 1, command, alone)


def commands(document: str, lines: list[str]) -> list[Command]:
    """All commands of a document, in order."""
    found = [command for block in blocks(lines) for command in commands_of_block(document, block)]
    found += commands_of_spans(document, lines)
    return sorted(found, key=lambda command: command.line)


def texts(lines: list[str]) -> list[Block]:
    """The blocks that are not commands; YAML that contains commands is included."""
    return [block for block in blocks(lines) if YAML.match(block.text) or not commands_of_block("", block)]
