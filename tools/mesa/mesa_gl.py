# OpenGL off-screen by ctypes (EGL, surfaceless), and the drawing of a mesa_scene.Scene with it.
# SPDX-License-Identifier: MIT
import ctypes
import os

from mesa_scene import TYPES, Clear, Draw, Scene, Skip

COLOR, DEPTH, STENCIL = 0x4000, 0x100, 0x400
FRAMEBUFFER, RENDERBUFFER, READ_FRAMEBUFFER, DRAW_FRAMEBUFFER = 0x8D40, 0x8D41, 0x8CA8, 0x8CA9
ARRAY_BUFFER, ELEMENT_BUFFER, FLOAT = 0x8892, 0x8893, 0x1406
PRIMITIVES = {"points": 0, "lines": 1, "line_loop": 2, "line_strip": 3, "triangles": 4, "triangle_strip": 5, "triangle_fan": 6, "quads": 7,
              "quad_strip": 8, "polygon": 9, "lines_adjacency": 10, "line_strip_adjacency": 11, "triangles_adjacency": 12,
              "triangle_strip_adjacency": 13}
COMPARE = {name: 0x200 + i for i, name in
           enumerate(["never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"])}
STENCIL_OP = {"keep": 0x1E00, "zero": 0, "replace": 0x1E01, "increment_clamp": 0x1E02, "decrement_clamp": 0x1E03, "increment_wrap": 0x8507,
              "decrement_wrap": 0x8508, "invert": 0x150A}
FACTORS = {"zero": 0, "one": 1, "src_color": 0x300, "inv_src_color": 0x301, "src_alpha": 0x302, "inv_src_alpha": 0x303,
           "dst_alpha": 0x304, "inv_dst_alpha": 0x305, "dst_color": 0x306, "inv_dst_color": 0x307, "src_alpha_saturate": 0x308,
           "const_color": 0x8001, "inv_const_color": 0x8002, "const_alpha": 0x8003, "inv_const_alpha": 0x8004}
EQUATIONS = {"add": 0x8006, "min": 0x8007, "max": 0x8008, "subtract": 0x800A, "reverse_subtract": 0x800B}
LOGIC = {"clear": 0x1500, "and": 0x1501, "and_reverse": 0x1502, "copy": 0x1503, "and_inverted": 0x1504, "noop": 0x1505, "xor": 0x1506,
         "or": 0x1507, "nor": 0x1508, "equiv": 0x1509, "invert": 0x150A, "or_reverse": 0x150B, "copy_inverted": 0x150C,
         "or_inverted": 0x150D, "nand": 0x150E, "set": 0x150F}
MODES = {"point": 0x1B00, "line": 0x1B01, "fill": 0x1B02}
FACES = {"front": 0x404, "back": 0x405, "front_and_back": 0x408}
DEPTHS = {"D16_UNORM": 0x81A5, "D24_UNORM_S8_UINT": 0x88F0, "D32_FLOAT": 0x8CAC, "D32_FLOAT_S8X24_UINT": 0x8CAD}
INDEX = {"u8": 0x1401, "u16": 0x1403, "u32": 0x1405}
# Capabilities that a setting switches on or off.
ENABLES = {"depth.test": 0x0B71, "alpha.test": 0x0BC0, "blend.enable": 0x0BE2, "raster.multisample": 0x809D,
           "blend.alpha_to_coverage": 0x809E, "blend.alpha_to_one": 0x809F, "raster.offset_fill": 0x8037, "raster.offset_line": 0x2A02,
           "raster.offset_point": 0x2A01, "raster.line_smooth": 0x0B20, "raster.point_smooth": 0x0B10,
           "raster.polygon_stipple": 0x0B42, "raster.rasterizer_discard": 0x8C89, "stencil.enable": 0x0B90}
# Settings that are read in groups, or that ask for OpenGL's default.
KNOWN = {"primitive", "viewport", "raster.cull", "raster.front_ccw", "raster.fill_front", "raster.fill_back", "raster.flat_shade",
         "raster.flat_shade_first", "raster.scissor", "raster.depth_clip", "raster.offset_units", "raster.offset_scale",
         "raster.offset_clamp", "raster.line_width", "raster.point_size", "raster.line_stipple", "polygon_stipple", "depth.write",
         "depth.func", "stencil.reference", "alpha.func", "alpha.reference", "blend.color", "blend.logic_op", "blend.rgb", "blend.alpha",
         "blend.mask", "sample_mask"}
