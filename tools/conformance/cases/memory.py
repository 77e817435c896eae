"""Images, shader buffers, atomics and counters, buffer textures."""
# SPDX-License-Identifier: MIT
from .common import RAINBOW, case, strip, target

FIELD = [(-1.5, 0.1, 2, 0), (0.9, -0.3, 70000, 1), (0, 1.2, -3, 0.5), (1, 0.7, 0, 2)]
FLOATS = ["R8G8B8A8_UNORM", "R8G8B8A8_SNORM", "B8G8R8A8_UNORM", "R8_UNORM", "R8G8_SNORM", "R16G16_UNORM", "R16_SNORM",
          "R10G10B10A2_UNORM", "R11G11B10_FLOAT", "R16G16B16A16_FLOAT", "R16_FLOAT", "R32_FLOAT", "R32G32B32A32_FLOAT"]
INTEGERS = ["R8_UINT", "R8G8B8A8_SINT", "R16G16_SINT", "R16G16B16A16_UINT", "R32_UINT", "R32_SINT", "R32G32B32A32_UINT"]
VERTEX = "vertex_shader shaders/color.vert.tgsi\n"


def fragment(declarations: str, code: str) -> str:
    """A fragment shader; TEMP[0] holds the pixel as integers. IMM[2] and on may be declared."""
    more = "".join(line + "\n" for line in declarations.splitlines() if line.startswith("IMM"))
    declarations = "".join(line + "\n" for line in declarations.splitlines() if not line.startswith("IMM"))
    lines = ["F2U TEMP[0], IN[1]", *filter(None, code.split("\n")), "END"]
    return (VERTEX + "fragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], LINEAR\nDCL IN[1], POSITION, LINEAR\nDCL OUT[0], COLOR\n" +
            declarations + "DCL TEMP[0..3]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {1.0, 0.125, 4.0, 0.00390625}\n" + more +
            "".join(f"  {i}: {line}\n" for i, line in enumerate(lines)) + "}\n")


def image(name: str, kind: str, fmt: str, size: str, more: str = "") -> str:
    return f"texture {name} {kind} {fmt} {size} {more}".rstrip() + "\n"


