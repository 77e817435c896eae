# A conformance scene as far as OpenGL has it: statements to a list of commands (docs/guide/conformance.md).
# SPDX-License-Identifier: MIT
import pathlib
import struct

TYPES = {"f32": "f", "u32": "I", "i32": "i", "u16": "H", "i16": "h", "u8": "B", "i8": "b"}
SHADERS = {("shaders/color.vert.tgsi", "shaders/color.frag.tgsi"): "color", ("shaders/shade.vert.tgsi", "shaders/shade.frag.tgsi"): "shade"}
COLORS = {"R8G8B8A8_UNORM": False, "R8G8B8A8_SRGB": True}
IGNORED = {"title", "tolerance"}


class Skip(Exception):
    """A feature that OpenGL, or this reader, does not have."""


def flag(words) -> bool:
    return words[0] == "on"


class Draw:
    def __init__(self, state, vertices, components, indices, shader, count, keys):
        self.state, self.vertices, self.components, self.indices = dict(state), vertices, components, indices
        self.shader, self.count, self.keys = shader, count, keys


class Clear:
    def __init__(self, kind, values, rect):
        self.kind, self.values, self.rect = kind, values, rect


class Scene:
    """width, height, samples, srgb, depth (a format or None), commands."""

    def __init__(self, text: str, root: pathlib.Path):
        self.width, self.height, self.samples = 32, 32, 1
        self.srgb = self.depth = None
        self.commands = []
        self.state = {}
        self.vertices = self.indices = None
        self.components = ()
        self.files = {}
        lines = [line.split("#")[0].strip() for line in text.splitlines()]
        at = 0
        while at < len(lines):
            words = lines[at].split()
            at += 1
            block = []
            if words and words[-1] == "{":
                while lines[at] != "}":
                    block += lines[at].split()
                    at += 1
                at += 1
                words.pop()
                words.append(block)
            if words and words[0] not in IGNORED:
                self.statement(words[0], words[1:])
        if self.srgb is None:
            raise Skip("no colour target")

    def statement(self, name, words) -> None:
        method = getattr(self, "on_" + name, None)
        if method is None:
            raise Skip(f"statement {name}")
        method(words)

    def on_size(self, words) -> None:
        if self.srgb is not None:
            raise Skip("targets of several sizes")
        self.width, self.height = map(int, words[0].split("x"))
        self.samples = int(words[2]) if len(words) > 2 else 1
        if self.samples not in (1, 4):
            raise Skip(f"{self.samples} samples")

    def on_color(self, words) -> None:
        if self.srgb is not None:
            raise Skip("several targets")
        if words[0] not in COLORS:
            raise Skip(f"target of {words[0]}")
        self.srgb = COLORS[words[0]]

    def on_depth(self, words) -> None:
        if words[0] not in ("D16_UNORM", "D24_UNORM_S8_UINT", "D32_FLOAT", "D32_FLOAT_S8X24_UINT"):
            raise Skip(f"depth of {words[0]}")
        self.depth = words[0]

    def on_show(self, words) -> None:
        if words[0] != "color0":
            raise Skip("other surfaces are shown")

    def on_vertex_shader(self, words) -> None:
        self.files["vertex"] = words[0]

    def on_fragment_shader(self, words) -> None:
        self.files["fragment"] = words[0]

    def on_vertices(self, words) -> None:
        *components, kind, block = words
        self.components = tuple(map(int, components))
        if kind != "f32" or self.components != (4, 4):
            raise Skip("other attributes")
        self.vertices = struct.pack(f"{len(block)}f", *map(float, block))

    def on_indices(self, words) -> None:
        if words[0] == "none":
            self.indices = None
            return
        self.indices = (words[0], struct.pack(f"{len(words[1])}{TYPES[words[0]]}", *map(int, words[1])))

    def on_polygon_stipple(self, words) -> None:
        self.state["polygon_stipple"] = b"".join(struct.pack(">I", int(word, 0)) for word in words[0])
        self.state["raster.polygon_stipple"] = ["on"]

    def on_set(self, words) -> None:
        name, values = words[0], words[1:]
        if name == "raster.fill":
            self.state["raster.fill_front"] = self.state["raster.fill_back"] = values
        else:
            self.state[name.replace("blend.0.", "blend.")] = values

    def on_clear(self, words) -> None:
        rect = None
        if "rect" in words:
            at = words.index("rect")
            rect, words = list(map(int, words[at + 1:])), words[:at]
        self.commands.append(Clear(words[0].replace("color0", "color"), list(map(float, words[1:])), rect))

    def on_draw(self, words) -> None:
        keys = dict(word.split("=") for word in words[1:])
        files = (self.files.get("vertex"), self.files.get("fragment"))
        if not all(isinstance(file, str) for file in files) or files not in SHADERS:
            raise Skip("other shaders")
        if set(keys) - {"first", "base_vertex", "restart", "instances"} or self.vertices is None:
            raise Skip("a draw of another sort")
        count, first = int(words[0]), int(keys.get("first", 0))
        size = len(self.vertices) // 32 if self.indices is None else len(self.indices[1]) // struct.calcsize(TYPES[self.indices[0]])
        if first + count > size:
            raise Skip("vertices outside of the buffer")
        self.commands.append(Draw(self.state, self.vertices, self.components, self.indices, SHADERS[files], count, keys))
