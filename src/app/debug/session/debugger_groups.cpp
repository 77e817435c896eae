// Debugger, work-groups: says where warps are, and which words of memory have changed.
// SPDX-License-Identifier: MIT
#include "app/debug/session/debugger.hpp"

#include <algorithm>

namespace valkyr::debug {

std::string place_text(const Breakpoint& breakpoint) {
    if (breakpoint.kind == Breakpoint::Kind::Barrier)
        return "barriers";
    return (breakpoint.kind == Breakpoint::Kind::Line ? "line " : "word ") +
           std::to_string(breakpoint.place);
}

Result<void> Debugger::show_warp(uint32_t warp) {
    if (warp >= recording_.warps())
        return Error{Errc::OutOfRange,
                     {},
                     "there is no warp " + std::to_string(warp) + ": the last one is " +
                         std::to_string(recording_.warps() - 1)};
    cursor_->show_warp(warp);
    return {};
}

/// Adds the lines of the barriers at which lanes wait after the step, each once.
void Debugger::add_barrier_lines(const Step& step, std::vector<uint32_t>& lines) const {
    for (unsigned lane = 0; lane < exec::kLanes; ++lane) {
        if ((step.parked & step.alive & 1U << lane) == 0)
            continue;
        const uint32_t line = line_of(step.pc[lane] - 1);
        if (std::ranges::find(lines, line) == lines.end())
            lines.push_back(line);
    }
    std::ranges::sort(lines);
}

WarpPlace Debugger::warp_place(uint32_t warp) const {
    const valhall::WarpState& state = cursor_->state_of(warp);
    WarpPlace place;
    if (state.alive == 0) {
        place.state = WarpPlace::State::Ended;
    } else if (state.running == 0) {
        place.state = WarpPlace::State::AtBarrier;
        add_barrier_lines(*recording_.last_step(warp, cursor_->position()), place.barriers);
    }
    return place;
}

std::vector<uint32_t> Debugger::passed_barriers() const {
    std::vector<uint32_t> lines;
    for (uint32_t warp = 0; warp < recording_.warps(); ++warp)
        if (const Step* last = recording_.last_step(warp, cursor_->position()))
            add_barrier_lines(*last, lines);
    return lines;
}

std::vector<MemoryWord> Debugger::memory(uint32_t region) const {
    const std::span<const uint8_t> bytes = cursor_->memory(region);
    std::vector<MemoryWord> words((bytes.size() + 3) / 4);
    for (size_t i = 0; i < words.size(); ++i)
        words[i].value = word_at(bytes, 4 * i);
    // A word has changed if the step nearest to the last stop found another value than is there
    // now.
    const bool forwards = last_stop_ <= cursor_->position();
    const size_t first = std::min(last_stop_, cursor_->position());
    const size_t end = std::max(last_stop_, cursor_->position());
    std::vector<bool> seen(words.size());
    const auto see = [&](const MemoryChange& change) {
        if (change.region != region || seen[change.offset / 4])
            return;
        seen[change.offset / 4] = true;
        MemoryWord& word = words[change.offset / 4];
        word.changed = word.value != (forwards ? change.before : change.after);
    };
    for (size_t step = first; forwards && step < end; ++step)
        std::ranges::for_each(recording_.memory_changes(step), see);
    for (size_t step = end; !forwards && step > first; --step) {
        const std::span<const MemoryChange> changes = recording_.memory_changes(step - 1);
        std::for_each(changes.rbegin(), changes.rend(), see);
    }
    return words;
}

}  // namespace valkyr::debug
