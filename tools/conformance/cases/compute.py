"""Compute shaders: images, storage buffers, shared memory, atomics, indirect dispatches and draws."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, case, strip, target
from .memory import FLOATS, INTEGERS, fragment

RESULT = "texture result 2d R32_UINT 16x16\n"
SHOW = "show result\n"
PUT = "STORE IMAGE[7], TEMP[0], {}, 2D, PIPE_FORMAT_R32_UINT\n"
PUT_DECLARATION = "DCL IMAGE[7], 2D, PIPE_FORMAT_R32_UINT, WR\n"


def shader(block, declarations: str, code: str) -> str:
    """A compute shader. TEMP[0].xyz is the global ID, TEMP[0].w the number y * width + x, TEMP[1].w four times that;
    TEMP[2..7] are free."""
    head = "".join(f"PROPERTY CS_FIXED_BLOCK_{side} {n}\n" for side, n in zip(("WIDTH", "HEIGHT", "DEPTH"), block))
    more = "".join(line + "\n" for line in declarations.splitlines() if line.startswith("IMM"))
    declarations = "".join(line + "\n" for line in declarations.splitlines() if not line.startswith("IMM"))
    lines = ["UMAD TEMP[0].xyz, SV[1], SV[3], SV[0]", "UMUL TEMP[1].x, SV[2].xxxx, SV[3].xxxx",
             "UMAD TEMP[0].w, TEMP[0].yyyy, TEMP[1].xxxx, TEMP[0].xxxx", "SHL TEMP[1].w, TEMP[0].wwww, IMM[0].zzzz",
             *filter(None, code.split("\n")), "END"]
    return ("compute_shader {\nCOMP\n" + head + "DCL SV[0], THREAD_ID\nDCL SV[1], BLOCK_ID\nDCL SV[2], GRID_SIZE\nDCL SV[3], BLOCK_SIZE\n" +
            declarations + "DCL TEMP[0..7]\nIMM[0] UINT32 {0, 1, 2, 3}\nIMM[1] FLT32 {1.0, 0.125, 4.0, 0.00390625}\n" + more +
            "".join(f"  {i}: {line}\n" for i, line in enumerate(lines)) + "}\n")


def result_image() -> str:
    return RESULT + "compute_image 7 result\n"


def images() -> None:
    for fmt in FLOATS + INTEGERS:
        use = f"2D, PIPE_FORMAT_{fmt}"
        integer = fmt in INTEGERS
        value = "I2F TEMP[2], TEMP[0].xyxy\nMAD TEMP[2], TEMP[2], IMM[2], IMM[3]\nMUL TEMP[2].z, TEMP[2].xxxx, TEMP[2].yyyy\n"
        value += "F2I TEMP[2], TEMP[2]\n" if integer else ""
        numbers = "IMM[2] FLT32 {37.0, -53.0, 5000.0, 9.0}\nIMM[3] FLT32 {-200.0, 300.0, 0.0, 1.0}\n" if integer else \
            "IMM[2] FLT32 {0.13, -0.21, 0.3, 0.07}\nIMM[3] FLT32 {-0.5, 1.5, 0.0, 0.0}\n"
        store = shader((8, 4, 1), f"DCL IMAGE[0], {use}, WR\n" + numbers, value + f"STORE IMAGE[0], TEMP[0], TEMP[2], {use}\n")
        wide = "R32G32B32A32_" + ("SINT" if fmt.endswith("SINT") else "UINT" if integer else "FLOAT")
        load = shader((4, 8, 1), f"DCL IMAGE[0], {use}\nDCL IMAGE[1], 2D, PIPE_FORMAT_{wide}, WR\n",
                      f"LOAD TEMP[2], IMAGE[0], TEMP[0].yxzz, {use}\nSTORE IMAGE[1], TEMP[0], TEMP[2], 2D, PIPE_FORMAT_{wide}\n")
        case(f"compute/image_{fmt.lower()}", f"Image of {fmt}: stored by a dispatch, loaded turned over by the next",
             f"texture storage 2d {fmt} 16x16\ntexture result 2d {wide} 16x16\ncompute_image 0 storage\ncompute_image 1 result\n" +
             store + "dispatch 2 4 1\n" + load + "dispatch 4 2 1\nshow result storage")


KINDS = {"1d": ("1D", "37", ""), "1d_array": ("1D_ARRAY", "13", "layers=7"), "2d": ("2D", "13x11", ""), "rect": ("RECT", "9x14", ""),
         "2d_array": ("2D_ARRAY", "7x6", "layers=5"), "3d": ("3D", "5x6x7", ""), "cube": ("CUBE", "7x7", ""),
         "cube_array": ("CUBEARRAY", "5x5", "layers=12")}

# Groups and their number, so that no two invocations store to one texel.
GRIDS = {"1d": ((16, 1, 1), "dispatch 3 1 1"), "1d_array": ((16, 1, 1), "dispatch 1 8 1"), "2d": ((4, 4, 1), "dispatch 4 4 1"),
         "rect": ((4, 4, 1), "dispatch 4 4 1")}


def image_kinds() -> None:
    for kind, (tgsi, size, more) in KINDS.items():
        use = f"{tgsi}, PIPE_FORMAT_R32_UINT"
        # The grid is larger than the image: what lies outside is not stored and loaded as 0.
        block, grid = GRIDS.get(kind, ((4, 4, 2), "dispatch 4 4 7"))
        store = shader(block, f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{1, 256, 65536, 1}}\n",
                       "UMAD TEMP[2].x, TEMP[0].yyyy, IMM[2].yyyy, TEMP[0].xxxx\n"
                       "UMAD TEMP[2].x, TEMP[0].zzzz, IMM[2].zzzz, TEMP[2].xxxx\nUADD TEMP[2].x, TEMP[2].xxxx, IMM[2].yyyy\n"
                       "MOV TEMP[3], TEMP[0].xyzz\n" + place(kind, "TEMP[3]") + f"STORE IMAGE[0], TEMP[3], TEMP[2].xxxx, {use}\n")
        load = shader((16, 4, 1), f"DCL IMAGE[0], {use}\n" + PUT_DECLARATION + "IMM[2] UINT32 {4294967294, 4, 15, 0}\n",
                      "AND TEMP[3].xy, TEMP[0].xyyy, IMM[2].zzzz\nUSHR TEMP[3].z, TEMP[0].yyyy, IMM[0].yyyy\n"
                      "UADD TEMP[3].x, TEMP[3].xxxx, IMM[2].xxxx\n" + place(kind, "TEMP[3]") +
                      f"LOAD TEMP[2], IMAGE[0], TEMP[3], {use}\n" + PUT.format("TEMP[2].xxxx"))
        case(f"compute/image_kind_{kind}", f"Image kind {kind}: stored to and loaded, outside of it, too",
             f"texture storage {kind} R32_UINT {size} {more}".rstrip() + "\ncompute_image 0 storage\n" + result_image() +
             store + grid + "\n" + load + "dispatch 1 4 1\n" + SHOW)
        code = f"RESQ TEMP[2].xyz, IMAGE[0], {use}\nMOV TEMP[3].x, TEMP[2].xxxx\n"
        for n, c in ((1, "y"), (2, "z")):
            code += f"USEQ TEMP[4].x, TEMP[0].xxxx, IMM[0].{'xyzw'[n] * 4}\nUCMP TEMP[3].x, TEMP[4].xxxx, TEMP[2].{c * 4}, TEMP[3].xxxx\n"
        dimensions = 1 if kind == "1d" else 2 if kind in ("1d_array", "2d", "rect", "cube") else 3
        case(f"compute/image_size_{kind}", f"The size of an image of kind {kind}",
             f"texture storage {kind} R32_UINT {size} {more}".rstrip() + "\ncompute_image 0 storage\n" + result_image() +
             shader((dimensions, 1, 1), f"DCL IMAGE[0], {use}\n" + PUT_DECLARATION, code + PUT.format("TEMP[3].xxxx")) + "dispatch 1 1 1\n" + SHOW)
    use = "2D, PIPE_FORMAT_R32_UINT"
    case("compute/image_size_computed", "The sizes of images with a computed number, and of one that is not declared",
         "".join(f"texture storage{n} 2d R32_UINT {3 + 2 * n}x{9 - n}\ncompute_image {n} storage{n}\n" for n in range(3)) + result_image() +
         shader((4, 1, 1), f"DCL IMAGE[0..2], {use}\n" + PUT_DECLARATION + "DCL ADDR[0]\n",
                f"UARL ADDR[0].x, TEMP[0].xxxx\nRESQ TEMP[2].xy, IMAGE[ADDR[0].x], {use}\n"
                "SHL TEMP[3].x, TEMP[2].yyyy, IMM[0].wwww\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[2].xxxx\n" + PUT.format("TEMP[3].xxxx")) +
         "dispatch 1 1 1\n" + SHOW)
    use = "BUFFER, PIPE_FORMAT_R16G16_UINT"
    case("compute/image_kind_buffer", "A range of a buffer as an image: stored to and loaded, outside of it, too",
         "buffer texels zeros 1024\ncompute_image 0 buffer texels R16G16_UINT offset=16 size=900\n" + result_image() +
         shader((64, 1, 1), f"DCL IMAGE[0], {use}, WR\nIMM[2] UINT32 {{300, 77, 0, 0}}\n",
                f"UADD TEMP[2].xy, TEMP[0].xxxx, IMM[2].xyyy\nSTORE IMAGE[0], TEMP[0].xxxx, TEMP[2], {use}\n") + "dispatch 4 1 1\n" +
         shader((16, 1, 1), f"DCL IMAGE[0], {use}\n" + PUT_DECLARATION + "IMM[2] UINT32 {65536, 3, 0, 0}\n",
                f"UADD TEMP[2].x, TEMP[0].wwww, IMM[2].yyyy\nLOAD TEMP[3], IMAGE[0], TEMP[2].xxxx, {use}\n"
                "UMAD TEMP[3].x, TEMP[3].yyyy, IMM[2].xxxx, TEMP[3].xxxx\n" + PUT.format("TEMP[3].xxxx")) + "dispatch 1 16 1\n" + SHOW)


def place(kind: str, register: str) -> str:
    """Coordinates of the kind: those of arrays of lines have the layer in y."""
    return {"1d": f"MOV {register}.yz, IMM[0].xxxx\n"}.get(kind, "")


ATOMICS = ["uadd", "and", "or", "xor", "umin", "umax", "imin", "imax", "fadd", "inc_wrap", "dec_wrap", "xchg", "cas"]
# The word's first value, and the operand of invocation n in TEMP[2].x.
OPERAND = "UMUL TEMP[2].x, TEMP[0].wwww, IMM[2].xxxx\n"


def atomics() -> None:
    """Each word of an invocation alone is changed twice, and the picture has what the second found; in the last row are
    words that 16 invocations change in any order."""
    for op in ATOMICS:
        floats = op == "fadd"
        # Commutative operations only may meet: exchanges have words of their own.
        own = op in ("xchg", "cas")
        operand = {"fadd": "U2F TEMP[2].x, TEMP[0].xxxx\n", "inc_wrap": "MOV TEMP[2].x, IMM[2].yyyy\n",
                   "dec_wrap": "MOV TEMP[2].x, IMM[2].yyyy\n"}.get(op, OPERAND)
        more = "IMM[2] UINT32 {2654435761, 5, 1024, 15}\n"
        values = "IMM[0].xxxx, TEMP[2].xxxx" if op == "cas" else "TEMP[2].xxxx"
        meeting = "" if own else "AND TEMP[5].x, TEMP[0].wwww, IMM[2].wwww\nSHL TEMP[5].y, TEMP[5].xxxx, IMM[0].zzzz\n"
        name = f"ATOM{op.upper()}"

        def change(where: str, mine: str, common: str, use: str = "") -> str:
            code = operand + f"{name} TEMP[3].x, {where}, {mine}, {values}{use}\n{name} TEMP[3].x, {where}, {mine}, {values}{use}\n"
            return code + ("" if own else meeting + common)
        start = 2147483647 if op in ("and", "umin", "imin", "dec_wrap") else 0
        words = f"buffer words u32 {{\n  {' '.join([str(start)] * 272)}\n}}\n"
        filled = f"fill words 0 data u32 {{\n  {' '.join([str(start)] * 272)}\n}}\n" if start else ""
        common = f"UADD TEMP[5].y, TEMP[5].yyyy, IMM[2].zzzz\n{name} TEMP[4].x, %s, TEMP[5].yyyy, {values}\n"
        read = shader((16, 1, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION + "IMM[2] UINT32 {1024, 0, 0, 0}\n",
                      "UADD TEMP[2].x, TEMP[1].wwww, IMM[2].xxxx\nLOAD TEMP[3].x, BUFFER[0], TEMP[2].xxxx\n" + PUT.format("TEMP[3].xxxx"))
        case(f"compute/atomic_buffer_{op}", f"{name} of a storage buffer", words + "compute_storage 0 words\n" + result_image() +
             shader((16, 2, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION + more, change("BUFFER[0]", "TEMP[1].wwww", common % "BUFFER[0]") + PUT.format("TEMP[3].xxxx")) +
             "dispatch 1 8 1\n" + ("" if own else read + "dispatch 1 1 1\n") + SHOW)
        # In shared memory, the 64 invocations of a group have words of their own, and 16 in common.
        mine = "UMAD TEMP[6].x, SV[0].yyyy, IMM[3].xxxx, SV[0].xxxx\nSHL TEMP[6].y, TEMP[6].xxxx, IMM[0].zzzz\n"
        if start:
            mine += ("MOV TEMP[7].x, IMM[4].xxxx\nSTORE MEMORY[0].x, TEMP[6].yyyy, TEMP[7].xxxx\nUADD TEMP[6].z, TEMP[6].yyyy, IMM[4].yyyy\n"
                     "STORE MEMORY[0].x, TEMP[6].zzzz, TEMP[7].xxxx\nMEMBAR IMM[3].wwww\nBARRIER\n")
        shared = mine + change("MEMORY[0]", "TEMP[6].yyyy", f"UADD TEMP[5].y, TEMP[5].yyyy, IMM[3].yyyy\n{name} TEMP[4].x, MEMORY[0], "
                               f"TEMP[5].yyyy, {values}\n")
        if not own:
            # The last quarter of the invocations shows the words in common.
            shared += ("MEMBAR IMM[3].wwww\nBARRIER\nUSGE TEMP[7].x, TEMP[6].xxxx, IMM[3].zzzz\nUIF TEMP[7].xxxx\n"
                       "AND TEMP[5].x, TEMP[0].wwww, IMM[2].wwww\nSHL TEMP[5].y, TEMP[5].xxxx, IMM[0].zzzz\n"
                       "UADD TEMP[5].y, TEMP[5].yyyy, IMM[3].yyyy\nLOAD TEMP[3].x, MEMORY[0], TEMP[5].yyyy\nENDIF\n")
        case(f"compute/atomic_shared_{op}", f"{name} of shared memory", result_image() +
             shader((16, 4, 1), "DCL MEMORY[0], SHARED\n" + PUT_DECLARATION + more + "IMM[3] UINT32 {16, 256, 48, 8}\n" +
                    (f"IMM[4] UINT32 {{{start}, 64, 0, 0}}\n" if start else ""),
                    shared + PUT.format("TEMP[3].xxxx")) + "dispatch 1 4 1 shared=320\n" + SHOW)
        fmt = "R32_FLOAT" if floats else "R32_UINT"
        use = f", 2D, PIPE_FORMAT_{fmt}"
        image = change("IMAGE[0]", "TEMP[0]", "MOV TEMP[5].y, IMM[3].xxxx\n" f"{name} TEMP[4].x, IMAGE[0], TEMP[5], {values}{use}\n", use)
        case(f"compute/atomic_image_{op}", f"{name} of an image", f"texture words 2d {fmt} 16x17\n{filled}compute_image 0 words\n" + result_image() +
             shader((8, 8, 1), f"DCL IMAGE[0]{use}, WR\n" + PUT_DECLARATION + more + "IMM[3] UINT32 {16, 0, 0, 0}\n",
                    image + PUT.format("TEMP[3].xxxx")) + "dispatch 2 2 1\nshow result words")


def storage() -> None:
    for mask in ("x", "xy", "xyz", "xyzw"):
        case(f"compute/storage_{mask}", f"{len(mask)} words at once, at any multiple of 4 bytes, past the end, too",
             "buffer words zeros 980\ncompute_storage 0 words\n" + result_image() +
             shader((16, 1, 1), "DCL BUFFER[0]\nIMM[2] UINT32 {20, 2654435761, 40503, 7}\n",
                    "UMUL TEMP[2].x, TEMP[0].wwww, IMM[2].xxxx\nUMUL TEMP[3], TEMP[0].wwww, IMM[2].yzyz\n"
                    "UADD TEMP[3], TEMP[3], IMM[2].wxyz\n" f"STORE BUFFER[0].{mask}, TEMP[2].xxxx, TEMP[3]\n") + "dispatch 1 4 1\n" +
             shader((16, 1, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION + "IMM[2] UINT32 {5, 0, 0, 0}\n",
                    "MOV TEMP[3], IMM[0].xxxx\n" f"LOAD TEMP[3].{mask}, BUFFER[0], TEMP[1].wwww\nUADD TEMP[3].xy, TEMP[3].xyyy, TEMP[3].zwww\n"
                    "XOR TEMP[3].x, TEMP[3].xxxx, TEMP[3].yyyy\n" + PUT.format("TEMP[3].xxxx")) + "dispatch 1 16 1\n" + SHOW)
    case("compute/storage_ranges", "Three ranges of one buffer: what one stores, the others load; each has its size",
         "buffer words zeros 1024\ncompute_storage 0 words size=512\ncompute_storage 1 words offset=256 size=512\n"
         "compute_storage 2 words offset=512\n" + result_image() +
         shader((16, 1, 1), "DCL BUFFER[0]\nDCL BUFFER[1]\nIMM[2] UINT32 {7, 1000, 0, 0}\n",
                "UMUL TEMP[2].x, TEMP[0].wwww, IMM[2].xxxx\nSTORE BUFFER[0].x, TEMP[1].wwww, TEMP[2].xxxx\n") + "dispatch 1 16 1\n" +
         shader((16, 1, 1), "DCL BUFFER[0]\nDCL BUFFER[1]\nDCL BUFFER[2]\n" + PUT_DECLARATION,
                "LOAD TEMP[2].x, BUFFER[1], TEMP[1].wwww\nLOAD TEMP[3].x, BUFFER[2], TEMP[1].wwww\nRESQ TEMP[4].x, BUFFER[1]\n"
                "UADD TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx\nUADD TEMP[2].x, TEMP[2].xxxx, TEMP[4].xxxx\n" + PUT.format("TEMP[2].xxxx")) +
         "dispatch 1 16 1\n" + SHOW)
    case("compute/counters", "Atomic counters of two buffers count invocations",
         "buffer first zeros 8\nbuffer second zeros 16\ncompute_counters 0 first\ncompute_counters 1 second\n" + result_image() +
         shader((16, 4, 1), "DCL HWATOMIC[0][0..1]\nDCL HWATOMIC[1][0..3]\nIMM[2] UINT32 {3, 0, 0, 0}\n",
                "ATOMUADD TEMP[2].x, HWATOMIC[0][1], IMM[0].xxxx, IMM[0].yyyy\nAND TEMP[2].x, TEMP[0].xxxx, IMM[2].xxxx\n"
                "USEQ TEMP[2].y, TEMP[2].xxxx, IMM[0].zzzz\nUIF TEMP[2].yyyy\n"
                "ATOMUADD TEMP[3].x, HWATOMIC[1][2], IMM[0].xxxx, IMM[0].wwww\nENDIF\n") + "dispatch 1 4 1\n" +
         shader((2, 1, 1), "DCL BUFFER[0]\nDCL BUFFER[1]\n" + PUT_DECLARATION + "IMM[2] UINT32 {4, 8, 0, 0}\n",
                "LOAD TEMP[2].x, BUFFER[0], IMM[2].xxxx\nLOAD TEMP[3].x, BUFFER[1], IMM[2].yyyy\n"
                "UCMP TEMP[2].x, TEMP[0].xxxx, TEMP[3].xxxx, TEMP[2].xxxx\n" + PUT.format("TEMP[2].xxxx")) +
         "compute_storage 0 first\ncompute_storage 1 second\ndispatch 1 1 1\n" + SHOW)


def ids() -> None:
    for block, grid in (((1, 1, 1), (16, 16, 1)), ((16, 1, 1), (1, 16, 1)), ((7, 3, 2), (3, 6, 2)), ((64, 1, 1), (1, 4, 1)),
                        ((8, 8, 1), (2, 2, 3)), ((1024, 1, 1), (1, 2, 1)), ((1, 32, 1), (16, 1, 1)), ((3, 5, 7), (5, 3, 2))):
        name = "x".join(map(str, block))
        more = "IMM[2] UINT32 {5, 10, 15, 20}\nIMM[3] UINT32 {24, 28, 0, 0}\n"
        code = "MOV TEMP[2].x, SV[0].xxxx\n"
        for n, source in enumerate(("SV[0].yyyy", "SV[0].zzzz", "SV[1].xxxx", "SV[1].yyyy", "SV[1].zzzz", "SV[2].xxxx")):
            code += f"SHL TEMP[3].x, {source}, IMM[{2 + n // 4}].{'xyzw'[n % 4] * 4}\nXOR TEMP[2].x, TEMP[2].xxxx, TEMP[3].xxxx\n"
        # Invocations of all depths add to one texel.
        case(f"compute/ids_{name}", f"IDs in groups of {name}, {'x'.join(map(str, grid))} of them", result_image() +
             shader(block, PUT_DECLARATION + more, code + "ATOMUADD TEMP[3].x, IMAGE[7], TEMP[0], TEMP[2].xxxx, 2D, PIPE_FORMAT_R32_UINT\n") +
             f"dispatch {grid[0]} {grid[1]} {grid[2]}\n" + SHOW)


def shared() -> None:
    put_own = "STORE MEMORY[0].x, TEMP[2].xxxx, TEMP[3].xxxx\nMEMBAR IMM[2].zzzz\nBARRIER\n"
    for width in (1, 16, 17, 64, 100, 256, 1024):
        rows = max(1, 256 // width)
        case(f"compute/shared_reverse_{width}", f"{width} invocations read what their opposite wrote before a barrier",
             "buffer words zeros 4096\ncompute_storage 0 words\n" + result_image() +
             shader((width, 1, 1), f"DCL MEMORY[0], SHARED\nDCL BUFFER[0]\nIMM[2] UINT32 {{{width - 1}, 77, 15, 0}}\n",
                    "SHL TEMP[2].x, SV[0].xxxx, IMM[0].zzzz\nUMUL TEMP[3].x, TEMP[0].wwww, IMM[2].yyyy\n" + put_own +
                    "UADD TEMP[4].x, IMM[2].xxxx, -SV[0].xxxx\nSHL TEMP[4].x, TEMP[4].xxxx, IMM[0].zzzz\n"
                    "LOAD TEMP[5].x, MEMORY[0], TEMP[4].xxxx\nSTORE BUFFER[0].x, TEMP[1].wwww, TEMP[5].xxxx\n") +
             f"dispatch 1 {rows} 1 shared={width * 4}\n" +
             shader((16, 1, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION,
                    "LOAD TEMP[2].x, BUFFER[0], TEMP[1].wwww\n" + PUT.format("TEMP[2].xxxx")) + "dispatch 1 16 1\n" + SHOW)
    for width in (16, 64, 256):
        case(f"compute/shared_scan_{width}", f"Running sums of {width} words: a loop with two barriers", result_image() +
             shader((16, width // 16, 1), "DCL MEMORY[0], SHARED\n" + PUT_DECLARATION +
                    f"IMM[2] UINT32 {{16, {width}, 15, 2654435761}}\n",
                    "UMAD TEMP[6].x, SV[0].yyyy, IMM[2].xxxx, SV[0].xxxx\nSHL TEMP[2].x, TEMP[6].xxxx, IMM[0].zzzz\n"
                    "UMUL TEMP[3].x, TEMP[0].wwww, IMM[2].wwww\n" + put_own +
                    "MOV TEMP[4].x, IMM[0].yyyy\nBGNLOOP\nUSGE TEMP[5].x, TEMP[4].xxxx, IMM[2].yyyy\nUIF TEMP[5].xxxx\nBRK\nENDIF\n"
                    "MOV TEMP[7].x, IMM[0].xxxx\nUSGE TEMP[5].x, TEMP[6].xxxx, TEMP[4].xxxx\nUIF TEMP[5].xxxx\n"
                    "UADD TEMP[7].y, TEMP[6].xxxx, -TEMP[4].xxxx\nSHL TEMP[7].y, TEMP[7].yyyy, IMM[0].zzzz\n"
                    "LOAD TEMP[7].x, MEMORY[0], TEMP[7].yyyy\nENDIF\nMEMBAR IMM[2].zzzz\nBARRIER\n"
                    "LOAD TEMP[3].x, MEMORY[0], TEMP[2].xxxx\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[7].xxxx\n" + put_own +
                    "SHL TEMP[4].x, TEMP[4].xxxx, IMM[0].yyyy\nENDLOOP\n" + PUT.format("TEMP[3].xxxx")) +
             f"dispatch 1 {256 // width} 1 shared={width * 4}\n" + SHOW)


def textures() -> None:
    kinds = {"1d": ("1D", "32x1", "x"), "2d": ("2D", "32x32", "xy"), "3d": ("3D", "16x16x8", "xyz"), "cube": ("CUBE", "16x16", "xyz"),
             "2d_array": ("2D_ARRAY", "16x16", "xyz")}
    for kind, (tgsi, size, _) in kinds.items():
        more = "layers=4 " if kind == "2d_array" else ""
        case(f"compute/sample_{kind}", f"A texture of kind {kind}, sampled with a level of detail of each invocation",
             f"texture picture {kind} R8G8B8A8_UNORM {size} {more}levels=3\nfill picture * noise 5\ncompute_bind 0 picture\n"
             "compute_sampler 0 filter=linear mip=linear wrap=repeat\ntexture result 2d R8G8B8A8_UNORM 16x16\ncompute_image 7 result\n" +
             shader((8, 8, 1), f"DCL SAMP[0]\nDCL SVIEW[0], {tgsi}, FLOAT\nDCL IMAGE[7], 2D, PIPE_FORMAT_R8G8B8A8_UNORM, WR\n"
                    "IMM[2] FLT32 {0.07, 0.11, 0.25, 0.125}\nIMM[3] FLT32 {-0.3, -0.4, 0.5, 0.0}\n",
                    "U2F TEMP[2], TEMP[0].xyxy\nMAD TEMP[2], TEMP[2], IMM[2], IMM[3]\n"
                    f"TXL TEMP[3], TEMP[2], SAMP[0], {tgsi}\nSTORE IMAGE[7], TEMP[0], TEMP[3], 2D, PIPE_FORMAT_R8G8B8A8_UNORM\n") +
             "dispatch 2 2 1\n" + SHOW)
    case("compute/fetch_2d", "Texels of each level of a texture, and its size",
         "texture picture 2d R32_UINT 32x32 levels=3\nfill picture * random 9\ncompute_bind 0 picture\ncompute_sampler 0\n" + result_image() +
         shader((8, 8, 1), "DCL SAMP[0]\nDCL SVIEW[0], 2D, UINT\n" + PUT_DECLARATION + "IMM[2] UINT32 {3, 0, 0, 0}\n",
                "MOV TEMP[2], TEMP[0].xyyy\nAND TEMP[2].w, TEMP[0].yyyy, IMM[0].zzzz\nTXF TEMP[3], TEMP[2], SAMP[0], 2D\n"
                "TXQ TEMP[4].x, TEMP[2].wwww, SAMP[0], 2D\nUADD TEMP[3].x, TEMP[3].xxxx, TEMP[4].xxxx\n" + PUT.format("TEMP[3].xxxx")) +
         "dispatch 2 2 1\n" + SHOW)
    case("compute/constants", "Constants of two buffers by a computed index, past the end, too",
         "compute_constants 0 u32 {\n  3 5 7 9   11 13 15 17\n}\ncompute_constants 1 u32 {\n  " + " ".join(str(i * i * 31) for i in range(48)) +
         "\n}\n" + result_image() +
         shader((16, 1, 1), "DCL CONST[0][0..1]\nDCL CONST[1][0..15]\nDCL ADDR[0]\n" + PUT_DECLARATION,
                "UARL ADDR[0].x, TEMP[0].xxxx\nMOV TEMP[2], CONST[1][ADDR[0].x]\nUMAD TEMP[2].x, TEMP[2].xxxx, CONST[0][1].yyyy, TEMP[2].wwww\n"
                "UMAD TEMP[2].x, TEMP[0].yyyy, CONST[0][0].wwww, TEMP[2].xxxx\n" + PUT.format("TEMP[2].xxxx")) + "dispatch 1 16 1\n" + SHOW)


def indirect() -> None:
    put = shader((8, 2, 1), PUT_DECLARATION, "UADD TEMP[2].x, TEMP[0].wwww, IMM[0].yyyy\n" + PUT.format("TEMP[2].xxxx"))
    for name, offset, words in (("first", 0, "2 5 1 0"), ("later", 8, "0 0 1 7 1"), ("none", 0, "2 0 1 0")):
        case(f"compute/dispatch_indirect_{name}", f"The size of the grid lies in a buffer, at {offset}: {words}",
             f"buffer sizes u32 {{\n  {words}\n}}\n" + result_image() + put + f"dispatch_indirect sizes {offset}\n" + SHOW)
    case("compute/dispatch_indirect_computed", "A compute shader writes the size of the next grid",
         "buffer sizes zeros 16\ncompute_storage 0 sizes\n" + result_image() +
         shader((1, 1, 1), "DCL BUFFER[0]\nIMM[2] UINT32 {2, 6, 1, 0}\n", "STORE BUFFER[0].xyz, IMM[0].xxxx, IMM[2]\n") + "dispatch 1 1 1\n" +
         put + "dispatch_indirect sizes 0\n" + SHOW)
    shape = strip(RAINBOW, x0=-0.9, y0=-0.9, x1=0.6, y1=0.7)
    for name, words, line in (
            ("one", "4 1 0 0", "draw_indirect draws 0"), ("offset", "9 9 9 9 3 1 1 0", "draw_indirect draws 16"),
            ("three", "3 1 0 0  0 1 0 0  3 1 1 0", "draw_indirect draws 0 draws=3"),
            ("stride", "3 1 0 0 9 9  3 1 1 0 9 9", "draw_indirect draws 0 draws=2 stride=24"),
            ("count", "3 1 0 0  3 1 1 0  1", "draw_indirect draws 0 draws=2 count=draws count_offset=32"),
            ("count_large", "3 1 0 0  3 1 1 0  100", "draw_indirect draws 0 draws=2 count=draws count_offset=32")):
        case(f"compute/draw_indirect_{name}", f"Indirect draws: {line.removeprefix('draw_indirect draws ')} of {words}",
             target() + f"buffer draws u32 {{\n  {words}\n}}\n" + COLOR + shape + "clear color 0 0 0.2 1\n" + line)
    case("compute/draw_indirect_indexed", "Indirect draws of indices with a base vertex",
         target() + "buffer draws u32 {\n  3 1 1 -1 0  3 1 0 0 0\n}\n".replace("-1", "4294967295") + COLOR + shape +
         "indices u16 {\n  0 1 2 3 2 1\n}\nset primitive triangles\nclear color 0 0 0.2 1\ndraw_indirect draws 0 draws=2")
    case("compute/draw_indirect_computed", "A compute shader writes the parameters of draws",
         target() + "buffer draws zeros 32\ncompute_storage 0 draws\n" +
         shader((2, 1, 1), "DCL BUFFER[0]\nIMM[2] UINT32 {3, 1, 4, 0}\n",
                "SHL TEMP[2].x, TEMP[0].xxxx, IMM[2].zzzz\nMOV TEMP[3], IMM[2].xyww\nMOV TEMP[3].z, TEMP[0].xxxx\n"
                "STORE BUFFER[0], TEMP[2].xxxx, TEMP[3]\n") + "dispatch 1 1 1\n" + COLOR + shape +
         "clear color 0 0 0.2 1\ndraw_indirect draws 0 draws=2")


def order() -> None:
    """Draws see what dispatches wrote, and dispatches what draws wrote."""
    use = "2D, PIPE_FORMAT_R8G8B8A8_UNORM"
    case("compute/reads_target", "A dispatch turns the picture of a draw over, and a blit adds to it",
         target("16x16") + f"texture turned 2d R8G8B8A8_UNORM 16x16 target\n" + COLOR + strip(RAINBOW) + "draw 4\n" +
         shader((16, 1, 1), f"DCL IMAGE[0], {use}\nDCL IMAGE[1], {use}, WR\n",
                f"LOAD TEMP[2], IMAGE[0], TEMP[0].yxzz, {use}\nSTORE IMAGE[1], TEMP[0], TEMP[2].zxyw, {use}\n") +
         "compute_image 0 color0\ncompute_image 1 turned\ndispatch 1 16 1\nblit color0 0,0,8,8 turned 4,4,8,8\nshow color0 turned")
    case("compute/writes_vertices", "A compute shader computes the positions that a vertex shader reads",
         target() + "buffer points zeros 64\ncompute_storage 0 points\n" +
         shader((4, 1, 1), "DCL BUFFER[0]\nIMM[2] FLT32 {-0.9, 0.55, -0.4, 1.0}\nIMM[3] UINT32 {16, 3, 0, 0}\n",
                "U2F TEMP[2].x, TEMP[0].xxxx\nMAD TEMP[3].x, TEMP[2].xxxx, IMM[2].yyyy, IMM[2].xxxx\nMUL TEMP[3].y, TEMP[3].xxxx, TEMP[3].xxxx\n"
                "AND TEMP[4].x, TEMP[0].xxxx, IMM[0].yyyy\nUIF TEMP[4].xxxx\nMOV TEMP[3].y, IMM[2].zzzz\nENDIF\n"
                "MOV TEMP[3].z, IMM[0].xxxx\nMOV TEMP[3].w, IMM[2].wwww\nUMUL TEMP[4].x, TEMP[0].xxxx, IMM[3].xxxx\n"
                "STORE BUFFER[0], TEMP[4].xxxx, TEMP[3]\n") + "dispatch 1 1 1\n" + """vertex_shader {
VERT
DCL SV[0], VERTEXID
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL BUFFER[0]
DCL TEMP[0..1]
IMM[0] UINT32 {16, 0, 0, 0}
  0: UMUL TEMP[0].x, SV[0].xxxx, IMM[0].xxxx
  1: LOAD TEMP[1], BUFFER[0], TEMP[0].xxxx
  2: MOV OUT[0], TEMP[1]
  3: MOV OUT[1], TEMP[1].wyxw
  4: END
}
fragment_shader shaders/color.frag.tgsi
vertex_storage 0 points
set primitive triangle_strip
clear color 0 0 0.2 1
draw 4""")
    case("compute/writes_texture", "A draw samples what a dispatch stored to an image",
         target("16x16") + "texture picture 2d R8G8B8A8_UNORM 16x16\ncompute_image 0 picture\n" +
         shader((16, 1, 1), f"DCL IMAGE[0], {use}, WR\nIMM[2] FLT32 {{0.0625, 0.03, 0.0, 1.0}}\n",
                f"U2F TEMP[2], TEMP[0].xyyy\nMUL TEMP[2].xy, TEMP[2], IMM[2]\nMOV TEMP[2].w, IMM[2].wwww\nSTORE IMAGE[0], TEMP[0], TEMP[2], {use}\n") +
         "dispatch 1 16 1\n" + fragment("DCL SAMP[0]\nDCL SVIEW[0], 2D, FLOAT\n", "MOV TEMP[1], TEMP[0].yxxx\nMOV TEMP[1].w, IMM[0].xxxx\n"
                                        "TXF OUT[0], TEMP[1], SAMP[0], 2D\n") + "bind 0 picture\nsampler 0\n" + strip(RAINBOW) + "draw 4")
    case("compute/reads_counts", "A dispatch reads what the pixels of a draw counted",
         target("16x16") + "buffer counts zeros 64\nstorage 0 counts\n" +
         fragment("DCL BUFFER[0]\n", "SHL TEMP[1].x, TEMP[0].xxxx, IMM[0].zzzz\nATOMUADD TEMP[2].x, BUFFER[0], TEMP[1].xxxx, TEMP[0].yyyy\n"
                  "MOV OUT[0], IN[0]\n") + strip(RAINBOW) + "draw 4\n" + result_image() + "compute_storage 0 counts\n" +
         shader((16, 1, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION, "LOAD TEMP[2].x, BUFFER[0], TEMP[1].wwww\n" + PUT.format("TEMP[2].xxxx")) +
         "dispatch 1 1 1\n" + SHOW)


# Operations whose result is a NaN for some of the x = -4 .. 11 in TEMP[2].x; TEMP[2].y is infinite with the sign of x.
NAN_MAKERS = ["ADD TEMP[3].x, TEMP[2].yyyy, -TEMP[2].yyyy", "MUL TEMP[3].x, TEMP[2].yyyy, TEMP[2].zzzz",
              "MAD TEMP[3].x, TEMP[2].yyyy, TEMP[2].xxxx, -TEMP[2].wwww", "SQRT TEMP[3].x, TEMP[2].xxxx",
              "RSQ TEMP[3].x, TEMP[2].xxxx", "LG2 TEMP[3].x, TEMP[2].xxxx", "POW TEMP[3].x, TEMP[2].xxxx, TEMP[2].xxxx",
              "DIV TEMP[3].x, TEMP[2].zzzz, TEMP[2].zzzz", "FRC TEMP[3].x, TEMP[2].yyyy",
              "DP2 TEMP[3].x, TEMP[2].xyyy, TEMP[2].xzzz", "LRP TEMP[3].x, TEMP[2].xxxx, TEMP[2].yyyy, TEMP[2].wwww"]
# Ways for a NaN in TEMP[3].x to come to TEMP[4].x.
NAN_WAYS = ["MOV TEMP[4].x, TEMP[3].xxxx", "UCMP TEMP[4].x, TEMP[2].xxxx, TEMP[3].xxxx, TEMP[2].xxxx", "MIN TEMP[4].x, TEMP[3].xxxx, TEMP[3].xxxx",
            "FLR TEMP[4].x, TEMP[3].xxxx", "SIN TEMP[4].x, TEMP[3].xxxx"]


def nan_bits() -> None:
    """Stored NaNs have the bits of the quiet one; numbers are shown as 0."""
    numbers = "IMM[2] FLT32 {-4.0, 1e30, 0.0, 7.0}\nIMM[3] UINT32 {1, 0, 0, 0}\n"
    start = "U2F TEMP[2].x, TEMP[0].xxxx\nADD TEMP[2].x, TEMP[2].xxxx, IMM[2].xxxx\nMUL TEMP[2].y, TEMP[2].xxxx, IMM[2].yyyy\n" \
            "MUL TEMP[2].y, TEMP[2].yyyy, IMM[2].yyyy\nADD TEMP[2].z, TEMP[2].xxxx, -TEMP[2].xxxx\nMOV TEMP[2].w, TEMP[2].yyyy\n"
    show = "FSNE TEMP[5].x, TEMP[4].xxxx, TEMP[4].xxxx\nAND TEMP[5].x, TEMP[5].xxxx, TEMP[4].xxxx\n" + PUT.format("TEMP[5].xxxx") + \
           "UADD TEMP[0].y, TEMP[0].yyyy, IMM[3].xxxx\n"
    for i, way in enumerate(NAN_WAYS):
        case(f"compute/nan_bits_{i}", f"The bits of NaNs that were computed, then {way.split(' ')[0]}",
             result_image() + shader((16, 1, 1), PUT_DECLARATION + numbers,
                                     start + "".join(f"{make}\n{way}\n{show}" for make in NAN_MAKERS)) + "dispatch 1 1 1\n" + SHOW)
    case("compute/nan_sums", "Atomic additions whose sum is a NaN",
         result_image() + "buffer sums zeros 64\ncompute_storage 0 sums\n" +
         shader((16, 1, 1), "DCL BUFFER[0]\n" + PUT_DECLARATION + numbers,
                start + "ATOMFADD TEMP[3].x, BUFFER[0], TEMP[1].wwww, TEMP[2].yyyy\nATOMFADD TEMP[3].x, BUFFER[0], TEMP[1].wwww, -TEMP[2].yyyy\n"
                "LOAD TEMP[3].x, BUFFER[0], TEMP[1].wwww\n" + PUT.format("TEMP[3].xxxx")) + "dispatch 1 1 1\n" + SHOW)


def compute() -> None:
    images()
    image_kinds()
    atomics()
    storage()
    ids()
    shared()
    textures()
    indirect()
    order()
    nan_bits()
