// The scanner: one pass over the characters, keeping line and column.
// SPDX-License-Identifier: MIT
#include "tgsi/scanner.hpp"

#include <array>
#include <cstring>

namespace valkyr::tgsi {

namespace {

enum CharClass : uint8_t { kSpace = 1, kWord = 2, kReal = 4 };

constexpr std::array<uint8_t, 256> make_classes() {
    std::array<uint8_t, 256> classes{};
    for (const char c : {' ', '\t', '\n', '\r', '\f', '\v'})
        classes[static_cast<uint8_t>(c)] |= kSpace;
    for (int c = 0; c < 256; ++c) {
        const bool alnum =
            (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z');
        if (alnum || c == '_')
            classes[static_cast<size_t>(c)] |= kWord;
        if (alnum || c == '.' || c == '+' || c == '-' || c == '(' || c == ')')
            classes[static_cast<size_t>(c)] |= kReal;
    }
    return classes;
}

constexpr std::array<uint8_t, 256> kClasses = make_classes();

bool is(char c, CharClass which) {
    return (kClasses[static_cast<uint8_t>(c)] & which) != 0;
}

/// The value of a hexadecimal digit, or 16.
unsigned hex_value(char c) {
    if (c >= '0' && c <= '9')
        return static_cast<unsigned>(c - '0');
    if (c >= 'a' && c <= 'f')
        return static_cast<unsigned>(c - 'a') + 10;
    if (c >= 'A' && c <= 'F')
        return static_cast<unsigned>(c - 'A') + 10;
    return 16;
}

}  // namespace

Scanner::Scanner(std::string_view text)
    : begin_(text.data())
    , next_(text.data())
    , end_(text.data() + text.size())
    , line_start_(text.data()) {
    if (!text.empty())
        if (const void* zero = std::memchr(text.data(), 0, text.size()))
            end_ = static_cast<const char*>(zero);
}

bool Scanner::skip_space() {
    const char* const start = next_;
    while (next_ != end_ && is(*next_, kSpace)) {
        if (*next_++ == '\n') {
            ++line_;
            line_start_ = next_;
        }
    }
    return next_ != start;
}

void Scanner::skip_line() {
    while (next_ != end_ && *next_ != '\n')
        ++next_;
}

bool Scanner::after_space() const {
    return next_ != begin_ && is(next_[-1], kSpace);
}

bool Scanner::accept(char c) {
    if (next_ != end_ && *next_ == c) {
        ++next_;
        return true;
    }
    if (next_ == end_ || !is(*next_, kSpace))
        return false;
    const Scanner before = *this;
    skip_space();
    if (next_ == end_ || *next_ != c) {
        *this = before;
        return false;
    }
    ++next_;
    return true;
}

bool Scanner::accept_hex_prefix() {
    if (end_ - next_ < 2 || next_[0] != '0' || (next_[1] != 'x' && next_[1] != 'X'))
        return false;
    next_ += 2;
    return true;
}

bool Scanner::accept_range() {
    skip_space();
    if (end_ - next_ < 2 || next_[0] != '.' || next_[1] != '.')
        return false;
    next_ += 2;
    return true;
}

std::string_view Scanner::word() {
    const std::string_view found = peek_word();
    next_ += found.size();
    return found;
}

std::string_view Scanner::peek_word() {
    skip_space();
    const char* stop = next_;
    while (stop != end_ && is(*stop, kWord))
        ++stop;
    return {next_, static_cast<size_t>(stop - next_)};
}

bool Scanner::digits(uint64_t& value, bool& overflow) {
    const char* const start = next_;
    value = 0;
    overflow = false;
    for (; next_ != end_ && *next_ >= '0' && *next_ <= '9'; ++next_) {
        const auto digit = static_cast<uint64_t>(*next_ - '0');
        overflow |= value > (UINT64_MAX - digit) / 10;
        value = value * 10 + digit;
    }
    return next_ != start;
}

bool Scanner::hex_digits(uint64_t& value, bool& overflow) {
    const char* const start = next_;
    value = 0;
    overflow = false;
    for (; next_ != end_ && hex_value(*next_) < 16; ++next_) {
        overflow |= value >> 60 != 0;
        value = value << 4 | hex_value(*next_);
    }
    return next_ != start;
}

std::string_view Scanner::real_text() {
    const char* const start = next_;
    while (next_ != end_ && is(*next_, kReal))
        ++next_;
    return {start, static_cast<size_t>(next_ - start)};
}

}  // namespace valkyr::tgsi
