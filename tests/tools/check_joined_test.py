#!/usr/bin/env python3
# Joined files: files of this build that are compiled as one define each name once, and the check sees if not.
# SPDX-License-Identifier: MIT
"""usage: check_joined_test.py BUILD_DIR"""
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(sys.argv.pop())

FIRST = """namespace valkyr::a {
namespace {

constexpr size_t kMost = 1;
using Word = uint32_t;
struct Place {
    int kMember = 0;
};

int find(const Place& place, int from) {
    return from;
}

}  // namespace

int visible(int x) {
    return x;
}

}  // namespace valkyr::a
"""


def body(text):
    return "namespace valkyr::a {\nnamespace {\n\n" + text + "\n}  // namespace\n}  // namespace valkyr::a\n"


class CheckJoined(unittest.TestCase):
    def check(self, second, group="0"):
        """Names that the check prints for FIRST and another file."""
        with tempfile.TemporaryDirectory() as name:
            folder = pathlib.Path(name)
            (folder / "first.cpp").write_text(FIRST, encoding="utf-8")
            (folder / "second.cpp").write_text(second, encoding="utf-8")
            (folder / "joined_files.txt").write_text(
                f"room 0 {folder}/first.cpp\nroom {group} {folder}/second.cpp\n", encoding="utf-8")
            result = self.run_check(folder)
            self.assertEqual(result.returncode, 1 if result.stdout else 0)
            return [line.split()[1] for line in result.stdout.splitlines()]

    @staticmethod
    def run_check(build):
        return subprocess.run([sys.executable, str(ROOT / "tools/dev/check_joined.py"), str(build)], capture_output=True,
                              text=True)

    def test_names_of_one_group_clash(self):
        self.assertEqual(self.check(body("constexpr size_t kMost =\n    2;\n")), ["valkyr::a::kMost"])
        self.assertEqual(self.check(body("using Word = int;\n")), ["valkyr::a::Word"])
        self.assertEqual(self.check(body("class Place final {\n};\n")), ["valkyr::a::Place"])
        self.assertEqual(self.check(body("int find(const Place& other,\n         int begin) {\n}\n")),
                         ["valkyr::a::find(constPlace&,int)"])

    def test_a_name_hides_what_another_file_takes_from_a_namespace(self):
        taken = "namespace valkyr::a {\nusing base::kMost;\n}\n"
        self.assertEqual(self.check(taken), ["valkyr::a::kMost"])
        self.assertEqual(self.check(taken.replace("kMost", "kLeast")), [])

    def test_other_names_do_not(self):
        self.assertEqual(self.check(body("using Word = uint32_t;\n")), [])
        self.assertEqual(self.check(body("int find(const Place& place) {\n    const int kMost = 3;\n}\n")), [])
        self.assertEqual(self.check(body("template <int k>\nint find(const Place& place, int from) {\n}\n")), [])
        self.assertEqual(self.check(body("constexpr size_t kMost = 1;\n").replace("::a", "::b")), [])
        self.assertEqual(self.check(body("constexpr size_t kMost = 1;\n"), group="1"), [])
        self.assertEqual(self.check(body("// constexpr size_t kMost = 1;\n")), [])

    def test_this_build_has_no_clash(self):
        result = self.run_check(BUILD)
        self.assertEqual(result.stdout + result.stderr, "")
        self.assertGreater(len((BUILD / "joined_files.txt").read_text(encoding="utf-8").splitlines()), 500)


if __name__ == "__main__":
    unittest.main()
