"""Pieces of scene files that the tables share."""
# SPDX-License-Identifier: MIT
COLOR = "vertex_shader shaders/color.vert.tgsi\nfragment_shader shaders/color.frag.tgsi\n"
SHADE = "vertex_shader shaders/shade.vert.tgsi\nfragment_shader shaders/shade.frag.tgsi\n"
scenes: dict[str, str] = {}


def case(name: str, title: str, text: str) -> None:
    """One scene file; `name` is TOPIC/NAME."""
    assert name not in scenes, name
    scenes[name] = f"title {title}\n{text.strip()}\n"


def target(size: str = "32x32", fmt: str = "R8G8B8A8_UNORM", depth: str = "", samples: int = 1) -> str:
    text = f"size {size}" + (f" samples {samples}" if samples > 1 else "") + f"\ncolor {fmt}\n"
    return text + (f"depth {depth}\n" if depth else "")


def number(value: float) -> str:
    return f"{value:g}"


def vertices(rows, components=(4, 4)) -> str:
    """Rows of numbers as a block."""
    lines = "\n".join("  " + " ".join(number(v) for v in row) for row in rows)
    return f"vertices {' '.join(map(str, components))} f32 {{\n{lines}\n}}\n"


def quad(colors, z=0.0, x0=-1.0, y0=-1.0, x1=1.0, y1=1.0) -> str:
    """A triangle strip with a colour a corner: lower left, lower right, upper left, upper right."""
    z = z if isinstance(z, (list, tuple)) else [z] * 4
    places = [(x0, y0), (x1, y0), (x0, y1), (x1, y1)]
    return vertices([(*places[i], z[i], 1, *colors[i]) for i in range(4)])


def strip(colors, **place) -> str:
    return quad(colors, **place) + "set primitive triangle_strip\n"


RAINBOW = [(1, 0, 0, 1), (0, 1, 0, 0.75), (0, 0, 1, 0.5), (1, 1, 0, 0.25)]
SOURCE = [(1, 0.2, 0.1, 0), (0.9, 0.8, 0.1, 1), (0.2, 0.3, 1, 0), (0.6, 1, 0.8, 1)]
BEHIND = [(0.1, 0.1, 0.9, 0.1), (0.2, 0.9, 0.3, 0.3), (0.9, 0.2, 0.2, 0.7), (1, 1, 1, 1)]

FUNCS = ["never", "less", "equal", "less_equal", "greater", "not_equal", "greater_equal", "always"]
STENCIL_OPS = ["keep", "zero", "replace", "increment_clamp", "decrement_clamp", "increment_wrap", "decrement_wrap",
               "invert"]
FACTORS = ["zero", "one", "src_color", "src_alpha", "dst_color", "dst_alpha", "inv_src_color", "inv_src_alpha",
           "inv_dst_color", "inv_dst_alpha", "const_color", "const_alpha", "inv_const_color", "inv_const_alpha",
           "src_alpha_saturate"]
DUAL = ["src1_color", "src1_alpha", "inv_src1_color", "inv_src1_alpha"]
EQUATIONS = ["add", "subtract", "reverse_subtract", "min", "max"]
LOGIC = ["clear", "nor", "and_inverted", "copy_inverted", "and_reverse", "invert", "xor", "nand", "and", "equiv", "noop",
         "or_inverted", "copy", "or_reverse", "or", "set"]
WRAPS = ["repeat", "clamp_to_edge", "clamp_to_border", "mirror_repeat", "mirror_clamp_to_edge",
         "mirror_clamp_to_border", "clamp", "mirror_clamp"]


RING = [(-0.9, -0.8), (-0.2, -0.9), (0.7, -0.7), (0.9, 0.1), (0.6, 0.8), (-0.1, 0.9), (-0.8, 0.6), (-0.6, 0.0)]
ZIGZAG = [(-0.9, -0.6), (-0.8, 0.7), (-0.4, -0.8), (-0.3, 0.6), (0.1, -0.6), (0.2, 0.8), (0.6, -0.7), (0.8, 0.5)]


def colored(points):
    return [(x, y, 0, 1, *RAINBOW[i % 4][:3], 1) for i, (x, y) in enumerate(points)]
