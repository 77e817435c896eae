// Reports of a run: JUnit's XML and a page of pictures.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"
#include "app/cli/html.hpp"
#include "app/cli/json_text.hpp"
#include "app/cli/junit.hpp"
#include "app/conform/suite.hpp"

#include <algorithm>
#include <filesystem>
#include <fmt/format.h>

namespace valkyr::conform {
namespace {

using app::html_escaped;
using app::json_quoted;

size_t count(const std::vector<Outcome>& outcomes, size_t configuration, Status status) {
    return static_cast<size_t>(
        std::count_if(outcomes.begin(), outcomes.end(), [&](const Outcome& o) {
            return o.configuration == configuration && o.status == status;
        }));
}

size_t count(const std::vector<Outcome>& outcomes, Status status) {
    return static_cast<size_t>(std::count_if(outcomes.begin(), outcomes.end(),
                                             [&](const Outcome& o) { return o.status == status; }));
}

std::string
outcome_json(const CaseFile& file, const Configuration& configuration, const Outcome& outcome) {
    static constexpr std::string_view kResults[] = {"passed", "failed", "skipped"};
    return fmt::format(
        "{{\"name\": {}, \"configuration\": {}, \"result\": \"{}\", \"seconds\": {:.3f}, "
        "\"message\": {}, \"difference\": {}}}",
        json_quoted(file.name), json_quoted(configuration.name),
        kResults[static_cast<size_t>(outcome.status)], outcome.seconds,
        json_quoted(outcome.message),
        outcome.difference ? app::difference_json(*outcome.difference) : "null");
}

app::JunitCase junit_case(const CaseFile& file, const Outcome& outcome) {
    const size_t slash = file.name.find('/');
    static constexpr app::JunitStatus kStatus[] = {
        app::JunitStatus::Passed, app::JunitStatus::Failed, app::JunitStatus::Skipped};
    return {file.name.substr(0, slash),
            file.name.substr(slash == std::string::npos ? 0 : slash + 1), outcome.seconds,
            kStatus[static_cast<size_t>(outcome.status)], outcome.message};
}

constexpr char kPageHead[] = R"(<!DOCTYPE html>
<html lang="en"><meta charset="utf-8"><title>Valkyr conformance</title>
<style>
body { font: 14px sans-serif; margin: 2em; color: #222 }
table { border-collapse: collapse } td, th { padding: 4px 10px; border: 1px solid #ccc; text-align: left }
img { image-rendering: pixelated; background: repeating-conic-gradient(#999 0 25%, #666 0 50%) 0 0/16px 16px }
.Failed { background: #fdd } .Passed { background: #dfd } .Skipped { background: #eee }
figure { display: inline-block; margin: 0 1em 1em 0 } figcaption { font-size: 12px }
pre { background: #f4f4f4; padding: 6px }
</style>
<h1>Valkyr conformance</h1>
)";

std::string_view status_name(Status status) {
    static constexpr std::string_view kNames[] = {"Passed", "Failed", "Skipped"};
    return kNames[static_cast<size_t>(status)];
}

/// Writes a picture beside the page and gives the figure that shows it four times as large.
Result<std::string> figure(const std::string& directory,
                           const std::string& file,
                           std::string_view caption,
                           const examples::Image& image) {
    VALKYR_TRY_VOID(examples::write_image(directory + "/" + file, image));
    return fmt::format("<figure><img src=\"{}\" width=\"{}\" height=\"{}\"><figcaption>{}"
                       "</figcaption></figure>\n",
                       html_escaped(file), image.width * 4, image.height * 4, caption);
}

Result<std::string> failure_section(const std::string& directory,
                                    const CaseFile& file,
                                    const Configuration& configuration,
                                    const Outcome& outcome,
                                    size_t number) {
    std::string text = fmt::format("<h3>{} on {}</h3>\n<pre>{}</pre>\n", html_escaped(file.name),
                                   html_escaped(configuration.name), html_escaped(outcome.message));
    const auto add = [&](std::string_view kind, const examples::Image& image) -> Result<void> {
        VALKYR_TRY(shown, figure(directory, fmt::format("{}-{}.png", number, kind), kind, image));
        text += shown;
        return {};
    };
    if (outcome.expected)
        VALKYR_TRY_VOID(add("expected", *outcome.expected));
    if (outcome.actual)
        VALKYR_TRY_VOID(add("actual", *outcome.actual));
    if (outcome.expected && outcome.actual &&
        app::compare_images(*outcome.expected, *outcome.actual).has_value())
        VALKYR_TRY_VOID(
            add("difference", app::amplified_difference(*outcome.expected, *outcome.actual, 32)));
    return text;
}

std::string overview(const std::vector<CaseFile>& cases,
                     const std::vector<Configuration>& configurations,
                     const std::vector<Outcome>& outcomes) {
    std::string text = "<h2>All cases</h2>\n<table><tr><th>case</th>";
    for (const Configuration& configuration : configurations)
        text += "<th>" + html_escaped(configuration.name) + "</th>";
    text += "</tr>\n";
    for (size_t i = 0; i < cases.size(); i++) {
        text += "<tr><td>" + html_escaped(cases[i].name) + "</td>";
        for (size_t c = 0; c < configurations.size(); c++) {
            const std::string_view name =
                status_name(outcomes[i * configurations.size() + c].status);
            text += fmt::format("<td class=\"{}\">{}</td>", name, name);
        }
        text += "</tr>\n";
    }
    return text + "</table>\n";
}

}  // namespace

std::string junit_report(const std::vector<CaseFile>& cases,
                         const std::vector<Configuration>& configurations,
                         const std::vector<Outcome>& outcomes) {
    std::vector<app::JunitSuite> suites;
    for (size_t c = 0; c < configurations.size(); c++) {
        app::JunitSuite& suite = suites.emplace_back(app::JunitSuite{configurations[c].name, {}});
        for (const Outcome& outcome : outcomes)
            if (outcome.configuration == c)
                suite.cases.push_back(junit_case(cases[outcome.case_index], outcome));
    }
    return app::junit_xml(suites);
}

std::string json_report(const std::vector<CaseFile>& cases,
                        const std::vector<Configuration>& configurations,
                        const std::vector<Outcome>& outcomes) {
    std::vector<std::string> names;
    for (const Configuration& configuration : configurations)
        names.push_back(json_quoted(configuration.name));
    std::string text =
        fmt::format("{{\"configurations\": {},\n \"passed\": {}, \"failed\": {}, \"skipped\": "
                    "{},\n \"cases\": [",
                    app::json_array(names), count(outcomes, Status::Passed),
                    count(outcomes, Status::Failed), count(outcomes, Status::Skipped));
    for (size_t i = 0; i < outcomes.size(); i++)
        text += (i == 0 ? "\n  " : ",\n  ") +
                outcome_json(cases[outcomes[i].case_index],
                             configurations[outcomes[i].configuration], outcomes[i]);
    return text + "\n]}\n";
}

Result<void> write_html_report(const std::string& directory,
                               const std::vector<CaseFile>& cases,
                               const std::vector<Configuration>& configurations,
                               const std::vector<Outcome>& outcomes) {
    std::error_code error;
    std::filesystem::create_directories(directory, error);
    if (error)
        return Error{Errc::System, {}, directory + ": " + error.message()};
    std::string text = kPageHead;
    for (size_t c = 0; c < configurations.size(); c++)
        text +=
            fmt::format("<p>{}: {} passed, {} failed, {} skipped</p>\n",
                        html_escaped(configurations[c].name), count(outcomes, c, Status::Passed),
                        count(outcomes, c, Status::Failed), count(outcomes, c, Status::Skipped));
    size_t number = 0;
    for (const Outcome& outcome : outcomes) {
        if (outcome.status != Status::Failed)
            continue;
        VALKYR_TRY(section,
                   failure_section(directory, cases[outcome.case_index],
                                   configurations[outcome.configuration], outcome, ++number));
        text += section;
    }
    text += overview(cases, configurations, outcomes) + "</html>\n";
    return app::write_output(directory + "/index.html", text);
}

}  // namespace valkyr::conform
