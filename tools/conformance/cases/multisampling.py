"""Samples: coverage, masks, places, resolves."""
# SPDX-License-Identifier: MIT
from .common import COLOR, RAINBOW, RING, ZIGZAG, case, colored, quad, strip, target, vertices

MS_COLOR = "set raster.multisample on\n"


def sampled_frag(declaration: str, code: str) -> str:
    return ("vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\n" + declaration + "DCL OUT[0], COLOR\n" + code +
            "}\n")


def multisample() -> None:
    triangles = vertices(colored(ZIGZAG)) + "set primitive triangle_strip\n"
    for samples in (2, 4, 8, 16):
        base = target("24x24", samples=samples) + MS_COLOR + "clear color 0 0 0.2 1\n"
        case(f"multisample/triangles_{samples}", f"Triangles with {samples} samples, resolved",
             base + COLOR + triangles + "draw 8")
        case(f"multisample/lines_{samples}", f"Lines with {samples} samples are rectangles",
             base + COLOR + vertices(colored(RING)) + "set primitive line_loop\nset raster.line_width 2.5\ndraw 8")
        case(f"multisample/points_{samples}", f"Points with {samples} samples",
             base + COLOR + vertices(colored(RING)) + "set primitive points\nset raster.point_size 4.3\ndraw 8")
        case(f"multisample/whole_points_{samples}", f"Points with {samples} samples are not rounded",
             base + COLOR + vertices(colored(RING)) +
             "set primitive points\nset raster.point_size 4.3\nset raster.whole_point_size on\ndraw 8")
        case(f"multisample/off_{samples}", f"Multisampling off on a target of {samples} samples",
             base + COLOR + triangles + "set raster.multisample off\ndraw 8")
        case(f"multisample/sample_mask_{samples}", f"Sample mask 0x35 on {samples} samples",
             base + COLOR + triangles + "set sample_mask 0x35\ndraw 8")
        case(f"multisample/alpha_to_coverage_{samples}", f"Alpha to coverage with {samples} samples",
             base + COLOR + strip([(1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 1, 0.2), (1, 0, 0, 0.8)]) +
             "set blend.alpha_to_coverage on\ndraw 4")
        case(f"multisample/depth_{samples}", f"Two crossing quads, depth of {samples} samples",
             target("24x24", depth="D24_UNORM_S8_UINT", samples=samples) + MS_COLOR +
             "clear color 0 0 0.2 1\nclear depth 1\nset depth.test on\nset depth.write on\n" + COLOR +
             strip([(1, 0.5, 0, 1)] * 4, z=[-0.9, 0.9, -0.8, 0.5]) + "draw 4\n" +
             quad([(0, 0.5, 1, 1)] * 4, z=[0.9, -0.9, 0.1, -0.2]) + "draw 4\nshow color0 depth")
        case(f"multisample/per_sample_{samples}", f"Shading {samples} times a pixel: SAMPLEID",
             base + sampled_frag("DCL SV[0], SAMPLEID\nDCL TEMP[0]\nIMM[0] FLT32 {0.0625, 1.0, 0.5, 0.0}\n",
                                 "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: MUL OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx\n"
                                 "  2: MOV OUT[0].yzw, IMM[0].zzyy\n  3: END\n") + triangles + "draw 8")
        case(f"multisample/sample_position_{samples}", f"SAMPLEPOS of {samples} samples",
             base + sampled_frag("DCL SV[0], SAMPLEPOS\nIMM[0] FLT32 {0.0, 1.0, 0.5, 0.0}\n",
                                 "  0: MOV OUT[0].xy, SV[0].xyyy\n  1: MOV OUT[0].zw, IMM[0].xxxy\n  2: END\n") +
             triangles + "draw 8")
    base = target("24x24", samples=4) + MS_COLOR + "clear color 0 0 0.2 1\n"
    for location in ("CENTER", "CENTROID", "SAMPLE"):
        for interpolation in ("LINEAR", "PERSPECTIVE"):
            place = "" if location == "CENTER" else f", {location}"
            case(f"multisample/{interpolation.lower()}_{location.lower()}",
                 f"A varying, {interpolation}, at {location}",
                 base + sampled_frag(f"DCL IN[0], GENERIC[0], {interpolation}{place}\n", "  0: MOV OUT[0], IN[0]\n  1: END\n") +
                 vertices([(-0.9, -0.8, 0, 1, 9, 0, -8, 1), (1.8, -1, 0, 2, -8, 9, 0, 1), (-0.1, 0.9, 0, 1, 0, -8, 9, 1)]) +
                 "draw 3")
    mask = "DCL SV[0], SAMPLEMASK\nDCL TEMP[0]\nIMM[0] FLT32 {0.0625, 1.0, 0.0, 0.0}\n"
    case("multisample/sample_mask_in", "The system value SAMPLEMASK",
         base + sampled_frag(mask, "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: MUL OUT[0].xyz, TEMP[0].xxxx, IMM[0].xxxx\n"
                             "  2: MOV OUT[0].w, IMM[0].yyyy\n  3: END\n") + triangles + "draw 8")
    off = ("vertex_shader shaders/color.vert.tgsi\n", "vertex_shader shaders/color.vert.tgsi\nset raster.multisample off\n")
    case("multisample/off_sample_id", "Multisampling off: SAMPLEID is 0, SAMPLEPOS and POSITION are the centre, SAMPLEMASK is 1",
         base + sampled_frag("DCL IN[0], POSITION, LINEAR\nDCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEPOS\nDCL SV[2], SAMPLEMASK\nDCL TEMP[0]\n"
                             "DCL TEMP[1]\nIMM[0] FLT32 {0.0625, 1.0, 0.5, 0.25}\n",
                             "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: U2F TEMP[0].y, SV[2].xxxx\n  2: FRC TEMP[1].xy, IN[0].xyyy\n"
                             "  3: MAD OUT[0].x, TEMP[0].xxxx, IMM[0].xxxx, IMM[0].wwww\n  4: MUL OUT[0].y, TEMP[0].yyyy, IMM[0].xxxx\n"
                             "  5: MUL OUT[0].z, SV[1].xxxx, TEMP[1].yyyy\n  6: MOV OUT[0].w, SV[1].yyyy\n  7: END\n").replace(*off) +
         triangles + "draw 8")
    case("multisample/off_sample_mask_out", "Multisampling off: the output SAMPLEMASK is ignored",
         base + sampled_frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].x, SAMPLEMASK\nIMM[0] UINT32 {6, 0, 0, 0}\n",
                             "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1].x, IMM[0].xxxx\n  2: END\n").replace(*off) + triangles + "draw 8")
    case("multisample/off_locations", "Multisampling off: SAMPLE and CENTROID are the centre, and so is each sample of INTERP_SAMPLE",
         base + sampled_frag("DCL IN[0], GENERIC[0], LINEAR, SAMPLE\nDCL TEMP[0]\nIMM[0] UINT32 {3, 0, 0, 0}\n",
                             "  0: INTERP_CENTROID TEMP[0], IN[0]\n  1: MOV OUT[0].xw, TEMP[0].xxxw\n"
                             "  2: INTERP_SAMPLE TEMP[0], IN[0], IMM[0].xxxx\n  3: MOV OUT[0].y, TEMP[0].yyyy\n"
                             "  4: MOV OUT[0].z, IN[0].zzzz\n  5: END\n").replace(*off) + triangles + "draw 8")
    case("multisample/off_fetch", "Multisampling off: every sample adds to the colour that it has; SAMPLEID is 0, SAMPLEMASK is 1",
         base + COLOR + triangles + "draw 8\n" +
         sampled_frag("DCL SV[0], SAMPLEID\nDCL SV[1], SAMPLEMASK\nDCL TEMP[0]\nDCL TEMP[1]\nIMM[0] FLT32 {0.25, 0.125, 0.0, 1.0}\n",
                      "  0: U2F TEMP[0].x, SV[0].xxxx\n  1: U2F TEMP[0].y, SV[1].xxxx\n  2: FBFETCH TEMP[1], OUT[0]\n"
                      "  3: MAD OUT[0].xy, TEMP[0].xyyy, IMM[0].xyyy, TEMP[1].xyyy\n  4: MOV OUT[0].zw, TEMP[1].zzzw\n"
                      "  5: END\n").replace(*off) + strip(RAINBOW) + "draw 4")
    place = ("  {0}: FRC TEMP[0].xy, IN[0].xyyy\n  {1}: MOV TEMP[0].zw, IN[0].zzzw\n  {2}: MAD TEMP[0], TEMP[0], IMM[0], IMM[0].zzzz\n")
    slope = vertices([(-0.9, -0.8, 0.9, 1, 1, 0, 0, 1), (1.8, -2, 1, 2, 0, 1, 0, 1), (-0.1, 0.9, -0.9, 1, 0, 0, 1, 1)])
    for name, more, title in (("position", "", "POSITION is the centre"),
                              ("position_sample", ", SAMPLE", "a SAMPLE input makes POSITION the place of the sample")):
        for shading in ("off", "on"):
            case(f"multisample/fetch_{name}_{shading}", f"Framebuffer fetch once a sample with sample shading {shading}: {title}",
                 base + COLOR + triangles + "draw 8\n" +
                 sampled_frag(f"DCL IN[0], POSITION, LINEAR\nDCL IN[1], GENERIC[0], PERSPECTIVE{more}\nDCL TEMP[0..1]\n"
                              "IMM[0] FLT32 {0.5, 0.5, 0.25, 0.25}\n",
                              place.format(0, 1, 2) + "  3: MUL TEMP[0], TEMP[0], IMM[0].xxxx\n  4: FBFETCH TEMP[1], OUT[0]\n"
                              "  5: MAD TEMP[0], TEMP[1].zxyw, IMM[0].xxxx, TEMP[0]\n"
                              "  6: MAD OUT[0], IN[1], IMM[0].zzzz, TEMP[0]\n  7: END\n") +
                 f"set raster.sample_shading {shading}\n" + slope + "draw 3")
    case("multisample/flat_sample", "A flat SAMPLE input shades once a sample: POSITION is the place of the sample",
         base + sampled_frag("DCL IN[0], POSITION, LINEAR\nDCL IN[1], GENERIC[0], CONSTANT, SAMPLE\nDCL TEMP[0]\n"
                             "IMM[0] FLT32 {0.5, 0.5, 0.25, 0.25}\n",
                             place.format(0, 1, 2) + "  3: MAD OUT[0], IN[1], IMM[0].xxxx, TEMP[0]\n  4: END\n") + slope + "draw 3")
    case("multisample/sample_mask_out", "The output SAMPLEMASK",
         base + sampled_frag("DCL IN[0], GENERIC[0], LINEAR\nDCL OUT[1].x, SAMPLEMASK\nDCL TEMP[0]\n"
                             "IMM[0] FLT32 {16.0, 1.0, 0.0, 0.0}\n",
                             "  0: MUL TEMP[0].x, IN[0].wwww, IMM[0].xxxx\n  1: F2U OUT[1].x, TEMP[0].xxxx\n"
                             "  2: MOV OUT[0], IMM[0].yyyy\n  3: END\n") +
         strip([(1, 1, 1, 0), (1, 1, 0, 1), (0, 1, 1, 0), (1, 0, 0, 1)]) + "draw 4")
    case("multisample/alpha_to_one", "Alpha to one after alpha to coverage",
         base + COLOR + strip(RAINBOW) + "set blend.alpha_to_coverage on\nset blend.alpha_to_one on\ndraw 4")
    dual = ("DCL IN[0], GENERIC[0], PERSPECTIVE\nDCL OUT[1], COLOR[1]\n",
            "  0: MOV OUT[0], IN[0]\n  1: MOV OUT[1], IN[0].yzww\n  2: END\n")
    for name, rgb, alpha in (("src1_alpha", "src1_alpha zero", "src1_alpha zero"), ("inv_src1_alpha", "one inv_src1_alpha", "zero inv_src1_alpha"),
                             ("src1_color", "src1_color inv_src1_color", "dst_alpha inv_src1_color")):
        for coverage in ("off", "on"):
            case(f"multisample/alpha_to_one_{name}" + ("_coverage" if coverage == "on" else ""),
                 f"Alpha to one of both colours, {name} of dual-source blending, alpha to coverage {coverage}",
                 base + COLOR + triangles + "draw 8\n" + sampled_frag(*dual) + strip(RAINBOW) +
                 f"set blend.enable on\nset blend.rgb add {rgb}\nset blend.alpha add {alpha}\n"
                 f"set blend.alpha_to_one on\nset blend.alpha_to_coverage {coverage}\ndraw 4")
    case("multisample/alpha_to_one_src1_one_sample", "Alpha to one leaves the second colour alone with one sample",
         target("24x24") + MS_COLOR + "clear color 0 0 0.2 1\n" + sampled_frag(*dual) + strip(RAINBOW) +
         "set blend.enable on\nset blend.rgb add src1_alpha inv_src1_alpha\nset blend.alpha add src1_alpha zero\n"
         "set blend.alpha_to_one on\ndraw 4")
    case("multisample/alpha_to_coverage_one_sample", "Alpha to coverage does nothing with one sample",
         target("24x24") + MS_COLOR + "clear color 0 0 0.2 1\n" + COLOR + strip(RAINBOW) +
         "set blend.alpha_to_coverage on\ndraw 4")
    case("multisample/blend", "Blending of four samples",
         base + COLOR + triangles + "set blend.enable on\nset blend.rgb add one one\ndraw 8\n" + quad(RAINBOW) + "draw 4")
    for fmt in ("R8_UNORM", "R8G8B8A8_SRGB", "R16G16B16A16_FLOAT", "R10G10B10A2_UNORM", "R8G8B8A8_SNORM", "R16_UNORM"):
        case(f"multisample/resolve_{fmt.lower()}", f"Resolving {fmt}",
             target("16x16", fmt, samples=4) + MS_COLOR + "clear color 0.1 0.2 0.3 1\n" + COLOR + triangles + "draw 8")
    for kind, more in (("point", "set raster.fill point\nset raster.point_size 5\n"), ("line", "set raster.fill line\nset raster.line_width 3\n")):
        case(f"multisample/offset_{kind}", f"Polygons as {kind}s with an offset, in front of and behind themselves filled, four samples",
             target("24x24", depth="D24_UNORM_S8_UINT", samples=4) + MS_COLOR + "clear color 0 0 0.2 1\nclear depth 1\nset depth.test on\n"
             "set depth.write on\nset depth.func less\n" + COLOR + vertices([(x, y, x / 2, *rest) for x, y, _, *rest in colored(ZIGZAG)]) +
             "set primitive triangle_strip\nset raster.offset_fill on\nset raster.offset_units 4\ndraw 8\n" + more +
             f"set raster.offset_{kind} on\nset raster.offset_units 0\nset raster.offset_scale -1\ndraw 4\n"
             "set raster.offset_scale 1\ndraw 4 first=4\nshow color0 depth")
    fetch = target("16x16") + sampled_frag(
        "DCL SV[0], POSITION\nDCL SAMP[0]\nDCL SVIEW[0], 2D_MSAA, FLOAT\nDCL TEMP[0]\nDCL CONST[0][0]\n",
        "  0: F2I TEMP[0].xy, SV[0].xyyy\n  1: MOV TEMP[0].w, CONST[0][0].xxxx\n"
        "  2: TXF OUT[0], TEMP[0], SAMP[0], 2D_MSAA\n  3: END\n").replace("DCL SV[0], POSITION", "DCL IN[0], POSITION, LINEAR").replace("SV[0].xyyy", "IN[0].xyyy")
    for sample in range(4):
        case(f"multisample/fetch_{sample}", f"Fetching sample {sample} of a multisampled texture",
             "texture t 2d_ms R8G8B8A8_UNORM 16x16 target samples=4\nframebuffer t\nset viewport 0 0 16 16\n" + MS_COLOR +
             "clear color 0 0 0.2 1\n" + COLOR + triangles + "draw 8\nset raster.multisample off\n" +
             f"size 16x16\ncolor R8G8B8A8_UNORM\nframebuffer color0\nbind 0 t\nsampler 0 filter=nearest\n"
             f"constants u32 {{\n  {sample} 0 0 0\n}}\n" + fetch.replace("size 16x16\ncolor R8G8B8A8_UNORM\n", "") +
             strip(RAINBOW) + "draw 4\nshow color0")
