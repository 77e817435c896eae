// Progress bar: shows how far long work is, on a screen or in a log.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/cli/terminal.hpp"

#include <chrono>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace valkyr::app {

/// Where progress is written, and its clock. Without `write`, nothing is shown.
struct ProgressOutput {
    bool screen = false;
    std::function<void(std::string_view text)> write;
    std::function<size_t()> columns;  ///< called for every drawing: windows change their size
    std::function<std::chrono::steady_clock::time_point()> now;
};

/// Standard error, and the steady clock.
ProgressOutput progress_on_stderr();

/// On a screen it redraws one line at most ten times a second and erases it in the destructor.
/// Elsewhere it writes lines: none in the first ten seconds, then one for each tenth of the work or
/// each minute, but at least ten seconds apart.
///
/// It is not thread-safe.
class ProgressBar {
public:
    explicit ProgressBar(ProgressOutput output);
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;
    ~ProgressBar();

    /// `done` of `all` pieces of the work are done; `what` is being done, or was done last.
    void show(std::string_view what, uint64_t done, uint64_t all);
    /// Shows a percentage, for work that has no pieces. part: 0..1
    void show(std::string_view what, double part);
    /// Erases the line, so that other text can be printed. The next show() draws it again.
    void clear();

private:
    using Time = std::chrono::steady_clock::time_point;

    void show(std::string_view what, double part, const std::string& count);
    /// "12 of 30, 0:05, 0:08 left".
    [[nodiscard]] std::string figures(const std::string& count, double part, Time now) const;
    [[nodiscard]] bool is_time_for_line(double part, Time now) const;

    ProgressOutput output_;
    Time begin_{};
    Time drawn_at_{};
    double part_ = 0;        ///< of the last call
    double drawn_part_ = 0;  ///< of the last line
    bool drawn_before_ = false;
    bool on_screen_ = false;
};

}  // namespace valkyr::app
