// Log argument: reads --log and --log-limit.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_argument.hpp"

#include <cstdio>
#include <utility>

namespace valkyr::app {

Option add_log_arguments(Command command, LogOptions& options) {
    Option log = command
                     .option("--log", options.specs,
                             "Print values whenever a lane comes to a line of a shader: 'draw=3 "
                             "stage=fragment pixel=8,6 line=7 if TEMP[0].x > 1: \"x is "
                             "{TEMP[0].x}\"'; may be given several times")
                     .value_name("SPEC")
                     .one_value_each();
    command.option("--log-limit", options.limit, "Print so many lines of --log")
        .range(1, 1000000)
        .needs(log)
        .shows_default();
    return log;
}

std::optional<debug::LogPoints> make_log(const LogOptions& options, const std::string& name) {
    std::vector<debug::LogSpec> specs;
    for (const std::string& text : options.specs) {
        auto spec = debug::LogSpec::parse(text);
        if (!spec.has_value()) {
            std::fprintf(stderr, "%s: --log: column %u of '%s': %s\n", name.c_str(),
                         spec.error().pos.column, text.c_str(), spec.error().text.c_str());
            return std::nullopt;
        }
        specs.push_back(*std::move(spec));
    }
    return debug::LogPoints(std::move(specs), options.limit, print_log);
}

void end_log(const debug::LogPoints& points,
             const std::string& name,
             const debug::LogPoints::Print& print) {
    if (const std::string text = points.end_text(); !text.empty())
        print(text);
    for (const std::string& note : points.notes())
        std::fprintf(stderr, "%s: %s\n", name.c_str(), note.c_str());
}

void print_log(const std::string& text) {
    std::fputs(text.c_str(), stdout);
}

}  // namespace valkyr::app
