#!/usr/bin/env python3
# An OpenGL program for tests: draws frames in an X window, reads the window, and says what differs.
# SPDX-License-Identifier: MIT
"""usage: window_program.py X_SERVER
X_SERVER is the process of the X server, which the program stops for some moments. Exit code 0 if the window always
shows the last frame, by GLX and by EGL. Prints how often the memory of a window's buffer is mapped besides that of its
resource, for each."""
import ctypes
import os
import signal
import sys
import threading
from ctypes import POINTER, byref, c_char_p, c_int, c_long, c_uint, c_ulong, c_void_p

RED, GREEN, BLUE = 0xFF0000, 0x00FF00, 0x0000FF
CONFIGURE_NOTIFY, STRUCTURE_NOTIFY_MASK = 22, 1 << 17


class VisualInfo(ctypes.Structure):
    _fields_ = [("visual", c_void_p), ("visualid", c_ulong), ("screen", c_int), ("depth", c_int),
                ("class", c_int), ("red_mask", c_ulong), ("green_mask", c_ulong), ("blue_mask", c_ulong),
                ("colormap_size", c_int), ("bits_per_rgb", c_int)]


class WindowAttributes(ctypes.Structure):
    _fields_ = [("background_pixmap", c_ulong), ("background_pixel", c_ulong), ("border_pixmap", c_ulong),
                ("border_pixel", c_ulong), ("bit_gravity", c_int), ("win_gravity", c_int),
                ("backing_store", c_int), ("backing_planes", c_ulong), ("backing_pixel", c_ulong),
                ("save_under", c_int), ("event_mask", c_long), ("do_not_propagate_mask", c_long),
                ("override_redirect", c_int), ("colormap", c_ulong), ("cursor", c_ulong)]


def library(name: str, **results):
    lib = ctypes.CDLL(name)
    for function, (result, *arguments) in results.items():
        getattr(lib, function).restype = result
        getattr(lib, function).argtypes = arguments
    return lib


X = library("libX11.so.6", XOpenDisplay=(c_void_p, c_char_p), XDefaultRootWindow=(c_ulong, c_void_p),
            XCreateColormap=(c_ulong, c_void_p, c_ulong, c_void_p, c_int),
            XCreateWindow=(c_ulong, c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_uint, c_int, c_uint, c_void_p,
                           c_ulong, c_void_p),
            XMapWindow=(c_int, c_void_p, c_ulong), XSync=(c_int, c_void_p, c_int),
            XNextEvent=(c_int, c_void_p, c_void_p), XResizeWindow=(c_int, c_void_p, c_ulong, c_uint, c_uint),
            XGetImage=(c_void_p, c_void_p, c_ulong, c_int, c_int, c_uint, c_uint, c_ulong, c_int),
            XGetPixel=(c_ulong, c_void_p, c_int, c_int), XDestroyWindow=(c_int, c_void_p, c_ulong),
            XGetVisualInfo=(POINTER(VisualInfo), c_void_p, c_long, c_void_p, c_void_p),
            XDestroyImage=(c_int, c_void_p), XCloseDisplay=(c_int, c_void_p))
GL = library("libGL.so.1", glXChooseVisual=(POINTER(VisualInfo), c_void_p, c_int, POINTER(c_int)),
             glXCreateContext=(c_void_p, c_void_p, c_void_p, c_void_p, c_int),
             glXMakeCurrent=(c_int, c_void_p, c_ulong, c_void_p), glXSwapBuffers=(None, c_void_p, c_ulong),
             glXDestroyContext=(None, c_void_p, c_void_p), glClear=(None, c_uint), glEnable=(None, c_uint),
             glClearColor=(None, *[ctypes.c_float] * 4), glScissor=(None, *[c_int] * 4),
             glReadPixels=(None, c_int, c_int, c_int, c_int, c_uint, c_uint, c_void_p))

