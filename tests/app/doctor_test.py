#!/usr/bin/env python3
# valkyr doctor: its rows where something is hidden, and that `valkyr run` agrees with them.
# SPDX-License-Identifier: MIT
"""usage: doctor_test.py VALKYR"""
import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

VALKYR = sys.argv.pop(1) if __name__ == "__main__" else ""
SECONDS = 120
HIDDEN = ("DISPLAY", "WAYLAND_DISPLAY", "LD_PRELOAD", "VALKYR_CLIENT")
HAS_MESA = shutil.which("Xvfb") and shutil.which("glxinfo") and shutil.which("glxgears")


def start(*arguments: str, **variables: str) -> subprocess.CompletedProcess:
    """Runs valkyr without display variables except those given."""
    environment = {name: value for name, value in os.environ.items() if name not in HIDDEN}
    return subprocess.run([VALKYR, *arguments], env={**environment, **variables}, capture_output=True, text=True,
                          timeout=SECONDS)


class Case(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def examine(self, code: int, *arguments: str, **variables: str) -> dict[str, dict]:
        """The rows of doctor by their names."""
        done = start("doctor", "--json", *arguments, **variables)
        self.assertEqual((done.returncode, done.stderr), (code, ""), done.stdout)
        rows = {row["name"]: row for row in json.loads(done.stdout)}
        missing = [name for name, row in rows.items() if row["verdict"] == "missing"]
        self.assertEqual(bool(missing), code != 0, missing)
        for row in rows.values():
            self.assertIn(row["verdict"], ("ok", "note", "missing"))
            self.assertNotEqual(row["found"], "")
            self.assertEqual(row["remedy"] == "", row["verdict"] == "ok" or "not tried" in row["found"], row)
        return rows

    def expect(self, row: dict, verdict: str, found: str = "", remedy: str = ""):
        self.assertEqual(row["verdict"], verdict, row)
        self.assertIn(found, row["found"])
        self.assertIn(remedy, row["remedy"])


class Anywhere(Case):
    """These tests pass with and without Mesa."""

    def test_no_display_is_missing_and_the_table_says_what_to_do(self):
        rows = self.examine(1)
        self.expect(rows["display"], "missing", "DISPLAY is not set", "valkyr run --xvfb -- PROGRAM")
        self.expect(rows["context of GLX"], "note", "not tried")
        text = start("doctor").stdout
        self.assertRegex(text, r"(?m)^missing  display +DISPLAY is not set\n +-> .*valkyr run --xvfb -- PROGRAM")
        self.assertRegex(text, r"\n\n`valkyr run -- glxgears` does not work: \d+ things? (is|are) missing\.\n$")

    def test_a_display_that_does_not_answer_is_missing_also_for_xvfb(self):
        for arguments in ((), ("--xvfb",)):
            self.expect(self.examine(1, *arguments, DISPLAY=":4711")["display"], "missing", ":4711", "unset it")

    def test_a_display_needs_xvfb_which_must_be_installed(self):
        rows = self.examine(1, "--xvfb", PATH="/no/such/folder")
        self.expect(rows["Xvfb"], "missing", "not installed", "Debian: xvfb")

    def test_hidden_libraries_and_drivers_are_missing(self):
        for name in ("libGL.so.1", "libGLX_mesa.so.0", "libEGL.so.1", "libEGL_mesa.so.0"):
            (self.folder / name).write_text("no library")
        rows = self.examine(1, LD_LIBRARY_PATH=str(self.folder), LIBGL_DRIVERS_PATH="/no/such/folder")
        self.expect(rows["GLX library"], "missing", "libGL.so.1", "Debian: libgl1")
        self.expect(rows["GLX of Mesa"], "missing", "libGLX_mesa.so.0", "Debian: libglx-mesa0")
        self.expect(rows["EGL library"], "note", "libEGL.so.1", "Debian: libegl1")
        self.expect(rows["EGL of Mesa"], "note", "libEGL_mesa.so.0", "Debian: libegl-mesa0")
        self.expect(rows["context of EGL"], "note", "libEGL.so.1")
        self.expect(rows["arrays in loops"], "note", "not tried")

    def test_a_folder_without_mesa_is_no_client(self):
        folder = str(self.folder)
        for arguments, variables in ((("--client", folder), {}), ((), {"VALKYR_CLIENT": folder})):
            self.expect(self.examine(1, *arguments, **variables)["Mesa's client"], "missing", folder, "--client")
            done = start("run", *arguments, "--", "true", **variables)
            self.assertEqual((done.returncode, done.stdout), (1, ""))
            self.assertIn(f"{folder}: no libGLX_mesa.so.0 or libEGL_mesa.so.0", done.stderr)

    def test_programs_are_led_to_a_client_in_a_folder(self):
        (self.folder / "libGLX_mesa.so.0").write_text("no library")
        (self.folder / "dri").mkdir()
        rows = self.examine(1, "--client", str(self.folder), LIBGL_DRIVERS_PATH="/no/such/folder")
        self.expect(rows["Mesa's client"], "ok", f"{self.folder} (--client)")
        self.expect(rows["GLX of Mesa"], "missing", str(self.folder))
        self.expect(rows["Mesa's driver"], "missing", f"{self.folder}/dri")
        words = ("run", "--quiet", "--", "sh", "-c", "echo $LD_LIBRARY_PATH; cat $__EGL_VENDOR_LIBRARY_FILENAMES")
        done = start(*words, VALKYR_CLIENT=str(self.folder))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        lines = done.stdout.splitlines()
        self.assertEqual(lines[0].split(":")[0], str(self.folder))
        self.assertEqual(json.loads(lines[1])["ICD"]["library_path"], f"{self.folder}/libEGL_mesa.so.0")

    def test_a_folder_that_cannot_be_written_is_missing_and_run_hints_at_the_doctor(self):
        for folder, words in (("/no/such/folder", "No such file"), ("/dev/null", "Not a directory")):
            self.expect(self.examine(1, TMPDIR=folder)["folder"], "missing", words, "set TMPDIR")
            done = start("run", "--", "true", TMPDIR=folder)
            self.assertEqual(done.returncode, 1)
            self.assertIn(words, done.stderr)
            self.assertTrue(done.stderr.endswith("\ntry valkyr doctor\n"), done.stderr)

    def test_run_hints_at_the_doctor_only_where_the_program_is_not_to_blame(self):
        deep = self.folder / ("d" * 100)
        deep.mkdir()
        cases = ((1, "the server did not start", ("--", "true"), {"TMPDIR": str(deep)}),
                 (1, "Xvfb is not installed", ("--xvfb", "--", "/bin/true"), {"PATH": "/no/such/folder"}))
        for code, words, arguments, variables in cases:
            done = start("run", *arguments, **variables)
            self.assertEqual(done.returncode, code)
            self.assertIn(words, done.stderr)
            self.assertTrue(done.stderr.endswith("\ntry valkyr doctor\n"), done.stderr)
        for arguments in (("/no/such/program",), ("false",)):
            done = start("run", "--", *arguments)
            self.assertEqual(done.returncode, 1)
            self.assertNotIn("doctor", done.stderr)

    def test_a_path_that_is_too_long_for_a_socket_is_missing(self):
        deep = self.folder / ("d" * 100)
        deep.mkdir()
        self.expect(self.examine(1, TMPDIR=str(deep))["folder"], "missing", "107", "shorter")

    def test_the_machine_of_the_tests_has_what_a_server_needs(self):
        rows = self.examine(1)
        for name in ("folder", "preloaded library", "threads", "sandbox", "executable memory"):
            self.expect(rows[name], "ok")
        level = next(line.split()[2] for line in start("info").stdout.splitlines() if line.startswith("host level"))
        self.assertEqual(rows["host level"]["found"], level)

    def test_the_client_is_no_option_for_people(self):
        self.assertNotIn("probe", start("doctor", "--help").stdout)
        self.assertEqual(start("doctor", "--probe", "none").returncode, 2)


@unittest.skipUnless(HAS_MESA, "Xvfb or Mesa is not installed")
class WithMesa(Case):
    def setUp(self):
        super().setUp()
        if b"__asan_init" in pathlib.Path(VALKYR).read_bytes():
            self.skipTest("the address sanitizer must be the first preload of the client")

    def test_with_xvfb_all_is_well_and_contexts_are_ours(self):
        rows = self.examine(0, "--xvfb")
        self.expect(rows["Mesa's driver"], "ok", "has virpipe")
        for name in ("context of EGL", "context of GLX"):
            self.assertRegex(rows[name]["found"], r"^OpenGL 4\.3 .*Mesa .*, virgl \(Valkyr\)$")
        self.assertIn("`valkyr run --xvfb -- glxgears` works.", start("doctor", "--xvfb").stdout)

    def test_arrays_in_loops_are_a_note_with_the_client_that_confuses_their_elements(self):
        rows = self.examine(0, "--xvfb")
        if "Mesa 22.3." in rows["context of EGL"]["found"]:
            self.expect(rows["arrays in loops"], "note", "elements behind", "valkyr-client")
        else:
            self.expect(rows["arrays in loops"], "ok")

    def test_a_client_in_a_folder_draws(self):
        libraries = pathlib.Path(self.examine(0, "--xvfb")["GLX of Mesa"]["found"]).parent
        for pattern in ("libGLX_mesa.so.0", "libEGL_mesa.so.0", "libglapi.so.0", "libgallium-*.so", "dri"):
            for path in libraries.glob(pattern):
                (self.folder / path.name).symlink_to(path)
        rows = self.examine(0, "--xvfb", "--client", str(self.folder))
        for name in ("GLX of Mesa", "EGL of Mesa", "Mesa's driver"):
            self.expect(rows[name], "ok", str(self.folder))
        self.expect(rows["context of GLX"], "ok", "virgl (Valkyr)")
        self.expect(rows["context of EGL"], "ok", "virgl (Valkyr)")

    def test_without_glxgears_it_does_not_run(self):
        (self.folder / "Xvfb").symlink_to(shutil.which("Xvfb"))
        rows = self.examine(1, "--xvfb", PATH=str(self.folder))
        self.expect(rows.pop("glxgears"), "missing", "not installed", "Debian: mesa-utils")
        self.assertNotIn("missing", [row["verdict"] for row in rows.values()])

    def test_with_a_display_all_is_well(self):
        done = subprocess.run(["xvfb-run", "-a", VALKYR, "doctor"], capture_output=True, text=True, timeout=SECONDS)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        self.assertRegex(done.stdout, r"(?m)^ok       display +DISPLAY :\d+$")

    def test_a_hidden_driver_is_missing_and_so_is_the_context(self):
        rows = self.examine(1, "--xvfb", LIBGL_DRIVERS_PATH="/no/such/folder")
        self.expect(rows["Mesa's driver"], "missing", "/no/such/folder", "libgl1-mesa-dri")
        self.expect(rows["context of GLX"], "missing")

    @unittest.skipUnless(shutil.which("cc"), "no C compiler")
    def test_a_client_that_crashes_is_a_row_and_not_the_end(self):
        # The library is loaded into all programs and aborts the client, `valkyr doctor --probe
        # NAME`.
        source = r"""
#include <stdlib.h>
#include <string.h>
__attribute__((constructor)) static void begin(int count, char** words) {
    if (count == 4 && strcmp(words[2], "--probe") == 0)
        abort();
}
"""
        library = str(self.folder / "crash.so")
        subprocess.run(["cc", "-shared", "-fPIC", "-x", "c", "-", "-o", library], input=source, text=True, check=True)
        rows = self.examine(1, "--xvfb", LD_PRELOAD=library)
        self.expect(rows["context of EGL"], "note", "exit code 134")
        self.expect(rows["context of GLX"], "missing", "exit code 134")
        self.expect(rows["sandbox"], "ok")


if __name__ == "__main__":
    unittest.main()
