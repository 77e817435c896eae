#!/usr/bin/env python3
# valkyr demo and valkyr view as a user meets them: files, windows, keys, errors.
# SPDX-License-Identifier: MIT
"""usage: window_test.py VALKYR [UNITTEST ARGUMENTS...]"""
import base64
import ctypes
import json
import os
import pathlib
import shutil
import struct
import subprocess
import sys
import tempfile
import time
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[3]
sys.path.insert(0, str(ROOT / "tests/support"))
from terminal import run_on_terminal

TEAPOT = ROOT / "examples/models/teapot.obj"
TENTACLE = ROOT / "examples/models/tentacle.glb"
VALKYR = ""


def png_size(path: pathlib.Path) -> tuple[int, int]:
    data = path.read_bytes()
    assert data[:8] == b"\x89PNG\r\n\x1a\n"
    return struct.unpack(">II", data[16:24])


class Case(unittest.TestCase):
    """Each test works in a folder of its own."""

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def run_valkyr(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        return subprocess.run([VALKYR, *map(str, arguments)], capture_output=True, text=True, timeout=120,
                              cwd=self.folder, env={**os.environ, **environment})

    def good(self, *arguments: str, **environment: str) -> subprocess.CompletedProcess:
        result = self.run_valkyr(*arguments, **environment)
        self.assertEqual(result.returncode, 0, result.stderr)
        return result

    def write(self, name: str, text: str) -> pathlib.Path:
        path = self.folder / name
        path.write_text(text)
        return path


class Headless(Case):
    def test_every_frame_has_a_file_if_the_name_has_a_number(self):
        self.good("demo", "torus", "--frames", "3", "--size", "40x30", "-o", "f_%02d.png")
        names = ["f_00.png", "f_01.png", "f_02.png"]
        self.assertEqual(sorted(path.name for path in self.folder.iterdir()), names)
        self.assertEqual(len({(self.folder / name).read_bytes() for name in names}), 3)

    def test_ways_to_draw_and_views_change_the_picture(self):
        pictures = set()
        ways = [(), ("--wireframe",), ("--overdraw",), ("--tiles",), ("--samples", "1"), ("--angle", "30"),
                ("--tilt", "20"), ("--zoom", "0.7")]
        for i, way in enumerate(ways):
            self.good("demo", "torus", *way, "--size", "96x80", "-o", f"{i}.png")
            pictures.add((self.folder / f"{i}.png").read_bytes())
        self.assertEqual(len(pictures), len(ways))

    def test_no_video_is_needed(self):
        self.good("demo", "triangle", "--headless", "--size", "16x16", SDL_VIDEODRIVER="none", DISPLAY="")
        self.assertEqual(png_size(self.folder / "triangle.png"), (16, 16))

    def test_bad_values_are_usage_errors(self):
        for arguments in [("--samples", "3"), ("--zoom", "0"), ("--keys", "w,nokey"), ("--frames", "0")]:
            result = self.run_valkyr("demo", *arguments, "--headless")
            self.assertEqual(result.returncode, 2, arguments)
            self.assertNotEqual(result.stderr, "")

    def test_long_work_shows_progress_on_a_terminal_only(self):
        arguments = ["demo", "cube", "--size", "64x48", "--frames", "200", "-o", str(self.folder / "x.png")]
        self.assertNotIn("drawing", self.good(*arguments).stderr)
        result = run_on_terminal([VALKYR, *arguments])
        self.assertEqual(result.returncode, 0)
        self.assertIn("drawing [", result.stderr)
        self.assertTrue(result.stderr.endswith("\r\x1b[K"), result.stderr[-40:])


class Window(Case):
    def test_keys_mouse_and_size_work_and_the_window_can_be_saved(self):
        keys = "h,w,w,o,o,g,g,m,t,l,i,i,n,p,Space,drag:40:10,wheel:2,r,s,size:200x120,wait"
        count = str(len(keys.split(",")))
        result = self.good("demo", "torus", "--size", "96x64", "--frames", count, "--keys", keys, "--screenshot",
                           "shot.png", SDL_VIDEODRIVER="dummy")
        self.assertEqual(result.stdout, "torus.png\n")
        self.assertEqual(png_size(self.folder / "torus.png"), (96, 64))
        self.assertEqual(png_size(self.folder / "shot.png"), (200, 120))

    def test_quitting_ends_the_window(self):
        self.good("demo", "triangle", "--size", "32x32", "--keys", "wait,q", SDL_VIDEODRIVER="dummy")

    def test_no_display_hints_at_headless(self):
        for command in [("demo", "triangle"), ("view", TEAPOT)]:
            # Without a chosen driver, SDL would fall back to one that shows nothing.
            for driver in ("x11", ""):
                result = self.run_valkyr(*command, "--frames", "1", DISPLAY="", WAYLAND_DISPLAY="", SDL_VIDEODRIVER=driver)
                self.assertEqual(result.returncode, 1)
                self.assertIn("--headless", result.stderr)


class XServer(Case):
    """The window on a real X server, with keys from the X server's own test extension."""

    def setUp(self):
        super().setUp()
        if shutil.which("Xvfb") is None:
            self.skipTest("Xvfb is not installed")
        try:
            self.x11 = ctypes.CDLL("libX11.so.6")
            self.xtst = ctypes.CDLL("libXtst.so.6")
        except OSError as error:
            self.skipTest(str(error))
        read, write = os.pipe()
        self.server = subprocess.Popen(["Xvfb", "-displayfd", str(write), "-screen", "0", "640x480x24"],
                                       pass_fds=[write], stderr=subprocess.DEVNULL)
        self.addCleanup(self.server.wait, 10)
        self.addCleanup(self.server.terminate)
        os.close(write)
        with os.fdopen(read) as pipe:
            self.display = ":" + pipe.readline().strip()

    def press(self, connection, key: bytes):
        code = self.x11.XKeysymToKeycode(connection, ctypes.c_ulong(self.x11.XStringToKeysym(key)))
        for down in (1, 0):
            self.xtst.XTestFakeKeyEvent(connection, code, down, ctypes.c_ulong(0))
        self.x11.XFlush(connection)

    def test_real_keys_save_a_picture_and_quit(self):
        # The libraries of X and D-Bus leak memory, some from modules that are unloaded before the
        # end.
        process = subprocess.Popen([VALKYR, "demo", "triangle", "--size", "320x240"], cwd=self.folder,
                                   env={**os.environ, "DISPLAY": self.display, "SDL_VIDEODRIVER": "x11",
                                        "ASAN_OPTIONS": "detect_leaks=0"},
                                   stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        self.addCleanup(process.stdout.close)
        self.addCleanup(process.stderr.close)
        self.addCleanup(process.kill)
        self.x11.XOpenDisplay.restype = ctypes.c_void_p
        self.x11.XStringToKeysym.restype = ctypes.c_ulong
        connection = ctypes.c_void_p(self.x11.XOpenDisplay(self.display.encode()))
        self.x11.XWarpPointer(connection, 0, self.x11.XDefaultRootWindow(connection), 0, 0, 0, 0, 320, 240)
        picture = self.folder / "triangle.png"
        for _ in range(100):
            self.press(connection, b"s")
            time.sleep(0.1)
            if picture.exists():
                break
        for _ in range(100):
            self.press(connection, b"q")
            if process.poll() is not None:
                break
            time.sleep(0.1)
        self.assertEqual(process.returncode, 0)
        self.assertEqual(png_size(picture), (320, 240))


class View(Case):
    def test_the_example_is_drawn(self):
        result = self.good("view", TEAPOT, "--size", "64x48", "-o", "a.png")
        self.assertRegex(result.stdout, r"teapot\.obj: \d+ triangles, \d+ vertices, 4 materials, ")
        self.assertEqual(result.stderr, "")
        self.good("view", TEAPOT, "--size", "64x48", "--angle", "90", "-o", "b.png")
        self.good("view", TEAPOT, "--size", "64x48", "--frame", "30", "-o", "c.png")
        self.assertEqual(len({(self.folder / name).read_bytes() for name in ["a.png", "b.png", "c.png"]}), 3)

    def test_the_example_is_what_its_program_writes(self):
        subprocess.run([sys.executable, ROOT / "examples/models/make_teapot.py", self.folder], check=True)
        for name in ["teapot.obj", "teapot.mtl", "tiles.png"]:
            self.assertEqual((self.folder / name).read_bytes(), (ROOT / "examples/models" / name).read_bytes(), name)

    def test_engines_draw_the_same_bytes(self):
        for name, options in [("jit", ()), ("valhall", ("--engine", "valhall")), ("one", ("--threads", "1"))]:
            self.good("view", TEAPOT, "--size", "48x32", "-o", f"{name}.png", *options)
        self.assertEqual(len({(self.folder / f"{name}.png").read_bytes() for name in ["jit", "valhall", "one"]}), 1)

    def test_bad_models_have_clear_errors(self):
        cases = [("v 0 0 0\nv 1 0 0\nf 1 2 3\n", "m.obj:3: error: there is no vertex 3"),
                 ("v 0 0 nan\n", "m.obj:1: error: 'nan' is not a finite number"),
                 ("# nothing\n", "m.obj: error: the model has no faces")]
        for text, message in cases:
            result = self.run_valkyr("view", self.write("m.obj", text), "-o", "x.png")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(message, result.stderr)
        result = self.run_valkyr("view", "nowhere.obj", "-o", "x.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("nowhere.obj: error: no such file", result.stderr)
        self.assertEqual(self.run_valkyr("view").returncode, 2)

    def test_missing_pictures_and_libraries_are_warnings(self):
        self.write("m.mtl", "newmtl a\nmap_Kd none.png\n")
        model = self.write("m.obj", "mtllib m.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl a\nf 1 2 3\n")
        result = self.good("view", model, "--size", "16x16", "-o", "x.png")
        self.assertIn("warning: texture", result.stderr)
        self.assertIn("none.png: no such file", result.stderr)


class ViewGltf(Case):
    SQUARE = [-1, -1, 0, 1, -1, 0, -1, 1, 0, 1, 1, 0]

    def model(self, positions=SQUARE, material=None, node=None, attributes=None, file=None, targets=()):
        """Writes a strip of two triangles and returns its path. attributes, targets: kind, format, values."""
        arrays = [("POSITION", "VEC3", "f", positions), *(attributes or ()), *(("", "VEC3", "f", t) for t in targets)]
        data, views, accessors = b"", [], []
        for _, kind, code, values in arrays:
            part = struct.pack(f"<{len(values)}{code}", *values)
            views.append({"buffer": 0, "byteOffset": len(data), "byteLength": len(part)})
            width = {"VEC3": 3, "VEC4": 4, "MAT4": 16}[kind]
            accessors.append({"bufferView": len(views) - 1, "componentType": {"f": 5126, "B": 5121}[code],
                              "type": kind, "count": len(values) // width})
            data += part
        names = {name: number for number, (name, *_) in enumerate(arrays) if name and name != "MATRICES"}
        first_target = len(arrays) - len(targets)
        primitive = {"mode": 5, "attributes": names, "material": 0}
        if targets:
            primitive["targets"] = [{"POSITION": first_target + i} for i in range(len(targets))]
        unlit = {"extensions": {"KHR_materials_unlit": {}}, "doubleSided": True}
        document = {"asset": {"version": "2.0"}, "scenes": [{"nodes": [0]}], "nodes": [{"mesh": 0, **(node or {})}],
                    "meshes": [{"primitives": [primitive]}], "materials": [{**unlit, **(material or {})}],
                    "buffers": [{"byteLength": len(data), "uri": "data:application/octet-stream;base64,"
                                 + base64.b64encode(data).decode()}],
                    "bufferViews": views, "accessors": accessors, **(file or {})}
        return self.write("m.gltf", json.dumps(document))

    def picture(self, model, *options):
        """The pixels of a picture of 64 x 48, by (x, y)."""
        self.good("view", model, "--size", "64x48", "-o", "x.ppm", *options)
        data = (self.folder / "x.ppm").read_bytes()
        header = b"P6\n64 48\n255\n"
        self.assertTrue(data.startswith(header))
        rgb = data[len(header):]
        return {(i % 64, i // 64): tuple(rgb[3 * i:3 * i + 3]) for i in range(64 * 48)}

    def test_the_example_plays_its_animation(self):
        result = self.good("view", TENTACLE, "--size", "64x48", "-o", "a.png")
        self.assertIn("animation 1: wave, 4 s", result.stdout)
        self.assertEqual(result.stderr, "")
        for name, animation in [("b.png", "none"), ("c.png", "wave"), ("d.png", "1")]:
            self.good("view", TENTACLE, "--size", "64x48", "--animation", animation, "-o", name)
        pictures = [(self.folder / name).read_bytes() for name in ["a.png", "b.png", "c.png", "d.png"]]
        self.assertEqual([pictures[0] == picture for picture in pictures], [True, False, True, True])
        result = self.run_valkyr("view", TENTACLE, "--animation", "walk", "-o", "x.png")
        self.assertEqual(result.returncode, 1)
        self.assertIn("there is no animation walk", result.stderr)

    def test_the_example_is_what_its_program_writes(self):
        made = self.folder / "made.glb"
        subprocess.run([sys.executable, ROOT / "examples/models/make_tentacle.py", made], check=True)
        self.assertEqual(made.read_bytes(), TENTACLE.read_bytes())

    def test_engines_draw_the_same_bytes(self):
        for name, options in [("jit", ()), ("valhall", ("--engine", "valhall")), ("one", ("--threads", "1"))]:
            self.good("view", TENTACLE, "--size", "48x32", "-o", f"{name}.png", *options)
        self.assertEqual(len({(self.folder / f"{name}.png").read_bytes() for name in ["jit", "valhall", "one"]}), 1)

    def test_colours_are_encoded_as_srgb(self):
        # Linear 0.2158605 is 128 of 255 in sRGB, 0.5 is 188 (IEC 61966-2-1).
        color = {"pbrMetallicRoughness": {"baseColorFactor": [0.2158605, 1, 0.5, 1]}}
        self.assertEqual(self.picture(self.model(material=color))[32, 24], (128, 255, 188))
        vertex_colors = [("COLOR_0", "VEC4", "B", [0, 255, 0, 255] * 4)]
        model = self.model(material=color, attributes=vertex_colors)
        document = json.loads(model.read_text())
        document["accessors"][1]["normalized"] = True
        model.write_text(json.dumps(document))
        self.assertEqual(self.picture(model)[32, 24], (0, 255, 0))

    def test_alpha_modes_keep_drop_and_blend(self):
        color = {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 0.5]}}
        sky = self.picture(self.model(material={**color, "alphaMode": "MASK", "alphaCutoff": 0.6}))[32, 24]
        self.assertTrue(all(channel > 60 for channel in sky), sky)
        self.assertEqual(self.picture(self.model(material=color))[32, 24], (0, 0, 0))
        blended = self.picture(self.model(material={**color, "alphaMode": "BLEND"}))[32, 24]
        for channel, behind in zip(blended, sky):
            self.assertLessEqual(abs(channel - behind / 2), 1)

    def test_back_faces_are_seen_if_the_material_has_two_sides(self):
        black = {"pbrMetallicRoughness": {"baseColorFactor": [0, 0, 0, 1]}}
        turned = {"rotation": [0, 1, 0, 0]}
        mirrored = {"scale": [-1, 1, 1]}
        for node, sides, is_seen in [({}, 1, True), (turned, 1, False), (turned, 2, True), (mirrored, 1, True)]:
            model = self.model(material={**black, "doubleSided": sides == 2}, node=node)
            self.assertEqual(self.picture(model)[32, 24] == (0, 0, 0), is_seen, (node, sides))

    def test_joints_and_morph_targets_draw_what_moved_vertices_draw(self):
        # All numbers are exact, so that the pictures are equal.
        moved = [x + 0.5 if i % 3 == 0 and i >= 6 else x for i, x in enumerate(self.SQUARE)]
        identity = [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1]
        attributes = [("JOINTS_0", "VEC4", "B", [0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0]),
                      ("WEIGHTS_0", "VEC4", "f", [1, 0, 0, 0] * 4), ("MATRICES", "MAT4", "f", identity * 2)]
        skin = {"skins": [{"joints": [1, 2], "inverseBindMatrices": 3}], "scenes": [{"nodes": [0, 1, 2]}],
                "nodes": [{"mesh": 0, "skin": 0}, {}, {"translation": [0.5, 0, 0]}]}
        expected = self.picture(self.model(moved))
        self.assertNotEqual(self.picture(self.model()), expected)
        self.assertEqual(self.picture(self.model(attributes=attributes, file=skin)), expected)
        offsets = [1.0 if i % 3 == 0 and i >= 6 else 0.0 for i in range(12)]
        self.assertEqual(self.picture(self.model(targets=[offsets], node={"weights": [0.5]})), expected)

    def test_bad_models_have_clear_errors(self):
        cases = [("", "m.gltf: error: JSON string too short"), ("{]", "m.gltf: error: "),
                 ('{"asset": {"version": "2.0"}}', "the scene has no triangles"),
                 ('{"asset": {"version": "2.0"}, "extensionsRequired": ["KHR_texture_basisu"]}',
                  "the file requires the extension KHR_texture_basisu")]
        for text, message in cases:
            result = self.run_valkyr("view", self.write("m.gltf", text), "-o", "x.png")
            self.assertEqual((result.returncode, result.stdout), (1, ""))
            self.assertIn(message, result.stderr)
        result = self.run_valkyr("view", self.model(), "-o", "x.jpg")
        self.assertEqual(result.returncode, 2)
        self.assertIn("does not end with .png, .ppm or .qoi", result.stderr)


if __name__ == "__main__":
    VALKYR = str(pathlib.Path(sys.argv.pop(1)).resolve())
    unittest.main()
