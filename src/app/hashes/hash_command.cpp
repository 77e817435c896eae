// Hash command: prints the table of `valkyr conform --hashes` and what differs.
// SPDX-License-Identifier: MIT
#include "app/hashes/hash_command.hpp"

#include "app/cli/exit_codes.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/progress_bar.hpp"
#include "app/cli/report.hpp"
#include "app/hashes/hash_run.hpp"
#include "version.hpp"

#include <algorithm>
#include <cstdio>
#include <thread>

namespace valkyr::hashes {

namespace {

Result<HashList> expected_list(const HashOptions& options) {
    if (options.expect.empty())
        return parse_hash_list(recorded_hashes());
    VALKYR_TRY(text, app::read_input(options.expect));
    auto list = parse_hash_list(text);
    if (!list)
        return Error{list.error().code, {}, list.error().format(options.expect)};
    return list;
}

std::vector<Row> run_with_progress(const conform::CommandOptions& common,
                                   const std::vector<Work>& works,
                                   const std::vector<conform::Configuration>& configurations) {
    app::ProgressBar bar(common.quiet ? app::ProgressOutput() : app::progress_on_stderr());
    const unsigned jobs =
        common.jobs != 0 ? common.jobs : std::max(1U, std::thread::hardware_concurrency());
    return run_works(works, configurations, jobs, [&](size_t done, const std::string& name) {
        bar.show(name, done, works.size());
    });
}

int trouble(const conform::CommandOptions& common, const Error& error) {
    app::fail(error, "conform", common.color);
    return app::kExitError;
}

/// Reports and choices of goldens have no meaning for hashes, and are refused.
bool asks_for_goldens(const conform::CommandOptions& common) {
    return common.bless || common.list || common.shards != 1 || !common.junit.empty() ||
           !common.html.empty() || !common.json.empty();
}

/// A list is worth writing only if all configurations agree.
int write_list(const HashOptions& options,
               const conform::CommandOptions& common,
               const std::vector<Row>& rows,
               const std::vector<conform::Configuration>& configurations) {
    const Comparison among = compare(rows, configurations, {});
    std::fputs(among.problems.c_str(), stdout);
    if (!among.good())
        return app::kExitError;
    const auto written =
        app::write_output(options.write, hash_list_text(list_of(rows), app::kVersion));
    return written ? app::kExitOk : trouble(common, written.error());
}

int print_comparison(const Comparison& comparison, const conform::CommandOptions& common) {
    std::fputs(comparison.problems.c_str(), stdout);
    const auto wrong = static_cast<size_t>(std::ranges::count(comparison.problems, '\n'));
    if (!common.quiet)
        std::printf("%zu equal, %zu different", comparison.equal, wrong);
    if (!common.quiet && comparison.unknown != 0)
        std::printf(", %zu without a recorded hash", comparison.unknown);
    if (!common.quiet)
        std::printf("\n");
    return comparison.good() ? app::kExitOk : app::kExitError;
}

}  // namespace

void add_hash_options(app::Command command, HashOptions& options) {
    const app::Option hashes = command.flag(
        "--hashes", options.wanted,
        "Hash scenes, demos and benchmark scenes, and compare with the release's own hashes");
    const app::Option traces = command.option("--hash-trace", options.traces,
                                              "A recorded program to hash, too; can be repeated");
    const app::Option write =
        command.option("--write-hashes", options.write,
                       "Write the hashes to this file instead of comparing; - for standard output");
    const app::Option expect =
        command.option("--expect-hashes", options.expect, "Compare with this file instead");
    for (const app::Option& option : {traces, write, expect})
        option.needs(hashes);
    write.excludes(expect);
}

int run_hashes(const HashOptions& options,
               const conform::CommandOptions& common,
               const std::vector<conform::Configuration>& configurations) {
    if (asks_for_goldens(common)) {
        app::fail(
            Error{Errc::InvalidState,
                  {},
                  "--hashes goes without --bless, --list, --shard, --junit, --html and --json"},
            "conform", common.color);
        return app::kExitUsage;
    }
    const auto recorded = expected_list(options);
    if (!recorded)
        return trouble(common, recorded.error());
    const auto works = find_works({common.root, options.traces, common.filters});
    if (!works)
        return trouble(common, works.error());
    if (works->empty()) {
        app::fail(Error{Errc::OutOfRange, {}, "no work fits the filters"}, "conform", common.color);
        return app::kExitUsage;
    }
    const std::vector<Row> rows = run_with_progress(common, *works, configurations);
    if (!options.write.empty())
        return write_list(options, common, rows, configurations);
    if (!common.quiet)
        std::fputs(table_text(rows, configurations, *recorded).c_str(), stdout);
    return print_comparison(compare(rows, configurations, *recorded), common);
}

}  // namespace valkyr::hashes