VERTEX = {"color": "#version 130\nin vec4 a; in vec4 b; out vec4 v; void main() { gl_Position = a; v = b; }",
          "shade": "#version 130\nin vec4 a; in vec4 b; void main() { gl_Position = a; gl_FrontColor = gl_BackColor = b; }"}
FRAGMENT = {"color": "#version 130\nin vec4 v; out vec4 c; void main() { c = v; }",
            "shade": "#version 130\nout vec4 c; void main() { c = gl_Color; }"}


class NoOpenGL(Exception):
    pass


class GL:
    """A compatibility context; functions as attributes. Arguments are ints, floats, bytes and pointers."""

    def __init__(self):
        os.environ.setdefault("LIBGL_ALWAYS_SOFTWARE", "1")
        try:
            egl, self.library = ctypes.CDLL("libEGL.so.1"), ctypes.CDLL("libGL.so.1")
        except OSError as error:
            raise NoOpenGL(str(error)) from error
        for name in ("eglGetPlatformDisplay", "eglCreateContext", "eglGetProcAddress"):
            getattr(egl, name).restype = ctypes.c_void_p
        self.address = egl.eglGetProcAddress
        display = ctypes.c_void_p(egl.eglGetPlatformDisplay(0x31DD, None, None))  # EGL_PLATFORM_SURFACELESS_MESA
        if not egl.eglInitialize(display, None, None) or not egl.eglBindAPI(0x30A2):
            raise NoOpenGL("no surfaceless EGL")
        attributes = (ctypes.c_int * 3)(0x3033, 0, 0x3038)
        config, count = ctypes.c_void_p(), ctypes.c_int()
        egl.eglChooseConfig(display, attributes, ctypes.byref(config), 1, ctypes.byref(count))
        context = ctypes.c_void_p(egl.eglCreateContext(display, config, None, None))
        if not egl.eglMakeCurrent(display, None, None, context):
            raise NoOpenGL("no context")
        self.glGetString.restype = ctypes.c_char_p
        self.renderer = f"{self.glGetString(0x1F01).decode()}, {self.glGetString(0x1F02).decode()}"

    def __getattr__(self, name):
        if not name.startswith("gl"):
            raise AttributeError(name)
        function = ctypes.CFUNCTYPE(None)(self.address(name.encode()))
        function.restype = ctypes.c_int
        setattr(self, name, function)
        return function

    def call(self, name, *arguments) -> int:
        """With floats as GLfloat."""
        return getattr(self, name)(*(ctypes.c_float(a) if isinstance(a, float) else a for a in arguments))

    def switch(self, capability: int, on: bool) -> None:
        (self.glEnable if on else self.glDisable)(capability)


