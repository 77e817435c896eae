// The scanner: the slower paths; the fast ones are inline.
// SPDX-License-Identifier: MIT
#include "tgsi/scanner.hpp"

#include <cstring>

namespace valkyr::tgsi {

constexpr std::array<uint8_t, 256> Scanner::make_classes() {
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

constexpr std::array<uint8_t, 256> Scanner::kClasses = Scanner::make_classes();

namespace {

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

bool Scanner::skip_spaces() {
    while (next_ != end_ && is(*next_, kSpace)) {
        if (*next_++ == '\n') {
            ++line_;
            line_start_ = next_;
        }
    }
    return true;
}

void Scanner::skip_line() {
    while (next_ != end_ && *next_ != '\n')
        ++next_;
}

bool Scanner::after_space() const {
    return next_ != begin_ && is(next_[-1], kSpace);
}

bool Scanner::accept_after_space(char c) {
    const char* ahead = next_;
    while (ahead != end_ && is(*ahead, kSpace))
        ++ahead;
    if (ahead == end_ || *ahead != c)
        return false;
    skip_spaces();
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

bool Scanner::plain_register(std::string_view& word, uint32_t& index) {
    skip_space();
    const char* p = next_;
    while (p != end_ && is(*p, kWord))
        ++p;
    word = {next_, static_cast<size_t>(p - next_)};
    if (p == end_ || *p != '[')
        return false;
    const char* const start = ++p;
    index = 0;
    for (; p != end_ && *p >= '0' && *p <= '9'; ++p)
        index = index * 10 + static_cast<uint32_t>(*p - '0');
    if (p == start || p - start > 5 || p == end_ || *p != ']')
        return false;
    const char* const stop = ++p;
    while (p != end_ && is(*p, kSpace))
        ++p;
    if (p != end_ && (*p == '[' || *p == '('))
        return false;
    next_ = stop;
    return true;
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
