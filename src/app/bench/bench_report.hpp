// Bench report: prints the figures of `valkyr bench` as a table and as JSON.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace valkyr::app {

/// The middle value, or the upper of the two middle ones; 0 without values.
double median(std::vector<double> values);

/// Figures of one scene. Vectors have one value per round.
struct SceneReport {
    std::string name;
    unsigned threads = 1;
    double limit = 0;                               ///< the yardstick's ratio to the peer; 0 = none
    uint32_t frames = 0;                            ///< of all rounds
    uint32_t hash = 0;                              ///< of the picture
    std::vector<double> cpu_ms, median_ms, min_ms;  ///< a frame
    std::vector<double> peer_cpu_ms, peer_min_ms;   ///< empty: no peer

    /// The peer's time divided by Valkyr's: processor time with one thread, best wall time with
    /// more. The median of the rounds; 0 without a peer.
    [[nodiscard]] double ratio() const;
};

void print_header(bool with_peer);
void print_row(const SceneReport& report);
/// errors  System: the file cannot be written
Result<void>
write_json(const std::string& path, const std::vector<SceneReport>& reports, uint32_t size);

}  // namespace valkyr::app
