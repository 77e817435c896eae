#!/usr/bin/env python3
# tools/dev/check_citations.py: this tree has no wrong citations, and wrong ones are found.
# SPDX-License-Identifier: MIT
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEAD = "// Thing: does it.\n// SPDX-License-Identifier: MIT\n"


def check(root: pathlib.Path, *below: str) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(ROOT / "tools/dev/check_citations.py"), str(root), *below], capture_output=True, text=True)


class CheckCitations(unittest.TestCase):
    def test_this_tree_is_clean(self):
        result = check(ROOT)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertEqual(result.returncode, 0)

    def find(self, name: str, text: str) -> str:
        """Returns the sentences about a file in a tree with a header and a document."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            for path, content in {"src/room/thing.hpp": HEAD, "docs/page.md": "# A page: one\n", name: text}.items():
                (root / path).parent.mkdir(parents=True, exist_ok=True)
                (root / path).write_text(content)
            result = check(root)
            self.assertEqual(result.returncode, 1 if result.stdout else 0, result.stderr)
            return result.stdout

    def test_paths_in_comments_exist(self):
        self.assertEqual(self.find("src/room/x.cpp", HEAD + "// See src/room/thing.hpp, room/thing.hpp and room/{thing,x}.*pp.\n"), "")
        self.assertIn("x.cpp:3: no such file: room/gone.hpp", self.find("src/room/x.cpp", HEAD + "int i;  // as in room/gone.hpp\n"))
        self.assertIn("no such file: room/a.hpp", self.find("tools/x.py", '"""Reads room/a.hpp."""\n'))
        self.assertIn("no such file: docs/gone.md", self.find("CMakeLists.txt", "# docs/gone.md tells.\n"))
        self.assertIn("no file of that name: not-here.md", self.find("src/room/x.cpp", HEAD + "// See not-here.md.\n"))
        self.assertIn("no file of that name: gone.hpp", self.find("src/room/x.cpp", HEAD + "// As gone.hpp does.\n"))

    def test_code_is_not_a_comment(self):
        self.assertEqual(self.find("src/room/x.cpp", HEAD + 'auto a = "// room/gone.hpp";\n#include "room/gone.hpp"\n'), "")
        self.assertEqual(self.find("src/room/x.cpp", HEAD + 'auto a = R"(\n// room/gone.hpp\n)";\n'), "")

    def test_placeholders_and_build_outputs_are_not_files(self):
        self.assertEqual(self.find("docs/x.md", "Add src/room/NAME.cpp; it makes build/release/x.txt and /usr/x/y.txt.\n"), "")

    def test_links_lead_somewhere(self):
        self.assertEqual(self.find("docs/x.md", "[a](page.md#a-page-one) [b](../src) [c](https://x.org/y.md) `x[1](y)`\n"), "")
        self.assertIn("the link leads nowhere: gone.md", self.find("docs/x.md", "[a](gone.md)\n"))
        self.assertIn("the link leads nowhere: page.md#b", self.find("docs/x.md", "[a](page.md#b)\n"))

    def test_first_lines_say_noun_and_verb(self):
        self.assertIn("x.cpp:1: not", self.find("src/room/x.cpp", HEAD.replace("Thing: does", "The thing does")))
        self.assertIn("x.cpp:1: not", self.find("src/room/x.cpp", HEAD.replace("Thing", "thing")))
        self.assertIn("x.inc:2: not the licence", self.find("src/room/x.inc", "// Rows: lists things.\nROW(1)\n"))

    def test_documents_are_not_cited_by_numbers(self):
        self.assertIn("x.cpp:3: cites something by a number", self.find("src/room/x.cpp", HEAD + "// See execution document 7.4.\n"))

    def test_lines_of_documents_have_at_most_100_columns(self):
        long = "word " * 20 + "and more"
        self.assertEqual(self.find("docs/x.md", f"| {long} |\n\n    {long}\n\n```\n{long}\n```\n" + "a" * 100 + "\n"), "")
        self.assertIn("x.md:1: longer than 100", self.find("docs/x.md", long + "\n"))

    def test_openings(self):
        self.assertIn("x.cpp:3: opens with What", self.find("src/room/x.cpp", HEAD + "/// What it does.\n"))
        self.assertIn("x.md:1: opens with Of", self.find("docs/x.md", "- Of these, two.\n"))
        self.assertIn("x.py:2: opens with Who", self.find("tools/x.py", 'def f():\n    """Who asks."""\n'))


if __name__ == "__main__":
    unittest.main()
