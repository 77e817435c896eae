// The scanner: words, numbers and punctuation of a TGSI text with their places.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <cstdint>
#include <string_view>

namespace valkyr::tgsi {

/// Walks over a text once, forwards. White space is blanks, tabs, newlines, returns, form feeds.
class Scanner {
public:
    /// Stops at the end of the text or at its first zero byte.
    explicit Scanner(std::string_view text);

    /// Skips white space; returns whether there was any.
    bool skip_space();
    /// Skips to the next newline, or to the end.
    void skip_line();
    /// Goes back to the first character of the line.
    void rewind_line() { next_ = line_start_; }
    /// Whether the last character taken was white space.
    [[nodiscard]] bool after_space() const;

    [[nodiscard]] bool at_end() const { return next_ == end_; }
    /// The next character, 0 at the end.
    [[nodiscard]] char peek() const { return next_ == end_ ? '\0' : *next_; }
    [[nodiscard]] SourcePos pos() const {
        return {line_, static_cast<uint32_t>(next_ - line_start_) + 1};
    }

    /// After white space: takes `c` if it comes next; otherwise takes nothing.
    bool accept(char c);
    /// Takes "0x" or "0X" right here.
    bool accept_hex_prefix();
    /// After white space: takes ".." if it comes next.
    bool accept_range();

    /// After white space: letters, digits and '_'; empty if there are none.
    std::string_view word();
    /// After white space: the next word without taking it.
    std::string_view peek_word();

    /// Digits right here as a number; false if there are none. Numbers above 2^64-1 set
    /// `overflow` (the digits are taken all the same).
    bool digits(uint64_t& value, bool& overflow);
    bool hex_digits(uint64_t& value, bool& overflow);
    /// Right here: letters, digits, '.', '+', '-', '(' and ')' as far as they can belong to a
    /// decimal fraction, inf or nan(0x...).
    std::string_view real_text();

private:
    const char* begin_;
    const char* next_;
    const char* end_;
    const char* line_start_;
    uint32_t line_ = 1;
};

}  // namespace valkyr::tgsi
