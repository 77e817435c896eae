#!/usr/bin/env python3
# Frame clock: a program's time goes by its frames and waits, and it stands still after the chosen frame.
# SPDX-License-Identifier: MIT
import os
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

SOURCE = Path(__file__).resolve().parents[2] / "tools" / "mesa" / "frame_clock.cpp"
COMPILER = os.environ.get("CXX", "c++")
# Libraries of the window system, whose swaps write a point each.
WINDOW_SYSTEM = """
#include <cstring>
#include <unistd.h>
extern "C" void glXSwapBuffers(void*, unsigned long) { if (write(1, ".", 1) != 1) _exit(9); }
extern "C" void* glXGetProcAddressARB(const char* name) {
    return std::strcmp(name, "glXSwapBuffers") == 0 ? reinterpret_cast<void*>(&glXSwapBuffers) : nullptr;
}
extern "C" int XSync(void*, int) { return write(1, "s", 1) == 1 ? 0 : 1; }
"""
FRAMES = """
import ctypes, sys, time
glx = ctypes.CDLL("libGLX.so.0")
if sys.argv[1] == "looked up":
    glx.glXGetProcAddressARB.restype = ctypes.c_void_p
    swap = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_ulong)(glx.glXGetProcAddressARB(b"glXSwapBuffers"))
else:
    swap = glx.glXSwapBuffers
start = time.monotonic()
for frame in range(1, 100):
    swap(None, 0)
    print(round(60 * (time.monotonic() - start), 3), end=" ", flush=True)
"""


class FrameClock(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = Path(tempfile.mkdtemp())
        flags = ["-std=c++20", "-shared", "-fPIC", "-Wall", "-Wextra", "-Wpedantic", "-Werror"]
        cls.clock = cls.folder / "frame_clock.so"
        subprocess.run([COMPILER, *flags, "-O2", "-fvisibility=hidden", SOURCE, "-o", cls.clock], check=True)
        for name in ("libGLX.so.0", "libX11.so.6"):
            subprocess.run([COMPILER, *flags, "-x", "c++", "-", "-o", cls.folder / name], input=WINDOW_SYSTEM, text=True, check=True)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.folder)

    def environment(self, **more):
        return dict(os.environ, LD_PRELOAD=str(self.clock), LD_LIBRARY_PATH=str(self.folder), **more)

    def printed(self, program):
        done = subprocess.run([sys.executable, "-c", program], env=self.environment(), capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout.split()

    def test_clock_starts_at_a_fixed_date(self):
        self.assertEqual(self.printed("import time; print(time.time(), time.monotonic(), int(time.time()))"),
                         ["1767225600.0", "1000.0", "1767225600"])

    def test_the_process_has_the_chosen_number(self):
        done = subprocess.run([sys.executable, "-c", "import os; print(os.getpid())"], capture_output=True, text=True, timeout=60,
                              env=self.environment(FRAME_CLOCK_PID="77"))
        self.assertEqual(done.stdout, "77\n")

    def test_waits_move_the_clock_by_their_time_and_take_less(self):
        begin = time.monotonic()
        program = ("import time, select, threading\nt = time.monotonic()\ntime.sleep(100)\nprint(time.monotonic() - t)\n"
                   "select.select([], [], [], 0.01)\nprint(round(time.monotonic() - t, 6))\n"
                   "threading.Event().wait(0.02)\nprint(round(time.monotonic() - t, 6))")
        self.assertEqual(self.printed(program), ["100.0", "100.01", "100.03"])
        self.assertLess(time.monotonic() - begin, 50)

    def test_a_program_that_waits_by_asking_gets_on(self):
        program = "import time\nt = time.monotonic()\nwhile time.monotonic() < t + 0.5: pass\nprint('done')"
        self.assertEqual(self.printed(program), ["done"])

    def test_other_threads_do_not_move_it(self):
        program = ("import time, threading\nt = time.monotonic()\nthread = threading.Thread(target=lambda: time.sleep(0.05))\n"
                   "thread.start()\nthread.join()\nprint(time.monotonic() - t)")
        self.assertEqual(self.printed(program), ["0.0"])

    def test_frames_move_the_clock_until_the_program_stands_still(self):
        for way in ("linked", "looked up"):
            with self.subTest(way):
                report = self.folder / "report"
                report.unlink(missing_ok=True)
                child = subprocess.Popen([sys.executable, "-c", FRAMES, way], stdout=subprocess.PIPE, text=True,
                                         env=self.environment(FRAME_CLOCK_FRAMES="4", FRAME_CLOCK_REPORT=str(report)))
                end = time.monotonic() + 60
                while not report.exists() and time.monotonic() < end:
                    time.sleep(0.01)
                self.assertIsNone(child.poll(), "the program goes on")
                child.kill()
                self.assertEqual(child.communicate()[0], ".1.0 .2.0 .3.0 .s")
                frames, seconds = report.read_text().split()
                self.assertEqual(frames, "3")
                self.assertGreaterEqual(float(seconds), 0)


if __name__ == "__main__":
    unittest.main()
