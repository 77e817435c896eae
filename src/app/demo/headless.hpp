// Headless demo: draws frames of an exhibit into picture files, without a window.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_target.hpp"

namespace valkyr::app {

/// Scene time advances by a fixed step, so that every run draws an identical frame n.
inline constexpr double kSecondsPerFrame = 1.0 / 60;

/// The file of a frame. A printf directive in `pattern` (%d, %4d, %03d) becomes the frame's number;
/// without one, all frames have one file name.
std::string frame_path(const std::string& pattern, uint32_t frame);

struct HeadlessOptions {
    uint32_t first = 0;  ///< number of the first frame
    uint32_t frames = 1;
    std::string output;  ///< with a directive every frame is written, else only the last one
    examples::View view;
    bool stats = false;  ///< prints the counters of the last frame
};

/// Draws the frames, writes the files, and prints a line with the size and the time per frame.
/// Shows progress on a terminal.
/// errors  those of the device, the scene and the file system
Result<void>
run_headless(const Exhibit& exhibit, const DrawMode& mode, const HeadlessOptions& options);

}  // namespace valkyr::app
