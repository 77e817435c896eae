// Conformance suite: finds cases, runs them in parallel, compares them with goldens.
// SPDX-License-Identifier: MIT
#include "app/conform/suite.hpp"

#include "app/cli/file_io.hpp"
#include "app/conform/manifest.hpp"
#include "app/conform/parallel.hpp"
#include "app/conform/parser.hpp"
#include "app/conform/player.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <map>
#include <mutex>

namespace valkyr::conform {
namespace {

namespace fs = std::filesystem;
using app::compare_images;
using app::describe;

bool is_chosen(const std::string& name, const std::vector<std::string>& filters) {
    const size_t slash = name.find('/');
    const auto chosen = [&](const std::string& filter) {
        if (filter.find('/') != std::string::npos)
            return fits(filter, name);
        return fits(filter, name.substr(0, slash)) || fits(filter, name.substr(slash + 1));
    };
    return filters.empty() || std::any_of(filters.begin(), filters.end(), chosen);
}

/// Compares a picture with the golden; fills in the outcome.
void judge(const Case& scene,
           const CaseFile& file,
           const examples::Image& actual,
           Outcome& outcome) {
    const auto golden = examples::read_image(file.golden_path);
    if (!golden) {
        outcome.message = "no golden: " + golden.error().text;
        outcome.actual = actual;
        return;
    }
    const auto difference = compare_images(*golden, actual, scene.tolerance);
    if (difference)
        outcome.difference = *difference;
    if (difference && difference->differing == 0) {
        outcome.status = Status::Passed;
        return;
    }
    outcome.message = difference ? describe(*difference, actual) : difference.error().text;
    outcome.expected = *golden;
    outcome.actual = actual;
}

/// Draws one case on one device. Without a picture, `outcome` says why.
std::optional<examples::Image> draw(const Result<Case>& scene,
                                    const CaseFile& file,
                                    const Configuration& configuration,
                                    Outcome& outcome) {
    if (!scene) {
        outcome.message = scene.error().text;
        return std::nullopt;
    }
    auto device = configuration.open();
    if (!device) {
        const bool missing = device.error().code == Errc::Unsupported;
        outcome.status = missing ? Status::Skipped : Status::Failed;
        outcome.message = device.error().text;
        return std::nullopt;
    }
    auto picture = play(*scene, **device);
    if (picture)
        return std::move(*picture);
    outcome.message = picture.error().format(file.scene_path);
    return std::nullopt;
}

/// Draws all cases on all configurations and calls `finish` with each picture.
template <typename Finish>
std::vector<Outcome> for_each_outcome(const std::string& root,
                                      const std::vector<CaseFile>& cases,
                                      const std::vector<Configuration>& configurations,
                                      unsigned jobs,
                                      const Progress& progress,
                                      Finish finish) {
    std::vector<Outcome> outcomes(cases.size() * configurations.size());
    std::mutex mutex;
    size_t done = 0;
    in_parallel(cases.size(), jobs, [&](size_t i) {
        const Result<Case> scene = load_case(root, cases[i]);
        for (size_t c = 0; c < configurations.size(); c++) {
            Outcome& outcome = outcomes[i * configurations.size() + c];
            outcome.case_index = i;
            outcome.configuration = c;
            const auto start = std::chrono::steady_clock::now();
            if (const auto picture = draw(scene, cases[i], configurations[c], outcome))
                finish(*scene, cases[i], *picture, outcome);
            outcome.seconds =
                std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
            const std::lock_guard lock(mutex);
            progress(++done, outcomes.size(), outcome);
        }
    });
    return outcomes;
}

}  // namespace

bool fits(std::string_view pattern, std::string_view name) {
    // `star` is the last * of the pattern, `mark` its place in the name. On a mismatch, that *
    // takes one character more.
    size_t p = 0, n = 0, star = std::string_view::npos, mark = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            mark = n;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == name[n])) {
            p++;
            n++;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            n = ++mark;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        p++;
    return p == pattern.size();
}

Result<std::vector<CaseFile>> find_cases(const std::string& root,
                                         const std::vector<std::string>& filters) {
    std::vector<CaseFile> cases;
    std::error_code error;
    for (fs::recursive_directory_iterator it(root, error), end; !error && it != end;
         it.increment(error)) {
        fs::path path = it->path();
        if (path.extension() != ".scene")
            continue;
        CaseFile file;
        file.name = fs::relative(path, root).replace_extension().generic_string();
        file.scene_path = path.string();
        file.golden_path = path.replace_extension(".png").string();
        if (is_chosen(file.name, filters))
            cases.push_back(std::move(file));
    }
    if (error)
        return Error{Errc::System, {}, root + ": " + error.message()};
    std::sort(cases.begin(), cases.end(),
              [](const CaseFile& a, const CaseFile& b) { return a.name < b.name; });
    return cases;
}

Result<Case> load_case(const std::string& root, const CaseFile& file) {
    VALKYR_TRY(text, app::read_input(file.scene_path));
    ParsedCase parsed = parse_case(
        text, [&](const std::string& path) { return app::read_input(root + "/" + path); });
    if (parsed.ok())
        return std::move(parsed.scene);
    std::string all;
    for (const Error& error : parsed.errors)
        all += (all.empty() ? "" : "\n") + error.format(file.scene_path);
    return Error{Errc::Syntax, {}, all};
}

std::vector<Outcome> run_suite(const std::string& root,
                               const std::vector<CaseFile>& cases,
                               const std::vector<Configuration>& configurations,
                               unsigned jobs,
                               const Progress& progress) {
    return for_each_outcome(root, cases, configurations, jobs, progress,
                            [](const Case& scene, const CaseFile& file,
                               const examples::Image& picture,
                               Outcome& outcome) { judge(scene, file, picture, outcome); });
}

std::vector<Outcome> bless(const std::string& root,
                           const std::vector<CaseFile>& cases,
                           const Configuration& configuration,
                           const std::string& reason,
                           unsigned jobs,
                           const Progress& progress) {
    Manifest manifest;
    std::mutex mutex;
    const auto finish = [&](const Case&, const CaseFile& file, const examples::Image& picture,
                            Outcome& outcome) {
        const auto golden = examples::read_image(file.golden_path);
        outcome.status = Status::Passed;
        outcome.message = "unchanged";
        if (golden && *golden == picture)
            return;
        const Result<void> written = examples::write_image(file.golden_path, picture);
        outcome.message = written ? "written" : written.error().text;
        if (!written) {
            outcome.status = Status::Failed;
            return;
        }
        const std::lock_guard lock(mutex);
        manifest.set(file, picture, reason);
    };
    std::vector<Outcome> outcomes =
        for_each_outcome(root, cases, {configuration}, jobs, progress, finish);
    const Result<void> saved = manifest.save();
    if (!saved && !outcomes.empty()) {
        outcomes.back().status = Status::Failed;
        outcomes.back().message = saved.error().text;
    }
    return outcomes;
}

}  // namespace valkyr::conform
