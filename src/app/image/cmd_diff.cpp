// Command diff: compares two pictures; the exit code says whether they are alike.
// SPDX-License-Identifier: MIT
#include "app/cli/file_io.hpp"
#include "app/cli/junit.hpp"
#include "app/commands.hpp"
#include "app/image/image_diff.hpp"

#include <cstdio>
#include <limits>
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
    bool quiet = false;
};

/// As with diff(1) and cmp(1), trouble is told from a difference.
constexpr int kSame = 0;
constexpr int kDifferent = 1;
constexpr int kTrouble = kExitUsage;

int trouble(const Error& error, int code = kTrouble) {
    std::fprintf(stderr, "%s\n", error.format("valkyr diff").c_str());
    return code;
}

bool within(const ImageDifference& d, const DiffOptions& options) {
    return d.differing <= options.allowed_pixels && d.mean <= options.max_mean &&
           d.psnr >= options.min_psnr;
}

Result<void>
write_maps(const DiffOptions& options, const examples::Image& a, const examples::Image& b) {
    if (!options.heat_map.empty())
        VALKYR_TRY_VOID(examples::write_png(options.heat_map, heat_map(a, b)));
    if (!options.amplified.empty())
        VALKYR_TRY_VOID(
            examples::write_png(options.amplified, amplified_difference(a, b, options.gain)));
    return {};
}

/// The comparison as a test; what goes wrong fails it.
Result<void> write_junit(const DiffOptions& options, bool same, const std::string& message) {
    if (options.junit.empty())
        return {};
    const JunitCase test{"valkyr diff", options.b, 0,
                         same ? JunitStatus::Passed : JunitStatus::Failed, message};
    return write_output(options.junit, junit_xml({{"valkyr diff", {test}}}));
}

/// Trouble that the report names, too.
int reported_trouble(const DiffOptions& options, const Error& error, int code = kTrouble) {
    if (const auto written = write_junit(options, false, error.text); !written)
        return trouble(written.error());
    return trouble(error, code);
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
    for (const auto& written : {write_maps(options, *a, *b), write_junit(options, same, text)})
        if (!written)
            return trouble(written.error());
    if (!options.quiet)
        std::printf("%s\n", text.c_str());
    return same ? kSame : kDifferent;
}

}  // namespace

void add_diff_command(CommandLine& line) {
    const Command command = line.subcommand("diff", "Compare two pictures");
    auto options = std::make_shared<DiffOptions>();
    command.footer("Exit code: 0 the same within the thresholds, 1 different (also in size), "
                   "2 wrong usage or unreadable files.");
    command.option("A", options->a, "PNG file").required();
    command.option("B", options->b, "PNG file to compare with it").required();
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
    command.option("--heat", options->heat_map,
                   "Write a heat map of the largest difference of each pixel to this PNG");
    command.option("-o,--output", options->amplified, "Write the amplified difference to this PNG");
    command.option("--gain", options->gain, "What -o multiplies differences by")
        .range(1, 255)
        .shows_default();
    command.option("--junit", options->junit,
                   "Write the comparison as a test in JUnit's XML to this file");
    command.flag("-q,--quiet", options->quiet, "Print nothing, only set the exit code");
    command.runs([options] { return run_diff(*options); });
}

}  // namespace valkyr::app
