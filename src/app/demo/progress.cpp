// Progress: shows a bar on a terminal.
// SPDX-License-Identifier: MIT
#include "app/demo/progress.hpp"

#include <algorithm>
#include <cstdio>
#include <string>
#include <unistd.h>

namespace valkyr::app {

ProgressBar::ProgressBar()
    : terminal_(isatty(STDERR_FILENO) != 0) {}

ProgressBar::~ProgressBar() {
    if (drawn_)
        std::fputs("\r\033[K", stderr);
}

void ProgressBar::show(std::string_view what, double part) {
    const auto now = std::chrono::steady_clock::now();
    if (!terminal_ || now - last_ < std::chrono::milliseconds(50))
        return;
    last_ = now;
    drawn_ = true;
    constexpr size_t kWidth = 40;
    const double done = std::clamp(part, 0.0, 1.0);
    std::string bar(static_cast<size_t>(done * kWidth), '#');
    bar.resize(kWidth, '.');
    std::fprintf(stderr, "\r%.*s [%s] %3.0f %%\033[K", static_cast<int>(what.size()), what.data(),
                 bar.c_str(), 100 * done);
    std::fflush(stderr);
}

}  // namespace valkyr::app
