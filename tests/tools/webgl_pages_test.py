#!/usr/bin/env python3
# Scripts of tools/browser: command lines that are wrong, and pages that Node.js can parse.
# SPDX-License-Identifier: MIT
"""usage: webgl_pages_test.py [UNITTEST ARGUMENTS...]; skipped (exit code 77) without Node.js 20"""
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "tools/browser"


def node(*arguments: str) -> subprocess.CompletedProcess:
    return subprocess.run(["node", *map(str, arguments)], capture_output=True, text=True, timeout=60)


class WebglPages(unittest.TestCase):
    def fails(self, message: str, *arguments: str, script="webgl_pages.mjs"):
        result = node(FOLDER / script, *arguments)
        self.assertEqual((result.returncode, result.stdout), (2, ""), result.stderr)
        self.assertIn(message, result.stderr)

    def test_help_lists_the_scenes_that_exist(self):
        result = node(FOLDER / "webgl_pages.mjs", "--help")
        self.assertEqual(result.returncode, 0, result.stderr)
        names = re.search(r"--scenes LIST +of (.*) \(default", result.stdout)[1].split(", ")
        files = {path.stem for path in (FOLDER / "pages").glob("*.js")}
        self.assertEqual(set(names), files - {"measure", "conformance"})

    def test_wrong_command_lines_have_clear_errors(self):
        self.fails("unknown scene 'teapot'", "--scenes", "teapot")
        self.fails("unknown renderer 'gpu'", "--renderers", "gpu")
        self.fails("--seconds and --rounds are positive numbers", "--seconds", "0")
        self.fails("--wrong", "--wrong")
        with tempfile.TemporaryDirectory() as folder:
            self.fails("npm install three playwright-core", "--modules", folder)
            self.fails("npm install gl-conformance playwright-core", "--modules", folder,
                       script="webgl_conformance.mjs")
        self.assertEqual(node(FOLDER / "webgl_conformance.mjs", "--help").returncode, 0)

    def test_pages_are_modules_without_errors_of_syntax(self):
        for path in sorted((FOLDER / "pages").glob("*.js")):
            result = subprocess.run(["node", "--check", "--input-type=module"], input=path.read_text(),
                                    capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0, f"{path}\n{result.stderr}")


if __name__ == "__main__":
    if shutil.which("node") is None or int(node("-p", "process.versions.node").stdout.split(".")[0]) < 20:
        sys.exit(77)
    unittest.main()
