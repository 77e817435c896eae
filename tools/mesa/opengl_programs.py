#!/usr/bin/env python3
# Runs OpenGL programs on Valkyr and on its peers under Xvfb: screenshots, their difference, frame rates.
# SPDX-License-Identifier: MIT
"""OpenGL programs on Valkyr, on llvmpipe and on virgl_test_server.

Each program runs in the same X server, on one driver after the other, with the same keys at the same times.
Programs that animate have a clock that goes by their frames (frame_clock.cpp) and stand still after one of them, so
that pictures and random numbers are the same on all drivers; their frame rates are those from the first frame to it.
The others are photographed some seconds after the start, and Mesa's HUD (not drawn) counts their frames, of which
the rate is the median; with --off-screen rates are what glmark2 prints. Programs that write picture.png into their
folder and end are not photographed. "virgl" is the driver that Valkyr serves, served by virgl_test_server (Debian's
package) on llvmpipe instead.

    tools/mesa/opengl_programs.py --valkyr build/release/bin/valkyr --peers llvmpipe,virgl -o folder
"""
import argparse
import ctypes
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import time
from pathlib import Path
from typing import NamedTuple

OPENARENA = ["openarena", "+set", "r_fullscreen", "0", "+set", "r_mode", "4", "+set", "s_initsound", "0",
             "+set", "com_hunkmegs", "128", "+set", "r_primitives", "2"]
PROGRAMS_FOLDER = Path(__file__).resolve().parent / "programs"
WEBGL = (PROGRAMS_FOLDER / "webgl.html").as_uri()
# KiCad without the dialogs of its first start.
KICAD_SETTINGS = ("mkdir -p .config/kicad/6.0 && echo '(fp_lib_table)' > .config/kicad/6.0/fp-lib-table && "
                  "echo '{\"graphics\": {\"canvas_type\": 1}}' > .config/kicad/6.0/kicad_common.json && ")
TOOLS = {"Xvfb": "xvfb", "import": "imagemagick", "c++": "g++"}  # program and package
CONFLICTS = {"python3-paraview": "python3-vtk9"}  # of Debian 12


class Program(NamedTuple):
    name: str
    packages: str
    command: list
    seconds: float  # until the screenshot, or the longest time until the frame
    keys: tuple = ()  # (seconds after the start, key)
    frame: int = 100  # whose picture is compared; 0: what is there after the seconds, for programs with keys, without
    # frames, or with several processes or own clocks


def scene(file, *arguments):
    """A program of ours on Debian's Python packages."""
    return ["/usr/bin/python3", str(PROGRAMS_FOLDER / file), *arguments]


def web_page(backend, version):
    """Chromium with a page of WebGL; its profile goes with the home folder."""
    return ["chromium", "--no-sandbox", "--no-first-run", "--user-data-dir=chromium", "--window-size=900,700",
            "--window-position=0,0", "--ignore-gpu-blocklist", "--disable-gpu-sandbox", "--in-process-gpu",
            "--use-gl=angle", "--use-angle=" + backend,
            WEBGL + "#" + version]


def firefox(page, drawn_by):
    """Firefox with a page; drawn_by: what of it is drawn by OpenGL, the page (WebRender), WebGL in it, or both, which
    are two threads."""
    settings = {"gfx.webrender.all": drawn_by != "webgl", "gfx.webrender.software": drawn_by == "webgl",
                "webgl.force-enabled": True, "browser.aboutwelcome.enabled": False,
                "datareporting.policy.dataSubmissionEnabled": False, "browser.shell.checkDefaultBrowser": False}
    lines = "".join(f'user_pref("{name}", {json.dumps(value)});' for name, value in settings.items())
    return ["env", "MOZ_DISABLE_CONTENT_SANDBOX=1", "sh", "-c", 'mkdir profile; echo "$1" > profile/user.js; '
            'exec firefox-esr --profile profile --no-remote --width 900 --height 700 "$2"', "firefox", lines, page]


def picture(program):
    """A Blender without a window whose renderer writes picture.png into its folder."""
    return ["blender", "--factory-startup", "-b", "--python", str(PROGRAMS_FOLDER / "blender_render.py"), "--", program]


