// Shader text: changes a client's shader text so that the rasterizer takes it.
// SPDX-License-Identifier: MIT
#include "virgl/state/shader_text.hpp"

#include <algorithm>
#include <array>

namespace valkyr::virgl {
namespace {

/// The first line with its end, taken off the text.
std::string_view take_line(std::string_view& text) {
    const size_t end = text.find('\n');
    const std::string_view line =
        text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
    text.remove_prefix(line.size());
    return line;
}

/// The declaration of an interpolated input moves to the sample; other lines stay.
std::string sampled_line(std::string_view line) {
    static constexpr std::array<std::string_view, 3> kKinds{", PERSPECTIVE", ", LINEAR", ", COLOR"};
    constexpr std::string_view kCentroid = ", CENTROID";
    std::string result(line);
    if (!line.starts_with("DCL IN[") || line.find(", SAMPLE") != std::string_view::npos)
        return result;
    // The semantic stands before the interpolation and may be COLOR, too: the last one counts.
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

}  // namespace

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
