#!/usr/bin/env python3
# An OpenGL program for tests: draws a triangle with two GLSL files, without a window.
# SPDX-License-Identifier: MIT
"""usage: gl_program.py VERTEX FRAGMENT [draws]"""
import ctypes
import functools
import pathlib
import sys

SIZE = 16
EGL_OPENGL_API, EGL_PLATFORM_SURFACELESS = 0x30A2, 0x31DD
PATH = str(pathlib.Path(__file__).resolve())
VERTEX = """#version 330
void main() {
    gl_Position = vec4(gl_VertexID == 1 ? 3.0 : -1.0, gl_VertexID == 2 ? 3.0 : -1.0, 0.0, 1.0);
}
"""


@functools.cache
def load_egl() -> ctypes.CDLL:
    egl = ctypes.CDLL("libEGL.so.1")
    egl.eglGetProcAddress.restype = ctypes.c_void_p
    return egl


def function(name: str, result, *arguments):
    egl = load_egl()
    address = egl.eglGetProcAddress(name.encode())
    assert address, name
    return ctypes.CFUNCTYPE(result, *arguments)(address)


def make_context():
    egl = load_egl()
    p, i = ctypes.c_void_p, ctypes.c_int
    display = function("eglGetPlatformDisplayEXT", p, i, p, p)(EGL_PLATFORM_SURFACELESS, None, None)
    for name, arguments in (("eglInitialize", [p, p, p]), ("eglChooseConfig", [p, p, p, i, p]),
                            ("eglBindAPI", [i]), ("eglMakeCurrent", [p, p, p, p])):
        getattr(egl, name).argtypes = arguments
    egl.eglCreateContext.restype = egl.eglCreatePbufferSurface.restype = p
    egl.eglCreateContext.argtypes = [p, p, p, p]
    egl.eglCreatePbufferSurface.argtypes = [p, p, p]
    assert egl.eglInitialize(display, None, None)
    egl.eglBindAPI(EGL_OPENGL_API)
    config, count = p(), i()
    # A pbuffer with eight bits a colour for OpenGL.
    wish = (i * 9)(0x3033, 1, 0x3024, 8, 0x3040, 8, 0x3038, 0, 0)
    assert egl.eglChooseConfig(display, wish, ctypes.byref(config), 1, ctypes.byref(count)) and count.value
    surface = egl.eglCreatePbufferSurface(display, config, (i * 5)(0x3057, SIZE, 0x3056, SIZE, 0x3038))
    context = egl.eglCreateContext(display, config, None, (i * 3)(0x3038, 0, 0))
    assert context and egl.eglMakeCurrent(display, surface, surface, context)


def make_program(*sources: str) -> int:
    u, i, text = ctypes.c_uint, ctypes.c_int, ctypes.c_char_p
    program = function("glCreateProgram", u)()
    for kind, source in zip((0x8B31, 0x8B30), sources):
        shader = function("glCreateShader", u, u)(kind)
        lines = (text * 1)(pathlib.Path(source).read_bytes())
        function("glShaderSource", None, u, i, ctypes.POINTER(text), ctypes.c_void_p)(shader, 1, lines, None)
        function("glCompileShader", None, u)(shader)
        function("glAttachShader", None, u, u)(program, shader)
    function("glLinkProgram", None, u)(program)
    linked = i()
    function("glGetProgramiv", None, u, u, ctypes.c_void_p)(program, 0x8B82, ctypes.byref(linked))
    assert linked.value, "the program does not link"
    function("glUseProgram", None, u)(program)
    return program


def main() -> int:
    make_context()
    u, i, f = ctypes.c_uint, ctypes.c_int, ctypes.c_float
    program = make_program(*sys.argv[1:3])
    tint = function("glGetUniformLocation", i, u, ctypes.c_char_p)(program, b"tint")
    function("glUniform4f", None, i, f, f, f, f)(tint, 0.25, 0.5, 0.75, 1)
    function("glClear", None, u)(0x4000)
    for _ in range(int(sys.argv[3]) if len(sys.argv) > 3 else 1):
        function("glDrawArrays", None, u, i, i)(4, 0, 3)  # triangles
    pixels = (ctypes.c_ubyte * (SIZE * SIZE * 4))()
    function("glReadPixels", None, i, i, i, i, u, u, ctypes.c_void_p)(0, 0, SIZE, SIZE, 0x1908, 0x1401, pixels)
    print(*pixels[:4])
    return 0


if __name__ == "__main__":
    sys.exit(main())