class Screen:
    """Draws scenes, each on a new framebuffer."""

    def __init__(self, gl: GL):
        self.gl = gl
        self.programs = {name: self.program(VERTEX[name], FRAGMENT[name]) for name in VERTEX}

    def program(self, vertex: str, fragment: str) -> int:
        gl, program = self.gl, self.gl.glCreateProgram()
        for kind, text in ((0x8B31, vertex), (0x8B30, fragment)):
            shader = gl.glCreateShader(kind)
            gl.glShaderSource(shader, 1, ctypes.byref(ctypes.c_char_p(text.encode())), None)
            gl.glCompileShader(shader)
            gl.glAttachShader(program, shader)
        gl.glBindAttribLocation(program, 0, b"a")
        gl.glBindAttribLocation(program, 1, b"b")
        gl.glLinkProgram(program)
        return program

    def name(self, function: str) -> int:
        made = ctypes.c_uint()
        getattr(self.gl, function)(1, ctypes.byref(made))
        return made.value

    def renderbuffer(self, attachment: int, fmt: int, scene: Scene, samples: int) -> None:
        gl = self.gl
        gl.glBindRenderbuffer(RENDERBUFFER, self.name("glGenRenderbuffers"))
        buffer = ctypes.c_int()
        gl.glGetIntegerv(0x8CA7, ctypes.byref(buffer))
        gl.glRenderbufferStorageMultisample(RENDERBUFFER, samples if samples > 1 else 0, fmt, scene.width, scene.height)
        gl.glFramebufferRenderbuffer(FRAMEBUFFER, attachment, RENDERBUFFER, buffer.value)

    def framebuffer(self, scene: Scene, samples: int) -> int:
        gl, made = self.gl, self.name("glGenFramebuffers")
        gl.glBindFramebuffer(FRAMEBUFFER, made)
        self.renderbuffer(0x8CE0, 0x8C43 if scene.srgb else 0x8058, scene, samples)
        if scene.depth:
            self.renderbuffer(0x821A if "S8" in scene.depth else 0x8D00, DEPTHS[scene.depth], scene, samples)
        if gl.glCheckFramebufferStatus(FRAMEBUFFER) != 0x8CD5:
            raise Skip("a framebuffer that is not there")
        return made

    def draw(self, scene: Scene) -> bytes:
        """The colours, row 0 first."""
        gl = self.gl
        for command in scene.commands:
            if isinstance(command, Draw):
                check(command.state)
        target = self.framebuffer(scene, scene.samples)
        gl.switch(0x8DB9, scene.srgb)
        for command in scene.commands:
            if isinstance(command, Clear):
                self.clear(command)
            else:
                self.apply(command.state, scene)
                self.submit(command)
        resolved = self.framebuffer(scene, 1) if scene.samples > 1 else target
        if resolved != target:
            gl.glDisable(0x0C11)
            gl.glBindFramebuffer(READ_FRAMEBUFFER, target)
            gl.glBindFramebuffer(DRAW_FRAMEBUFFER, resolved)
            gl.glBlitFramebuffer(0, 0, scene.width, scene.height, 0, 0, scene.width, scene.height, COLOR, 0x2600)
        gl.glBindFramebuffer(FRAMEBUFFER, resolved)
        pixels = ctypes.create_string_buffer(scene.width * scene.height * 4)
        gl.glReadPixels(0, 0, scene.width, scene.height, 0x1908, 0x1401, pixels)
        return pixels.raw

    def clear(self, command: Clear) -> None:
        gl = self.gl
        gl.switch(0x0C11, command.rect is not None)
        if command.rect:
            x0, y0, x1, y1 = command.rect
            gl.glScissor(x0, y0, x1 - x0, y1 - y0)
        gl.glColorMask(1, 1, 1, 1)
        gl.glDepthMask(1)
        gl.glStencilMask(255)
        gl.glDisable(0x8C89)
        if command.kind == "color":
            gl.call("glClearColor", *command.values)
        elif command.kind == "depth":
            gl.glClearDepth(ctypes.c_double(command.values[0]))
        else:
            gl.glClearStencil(int(command.values[0]))
        gl.glClear({"color": COLOR, "depth": DEPTH, "stencil": STENCIL}[command.kind])

    def apply(self, state: dict, scene: Scene) -> None:
        gl = self.gl
        for name, capability in ENABLES.items():
            gl.switch(capability, state.get(name, ["off"])[0] == "on")
        apply_raster(gl, state, scene)
        apply_tests(gl, state)
        apply_blending(gl, state)

    def submit(self, draw: Draw) -> None:
        gl = self.gl
        gl.glUseProgram(self.programs[draw.shader])
        for place in (0, 1):
            gl.glEnableVertexAttribArray(place)
        gl.glBindBuffer(ARRAY_BUFFER, self.name("glGenBuffers"))
        gl.glBufferData(ARRAY_BUFFER, ctypes.c_ssize_t(len(draw.vertices)), draw.vertices, 0x88E4)
        for place in (0, 1):
            gl.glVertexAttribPointer(place, 4, FLOAT, 0, 32, ctypes.c_void_p(16 * place))
        mode = PRIMITIVES[draw.state.get("primitive", ["triangles"])[0]]
        first, instances = int(draw.keys.get("first", 0)), int(draw.keys.get("instances", 1))
        gl.switch(0x8F9D, "restart" in draw.keys)
        if draw.indices is None:
            gl.glDrawArraysInstanced(mode, first, draw.count, instances)
            return
        gl.glPrimitiveRestartIndex(ctypes.c_uint(int(draw.keys.get("restart", 0))))
        kind, data = draw.indices
        gl.glBindBuffer(ELEMENT_BUFFER, self.name("glGenBuffers"))
        gl.glBufferData(ELEMENT_BUFFER, ctypes.c_ssize_t(len(data)), data, 0x88E4)
        size = {"B": 1, "H": 2, "I": 4}[TYPES[kind]]
        gl.glDrawElementsInstancedBaseVertex(mode, draw.count, INDEX[kind], ctypes.c_void_p(first * size), instances,
                                             int(draw.keys.get("base_vertex", 0)))


def check(state: dict) -> None:
    for name, values in state.items():
        known = name in KNOWN or name in ENABLES or name.startswith("stencil.")
        if not known or any("src1" in str(value) for value in values):
            raise Skip(f"setting {name}")
    if any(float(value) < 0 for value in state.get("viewport", [])[2:4]):
        raise Skip("a viewport upside down")
    if int(state.get("sample_mask", ["0xFFFFFFFF"])[0], 0) != 0xFFFFFFFF:
        raise Skip("a sample mask")