def images() -> None:
    for fmt in FLOATS + INTEGERS:
        use = f"2D, PIPE_FORMAT_{fmt}"
        value = "MUL TEMP[1], IN[0], IMM[1].zzzz\nF2I TEMP[1], TEMP[1]\n" if fmt in INTEGERS else "MOV TEMP[1], IN[0]\n"
        back = "I2F TEMP[2], TEMP[2]\nMUL OUT[0], TEMP[2], IMM[1].wwww\n" if fmt in INTEGERS else "MOV OUT[0], TEMP[2]\n"
        store = fragment(f"DCL IMAGE[0], {use}, WR\n", value + f"STORE IMAGE[0], TEMP[0], TEMP[1], {use}\nMOV OUT[0], IMM[1].xxxx\n")
        load = fragment(f"DCL IMAGE[0], {use}\n", f"LOAD TEMP[2], IMAGE[0], TEMP[0].yxzw, {use}\n" + back)
        case(f"memory/image_{fmt.lower()}", f"Image of {fmt}: stored, then loaded turned over",
             target("16x16", "R32G32B32A32_FLOAT") + image("storage", "2d", fmt, "16x16") + store + "image 0 storage\n" + strip(FIELD) +
             "draw 4\n" + load + "draw 4\nshow color0 storage")
    kinds = {"1d": ("1D", "16", "TEMP[0].xxxx", ""), "1d_array": ("1D_ARRAY", "16", "TEMP[0].xyyy", "layers=5"),
             "2d_array": ("2D_ARRAY", "8x8", "TEMP[1].xyzz", "layers=4"), "3d": ("3D", "8x8x4", "TEMP[1].xyzz", ""),
             "cube": ("CUBE", "8x8", "TEMP[1].xyzz", ""), "rect": ("RECT", "12x9", "TEMP[0].xyyy", "")}
    for kind, (tgsi, size, place, more) in kinds.items():
        use = f"{tgsi}, PIPE_FORMAT_R8G8B8A8_UNORM"
        split = "AND TEMP[1].xy, TEMP[0].xyyy, IMM[2].xxxx\nUSHR TEMP[1].z, TEMP[0].xxxx, IMM[0].wwww\n"
        split += "USHR TEMP[1].w, TEMP[0].yyyy, IMM[0].wwww\nUMAD TEMP[1].z, TEMP[1].wwww, IMM[0].zzzz, TEMP[1].zzzz\n"
        head = f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{7, 0, 0, 0}}\n"
        store = fragment(head, split + f"STORE IMAGE[0], {place}, IN[0], {use}\nMOV OUT[0], IMM[1].xxxx\n")
        load = fragment(head, split + f"LOAD OUT[0], IMAGE[0], {place}, {use}\n")
        # Larger than the image: what lies outside is not stored, and loaded as 0. No two pixels store to one texel.
        pixels = "16x20" if "z" in place else "20x18"
        case(f"memory/image_kind_{kind}", f"Image kind {kind}, with places outside of it",
             target(pixels) + image("storage", kind, "R8G8B8A8_UNORM", size, more) + store + "image 0 storage\n" + strip(RAINBOW) +
             "draw 4\n" + load + "draw 4")
    use = "2D, PIPE_FORMAT_R8G8B8A8_UNORM"
    store = fragment(f"DCL IMAGE[0], {use}, WR\n", f"STORE IMAGE[0], TEMP[0], IN[0], {use}\nMOV OUT[0], IN[0]\n")
    case("memory/image_level_layer", "One level and layer of an array as a two-dimensional image",
         target("16x16") + image("storage", "2d_array", "R8G8B8A8_UNORM", "32x32", "layers=4 levels=3") +
         "fill storage * solid 0.2 0.2 0.2 1\n" + store + "image 0 storage kind=2d level=1 layers=2,1\n" + strip(RAINBOW) +
         "draw 4\nshow storage:1:1 storage:1:2 storage:0:2")
    case("memory/image_other_format", "An image of R32_UINT texels as R8G8B8A8_UNORM",
         target("16x16") + image("storage", "2d", "R32_UINT", "16x16") + store +
         "image 0 storage format=R8G8B8A8_UNORM\n" + strip(RAINBOW) + "draw 4\nshow storage")
    use = "BUFFER, PIPE_FORMAT_R16G16_UNORM"
    store = fragment(f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{16, 0, 0, 0}}\n",
                     f"UMAD TEMP[0].x, TEMP[0].yyyy, IMM[2].xxxx, TEMP[0].xxxx\nSTORE IMAGE[0], TEMP[0].xxxx, IN[0], {use}\n"
                     "MOV OUT[0], IN[0]\n")
    load = fragment(f"DCL IMAGE[0], {use}\nIMM[2] UINT32 {{16, 255, 0, 0}}\n",
                    "UMAD TEMP[0].x, TEMP[0].yyyy, IMM[2].xxxx, TEMP[0].xxxx\nUADD TEMP[0].x, IMM[2].yyyy, -TEMP[0].xxxx\n"
                    f"LOAD OUT[0], IMAGE[0], TEMP[0].xxxx, {use}\n")
    case("memory/image_buffer", "Texels of a buffer as an image", target("16x16") + "buffer texels zeros 1024\n" + store +
         "image 0 buffer texels R16G16_UNORM\n" + strip(RAINBOW) + "draw 4\n" + load + "draw 4")
    case("memory/image_vertex", "A vertex shader stores to an image",
         target("16x16") + image("storage", "2d", "R32G32B32A32_FLOAT", "8x2") + """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL IMAGE[0], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT, WR
DCL TEMP[0]
IMM[0] UINT32 {0, 1, 0, 0}
  0: MOV OUT[0], IN[0]
  1: MOV OUT[1], IN[1]
  2: MOV TEMP[0], IMM[0].yyyy
  3: MOV TEMP[0].x, SV[0].xxxx
  4: STORE IMAGE[0], TEMP[0], IN[1], 2D, PIPE_FORMAT_R32G32B32A32_FLOAT
  5: END
}
fragment_shader shaders/color.frag.tgsi
vertex_image 0 storage
""" + strip(FIELD) + "draw 4\nshow color0 storage")


