// Command diff: compares two pictures; the exit code says whether they are alike.
// SPDX-License-Identifier: MIT
#include "app/cli/color_argument.hpp"
#include "app/cli/file_io.hpp"
#include "app/cli/json_text.hpp"
#include "app/cli/junit.hpp"
#include "app/cli/report.hpp"
#include "app/commands.hpp"
#include "app/image/image_diff.hpp"
#include "examples/image_io.hpp"

#include <cstdio>
#include <limits>
#include <optional>
#include <string>

namespace valkyr::app {

namespace {

struct DiffOptions {
    std::string a, b;
    unsigned tolerance = 0;
    uint64_t allowed_pixels = 0;
    double max_mean = 255;
    double min_psnr = -std::numeric_limits<double>::infinity();
    std::string heat_map;
    std::string amplified;
    unsigned gain = 16;
    std::string junit;
    std::string json;
    bool quiet = false;
    ColorChoice color = ColorChoice::Auto;
};

/// As for diff(1) and cmp(1), an error has another exit code than a difference.
constexpr int kSame = 0;
constexpr int kDifferent = 1;
constexpr int kTrouble = kExitUsage;

int trouble(const DiffOptions& options, const Error& error, int code = kTrouble) {
    fail(error, "valkyr diff", options.color);
    return code;
}

bool within(const ImageDifference& d, const DiffOptions& options) {
    return d.differing <= options.allowed_pixels && d.mean <= options.max_mean &&
           d.psnr >= options.min_psnr;
}

Result<void>
write_maps(const DiffOptions& options, const examples::Image& a, const examples::Image& b) {
    if (!options.heat_map.empty())
        VALKYR_TRY_VOID(examples::write_image(options.heat_map, heat_map(a, b)));
    if (!options.amplified.empty())
        VALKYR_TRY_VOID(
            examples::write_image(options.amplified, amplified_difference(a, b, options.gain)));
    return {};
}

/// The result of a comparison, for the reports.
struct Comparison {
    bool same = false;
    std::string text;                                ///< describes the difference or the error
    std::optional<ImageDifference> difference = {};  ///< none: an error
};

/// The comparison as a JUnit test; an error is a failure.
std::string comparison_xml(const DiffOptions& options, const Comparison& comparison) {
    const JunitCase test{"valkyr diff", options.b, 0,
                         comparison.same ? JunitStatus::Passed : JunitStatus::Failed,
                         comparison.text};
    return junit_xml({{"valkyr diff", {test}}});
}

std::string comparison_json(const DiffOptions& options, const Comparison& comparison) {
    return "{\"a\": " + json_quoted(options.a) + ", \"b\": " + json_quoted(options.b) +
           ", \"same\": " + (comparison.same ? "true" : "false") +
           ", \"message\": " + json_quoted(comparison.text) + ", \"difference\": " +
           (comparison.difference ? difference_json(*comparison.difference) : "null") + "}\n";
}

Result<void> write_reports(const DiffOptions& options, const Comparison& comparison) {
    if (!options.junit.empty())
        VALKYR_TRY_VOID(write_output(options.junit, comparison_xml(options, comparison)));
    if (!options.json.empty())
        VALKYR_TRY_VOID(write_output(options.json, comparison_json(options, comparison)));
    return {};
}

/// Prints an error and writes it to the reports.
int reported_trouble(const DiffOptions& options, const Error& error, int code = kTrouble) {
    if (const auto written = write_reports(options, {false, error.text}); !written)
        return trouble(options, written.error());
    return trouble(options, error, code);
}

int run_diff(const DiffOptions& options) {
    const auto a = examples::read_image(options.a);
    if (!a)
        return reported_trouble(options, a.error());
    const auto b = examples::read_image(options.b);
    if (!b)
        return reported_trouble(options, b.error());
    const auto difference = compare_images(*a, *b, options.tolerance);
    if (!difference)
        return reported_trouble(options, difference.error(), kDifferent);
    const bool same = within(*difference, options);
    const std::string text = describe(*difference, *a);
    for (const auto& written :
         {write_maps(options, *a, *b), write_reports(options, {same, text, *difference})})
        if (!written)
            return trouble(options, written.error());
    if (!options.quiet && options.json != "-")
        std::printf(
            "%s\n",
            Style(options.color, stdout).paint(same ? Tone::Good : Tone::Bad, text).c_str());
    return same ? kSame : kDifferent;
}

}  // namespace

void add_diff_command(CommandLine& line) {
    const Command command = line.subcommand("diff", "Compare two pictures");
    auto options = std::make_shared<DiffOptions>();
    command.footer("Exit code: 0 the same within the thresholds, 1 different (also in size), "
                   "2 wrong usage or unreadable files.");
    command.option("A", options->a, "Picture file").required();
    command.option("B", options->b, "Picture file to compare with it").required();
    command
        .option("--tolerance", options->tolerance,
                "Pixels differ if a channel differs by more than this")
        .range(0, 255)
        .shows_default();
    command.option("--pixels", options->allowed_pixels, "Number of pixels that may differ")
        .shows_default();
    command.option("--max-mean", options->max_mean, "Largest mean difference of a channel")
        .range(0.0, 255.0);
    command.option("--min-psnr", options->min_psnr, "Smallest PSNR in dB");
    command
        .option("--heat", options->heat_map,
                "Write a heat map of the largest difference of each pixel to this picture file")
        .ending(examples::is_image_path, examples::kImageEndings);
    command
        .option("-o,--output", options->amplified,
                "Write the amplified difference to this picture file")
        .ending(examples::is_image_path, examples::kImageEndings);
    command.option("--gain", options->gain, "What -o multiplies differences by")
        .range(1, 255)
        .shows_default();
    command.option("--junit", options->junit,
                   "Write the comparison as a test in JUnit's XML to this file");
    command.option("--json", options->json,
                   "Write the numbers as JSON to this file, - for standard output instead of text");
    add_color_argument(command, options->color);
    command.flag("-q,--quiet", options->quiet, "Print nothing, only set the exit code");
    command.runs([options] { return run_diff(*options); });
}

}  // namespace valkyr::app
