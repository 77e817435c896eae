#!/usr/bin/env python3
# tools/dev/build_times.py: reads Ninja's log and dependencies.
# SPDX-License-Identifier: MIT
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools" / "dev"))
import build_times  # noqa: E402

LOG = """# ninja log v5
0\t2500\t1\tsrc/a/CMakeFiles/a.dir/x/one.cpp.o\tf00
100\t600\t1\tbin/valkyr\tf01
2500\t3500\t2\tsrc/a/CMakeFiles/a.dir/x/one.cpp.o\tf00
"""
DEPENDENCIES = """one.cpp.o: #deps 3, deps mtime 1 (VALID)
    one.cpp
    own.hpp
    shared.hpp

two.cpp.o: #deps 3, deps mtime 1 (VALID)
    two.cpp
    own.hpp
    shared.hpp

old.cpp.o: #deps 2, deps mtime 1 (STALE)
    old.cpp
    own.hpp

pch.hxx.gch: #deps 2, deps mtime 1 (VALID)
    pch.hxx
    shared.hpp
"""


class BuildTimes(unittest.TestCase):
    def test_the_last_time_of_an_output_counts(self):
        self.assertEqual(build_times.command_seconds(LOG),
                         {"src/a/CMakeFiles/a.dir/x/one.cpp.o": 1.0, "bin/valkyr": 0.5})

    def test_outputs_belong_to_the_folder_with_their_list(self):
        self.assertEqual(build_times.folder_of("src/a/CMakeFiles/a.dir/x/one.cpp.o"), "src/a")
        self.assertEqual(build_times.folder_of("bin/valkyr"), "bin")
        self.assertEqual(build_times.folder_of("build.ninja"), ".")

    def test_precompiled_headers_are_read_once(self):
        self.assertEqual(build_times.header_readers(DEPENDENCIES), {"own.hpp": 2, "shared.hpp": 1})

    def test_a_folder_without_a_build_is_refused(self):
        with tempfile.TemporaryDirectory() as folder:
            done = subprocess.run([sys.executable, ROOT / "tools/dev/build_times.py", folder],
                                  capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("has no .ninja_log", done.stderr)


if __name__ == "__main__":
    unittest.main()