ATOMICS = {"uadd": "TEMP[1].xxxx", "and": "TEMP[1].xxxx", "or": "TEMP[1].xxxx", "xor": "TEMP[1].xxxx", "umin": "TEMP[1].xxxx",
           "umax": "TEMP[1].xxxx", "imin": "TEMP[1].xxxx", "imax": "TEMP[1].xxxx", "fadd": "TEMP[2].xxxx", "inc_wrap": "IMM[2].xxxx",
           "dec_wrap": "IMM[2].xxxx"}


def atomics() -> None:
    """Results that do not depend on the order: what each 4x4 pixels do to one word."""
    values = ("UMAD TEMP[1].x, TEMP[0].yyyy, IMM[2].yyyy, TEMP[0].xxxx\nUMUL TEMP[1].x, TEMP[1].xxxx, IMM[2].zzzz\n"
              "U2F TEMP[2].x, TEMP[0].xxxx\nUSHR TEMP[3].xy, TEMP[0].xyyy, IMM[0].zzzz\n")
    more = "IMM[2] UINT32 {5, 16, 2654435761, 0}\n"
    for op, operand in ATOMICS.items():
        fmt = "R32_FLOAT" if op == "fadd" else "R32_UINT"
        use = f"2D, PIPE_FORMAT_{fmt}"
        start = "1" if op == "fadd" else "2147483647"
        fill = f"fill words 0 data {'f32' if op == 'fadd' else 'u32'} {{\n  " + " ".join([start] * 16) + "\n}\n"
        case(f"memory/atomic_image_{op}", f"ATOM{op.upper()} of an image",
             target("16x16") + image("words", "2d", fmt, "4x4") + fill +
             fragment(f"DCL IMAGE[0], {use}, WR\n" + more,
                      values + f"ATOM{op.upper()} TEMP[3].x, IMAGE[0], TEMP[3].xyyy, {operand}, {use}\nMOV OUT[0], IN[0]\n") +
             "image 0 words\n" + strip(RAINBOW) + "draw 4\nshow words")
        show = fragment("DCL SAMP[0]\nDCL SVIEW[0], BUFFER, UINT\n" + more,
                        "USHR TEMP[1].xy, TEMP[0].xyyy, IMM[0].zzzz\nUMAD TEMP[1].x, TEMP[1].yyyy, IMM[3].xxxx, TEMP[1].xxxx\n"
                        "TXF TEMP[2], TEMP[1].xxxx, SAMP[0], BUFFER\nUSHR TEMP[3], TEMP[2].xxxx, IMM[3].yzwx\n"
                        "AND TEMP[3], TEMP[3], IMM[4].xxxx\nU2F TEMP[3], TEMP[3]\nMUL OUT[0], TEMP[3], IMM[1].wwww\n")
        show = show.replace(more, more + "IMM[3] UINT32 {4, 8, 16, 24}\nIMM[4] UINT32 {255, 0, 0, 0}\n")
        address = "UMAD TEMP[3].x, TEMP[3].yyyy, IMM[3].xxxx, TEMP[3].xxxx\nUSHR TEMP[3].x, TEMP[3].xxxx, IMM[0].xxxx\n"
        change = fragment("DCL BUFFER[0]\n" + more + "IMM[3] UINT32 {4, 2, 0, 0}\n",
                          values + address + "SHL TEMP[3].x, TEMP[3].xxxx, IMM[3].yyyy\n"
                          f"ATOM{op.upper()} TEMP[3].x, BUFFER[0], TEMP[3].xxxx, {operand}\nMOV OUT[0], IN[0]\n")
        case(f"memory/atomic_buffer_{op}", f"ATOM{op.upper()} of a shader buffer",
             target("16x16") + f"buffer words {'f32' if op == 'fadd' else 'u32'} {{\n  " + " ".join([start] * 16) + "\n}\n" + change +
             "storage 0 words\n" + strip(RAINBOW) + "draw 4\n" + show + "bind_buffer 0 words R32_UINT\ndraw 4")
    each = fragment("DCL BUFFER[0]\n" + more + "IMM[3] UINT32 {4, 2, 7, 0}\n",
                    "UMAD TEMP[1].x, TEMP[0].yyyy, IMM[2].yyyy, TEMP[0].xxxx\nSHL TEMP[2].x, TEMP[1].xxxx, IMM[3].yyyy\n"
                    "%s\nU2F TEMP[3], TEMP[3].xxxx\nMUL OUT[0], TEMP[3], IMM[1].wwww\n")
    words = "buffer words u32 {\n" + "\n".join("  " + " ".join(str((x * 7 + y) % 256) for x in range(16)) for y in range(16)) + "\n}\n"
    for name, line in (("xchg", "ATOMXCHG TEMP[3].x, BUFFER[0], TEMP[2].xxxx, TEMP[1].xxxx"),
                       ("cas", "ATOMCAS TEMP[3].x, BUFFER[0], TEMP[2].xxxx, IMM[3].zzzz, TEMP[1].xxxx")):
        case(f"memory/atomic_buffer_{name}", f"ATOM{name.upper()}: each pixel a word of its own; what the second draw finds",
             target("16x16") + words + each % line + "storage 0 words\n" + strip(RAINBOW) + "draw 4\ndraw 4")
    case("memory/counters", "Atomic counters of two buffers count pixels",
         target("16x16") + "buffer first zeros 8\nbuffer second zeros 16\n" +
         fragment("DCL HWATOMIC[0][0..1]\nDCL HWATOMIC[1][0..3]\nIMM[2] UINT32 {3, 0, 0, 0}\n",
                  "ATOMUADD TEMP[1].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\nAND TEMP[2].x, TEMP[0].xxxx, IMM[2].xxxx\n"
                  "USEQ TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz\nUIF TEMP[2].yyyy\n"
                  "ATOMUADD TEMP[1].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].wwww\nENDIF\nMOV OUT[0], IN[0]\n") +
         "counters 0 first\ncounters 1 second\n" + strip(RAINBOW) + "draw 4\n" +
         fragment("DCL SAMP[0]\nDCL SAMP[1]\nDCL SVIEW[0], BUFFER, UINT\nDCL SVIEW[1], BUFFER, UINT\n",
                  "TXF TEMP[1], IMM[0].yyyy, SAMP[0], BUFFER\nTXF TEMP[2], IMM[0].zzzz, SAMP[1], BUFFER\nU2F TEMP[3].x, TEMP[1].xxxx\n"
                  "U2F TEMP[3].y, TEMP[2].xxxx\nMUL OUT[0], TEMP[3].xyxy, IMM[1].wwww\n") +
         "bind_buffer 0 first R32_UINT\nbind_buffer 1 second R32_UINT\ndraw 4")


