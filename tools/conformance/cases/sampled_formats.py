"""Formats of sampled textures."""
# SPDX-License-Identifier: MIT
from .common import case, strip, target
from .target_formats import INTEGERS, NUMBERS
from .textures import coords, tex, textured

SAMPLED = [f for f in NUMBERS if f not in ("L16_UNORM",)] + [
    "L16_UNORM", "R8G8B8_UNORM", "R16G16B16_UNORM", "R32G32B32_FLOAT", "L8A8_SRGB", "L16A16_UNORM", "A16_UNORM",
    "I16_FLOAT", "B10G10R10A2_UNORM", "R10G10B10A2_SNORM", "A1B5G5R5_UNORM", "A4R4G4B4_UNORM", "B2G3R3_UNORM",
    "R16_SNORM", "R32G32_UNORM", "X8R8G8B8_SRGB"]
BLOCKS = ["BC1_RGB_UNORM", "BC1_RGBA_UNORM", "BC2_RGBA_UNORM", "BC3_RGBA_UNORM", "BC1_RGBA_SRGB", "BC3_RGBA_SRGB",
          "BC4_R_UNORM", "BC4_R_SNORM", "BC5_RG_UNORM", "BC5_RG_SNORM", "LATC1_L_UNORM", "LATC2_LA_UNORM",
          "BC7_RGBA_UNORM", "BC7_RGBA_SRGB", "BC6H_RGB_UFLOAT", "BC6H_RGB_SFLOAT", "ETC1_RGB8_UNORM", "ETC2_RGB8_UNORM", "ETC2_RGB8_SRGB",
          "ETC2_RGB8A1_UNORM", "ETC2_RGB8A1_SRGB", "ETC2_RGBA8_UNORM", "ETC2_RGBA8_SRGB", "EAC_R11_UNORM", "EAC_R11_SNORM",
          "EAC_RG11_UNORM", "EAC_RG11_SNORM"]
# The lowest bits of BPTC blocks by mode, and how many they are; the last of each kind is reserved.
UNORM_MODES = [(1 << mode, mode + 1) for mode in range(8)] + [(0, 8)]
FLOAT_MODES = [(0, 2), (1, 2)] + [(mode, 5) for mode in (2, 3, 6, 7, 10, 11, 14, 15, 18, 22, 26, 30)] + [(19, 5)]


def mode_blocks(modes, count: int) -> str:
    """Blocks of random bits with each mode in turn, as hexadecimal digits."""
    state, blocks = 1, []
    for i in range(count):
        value = 0
        for _ in range(8):
            state = (state * 1103515245 + 12345) % 2 ** 31
            value = value << 16 | state >> 12 & 0xFFFF
        bits, size = modes[i % len(modes)]
        blocks.append((value >> size << size | bits).to_bytes(16, "little").hex())
    return "\n".join("  " + block for block in blocks)


def formats() -> None:
    for fmt in dict.fromkeys(SAMPLED):
        for filter_ in ("nearest", "linear"):
            low = "-1" if "SNORM" in fmt else "-0.25" if "FLOAT" in fmt else "0"
            case(f"format/{fmt.lower()}_{filter_}", f"Sampling {fmt}, {filter_}",
                 target("16x16") + tex("2D") + f"texture t 2d {fmt} 5x5\nfill t 0 noise 21 range {low} 1\nbind 0 t\n"
                 f"sampler 0 filter={filter_}\n" + coords(0, 1) + "draw 4")
    for fmt in INTEGERS:
        kind = "UINT" if "UINT" in fmt else "SINT"
        case(f"format/{fmt.lower()}", f"Fetching {fmt}",
             target("16x16", "R32G32B32A32_" + kind) +
             textured("2D", "  0: F2I TEMP[0], IN[0]\n  1: TXF OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n", kind=kind) +
             f"texture t 2d {fmt} 8x8\nfill t 0 random 77\nbind 0 t\nsampler 0 filter=nearest\n" +
             strip([(0, 0, 0, 0), (8, 0, 0, 0), (0, 8, 0, 0), (8, 8, 0, 0)]) + "draw 4")
    for fmt in ("R9G9B9E5_FLOAT",):
        case(f"format/{fmt.lower()}", f"Sampling {fmt}",
             target("16x16") + tex("2D") + f"texture t 2d {fmt} 4x4\nfill t 0 data u32 {{\n" +
             "".join(f"  {(16 - i % 3) << 27 | (i * 29 % 512) << 18 | (i * 67 % 512) << 9 | i * 31 % 512}\n" for i in range(16)) +
             "}\nbind 0 t\nsampler 0\n" + coords(0, 1) + "draw 4")
    for fmt in ("B5G6R5_UNORM", "B5G5R5A1_UNORM", "B4G4R4A4_UNORM"):
        case(f"format/{fmt.lower()}_levels", f"Sampling {fmt} between texels and between levels",
             target("16x16") + tex("2D") + f"texture t 2d {fmt} 16x16 levels=4\nfill t * noise 25\nbind 0 t\nsampler 0 filter=linear mip=linear\n" +
             coords(-0.3, 2.4) + "draw 4")
    for fmt in BLOCKS:
        case(f"format/{fmt.lower()}", f"Compressed blocks of random bits in {fmt}",
             target("32x32") + tex("2D") + f"texture t 2d {fmt} 30x30\nfill t 0 random 12\nbind 0 t\n"
             "sampler 0 filter=nearest\n" + coords(0, 1) + "draw 4")
    for fmt, modes in (("BC7_RGBA_UNORM", UNORM_MODES), ("BC6H_RGB_UFLOAT", FLOAT_MODES), ("BC6H_RGB_SFLOAT", FLOAT_MODES)):
        case(f"format/{fmt.lower()}_modes", f"Blocks of every mode in {fmt}",
             target("64x64", "R16G16B16A16_FLOAT" if "BC6H" in fmt else "R8G8B8A8_UNORM") + tex("2D") +
             f"texture t 2d {fmt} 64x64\nfill t 0 data hex {{\n{mode_blocks(modes, 256)}\n}}\nbind 0 t\n"
             "sampler 0 filter=nearest\n" + coords(0, 1) + "draw 4")
    view = "texture t 2d R8G8B8A8_UNORM 4x4\nfill t 0 noise 5\nsampler 0\n"
    for fmt in ("R8G8B8A8_SRGB", "B8G8R8A8_UNORM", "R8G8B8X8_UNORM", "R8G8B8A8_SNORM"):
        case(f"format/view_as_{fmt.lower()}", f"R8G8B8A8_UNORM seen as {fmt}",
             target("16x16") + tex("2D") + view + f"bind 0 t format={fmt}\n" + coords(0, 1) + "draw 4")
