#!/usr/bin/env python3
# Reference: writes manual pages and shell completions from what `valkyr --help` says.
# SPDX-License-Identifier: MIT
"""usage: reference.py VALKYR FOLDER

Writes FOLDER/man/man1/valkyr.1 and valkyr-COMMAND.1, FOLDER/valkyr.bash, _valkyr and valkyr.fish.
"""
import dataclasses
import pathlib
import re
import subprocess
import sys

LISTS = {"Positionals", "Options", "Subcommands"}  # sections of items: a name, and its meaning


@dataclasses.dataclass
class Item:
    """An option, positional argument or subcommand."""

    names: list[str]  # --threads and the like; a positional argument has one
    value: str  # what it takes, "" for flags, as the help says it
    text: str

    @property
    def choices(self):
        """The words that it can be: in braces, or "this, that or other" at the end of the text."""
        if found := re.search(r"\{([^}]*)\}", self.value):
            return found[1].split(",")
        found = re.search(r": ((?:[\w.]+, )*[\w.]+) or ([\w.]+)$", self.text) if self.value else None
        return [*found[1].split(", "), found[2]] if found else []

    @property
    def takes_path(self):
        return re.search(r"\b(file|FILE|folder|directory|PNG|path|[Tt]race|Where)\b", self.value + " " + self.text) is not None


@dataclasses.dataclass
class Help:
    """The help of a command."""

    title: str
    usage: str
    items: dict  # section: list of Item
    rest: list  # (heading, lines) of what follows


def parse_item(head, text):
    names, _, value = head.partition(" ")
    return Item(names.split(","), re.sub(r" Excludes:.*| Needs:.*", "", value.strip()), text.strip())


def parse_section(lines):
    items = []
    for line in lines:
        # CLI11 puts the meaning at column 30, on a line of its own if the name is too long.
        if line.startswith(" " * 30):
            items[-1].text = (items[-1].text + " " + line.strip()).strip()
        elif len(line) > 30 and line[28:30] == "  ":
            items.append(parse_item(line[2:30].strip(), line[30:]))
        else:
            items.append(parse_item(line.strip(), ""))
    return items


def parse_help(text):
    lines = text.strip("\n").split("\n")
    found = Help(lines[0], lines[1].removeprefix("Usage: "), {}, [])
    for block in "\n".join(lines[2:]).strip("\n").split("\n\n"):
        heading, *body = block.split("\n")
        if heading.rstrip(":") in LISTS:
            found.items[heading.rstrip(":")] = parse_section(body)
        else:
            # A heading ends with a colon; other text has none.
            found.rest.append((heading, body) if heading.endswith(":") else ("", [heading, *body]))
    return found


def help_of(valkyr, *command):
    done = subprocess.run([valkyr, *command, "--help"], capture_output=True, text=True, check=True)
    return parse_help(done.stdout)


def roff(text):
    """Text without meaning to roff."""
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text[:1] in "'." else text


def man_items(items):
    out = []
    for item in items:
        names = ", ".join(f"\\fB{roff(name)}\\fR" for name in item.names)
        out += [".TP", names + (f" \\fI{roff(item.value.replace(',', ', '))}\\fR" if item.value else ""), roff(item.text) or "\\&"]
    return out


def man_page(name, found, version, also):
    title = f"valkyr-{name}" if name else "valkyr"
    summary = found.title.partition(": ")[2] if not name else found.title
    out = [f'.TH {title.upper()} 1 "" "{version}"', ".SH NAME", f"{roff(title)} \\- {roff(summary)}",
           ".SH SYNOPSIS", f"\\fB{roff(found.usage)}\\fR"]
    for section in ("Positionals", "Options", "Subcommands"):
        if section in found.items:
            heading = {"Positionals": "ARGUMENTS", "Subcommands": "COMMANDS"}.get(section, "OPTIONS")
            out += [f".SH {heading}", *man_items(found.items[section])]
    for heading, lines in found.rest:
        out += [f".SH {roff(heading.rstrip(':').upper())}" if heading else ".SH NOTES", ".nf", *map(roff, lines), ".fi"]
    out += [".SH EXIT STATUS", "0 if all went well, 1 after an error, 2 for wrong usage; "
            "\\fBvalkyr run\\fR exits as its program does.",
            ".SH SEE ALSO", ", ".join(f"\\fB{roff(page)}\\fR(1)" for page in also)]
    return "\n".join(out) + "\n"


def options_of(found):
    return found.items.get("Options", [])


