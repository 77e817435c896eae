// Replay report: writes times and fingerprints of a replayed trace as JSON.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/run/figures_text.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::app {

struct ReplayReport {
    struct Loop {
        uint64_t frames = 0;
        double seconds = 0;
    };
    struct Frame {
        uint32_t width = 0;
        uint32_t height = 0;
        std::string fingerprint;  ///< of the picture that -o would write
    };

    std::string trace;
    std::vector<Loop> loops;
    std::vector<Frame> frames;  ///< of the first loop
    ClientFigures figures;      ///< of all loops
};

std::string replay_json(const ReplayReport& report);

}  // namespace valkyr::app
