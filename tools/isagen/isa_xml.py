"""An XML file as a small tree whose elements know their lines, for errors that say where.

SPDX-License-Identifier: MIT
"""

import xml.sax
from dataclasses import dataclass, field


class IsaError(Exception):
    """The description is wrong; the text begins with file:line."""


@dataclass
class Node:
    """One XML element with the line it stands on."""

    tag: str
    attributes: dict
    line: int
    path: str
    children: list = field(default_factory=list)
    text: str = ""

    def fail(self, message):
        raise IsaError(f"{self.path}:{self.line}: <{self.tag}>: {message}")

    def get(self, name, default=None):
        return self.attributes.get(name, default)

    def need(self, name):
        if name not in self.attributes:
            self.fail(f"attribute '{name}' is missing")
        return self.attributes[name]

    def number(self, name, default=None):
        """The attribute as an integer: decimal, 0x... or 0b..."""
        if name not in self.attributes and default is not None:
            return default
        try:
            return int(self.need(name), 0)
        except ValueError:
            self.fail(f"{name}=\"{self.attributes[name]}\" is not a number")

    def flag(self, name):
        value = self.attributes.get(name, "no")
        if value not in ("yes", "no"):
            self.fail(f"{name}=\"{value}\" must be yes or no")
        return value == "yes"

    def all(self, tag):
        return [child for child in self.children if child.tag == tag]

    def one(self, tag):
        found = self.all(tag)
        if len(found) != 1:
            self.fail(f"needs exactly one <{tag}>, has {len(found)}")
        return found[0]

    def prose(self):
        return " ".join(self.text.split())

    def only(self, attributes, children=""):
        """Refuses attributes and children that are not in these lists of names."""
        for name in self.attributes:
            if name not in attributes.split():
                self.fail(f"unknown attribute '{name}'")
        for child in self.children:
            if child.tag not in children.split():
                child.fail(f"does not belong into <{self.tag}>")


def unique(table, key, value, node):
    if key in table:
        node.fail(f"'{key}' is defined twice")
    table[key] = value


class _TreeBuilder(xml.sax.ContentHandler):
    def __init__(self, path):
        super().__init__()
        self.path = path
        self.stack = [Node("document", {}, 1, path)]

    def startElement(self, name, attrs):
        node = Node(name, dict(attrs), self._locator.getLineNumber(), self.path)
        self.stack[-1].children.append(node)
        self.stack.append(node)

    def endElement(self, name):
        self.stack.pop()

    def characters(self, content):
        self.stack[-1].text += content


def parse_xml(path):
    builder = _TreeBuilder(str(path))
    try:
        xml.sax.parse(str(path), builder)
    except xml.sax.SAXParseException as error:
        raise IsaError(f"{path}:{error.getLineNumber()}: {error.getMessage()}") from error
    return builder.stack[0].one("valhall")