def buffers() -> None:
    case("memory/buffer_store", "A shader buffer is written by one draw and read by the next, beyond its end, too",
         target("16x16") + "buffer words zeros 960\n" +
         fragment("DCL BUFFER[0]\nIMM[2] UINT32 {64, 4, 0, 0}\n",
                  "UMUL TEMP[1].x, TEMP[0].yyyy, IMM[2].xxxx\nUMAD TEMP[1].x, TEMP[0].xxxx, IMM[2].yyyy, TEMP[1].xxxx\n"
                  "STORE BUFFER[0].x, TEMP[1].xxxx, IN[0]\nMOV OUT[0], IN[0]\n") + "storage 0 words\n" + strip(RAINBOW) + "draw 4\n" +
         fragment("DCL BUFFER[0]\nIMM[2] UINT32 {64, 4, 0, 0}\n",
                  "UMUL TEMP[1].x, TEMP[0].xxxx, IMM[2].xxxx\nUMAD TEMP[1].x, TEMP[0].yyyy, IMM[2].yyyy, TEMP[1].xxxx\n"
                  "LOAD OUT[0], BUFFER[0], TEMP[1].xxxx\n") + "draw 4")
    case("memory/buffer_vertex", "A vertex shader reads positions from a shader buffer",
         target() + "buffer points f32 {\n  9 9 9 9\n  -0.9 -0.8 0 1   0.9 -0.5 0 1   -0.3 0.9 0 1   0.8 0.9 0 1\n}\n" + """vertex_shader {
VERT
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL BUFFER[1]
DCL TEMP[0..1]
IMM[0] UINT32 {16, 0, 0, 0}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: LOAD TEMP[1], BUFFER[1], TEMP[0].xxxx
  2: MOV OUT[0], TEMP[1]
  3: MOV OUT[1], TEMP[1].yxwy
  4: END
}
fragment_shader shaders/color.frag.tgsi
vertex_storage 1 points offset=16
set primitive triangle_strip
clear color 0 0 0.2 1
draw 4""")
    rows = {"R8G8B8A8_UNORM": "u8", "R16G16_SNORM": "i16", "R32G32B32A32_FLOAT": "f32", "R32G32B32_FLOAT": "f32", "R16_FLOAT": "u16"}
    for fmt, kind in rows.items():
        limit = {"u8": 256, "i16": 30000, "u16": 15000, "f32": 3}[kind]
        data = " ".join(f"{(i * 7919) % 997 / 997 * limit:.3f}" if kind == "f32" else str((i * 7919) % limit) for i in range(480))
        case(f"memory/buffer_texture_{fmt.lower()}", f"A buffer texture of {fmt}, with texels past its end",
             target("16x16") + f"buffer texels {kind} {{\n  {data}\n}}\n" +
             fragment("DCL SAMP[0]\nDCL SVIEW[0], BUFFER, FLOAT\nIMM[2] UINT32 {16, 0, 0, 0}\n",
                      "UMAD TEMP[1].x, TEMP[0].yyyy, IMM[2].xxxx, TEMP[0].xxxx\nTXF OUT[0], TEMP[1].xxxx, SAMP[0], BUFFER\n") +
             f"bind_buffer 0 texels {fmt} offset={48 if kind == 'f32' else 8}\n" + strip(RAINBOW) + "draw 4")


