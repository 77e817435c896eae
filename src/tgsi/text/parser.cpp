// Parser: reads header, statements and properties, goes on after errors, and formats them.
// SPDX-License-Identifier: MIT
#include "tgsi/text/parser.hpp"

#include "tgsi/names.hpp"
#include "tgsi/text/parser_p.hpp"

#include <algorithm>

namespace valkyr::tgsi {

std::string quoted(std::string_view text) {
    std::string out = "\"";
    for (const char c : text.substr(0, 40))
        out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > 40 ? "...\"" : "\"");
}

bool Parser::fail(Errc code, SourcePos pos, std::string text) {
    result_.errors.push_back({code, pos, std::move(text)});
    return false;
}

bool Parser::fail_here(std::string text) {
    return fail(Errc::Syntax, scan_.pos(), std::move(text));
}

bool Parser::expect(char c, const char* where) {
    if (scan_.accept(c))
        return true;
    return fail_here(std::string("expected '") + c + "' " + where);
}

bool Parser::number(uint32_t& value, uint32_t limit, const char* what) {
    scan_.skip_space();
    const SourcePos pos = scan_.pos();
    uint64_t wide = 0;
    bool overflow = false;
    if (!scan_.digits(wide, overflow))
        return fail_here(std::string("expected ") + what + ", a number");
    if (overflow || wide > limit)
        return fail(Errc::OutOfRange, pos,
                    std::string(what) + " out of range, 0.." + std::to_string(limit));
    value = static_cast<uint32_t>(wide);
    return true;
}

std::optional<File> Parser::file(std::string_view word, SourcePos pos) {
    auto found = find_keyword<File>(word);
    if (!found)
        fail(Errc::Syntax, pos,
             word.empty() ? "expected a register file" : "unknown register file " + quoted(word));
    return found;
}

bool Parser::room_for(size_t count, uint32_t limit, const char* what) {
    if (count < limit)
        return true;
    stop_ = true;
    return fail(Errc::OutOfRange, scan_.pos(), "more than " + std::to_string(limit) + ' ' + what);
}

bool Parser::header() {
    const SourcePos pos = scan_.pos();
    const std::string_view word = scan_.word();
    const auto stage = find_keyword<Stage>(word);
    if (!stage)
        return fail(Errc::Syntax, pos,
                    "expected FRAG, VERT, GEOM, TESS_CTRL, TESS_EVAL or COMP" +
                        (word.empty() ? std::string() : " instead of " + quoted(word)));
    result_.shader.stage = *stage;
    return true;
}

bool Parser::property() {
    Property entry;
    scan_.skip_space();
    entry.pos = scan_.pos();
    const std::string_view name = scan_.word();
    if (name.empty() || name.size() > kMaxWordLength)
        return fail(Errc::Syntax, entry.pos, "expected a property name");
    entry.name.resize(name.size());
    std::transform(name.begin(), name.end(), entry.name.begin(), upper);
    scan_.skip_space();
    const SourcePos value_pos = scan_.pos();
    if (scan_.peek() >= '0' && scan_.peek() <= '9') {
        if (!number(entry.value, UINT32_MAX, "property value"))
            return false;
    } else {
        const std::string_view symbol = scan_.word();
        const auto value = find_property_symbol(symbol);
        if (!value)
            return fail(Errc::Syntax, value_pos, "expected a property value");
        entry.value = *value;
    }
    if (!room_for(result_.shader.properties.size(), limits_.properties, "properties"))
        return false;
    result_.shader.properties.push_back(std::move(entry));
    done(StatementKind::Property);
    return true;
}

bool Parser::statement() {
    const SourcePos pos = scan_.pos();
    const std::string_view word = scan_.word();
    constexpr uint64_t kDcl = word_key("DCL");
    constexpr uint64_t kImm = word_key("IMM");
    constexpr uint64_t kProperty = word_key("PROPERTY");
    const uint64_t key = word.size() <= 8 ? word_key(word) : 0;
    if (key == kDcl)
        return declaration();
    if (key == kImm)
        return immediate();
    if (key == kProperty)
        return property();
    return instruction(word, pos);
}

ParseResult Parser::run() {
    if (text_.size() > limits_.text_bytes) {
        fail(Errc::OutOfRange, {},
             "text longer than " + std::to_string(limits_.text_bytes) + " bytes");
        return std::move(result_);
    }
    // A typical instruction line has 40 characters: one allocation for most shaders.
    const size_t guess = std::min<size_t>(text_.size() / 32, 1024);
    result_.shader.instructions.reserve(guess);
    result_.shader.order.reserve(guess);
    scan_.skip_space();
    uint32_t line = scan_.pos().line;
    bool good = header();
    for (;;) {
        if (!good) {
            if (stop_ || result_.errors.size() >= limits_.errors)
                break;
            // An error on a later line than the statement's first: that line is a new statement.
            if (scan_.pos().line > line)
                scan_.rewind_line();
            else
                scan_.skip_line();
        }
        scan_.skip_space();
        if (scan_.at_end())
            break;
        if (cancellation_.requested()) {
            fail(Errc::Cancelled, scan_.pos(), "cancelled");
            break;
        }
        line = scan_.pos().line;
        good = scan_.after_space() ? statement()
                                   : fail_here("expected white space before a statement");
    }
    return std::move(result_);
}

ParseResult parse(std::string_view text, const Limits& limits, Cancellation cancellation) {
    return Parser(text, limits, cancellation).run();
}

namespace {

/// Line `number` (1-based) of the text without its newline.
std::string_view line_of(std::string_view text, uint32_t number) {
    size_t start = 0;
    for (uint32_t line = 1; line < number; ++line) {
        const size_t newline = text.find('\n', start);
        if (newline == std::string_view::npos)
            return {};
        start = newline + 1;
    }
    return text.substr(start, text.find('\n', start) - start);
}

}  // namespace

std::string format_error(const Error& error, std::string_view text, const std::string& file_name) {
    std::string out = error.format(file_name) + '\n';
    if (error.pos.line == 0 || error.pos.column == 0)
        return out;
    constexpr size_t kBefore = 60;
    constexpr size_t kShown = 100;
    std::string_view line = line_of(text, error.pos.line);
    size_t column = error.pos.column - 1;
    if (column > line.size())
        column = line.size();
    if (column > kBefore) {
        line.remove_prefix(column - kBefore);
        column = kBefore;
    }
    out += "    ";
    // Tabs would move the caret, control characters the terminal.
    for (const char c : line.substr(0, kShown))
        out += c >= ' ' && c <= '~' ? c : ' ';
    return out + "\n    " + std::string(column, ' ') + "^\n";
}

std::string format_errors(const std::vector<Error>& errors,
                          std::string_view text,
                          const std::string& file_name) {
    std::string out;
    for (const Error& error : errors)
        out += format_error(error, text, file_name);
    return out;
}

}  // namespace valkyr::tgsi
