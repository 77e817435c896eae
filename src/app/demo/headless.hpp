// Headless demo: draws frames of an exhibit into PNG files, without a window.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/demo/demo_target.hpp"

namespace valkyr::app {

/// Scene time advances by a fixed step, so that frame n is the same picture in every run.
inline constexpr double kSecondsPerFrame = 1.0 / 60;

/// The file of a frame: a printf directive for one number (%d, %4d, %03d) in `pattern` becomes the
/// frame's number; without one all frames have the same file.
std::string frame_path(const std::string& pattern, uint32_t frame);

struct HeadlessOptions {
    uint32_t first = 0;  ///< number of the first frame
    uint32_t frames = 1;
    std::string output;  ///< with a directive every frame is written, else the last one
    examples::View view;
    bool stats = false;  ///< prints the counters of the last frame
};

/// Draws, writes, and prints a line with size and time a frame. Shows progress on a terminal.
/// errors  whatever the device, the scene or the file system refuses
Result<void>
run_headless(const Exhibit& exhibit, const DrawMode& mode, const HeadlessOptions& options);

}  // namespace valkyr::app
