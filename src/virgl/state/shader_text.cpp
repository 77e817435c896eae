// Shader text: changes a client's shader text for the rasterizer, and reads facts from it.
// SPDX-License-Identifier: MIT
#include "virgl/state/shader_text.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace valkyr::virgl {
namespace {

/// Removes the first line, with its line break, from the text and returns it.
std::string_view take_line(std::string_view& text) {
    const size_t end = text.find('\n');
    const std::string_view line =
        text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(line.size());
    return line;
}

/// Adds SAMPLE to the declaration of an interpolated input; leaves other lines alone.
std::string sampled_line(std::string_view line) {
    static constexpr std::array<std::string_view, 3> kKinds{", PERSPECTIVE", ", LINEAR", ", COLOR"};
    constexpr std::string_view kCentroid = ", CENTROID";
    std::string result(line);
    if (!line.starts_with("DCL IN[") || line.find(", SAMPLE") != std::string_view::npos)
        return result;
    // The semantic, which precedes the interpolation, may be COLOR as well: take the last match.
    size_t end = std::string::npos;
    for (const std::string_view kind : kKinds)
        if (const size_t at = result.rfind(kind); at != std::string::npos)
            end = end == std::string::npos ? at + kind.size() : std::max(end, at + kind.size());
    if (end == std::string::npos || result.find(", CONSTANT") != std::string::npos)
        return result;
    if (const size_t centroid = result.find(kCentroid); centroid != std::string::npos)
        result.erase(centroid, kCentroid.size());
    return result.insert(end, ", SAMPLE");
}

/// Replaces PATCH in a declaration; leaves other lines alone.
std::string generic_line(std::string_view line) {
    constexpr std::string_view kPatch = ", PATCH";
    constexpr unsigned kFirst = 32;  // the number after GENERIC[31]
    std::string result(line);
    const size_t at = result.find(kPatch);
    if (!line.starts_with("DCL ") || at == std::string::npos)
        return result;
    size_t end = at + kPatch.size();
    unsigned number = 0;
    if (end < result.size() && result[end] == '[') {
        const char* last = result.data() + result.size();
        const auto read = std::from_chars(result.data() + end + 1, last, number);
        if (read.ec != std::errc() || read.ptr == last || *read.ptr != ']' || number > 0xFF)
            return result;
        end = static_cast<size_t>(read.ptr + 1 - result.data());
    }
    return result.replace(at, end - at, ", GENERIC[" + std::to_string(kFirst + number) + "]");
}

/// Whether the text uses register `number` of a file ("IN[" or "OUT[") with the number of a vertex.
bool uses_by_vertex(std::string_view text, std::string_view file, std::string_view number) {
    const std::string second = "][" + std::string(number) + "]";
    for (size_t at = text.find(second); at != std::string_view::npos;
         at = text.find(second, at + 1)) {
        const size_t before = text.find_last_of(" -|\n", at);
        if (before != std::string_view::npos && text.substr(before + 1).starts_with(file))
            return true;
    }
    return false;
}

/// As generic_line(), if the text uses the register with the number of a vertex.
std::string vertex_line(std::string_view text, std::string_view line) {
    for (const std::string_view file : {"IN[", "OUT["}) {
        const std::string start = "DCL " + std::string(file);
        const size_t end = line.find(']');
        if (!line.starts_with(start) || end == std::string_view::npos ||
            line.find(", PATCH") == std::string_view::npos ||
            !uses_by_vertex(text, file, line.substr(start.size(), end - start.size())))
            continue;
        return generic_line(line).insert(start.size(), "][");
    }
    return std::string(line);
}

/// Opcodes whose results and sources are doubles alone.
constexpr std::array<std::string_view, 18> kDoubleOpcodes{
    "DABS", "DADD", "DCEIL", "DDIV",   "DFLR", "DFMA", "DFRAC", "DMAD",   "DMAX",
    "DMIN", "DMUL", "DNEG",  "DROUND", "DRCP", "DRSQ", "DSQRT", "DTRUNC", "DSSG"};

/// Adds .xyxy to the sources TEMP[n] of a double-precision instruction that writes zw.
std::string double_line(std::string_view line) {
    std::string result(line);
    const size_t colon = line.find(": ");
    const size_t written = line.find(".zw, ");
    if (colon == std::string_view::npos || written == std::string_view::npos || written < colon)
        return result;
    const size_t first = line.find_first_not_of(' ', colon + 2);
    const std::string_view opcode = line.substr(first, line.find(' ', first) - first);
    if (std::ranges::find(kDoubleOpcodes, opcode) == kDoubleOpcodes.end())
        return result;
    for (size_t at = result.find("TEMP[", written); at != std::string::npos;
         at = result.find("TEMP[", at + 1)) {
        const size_t end = result.find(']', at);
        if (end == std::string::npos)
            break;
        if (end + 1 == result.size() || result[end + 1] != '.')
            result.insert(end + 1, ".xyxy");
    }
    return result;
}

struct ImageTarget {
    std::string_view name;
    raster::TextureKind kind;
};
/// Names of targets as TGSI spells them.
constexpr std::array<ImageTarget, 11> kImageTargets{{
    {"BUFFER", raster::TextureKind::Buffer},
    {"1D", raster::TextureKind::Tex1D},
    {"2D", raster::TextureKind::Tex2D},
    {"3D", raster::TextureKind::Tex3D},
    {"CUBE", raster::TextureKind::Cube},
    {"RECT", raster::TextureKind::Rect},
    {"1D_ARRAY", raster::TextureKind::Tex1DArray},
    {"2D_ARRAY", raster::TextureKind::Tex2DArray},
    {"2D_MSAA", raster::TextureKind::Tex2DMs},
    {"2D_ARRAY_MSAA", raster::TextureKind::Tex2DMsArray},
    {"CUBEARRAY", raster::TextureKind::CubeArray},
}};

constexpr std::string_view kImage = "DCL IMAGE[";

/// The next item of a declaration, behind a comma, taken from `rest`; empty: there is none.
std::string_view take_item(std::string_view& rest) {
    const size_t start = rest.find_first_not_of(", ");
    if (start == std::string_view::npos)
        return {};
    const size_t end = rest.find_first_of(",\r\n", start);
    const std::string_view item = rest.substr(start, end - start);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end);
    return item;
}

