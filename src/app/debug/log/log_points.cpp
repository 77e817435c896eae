// Log points: collect the lines that specifications ask for, over all devices of a run.
// SPDX-License-Identifier: MIT
#include "app/debug/log/log_points.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::debug {

LogPoints::LogPoints(std::vector<LogSpec> specs, uint64_t limit, Print print)
    : specs_(std::move(specs))
    , states_(specs_.size())
    , limit_(limit)
    , print_(std::move(print)) {}

void LogPoints::add(size_t spec, LogLine line) {
    constexpr uint64_t kFewLines = 1024;
    const uint64_t room = limit_ - printed_;
    states_[spec].reached = Reached::Printed;
    lines_.push_back(std::move(line));
    if (lines_.size() >= room + std::max(room / 4, kFewLines))
        sort_lines();
}

/// Sorts the lines and drops those that cannot be printed.
void LogPoints::sort_lines() {
    std::ranges::stable_sort(lines_, {}, &LogLine::key);
    const auto most = static_cast<size_t>(std::min<uint64_t>(limit_ - printed_, lines_.size()));
    left_out_ += lines_.size() - most;
    lines_.erase(lines_.begin() + static_cast<ptrdiff_t>(most), lines_.end());
}

void LogPoints::end_work() {
    sort_lines();
    printed_ += lines_.size();
    for (const LogLine& line : lines_)
        print_(line.text + "\n");
    lines_.clear();
}

void LogPoints::note(size_t spec, Reached reached, const std::string& why) {
    State& state = states_[spec];
    if (reached > state.reached)
        state = {reached, why};
}

std::string LogPoints::end_text() const {
    if (left_out_ == 0)
        return {};
    return "--log-limit " + std::to_string(limit_) + ": " + std::to_string(left_out_) +
           (left_out_ == 1 ? " line was" : " lines were") + " left out\n";
}

std::vector<std::string> LogPoints::notes() const {
    std::vector<std::string> notes;
    if (exhausted_)
        notes.emplace_back("no memory to look at all shaders");
    for (size_t i = 0; i < specs_.size(); ++i) {
        const State& state = states_[i];
        if (state.reached == Reached::Printed)
            continue;
        std::string why = state.why;
        if (state.reached == Reached::Nothing)
            why = "no shader that fits was run";
        else if (why.empty())
            why = "no lane that fits came there";
        notes.push_back("--log '" + specs_[i].source + "' printed nothing: " + why);
    }
    return notes;
}

}  // namespace valkyr::debug
