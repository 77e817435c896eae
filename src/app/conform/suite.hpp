// The conformance suite: finding cases, running them in parallel, comparing with goldens, blessing.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/conform/case.hpp"
#include "app/image/image_diff.hpp"

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace valkyr::conform {

/// A scene file: its name TOPIC/NAME and the paths of its files.
struct CaseFile {
    std::string name;
    std::string scene_path;
    std::string golden_path;  ///< scene path with .png
};

/// All *.scene files in the folders of `root` whose names match one of the filters, or all of them
/// without filters; sorted by name. * and ? in filters are wildcards; a filter without '/' is
/// matched with the topic and with the name.
/// errors  System: root cannot be read
Result<std::vector<CaseFile>> find_cases(const std::string& root,
                                         const std::vector<std::string>& filters);

/// Whether a name fits a pattern with * (any text) and ? (any character).
bool fits(std::string_view pattern, std::string_view name);

/// One column of the matrix.
struct Configuration {
    std::string name;  ///< "jit avx2, 2 threads", "reference"
    std::function<Result<std::unique_ptr<raster::Device>>()> open;
};

enum class Status : uint8_t {
    Passed,
    Failed,   ///< another picture, or none
    Skipped,  ///< the configuration is not available on this host
};

/// The result of one case on one configuration.
struct Outcome {
    size_t case_index = 0;
    size_t configuration = 0;
    Status status = Status::Failed;
    std::string message;  ///< why it failed or was skipped; several lines for parse errors
    double seconds = 0;
    std::optional<app::ImageDifference> difference;  ///< to the golden, if both are of one size
    std::optional<examples::Image> actual;           ///< of failures, if there is one
    std::optional<examples::Image> expected;         ///< of failures, if there is a golden
};

/// Called after each outcome, one call at a time.
using Progress = std::function<void(size_t done, size_t all, const Outcome& outcome)>;

/// Runs every case on every configuration with `jobs` threads; outcomes in the order case by case.
std::vector<Outcome> run_suite(const std::string& root,
                               const std::vector<CaseFile>& cases,
                               const std::vector<Configuration>& configurations,
                               unsigned jobs,
                               const Progress& progress);

/// Reads, parses and checks a scene file.
/// errors  Syntax: all errors in one text, each "file:line:column: error: ..."
Result<Case> load_case(const std::string& root, const CaseFile& file);

/// Draws every case on `configuration` and writes the goldens that change, with a line in the
/// topic's goldens.txt that says why. Nothing is written for a case that cannot be drawn.
/// returns  outcomes as run_suite; the message of a passed one says "unchanged" or "written"
std::vector<Outcome> bless(const std::string& root,
                           const std::vector<CaseFile>& cases,
                           const Configuration& configuration,
                           const std::string& reason,
                           unsigned jobs,
                           const Progress& progress);

/// JUnit's XML: a test suite for each configuration.
std::string junit_report(const std::vector<CaseFile>& cases,
                         const std::vector<Configuration>& configurations,
                         const std::vector<Outcome>& outcomes);

/// A JSON object: the configurations, how many cases passed, failed and were skipped, and each
/// outcome with its difference.
std::string json_report(const std::vector<CaseFile>& cases,
                        const std::vector<Configuration>& configurations,
                        const std::vector<Outcome>& outcomes);

/// Writes DIR/index.html and the pictures it shows: expected, actual, amplified difference.
Result<void> write_html_report(const std::string& directory,
                               const std::vector<CaseFile>& cases,
                               const std::vector<Configuration>& configurations,
                               const std::vector<Outcome>& outcomes);

}  // namespace valkyr::conform