const ImageTarget* image_target(std::string_view name) {
    const auto* const found = std::ranges::find(kImageTargets, name, &ImageTarget::name);
    return found == kImageTargets.end() ? nullptr : found;
}

/// Adds the items that the driver leaves out of an image's declaration; leaves other lines alone.
std::string image_line(std::string_view line) {
    const size_t bracket = line.find(']');
    if (!line.starts_with(kImage) || bracket == std::string_view::npos)
        return std::string(line);
    std::string_view rest = line.substr(bracket + 1);
    std::string_view tail = rest;
    std::string result(line.substr(0, bracket + 1));
    std::string_view item = take_item(rest);
    const bool has_target = image_target(item) != nullptr;
    result += ", " + std::string(has_target ? item : "BUFFER");
    if (has_target) {
        tail = rest;
        item = take_item(rest);
    }
    if (!item.starts_with("PIPE_FORMAT_"))
        result += ", PIPE_FORMAT_NONE";
    return result.append(tail);
}

/// Adds the images of a declaration `IMAGE[first]` or `IMAGE[first..last]`.
void note_images(std::string_view line, DeclaredImages& images) {
    const size_t bracket = line.find(']');
    if (!line.starts_with(kImage) || bracket == std::string_view::npos)
        return;
    std::string_view numbers = line.substr(kImage.size(), bracket - kImage.size());
    std::string_view rest = line.substr(bracket + 1);
    unsigned first = 0;
    const auto read = std::from_chars(numbers.data(), numbers.data() + numbers.size(), first);
    if (read.ec != std::errc())
        return;
    unsigned last = first;
    numbers.remove_prefix(static_cast<size_t>(read.ptr - numbers.data()));
    if (numbers.starts_with(".."))
        std::from_chars(numbers.data() + 2, numbers.data() + numbers.size(), last);
    const ImageTarget* target = image_target(take_item(rest));
    for (unsigned i = first; i <= last && i < kMaxImages; ++i) {
        images.mask |= 1U << i;
        images.kinds[i] = target == nullptr ? raster::TextureKind::Buffer : target->kind;
    }
}

/// Returns the text with each line changed by `change`.
template <typename Change>
std::string changed_lines(std::string_view text, size_t more, Change&& change) {
    std::string result;
    result.reserve(text.size() + more);
    while (!text.empty())
        result += change(take_line(text));
    return result;
}

}  // namespace

std::string with_image_targets(std::string_view text) {
    return changed_lines(text, 64, image_line);
}

std::array<uint32_t, 3> declared_group_size(std::string_view text) {
    static constexpr std::array<std::string_view, 3> kProperties{"PROPERTY CS_FIXED_BLOCK_WIDTH ",
                                                                 "PROPERTY CS_FIXED_BLOCK_HEIGHT ",
                                                                 "PROPERTY CS_FIXED_BLOCK_DEPTH "};
    std::array<uint32_t, 3> size{};
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        for (size_t axis = 0; axis < size.size(); ++axis)
            if (line.starts_with(kProperties[axis]))
                std::from_chars(line.data() + kProperties[axis].size(), line.data() + line.size(),
                                size[axis]);
    }
    return size;
}

DeclaredImages declared_images(std::string_view text) {
    DeclaredImages images;
    while (!text.empty())
        note_images(take_line(text), images);
    return images;
}

std::string with_generic_patches(std::string_view text) {
    if (text.starts_with("TESS"))
        return changed_lines(text, 64,
                             [text](std::string_view line) { return vertex_line(text, line); });
    return changed_lines(text, 64, generic_line);
}

std::string with_double_sources(std::string_view text) {
    return changed_lines(text, 64, double_line);
}

std::string without_coord_origin(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.find("FS_COORD_ORIGIN") == std::string_view::npos)
            result += line;
    }
    return result;
}

std::string with_sampled_inputs(std::string_view text) {
    return changed_lines(text, text.size() / 8, sampled_line);
}

}  // namespace valkyr::virgl
