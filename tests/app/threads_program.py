#!/usr/bin/env python3
# An OpenGL program for tests: threads draw with contexts of one display, or each with its own.
# SPDX-License-Identifier: MIT
"""usage: threads_program.py together | apart
together: two threads at once. apart: one after the other; Mesa loads its driver for each.
Exit code 0 if every pixel has the colour that its thread gave it."""
import ctypes
import sys
import threading
from ctypes import byref, c_float, c_int, c_size_t, c_uint, c_void_p

import gl_program

ROUNDS = 150
CONFIG_ATTRIBUTES = (c_int * 5)(0x3033, 1, 0x3040, 8, 0x3038)  # a pbuffer for OpenGL


class Thread(threading.Thread):
    """Makes textures of many sizes, clears each to a colour of its own and reads it."""
    def __init__(self, number: int, display: int):
        super().__init__()
        self.number, self.display, self.good = number, display, False

    def run(self):
        egl, p = gl_program.load_egl(), c_void_p
        config, count = c_void_p(), c_int()
        egl.eglBindAPI(gl_program.EGL_OPENGL_API)
        assert egl.eglChooseConfig(self.display, CONFIG_ATTRIBUTES, byref(config), 1, byref(count))
        context = egl.eglCreateContext(self.display, config, None, (c_int * 1)(0x3038))
        assert context and egl.eglMakeCurrent(self.display, None, None, context)
        self.good = all(self.draw(i) for i in range(ROUNDS))
        egl.eglMakeCurrent(self.display, None, None, p())

    def draw(self, i: int) -> bool:
        u, size = c_uint, 1 + (i * 7 + self.number * 3) % 40
        texture, frame, buffer = u(), u(), u()
        call("glGenTextures", None, c_int, c_void_p)(1, byref(texture))
        call("glBindTexture", None, u, u)(0x0DE1, texture)
        call("glTexImage2D", None, u, c_int, c_int, c_int, c_int, c_int, u, u, c_void_p)(
            0x0DE1, 0, 0x8058, size, size, 0, 0x1908, 0x1401, bytes(4 * size * size))
        call("glGenFramebuffers", None, c_int, c_void_p)(1, byref(frame))
        call("glBindFramebuffer", None, u, u)(0x8D40, frame)
        call("glFramebufferTexture2D", None, u, u, u, u, c_int)(0x8D40, 0x8CE0, 0x0DE1, texture, 0)
        call("glGenBuffers", None, c_int, c_void_p)(1, byref(buffer))
        call("glBindBuffer", None, u, u)(0x8892, buffer)
        call("glBufferData", None, u, c_size_t, c_void_p, u)(0x8892, 100 + i, bytes(100 + i), 0x88E4)
        colour = (i % 256, self.number * 100, 255 - i % 256, 255)
        call("glClearColor", None, *[c_float] * 4)(*[c / 255 for c in colour])
        call("glClear", None, u)(0x4000)
        pixels = (ctypes.c_ubyte * (4 * size * size))()
        call("glReadPixels", None, c_int, c_int, c_int, c_int, u, u, c_void_p)(
            0, 0, size, size, 0x1908, 0x1401, pixels)
        call("glDeleteBuffers", None, c_int, c_void_p)(1, byref(buffer))
        call("glDeleteFramebuffers", None, c_int, c_void_p)(1, byref(frame))
        call("glDeleteTextures", None, c_int, c_void_p)(1, byref(texture))
        return bytes(pixels) == bytes(colour) * (size * size)


def call(name: str, result, *arguments):
    return gl_program.function(name, result, *arguments)


def initialised_display() -> int:
    gl_program.make_context()
    egl = gl_program.load_egl()
    egl.eglGetCurrentDisplay.restype = c_void_p
    return egl.eglGetCurrentDisplay()


def draw_together() -> bool:
    display = initialised_display()
    threads = [Thread(number, display) for number in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return all(thread.good for thread in threads)


def draw_apart() -> bool:
    good, drawn, end = [], threading.Event(), threading.Event()

    def run(number: int):
        display = initialised_display()
        thread = Thread(number, display)
        good.append(all(thread.draw(i) for i in range(ROUNDS)))
        egl = gl_program.load_egl()
        egl.eglMakeCurrent(display, None, None, None)
        egl.eglTerminate(c_void_p(display))
        egl.eglReleaseThread()
        drawn.set()
        end.wait()  # two threads that live at once have different names

    threads = [threading.Thread(target=run, args=(number,), daemon=True) for number in (1, 2)]
    for thread in threads:
        drawn.clear()
        thread.start()
        drawn.wait(20)
    end.set()
    return good == [True, True]


def main() -> int:
    return 0 if {"together": draw_together, "apart": draw_apart}[sys.argv[1]]() else 1


if __name__ == "__main__":
    sys.exit(main())