def qml(file, *settings):
    """A file of ours in Debian's qml of Qt 6, whose RHI is on OpenGL."""
    return ["env", "QSG_RHI_BACKEND=opengl", "QT3D_RENDERER=opengl", *settings, "/usr/lib/qt6/bin/qml", "--core-profile",
            str(PROGRAMS_FOLDER / file)]


def mpv(*options):
    """A still picture of mpv, scaled on the GPU."""
    return ["mpv", "--no-config", "--no-audio", "--hwdec=no", "--gpu-api=opengl", "--gpu-sw", "--loop=inf", "--geometry=640x480+0+0",
            "--osd-level=0", "--pause", "--start=2", *options, "av://lavfi:testsrc2=size=320x240:duration=9"]


def saver(name):
    """A screen saver, whose random numbers follow from the time and the number of its process."""
    return ["env", "FRAME_CLOCK_PID=1000", "/usr/libexec/xscreensaver/" + name]


TEAPOT = str(Path(__file__).resolve().parents[2] / "examples" / "models" / "teapot.obj")
PYGLET = "/usr/share/doc/python3-pyglet/examples"
SUPERTUXKART = ["supertuxkart", "--windowed", "--screensize=800x600", "--no-sound"]
BLENDER = ["blender", "--factory-startup", "--no-window-focus", "--window-geometry", "0", "0", "1024", "768",
           "--python", str(PROGRAMS_FOLDER / "blender_view.py"), "--"]