def constants() -> None:
    """CONST by a computed index: of a loop, of the pixel, and of a buffer."""
    rows = "\n".join("  " + " ".join(f"{(i * 37 + c * 59) % 64 / 512:g}" for c in range(4)) for i in range(16))
    table = "constants %s f32 {\n" + rows + "\n}\n"
    # A loop over all 16 rows; TEMP[1].x counts.
    loop = ("MOV TEMP[1].x, IMM[0].xxxx\nMOV TEMP[2], IMM[2].xxxx\nBGNLOOP\nUSGE TEMP[1].y, TEMP[1].xxxx, IMM[3].xxxx\nUIF TEMP[1].yyyy\nBRK\n"
            "ENDIF\n%sUADD TEMP[1].x, TEMP[1].xxxx, IMM[0].yyyy\nENDLOOP\nMOV OUT[0], TEMP[2]\n")
    head = "DCL CONST[0][0..15]\nDCL ADDR[0..1]\nIMM[2] FLT32 {0.0, 1.0, 0.5, 0.0}\nIMM[3] UINT32 {16, 15, 0, 0}\n"
    case("memory/constants_loop", "A loop sums constants by its count, times a varying",
         target("16x16") + table % "0" + fragment(head, loop % "UARL ADDR[0].x, TEMP[1].xxxx\n"
                                                  "MAD TEMP[2], CONST[0][ADDR[0].x], IN[0], TEMP[2]\n") + strip(RAINBOW) + "draw 4")
    case("memory/constants_loop_lane", "A loop sums constants at its count plus x, past the end, too",
         target("16x16") + table % "0" + fragment(head, loop % "UADD TEMP[3].x, TEMP[1].xxxx, TEMP[0].xxxx\nUARL ADDR[0].x, TEMP[3].xxxx\n"
                                                  "ADD TEMP[2], CONST[0][ADDR[0].x], TEMP[2]\n") + strip(RAINBOW) + "draw 4")
    case("memory/constants_lane", "Each pixel reads constants of its own, by x xor y",
         target("16x16") + table % "0" + fragment(head, "XOR TEMP[1].x, TEMP[0].xxxx, TEMP[0].yyyy\nUARL ADDR[0].x, TEMP[1].xxxx\n"
                                                  "MUL OUT[0], CONST[0][ADDR[0].x], IMM[1].zzzz\n") + strip(RAINBOW) + "draw 4")
    more = "DCL CONST[1][0..15]\nDCL CONST[2][0..15]\n" + head
    one = "constants 1 f32 {\n  0.1 0.2 0.3 1\n  0.8 0.1 0.2 1\n  0.2 0.9 0.1 1\n}\n"
    case("memory/constants_buffer_index", "The index of a constant buffer is a constant, the same for all pixels",
         target("16x16") + "constants 0 u32 {\n  1 0 0 0\n}\n" + one + table % "2" +
         fragment(more, "UARL ADDR[0].x, CONST[0][0].xxxx\nUARL ADDR[1].x, TEMP[0].xxxx\n"
                  "ADD OUT[0], CONST[ADDR[0].x+1][ADDR[1].x], CONST[ADDR[0].x][1]\n") + strip(RAINBOW) + "draw 4")