def apply_raster(gl: GL, state: dict, scene: Scene) -> None:
    value = lambda name, default: state.get(name, [default])[0]
    x, y, width, height, *depths = (float(v) for v in state.get("viewport", [0, 0, scene.width, scene.height]))
    gl.call("glViewportIndexedf", 0, x, y, width, height)
    near, far = depths or (0.0, 1.0)
    gl.glDepthRange(ctypes.c_double(near), ctypes.c_double(far))
    cull = value("raster.cull", "none")
    gl.switch(0x0B44, cull != "none")
    if cull != "none":
        gl.glCullFace(FACES[cull])
    # Seen with row 0 at the top, which OpenGL has at the bottom.
    gl.glFrontFace(0x900 if value("raster.front_ccw", "on") == "on" else 0x901)
    gl.glPolygonMode(FACES["front"], MODES[value("raster.fill_front", "fill")])
    gl.glPolygonMode(FACES["back"], MODES[value("raster.fill_back", "fill")])
    gl.glShadeModel(0x1D00 if value("raster.flat_shade", "off") == "on" else 0x1D01)
    gl.glProvokingVertex(0x8E4D if value("raster.flat_shade_first", "off") == "on" else 0x8E4E)
    gl.switch(0x864F, value("raster.depth_clip", "on") != "on")
    gl.call("glPolygonOffsetClamp", float(value("raster.offset_scale", 0)), float(value("raster.offset_units", 0)),
            float(value("raster.offset_clamp", 0)))
    gl.call("glLineWidth", float(value("raster.line_width", 1)))
    gl.call("glPointSize", float(value("raster.point_size", 1)))
    stipple = state.get("raster.line_stipple", ["off"])
    gl.switch(0x0B24, stipple[0] != "off")
    if stipple[0] != "off":
        gl.glLineStipple(int(stipple[1]) if len(stipple) > 1 else 1, ctypes.c_ushort(int(stipple[0], 0)))
    if "polygon_stipple" in state:
        gl.glPolygonStipple(state["polygon_stipple"])
    scissor = state.get("raster.scissor", ["off"])
    gl.switch(0x0C11, scissor[0] != "off")
    if scissor[0] != "off":
        x0, y0, x1, y1 = map(int, scissor)
        gl.glScissor(x0, y0, max(x1 - x0, 0), max(y1 - y0, 0))


def apply_tests(gl: GL, state: dict) -> None:
    value = lambda name, default: state.get(name, [default])[0]
    gl.glDepthMask(int(value("depth.write", "off") == "on"))
    gl.glDepthFunc(COMPARE[value("depth.func", "less")])
    gl.call("glAlphaFunc", COMPARE[value("alpha.func", "always")], float(value("alpha.reference", 0)))
    two = value("stencil.back.enable", "off") == "on"
    references = state.get("stencil.reference", ["0"])
    for face, prefix, reference in (("front", "stencil.", references[0]),
                                    ("back", "stencil.back." if two else "stencil.", references[-1] if two else references[0])):
        get = lambda name, default: state.get(prefix + name, [default])[0]
        gl.glStencilFuncSeparate(FACES[face], COMPARE[get("func", "always")], int(reference), int(get("read_mask", 255)))
        gl.glStencilOpSeparate(FACES[face], *(STENCIL_OP[get(name, "keep")] for name in ("fail", "depth_fail", "pass")))
        gl.glStencilMaskSeparate(FACES[face], int(get("write_mask", 255)))


def apply_blending(gl: GL, state: dict) -> None:
    rgb, alpha = state.get("blend.rgb", ["add", "one", "zero"]), state.get("blend.alpha", ["add", "one", "zero"])
    gl.glBlendEquationSeparate(EQUATIONS[rgb[0]], EQUATIONS[alpha[0]])
    gl.glBlendFuncSeparate(FACTORS[rgb[1]], FACTORS[rgb[2]], FACTORS[alpha[1]], FACTORS[alpha[2]])
    gl.call("glBlendColor", *(float(v) for v in state.get("blend.color", [0, 0, 0, 0])))
    logic = state.get("blend.logic_op", ["off"])[0]
    gl.switch(0x0BF2, logic != "off")
    if logic != "off":
        gl.glLogicOp(LOGIC[logic])
    mask = state.get("blend.mask", ["rgba"])[0]
    gl.glColorMask(*(int(c in mask) for c in "rgba"))
