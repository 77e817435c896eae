// Replay report: writes times and fingerprints of a replayed trace as JSON.
// SPDX-License-Identifier: MIT
#include "app/run/replay_report.hpp"

#include "app/cli/json_text.hpp"

#include <fmt/core.h>

namespace valkyr::app {

std::string replay_json(const ReplayReport& report) {
    std::vector<std::string> loops;
    for (const ReplayReport::Loop& loop : report.loops)
        loops.push_back(fmt::format("{{\"frames\": {}, \"seconds\": {}}}", loop.frames,
                                    json_number(loop.seconds)));
    std::vector<std::string> frames;
    for (const ReplayReport::Frame& frame : report.frames)
        frames.push_back(
            fmt::format("\n  {{\"width\": {}, \"height\": {}, \"fingerprint\": \"{}\"}}",
                        frame.width, frame.height, frame.fingerprint));
    return fmt::format("{{\"trace\": {},\n \"loops\": {},\n \"frames\": {},\n \"figures\": {}}}\n",
                       json_quoted(report.trace), json_array(loops), json_array(frames),
                       figures_json(report.figures));
}

}  // namespace valkyr::app
