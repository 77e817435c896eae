// GLSL listing: the GLSL of a session's shader, and the lines that its TGSI text comes from.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/glsl_listing.hpp"

#include <sstream>

namespace valkyr::debug {

std::vector<uint32_t> GlslListing::lines_from(uint32_t glsl) const {
    std::vector<uint32_t> found;
    for (uint32_t line = 1; line < lines.size(); ++line)
        if (glsl != 0 && lines[line].line == glsl)
            found.push_back(line);
    return found;
}

std::vector<std::string> GlslListing::registers_of(std::string_view variable) const {
    std::vector<std::string> found;
    for (const auto& [reg, name] : names) {
        const bool element = name.starts_with(variable) && name.size() > variable.size() &&
                             (name[variable.size()] == '[' || name[variable.size()] == '.');
        if (name != variable && !element)
            continue;
        constexpr std::string_view kDefault = "CONST[0]";
        found.push_back(reg.starts_with(kDefault) ? "CONST" + reg.substr(kDefault.size()) : reg);
    }
    return found;
}

GlslListing make_glsl_listing(const SourceMatch& match, const tgsi::Shader& shader) {
    GlslListing listing;
    if (match.source == nullptr)
        return listing;
    listing.title = describe_match(match);
    std::istringstream text(match.source->glsl);
    for (std::string line; std::getline(text, line);)
        listing.source.push_back(std::move(line));
    listing.names = parse_names(match.source->names);
    listing.lines = match_lines(match.source->glsl, shader, listing.names);
    return listing;
}

}  // namespace valkyr::debug
