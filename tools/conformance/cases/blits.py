"""Blits."""
# SPDX-License-Identifier: MIT
from .common import COLOR, ZIGZAG, case, colored, target, vertices
from .multisampling import MS_COLOR


def blits() -> None:
    source = "texture s 2d R8G8B8A8_UNORM 16x16\nfill s 0 noise 31\n"
    out = target() + "clear color 0 0 0.3 1\n" + source
    for name, boxes in (("copy", "s 0,0,16,16 color0 4,4,16,16"), ("grow", "s 2,2,8,8 color0 0,0,32,32"),
                        ("shrink", "s 0,0,16,16 color0 3,3,7,5"), ("mirror_x", "s 16,0,-16,16 color0 0,0,24,24"),
                        ("mirror_y", "s 0,0,16,16 color0 2,30,20,-20"), ("mirror_both", "s 16,16,-16,-16 color0 28,28,-24,-24"),
                        ("outside", "s 8,8,8,8 color0 -8,-8,24,24")):
        for filter_ in ("nearest", "linear"):
            case(f"blit/{name}_{filter_}", f"A blit ({name}), {filter_}", out + f"blit {boxes} filter={filter_}")
    case("blit/mask", "A blit of red and alpha only", out + "blit s 0,0,16,16 color0 0,0,32,32 mask=ra")
    case("blit/scissor", "A blit with a scissor", out + "blit s 0,0,16,16 color0 0,0,32,32 scissor=5,7,20,31")
    for fmt in ("B5G6R5_UNORM", "R16G16B16A16_FLOAT", "R8G8B8A8_SRGB", "R8_UNORM", "R10G10B10A2_UNORM", "R8G8B8A8_SNORM"):
        case(f"blit/to_{fmt.lower()}", f"A converting blit to {fmt}",
             target("16x16", fmt) + source + "blit s 0,0,16,16 color0 0,0,16,16")
        case(f"blit/from_{fmt.lower()}", f"A converting blit from {fmt}",
             target("16x16") + f"texture s 2d {fmt} 16x16\nfill s 0 noise 31\nblit s 0,0,16,16 color0 0,0,16,16")
    pairs = [("R8G8B8A8_SRGB", "R16G16B16A16_FLOAT"), ("R16G16B16A16_FLOAT", "B8G8R8A8_SRGB"), ("R8G8B8A8_UNORM", "R11G11B10_FLOAT"),
             ("R11G11B10_FLOAT", "B8G8R8A8_UNORM"), ("R10G10B10A2_UNORM", "R8G8B8A8_SRGB"), ("R11G11B10_FLOAT", "R10G10B10A2_UNORM"),
             ("B8G8R8A8_SRGB", "B5G6R5_UNORM")]
    for first, second in pairs:
        name = "_to_".join("".join(part.split("_")).lower() for part in (first, second))
        case(f"blit/{name}", f"Blits from {first} to {second}: the same size, nearest, and larger, linear",
             target("32x16", second) + "clear color 0 0 0 1\n" + f"texture s 2d {first} 16x16\nfill s 0 noise 37\n"
             "blit s 0,0,16,16 color0 0,0,16,16\nblit s 4,6,5,3 color0 16,16,16,-16 filter=linear")
    for fmt in ("D24_UNORM_S8_UINT", "D32_FLOAT_S8X24_UINT", "D16_UNORM"):
        fill = "gradient" if fmt.startswith("D32") else "random 3"
        case(f"blit/{fmt.lower()}", f"Blits of {fmt}: copied, made larger, and mirrored",
             f"size 40x24\ndepth {fmt}\nclear depth 0.5\n" + ("clear stencil 9\n" if "S8" in fmt else "") +
             f"texture s 2d {fmt} 16x16\nfill s 0 {fill}\nblit s 0,0,16,16 depth 0,0,16,16\n"
             "blit s 3,2,9,7 depth 17,0,21,24\nblit s 16,0,-16,8 depth 0,16,16,8\nshow depth")
    for samples in (4, 8):
        case(f"blit/depth_resolve_{samples}", f"A blit of depth and stencil with {samples} samples takes the first one",
             f"texture m 2d_ms D24_UNORM_S8_UINT 24x24 target samples={samples}\nframebuffer depth=m\nset viewport 0 0 24 24\n" + MS_COLOR +
             "clear depth 1\nclear stencil 3\nset depth.test on\nset depth.write on\nset stencil.enable on\n"
             "set stencil.pass increment_clamp\n" + COLOR + vertices([(x, y, (i % 3 - 1) * 0.8, *rest) for i, (x, y, _, *rest) in
                                                                        enumerate(colored(ZIGZAG))]) +
             "set primitive triangle_strip\ndraw 8\nsize 24x24\ndepth D24_UNORM_S8_UINT\nblit m 0,0,24,24 depth 0,0,24,24\nshow depth")
    case("blit/samples", "A blit from four samples to four samples, a part of the surface; then resolved",
         "texture m 2d_ms R8G8B8A8_UNORM 24x24 target samples=4\ntexture n 2d_ms R8G8B8A8_UNORM 24x24 target samples=4\n"
         "framebuffer n\nclear color 0.3 0.3 0 1\nframebuffer m\nset viewport 0 0 24 24\n" + MS_COLOR + "clear color 0 0 0.2 1\n" + COLOR +
         vertices(colored(ZIGZAG)) + "set primitive triangle_strip\ndraw 8\nblit m 4,4,15,13 n 4,4,15,13\nshow n")
    for keep in ("depth", "stencil"):
        case(f"blit/{keep}_off", f"A blit of depth and stencil without {keep}",
             "size 16x16\ndepth D24_UNORM_S8_UINT\nclear depth 0.5\nclear stencil 9\ntexture s 2d D24_UNORM_S8_UINT 16x16\n"
             f"fill s 0 random 3\nblit s 0,0,16,16 depth 0,0,16,16 {keep}=off\nshow depth")
    for samples in (2, 4):
        case(f"blit/resolve_{samples}", f"A blit that resolves {samples} samples",
             f"texture m 2d_ms R8G8B8A8_UNORM 24x24 target samples={samples}\nframebuffer m\nset viewport 0 0 24 24\n" + MS_COLOR +
             "clear color 0 0 0.2 1\n" + COLOR + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\ndraw 8\n"
             "size 24x24\ncolor R8G8B8A8_UNORM\nblit m 0,0,24,24 color0 0,0,24,24\nshow color0")
    case("blit/level", "A blit from level to level",
         "texture t 2d R8G8B8A8_UNORM 16x16 target levels=3\nfill t * noise 3\nblit t:0 0,0,16,16 t:2 0,0,4,4 filter=linear\nshow t:0 t:1 t:2")
    case("blit/layer", "A blit from layer to layer",
         "texture t 2d_array R8G8B8A8_UNORM 16x16 target layers=3\nfill t * noise 3\nblit t:0:0 0,0,16,16 t:0:2 16,0,-16,16\n"
         "show t:0:0 t:0:1 t:0:2")
