// Keyword tables: one array of names an enumeration, in the order of its enumerators.
// SPDX-License-Identifier: MIT
#include "tgsi/names.hpp"

#include <bit>
#include <span>

namespace valkyr::tgsi {

namespace {

template <size_t N>
using Names = std::array<std::string_view, N>;

template <typename... Words>
constexpr auto words_of(Words... words) {
    return Names<sizeof...(words)>{words...};
}

/// The names of an enumeration.
template <typename E>
constexpr auto kKeywords = words_of();

template <>
constexpr auto
    kKeywords<Stage> = words_of("FRAG", "VERT", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP");
template <>
constexpr auto kKeywords<File> = std::to_array<std::string_view>({
#define VALKYR_TGSI_FILE(enumerator, word) word,
#include "tgsi/keywords.inc"
});
template <>
constexpr auto kKeywords<Semantic> = std::to_array<std::string_view>({
#define VALKYR_TGSI_SEMANTIC(enumerator, word) word,
#include "tgsi/keywords.inc"
});
template <>
constexpr auto kKeywords<Interpolation> = words_of("CONSTANT", "LINEAR", "PERSPECTIVE", "COLOR");
template <>
constexpr auto kKeywords<Location> = words_of("CENTER", "CENTROID", "SAMPLE");
template <>
constexpr auto kKeywords<Target> = std::to_array<std::string_view>({
#define VALKYR_TGSI_TARGET(enumerator, word) word,
#include "tgsi/keywords.inc"
});
template <>
constexpr auto kKeywords<ReturnType> = words_of("UNORM", "SNORM", "SINT", "UINT", "FLOAT");
template <>
constexpr auto
    kKeywords<ImmediateType> = words_of("FLT32", "UINT32", "INT32", "FLT64", "UINT64", "INT64");
template <>
constexpr auto kKeywords<MemoryKind> = words_of("GLOBAL", "SHARED", "PRIVATE", "INPUT");

constexpr auto kQualifiers = words_of("COHERENT", "RESTRICT", "VOLATILE", "STREAM_CACHE_POLICY");
constexpr auto kPrimitives = words_of("POINTS",
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
                                      "PATCHES");
constexpr auto kOrigins = words_of("UPPER_LEFT", "LOWER_LEFT");
constexpr auto kPixelCenters = words_of("HALF_INTEGER", "INTEGER");
/// NEXT_SHADER counts the stages as gallium's enum pipe_shader_type does.
constexpr auto kNextShaders = words_of("VERT", "FRAG", "GEOM", "TESS_CTRL", "TESS_EVAL", "COMP");

template <typename E, size_t N>
constexpr auto table_of(const Names<N>& names) {
    return KeywordTable<E, std::bit_ceil(3 * N)>(names);
}
template <typename E>
constexpr auto kKeywordTable = table_of<E>(kKeywords<E>);
constexpr auto kQualifierTable = table_of<uint8_t>(kQualifiers);

template <size_t N>
std::string_view pick(const Names<N>& names, size_t index) {
    return index < N ? names[index] : std::string_view{};
}

}  // namespace

template <typename E>
std::string_view name_of(E value) {
    return pick(kKeywords<E>, static_cast<size_t>(value));
}
template <typename E>
std::optional<E> find_keyword(std::string_view name) {
    return kKeywordTable<E>.find(name);
}

#define VALKYR_KEYWORDS(E)                                                                         \
    template std::string_view name_of(E value);                                                    \
    template std::optional<E> find_keyword(std::string_view name);
VALKYR_KEYWORDS(Stage)
VALKYR_KEYWORDS(File)
VALKYR_KEYWORDS(Semantic)
VALKYR_KEYWORDS(Interpolation)
VALKYR_KEYWORDS(Location)
VALKYR_KEYWORDS(Target)
VALKYR_KEYWORDS(ReturnType)
VALKYR_KEYWORDS(ImmediateType)
VALKYR_KEYWORDS(MemoryKind)
#undef VALKYR_KEYWORDS

std::optional<File> find_file(uint64_t key) {
    return kKeywordTable<File>.find(key);
}

std::string_view qualifier_name(unsigned bit) {
    return pick(kQualifiers, bit);
}
std::optional<uint8_t> find_qualifier(std::string_view name) {
    const auto bit = kQualifierTable.find(name);
    return bit ? std::optional<uint8_t>(static_cast<uint8_t>(1U << *bit)) : std::nullopt;
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
    const std::span<const std::string_view> all[] = {kPrimitives, kOrigins, kPixelCenters,
                                                     kNextShaders};
    for (const auto& names : all)
        for (uint32_t i = 0; i < names.size(); ++i)
            if (same_word(names[i], symbol))
                return i;
    return std::nullopt;
}

}  // namespace valkyr::tgsi
