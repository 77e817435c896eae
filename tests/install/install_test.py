#!/usr/bin/env python3
# Installation: programs build with the installed library as the guide says; usage: install_test.py
# BUILD_FOLDER
# SPDX-License-Identifier: MIT
import concurrent.futures
import os
import pathlib
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests/docs"))

import documented  # noqa: E402

BUILD = pathlib.Path(sys.argv.pop(1)).resolve()
# Only the guide's settings lead programs and tools to the library.
ENVIRONMENT = {name: value for name, value in os.environ.items()
               if name not in ("LD_LIBRARY_PATH", "PKG_CONFIG_PATH", "CMAKE_PREFIX_PATH")} | {"LC_ALL": "C.UTF-8"}


def run(*arguments, **options):
    options = {"env": ENVIRONMENT, **options}
    done = subprocess.run(list(map(str, arguments)), capture_output=True, text=True, **options)
    if done.returncode != 0:
        raise AssertionError(f"{arguments}: exit code {done.returncode}\n{done.stdout}{done.stderr}")
    return done.stdout


def guide_blocks():
    """The indented code blocks of docs/guide/library.md, by the heading above them."""
    by_heading = {}
    for block in documented.blocks(documented.read("docs/guide/library.md")):
        by_heading.setdefault(block.heading, []).append(block.text)
    return by_heading


class TemporaryFolder(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = pathlib.Path(tempfile.mkdtemp())
        cls.addClassCleanup(shutil.rmtree, cls.folder)

    def new_folder(self, name):
        folder = self.folder / name
        folder.mkdir()
        return folder


class Guide:
    """Tests of the guide's commands and files, for cases that have the library installed at `self.prefix`."""

    def follow(self, folder, *headings):
        """Runs the commands of these sections unchanged except for the prefix."""
        commands = "".join(block for heading in headings for block in guide_blocks()[heading])
        self.assertIn("PREFIX=/usr/local\n", commands)
        run("bash", "-ec", commands.replace("PREFIX=/usr/local\n", f"PREFIX={self.prefix}\n"), cwd=folder)

    def check_picture(self, picture, program="hello"):
        """Checks that the installed library makes the picture of the built one."""
        built = self.folder / "built.png"
        run(BUILD / "bin" / program, built)
        run(BUILD / "bin" / "valkyr", "diff", built, picture)

    def test_the_first_program_builds_with_cmake(self):
        folder = self.new_folder("with_cmake")
        self.follow(folder, "A first program", "With CMake")
        self.check_picture(folder / "hello/triangle.png")
        run(folder / "hello/build/compute", folder / "compute.png")
        self.check_picture(folder / "compute.png", "compute")

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_the_first_program_builds_with_pkg_config(self):
        folder = self.new_folder("with_pkg_config")
        self.follow(folder, "A first program", "With pkg-config")
        self.check_picture(folder / "hello/triangle.png")


class Install(Guide, TemporaryFolder):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.prefix = cls.folder / "prefix"
        command = guide_blocks()["Installing"][0]
        assert "cmake --install build/release --prefix /usr/local" in command, command
        run("bash", "-ec", command.replace("build/release", str(BUILD)).replace("/usr/local", str(cls.prefix)))
        cls.library = next(cls.prefix.glob("lib*/**/libvalkyr.so")).parent
        cls.include = cls.prefix / "include"

    def build_project(self, name, library):
        folder = self.new_folder(name)
        lists, program = guide_blocks()["A project of your own"]
        self.assertIn("valkyr::valkyr)", lists)
        (folder / "CMakeLists.txt").write_text(lists.replace("valkyr::valkyr)", f"valkyr::{library})"))
        (folder / "hello.cpp").write_text(program)
        run("cmake", "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}", cwd=folder)
        run("cmake", "--build", "build", cwd=folder)
        self.assertEqual(run("build/hello", cwd=folder), "ready to draw\n")
        return run("ldd", "build/hello", cwd=folder)

    def test_a_project_links_the_shared_library(self):
        self.assertIn("libvalkyr.so.0", self.build_project("shared", "valkyr"))

    def test_a_project_links_the_static_library(self):
        self.assertNotIn("libvalkyr", self.build_project("static", "valkyr_static"))

    def compile(self, text):
        """Returns the errors of a compiler that sees the installed headers and no others."""
        command = ["c++", "-std=c++20", "-fsyntax-only", "-Wall", "-Wextra", "-Werror", "-I", self.include, "-x", "c++", "-"]
        return subprocess.run(command, input=text, capture_output=True, text=True, env=ENVIRONMENT).stderr

    def test_each_header_that_no_other_includes_can_be_included_alone(self):
        """The others are compiled first by some of these; sources include all of them first elsewhere."""
        texts = {header.relative_to(self.include).as_posix(): header.read_text() for header in self.include.rglob("*.hpp")}
        included = set(re.findall(r"#include <(valkyr/.*?)>", "".join(texts.values())))
        headers = sorted(set(texts) - included)
        self.assertIn("valkyr/valkyr.hpp", headers)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            self.assertEqual("".join(pool.map(lambda header: self.compile(f"#include <{header}>\n"), headers)), "")

    def test_headers_have_no_names_but_those_below_valkyr(self):
        """The one exception is OSMesa's header, whose name programs know; include paths hold it as GL/osmesa.h."""
        outside = [path.relative_to(self.include).as_posix() for path in self.include.rglob("*")
                   if path.is_file() and path.relative_to(self.include).parts[0] != "valkyr"]
        self.assertEqual(outside, ["GL/osmesa.h"])
        self.assertEqual(self.compile("#include <valkyr/gpu/create_device.hpp>\n"), "")
        self.assertIn("gpu/create_device.hpp: No such file", self.compile("#include <gpu/create_device.hpp>\n"))

    @unittest.skipUnless(shutil.which("pkg-config"), "no pkg-config")
    def test_pkg_config_and_cmake_name_the_same_include_folder(self):
        found = run("pkg-config", "--variable=includedir", self.library / "pkgconfig/valkyr.pc").strip()
        self.assertEqual(pathlib.Path(found).resolve(), self.include.resolve())
        targets = (self.library / "cmake/valkyr/valkyr-targets.cmake").read_text()
        self.assertEqual(targets.count('INTERFACE_INCLUDE_DIRECTORIES "${_IMPORT_PREFIX}/include"\n'), 2)

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


@unittest.skipUnless(all(map(shutil.which, ("cpack", "dpkg-deb", "dpkg-shlibdeps"))),
                     "Debian packages need cpack, dpkg-deb and dpkg-shlibdeps")
class Packages(Guide, TemporaryFolder):
    """Unpacks the development packages, made as tools/package.sh makes them, into a folder."""

    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        run("cpack", "--config", BUILD / "CPackConfig.cmake", "-G", "DEB", "-B", cls.folder / "packages",
            "-D", "CPACK_COMPONENTS_ALL=library;development", "-D", "CPACK_DEBIAN_COMPRESSION_TYPE=none")
        cls.packages = sorted((cls.folder / "packages").glob("*.deb"))
        for package in cls.packages:
            run("dpkg-deb", "-x", package, cls.folder / "unpacked")
        cls.prefix = cls.folder / "unpacked/usr"

    def test_the_package_of_headers_needs_the_one_of_the_library(self):
        named = {run("dpkg-deb", "-f", package, "Package").strip(): package for package in self.packages}
        self.assertEqual(len(named), 2)
        library = next(name for name in named if name != "libvalkyr-dev")
        self.assertIn(library, run("dpkg-deb", "-f", named["libvalkyr-dev"], "Depends"))


if __name__ == "__main__":
    unittest.main()
