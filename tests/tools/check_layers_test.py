#!/usr/bin/env python3
# tools/dev/check_layers.py: this tree is clean, and wrong arrows are found.
# SPDX-License-Identifier: MIT
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


def check(root: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(ROOT / "tools/dev/check_layers.py"), str(root)], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def test_this_tree_follows_its_arrows(self):
        result = check(ROOT)
        self.assertEqual(result.stdout, "")
        self.assertEqual(result.returncode, 0)

    def find(self, name: str, line: str) -> str:
        with tempfile.TemporaryDirectory() as folder:
            path = pathlib.Path(folder) / name
            path.parent.mkdir(parents=True)
            path.write_text("// x\n" + line + "\n")
            result = check(pathlib.Path(folder))
            self.assertEqual(result.returncode, 1 if result.stdout else 0)
            return result.stdout

    def test_upward_includes_are_found(self):
        self.assertIn("src/base/x.hpp:2:", self.find("src/base/x.hpp", '#include "tgsi/shader.hpp"'))
        self.assertIn("src/jit/x.cpp:2:", self.find("src/jit/x.cpp", '#include "valhall/compiler/ir/ir.hpp"'))
        self.assertIn("src/raster/x.cpp:2:", self.find("src/raster/x.cpp", '  #  include "valhall/isa/instr.hpp"'))

    def test_the_meeting_point_may_see_all(self):
        self.assertEqual(self.find("src/gpu/shader_cache.cpp", '#include "jit/recompiler.hpp"'), "")
        self.assertEqual(self.find("src/gpu/shader_cache_stage.hpp", '#include "jit/recompiler.hpp"'), "")
        self.assertIn("shader_cache.hpp:2:", self.find("src/raster/record/shader_cache.hpp", '#include "jit/recompiler.hpp"'))
        self.assertEqual(self.find("src/raster/x.cpp", '#include "exec/abi.hpp"'), "")

    def test_libraries_stay_in_their_rooms(self):
        self.assertIn("only for src/jit", self.find("tools/x.cpp", "#include <asmjit/x86.h>"))
        self.assertIn("only for tests", self.find("src/tgsi/x.cpp", "#include <doctest/doctest.h>"))

    def test_a_folder_without_a_row_is_reported(self):
        self.assertIn("belongs to no room", self.find("src/attic/x.cpp", ""))


if __name__ == "__main__":
    unittest.main()
