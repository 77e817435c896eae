"""Formats of vertex attributes."""
# SPDX-License-Identifier: MIT
import re

from .common import COLOR, case, target, vertices

VERTEX_FORMATS = ["R8G8B8A8_UNORM", "R8G8B8A8_SNORM", "R8G8B8A8_USCALED", "R8G8B8A8_SSCALED", "B8G8R8A8_UNORM",
                  "R16G16B16A16_UNORM", "R16G16B16A16_SNORM", "R16G16B16A16_SSCALED", "R16G16B16A16_USCALED",
                  "R16G16B16A16_FLOAT", "R32G32B32A32_FLOAT", "R32G32B32A32_UNORM", "R32G32B32A32_SNORM",
                  "R32G32B32A32_SSCALED", "R64G64B64A64_FLOAT", "R10G10B10A2_UNORM", "R10G10B10A2_SNORM",
                  "R10G10B10A2_USCALED", "B10G10R10A2_UNORM", "R11G11B10_FLOAT", "R8_UNORM", "R8G8_UNORM", "R8G8B8_UNORM",
                  "R16_FLOAT", "R16G16_UNORM", "R16G16B16_SNORM", "R32_FLOAT", "R32G32_FLOAT", "R32G32B32_FLOAT"]


def vertex_formats() -> None:
    bits = {"8": 1, "16": 2, "32": 4, "64": 8, "10": None, "11": None}
    for fmt in VERTEX_FORMATS:
        first = re.match(r"[RB](\d+)", fmt).group(1)
        channels = len(re.findall(r"[RGBA]\d", fmt))
        size = 4 if bits[first] is None else bits[first] * channels
        data = [(37 * i * i + 101 * i + 13) % 256 for i in range(4 * size)]
        if "FLOAT" in fmt and first in ("16", "64"):
            width = bits[first]
            for i in range(4 * channels):
                data[i * width + width - 1] = 0x3F if first == "64" else (0x34 + i % 8)
                if first == "64":
                    data[i * width + width - 2] = 0xA0 + 8 * (i % 8)
        if fmt.startswith("R32") and "FLOAT" in fmt:
            for i in range(4 * channels):
                data[i * 4 + 3], data[i * 4 + 2] = 0x3E, (i * 37) % 256
        rows = "\n".join("  " + "".join(f"{b:02x}" for b in data[i * size:(i + 1) * size]) for i in range(4))
        scale = {"USCALED": "0.004", "SSCALED": "0.008"}.get(fmt.rsplit("_")[-1], "1")
        case(f"vertex/{fmt.lower()}", f"Attributes in {fmt}",
             target("16x16") + COLOR.replace("shaders/color.vert.tgsi", """{
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
IMM[0] FLT32 {%s, 0.0, 0.0, 0.0}
  0: MOV OUT[0], IN[0]
  1: MUL OUT[1], IN[1], IMM[0].xxxx
  2: END
}""" % scale) + "vertex_buffer 0 8 f32 {\n  -1 -1  1 -1  -1 1  1 1\n}\n" + f"vertex_buffer 1 {size} hex {{\n{rows}\n}}\n"
             f"attribute 0 R32G32_FLOAT\nattribute 1 {fmt} slot=1\nset primitive triangle_strip\ndraw 4")
    for fmt in ("R8G8B8A8_UINT", "R8G8B8A8_SINT", "R16G16B16A16_UINT", "R16G16_SINT", "R32_UINT", "R32G32B32A32_SINT"):
        size = {"8": 4, "16": 8, "32": 16}[re.match(r"R(\d+)", fmt).group(1)]
        size = {"R16G16_SINT": 4, "R32_UINT": 4}.get(fmt, size)
        data = "\n".join("  " + "".join(f"{(91 * j * j + 57 * i + 200) % 256:02x}" for j in range(i * size, (i + 1) * size))
                         for i in range(4))
        kind = "SINT" if "SINT" in fmt else "UINT"
        case(f"vertex/{fmt.lower()}", f"Integer attributes in {fmt}",
             target("8x8", "R32G32B32A32_" + kind) + """vertex_shader shaders/color.vert.tgsi
fragment_shader {
FRAG
DCL IN[0], GENERIC[0], CONSTANT
DCL OUT[0], COLOR
  0: MOV OUT[0], IN[0]
  1: END
}
vertex_buffer 0 8 f32 {
  -1 -1  1 -1  -1 1  1 1
}
""" + f"vertex_buffer 1 {size} hex {{\n{data}\n}}\nattribute 0 R32G32_FLOAT\nattribute 1 {fmt} slot=1\n"
             "set primitive triangle_strip\nclear color 0 0 0 0\ndraw 4")
    case("vertex/offsets", "A buffer offset, an attribute offset and a stride with a gap",
         target("16x16") + COLOR + "vertex_buffer 0 12 offset=8 f32 {\n  9 9  -1 -1 9  1 -1 9  -1 1 9  1 1 9\n}\n"
         "vertex_buffer 1 6 hex {\n  0000ff000040 000000ff0080 00000000ff60 0000ffff00ff\n}\n"
         "attribute 0 R32G32_FLOAT\nattribute 1 R8G8B8A8_UNORM slot=1 offset=2\nset primitive triangle_strip\ndraw 4")
    case("vertex/stride_zero", "A stride of 0: all vertices read the same",
         target("16x16") + COLOR + "vertex_buffer 0 8 f32 {\n  -1 -1  1 -1  -1 1  1 1\n}\nvertex_buffer 1 0 u8 {\n  255 128 0 255\n}\n"
         "attribute 0 R32G32_FLOAT\nattribute 1 R8G8B8A8_UNORM slot=1\nset primitive triangle_strip\ndraw 4")
