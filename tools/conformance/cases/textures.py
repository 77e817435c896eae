"""Sampling: kinds, wrap modes, filters, levels, operands."""
# SPDX-License-Identifier: MIT
from .common import COLOR, FUNCS, RAINBOW, RING, WRAPS, ZIGZAG, case, colored, quad, strip, target, vertices


def textured(target_name: str, code: str, kind: str = "FLOAT", declarations: str = "", use: str = "PERSPECTIVE") -> str:
    return ("vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\n"
            f"DCL IN[0], GENERIC[0], {use}\nDCL OUT[0], COLOR\nDCL SAMP[0]\nDCL SVIEW[0], {target_name}, {kind}\n"
            "DCL TEMP[0..2]\n" + declarations + code + "}\n")


def tex(target_name: str, operands: str = "IN[0]", op: str = "TEX", suffix: str = "", **rest) -> str:
    return textured(target_name, f"  0: {op} OUT[0], {operands}, SAMP[0], {target_name}{suffix}\n  1: END\n", **rest)


def coords(low, high, z=0.0, w=1.0) -> str:
    """Texture coordinates from `low` to `high` in both directions over the whole target."""
    return strip([(low, low, z, w), (high, low, z, w), (low, high, z, w), (high, high, z, w)])


def texture() -> None:
    small = "texture t 2d R8G8B8A8_UNORM 4x4\nfill t 0 noise 5\nbind 0 t\n"
    for wrap in WRAPS:
        for filter_ in ("nearest", "linear"):
            case(f"texture/wrap_{wrap}_{filter_}", f"Wrap mode {wrap}, {filter_}",
                 target() + tex("2D") + small + f"sampler 0 wrap={wrap} filter={filter_} border=0.1,0.9,0.4,1\n" +
                 coords(-1.7, 2.6) + "draw 4")
        case(f"texture/wrap_1d_{wrap}", f"Wrap mode {wrap} in 1D",
             target("32x8") + tex("1D") + "texture t 1d R8G8B8A8_UNORM 5\nfill t 0 noise 5\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6) + "draw 4")
        case(f"texture/wrap_float_{wrap}", f"Wrap mode {wrap}, linear, on a float format",
             target("16x16") + tex("2D") + "texture t 2d R32G32B32A32_FLOAT 4x4\nfill t 0 noise 5\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6) + "draw 4")
    for wrap in WRAPS[:6]:
        case(f"texture/wrap_3d_{wrap}", f"Wrap mode {wrap} in the depth of a 3D texture",
             target("24x24") + tex("3D", "IN[0].zzxx") + "texture t 3d R8G8B8A8_UNORM 3x2x4\nfill t 0 noise 9\nbind 0 t\n"
             f"sampler 0 wrap={wrap} border=0.1,0.9,0.4,1\n" + coords(-1.7, 2.6, 0.3) + "draw 4")
    mips = ("texture t 2d R8G8B8A8_UNORM 16x16 levels=5\nfill t * noise 3\nfill t 1 solid 1 0 0 1\nfill t 2 checker 1 0 1 0 1 0 0.3 0 1\n"
            "fill t 3 solid 0 0.3 1 1\nfill t 4 solid 1 1 0 1\nbind 0 t\n")
    floor = vertices([(-1, -1, 0, 1, 0, 0, 0, 1), (1, -1, 0, 1, 2, 0, 0, 1), (-8, 8, 0, 8, 0, 12, 0, 1),
                      (8, 8, 0, 8, 2, 12, 0, 1)]) + "set primitive triangle_strip\n"
    for mag in ("nearest", "linear"):
        for minimum in ("nearest", "linear"):
            for mip in ("none", "nearest", "linear"):
                case(f"texture/filter_{mag}_{minimum}_{mip}", f"Magnified {mag}, minified {minimum}, levels {mip}",
                     target() + tex("2D") + mips + f"sampler 0 mag={mag} min={minimum} mip={mip}\n" + floor + "draw 4")
    for name, keys in (("bias_up", "lod_bias=1.5"), ("bias_down", "lod_bias=-2.25"), ("min_2", "min_lod=2"),
                       ("max_1", "max_lod=1"), ("min_fraction", "min_lod=1.4 max_lod=2.6"), ("aniso_4", "aniso=4"),
                       ("aniso_16", "aniso=16")):
        case(f"texture/lod_{name}", f"Sampler with {keys}",
             target() + tex("2D") + mips + f"sampler 0 mip=linear {keys}\n" + floor + "draw 4")
    for fmt, aniso, wrap in (("R16G16B16A16_FLOAT", 8, "clamp_to_border"), ("B5G6R5_UNORM", 16, "mirror_repeat"), ("R8G8B8A8_SRGB", 4, "clamp")):
        case(f"texture/aniso_{fmt.lower()}", f"Anisotropy {aniso} of {fmt}, {wrap}",
             target() + tex("2D") + mips.replace("R8G8B8A8_UNORM", fmt) + f"sampler 0 mip=linear aniso={aniso} wrap={wrap} border=0.1,0.9,0.4,1\n" +
             floor + "draw 4")
    case("texture/view_levels", "A view of levels 1 and 2",
         target() + tex("2D") + mips + "bind 0 t levels=1,2\nsampler 0 mip=linear\n" + floor + "draw 4")
    for op, operands in (("TXL", "IN[0]"), ("TXB", "IN[0]")):
        case(f"texture/{op.lower()}", f"{op}: level or bias from w",
             target() + tex("2D", operands, op) + mips + "sampler 0 mip=linear\n" +
             strip([(0, 0, 0, -1), (1, 0, 0, 1), (0, 1, 0, 3), (1, 1, 0, 5)]) + "draw 4")
    case("texture/tex_lz", "TEX_LZ: level 0", target() + tex("2D", op="TEX_LZ") + mips + "sampler 0 mip=linear\n" + floor + "draw 4")
    case("texture/txd", "TXD: explicit derivatives",
         "tolerance 1 TXD is defined within an error bound\n" + target() +
         textured("2D", "  0: MUL TEMP[0], IN[0], IMM[0].xxxx\n  1: MUL TEMP[1], IN[0].yxxx, IMM[0].yyyy\n"
                  "  2: TXD OUT[0], IN[0], TEMP[0], TEMP[1], SAMP[0], 2D\n  3: END\n",
                  declarations="IMM[0] FLT32 {0.125, 0.0625, 0.0, 0.0}\n") + mips + "sampler 0 mip=nearest\n" +
         coords(0, 2) + "draw 4")
    case("texture/txp", "TXP: a projected coordinate",
         target() + tex("2D", op="TXP") + small + "sampler 0\n" +
         strip([(0, 0, 0, 1), (2, 0, 0, 2), (0, 1, 0, 1), (4, 4, 0, 4)]) + "draw 4")
    case("texture/lodq", "LODQ: level and level of detail, scaled",
         "tolerance 1 LODQ is defined within an error bound\n" + target() +
         textured("2D", "  0: LODQ TEMP[0].xy, IN[0], SAMP[0], 2D\n  1: MUL OUT[0], TEMP[0].xyyy, IMM[0].xxxx\n  2: END\n",
                  declarations="IMM[0] FLT32 {0.125, 0.0, 0.0, 0.0}\n") + mips + "sampler 0 mip=linear\n" + floor + "draw 4")
    # With the nearest level, the level of detail is the same everywhere: near a tie it may be either.
    for name, sampler, shape in (("none", "mip=none", floor), ("nearest", "mip=nearest", coords(0, 6.2)),
                                 ("nearest_bias", "mip=nearest lod_bias=0.75", coords(0, 6.2)),
                                 ("limits", "mip=linear min_lod=0.5 max_lod=2.25", floor),
                                 ("bias", "mip=linear lod_bias=-1.5", floor)):
        case(f"texture/lodq_{name}", f"LODQ of a sampler with {sampler}",
             "tolerance 1 LODQ is defined within an error bound\n" + target() +
             textured("2D", "  0: LODQ TEMP[0].xy, IN[0], SAMP[0], 2D\n  1: MUL OUT[0], TEMP[0].xyyy, IMM[0].xxxx\n  2: END\n",
                      declarations="IMM[0] FLT32 {0.125, 0.0, 0.0, 0.0}\n") + mips + f"sampler 0 {sampler}\n" + shape + "draw 4")
    case("texture/txq", "TXQ: sizes of levels",
         target("8x8", "R16G16B16A16_UINT") +
         textured("2D", "  0: F2I TEMP[0].x, IN[0].xxxx\n  1: TXQ OUT[0], TEMP[0].xxxx, SAMP[0], 2D\n  2: END\n", kind="FLOAT") +
         "texture t 2d R8_UNORM 20x12 levels=4\nfill t * noise 1\nbind 0 t\nsampler 0\n" + coords(0, 6) + "draw 4")
    for op in ("TXF", "TXF_LZ"):
        case(f"texture/{op.lower()}", f"{op}: texels by integers, outside reads zero bits",
             target("24x24") + textured("2D", "  0: F2I TEMP[0], IN[0]\n" f"  1: {op} OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n") +
             small + "sampler 0\n" + strip([(-1, -1, 0, 0), (6, -1, 0, 0), (-1, 6, 0, 0), (6, 6, 0, 0)]) + "draw 4")
    case("texture/txf_level", "TXF with a level", target() +
         textured("2D", "  0: F2I TEMP[0], IN[0]\n  1: TXF OUT[0], TEMP[0], SAMP[0], 2D\n  2: END\n") + mips + "sampler 0\n" +
         strip([(0, 0, 0, 0), (8, 0, 0, 0), (0, 8, 0, 5), (8, 8, 0, 5)]) + "draw 4")
    for name, offset in (("zero", (0, 0)), ("positive", (1, 3)), ("negative", (-8, -2)), ("limits", (7, -8))):
        immediates = f"IMM[0] INT32 {{{offset[0]}, {offset[1]}, 0, 0}}\n"
        for filter_ in ("nearest", "linear"):
            case(f"texture/offset_{name}_{filter_}", f"Texel offsets {offset}, {filter_}",
                 target() + tex("2D", suffix=", IMM[0].xyz", declarations=immediates) + small +
                 f"sampler 0 filter={filter_} wrap=clamp_to_edge\n" + coords(-0.5, 1.5) + "draw 4")
    for component in range(4):
        case(f"texture/gather_{component}", f"TG4 of component {component}",
             target() + textured("2D", "  0: TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D\n  1: END\n",
                                 declarations=f"IMM[0] INT32 {{{component}, 0, 0, 0}}\n") + small + "sampler 0\n" +
             coords(-0.3, 1.3) + "draw 4")
    case("texture/gather_offset", "TG4 with an offset",
         target() + textured("2D", "  0: TG4 OUT[0], IN[0], IMM[0].xxxx, SAMP[0], 2D, IMM[0].yzx\n  1: END\n",
                             declarations="IMM[0] INT32 {0, 2, -1, 0}\n") + small + "sampler 0 wrap=clamp_to_edge\n" +
         coords(-0.3, 1.3) + "draw 4")
    for func in FUNCS:
        for filter_ in ("nearest", "linear"):
            case(f"texture/compare_{func}_{filter_}", f"Shadow comparison {func}, {filter_}",
                 target("24x24") + tex("SHADOW2D") + "texture t 2d D24_UNORM_S8_UINT 4x4\nfill t 0 gradient\nbind 0 t\n"
                 f"sampler 0 compare={func} filter={filter_} wrap=clamp_to_edge\n" +
                 strip([(0, 0, 0.33333, 1), (1, 0, 0.33333, 1), (0, 1, 0.9, 1), (1, 1, 0.4, 1)]) + "draw 4")
    for fmt in ("D16_UNORM", "D32_FLOAT"):
        case(f"texture/compare_{fmt.lower()}", f"Shadow comparison on {fmt}, references outside 0..1",
             target("24x24") + tex("SHADOW2D") + f"texture t 2d {fmt} 4x4\nfill t 0 gradient\nbind 0 t\n"
             "sampler 0 compare=less_equal wrap=clamp_to_border border=0.5,0,0,0\n" +
             strip([(-0.5, -0.5, -1, 1), (1.5, -0.5, 2, 1), (-0.5, 1.5, 0.5, 1), (1.5, 1.5, 1.2, 1)]) + "draw 4")
    case("texture/depth_as_color", "A depth texture without comparison",
         target() + tex("2D") + "texture t 2d D32_FLOAT 4x4\nfill t 0 gradient\nbind 0 t\nsampler 0\n" + coords(0, 1) + "draw 4")
    for swizzle in ("wzyx", "xxxx", "01zw", "yyy1", "w0x1"):
        case(f"texture/swizzle_{swizzle}", f"View swizzle {swizzle}",
             target("16x16") + tex("2D") + small + f"bind 0 t swizzle={swizzle}\nsampler 0\n" + coords(0, 1) + "draw 4")
    directions = strip([(-1.2, -1.1, 0.6, 1), (1.3, -1.2, 0.7, 1), (-1.2, 1.1, 0.8, 1), (1.1, 1.3, 0.5, 1)])
    cube = "texture t cube R8G8B8A8_UNORM 4x4 levels=3\nfill t * noise 8\nbind 0 t\n"
    for seamless in ("on", "off"):
        for filter_ in ("nearest", "linear"):
            case(f"texture/cube_seamless_{seamless}_{filter_}", f"Cube map, seamless {seamless}, {filter_}",
                 target() + tex("CUBE") + cube + f"sampler 0 seamless={seamless} filter={filter_} wrap=clamp_to_edge\n" +
                 directions + "draw 4")
    around_corner = strip([(1.2, 0.4, 0.3, 1), (0.2, 1.1, 0.4, 1), (0.4, 0.3, 1.2, 1), (0.9, 1.1, 1, 1)])
    for fmt in ("R8G8B8A8_UNORM", "R16G16B16A16_FLOAT", "B5G6R5_UNORM"):
        case(f"texture/cube_corner_{fmt.lower()}", f"The corner of a cube of two texels a side, {fmt}",
             target() + tex("CUBE") + f"texture t cube {fmt} 2x2 levels=2\nfill t * noise 8\nbind 0 t\n"
             "sampler 0 seamless=on filter=linear mip=linear\n" + around_corner + "draw 4")
    units = "".join(f"texture t{i} 2d {fmt} {size}\nfill t{i} 0 noise {i}\nbind {i} t{i}\nsampler {i} filter=linear\n"
                    for i, (fmt, size) in enumerate((("R8G8B8A8_UNORM", "4x4"), ("R16G16B16A16_FLOAT", "3x3"),
                                                     ("R8G8B8A8_UNORM", "7x5"), ("R8G8B8A8_UNORM", "8x8"))))
    case("texture/units_by_constant", "An array of samplers with a computed index; one texture has another format",
         target() + "vertex_shader shaders/color.vert.tgsi\nfragment_shader {\nFRAG\nDCL IN[0], GENERIC[0], PERSPECTIVE\n"
         "DCL OUT[0], COLOR\nDCL SAMP[0..3]\nDCL SVIEW[0..3], 2D, FLOAT\nDCL CONST[0][0]\nDCL ADDR[0]\n"
         "  0: UARL ADDR[0].x, CONST[0][0].xxxx\n  1: TEX OUT[0], IN[0], SAMP[ADDR[0].x], 2D\n  2: END\n}\n" + units +
         coords(0, 1) + "".join(f"constants u32 {{\n  {i} 0 0 0\n}}\nset viewport {16 * (i % 2)} {16 * (i // 2)} 16 16\ndraw 4\n"
                                for i in range(4)))
    for axis, swizzle in enumerate(("zxyw", "xzyw", "xyzw")):
        for sign in ("", "-"):
            case(f"texture/cube_face_{'xyz'[axis]}{'n' if sign else 'p'}", f"Cube map around {sign or '+'}{'xyz'[axis]}",
                 target() + textured("CUBE", f"  0: MOV TEMP[0], IN[0].{swizzle}\n" +
                                     (f"  1: MOV TEMP[0].{'xyz'[axis]}, -TEMP[0].{'xyz'[axis] * 4}\n" if sign else
                                      "  1: MOV TEMP[0].w, TEMP[0].wwww\n") +
                                     "  2: TEX OUT[0], TEMP[0], SAMP[0], CUBE\n  3: END\n") + cube +
                 "sampler 0 mip=linear\n" + directions + "draw 4")
    layer = strip([(0, 0, -0.6, 1), (1, 0, 4.3, 1), (0, 1, -0.6, 1), (1, 1, 4.3, 1)])
    case("texture/array_1d", "1D array: layers are rounded and limited",
         target() + tex("1D_ARRAY", "IN[0].xzzz") + "texture t 1d_array R8G8B8A8_UNORM 4 layers=4\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         layer + "draw 4")
    case("texture/array_2d", "2D array: layers are rounded and limited",
         target() + tex("2D_ARRAY") + "texture t 2d_array R8G8B8A8_UNORM 4x4 layers=4\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         layer + "draw 4")
    case("texture/array_2d_view", "2D array: a view of layers 1 and 2",
         target() + tex("2D_ARRAY") + "texture t 2d_array R8G8B8A8_UNORM 4x4 layers=4\nfill t 0 noise 2\n"
         "bind 0 t layers=1,2\nsampler 0\n" + layer + "draw 4")
    case("texture/array_cube", "Cube array",
         target() + tex("CUBEARRAY") + "texture t cube_array R8G8B8A8_UNORM 4x4 layers=12\nfill t 0 noise 2\nbind 0 t\nsampler 0\n" +
         strip([(-1, -1, 0.6, -1), (1, -1, 0.7, 2), (-1, 1, 0.8, -1), (1, 1, 0.5, 2)]) + "draw 4")
    case("texture/array_shadow", "Shadow comparison in a 2D array",
         target() + tex("SHADOW2D_ARRAY") + "texture t 2d_array D16_UNORM 4x4 layers=3\nfill t 0 noise 2\nbind 0 t\n"
         "sampler 0 compare=less\n" + strip([(0, 0, -0.6, 0.2), (1, 0, 2.3, 0.5), (0, 1, -0.6, 0.5), (1, 1, 2.3, 0.8)]) + "draw 4")
    case("texture/cube_shadow", "Shadow comparison in a cube map",
         target() + tex("SHADOWCUBE") + "texture t cube D16_UNORM 4x4\nfill t 0 noise 2\nbind 0 t\nsampler 0 compare=less\n" +
         directions.replace(" 1\n", " 0.5\n") + "draw 4")
    for filter_ in ("nearest", "linear"):
        case(f"texture/rect_{filter_}", f"Rectangle texture, {filter_}: coordinates in texels",
             target() + tex("RECT") + "texture t rect R8G8B8A8_UNORM 5x3\nfill t 0 noise 4\nbind 0 t\n"
             f"sampler 0 filter={filter_} wrap=clamp_to_edge\n" + coords(-1, 6) + "draw 4")
        case(f"texture/unnormalized_{filter_}", f"Unnormalised coordinates, {filter_}",
             target() + tex("2D") + small + f"sampler 0 filter={filter_} wrap=clamp_to_border normalized=off\n" + coords(-1, 6) +
             "draw 4")
        case(f"texture/3d_{filter_}", f"3D texture, {filter_}",
             target() + tex("3D") + "texture t 3d R8G8B8A8_UNORM 4x4x4\nfill t 0 noise 6\nbind 0 t\n"
             f"sampler 0 filter={filter_}\n" + strip([(0, 0, 0, 1), (1, 0, 0.3, 1), (0, 1, 0.7, 1), (1, 1, 1.5, 1)]) + "draw 4")
    case("texture/unbound", "Nothing bound reads 0, 0, 0, 1",
         target("8x8") + tex("2D") + "bind 0 none\nsampler 0\nclear color 1 1 1 0\n" + coords(0, 1) + "draw 4")
    case("texture/nan_coordinates", "Coordinates that are infinite or not numbers",
         target("16x16") + textured("2D", "  0: RCP TEMP[0].x, IMM[0].xxxx\n  1: MUL TEMP[0].y, TEMP[0].xxxx, IMM[0].xxxx\n"
                                    "  2: CMP TEMP[1].x, IN[0].xxxx, TEMP[0].xxxx, IN[0].xxxx\n"
                                    "  3: CMP TEMP[1].y, IN[0].yyyy, TEMP[0].yyyy, IN[0].yyyy\n"
                                    "  4: TEX OUT[0], TEMP[1], SAMP[0], 2D\n  5: END\n",
                                    declarations="IMM[0] FLT32 {0.0, 0.0, 0.0, 0.0}\n") + small + "sampler 0\n" + coords(-1, 1) + "draw 4")
    case("texture/vertex_texture", "A texture in the vertex shader",
         target() + """vertex_shader {
VERT
DCL IN[0]
DCL IN[1]
DCL OUT[0], POSITION
DCL OUT[1], GENERIC[0]
DCL SAMP[0]
DCL SVIEW[0], 2D, FLOAT
  0: MOV OUT[0], IN[0]
  1: TXL OUT[1], IN[1], SAMP[0], 2D
  2: END
}
fragment_shader shaders/color.frag.tgsi
""" + small.replace("bind", "vertex_bind") + "vertex_sampler 0 filter=nearest\n" +
         strip([(0.1, 0.1, 0, 0), (0.9, 0.1, 0, 0), (0.1, 0.9, 0, 0), (0.9, 0.9, 0, 0)]) + "draw 4")
    case("texture/two_units", "Two units, multiplied",
         target() + textured("2D", "  0: TEX TEMP[0], IN[0], SAMP[0], 2D\n  1: TEX TEMP[1], IN[0].yxxx, SAMP[1], 2D\n"
                             "  2: MUL OUT[0], TEMP[0], TEMP[1]\n  3: END\n", declarations="DCL SAMP[1]\nDCL SVIEW[1], 2D, FLOAT\n") +
         small + "texture u 2d R8G8B8A8_UNORM 8x8\nfill u 0 checker 2 1 1 1 1 0.3 0.3 0.3 1\nbind 1 u\nsampler 0\n"
         "sampler 1 filter=nearest\n" + coords(0, 1) + "draw 4")
    case("texture/render_then_sample", "A picture that was drawn is a texture of the next draw",
         "texture t 2d R8G8B8A8_UNORM 16x16 target\nframebuffer t\nset viewport 0 0 16 16\nclear color 0 0 0.5 1\n" + COLOR +
         vertices(colored(RING)) + "set primitive polygon\ndraw 8\nsize 32x32\ncolor R8G8B8A8_UNORM\nframebuffer color0\n"
         "bind 0 t\nsampler 0\n" + tex("2D") + coords(-0.5, 2.5) + "draw 4\nshow color0")
    own_targets()


def own_texel(code: str, place: str = "", kind: str = "2D", declarations: str = "") -> str:
    """A shader with its colour in IN[0] and the texel of unit 0 at its pixel in TEMP[1]; IMM[0] is 0.5, 0.25, 1 and 0."""
    return textured(kind, "MOV TEMP[0], IMM[1].yyyy\nF2I TEMP[0].xy, IN[1].xyyy\n" + place + f"TXF TEMP[1], TEMP[0], SAMP[0], {kind}\n" +
                    code + "END\n", declarations="DCL IN[1], POSITION, LINEAR\nIMM[0] FLT32 {0.5, 0.25, 1.0, 0.0}\n"
                    "IMM[1] INT32 {71, 0, 1, 0}\n" + declarations)


def own_targets() -> None:
    """Draws whose shaders read what they draw to: each finds what was there before it."""
    base = ("texture t 2d R8G8B8A8_UNORM 72x66 target\nframebuffer t\nset viewport 0 0 72 66\nclear color 0.1 0.2 0.3 1\n"
            "bind 0 t\nsampler 0 filter=nearest\n" + COLOR + vertices(colored(ZIGZAG)) + "set primitive triangle_strip\ndraw 8\n")
    mix = "ADD TEMP[1], TEMP[1], IN[0]\nMUL OUT[0], TEMP[1], IMM[0].xxxx\n"
    case("texture/own_target_blend", "Blending by shaders: draws average their colours and those of their target, which is a texture",
         base + own_texel(mix) + "".join(strip(RAINBOW[i:] + RAINBOW[:i], x1=1 - i / 4, y0=-1 + i / 4) + "draw 4\n" for i in range(4)) +
         "show t")
    case("texture/own_target_mirror", "A draw copies the right half of its target to the left half; the next ones draw over both",
         base + own_texel("MOV OUT[0], TEMP[1]\n", "INEG TEMP[0].x, TEMP[0].xxxx\nUADD TEMP[0].x, TEMP[0].xxxx, IMM[1].xxxx\n") +
         strip(RAINBOW, x1=0) + "draw 4\n" + own_texel(mix) + strip(RAINBOW, y1=-0.5) + "draw 4\n" + COLOR +
         strip([(1, 1, 1, 1)] * 4, x0=0.5, y0=0.5) + "draw 4\nshow t")
    case("texture/own_target_samples", "Blending by shaders with four samples a pixel",
         "texture t 2d_ms R8G8B8A8_UNORM 40x36 target samples=4\nframebuffer t\nset viewport 0 0 40 36\nset raster.multisample on\n"
         "clear color 0.1 0.2 0.3 1\nbind 0 t\nsampler 0 filter=nearest\n" + COLOR + vertices(colored(ZIGZAG)) +
         "set primitive triangle_strip\ndraw 8\n" +
         own_texel(mix, "MOV TEMP[0].w, SV[0].xxxx\n", "2D_MSAA", "DCL SV[0], SAMPLEID\n") +
         vertices([(y, x, *rest) for x, y, *rest in colored(ZIGZAG)]) + "draw 8\ndraw 6 first=2\nshow t")
    case("texture/own_target_depth", "Shaders read the depth that tests them and that they do not write, then that of newer draws",
         target("72x66") + "texture d 2d D32_FLOAT 72x66 target\nframebuffer color0 depth=d\nclear color 0.1 0.2 0.3 1\nclear depth 1\n"
         "set depth.test on\nset depth.write on\nset depth.func less\nbind 0 d\nsampler 0 filter=nearest\n" + COLOR +
         strip(RAINBOW, z=[-0.9, 0.9, -0.2, 0.5], x1=0.8) + "draw 4\nset depth.write off\n" +
         own_texel("MUL OUT[0], TEMP[1].xxxx, IN[0]\n") + strip(RAINBOW, z=0, y1=0.3) + "draw 4\n" +
         strip(RAINBOW, z=0.3, y0=-0.3) + "draw 4\nset depth.write on\n" + COLOR + quad(RAINBOW, z=-0.8, x0=0.2, y0=-0.2, y1=0.2) +
         "draw 4\nset depth.write off\n" + own_texel("MOV OUT[0], TEMP[1].xxxx\n") + quad(RAINBOW, z=-1, x0=-0.1, y0=-0.1, y1=0.1) +
         "draw 4\nshow color0")
