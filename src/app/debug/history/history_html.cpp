// History HTML: shows a pixel's history as one page.
// SPDX-License-Identifier: MIT
#include "app/debug/history/history_html.hpp"

#include "app/cli/html.hpp"
#include "app/conform/picture.hpp"
#include "app/debug/history/history_lines.hpp"
#include "app/debug/history/history_words.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace valkyr::debug {

namespace {

using app::html_escaped;

constexpr std::string_view kStyle = R"(
body { font: 14px/1.4 sans-serif; margin: 1em 2em; color: #222; }
h1 { font-size: 1.2em; } p { margin: .3em 0; color: #555; }
details { border-top: 1px solid #ddd; padding: .2em 0; } summary { cursor: pointer; }
.swatch { display: inline-block; width: 1.1em; height: 1.1em; border: 1px solid #888; vertical-align: -.2em; }
.good { color: #070; } .bad { color: #b00; }
table { border-collapse: collapse; font: 12px/1.6 monospace; margin-left: 2em; }
td { padding: 0 .7em; vertical-align: top; } td:first-child { color: #777; }
.source { margin-left: 2em; background: #f6f6f6; }
code { background: #eee; padding: 0 .4em; user-select: all; }
)";

/// A square of the colour in which pictures show the sample.
std::string swatch(const Texel& texel, uint32_t sample) {
    const auto image = conform::show_surface(texel.format, 1, 1, texel.sample(sample));
    return fmt::format("<span class=\"swatch\" style=\"background:rgb({},{},{})\"></span>",
                       image.rgba[0], image.rgba[1], image.rgba[2]);
}

/// One square if all samples that are shown are equal, else one for each.
std::string swatches(const Texel& texel, std::optional<uint32_t> sample) {
    if (texel.bytes.empty())
        return {};
    if (sample && *sample < texel.samples)
        return swatch(texel, *sample);
    std::string squares;
    bool equal = true;
    for (uint32_t s = 0; s < texel.samples; ++s) {
        squares += swatch(texel, s);
        equal = equal && std::ranges::equal(texel.sample(s), texel.sample(0));
    }
    return equal ? swatch(texel, 0) : squares;
}

std::string row(const Line& line) {
    const bool is_command = line.label == "debug";
    return fmt::format("<tr><td>{}</td><td>{}{}{}</td></tr>\n", line.label,
                       is_command ? "<code>" : "", html_escaped(line.text),
                       is_command ? "</code>" : "");
}

std::string entries_html(const History& history, std::optional<uint32_t> sample);

std::string entry_html(const History& history, size_t number, std::optional<uint32_t> sample) {
    const Entry& entry = history.entries[number];
    std::string text = "<details open><summary>" + std::to_string(number) + " ";
    if (entry.kind != EntryKind::Start)
        text += swatches(entry.before, sample) + " &rarr; ";
    text += swatches(entry.after, sample) + " " + html_escaped(entry_title(entry));
    if (entry.fragment)
        text += fmt::format(": <span class=\"{}\">{}</span>",
                            has_passed(*entry.fragment, sample) ? "good" : "bad",
                            html_escaped(fate_text(*entry.fragment, samples_shown(sample))));
    text += "</summary>\n<table>\n";
    for (const Line& line : entry_lines(history, entry, sample))
        text += row(line);
    text += "</table>\n";
    for (const auto& source : followed(entry))
        text += "<details class=\"source\" open><summary>before " + std::to_string(number) + ": " +
                html_escaped(place_text(*source)) + "; " + html_escaped(writer_text(*source)) +
                "</summary>\n" + entries_html(*source, std::nullopt) + "</details>\n";
    return text + "</details>\n";
}

std::string entries_html(const History& history, std::optional<uint32_t> sample) {
    std::string text;
    for (size_t i = 0; i < history.entries.size(); ++i)
        text += entry_html(history, i, sample);
    for (const std::string& line : count_lines(history))
        text += "<p>" + html_escaped(line) + "</p>\n";
    return text + "<p>value: " + swatches(history.value(), sample) + " " +
           html_escaped(texel_text(history.value(), sample)) + "</p>\n";
}

}  // namespace

std::string history_html(const History& history, std::optional<uint32_t> sample) {
    const std::string title = html_escaped(title_text(history));
    const std::string page =
        fmt::format("<!DOCTYPE html>\n<html lang=\"en\"><head><meta "
                    "charset=\"utf-8\"><title>{0}</title>\n<style>{1}</style></head>"
                    "<body>\n<h1>{0}</h1>\n",
                    title, kStyle);
    return page + entries_html(history, sample) + "</body></html>\n";
}

}  // namespace valkyr::debug