PROGRAMS = [
    Program("glxgears", "mesa-utils", ["glxgears"], 3),
    Program("es2gears_x11", "mesa-utils-extra", ["es2gears_x11"], 3),
    Program("gtk4-widget-factory", "gtk-4-examples", ["gtk4-widget-factory"], 6, frame=0),
    Program("neverball", "neverball", ["neverball"], 16),
    Program("openarena", "openarena", OPENARENA, 12),
    Program("openarena-game", "openarena", OPENARENA + ["+set", "sv_pure", "0", "+devmap", "oa_dm1"], 25),
    Program("etr", "extremetuxracer", ["etr"], 16),
    Program("billard-gl", "billard-gl", ["billard-gl"], 14),
    Program("chromium-bsu", "chromium-bsu", ["chromium-bsu", "-w", "-na"], 8),
    Program("gl-117", "gl-117", ["gl-117"], 10),
    Program("vtk-edges", "python3-vtk9", scene("vtk_scene.py", "edges"), 7),
    Program("vtk-tubes", "python3-vtk9", scene("vtk_scene.py", "tubes"), 7),
    Program("vtk-peeling", "python3-vtk9", scene("vtk_scene.py", "peeling"), 7),
    Program("vtk-ssao", "python3-vtk9", scene("vtk_scene.py", "ssao"), 7),
    Program("vtk-samples", "python3-vtk9", scene("vtk_scene.py", "samples"), 7),
    Program("moderngl", "python3-moderngl", scene("moderngl_scene.py"), 5),
    Program("pyglet", "python3-pyglet", scene("pyglet_scene.py"), 5),
    Program("pyglet-torus", "python3-pyglet", ["/usr/bin/python3", PYGLET + "/opengl/opengl.py"], 5),
    Program("pyglet-model", "python3-pyglet", ["sh", "-c", f"cd {PYGLET}/3dmodel && exec /usr/bin/python3 model.py"],
            5),
    Program("supertux2", "supertux",
            ["supertux2", "--renderer", "opengl33", "--window", "--geometry", "800x600", "--disable-sound", "--disable-music"],
            14),
    Program("supertuxkart", "supertuxkart", SUPERTUXKART, 25),
    Program("supertuxkart-race", "supertuxkart",
            SUPERTUXKART + ["--no-start-screen", "--track=lighthouse", "--kart=tux", "--numkarts=3"], 90),
    Program("blender-solid", "blender", BLENDER + ["SOLID"], 14, frame=0),
    Program("blender-wireframe", "blender", BLENDER + ["WIREFRAME"], 14, frame=0),
    Program("blender-rendered", "blender", BLENDER + ["RENDERED"], 30, frame=0),
    Program("blender-render-workbench", "blender", picture("WORKBENCH"), 60, frame=0),
    Program("blender-render-eevee", "blender", picture("EEVEE"), 120, frame=0),
    Program("qt6-quick", "qml-qt6 qml6-module-qtqml-workerscript qml6-module-qtquick qml6-module-qtquick-window", qml("quick.qml"), 6),
    Program("qt6-3d",
            "qml-qt6 qml6-module-qtquick-scene3d qml6-module-qt3d-core qml6-module-qt3d-render qml6-module-qt3d-extras qml6-module-qt3d-input qml6-module-qt3d-logic",
            qml("qt3d.qml"), 8),
    Program("godot3-gles3", "godot3",
            ["godot3", "--path", str(PROGRAMS_FOLDER / "godot"), "--video-driver", "GLES3", "--audio-driver", "Dummy"],
            60),
    Program("moderngl-compute", "python3-moderngl", scene("moderngl_compute.py"), 5),
    Program("mpv-gpu", "mpv",
            mpv("--vo=gpu", "--scale=ewa_lanczossharp", "--cscale=ewa_lanczossharp", "--sigmoid-upscaling", "--deband", "--dither-depth=5", "--dither=error-diffusion"),
            5, frame=0),
    Program("mpv-gpu-next", "mpv", mpv("--vo=gpu-next", "--scale=ewa_lanczossharp"), 5, frame=0),
    Program("openscad", "openscad", ["openscad", str(PROGRAMS_FOLDER / "solid.scad")], 8, frame=0),
    Program("kitty", "kitty",
            ["kitty", "-o", "cursor_blink_interval=0", "sh", "-c", "seq 500 | paste - - - - -; sleep 99"], 4, frame=0),
    Program("stellarium", "stellarium",
            ["stellarium", "--full-screen=no", "--fixed-date=20000101", "--startup-script=none"], 20),
    Program("warzone2100", "warzone2100",
            ["warzone2100", "--window", "--resolution=800x600", "--nosound", "--gfxbackend=opengl"], 15),
    Program("minetest", "minetest", ["minetest"], 8),
    Program("webgl1-gl", "chromium", web_page("gl", "1"), 14, frame=0),
    Program("webgl2-gl", "chromium", web_page("gl", "2"), 14, frame=0),
    Program("webgl1-gles", "chromium", web_page("gles", "1"), 14, frame=0),
    Program("webgl2-gles", "chromium", web_page("gles", "2"), 14, frame=0),
    Program("firefox-page", "firefox-esr", firefox((PROGRAMS_FOLDER / "page.html").as_uri(), "page"), 20, frame=0),
    Program("firefox-webgl1", "firefox-esr", firefox(WEBGL + "#1", "webgl"), 20, frame=0),
    Program("firefox-webgl2", "firefox-esr", firefox(WEBGL + "#2", "webgl"), 20, frame=0),
    Program("firefox-both", "firefox-esr", firefox(WEBGL + "#2", "both"), 20, frame=0),
    Program("pygame", "python3-pygame python3-moderngl", scene("pygame_scene.py"), 6),
    Program("qt5-quick", "qml qml-module-qtquick2 qml-module-qtquick-window2",
            ["/usr/lib/qt5/bin/qml", str(PROGRAMS_FOLDER / "quick5.qml")], 8),
    Program("gltron", "gltron", ["gltron", "-w"], 8),
    Program("foobillardplus", "foobillardplus", ["env", "BROWSER=true", "foobillardplus", "--fullscreen=off"], 15),
    Program("gource", "gource", ["gource", "-800x600", "--seconds-per-day", "10", "--log-format", "custom",
                                 str(PROGRAMS_FOLDER / "commits.log")], 10),
    Program("meshlab", "meshlab geomview", ["meshlab", "/usr/share/geomview/geom/abstr.off"], 15, frame=0),
    Program("pymol", "pymol", ["pymol", "-x", "-d", "fragment trp; show spheres; show surface"], 15, frame=0),
    Program("avogadro", "avogadro", ["avogadro2"], 12, frame=0),
    Program("teeworlds", "teeworlds", ["teeworlds", "gfx_fullscreen 0"], 12),
    # Copies without the rights of a group, for libraries are not preloaded into programs with such rights.
    Program("pinball", "pinball", ["sh", "-c", "cp /usr/games/pinball . && exec ./pinball -nosound"], 12, frame=0),
    Program("torcs", "torcs", ["torcs"], 20),
    Program("freecad", "freecad", ["env", "QTWEBENGINE_DISABLE_SANDBOX=1", "freecad", TEAPOT], 40, frame=0),
    Program("kicad-gerbview", "kicad", ["gerbview"], 15, keys=((6, "Return"),), frame=0),
    Program("kicad-pcbnew", "kicad", ["sh", "-c", KICAD_SETTINGS + "cp " + str(PROGRAMS_FOLDER / "board.kicad_pcb") + " . && exec pcbnew board.kicad_pcb"],
            20, frame=0),
    Program("krita", "krita", ["krita", "--nosplash", "--new-image", "RGBA,U8,500,400"], 30, frame=0),
    Program("obs", "obs-studio", ["obs", "--multi"], 15, frame=0),
    Program("paraview", "paraview python3-paraview",
            ["paraview", "--disable-registry", "--script=" + str(PROGRAMS_FOLDER / "paraview_scene.py")], 40, frame=0),
    Program("qgis", "qgis", ["qgis", "--nologo", "--noplugins"], 40, frame=0),
    Program("cloudcompare", "cloudcompare", ["CloudCompare", TEAPOT], 20, frame=0),
    Program("gmsh", "gmsh", ["gmsh", str(PROGRAMS_FOLDER / "solid.geo")], 10, frame=0),
    Program("geomview", "geomview", ["geomview", "-wpos", "500,500", "/usr/share/geomview/geom/abstr.off"], 8, frame=0),
    Program("redeclipse", "redeclipse", ["redeclipse", "-df0", "-dw800", "-dh600"], 30),
    Program("hedgewars", "hedgewars", ["hedgewars"], 12, frame=0),
    Program("0ad", "0ad", ["0ad", "-quickstart", "-nosound", "-conf=windowed:true"], 60),
    Program("crrcsim", "crrcsim", ["crrcsim"], 15),
    Program("armagetronad", "armagetronad", ["armagetronad", "-window"], 15),
    Program("criticalmass", "criticalmass", ["critter"], 10),
    Program("trackballs", "trackballs", ["trackballs", "-w"], 12),
    Program("bzflag", "bzflag-client", ["bzflag", "-window", "800x600"], 12),
    Program("lbreakouthd", "lbreakouthd", ["sh", "-c", "cp /usr/games/lbreakouthd . && exec ./lbreakouthd"], 10),
    Program("glsnake", "xscreensaver-gl-extra", saver("glsnake"), 12),
    Program("cubicgrid", "xscreensaver-gl", saver("cubicgrid"), 12),
    Program("quasicrystal", "xscreensaver-gl", saver("quasicrystal"), 40),
    Program("splitflap", "xscreensaver-gl", saver("splitflap"), 25),
]
# The default list of glmark2 2023.01, in its order, but clear at the end.
GLMARK2 = ("build:use-vbo=false", "build:use-vbo=true", "texture:texture-filter=nearest",
           "texture:texture-filter=linear", "texture:texture-filter=mipmap", "shading:shading=gouraud",
           "shading:shading=blinn-phong-inf", "shading:shading=phong", "shading:shading=cel",
           "bump:bump-render=high-poly", "bump:bump-render=normals", "bump:bump-render=height",
           "effect2d:kernel=0,1,0;1,-4,1;0,1,0;", "effect2d:kernel=1,1,1,1,1;1,1,1,1,1;1,1,1,1,1;",
           "pulsar:light=false:quads=5:texture=false", "desktop:blur-radius=5:effect=blur:passes=1:separable=true:windows=4",
           "desktop:effect=shadow:windows=4",
           "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=map",
           "buffer:columns=200:interleave=false:update-dispersion=0.9:update-fraction=0.5:update-method=subdata",
           "buffer:columns=200:interleave=true:update-dispersion=0.9:update-fraction=0.5:update-method=map",
           "ideas:speed=duration", "jellyfish", "terrain", "shadow", "refract",
           "conditionals:fragment-steps=0:vertex-steps=0", "conditionals:fragment-steps=5:vertex-steps=0",
           "conditionals:fragment-steps=0:vertex-steps=5", "function:fragment-complexity=low:fragment-steps=5",
           "function:fragment-complexity=medium:fragment-steps=5", "loop:fragment-loop=false:fragment-steps=5:vertex-steps=5",
           "loop:fragment-steps=5:fragment-uniform=false:vertex-steps=5",
           "loop:fragment-steps=5:fragment-uniform=true:vertex-steps=5", "clear")


