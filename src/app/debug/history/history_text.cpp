// History text: writes a pixel's history as lines for a terminal.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_text.hpp"

#include "app/debug/history/history_lines.hpp"
#include "app/debug/history/history_words.hpp"

namespace valkyr::debug {

namespace {

std::string padded(std::string_view text, size_t width, bool right) {
    const std::string blanks(text.size() < width ? width - text.size() : 0, ' ');
    return right ? blanks + std::string(text) : std::string(text) + blanks;
}

std::string indented(const std::string& text) {
    constexpr size_t kColumns = 9;
    std::string made(kColumns, ' ');
    for (size_t i = 0; i < text.size(); ++i) {
        made += text[i];
        if (text[i] == '\n' && i + 1 < text.size())
            made.append(kColumns, ' ');
    }
    return made;
}

std::string
entries_text(const History& history, std::optional<uint32_t> sample, const app::Style& style);

std::string entry_text(const History& history,
                       size_t number,
                       std::optional<uint32_t> sample,
                       const app::Style& style) {
    const Entry& entry = history.entries[number];
    std::string text = padded(std::to_string(number), 3, true) + "  " + entry_title(entry);
    if (entry.fragment) {
        const app::Tone tone =
            has_passed(*entry.fragment, sample) ? app::Tone::Good : app::Tone::Bad;
        text += ": " + style.paint(tone, fate_text(*entry.fragment, samples_shown(sample)));
    }
    text += "\n";
    for (const Line& line : entry_lines(history, entry, sample))
        text += "     " + padded(line.label, 8, false) + " " + line.text + "\n";
    for (const auto& source : followed(entry))
        text += indented("before " + std::to_string(number) + ": " + place_text(*source) + "\n" +
                         entries_text(*source, std::nullopt, style) +
                         "value: " + texel_text(source->value(), std::nullopt) + "; " +
                         writer_text(*source) + "\n");
    return text;
}

std::string
entries_text(const History& history, std::optional<uint32_t> sample, const app::Style& style) {
    std::string text;
    for (size_t i = 0; i < history.entries.size(); ++i)
        text += entry_text(history, i, sample, style);
    for (const std::string& line : count_lines(history))
        text += "     " + line + "\n";
    return text;
}

}  // namespace

std::string
history_text(const History& history, std::optional<uint32_t> sample, const app::Style& style) {
    return title_text(history) + "\n" + entries_text(history, sample, style) +
           "value: " + texel_text(history.value(), sample) + "\n";
}

}  // namespace valkyr::debug
