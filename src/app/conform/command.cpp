// Suite command: runs the command line that `valkyr conform` and conform_reference share.
// SPDX-License-Identifier: MIT
#include "app/conform/command.hpp"

#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"

#include <charconv>
#include <cstdio>
#include <thread>

namespace valkyr::conform {
namespace {

constexpr int kExitFailed = 1;
constexpr int kExitUsage = 2;

unsigned job_count(const CommandOptions& options) {
    return options.jobs != 0 ? options.jobs : std::max(1U, std::thread::hardware_concurrency());
}

/// Whether text goes to standard output; with `--json -` the report does.
bool prints_text(const CommandOptions& options) {
    return options.json != "-";
}

/// Shows the progress of the cases, and prints failures at once.
class Narrator {
public:
    Narrator(const CommandOptions& options,
             const std::vector<CaseFile>& cases,
             const std::vector<Configuration>& configurations)
        : cases_(cases)
        , configurations_(configurations)
        , text_(prints_text(options))
        , style_(options.color, stdout)
        , bar_(options.quiet ? app::ProgressOutput() : app::progress_on_stderr()) {}

    void tell(size_t done, size_t all, const Outcome& outcome) {
        const std::string& name = cases_[outcome.case_index].name;
        if (outcome.status == Status::Failed && text_) {
            bar_.clear();
            std::printf("%s %s (%s): %s\n", style_.paint(app::Tone::Bad, "FAILED").c_str(),
                        name.c_str(), configurations_[outcome.configuration].name.c_str(),
                        outcome.message.c_str());
            std::fflush(stdout);
        }
        bar_.show(name, done, all);
    }

private:
    const std::vector<CaseFile>& cases_;
    const std::vector<Configuration>& configurations_;
    bool text_;
    app::Style style_;
    app::ProgressBar bar_;
};

/// Runs the cases with `run` and reports each outcome as it comes.
template <typename Run>
std::vector<Outcome> narrated(const CommandOptions& options,
                              const std::vector<CaseFile>& cases,
                              const std::vector<Configuration>& configurations,
                              Run run) {
    Narrator narrator(options, cases, configurations);
    return run([&](size_t done, size_t all, const Outcome& outcome) {
        narrator.tell(done, all, outcome);
    });
}

int trouble(const CommandOptions& options, const Error& error, int code) {
    app::fail(error, "conform", options.color);
    return code;
}

Result<std::vector<CaseFile>> chosen_cases(const CommandOptions& options) {
    VALKYR_TRY(cases, find_cases(options.root, options.filters));
    if (cases.empty())
        return Error{Errc::OutOfRange, {}, options.root + ": no case fits the filters"};
    // Neighbouring cases cost about as much: a shard takes every N-th case, not a contiguous range.
    std::vector<CaseFile> shard;
    for (size_t i = options.shard - 1; i < cases.size(); i += options.shards)
        shard.push_back(std::move(cases[i]));
    return shard;
}

Result<void> write_reports(const CommandOptions& options,
                           const std::vector<CaseFile>& cases,
                           const std::vector<Configuration>& configurations,
                           const std::vector<Outcome>& outcomes) {
    if (!options.junit.empty())
        VALKYR_TRY_VOID(
            app::write_output(options.junit, junit_report(cases, configurations, outcomes)));
    if (!options.html.empty())
        VALKYR_TRY_VOID(write_html_report(options.html, cases, configurations, outcomes));
    if (!options.json.empty())
        VALKYR_TRY_VOID(
            app::write_output(options.json, json_report(cases, configurations, outcomes)));
    return {};
}

/// "12 passed, 0 failed, 1 skipped"; counts above zero are coloured.
std::string summary_text(const size_t (&counts)[3], const app::Style& style) {
    static constexpr std::string_view kNames[] = {"passed", "failed", "skipped"};
    static constexpr app::Tone kTones[] = {app::Tone::Good, app::Tone::Bad, app::Tone::Note};
    std::string text;
    for (size_t i = 0; i < 3; i++) {
        const std::string part = std::to_string(counts[i]) + " " + std::string(kNames[i]);
        text += (i == 0 ? "" : ", ") + (counts[i] == 0 ? part : style.paint(kTones[i], part));
    }
    return text;
}

int summary(const CommandOptions& options, const std::vector<Outcome>& outcomes) {
    size_t counts[3] = {};
    for (const Outcome& outcome : outcomes)
        counts[static_cast<size_t>(outcome.status)]++;
    if (!options.quiet && prints_text(options))
        std::printf("%s\n", summary_text(counts, app::Style(options.color, stdout)).c_str());
    return counts[1] == 0 ? 0 : kExitFailed;
}

/// Reads "I/N" with 1 <= I <= N; returns whether the text has that form.
bool parse_shard(const std::string& text, CommandOptions& options) {
    const char* end = text.data() + text.size();
    const auto [slash, first] = std::from_chars(text.data(), end, options.shard);
    if (first != std::errc() || slash == end || *slash != '/')
        return false;
    const auto [last, second] = std::from_chars(slash + 1, end, options.shards);
    return second == std::errc() && last == end && options.shard >= 1 &&
           options.shard <= options.shards;
}

}  // namespace

void add_options(app::Command command, CommandOptions& options) {
    command.option("FILTER", options.filters,
                   "Cases to run: TOPIC/NAME, TOPIC or NAME, with * and ?; default all");
    command.option("--root", options.root, "Directory of the suite").shows_default();
    command.option("--jobs", options.jobs, "Cases at a time, 0 = one a processor")
        .range(0, 256)
        .shows_default();
    command
        .option(
            "--shard",
            [&options](const std::string& text) -> Result<void> {
                if (!parse_shard(text, options))
                    return Error{Errc::OutOfRange, {}, "not I/N with I from 1 to N"};
                return {};
            },
            "Part I of N of the cases, for N machines or jobs")
        .value_name("I/N");
    const app::Option bless = command.flag(
        "--bless", options.bless, "Write goldens that change, from the reference renderer");
    const app::Option reason = command.option("--reason", options.reason,
                                              "Why the new goldens are right; kept in goldens.txt");
    bless.needs(reason);
    reason.needs(bless);
    command.flag("--list", options.list, "Print the names of the chosen cases only");
    command.flag("-q,--quiet", options.quiet, "Print failures only");
    command.option("--junit", options.junit, "Write a report in JUnit's XML to this file");
    command.option("--html", options.html,
                   "Write a report with pictures to index.html of this directory");
    const auto json =
        command.option("--json", options.json,
                       "Write results, differences and times as JSON to this file, - for standard "
                       "output instead of text");
    bless.excludes(json);
    app::add_color_argument(command, options.color);
}

int run_command(const CommandOptions& options, const std::vector<Configuration>& configurations) {
    const auto cases = chosen_cases(options);
    if (!cases)
        return trouble(options, cases.error(), kExitUsage);
    if (options.list) {
        for (const CaseFile& file : *cases)
            std::printf("%s\n", file.name.c_str());
        return 0;
    }
    const std::vector<Outcome> outcomes =
        narrated(options, *cases, configurations, [&](const Progress& progress) {
            return run_suite(options.root, *cases, configurations, job_count(options), progress);
        });
    const auto written = write_reports(options, *cases, configurations, outcomes);
    if (!written)
        return trouble(options, written.error(), kExitFailed);
    return summary(options, outcomes);
}

int bless_command(const CommandOptions& options, const Configuration& configuration) {
    const auto cases = chosen_cases(options);
    if (!cases)
        return trouble(options, cases.error(), kExitUsage);
    const std::vector<Outcome> outcomes =
        narrated(options, *cases, {configuration}, [&](const Progress& progress) {
            return bless(options.root, *cases, configuration, options.reason, job_count(options),
                         progress);
        });
    for (const Outcome& outcome : outcomes)
        if (outcome.status == Status::Passed && outcome.message == "written" && !options.quiet)
            std::printf("written %s\n", (*cases)[outcome.case_index].golden_path.c_str());
    return summary(options, outcomes);
}

}  // namespace valkyr::conform