class Display:
    """An X server of our own, and keys for it."""

    def __init__(self, number, size):
        self.name = f":{number}"
        self.server = subprocess.Popen(["Xvfb", self.name, "-noreset", "-screen", "0", size + "x24"], stderr=subprocess.DEVNULL)
        for _ in range(100):
            if os.path.exists(f"/tmp/.X11-unix/X{number}"):
                break
            time.sleep(0.05)
        time.sleep(0.3)

    def press(self, key):
        x11, xtst = ctypes.CDLL("libX11.so.6"), ctypes.CDLL("libXtst.so.6")
        x11.XOpenDisplay.restype = ctypes.c_void_p
        display = ctypes.c_void_p(x11.XOpenDisplay(self.name.encode()))
        x11.XStringToKeysym.restype = ctypes.c_ulong
        symbol = ctypes.c_ulong(x11.XStringToKeysym(key.encode()))
        code = x11.XKeysymToKeycode(display, symbol)
        for down in (1, 0):
            xtst.XTestFakeKeyEvent(display, code, down, ctypes.c_ulong(0))
            x11.XFlush(display)
            time.sleep(0.1)
        x11.XCloseDisplay(display)

    def photograph(self, path):
        subprocess.run(["import", "-display", self.name, "-window", "root", str(path)], check=True)

    def close(self):
        self.server.terminate()
        self.server.wait()