EGL = library("libEGL.so.1", eglGetDisplay=(c_void_p, c_void_p), eglInitialize=(c_int, *[c_void_p] * 3),
              eglBindAPI=(c_int, c_uint), eglChooseConfig=(c_int, c_void_p, c_void_p, c_void_p, c_int, c_void_p),
              eglGetConfigAttrib=(c_int, c_void_p, c_void_p, c_int, c_void_p),
              eglCreateWindowSurface=(c_void_p, c_void_p, c_void_p, c_ulong, c_void_p),
              eglCreateContext=(c_void_p, *[c_void_p] * 4), eglMakeCurrent=(c_int, *[c_void_p] * 4),
              eglSwapBuffers=(c_int, c_void_p, c_void_p), eglSwapInterval=(c_int, c_void_p, c_int),
              eglDestroySurface=(c_int, c_void_p, c_void_p), eglDestroyContext=(c_int, c_void_p, c_void_p),
              eglTerminate=(c_int, c_void_p))


class Glx:
    """A context and its windows by GLX."""
    def __init__(self, display: int):
        self.display = display
        wish = (c_int * 9)(4, 5, 8, 8, 9, 8, 10, 8, 0)  # RGBA, double buffer, eight bits a colour
        self.info = GL.glXChooseVisual(display, 0, wish)
        assert self.info, "no visual"

    def make_current(self, window: int):
        self.window = window
        self.context = GL.glXCreateContext(self.display, self.info, None, 1)
        assert GL.glXMakeCurrent(self.display, window, self.context)

    def swap(self):
        GL.glXSwapBuffers(self.display, self.window)

    def close(self):
        GL.glXMakeCurrent(self.display, 0, None)
        GL.glXDestroyContext(self.display, self.context)


class Egl:
    """The same by EGL."""
    def __init__(self, display: int):
        self.display = EGL.eglGetDisplay(display)
        assert EGL.eglInitialize(self.display, None, None) and EGL.eglBindAPI(0x30A2)
        config, count, visual = c_void_p(), c_int(), c_int()
        wish = (c_int * 9)(0x3033, 4, 0x3024, 8, 0x3040, 8, 0x3021, 0, 0x3038)  # a window, red, OpenGL, no alpha
        assert EGL.eglChooseConfig(self.display, wish, byref(config), 1, byref(count)) and count.value
        assert EGL.eglGetConfigAttrib(self.display, config, 0x302E, byref(visual))
        self.config = config
        self.info = X.XGetVisualInfo(display, 1, byref(VisualInfo(visualid=visual.value)), byref(count))
        assert self.info, "no visual"

    def make_current(self, window: int):
        self.surface = EGL.eglCreateWindowSurface(self.display, self.config, window, None)
        self.context = EGL.eglCreateContext(self.display, self.config, None, None)
        assert EGL.eglMakeCurrent(self.display, self.surface, self.surface, self.context)
        assert EGL.eglSwapInterval(self.display, 0)

    def swap(self):
        assert EGL.eglSwapBuffers(self.display, self.surface)

    def close(self):
        EGL.eglMakeCurrent(self.display, None, None, None)
        EGL.eglDestroySurface(self.display, self.surface)
        EGL.eglDestroyContext(self.display, self.context)
        EGL.eglTerminate(self.display)