def image_arrays() -> None:
    use = "2D, PIPE_FORMAT_R8G8B8A8_UNORM"
    code = "UARL ADDR[0].x, CONST[0][0].xxxx\n"
    head = f"DCL IMAGE[0], {use}, WR\nDCL IMAGE[1], {use}, WR\nDCL CONST[0][0]\nDCL ADDR[0]\n"
    images_ = "".join(image(f"i{k}", "2d", "R8G8B8A8_UNORM", "16x16") + f"fill i{k} 0 noise {k + 3}\nimage {k} i{k}\n" for k in range(2))
    number = "constants 0 u32 {\n  %d 0 0 0\n}\n"
    store = fragment(head, code + f"STORE IMAGE[ADDR[0].x], TEMP[0], IN[0], {use}\nMOV OUT[0], IMM[1].xxxx\n")
    load = fragment(head, code + f"LOAD OUT[0], IMAGE[ADDR[0].x], TEMP[0].yxzw, {use}\n")
    case("memory/image_indexed", "An array of images, indexed by a constant: stored to, then loaded",
         target("16x16") + images_ + number % 1 + store + strip(RAINBOW) + "draw 4\n" + number % 0 + load + "draw 4\nshow color0 i0 i1")
    use = "2D_MSAA, PIPE_FORMAT_R8G8B8A8_UNORM"
    head = f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{3, 0, 0, 0}}\n"
    store = fragment(head, "AND TEMP[1].x, TEMP[0].xxxx, IMM[2].xxxx\nMOV TEMP[0].w, TEMP[1].xxxx\n"
                     f"STORE IMAGE[0], TEMP[0], IN[0], {use}\nMOV OUT[0], IMM[1].xxxx\n")
    load = fragment(head, "AND TEMP[1].x, TEMP[0].xxxx, IMM[2].xxxx\nMOV TEMP[0].w, TEMP[1].xxxx\n"
                    f"LOAD OUT[0], IMAGE[0], TEMP[0], {use}\n")
    case("memory/image_kind_2d_ms", "An image of four samples: each pixel stores and loads one of them",
         target("16x16") + image("storage", "2d_ms", "R8G8B8A8_UNORM", "14x15", "target samples=4") + store + "image 0 storage\n" + strip(RAINBOW) +
         "draw 4\n" + load + "draw 4\nshow color0")
    use = "2D_ARRAY, PIPE_FORMAT_R32_FLOAT"
    code = ("AND TEMP[1].xy, TEMP[0].xyyy, IMM[2].xxxx\nUSHR TEMP[1].z, TEMP[0].xxxx, IMM[0].wwww\n"
            "UADD TEMP[2].x, TEMP[1].xxxx, IMM[2].yyyy\n")
    head = f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{7, 4294967294, 0, 0}}\n"
    case("memory/image_negative", "Coordinates below zero are outside: nothing is stored there",
         target("16x8") + image("storage", "2d_array", "R32_FLOAT", "8x8", "layers=2") + "fill storage * solid 0.25 0 0 1\n" +
         fragment(head, code + "MOV TEMP[1].x, TEMP[2].xxxx\n" + f"STORE IMAGE[0], TEMP[1], IN[0], {use}\nMOV OUT[0], IN[0]\n") +
         "image 0 storage\n" + strip(RAINBOW) + "draw 4\nshow storage:0:0 storage:0:1")


def memory() -> None:
    images()
    image_arrays()
    constants()
    atomics()
    buffers()
