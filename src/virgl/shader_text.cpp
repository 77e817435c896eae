// What must change in a shader's text before the rasterizer takes it.
// SPDX-License-Identifier: MIT
#include "virgl/shader_text.hpp"

namespace valkyr::virgl {

std::string without_coord_origin(std::string_view text) {
    std::string result;
    result.reserve(text.size());
    while (!text.empty()) {
        const size_t end = text.find('\n');
        const std::string_view line =
            text.substr(0, end == std::string_view::npos ? text.size() : end + 1);
        if (line.find("FS_COORD_ORIGIN") == std::string_view::npos)
            result += line;
        text.remove_prefix(line.size());
    }
    return result;
}

}  // namespace valkyr::virgl
