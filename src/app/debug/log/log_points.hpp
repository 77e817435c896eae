// Log points: collect the lines that specifications ask for, over all devices of a run.
// SPDX-License-Identifier: MIT
#pragma once

#include "app/debug/log/log_spec.hpp"
#include "app/debug/trap/work_counter.hpp"

#include <array>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

namespace valkyr::debug {

/// A line, and its place among those of its draw or dispatch.
struct LogLine {
    /// Stage, then the numbers that order its lanes. Lines of equal keys keep their order.
    std::array<uint64_t, 5> key{};
    std::string text;
};

/// Draws and dispatches are numbered from the beginning of the frame. Devices work one after the
/// other.
class LogPoints {
public:
    /// Prints lines, each with its end.
    using Print = std::function<void(const std::string& text)>;

    /// limit  lines that are printed
    LogPoints(std::vector<LogSpec> specs, uint64_t limit, Print print);

    [[nodiscard]] std::span<const LogSpec> specs() const { return specs_; }
    void set_print(Print print) { print_ = std::move(print); }

    WorkCounter work;     ///< frames, draws and dispatches
    bool paused = false;  ///< nothing is counted or printed

    /// Adds a line of a log point.
    void add(size_t spec, LogLine line);
    /// Prints the lines of a draw or dispatch that has ended, in the order of their keys.
    void end_work();

    /// How far something got that fits a log point; the furthest counts.
    enum class Reached : uint8_t { Nothing, Shader, Names, Place, NotLive, False, Printed };
    /// why  why it did not get further; empty: no lane did
    void note(size_t spec, Reached reached, const std::string& why = {});
    /// Memory ran out: something was not looked at.
    void set_exhausted() noexcept { exhausted_ = true; }

    /// The lines behind the last one: how many were left out.
    [[nodiscard]] std::string end_text() const;
    /// A line on each log point that has printed nothing, and why.
    [[nodiscard]] std::vector<std::string> notes() const;

private:
    struct State {
        Reached reached = Reached::Nothing;
        std::string why;
    };
    void sort_lines();

    std::vector<LogSpec> specs_;
    std::vector<State> states_;  ///< by specification
    uint64_t limit_;
    Print print_;
    std::vector<LogLine> lines_;  ///< of the draw or dispatch; hardly more than can be printed
    uint64_t printed_ = 0;
    uint64_t left_out_ = 0;
    bool exhausted_ = false;
};

}  // namespace valkyr::debug