class VirglServer:
    """Debian's vtest server at the socket that Mesa has compiled in, drawing by llvmpipe."""

    SOCKET = Path("/tmp/.virgl_test")

    def __init__(self):
        if self.SOCKET.exists():
            raise SystemExit(f"{self.SOCKET} exists: another server runs, or has left it behind")
        environment = dict(os.environ, LIBGL_ALWAYS_SOFTWARE="1", GALLIUM_DRIVER="llvmpipe")
        self.server = subprocess.Popen(["virgl_test_server", "--use-egl-surfaceless"], env=environment,
                                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True)
        for _ in range(100):
            if self.SOCKET.exists():
                break
            time.sleep(0.05)

    def close(self):
        os.killpg(self.server.pid, signal.SIGKILL)
        self.server.wait()
        self.SOCKET.unlink(missing_ok=True)


class Player:
    def __init__(self, arguments, display):
        self.arguments = arguments
        self.display = display
        self.folder = Path(arguments.output)
        self.clock, self.report = self.folder / "frame_clock.so", self.folder / "frames.txt"
        source = Path(__file__).resolve().parent / "frame_clock.cpp"
        subprocess.run(["c++", "-std=c++20", "-O2", "-shared", "-fPIC", "-fvisibility=hidden", source, "-o", self.clock], check=True)

    def environment(self, driver, hud, frame):
        home = self.folder / "home"
        shutil.rmtree(home, ignore_errors=True)
        home.mkdir(parents=True)
        hud.mkdir(parents=True, exist_ok=True)
        self.report.unlink(missing_ok=True)
        path = "/usr/bin:/bin:/usr/games:" + os.environ.get("PATH", "")  # Debian's Python before others
        values = dict(os.environ, DISPLAY=self.display.name, HOME=str(home), XDG_RUNTIME_DIR=str(home), PATH=path,
                      SDL_AUDIODRIVER="dummy", ALSOFT_DRIVERS="null", GDK_BACKEND="x11", GSK_RENDERER="gl",
                      LIBGL_ALWAYS_SOFTWARE="1", vblank_mode="0")
        if frame:
            values.update(LD_PRELOAD=str(self.clock), FRAME_CLOCK_FRAMES=str(frame), FRAME_CLOCK_REPORT=str(self.report))
        elif not self.arguments.without_rates:
            values.update(GALLIUM_HUD="fps", GALLIUM_HUD_PERIOD="0.5", GALLIUM_HUD_VISIBLE="false",
                          GALLIUM_HUD_DUMP_DIR=str(hud))
        if driver != "valkyr":
            values["GALLIUM_DRIVER"] = {"virgl": "virpipe"}.get(driver, driver)
        return values

    def play(self, program, driver):
        """Returns (alive at the end, frames a second, messages)."""
        hud = self.folder / "hud"
        shutil.rmtree(hud, ignore_errors=True)
        frame = 0 if self.arguments.without_clock else program.frame
        environment = self.environment(driver, hud, frame)
        command = list(program.command)
        if driver == "valkyr":
            command = [self.arguments.valkyr, "run", "--gl", self.arguments.gl, "--"] + command
        server = VirglServer() if driver == "virgl" else None
        log = open(self.folder / f"{program.name}-{driver}.log", "w+", errors="replace")
        made, shot = Path(environment["HOME"]) / "picture.png", self.folder / f"{program.name}-{driver}.png"
        child = subprocess.Popen(command, env=environment, cwd=environment["HOME"], stdout=log,
                                 stderr=subprocess.STDOUT, start_new_session=True)
        begin = time.time()
        for at, key in program.keys:
            time.sleep(max(0, begin + at * self.arguments.slower - time.time()))
            self.display.press(key)
        while time.time() < begin + program.seconds * self.arguments.slower and not self.is_done(child):
            time.sleep(0.1)
        alive = child.poll() is None or made.exists()
        if made.exists():
            shutil.move(made, shot)
        elif not self.arguments.off_screen:
            time.sleep(0.3)
            self.display.photograph(shot)
        self.end(child)
        if server:
            server.close()
        log.seek(0)
        text = log.read()
        printed = re.findall(r"FPS: ([0-9]+)", text)
        rate = float(printed[-1]) if printed else self.rate(hud)
        return {"alive": alive or bool(printed), "rate": rate, "stopped": self.report.exists(),
                "messages": re.findall(r"^valkyr run: (?!the server has ended, exit code 0$).*$", text, re.MULTILINE)}

    def is_done(self, child):
        """Whether the program stands still at its frame, or has ended after its picture or without one."""
        return self.report.exists() or child.poll() is not None

    @staticmethod
    def end(child):
        for number in (signal.SIGTERM, signal.SIGKILL):
            try:
                os.killpg(child.pid, number)
                child.wait(timeout=3)
            except ProcessLookupError:
                break
            except subprocess.TimeoutExpired:
                continue

    def rate(self, hud):
        if self.report.exists():
            frames, seconds = self.report.read_text().split()
            return int(frames) / float(seconds) if float(seconds) > 0 else 0.0
        values = []
        for file in hud.glob("fps*"):
            values += [float(line) for line in file.read_text().split() if re.fullmatch(r"[0-9.]+", line)]
        return statistics.median(values) if values else 0.0

    def difference(self, name):
        if self.arguments.off_screen:
            return ""
        pair = [str(self.folder / f"{name}-{driver}.png") for driver in ("valkyr", self.arguments.peers[0])]
        result = subprocess.run([self.arguments.valkyr, "diff"] + pair, capture_output=True, text=True)
        return " ".join(result.stdout.split())


