// Layout: prints the listings side by side, the current instruction marked in each.
// SPDX-License-Identifier: MIT
#include "app/debug/console/layout.hpp"

#include <algorithm>
#include <array>
#include <cstdio>
#include <span>

namespace valkyr::debug {

namespace {

constexpr std::string_view kCurrent = "\x1b[1;33m";
constexpr std::string_view kRelated = "\x1b[36m";
constexpr std::string_view kTitle = "\x1b[1m";
constexpr std::string_view kPlain = "\x1b[0m";

constexpr size_t kLeastGlslWidth = 120;  ///< with less, four columns show too little of each line

enum class Mark : uint8_t { None, Related, About, Current };

struct Row {
    Mark mark = Mark::None;
    bool breakpoint = false;
    std::string text;
};

struct Column {
    std::string title;
    std::vector<Row> rows;
    size_t width = 0;
};

std::string numbered(const char* format, uint32_t number, const std::string& text) {
    char buffer[24];
    std::snprintf(buffer, sizeof buffer, format, number);
    return buffer + text;
}

/// The first of `rows` entries of `count` around `middle`.
size_t first_row(size_t middle, size_t rows, size_t count) {
    const size_t before = rows / 2;
    const size_t first = middle > before ? middle - before : 0;
    return count > rows ? std::min(first, count - rows) : 0;
}

Row source_row(const Debugger& debugger, uint32_t line) {
    const std::vector<std::string>& source = debugger.session().listing.source;
    return {line == debugger.line() ? Mark::Current : Mark::None,
            debugger.has_breakpoint(true, line), numbered("%3u ", line, source[line - 1])};
}

Row glsl_row(const Debugger& debugger, uint32_t line) {
    const GlslLine here = debugger.glsl_line();
    const std::string& text = debugger.session().listing.glsl.source[line - 1];
    const Mark mark = here.certain ? Mark::Current : Mark::About;
    return {line == here.line ? mark : Mark::None, false, numbered("%3u ", line, text)};
}

Column glsl_column(const Debugger& debugger, size_t rows) {
    const GlslListing& glsl = debugger.session().listing.glsl;
    Column column{glsl.title, {}, 0};
    const uint32_t line = debugger.glsl_line().line;
    const size_t first = first_row(line == 0 ? 0 : line - 1, rows, glsl.source.size());
    for (size_t i = first; i < std::min(first + rows, glsl.source.size()); ++i)
        column.rows.push_back(glsl_row(debugger, static_cast<uint32_t>(i) + 1));
    return column;
}

Row word_row(const Debugger& debugger, uint32_t word) {
    const uint32_t current = debugger.cursor().word();
    const uint32_t line = debugger.line();
    const bool related = line != 0 && debugger.line_of(word) == line;
    return {word == current ? Mark::Current
            : related       ? Mark::Related
                            : Mark::None,
            debugger.has_breakpoint(false, word),
            numbered("%4u ", word, debugger.session().listing.words[word])};
}

Row host_row(const Debugger& debugger, const jit::HostLine& line) {
    const uint32_t current = debugger.cursor().word();
    const bool related = line.word_index != jit::kPrologueWord && debugger.line() != 0 &&
                         debugger.line_of(line.word_index) == debugger.line();
    return {line.word_index == current ? Mark::Current
            : related                  ? Mark::Related
                                       : Mark::None,
            false, numbered("%5x ", line.offset, line.text)};
}

Column source_column(const Debugger& debugger, size_t rows) {
    const Listing& listing = debugger.session().listing;
    Column column{listing.source_name, {}, 0};
    const size_t lines = listing.source.size();
    const uint32_t line = debugger.line();
    const size_t first = first_row(line == 0 ? 0 : line - 1, rows, lines);
    for (size_t i = first; i < std::min(first + rows, lines); ++i)
        column.rows.push_back(source_row(debugger, static_cast<uint32_t>(i + 1)));
    return column;
}

Column word_column(const Debugger& debugger, size_t rows) {
    Column column{"Valhall", {}, 0};
    const size_t words = debugger.session().listing.words.size();
    const size_t first = first_row(debugger.cursor().word(), rows, words);
    for (size_t i = first; i < std::min(first + rows, words); ++i)
        column.rows.push_back(word_row(debugger, static_cast<uint32_t>(i)));
    return column;
}

/// Host lines by address. Lines of one word may lie apart; the column is centred on the first
/// group.
Column host_column(const Debugger& debugger, size_t rows) {
    const Listing& listing = debugger.session().listing;
    Column column{"host (" + listing.host_name + ")", {}, 0};
    if (listing.host.empty()) {
        column.rows.push_back({Mark::None, false, "no host code for this program here"});
        return column;
    }
    const auto here =
        std::ranges::find(listing.host, debugger.cursor().word(), &jit::HostLine::word_index);
    const size_t middle = here == listing.host.end()
                              ? 0
                              : static_cast<size_t>(here - listing.host.begin()) + rows / 4;
    const size_t first = first_row(middle, rows, listing.host.size());
    for (size_t i = first; i < std::min(first + rows, listing.host.size()); ++i)
        column.rows.push_back(host_row(debugger, listing.host[i]));
    return column;
}

std::string mark_text(const Row& row) {
    const std::string_view mark = row.mark == Mark::Current   ? "=>"
                                  : row.mark == Mark::About   ? "~>"
                                  : row.mark == Mark::Related ? " |"
                                                              : "  ";
    return (row.breakpoint ? "*" : " ") + std::string(mark);
}

std::string fit(const std::string& text, size_t width) {
    std::string out = text;
    std::ranges::replace(out, '\t', ' ');
    if (out.size() > width)
        out = out.substr(0, width > 1 ? width - 1 : 0) + "~";
    return out + std::string(width - out.size(), ' ');
}

std::string cell(const Column& column, size_t row, bool color) {
    const bool there = row < column.rows.size();
    const std::string text =
        fit(there ? mark_text(column.rows[row]) + column.rows[row].text : "", column.width);
    const Mark mark = there ? column.rows[row].mark : Mark::None;
    if (!color || mark == Mark::None)
        return text;
    return std::string(mark == Mark::Current ? kCurrent : kRelated) + text + std::string(kPlain);
}

/// Three columns, or four with GLSL.
void set_widths(std::vector<Column>& columns, size_t width) {
    constexpr std::array<size_t, 2> kThree{32, 36};
    constexpr std::array<size_t, 3> kFour{26, 24, 27};
    const size_t room = std::max<size_t>(width, 60) - 3 * (columns.size() - 1);
    const std::span<const size_t> percents =
        columns.size() == 3 ? std::span<const size_t>(kThree) : std::span<const size_t>(kFour);
    size_t rest = room;
    for (size_t i = 0; i < percents.size(); ++i) {
        columns[i].width = room * percents[i] / 100;
        rest -= columns[i].width;
    }
    columns.back().width = rest;
}

std::string plain_rows(const std::vector<Row>& rows) {
    std::string out;
    for (const Row& row : rows)
        out += mark_text(row) + row.text + "\n";
    return out;
}

}  // namespace

std::string side_by_side(const Debugger& debugger, const LayoutOptions& options) {
    std::vector<Column> columns;
    if (debugger.session().listing.glsl.is_known() && options.width >= kLeastGlslWidth)
        columns.push_back(glsl_column(debugger, options.rows));
    columns.push_back(source_column(debugger, options.rows));
    columns.push_back(word_column(debugger, options.rows));
    columns.push_back(host_column(debugger, options.rows));
    set_widths(columns, options.width);

    std::string out;
    for (const Column& column : columns) {
        const std::string title = fit(column.title, column.width);
        out += (out.empty() ? "" : " | ") +
               (options.color ? std::string(kTitle) + title + std::string(kPlain) : title);
    }
    out += "\n";
    for (size_t row = 0; row < options.rows; ++row) {
        std::string text;
        for (const Column& column : columns)
            text += (text.empty() ? "" : " | ") + cell(column, row, options.color);
        text.erase(text.find_last_not_of(' ') + 1);
        out += text + "\n";
    }
    return out;
}

std::string next_word_text(const Debugger& debugger, uint32_t warp) {
    const uint32_t word = debugger.cursor().word_of(warp);
    const uint32_t line = debugger.line_of(word);
    return (line != 0 ? "line " + std::to_string(line) + ", " : "") + "word " +
           std::to_string(word);
}

std::string barriers_text(const std::vector<uint32_t>& lines) {
    std::string text = lines.size() == 1 ? "the barrier of line " : "the barriers of lines ";
    for (size_t i = 0; i < lines.size(); ++i)
        text += (i == 0 ? "" : i + 1 == lines.size() ? " and " : ", ") + std::to_string(lines[i]);
    return text;
}

std::string state_text(const WarpPlace& place) {
    switch (place.state) {
    case WarpPlace::State::Ready: return "is ready";
    case WarpPlace::State::AtBarrier: return "waits at " + barriers_text(place.barriers);
    case WarpPlace::State::Ended: return "has ended";
    }
    return {};
}

namespace {

/// "GLSL line 7: vec4 c = ..." of the next instruction; empty: none is known.
std::string glsl_text(const Debugger& debugger) {
    const GlslLine here = debugger.glsl_line();
    if (here.line == 0)
        return {};
    std::string_view text = debugger.session().listing.glsl.source[here.line - 1];
    text.remove_prefix(std::min(text.find_first_not_of(" \t"), text.size()));
    return std::string(here.certain ? "GLSL line " : "GLSL, about line ") +
           std::to_string(here.line) + ": " + std::string(text) + "\n";
}

}  // namespace

std::string place_line(const Debugger& debugger) {
    const size_t steps = debugger.recording().steps().size();
    if (debugger.cursor().at_end()) {
        std::string text = "after the last of " + std::to_string(steps) + " steps";
        for (const valhall::RunFault& fault : debugger.recording().faults())
            text += "; the run ended with a fault at word " + std::to_string(fault.word_index) +
                    ": " + fault.text;
        return text + "\n";
    }
    std::string text =
        "step " + std::to_string(debugger.cursor().position()) + " of " + std::to_string(steps);
    if (debugger.recording().warps() > 1)
        text += ", warp " + std::to_string(debugger.warp());
    const WarpPlace place = debugger.warp_place(debugger.warp());
    if (debugger.recording().warps() > 1 && place.state != WarpPlace::State::Ready)
        return text + " " + state_text(place) + "\n";
    return text + ", " + next_word_text(debugger, debugger.warp()) + ": " +
           debugger.session().listing.words[debugger.cursor().word()] + "\n" + glsl_text(debugger);
}

std::string glsl_lines(const Debugger& debugger, uint32_t first, uint32_t count) {
    const size_t lines = debugger.session().listing.glsl.source.size();
    std::vector<Row> rows;
    for (uint32_t line = std::max(first, 1U); line <= lines && line - first < count; ++line)
        rows.push_back(glsl_row(debugger, line));
    return plain_rows(rows);
}

std::string source_lines(const Debugger& debugger, uint32_t first, uint32_t count) {
    const size_t lines = debugger.session().listing.source.size();
    std::vector<Row> rows;
    for (uint32_t line = std::max(first, 1U); line <= lines && line - first < count; ++line)
        rows.push_back(source_row(debugger, line));
    return plain_rows(rows);
}

std::string word_lines(const Debugger& debugger, uint32_t first, uint32_t count) {
    const size_t words = debugger.session().listing.words.size();
    std::vector<Row> rows;
    for (uint32_t word = first; word < words && word - first < count; ++word)
        rows.push_back(word_row(debugger, word));
    return plain_rows(rows);
}

std::string host_lines(const Debugger& debugger, uint32_t word) {
    std::vector<Row> rows;
    for (const jit::HostLine& line : debugger.session().listing.host)
        if (line.word_index == word)
            rows.push_back(host_row(debugger, line));
    return plain_rows(rows);
}

}  // namespace valkyr::debug
