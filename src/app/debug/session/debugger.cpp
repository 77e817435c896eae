// Debugger: keeps a recording, a place in it, breakpoints and watches.
// SPDX-License-Identifier: MIT
#include "app/debug/session/debugger.hpp"

#include "valhall/isa/program_graph.hpp"
#include "valhall/text/disassemble.hpp"

#include <algorithm>
#include <utility>

namespace valkyr::debug {

namespace {

std::vector<std::string> split_lines(std::string_view text) {
    std::vector<std::string> lines;
    while (!text.empty()) {
        const size_t end = text.find('\n');
        lines.emplace_back(text.substr(0, end));
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
    }
    return lines;
}

std::vector<jit::HostLine> host_lines(const WarpCase& warp, jit::HostLevel level) {
    const auto recompiler = jit::Recompiler::create(level, {.listing_only = true});
    if (!recompiler)
        return {};
    jit::RecompileOptions options;
    options.listing = true;
    options.inline_messages = warp.inline_messages;
    jit::KernelKey key = warp.key();
    key.strict_nan = false;  // a device's default
    const auto kernel = (*recompiler)->recompile(*warp.program, key, options);
    return kernel ? (*kernel)->listing() : std::vector<jit::HostLine>{};
}

}  // namespace

Listing make_listing(const WarpCase& warp,
                     std::string source_name,
                     std::string_view source,
                     jit::HostLevel level) {
    Listing listing;
    listing.source_name = std::move(source_name);
    listing.source = split_lines(source);
    for (const uint64_t word : warp.program->words) {
        const auto text = valhall::disassemble(word);
        listing.words.push_back(text ? *text : ".word");
    }
    listing.host_name = jit::host_level_name(level);
    if (level != jit::HostLevel::None)
        listing.host = host_lines(warp, level);
    return listing;
}

Debugger::Debugger(std::shared_ptr<const Session> session, Recording recording)
    : session_(std::move(session))
    , recording_(std::move(recording)) {
    cursor_.emplace(recording_);
    const valhall::ProgramGraph graph(recording_.instructions());
    for (uint32_t word = 0; word < recording_.instructions().size(); ++word)
        block_of_.push_back(graph.block_of(word));
}

Result<std::unique_ptr<Debugger>> Debugger::create(std::shared_ptr<const Session> session,
                                                   const RecordOptions& options) {
    VALKYR_TRY(recording, Recording::make(*session->warp, options));
    return std::unique_ptr<Debugger>(new Debugger(std::move(session), std::move(recording)));
}

View Debugger::view() const {
    return {*session_,       cursor_->state(), cursor_->warp(),
            cursor_->word(), cursor_->tls(),   cursor_->memory()};
}

uint32_t Debugger::line_of(uint32_t word) const {
    const std::vector<uint32_t>& lines = session_->warp->program->source_lines;
    return word < lines.size() ? lines[word] : 0;
}

std::vector<uint32_t> Debugger::words_of(uint32_t line) const {
    std::vector<uint32_t> words;
    for (uint32_t word = 0; word < block_of_.size(); ++word)
        if (line != 0 && line_of(word) == line)
            words.push_back(word);
    return words;
}

bool Debugger::has_breakpoint(bool on_line, uint32_t place) const {
    const auto kind = on_line ? Breakpoint::Kind::Line : Breakpoint::Kind::Word;
    return std::ranges::any_of(breakpoints_, [&](const Breakpoint& breakpoint) {
        return breakpoint.kind == kind && breakpoint.place == place;
    });
}

bool Debugger::is_here(const Breakpoint& breakpoint) const {
    switch (breakpoint.kind) {
    case Breakpoint::Kind::Word: return breakpoint.place == cursor_->word();
    case Breakpoint::Kind::Line: return starts_line(breakpoint.place);
    case Breakpoint::Kind::Barrier: return recording_.begins_phase(cursor_->position());
    }
    return false;
}

/// A breakpoint before the next step; the warp of the step is then the one that is shown.
Breakpoint* Debugger::breakpoint_here() {
    if (cursor_->at_end())
        return nullptr;
    const uint32_t shown = cursor_->warp();
    cursor_->show_warp(cursor_->next_warp());
    for (Breakpoint& breakpoint : breakpoints_)
        if (is_here(breakpoint) && (!breakpoint.condition || holds(view(), *breakpoint.condition)))
            return &breakpoint;
    cursor_->show_warp(shown);
    return nullptr;
}

/// Whether the warp's next instruction begins a contiguous run of words of this line.
bool Debugger::starts_line(uint32_t line) const {
    const uint32_t word = cursor_->word();
    if (line_of(word) != line)
        return false;
    const Step* last = recording_.last_step(cursor_->warp(), cursor_->position());
    return last == nullptr || line_of(last->word) != line || last->word + 1 != word;
}

/// Moves by at least one step of the shown warp, until arrived() or a breakpoint of any warp.
template <typename Arrived>
Stop Debugger::run(bool back, Arrived&& arrived) {
    for (;;) {
        if (back ? cursor_->position() == 0 : cursor_->at_end())
            return {back ? StopReason::Start : StopReason::End};
        const size_t made = back ? cursor_->position() - 1 : cursor_->position();
        cursor_->move_to(back ? made : made + 1);
        if (cursor_->at_end())
            return {StopReason::End};
        if (Breakpoint* breakpoint = breakpoint_here()) {
            ++breakpoint->hits;
            return {StopReason::Breakpoint, breakpoint->number};
        }
        if (recording_.steps()[made].warp == cursor_->warp() && arrived())
            return {StopReason::Place};
    }
}

Stop Debugger::step(uint64_t count, bool back) {
    last_stop_ = cursor_->position();
    Stop stop;
    for (uint64_t i = 0; i < count; ++i) {
        stop = run(back, [] { return true; });
        if (stop.reason != StopReason::Place)
            return stop;
    }
    return {StopReason::Step};
}

Stop Debugger::step_line(uint64_t count, bool back) {
    last_stop_ = cursor_->position();
    Stop stop;
    for (uint64_t i = 0; i < count; ++i) {
        const uint32_t line = this->line();
        stop = run(back, [&] { return this->line() != line && this->line() != 0; });
        if (stop.reason != StopReason::Place)
            return stop;
    }
    return {StopReason::Step};
}

Stop Debugger::step_block(bool back) {
    last_stop_ = cursor_->position();
    const uint32_t block = block_of_[cursor_->word()];
    return run(back, [&] { return block_of_[cursor_->word()] != block; });
}

Stop Debugger::resume(bool back) {
    last_stop_ = cursor_->position();
    return run(back, [] { return false; });
}

Stop Debugger::next_divergence(bool back) {
    last_stop_ = cursor_->position();
    const uint16_t running = state().running;
    Stop stop = run(back, [&] { return state().running != running; });
    if (stop.reason == StopReason::Place)
        stop.reason = StopReason::Divergence;
    return stop;
}

Stop Debugger::run_to_word(uint32_t word, bool back) {
    last_stop_ = cursor_->position();
    return run(back, [&] { return cursor_->word() == word; });
}

Stop Debugger::run_to_line(uint32_t line, bool back) {
    last_stop_ = cursor_->position();
    return run(back, [&] { return starts_line(line); });
}

Stop Debugger::move_to(size_t position) {
    last_stop_ = cursor_->position();
    cursor_->move_to(std::min(position, recording_.steps().size()));
    cursor_->show_warp(cursor_->next_warp());
    return {cursor_->at_end() ? StopReason::End : StopReason::Place};
}

Result<uint32_t> Debugger::add_breakpoint(bool on_line,
                                          uint32_t place,
                                          std::optional<Condition> condition,
                                          std::string condition_text) {
    if (on_line && words_of(place).empty())
        return Error{Errc::Semantic,
                     {},
                     "no instruction was made from line " + std::to_string(place) + " alone"};
    if (!on_line && place >= block_of_.size())
        return Error{Errc::OutOfRange,
                     {},
                     "the program ends with word " + std::to_string(block_of_.size() - 1)};
    breakpoints_.push_back({next_breakpoint_,
                            on_line ? Breakpoint::Kind::Line : Breakpoint::Kind::Word, place,
                            std::move(condition), std::move(condition_text), 0});
    return next_breakpoint_++;
}

Result<uint32_t> Debugger::add_barrier_breakpoint() {
    if (!session_->warp->work_group)
        return Error{Errc::Unsupported, {}, "only the work-group of a compute shader has barriers"};
    breakpoints_.push_back({next_breakpoint_, Breakpoint::Kind::Barrier, 0, {}, {}, 0});
    return next_breakpoint_++;
}

bool Debugger::remove_breakpoint(uint32_t number) {
    return std::erase_if(breakpoints_, [number](const Breakpoint& breakpoint) {
               return breakpoint.number == number;
           }) != 0;
}

}  // namespace valkyr::debug
