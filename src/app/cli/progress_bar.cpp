// Progress bar: shows how far long work is, on a screen or in a log.
// SPDX-License-Identifier: MIT
#include "app/cli/progress_bar.hpp"

#include <algorithm>
#include <cstdio>
#include <fmt/core.h>
#include <utility>

namespace valkyr::app {

namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

constexpr milliseconds kBetweenDrawings{100};
constexpr seconds kBetweenLines{10};
constexpr seconds kLongestSilence{60};
constexpr double kPartOfLine = 0.1;
constexpr size_t kLeastBar = 10;
constexpr size_t kMostBar = 40;
constexpr std::string_view kClearLine = "\r\033[K";

/// Whether a byte begins a UTF-8 character; continuation bytes take no column.
bool begins_character(char byte) {
    return (static_cast<unsigned char>(byte) & 0xc0) != 0x80;
}

size_t width_of(std::string_view text) {
    return static_cast<size_t>(std::count_if(text.begin(), text.end(), begins_character));
}

/// The first characters of a text that fit into `columns`.
std::string cut(std::string_view text, size_t columns) {
    size_t end = 0;
    for (; end < text.size(); ++end)
        if (begins_character(text[end]) && columns-- == 0)
            break;
    return std::string(text.substr(0, end));
}

/// Replaces control characters: names of files may contain escape sequences.
std::string printable(std::string_view text) {
    std::string result(text);
    std::replace_if(
        result.begin(), result.end(),
        [](char c) { return static_cast<unsigned char>(c) < ' ' || c == '\x7f'; }, '?');
    return result;
}

/// "1:02:03" or "2:03". Capped at 999 hours: early estimates of slow work can be absurd.
std::string clock_text(double of) {
    const auto whole = static_cast<unsigned>(std::min(of, 999.0 * 3600));
    if (whole >= 3600)
        return fmt::format("{}:{:02}:{:02}", whole / 3600, whole / 60 % 60, whole % 60);
    return fmt::format("{}:{:02}", whole / 60, whole % 60);
}

/// "what [####......] figures". The last column stays free, since writing into it may scroll.
std::string
bar_line(const std::string& what, double part, const std::string& figures, size_t columns) {
    const size_t room = std::max<size_t>(columns, 2) - 1;
    const std::string name = cut(what, room / 2);
    const size_t taken = width_of(name) + figures.size() + std::string_view(" [] ").size();
    if (room < taken + kLeastBar)
        return cut(name + " " + figures, room);
    const size_t width = std::min(room - taken, kMostBar);
    std::string bar(static_cast<size_t>(part * static_cast<double>(width)), '#');
    bar.resize(width, '.');
    return name + " [" + bar + "] " + figures;
}

}  // namespace

ProgressOutput progress_on_stderr() {
    return {terminal_of(stderr).screen,
            [](std::string_view text) {
                std::fwrite(text.data(), 1, text.size(), stderr);
                std::fflush(stderr);
            },
            [] { return terminal_of(stderr).columns; },
            [] { return std::chrono::steady_clock::now(); }};
}

ProgressBar::ProgressBar(ProgressOutput output)
    : output_(std::move(output)) {
    if (output_.write)
        begin_ = drawn_at_ = output_.now();
}

ProgressBar::~ProgressBar() {
    clear();
}

void ProgressBar::show(std::string_view what, uint64_t done, uint64_t all) {
    const double part = all == 0 ? 1 : static_cast<double>(done) / static_cast<double>(all);
    show(what, part, std::to_string(done) + " of " + std::to_string(all));
}

void ProgressBar::show(std::string_view what, double part) {
    const double percent = 100 * std::clamp(part, 0.0, 1.0);
    show(what, part, std::to_string(static_cast<unsigned>(percent)) + " %");
}

void ProgressBar::show(std::string_view what, double part, const std::string& count) {
    if (!output_.write)
        return;
    const Time now = output_.now();
    part = std::clamp(part, 0.0, 1.0);
    if (part < part_) {
        // New work has begun: the time of the old work says nothing about it.
        begin_ = now;
        drawn_part_ = 0;
    }
    part_ = part;
    const bool due = output_.screen ? !drawn_before_ || now - drawn_at_ >= kBetweenDrawings
                                    : is_time_for_line(part, now);
    if (!due)
        return;
    const std::string text = figures(count, part, now);
    if (output_.screen)
        output_.write("\r" + bar_line(printable(what), part, text, output_.columns()) + "\033[K");
    else
        output_.write(printable(what) + ": " + text + "\n");
    drawn_at_ = now;
    drawn_part_ = part;
    drawn_before_ = true;
    on_screen_ = output_.screen;
}

void ProgressBar::clear() {
    if (on_screen_)
        output_.write(kClearLine);
    on_screen_ = false;
}

std::string ProgressBar::figures(const std::string& count, double part, Time now) const {
    const double elapsed = std::chrono::duration<double>(now - begin_).count();
    std::string text = count + ", " + clock_text(elapsed);
    if (part > 0 && elapsed >= 1)
        text += ", " + clock_text(elapsed * (1 - part) / part) + " left";
    return text;
}

bool ProgressBar::is_time_for_line(double part, Time now) const {
    const auto silence = now - drawn_at_;
    return silence >= kLongestSilence ||
           (silence >= kBetweenLines && part - drawn_part_ >= kPartOfLine);
}

}  // namespace valkyr::app