def bash_completion(commands):
    cases, values = [], []
    for name, found in commands.items():
        words = [n for item in options_of(found) for n in item.names]
        words += [c for item in found.items.get("Positionals", []) for c in item.choices]
        cases.append(f"        {name}) words=\"{' '.join(words)}\" ;;")
        for item in options_of(found):
            if item.choices:
                values.append(f"        {'|'.join(f'{name}:{n}' for n in item.names)}) words=\"{' '.join(item.choices)}\"; files= ;;")
            elif item.value:
                values.append(f"        {'|'.join(f'{name}:{n}' for n in item.names)}) words= ;;")
    return f"""# Completion of valkyr for bash; written from its --help.
_valkyr() {{
    local word=${{COMP_WORDS[COMP_CWORD]}} last=${{COMP_WORDS[COMP_CWORD - 1]}} words= files=yes i
    COMPREPLY=()
    if [ "$COMP_CWORD" -eq 1 ]; then
        COMPREPLY=($(compgen -W "{' '.join(commands)} --help --version" -- "$word"))
        return
    fi
    for ((i = 2; i < COMP_CWORD; ++i)); do  # what follows -- is another program
        if [ "${{COMP_WORDS[i]}}" = -- ]; then
            COMPREPLY=($(compgen -c -f -- "$word"))
            return
        fi
    done
    case ${{COMP_WORDS[1]}} in
{chr(10).join(cases)}
    esac
    case ${{COMP_WORDS[1]}}:$last in
{chr(10).join(values)}
    esac
    COMPREPLY=($(compgen -W "$words" -- "$word"))
    if [ -n "$files" ] && [[ $word != -* ]]; then
        COMPREPLY+=($(compgen -f -- "$word"))
    fi
}}
complete -o filenames -F _valkyr valkyr
"""


def zsh_text(text):
    return re.sub(r"([\[\]:'\\])", lambda m: "'\\''" if m[1] == "'" else "\\" + m[1], text)


def zsh_action(item):
    if not item.value:
        return ""
    action = f"({' '.join(item.choices)})" if item.choices else "_files" if item.takes_path else ""
    return f":{zsh_text(item.names[-1].lstrip('-'))}:{action}"


def zsh_completion(commands, titles):
    cases = []
    for name, found in commands.items():
        lines = []
        for item in options_of(found):
            exclusive = f"({' '.join(item.names)})" if len(item.names) > 1 else ""
            lines += [f"                '{exclusive}{n}[{zsh_text(item.text)}]{zsh_action(item)}'" for n in item.names]
        for item in found.items.get("Positionals", []):
            action = f"({' '.join(item.choices)})" if item.choices else "_files"
            lines.append(f"                '*:{zsh_text(item.names[0])}:{action}'")
        cases.append(f"            {name}) _arguments \\\n" + " \\\n".join(lines) + " ;;")
    described = "\n".join(f"            '{name}:{zsh_text(text)}'" for name, text in titles.items())
    return f"""#compdef valkyr
# Completion of valkyr for zsh; written from its --help.
_valkyr() {{
    local -a commands
    if (( CURRENT == 2 )); then
        commands=(
{described}
        )
        _describe command commands
        return
    fi
    local command=$words[2]
    shift words
    (( CURRENT-- ))
    case $command in
{chr(10).join(cases)}
    esac
}}
_valkyr "$@"
"""


def fish_text(text):
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'"


def fish_completion(commands, titles):
    out = ["# Completion of valkyr for fish; written from its --help."]
    for name, text in titles.items():
        out.append(f"complete -c valkyr -n __fish_use_subcommand -f -a {name} -d {fish_text(text)}")
    for name, found in commands.items():
        seen = f"-n '__fish_seen_subcommand_from {name}'"
        for item in options_of(found):
            names = " ".join(f"-l {n[2:]}" if n.startswith("--") else f"-s {n[1:]}" for n in item.names)
            choices = f" -x -a {fish_text(' '.join(item.choices))}" if item.choices else ""
            takes = choices or (" -r" if item.takes_path else " -x") if item.value else ""
            out.append(f"complete -c valkyr {seen} {names}{takes} -d {fish_text(item.text)}")
        for item in found.items.get("Positionals", []):
            if item.choices:
                out.append(f"complete -c valkyr {seen} -f -a {fish_text(' '.join(item.choices))}")
    return "\n".join(out) + "\n"


def main():
    if len(sys.argv) != 3:
        sys.exit(__doc__.split("\n")[0])
    valkyr, folder = sys.argv[1], pathlib.Path(sys.argv[2])
    top = help_of(valkyr)
    version = subprocess.run([valkyr, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    titles = {item.names[0]: item.text for item in top.items["Subcommands"]}
    commands = {name: help_of(valkyr, name) for name in titles}
    pages = folder / "man" / "man1"
    pages.mkdir(parents=True, exist_ok=True)
    (pages / "valkyr.1").write_text(man_page("", top, version, [f"valkyr-{name}" for name in titles]))
    for name, found in commands.items():
        (pages / f"valkyr-{name}.1").write_text(man_page(name, found, version, ["valkyr"]))
    (folder / "valkyr.bash").write_text(bash_completion(commands))
    (folder / "_valkyr").write_text(zsh_completion(commands, titles))
    (folder / "valkyr.fish").write_text(fish_completion(commands, titles))


if __name__ == "__main__":
    main()
