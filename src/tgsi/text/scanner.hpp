// Scanner: reads words, numbers and punctuation of a TGSI text with their places.
// SPDX-License-Identifier: MIT
#pragma once

#include "base/result.hpp"

#include <array>
#include <cstdint>
#include <string_view>

namespace valkyr::tgsi {

/// Walks over a text once, forwards. White space is blanks, tabs, newlines, returns, form feeds.
class Scanner {
public:
    /// Stops at the end of the text or at its first zero byte.
    explicit Scanner(std::string_view text);

    /// Skips white space; returns whether there was any.
    bool skip_space() { return next_ != end_ && is(*next_, kSpace) && skip_spaces(); }
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
    bool accept(char c) {
        if (next_ != end_ && *next_ == c) {
            ++next_;
            return true;
        }
        return next_ != end_ && is(*next_, kSpace) && accept_after_space(c);
    }
    /// Takes "0x" or "0X" right here.
    bool accept_hex_prefix();
    /// After white space: takes ".." if it comes next.
    bool accept_range();

    /// After white space: letters, digits and '_'; empty if there are none.
    std::string_view word() {
        skip_space();
        const char* const start = next_;
        while (next_ != end_ && is(*next_, kWord))
            ++next_;
        return {start, static_cast<size_t>(next_ - start)};
    }

    /// Digits right here as a number; false if there are none. Numbers above 2^64-1 set
    /// `overflow` (the digits are taken all the same).
    bool digits(uint64_t& value, bool& overflow) {
        const char* const start = next_;
        value = 0;
        overflow = false;
        for (; next_ != end_ && *next_ >= '0' && *next_ <= '9'; ++next_) {
            const auto digit = static_cast<uint64_t>(*next_ - '0');
            overflow |= value > UINT64_MAX / 10 || value * 10 > UINT64_MAX - digit;
            value = value * 10 + digit;
        }
        return next_ != start;
    }
    /// The usual form of a register: "word[digits]" with a word of up to seven characters, up to
    /// five digits and without another bracket or array id behind it.
    struct PlainRegister {
        uint64_t key = 0;  ///< word_key() of the word if that is a name made of letters alone
        uint32_t index = 0;
        uint32_t length = 0;  ///< characters; 0: no plain register comes next
    };
    /// After white space, which is skipped; the register is not taken.
    PlainRegister plain_register();
    /// Whether '[' or '(' comes next, after white space; nothing is taken.
    [[nodiscard]] bool opens_bracket() const { return opens_bracket(next_); }
    /// Takes characters that a look ahead has found.
    void take(uint32_t length) { next_ += length; }
    /// Right here: four letters of xyzw, not more; the usual form of a swizzle. Takes nothing of
    /// any other form, such as one with white space.
    bool plain_swizzle(uint8_t* components);
    bool hex_digits(uint64_t& value, bool& overflow);
    /// Right here: letters, digits, '.', '+', '-', '(' and ')' as far as they can belong to a
    /// decimal fraction, inf or nan(0x...).
    std::string_view real_text();

private:
    enum CharClass : uint8_t { kSpace = 1, kWord = 2, kReal = 4 };
    static constexpr std::array<uint8_t, 256> make_classes();
    static const std::array<uint8_t, 256> kClasses;
    static bool is(char c, CharClass which) {
        return (kClasses[static_cast<uint8_t>(c)] & which) != 0;
    }
    bool skip_spaces();
    bool opens_bracket(const char* at) const;
    bool accept_after_space(char c);

    const char* begin_;
    const char* next_;
    const char* end_;
    const char* line_start_;
    uint32_t line_ = 1;
};

}  // namespace valkyr::tgsi
