// Color: decides whether a stream gets colours, and puts them around words.
// SPDX-License-Identifier: MIT
#include "app/cli/color.hpp"

#include <algorithm>
#include <cstdlib>

namespace valkyr::app {

namespace {

/// Bold, and a colour of the sixteen that every terminal has. In the order of Tone.
constexpr std::string_view kBegin[] = {"\033[1;32m", "\033[1;31m", "\033[1;33m"};
constexpr std::string_view kEnd = "\033[0m";

struct Label {
    std::string_view text;
    Tone tone;
};
constexpr Label kLabels[] = {
    {"error:", Tone::Bad}, {"warning:", Tone::Note}, {"note:", Tone::Note}};

/// Where a label begins: at the start of the line, or behind "FILE:LINE:COLUMN: ".
size_t find_label(std::string_view line, std::string_view label) {
    if (line.starts_with(label))
        return 0;
    const size_t place = line.find(": " + std::string(label));
    return place == std::string_view::npos ? place : place + 2;
}

}  // namespace

bool uses_color(ColorChoice choice, const char* no_color, const Terminal& terminal) {
    if (choice != ColorChoice::Auto)
        return choice == ColorChoice::Always;
    const bool refused = no_color != nullptr && *no_color != '\0';
    return terminal.screen && !refused;
}

Style::Style(ColorChoice choice, std::FILE* stream)
    : color_(uses_color(choice, std::getenv("NO_COLOR"), terminal_of(stream))) {}

std::string Style::paint(Tone tone, std::string_view text) const {
    if (!color_)
        return std::string(text);
    return std::string(kBegin[static_cast<size_t>(tone)]) + std::string(text) + std::string(kEnd);
}

std::string Style::paint_labels(std::string_view lines) const {
    std::string painted;
    while (!lines.empty()) {
        const size_t length = std::min(lines.find('\n'), lines.size() - 1) + 1;
        const std::string_view line = lines.substr(0, length);
        lines.remove_prefix(length);
        size_t begin = line.size();
        const Label* first = nullptr;
        for (const Label& label : kLabels)
            if (const size_t at = find_label(line, label.text); at < begin) {
                begin = at;
                first = &label;
            }
        painted += line.substr(0, begin);
        if (first == nullptr)
            continue;
        painted += paint(first->tone, first->text);
        painted += line.substr(begin + first->text.size());
    }
    return painted;
}

}  // namespace valkyr::app