def selected(arguments):
    rows = [] if arguments.off_screen else list(PROGRAMS)
    for scene in GLMARK2:
        name = "glmark2-" + re.sub(r"[^a-z0-9]+", "-", scene).strip("-")
        command = ["glmark2", "--size", "400x300", "-b", scene + ":duration=60.0"]
        if arguments.off_screen:
            command = ["glmark2", "--off-screen", "--size", "400x300", "-b", scene + ":duration=2.0"]
        rows.append(Program(name, "glmark2", command, 5 if arguments.off_screen else 4, frame=0))
    return [row for row in rows if not arguments.match or re.search(arguments.match, row.name)]


def state_of(rows, peer, program):
    """Whether our program ran, and what the pictures are of if not of the same frame."""
    if not rows["valkyr"]["alive"]:
        return "ended" if rows[peer]["alive"] else "ended, as on " + peer
    if program.frame and not (rows["valkyr"]["stopped"] and rows[peer]["stopped"]):
        return "runs (no frame %d)" % program.frame
    return "runs"


def is_installed(program):
    words = [word for word in program.command if word not in ("env", "sh", "-c") and "=" not in word]
    path = os.environ.get("PATH", "") + ":/usr/games"
    return "sh" in program.command or shutil.which(words[0], path=path) is not None


