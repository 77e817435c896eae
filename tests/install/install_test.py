#!/usr/bin/env python3
# Installation: what is installed can be built with and used: usage: install_test.py BUILD_FOLDER
# SPDX-License-Identifier: MIT
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()


def run(*arguments, **options):
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


class Install(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)
        cls.prefix = cls.folder / "prefix"
        run("cmake", "--install", BUILD, "--prefix", cls.prefix)
        cls.library = next(cls.prefix.glob("lib*/**/libvalkyr.so")).parent
        cls.environment = {**os.environ, "LD_LIBRARY_PATH": str(cls.library),
                           "PKG_CONFIG_PATH": str(cls.library / "pkgconfig")}

    def check_picture(self, program):
        """The installed library draws what the one of the build draws."""
        pictures = [self.folder / "built.png", self.folder / "installed.png"]
        run(BUILD / "bin" / "hello", pictures[0])
        run(program, pictures[1], env=self.environment)
        run(self.prefix / "bin" / "valkyr", "diff", *pictures)

    def build_example(self, name, **changes):
        source = self.folder / name / "examples"
        shutil.copytree(next(self.prefix.glob("share/doc/*/examples")), source)
        for old, new in changes.items():
            file = source / "CMakeLists.txt"
            text = file.read_text().replace(f"valkyr::{old})", f"valkyr::{new})")
            file.write_text(text)
            self.assertIn(new, text)
        run("cmake", "-S", source, "-B", source / "build", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", source / "build")
        self.check_picture(source / "build" / "hello")

    def test_the_first_program_builds_by_find_package(self):
        self.build_example("shared")

    def test_the_first_program_builds_with_the_static_library(self):
        self.build_example("static", valkyr="valkyr_static")

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_the_first_program_builds_by_pkg_config(self):
        flags = run("pkg-config", "--cflags", "--libs", "valkyr", env=self.environment).split()
        source = next(self.prefix.glob("share/doc/*/examples"))
        program = self.folder / "by_pkg_config"
        run("c++", source / "hello.cpp", source / "image_io.cpp", "-I", source.parent, *flags, "-o", program)
        self.check_picture(program)

    def test_headers_include_nothing_that_is_not_installed(self):
        include = self.prefix / "include" / "valkyr"
        headers = sorted(header.relative_to(include) for header in include.rglob("*.hpp"))
        self.assertGreater(len(headers), 20)
        text = "".join(f'#include "{header}"\n' for header in headers)
        run("c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", include, "-x", "c++", "-",
            input=text)

    def test_the_shared_library_shows_its_own_functions_alone(self):
        names = run("nm", "-D", "--defined-only", "-C", self.library / "libvalkyr.so").splitlines()
        functions = [line.split(" T ", 1)[1] for line in names if " T " in line]
        self.assertTrue(functions)
        self.assertEqual([name for name in functions if not name.startswith("valkyr::")], [])
        self.assertIn("libvalkyr.so.0", run("readelf", "-d", self.library / "libvalkyr.so"))

    def test_every_subcommand_has_a_manual_page_and_completions(self):
        shown = run(self.prefix / "bin" / "valkyr", "--help").split("Subcommands:")[1]
        names = [line.split()[0] for line in shown.splitlines() if line.startswith("  ") and line[2] != " "]
        self.assertIn("run", names)
        pages = {page.name for page in (self.prefix / "share/man/man1").iterdir()}
        self.assertEqual(pages, {"valkyr.1"} | {f"valkyr-{name}.1" for name in names})
        completion = self.prefix / "share/bash-completion/completions/valkyr"
        asked = f'. {completion}; COMP_WORDS=(valkyr demo --eng); COMP_CWORD=2; _valkyr; echo "${{COMPREPLY[@]}}"; ' \
                f'COMP_WORDS=(valkyr demo --engine v); COMP_CWORD=3; _valkyr; echo "${{COMPREPLY[@]}}"'
        self.assertEqual(run("bash", "-c", asked).split(), ["--engine", "valhall"])
        for shell, file in (("zsh", "zsh/site-functions/_valkyr"), ("fish", "fish/vendor_completions.d/valkyr.fish")):
            text = (self.prefix / "share" / file).read_text()
            for name in names:
                self.assertIn(name, text)
            if shutil.which(shell):
                run(shell, "-n", self.prefix / "share" / file)


if __name__ == "__main__":
    unittest.main()
