// GLSL sources: finds the GLSL that a TGSI text of a recorded program comes from.
// SPDX-License-Identifier: MIT
#include "app/debug/glsl/glsl_sources.hpp"

#include <algorithm>
#include <cctype>

namespace valkyr::debug {

namespace {

/// The lines of a text, sorted, without numbers of instructions and of temporary registers, which
/// shift between variants.
std::vector<std::string> plain_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = std::min(text.find('\n'), text.size());
        std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        line.remove_prefix(std::min(line.find_first_not_of(" 0123456789:"), line.size()));
        std::string plain;
        for (size_t i = 0; i < line.size(); ++i) {
            plain += line[i];
            if (!plain.ends_with("TEMP["))
                continue;
            while (i + 1 < line.size() &&
                   std::isdigit(static_cast<unsigned char>(line[i + 1])) != 0)
                ++i;
        }
        if (!plain.empty())
            lines.push_back(std::move(plain));
    }
    std::sort(lines.begin(), lines.end());
    return lines;
}

/// Twice the lines that both have, in percent of all lines.
uint32_t likeness_of(const std::vector<std::string>& a, const std::vector<std::string>& b) {
    size_t common = 0;
    for (size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        const int order = a[i].compare(b[j]);
        common += order == 0 ? 1 : 0;
        i += order <= 0 ? 1 : 0;
        j += order >= 0 ? 1 : 0;
    }
    return static_cast<uint32_t>(200 * common / std::max<size_t>(a.size() + b.size(), 1));
}

std::string_view trimmed(std::string_view text) {
    return text.substr(0, text.find_last_not_of("\n ") + 1);
}

std::string_view processor_of(std::string_view text) {
    return text.substr(0, text.find_first_of(" \n"));
}

}  // namespace

SourceMatch find_source(const GlslSources& sources, std::string_view tgsi) {
    const std::string_view wanted = trimmed(tgsi);
    const auto lines = plain_lines(wanted);
    SourceMatch best;
    for (const GlslSource& source : sources) {
        if (source.processor != processor_of(wanted))
            continue;
        uint32_t likeness = 100;
        if (trimmed(source.tgsi) != wanted)
            likeness = std::min(likeness_of(plain_lines(source.tgsi), lines), 99U);
        if (likeness > best.likeness)
            best = {&source, likeness, 0};
        else if (likeness == best.likeness && best.source != nullptr &&
                 best.source->glsl != source.glsl)
            ++best.others;
    }
    return best.likeness >= kLeastLikeness ? best : SourceMatch{};
}

std::string describe_match(const SourceMatch& match) {
    std::string text = match.source->program != 0
                           ? "GLSL program " + std::to_string(match.source->program) + ", "
                           : "GLSL, ";
    text += match.source->processor;
    if (match.likeness < 100)
        text +=
            " (another form of it: " + std::to_string(match.likeness) + " % of lines are equal)";
    if (match.others > 0)
        text += "; " + std::to_string(match.others) + " more fit as well";
    return text;
}

}  // namespace valkyr::debug
