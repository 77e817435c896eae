// Shader text: changes a client's shader text so that the rasterizer takes it.
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

}  // namespace

std::string with_generic_patches(std::string_view text) {
    if (text.starts_with("TESS"))
        return std::string(text);
    std::string result;
    result.reserve(text.size() + 64);
    while (!text.empty())
        result += generic_line(take_line(text));
    return result;
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
    std::string result;
    result.reserve(text.size() + text.size() / 8);
    while (!text.empty())
        result += sampled_line(take_line(text));
    return result;
}

}  // namespace valkyr::virgl