def print_packages(programs):
    """Prints the packages that can be installed together; names on stderr those that have to follow."""
    packages = {package for program in programs for package in program.packages.split()} | set(TOOLS.values())
    for package, other in CONFLICTS.items():
        if {package, other} <= packages:
            packages.remove(package)
            print(f"left out: {package}, which takes the place of {other} when it is installed afterwards",
                  file=sys.stderr)
    print("\n".join(sorted(packages)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add = parser.add_argument
    add("--valkyr", default="valkyr")
    add("--gl", default="4.3")
    add("--match", help="only programs whose names match this expression")
    add("--peers", default="llvmpipe", help="llvmpipe, virgl or both, separated by a comma; the first one's pictures are compared")
    add("--off-screen", action="store_true", help="the scenes of glmark2, drawn into framebuffer objects; no pictures")
    add("--display", type=int, default=93)
    add("--size", default="1024x768")
    add("--slower", type=float, default=1, help="wait so many times as long, on a busy machine")
    add("--without-clock", action="store_true", help="let programs have the real clock")
    add("--packages", action="store_true", help="print the Debian packages of the chosen programs, and no more")
    add("--without-rates", action="store_true", help="do not count frames")
    add("-o", "--output", help="folder for screenshots and results.json")
    arguments = parser.parse_args()
    if arguments.packages:
        print_packages(selected(arguments))
        return 0
    if arguments.output is None:
        parser.error("--output is needed")
    for tool, package in TOOLS.items():
        if shutil.which(tool) is None:
            parser.error(f"{tool} is missing: apt-get install {package}")
    arguments.valkyr = os.path.abspath(shutil.which(arguments.valkyr) or arguments.valkyr)
    arguments.output = os.path.abspath(arguments.output)
    arguments.peers = arguments.peers.split(",")
    if not set(arguments.peers) <= {"llvmpipe", "virgl"}:
        parser.error("--peers: llvmpipe and virgl are known")
    os.makedirs(arguments.output, exist_ok=True)
    display = Display(arguments.display, arguments.size)
    player = Player(arguments, display)
    file = Path(arguments.output) / "results.json"
    results = json.loads(file.read_text()) if file.exists() else {}
    try:
        for program in selected(arguments):
            name = program.name
            if not is_installed(program):
                print(f"| {name} | not installed: {program.packages} |", flush=True)
                continue
            drivers = [*arguments.peers, "valkyr"]
            rows = {driver: player.play(program, driver) for driver in drivers}
            ours = rows["valkyr"]
            rows["difference"] = player.difference(name)
            rows["ratio"] = {peer: ours["rate"] / rows[peer]["rate"] if rows[peer]["rate"] else 0.0
                             for peer in arguments.peers}
            results[name] = rows
            rates = " | ".join(f"{rows[driver]['rate']:.1f}" for driver in ["valkyr", *arguments.peers])
            ratios = " | ".join(f"{ratio:.2f}" for ratio in rows["ratio"].values())
            print(f"| {name} | {state_of(rows, arguments.peers[0], program)} | {rows['difference']} | {rates} | "
                  f"{ratios} | {'; '.join(ours['messages'])[:200]} |", flush=True)
            file.write_text(json.dumps(results, indent=1))
    finally:
        display.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
