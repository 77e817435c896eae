#!/usr/bin/env python3
# tools/dev/check_layers.py: this tree has no wrong includes, and wrong ones are found.
# SPDX-License-Identifier: MIT
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
TABLES = ["cmake/rooms.txt", "cmake/public_headers.txt"]


def copy_tables(root: pathlib.Path) -> None:
    (root / "cmake").mkdir()
    for table in TABLES:
        shutil.copy(ROOT / table, root / table)


def check(root: pathlib.Path) -> subprocess.CompletedProcess:
    return subprocess.run([sys.executable, str(ROOT / "tools/dev/check_layers.py"), str(root)], capture_output=True, text=True)


class CheckLayers(unittest.TestCase):
    def test_this_tree_follows_its_arrows(self):
        result = check(ROOT)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertEqual(result.returncode, 0)

    def find(self, name: str, line: str) -> str:
        """Finds wrong includes in a tree of one file with this project's tables."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            copy_tables(root)
            (root / name).parent.mkdir(parents=True)
            (root / name).write_text("// x\n" + line + "\n")
            result = check(root)
            self.assertEqual(result.returncode, 1 if result.stdout else 0, result.stderr)
            return result.stdout

    def refuse(self, table: str, name: str = TABLES[0]) -> str:
        """Returns the error about a table."""
        with tempfile.TemporaryDirectory() as folder:
            root = pathlib.Path(folder)
            copy_tables(root)
            (root / name).write_text(table)
            result = check(root)
            self.assertEqual(result.returncode, 2)
            return result.stderr

    def test_upward_includes_are_found(self):
        self.assertIn("src/base/x.hpp:2:", self.find("src/base/x.hpp", '#include "tgsi/shader.hpp"'))
        self.assertIn("src/jit/x.cpp:2:", self.find("src/jit/x.cpp", '#include "valhall/compiler/ir/ir.hpp"'))
        self.assertIn("src/raster/x.cpp:2:", self.find("src/raster/x.cpp", '  #  include "valhall/isa/instr.hpp"'))

    def test_rooms_below_a_room_have_arrows_of_their_own(self):
        self.assertIn("x.cpp:2:", self.find("src/raster/data/x.cpp", '#include "raster/front/plan.hpp"'))
        self.assertEqual(self.find("src/raster/front/x.cpp", '#include "raster/data/batch.hpp"'), "")
        self.assertIn("x.cpp:2:", self.find("src/raster/x.cpp", '#include "raster/data/batch.hpp"'))

    def test_folders_without_a_row_belong_to_the_one_above(self):
        self.assertEqual(self.find("src/tgsi/text/attic/x.cpp", '#include "tgsi/text/parser.hpp"'), "")
        self.assertIn("belongs to no room", self.find("src/attic/x.cpp", ""))

    def test_the_composition_root_sees_all(self):
        self.assertEqual(self.find("src/gpu/x.cpp", '#include "jit/recompiler.hpp"'), "")
        self.assertEqual(self.find("src/gpu/x.cpp", '#include "raster/device/device_impl.hpp"'), "")
        self.assertIn("x.cpp:2:", self.find("src/raster/device/x.cpp", '#include "gpu/create_device.hpp"'))

    def test_tests_and_benchmarks_are_covered(self):
        self.assertIn("x.cpp:2:", self.find("tests/oracle/x.cpp", '#include "raster/front/clip.hpp"'))
        self.assertIn("x.cpp:2:", self.find("bench/x.cpp", '#include "app/cli/report.hpp"'))
        self.assertIn("x.cpp:2:", self.find("src/app/isa/x.cpp", '#include "gpu/create_device.hpp"'))

    def test_libraries_stay_in_their_rooms(self):
        self.assertIn("only for src/jit", self.find("src/app/x.cpp", "#include <asmjit/x86.h>"))
        self.assertIn("only for tests", self.find("src/tgsi/x.cpp", "#include <doctest/doctest.h>"))
        self.assertIn("only for src/app/cli/command_line.cpp", self.find("src/app/cli/x.cpp", "#include <CLI/CLI.hpp>"))
        self.assertEqual(self.find("src/app/cli/command_line.cpp", "#include <CLI/CLI.hpp>"), "")

    def test_public_names_stand_for_the_headers_of_their_rooms(self):
        hello = "examples/hello.cpp"
        self.assertEqual(self.find(hello, "#include <valkyr/valkyr.hpp>"), "")
        self.assertEqual(self.find(hello, "#include <valkyr/raster/state.hpp>"), "")
        for header in ("jit/recompiler.hpp", "valhall/isa/valhall_isa_gen.hpp"):
            self.assertIn(f'examples may not include "{header}"', self.find(hello, f"#include <valkyr/{header}>"))
        self.assertIn("not in cmake/public_headers.txt", self.find(hello, "#include <valkyr/raster/config.hpp>"))
        self.assertIn("only for examples/hello.cpp", self.find("examples/mesh.cpp", "#include <valkyr/valkyr.hpp>"))
        self.assertIn("only for examples/hello.cpp", self.find("src/raster/x.cpp", "#include <valkyr/raster/state.hpp>"))

    def test_folders_of_tests_that_nobody_adds_are_found(self):
        with tempfile.TemporaryDirectory() as name:
            root = pathlib.Path(name)
            copy_tables(root)
            for folder in ("tests", "tests/raster", "tests/raster/messages"):
                (root / folder).mkdir()
                (root / folder / "CMakeLists.txt").write_text("add_subdirectory(raster)\n")
            self.assertEqual(check(root).stdout, "tests/raster/messages: tests/raster/CMakeLists.txt does not add it\n")

    def test_wrong_tables_are_refused(self):
        self.assertIn("a names b", self.refuse("a: b\n"))
        self.assertIn("rooms.txt:2: not a row", self.refuse("a:\na:\n"))
        self.assertIn("a circle: a -> b -> a", self.refuse("a: b\nb: a\n"))
        self.assertIn("public_headers.txt:2: the second row", self.refuse("a.hpp\na.hpp\n", TABLES[1]))


if __name__ == "__main__":
    unittest.main()
