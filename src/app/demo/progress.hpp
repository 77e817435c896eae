// Progress: shows a bar on a terminal.
// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <string_view>

namespace valkyr::app {

/// Draws itself on standard error, if that is a terminal, at most 20 times a second; gone when
/// destroyed.
class ProgressBar {
public:
    ProgressBar();
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    /// `part` of `what` is done, 0..1.
    void show(std::string_view what, double part);

private:
    bool terminal_;
    bool drawn_ = false;
    std::chrono::steady_clock::time_point last_{};
};

}  // namespace valkyr::app
