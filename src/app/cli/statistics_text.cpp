// Statistics text: prints what a device counted.
// SPDX-License-Identifier: MIT
#include "app/cli/statistics_text.hpp"

#include <fmt/core.h>

namespace valkyr::app {

namespace {

double ratio(uint64_t a, uint64_t b) {
    return b == 0 ? 0 : static_cast<double>(a) / static_cast<double>(b);
}

/// "varying 16, blend 8"
std::string calls_text(const raster::MessageCalls& calls) {
    std::string text;
    for (size_t i = 0; i < calls.size(); ++i)
        if (calls[i] != 0)
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", raster::kMessageNames[i],
                                calls[i]);
    return text.empty() ? "none" : text;
}

}  // namespace

std::string statistics_text(const raster::Statistics& s, uint64_t pixels) {
    return fmt::format("  vertices {}, triangles {} ({} culled, {} binned)\n", s.vertices,
                       s.triangles_in, s.triangles_culled, s.triangles_binned) +
           fmt::format("  warps {} ({} quads), lanes live {:.1f} %, overdraw {:.2f}\n",
                       s.blocks_shaded, 4 * s.blocks_shaded,
                       100 * ratio(s.pixels_covered, 16 * s.blocks_shaded),
                       ratio(s.pixels_covered, pixels)) +
           fmt::format("  primitives that hierarchical depth hid (counted a tile) {}\n",
                       s.triangles_hidden) +
           fmt::format("  samples that depth and stencil tests killed before shading {}\n",
                       s.samples_killed) +
           fmt::format("  passes {}, routine calls {}\n", s.passes, calls_text(s.message_calls));
}

}  // namespace valkyr::app
