// Findings text: prints findings as a table and as JSON.
// SPDX-License-Identifier: MIT
#include "app/cli/json_text.hpp"
#include "app/run/doctor/doctor.hpp"

#include <algorithm>
#include <string_view>

namespace valkyr::app {

namespace {

constexpr const char* kVerdicts[] = {"ok", "note", "missing"};
constexpr Tone kTones[] = {Tone::Good, Tone::Note, Tone::Bad};
constexpr size_t kVerdictWidth = std::string_view("missing").size();
constexpr const char* kBetween = "  ";

std::string verdict_name(Verdict verdict) {
    return kVerdicts[static_cast<size_t>(verdict)];
}

std::string padded(std::string text, size_t width) {
    text.resize(std::max(width, text.size()), ' ');
    return text;
}

std::string row_text(const Finding& finding, size_t name_width, const Style& style) {
    const Tone tone = kTones[static_cast<size_t>(finding.verdict)];
    std::string text = style.paint(tone, padded(verdict_name(finding.verdict), kVerdictWidth)) +
                       kBetween + padded(finding.name, name_width) + kBetween + finding.found +
                       '\n';
    if (!finding.remedy.empty())
        text += padded("", kVerdictWidth + name_width) + kBetween + kBetween + "-> " +
                finding.remedy + '\n';
    return text;
}

}  // namespace

std::string findings_text(const Findings& findings, bool xvfb, const Style& style) {
    size_t width = 0;
    size_t missing = 0;
    for (const Finding& finding : findings) {
        width = std::max(width, finding.name.size());
        missing += finding.verdict == Verdict::Missing ? 1 : 0;
    }
    std::string text;
    for (const Finding& finding : findings)
        text += row_text(finding, width, style);
    text += std::string("\n`valkyr run ") + (xvfb ? "--xvfb " : "") + "-- glxgears` ";
    if (missing == 0)
        return text + "works.\n";
    return text + "does not work: " + std::to_string(missing) +
           (missing == 1 ? " thing is missing.\n" : " things are missing.\n");
}

std::string findings_json(const Findings& findings) {
    std::string text = "[";
    for (const Finding& finding : findings) {
        text += text.size() == 1 ? "\n" : ",\n";
        text += " {\"name\": " + json_quoted(finding.name) +
                ", \"found\": " + json_quoted(finding.found) +
                ", \"verdict\": " + json_quoted(verdict_name(finding.verdict)) +
                ", \"remedy\": " + json_quoted(finding.remedy) + "}";
    }
    return text + "\n]\n";
}

}  // namespace valkyr::app
