// Bench report: prints the figures of `valkyr bench` as a table and as JSON.
// SPDX-License-Identifier: MIT
#include "app/bench/bench_report.hpp"

#include "app/cli/file_io.hpp"
#include "version.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>

namespace valkyr::app {

namespace {

std::string json_numbers(const std::vector<double>& values) {
    std::string out = "[";
    for (const double value : values)
        out += fmt::format("{}{:.4f}", out.size() == 1 ? "" : ", ", value);
    return out + "]";
}

std::string json_scene(const SceneReport& r) {
    std::string out = fmt::format("    {{\"name\": \"{}\", \"threads\": {}, \"frames\": {}, "
                                  "\"picture\": \"{:08x}\",\n",
                                  r.name, r.threads, r.frames, r.hash);
    out += fmt::format("     \"cpu_ms\": {}, \"median_ms\": {}, \"min_ms\": {}",
                       json_numbers(r.cpu_ms), json_numbers(r.median_ms), json_numbers(r.min_ms));
    if (!r.peer_cpu_ms.empty())
        out += fmt::format(",\n     \"peer_cpu_ms\": {}, \"peer_min_ms\": {}, \"ratio\": {:.3f}, "
                           "\"limit\": {:.2f}",
                           json_numbers(r.peer_cpu_ms), json_numbers(r.peer_min_ms), r.ratio(),
                           r.limit);
    return out + "}";
}

}  // namespace

double median(std::vector<double> values) {
    if (values.empty())
        return 0;
    std::sort(values.begin(), values.end());
    return values[values.size() / 2];
}

double SceneReport::ratio() const {
    const std::vector<double>& ours = threads == 1 ? cpu_ms : min_ms;
    const std::vector<double>& theirs = threads == 1 ? peer_cpu_ms : peer_min_ms;
    std::vector<double> ratios;
    for (size_t i = 0; i < theirs.size(); ++i)
        ratios.push_back(theirs[i] / ours[i]);
    return median(ratios);
}

void print_header(bool with_peer) {
    std::printf("%-16s %7s %9s %9s %9s %9s", "scene", "frames", "cpu ms", "median ms", "min ms",
                "picture");
    std::printf(with_peer ? " %9s %9s %6s %6s %5s\n" : "\n", "peer cpu", "peer min", "ratio",
                "limit", "%");
}

void print_row(const SceneReport& r) {
    std::printf("%-16s %7u %9.3f %9.3f %9.3f  %08x", r.name.c_str(), r.frames, median(r.cpu_ms),
                median(r.median_ms), median(r.min_ms), r.hash);
    if (!r.peer_cpu_ms.empty()) {
        std::printf(" %9.3f %9.3f %6.2f", median(r.peer_cpu_ms), median(r.peer_min_ms), r.ratio());
        if (r.limit > 0)
            std::printf(" %6.2f %4.0f%%", r.limit, 100 * r.ratio() / r.limit);
    }
    std::printf("\n");
    std::fflush(stdout);
}

Result<void>
write_json(const std::string& path, const std::vector<SceneReport>& reports, uint32_t size) {
    std::string out = fmt::format("{{\n  \"version\": \"{}\",\n  \"compiler\": \"{}\",\n"
                                  "  \"build\": \"{}\",\n  \"size\": {},\n  \"scenes\": [\n",
                                  kVersion, kCompiler, kBuildType, size);
    for (size_t i = 0; i < reports.size(); ++i)
        out += json_scene(reports[i]) + (i + 1 < reports.size() ? ",\n" : "\n");
    out += "  ]\n}\n";
    return write_output(path, out);
}

}  // namespace valkyr::app