class Window:
    def __init__(self, kind, width: int, height: int):
        self.display = X.XOpenDisplay(None)
        assert self.display, "no display"
        self.context = kind(self.display)
        info, root = self.context.info.contents, X.XDefaultRootWindow(self.display)
        attributes = WindowAttributes(event_mask=STRUCTURE_NOTIFY_MASK,
                                      colormap=X.XCreateColormap(self.display, root, info.visual, 0))
        self.window = X.XCreateWindow(self.display, root, 0, 0, width, height, 0, info.depth, 1, info.visual,
                                      (1 << 13) | (1 << 11) | (1 << 3), byref(attributes))
        X.XMapWindow(self.display, self.window)
        X.XSync(self.display, 0)
        self.context.make_current(self.window)
        self.size = (width, height)

    def clear(self, colour: int, x: int, width: int):
        GL.glEnable(0x0C11)  # scissor test
        GL.glScissor(x, 0, width, self.size[1])
        GL.glClearColor((colour >> 16) / 255, (colour >> 8 & 255) / 255, (colour & 255) / 255, 1)
        GL.glClear(0x4000)

    def draw(self, left: int, right: int):
        """A frame with two colours, half the window each."""
        width = self.size[0]
        self.clear(left, 0, width // 2)
        self.clear(right, width // 2, width - width // 2)

    def swap(self):
        self.context.swap()

    def shows(self, left: int, right: int) -> bool:
        width, height = self.size
        image = X.XGetImage(self.display, self.window, 0, 0, width, height, 0xFFFFFFFF, 2)
        assert image, "no image"
        good = all(X.XGetPixel(image, x, y) & 0xFFFFFF == (left if x < width // 2 else right)
                   for x in range(width) for y in range(height))
        X.XDestroyImage(image)
        if not good:
            print(f"a window of {width}x{height} shows another picture than {left:06x} and {right:06x}")
        return good

    def resize(self, width: int, height: int, display: int | None = None):
        """Changes the size; if another connection does it, waits for the event."""
        X.XResizeWindow(display or self.display, self.window, width, height)
        event = (c_long * 24)()
        if display:
            X.XSync(display, 0)
            while True:
                X.XNextEvent(self.display, byref(event))
                if event[0] & 0xFFFFFFFF == CONFIGURE_NOTIFY and event[7] & 0xFFFFFFFF == width:
                    break
        self.size = (width, height)

    def close(self):
        self.context.close()
        X.XDestroyWindow(self.display, self.window)
        X.XCloseDisplay(self.display)


def show_frames(window: Window) -> bool:
    good = True
    for left, right in ((RED, GREEN), (GREEN, BLUE), (BLUE, RED)):
        window.draw(left, right)
        window.swap()
        good = window.shows(left, right) and good
    # Frames without a question to the display in between: the memory is written again at once.
    for number in range(40):
        window.draw(number, number << 8)
        window.swap()
    good = window.shows(39, 39 << 8) and good
    # Another frame is drawn and read back while the display has not yet looked at this one.
    server = int(sys.argv[1])
    window.draw(GREEN, GREEN)
    os.kill(server, signal.SIGSTOP)
    threading.Timer(0.3, os.kill, (server, signal.SIGCONT)).start()
    window.swap()
    window.draw(RED, RED)
    pixels = (ctypes.c_ubyte * (4 * window.size[0] * window.size[1]))()
    GL.glReadPixels(0, 0, *window.size, 0x1908, 0x1401, pixels)
    good = bytes(pixels[:4]) == b"\xff\0\0\xff" and good
    return window.shows(GREEN, GREEN) and good


def show_sizes(window: Window) -> bool:
    """A frame after each change of the size has the new size."""
    good, other = True, X.XOpenDisplay(None)
    for number, (width, height) in enumerate(((80, 40), (33, 70), (96, 24), (64, 64))):
        for _ in range(3):
            window.draw(GREEN, GREEN)
            window.swap()
        window.resize(width, height, other if number % 2 else None)
        window.draw(RED, BLUE)
        window.swap()
        good = window.shows(RED, BLUE) and good
    X.XCloseDisplay(other)
    return good


def own_memory() -> int:
    with open("/proc/self/maps", encoding="ascii") as maps:
        return sum("/SYSV" in line or "/memfd:window" in line for line in maps)


def main() -> int:
    good = True
    keeper = X.XOpenDisplay(None)  # an X server starts anew when its last client leaves
    for kind, width in ((Glx, 64), (Glx, 50), (Egl, 64), (Egl, 50)):
        window = Window(kind, width, 32)
        good = show_frames(window) and good
        print(f"{kind.__name__} {width}: {own_memory()}")
        good = show_sizes(window) and good
        window.close()
    X.XCloseDisplay(keeper)
    return 0 if good else 1


if __name__ == "__main__":
    sys.exit(main())
