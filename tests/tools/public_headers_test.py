#!/usr/bin/env python3
# tools/packaging/public_headers.py: checks the tree of this project's headers, and refused tables.
# SPDX-License-Identifier: MIT
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "tools/packaging/public_headers.py"


class PublicHeaders(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.tree = self.root / "tree"

    def write(self, **files):
        """Writes headers of the folder `room` and a table of them, in which one has another public name."""
        (self.root / "room").mkdir(exist_ok=True)
        for name, text in files.items():
            (self.root / f"room/{name}.hpp").write_text(text)
        rows = [f"room/{name}.hpp" + (": all.hpp" if name == "all_of_it" else "") for name in files]
        (self.root / "table.txt").write_text("# headers\n" + "\n".join(rows) + "\n")

    def make(self):
        return subprocess.run([sys.executable, str(SCRIPT), self.root / "table.txt", self.tree, self.root],
                              capture_output=True, text=True)

    def refuse(self, **files):
        self.write(**files)
        result = self.make()
        self.assertEqual(result.returncode, 1)
        self.assertFalse(self.tree.exists())
        return result.stderr

    def test_headers_include_each_other_by_their_public_names(self):
        self.write(a="#include <vector>\n", all_of_it='int i;\n\t#include "room/a.hpp"  // why\n#include <vector>\n')
        self.assertEqual(self.make().returncode, 0)
        self.assertEqual((self.tree / "all.hpp").read_text(),
                         "int i;\n\t#include <valkyr/room/a.hpp>  // why\n#include <vector>\n")
        self.assertEqual((self.tree / "room/a.hpp").read_text(), "#include <vector>\n")

    def test_public_headers_include_public_headers_alone(self):
        self.assertIn("a.hpp:2: a public header includes room/b.hpp", self.refuse(a='\n#include "room/b.hpp"\n'))
        self.assertIn("includes asmjit/x86.h", self.refuse(a="#include <asmjit/x86.h>\n"))
        self.assertIn("includes beside.hpp", self.refuse(a='#include "beside.hpp"\n'))

    def test_headers_of_the_table_exist(self):
        self.write(a="")
        (self.root / "room/a.hpp").unlink()
        self.assertIn("room/a.hpp: no such header", self.make().stderr)

    def test_the_tree_has_what_the_table_has_and_keeps_what_is_the_same(self):
        self.write(a="", b="")
        self.assertEqual(self.make().returncode, 0)
        os.utime(self.tree / "room/a.hpp", (1, 1))
        (self.tree / "gone").mkdir()
        (self.tree / "gone/old.hpp").write_text("")
        self.write(a="")
        self.assertEqual(self.make().returncode, 0)
        self.assertEqual([path.name for path in sorted(self.tree.rglob("*"))], ["room", "a.hpp"])
        self.assertEqual((self.tree / "room/a.hpp").stat().st_mtime, 1)

    def test_the_headers_of_this_project_are_complete(self):
        generated = self.root / "generated"
        generated.mkdir()
        (generated / "valhall_isa_gen.hpp").write_text("")
        done = subprocess.run([sys.executable, str(SCRIPT), ROOT / "cmake/public_headers.txt", self.tree, ROOT / "src",
                               generated], capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        quoted = [path for path in self.tree.rglob("*.*") if re.search(r'^\s*#\s*include\s*"', path.read_text(), re.M)]
        self.assertEqual(quoted, [])
        self.assertTrue((self.tree / "valkyr.hpp").is_file())


if __name__ == "__main__":
    unittest.main()
