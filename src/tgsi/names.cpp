// Keyword tables: one array of names an enumeration, in the order of its enumerators.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"

namespace valkyr::tgsi {

namespace {

template <size_t N>
using Names = std::array<std::string_view, N>;

constexpr Names<6> kStages{"FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"};

constexpr Names<15> kFiles{"NULL",  "CONST",  "IN",     "OUT",      "TEMP",
                           "SAMP",  "ADDR",   "IMM",    "SV",       "IMAGE",
                           "SVIEW", "BUFFER", "MEMORY", "CONSTBUF", "HWATOMIC"};

constexpr Names<49> kSemantics{"POSITION",
                               "COLOR",
                               "BCOLOR",
                               "FOG",
                               "PSIZE",
                               "GENERIC",
                               "NORMAL",
                               "FACE",
                               "EDGEFLAG",
                               "PRIM_ID",
                               "INSTANCEID",
                               "VERTEXID",
                               "STENCIL",
                               "CLIPDIST",
                               "CLIPVERTEX",
                               "GRID_SIZE",
                               "BLOCK_ID",
                               "BLOCK_SIZE",
                               "THREAD_ID",
                               "TEXCOORD",
                               "PCOORD",
                               "VIEWPORT_INDEX",
                               "LAYER",
                               "SAMPLEID",
                               "SAMPLEPOS",
                               "SAMPLEMASK",
                               "INVOCATIONID",
                               "VERTEXID_NOBASE",
                               "BASEVERTEX",
                               "PATCH",
                               "TESSCOORD",
                               "TESSOUTER",
                               "TESSINNER",
                               "VERTICESIN",
                               "HELPER_INVOCATION",
                               "BASEINSTANCE",
                               "DRAWID",
                               "WORK_DIM",
                               "SUBGROUP_SIZE",
                               "SUBGROUP_INVOCATION",
                               "SUBGROUP_EQ_MASK",
                               "SUBGROUP_GE_MASK",
                               "SUBGROUP_GT_MASK",
                               "SUBGROUP_LE_MASK",
                               "SUBGROUP_LT_MASK",
                               "CS_USER_DATA_AMD",
                               "VIEWPORT_MASK",
                               "TESS_DEFAULT_OUTER_LEVEL",
                               "TESS_DEFAULT_INNER_LEVEL"};

constexpr Names<4> kInterpolations{"CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR"};
constexpr Names<3> kLocations{"CENTER", "CENTROID", "SAMPLE"};

constexpr Names<19> kTargets{"BUFFER",
                             "1D",
                             "2D",
                             "3D",
                             "CUBE",
                             "RECT",
                             "SHADOW1D",
                             "SHADOW2D",
                             "SHADOWRECT",
                             "1D_ARRAY",
                             "2D_ARRAY",
                             "SHADOW1D_ARRAY",
                             "SHADOW2D_ARRAY",
                             "SHADOWCUBE",
                             "2D_MSAA",
                             "2D_ARRAY_MSAA",
                             "CUBEARRAY",
                             "SHADOWCUBEARRAY",
                             "UNKNOWN"};

constexpr Names<5> kReturnTypes{"UNORM", "SNORM", "SINT", "UINT", "FLOAT"};
constexpr Names<6> kImmediateTypes{"FLT32", "UINT32", "INT32", "FLT64", "UINT64", "INT64"};
constexpr Names<4> kMemoryKinds{"GLOBAL", "SHARED", "PRIVATE", "INPUT"};
constexpr Names<4> kQualifiers{"COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY"};

constexpr Names<30> kProperties{"GS_INPUT_PRIMITIVE",
                                "GS_OUTPUT_PRIMITIVE",
                                "GS_MAX_OUTPUT_VERTICES",
                                "GS_INVOCATIONS",
                                "FS_COORD_ORIGIN",
                                "FS_COORD_PIXEL_CENTER",
                                "FS_COLOR0_WRITES_ALL_CBUFS",
                                "FS_DEPTH_LAYOUT",
                                "FS_EARLY_DEPTH_STENCIL",
                                "FS_POST_DEPTH_COVERAGE",
                                "FS_BLEND_EQUATION_ADVANCED",
                                "VS_PROHIBIT_UCPS",
                                "VS_WINDOW_SPACE_POSITION",
                                "VS_BLIT_SGPRS_AMD",
                                "TCS_VERTICES_OUT",
                                "TES_PRIM_MODE",
                                "TES_SPACING",
                                "TES_VERTEX_ORDER_CW",
                                "TES_POINT_MODE",
                                "NUM_CLIPDIST_ENABLED",
                                "NUM_CULLDIST_ENABLED",
                                "NEXT_SHADER",
                                "CS_FIXED_BLOCK_WIDTH",
                                "CS_FIXED_BLOCK_HEIGHT",
                                "CS_FIXED_BLOCK_DEPTH",
                                "CS_USER_DATA_COMPONENTS_AMD",
                                "LEGACY_MATH_RULES",
                                "MUL_ZERO_WINS",
                                "LAYER_VIEWPORT_RELATIVE",
                                "SEPARABLE_PROGRAM"};

constexpr Names<15> kPrimitives{"POINTS",
                                "LINES",
                                "LINE_LOOP",
                                "LINE_STRIP",
                                "TRIANGLES",
                                "TRIANGLE_STRIP",
                                "TRIANGLE_FAN",
                                "QUADS",
                                "QUAD_STRIP",
                                "POLYGON",
                                "LINES_ADJACENCY",
                                "LINE_STRIP_ADJACENCY",
                                "TRIANGLES_ADJACENCY",
                                "TRIANGLE_STRIP_ADJACENCY",
                                "PATCHES"};
constexpr Names<2> kOrigins{"UPPER_LEFT", "LOWER_LEFT"};
constexpr Names<2> kPixelCenters{"HALF_INTEGER", "INTEGER"};
/// NEXT_SHADER counts the stages as gallium's enum pipe_shader_type does.
constexpr Names<6> kNextShaders{"VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP"};

constexpr KeywordTable<Stage, 16> kFindStage(kStages);
constexpr KeywordTable<File, 64> kFindFile(kFiles);
constexpr KeywordTable<Semantic, 128> kFindSemantic(kSemantics);
constexpr KeywordTable<Interpolation, 16> kFindInterpolation(kInterpolations);
constexpr KeywordTable<Location, 8> kFindLocation(kLocations);
constexpr KeywordTable<Target, 64> kFindTarget(kTargets);
constexpr KeywordTable<ReturnType, 16> kFindReturnType(kReturnTypes);
constexpr KeywordTable<ImmediateType, 16> kFindImmediateType(kImmediateTypes);
constexpr KeywordTable<MemoryKind, 8> kFindMemoryKind(kMemoryKinds);
constexpr KeywordTable<uint8_t, 8> kFindQualifier(kQualifiers);
constexpr KeywordTable<uint8_t, 64> kFindProperty(kProperties);
constexpr KeywordTable<uint32_t, 32> kFindPrimitive(kPrimitives);
constexpr KeywordTable<uint32_t, 4> kFindOrigin(kOrigins);
constexpr KeywordTable<uint32_t, 4> kFindPixelCenter(kPixelCenters);
constexpr KeywordTable<uint32_t, 16> kFindNextShader(kNextShaders);

template <size_t N, typename E>
std::string_view pick(const Names<N>& names, E value) {
    const auto index = static_cast<size_t>(value);
    return index < N ? names[index] : std::string_view{};
}

}  // namespace

std::string_view name_of(Stage stage) {
    return pick(kStages, stage);
}
std::string_view name_of(File file) {
    return pick(kFiles, file);
}
std::string_view name_of(Semantic semantic) {
    return pick(kSemantics, semantic);
}
std::string_view name_of(Interpolation interpolation) {
    return pick(kInterpolations, interpolation);
}
std::string_view name_of(Location location) {
    return pick(kLocations, location);
}
std::string_view name_of(Target target) {
    return pick(kTargets, target);
}
std::string_view name_of(ReturnType type) {
    return pick(kReturnTypes, type);
}
std::string_view name_of(ImmediateType type) {
    return pick(kImmediateTypes, type);
}
std::string_view name_of(MemoryKind kind) {
    return pick(kMemoryKinds, kind);
}
std::string_view qualifier_name(unsigned bit) {
    return pick(kQualifiers, bit);
}

std::optional<Stage> find_stage(std::string_view name) {
    return kFindStage.find(name);
}
std::optional<File> find_file(std::string_view name) {
    return kFindFile.find(name);
}
std::optional<File> find_file(uint64_t key) {
    return kFindFile.find(key);
}
std::optional<Semantic> find_semantic(std::string_view name) {
    return kFindSemantic.find(name);
}
std::optional<Interpolation> find_interpolation(std::string_view name) {
    return kFindInterpolation.find(name);
}
std::optional<Location> find_location(std::string_view name) {
    return kFindLocation.find(name);
}
std::optional<Target> find_target(std::string_view name) {
    return kFindTarget.find(name);
}
std::optional<ReturnType> find_return_type(std::string_view name) {
    return kFindReturnType.find(name);
}
std::optional<ImmediateType> find_immediate_type(std::string_view name) {
    return kFindImmediateType.find(name);
}
std::optional<MemoryKind> find_memory_kind(std::string_view name) {
    return kFindMemoryKind.find(name);
}
std::optional<uint8_t> find_qualifier(std::string_view name) {
    const auto bit = kFindQualifier.find(name);
    return bit ? std::optional<uint8_t>(static_cast<uint8_t>(1U << *bit)) : std::nullopt;
}

bool is_known_property(std::string_view name) {
    return kFindProperty.find(name).has_value();
}

std::string_view property_symbol(std::string_view property, uint32_t value) {
    if (property == "GS_INPUT_PRIMITIVE" || property == "GS_OUTPUT_PRIMITIVE")
        return pick(kPrimitives, value);
    if (property == "FS_COORD_ORIGIN")
        return pick(kOrigins, value);
    if (property == "FS_COORD_PIXEL_CENTER")
        return pick(kPixelCenters, value);
    if (property == "NEXT_SHADER")
        return pick(kNextShaders, value);
    return {};
}

std::optional<uint32_t> find_property_symbol(std::string_view symbol) {
    for (const auto& number : {kFindPrimitive.find(symbol), kFindOrigin.find(symbol),
                               kFindPixelCenter.find(symbol), kFindNextShader.find(symbol)})
        if (number)
            return number;
    return std::nullopt;
}

}  // namespace valkyr::tgsi
