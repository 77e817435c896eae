// The terminal front end: work-groups, their warps and memory.
// SPDX-License-Identifier: MIT
#include "app/cli/text_scan.hpp"
#include "app/debug/console/console.hpp"
#include "app/debug/session/race_run.hpp"

#include <algorithm>

namespace valkyr::debug {

namespace {

constexpr uint32_t kRowWords = 4;

Error wrong_arguments(std::string text) {
    return {Errc::Syntax, {}, std::move(text)};
}

std::string memory_cell(const MemoryWord& word, NumberFormat format) {
    const size_t width = format == NumberFormat::Hex ? 8 : 12;
    const std::string text = format_number(word.value, format);
    return "  " + std::string(text.size() < width ? width - text.size() : 0, ' ') +
           (word.changed ? "*" : " ") + text;
}

std::string memory_row(std::span<const MemoryWord> words, size_t first, NumberFormat format) {
    const std::string name = "  byte " + std::to_string(4 * first);
    std::string text = name + std::string(name.size() < 13 ? 13 - name.size() : 0, ' ');
    for (const MemoryWord& word : words)
        text += memory_cell(word, format);
    return text + "\n";
}

bool is_interesting(std::span<const MemoryWord> words) {
    return std::ranges::any_of(
        words, [](const MemoryWord& word) { return word.value != 0 || word.changed; });
}

/// Takes a number and the blanks before it off the front; 0 without one, and an empty text.
uint32_t take_count(std::string_view& text) {
    text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
    return app::take_number(text).value_or(0);
}

/// "at BYTE [COUNT]".
Result<void> take_range(std::string_view text, size_t bytes, MemoryRows& rows) {
    if (text.empty())
        return {};
    const bool begins = text.starts_with("at ");
    text.remove_prefix(begins ? 3 : 0);
    const size_t first_digit = text.find_first_of("0123456789");
    const uint32_t first = take_count(text);
    const uint32_t count = text.empty() ? kRowWords : take_count(text);
    if (!begins || first_digit == std::string_view::npos || count == 0 || !text.empty())
        return wrong_arguments("expected [N] [at BYTE [COUNT]]: bytes of BUFFER[N] or, without N, "
                               "of shared memory");
    if (first >= bytes)
        return Error{Errc::OutOfRange, {}, "the memory has " + std::to_string(bytes) + " bytes"};
    rows.first = first & ~3U;
    rows.words = count;
    return {};
}

Result<NumberFormat> take_format(std::string_view letters) {
    if (letters.empty() || letters == "x")
        return NumberFormat::Hex;
    if (letters == "f")
        return NumberFormat::Float;
    if (letters == "d")
        return NumberFormat::Signed;
    return wrong_arguments("format '" + std::string(letters) + "': expected f, d or x");
}

}  // namespace

std::string info_warps(const Debugger& debugger) {
    const WarpCase& warp = *debugger.session().warp;
    if (!warp.work_group)
        return "this is no work-group\n";
    std::string text;
    for (uint32_t n = 0; n < debugger.recording().warps(); ++n) {
        const WarpPlace place = debugger.warp_place(n);
        const bool is_next = n == debugger.cursor().next_warp() && !debugger.cursor().at_end();
        text += (n == debugger.warp() ? " => warp " : "    warp ") + std::to_string(n) + ", from " +
                invocation_name(*warp.work_group, n * exec::kLanes) + ": ";
        if (place.state == WarpPlace::State::Ready)
            text += (is_next ? "runs next, " : "is ready, ") + next_word_text(debugger, n) + "\n";
        else
            text += state_text(place) + "\n";
    }
    return text;
}

std::string info_races(const Debugger& debugger) {
    const Session& session = debugger.session();
    if (!session.warp->work_group)
        return "this is no work-group\n";
    return races_text(debugger.recording().races(), *session.warp, session.listing.source_name,
                      true);
}

std::string memory_text(const Debugger& debugger, uint32_t region, const MemoryRows& rows) {
    const std::vector<MemoryWord> words = debugger.memory(region);
    const MemoryRegion& memory = debugger.recording().regions()[region];
    std::string text = memory.name + ", " + std::to_string(memory.start.size()) + " bytes";
    if (debugger.last_stop() != debugger.cursor().position())
        text += "; * changed since step " + std::to_string(debugger.last_stop());
    text += "\n";
    const size_t start = rows.first / 4;
    const size_t end =
        rows.words ? std::min<size_t>(words.size(), start + *rows.words) : words.size();
    bool skipped = false;
    for (size_t first = start; first < end; first += kRowWords) {
        const auto row = std::span(words).subspan(first, std::min<size_t>(kRowWords, end - first));
        if (rows.words || is_interesting(row))
            text += memory_row(row, first, rows.format);
        else
            skipped = true;
    }
    return text + (skipped ? "  all other rows are 0\n" : "");
}

Result<std::string> Console::choose_warp(std::string_view arguments) {
    if (arguments.empty())
        return info_warps(debugger_);
    const auto number = parse_count(arguments);
    if (!number)
        return wrong_arguments("expected the number of a warp, not '" + std::string(arguments) +
                               "'");
    VALKYR_TRY_VOID(debugger_.show_warp(*number));
    return report({StopReason::Place, 0});
}

Result<std::string> Console::memory(std::string_view arguments) {
    const size_t slash = arguments.find('/');
    MemoryRows rows;
    VALKYR_TRY(format, take_format(slash == std::string_view::npos ? std::string_view{}
                                                                   : arguments.substr(slash + 1)));
    rows.format = format;
    arguments = arguments.substr(0, slash);
    const size_t regions = debugger_.recording().regions().size();
    if (regions == 0)
        return Error{Errc::Unsupported, {}, "only the work-group of a compute shader has memory"};
    uint32_t region = 0;
    if (const auto buffer = app::take_number(arguments)) {
        if (*buffer >= regions - 1)
            return Error{Errc::OutOfRange,
                         {},
                         debugger_.session().warp->patches
                             ? "the records of patches are memory 0 to 3"
                             : "no --buffer filled BUFFER[" + std::to_string(*buffer) + "]"};
        region = 1 + *buffer;
    }
    arguments.remove_prefix(std::min(arguments.find_first_not_of(' '), arguments.size()));
    while (arguments.ends_with(' '))
        arguments.remove_suffix(1);
    VALKYR_TRY_VOID(
        take_range(arguments, debugger_.recording().regions()[region].start.size(), rows));
    return memory_text(debugger_, region, rows);
}

}  // namespace valkyr::debug
